"""Entries forged before they were sealed: their hashes are right, what they say is not.

Verification folds the books, compares each command's record with its save, and judges each round
again from what was recorded (G1, G2, G4, G6, G7, G8, G9).
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import orjson
import pytest

from games import registry
from games.roulette.bets import Spin
from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream, stream_key
from ledger.domain.sheets import canonical, text_hash
from tests.force import by_force, edit, replace_in_states
from tests.house import CLASSIC, CODEC, MORNING, RED, House, euro


@pytest.fixture
def won(house: House) -> House:
    """A round of one euro on red that won, not yet sealed."""
    seat = house.seat()
    house.seal()
    for _ in range(200):
        if any(e.event.NAME == "payout-credited" for e in house.play(seat, RED).entries):
            return house
        house.seal()
    raise AssertionError("two hundred losses in a row")


def test_g7_a_wrong_payout_that_balances_is_found(won: House) -> None:
    """Ten times the winnings, and the settlement changed to match: the sheet gives another."""
    edit(won, "payout-credited", lambda e: e.update(winnings=1000))
    edit(won, "round-settled", lambda e: e.update(winnings=1000))
    won.seal()
    assert won.checks_that_find() == {"judgement"}


def test_g7_a_draw_changed_to_another_pocket_is_found(won: House) -> None:
    """The recorded entropy gives one pocket and no other."""
    edit(won, "draw-recorded", lambda e: e.update(shown="0"))  # on which red never wins
    edit(won, "draw-recorded", lambda e: e.update(entropy="00"))
    won.seal()
    assert "judgement" in won.checks_that_find()


@pytest.mark.parametrize("entropy", ["", "ff", "ffff"])
def test_g7_entropy_that_gives_no_outcome_is_found(won: House, entropy: str) -> None:
    """A draw that the mapping rejects was never one."""
    edit(won, "draw-recorded", lambda e: e.update(entropy=entropy))
    won.seal()
    assert won.checks_that_find() == {"judgement"}


def test_g7_a_bet_of_another_games_kind_is_found_and_does_not_stop_verification(
    won: House,
) -> None:
    """What was forged may break an engine's assumptions, never the verifier."""
    edit(won, "bet-placed", lambda e: e.update(details={"type": "roulette-spin"}))
    won.seal()
    assert won.checks_that_find() == {"judgement"}


def test_g7_a_bet_that_its_player_did_not_make_is_found(won: House) -> None:
    """The opening move stands on record; the bets must be what the sheet makes of it."""
    edit(won, "bet-placed", lambda e: e["details"].update(kind="black"))
    won.seal()
    assert "judgement" in won.checks_that_find()


def one(chance: str, amount: int) -> dict[str, Any]:
    """A line of an opening move as it is stored."""
    return {"chance": chance, "amount": amount}


@pytest.mark.parametrize(
    "lines",
    [
        [one("red", 200)],
        [one("red", 100), one("black", 100)],
        [{"numbers": [1, 36], "amount": 100}],
        [one("red", 30)],
        [],
    ],
    ids=["another amount", "a bet is missing", "illegal placement", "no sum of chips", "no bet"],
)
@pytest.mark.parametrize("voided", [False, True])
def test_g7_bets_placed_by_force_that_the_sheet_would_not_place_are_found(
    house: House,
    lines: list[dict[str, Any]],
    voided: bool,  # noqa: FBT001 - the round is still open, or void
) -> None:
    """The move on record gives other bets than these, or none, and is not what was asked."""
    seat = house.seat()
    laid = house.lay(seat, RED)
    if voided:
        ref = cmd.RoundRef(session=seat, round=laid)
        house.do(cmd.VoidRounds, rounds=(ref,), reason="the wheel stood still")
    edit(house, "round-opened", lambda e: e["move"].update(lines=lines))
    house.seal()
    assert house.checks_that_find() == {"judgement", "moves"}


def test_g7_a_bet_that_the_move_does_not_ask_for_is_found(house: House) -> None:
    """Two bets lie on the table and the player made one."""
    house.lay(house.seat(), RED, {"chance": "even", "amount": "1.00"})
    edit(house, "round-opened", lambda e: e["move"].update(lines=[one("red", 100)]))
    house.seal()
    assert house.checks_that_find() == {"judgement", "moves"}


def test_g7_a_bet_of_another_amount_than_its_move_is_found(house: House) -> None:
    """A cent more, taken from the posta: the accounts balance, the move says otherwise."""
    house.lay(house.seat(), RED)
    edit(house, "bet-placed", lambda e: e.update(amount=101))
    house.seal()
    assert house.checks_that_find() == {"judgement"}


def test_g7_a_further_move_that_the_sheet_refuses_is_found(house: House) -> None:
    """Bets in the place of the spin, after the bets were closed."""
    seat = house.seat()
    house.do(cmd.ContinueRound, session=seat, round=house.lay(seat, RED), move=Spin())
    move = {"type": "roulette-bets", "lines": [one("red", 100)]}
    edit(house, "move-made", lambda e: e.update(details=move))
    house.seal()
    assert house.checks_that_find() == {"judgement", "moves"}


def test_g7_a_payout_without_a_draw_is_found(won: House) -> None:
    """Money that no outcome explains is found although every account balances.

    In the draw's place its player comes back, who was not away.
    """
    emptied = (
        "replace(convert_from(state, 'UTF8'), convert_from(state, 'UTF8')::json->>'event', '{}')"
    )
    by_force(
        won,
        f"""UPDATE events SET topic = 'session-reconnected', state = convert_to({emptied}, 'UTF8')
             WHERE topic = 'draw-recorded' AND (originator_id, originator_version) NOT IN
                   (SELECT originator_id, originator_version FROM sealed)""",
    )
    won.seal()
    assert won.checks_that_find() == {"judgement", "expiries"}


def test_g8_a_round_judged_by_a_sheet_that_was_not_in_force_is_found(house: House) -> None:
    """The second version was published before the round, and the round names the first."""
    first = registry.SHEETS[CLASSIC].text
    house.later(hours=1)
    text = canonical(orjson.loads(first) | {"version": 2})
    seat = house.seat()
    published = {"sheet": CLASSIC, "sheet_version": 2, "in_force_from": house.now, "text": text}
    house.do(cmd.PublishSheet, **published)
    house.seal()
    answer = house.play(seat)
    rules = answer.entries[0].event.rules
    assert rules.version == 2
    older = text_hash(first)
    where = f"originator_id = '{stream_key(session_stream(seat))}' AND originator_version > 4"
    replace_in_states(house, rules.hash, older, where)
    replace_in_states(house, '"version":2,"hash"', '"version":1,"hash"', where)
    house.seal()
    found = house.verify()
    assert {f.check for f in found} == {"judgement"}
    assert f"not the version of {CLASSIC} in force" in found[0].found


def test_g2_an_overdraft_by_force_is_found(house: House) -> None:
    """A withdrawal changed to more than the conto held."""
    house.conto("anna-1", 1000)
    house.do(cmd.Withdraw, player="anna-1", **euro(1000), reference="r", channel="card")
    edit(house, "funds-withdrawn", lambda e: e.update(amount=1001))
    house.seal()
    assert house.checks_that_find() == {"overdraft"}


def test_g2_a_currency_never_makes_up_for_another(house: House) -> None:
    """Ten euro came in and ten roubles went out: their numbers cancel, the roubles were lacking."""
    house.conto("anna-1", 1000)
    house.do(cmd.Withdraw, player="anna-1", **euro(1000), reference="r", channel="card")
    edit(house, "funds-withdrawn", lambda e: e.update(currency="RUR"))
    house.seal()
    found = [(f.check, f.found) for f in house.verify()]
    assert found == [("overdraft", "player:anna-1:conto fell below zero in RUR")]


def test_g9_a_session_that_closed_with_two_currencies_that_cancel_is_found(house: House) -> None:
    """Its posta went back in roubles: the euro are still there, and the roubles never were."""
    house.do(cmd.CloseSession, session=house.seat())
    for event in ("session-closed", "funds-transferred-to-conto"):
        edit(house, event, lambda e: e.update(currency="RUR"))
    house.seal()
    found = {(f.check, f.found.partition(",")[0]) for f in house.verify() if f.check == "orphan"}
    assert found == {
        ("orphan", "final posta 10000 RUR"),
        ("orphan", "not in play with 10000 EUR in posta"),
        ("orphan", "not in play with -10000 RUR in posta"),
    }


def test_g9_a_session_that_closed_with_less_than_its_posta_is_found(house: House) -> None:
    """The final posta is what the books hold, and the rest of the accounts is empty."""
    house.do(cmd.CloseSession, session=house.seat())
    edit(house, "session-closed", lambda e: e.update(final_posta=1))
    edit(house, "funds-transferred-to-conto", lambda e: e.update(amount=1))
    house.seal()
    found = {(f.check, f.found.partition(",")[0]) for f in house.verify()}
    assert found == {
        ("orphan", "final posta 1 EUR"),
        ("orphan", "not in play with 9999 EUR in posta"),
    }


def test_s3_a_void_that_refunds_one_stake_twice_and_another_never_is_found(house: House) -> None:
    """The sum is right; each stake must go back once."""
    seat = house.seat()
    lines = [{"numbers": [n], "amount": "1.00"} for n in (1, 2)]
    ref = cmd.RoundRef(session=seat, round=house.lay(seat, *lines))
    house.do(cmd.VoidRounds, rounds=(ref,), reason="the wheel stood still")
    edit(house, "bet-refunded", lambda e: e.update(bet=1))
    house.seal()
    assert house.checks_that_find() == {"judgement"}


def test_g4_a_half_of_a_save_removed_before_the_seal_is_found(house: House) -> None:
    """The conto paid and the session never heard of it: the command's record names both.

    What was paid stands in an account of a session that is not in play.
    """
    house.conto("anna-1", 1000)
    session = house.request("anna-1", 500)
    by_force(
        house, f"DELETE FROM events WHERE originator_id = '{stream_key(session_stream(session))}'"
    )
    house.seal()
    assert house.checks_that_find() == {"saves", "orphan"}


def test_g4_an_entry_without_a_record_of_its_command_is_found(house: House) -> None:
    """What was slipped in beside the service has no command that was answered."""
    house.conto("anna-1", 1000)
    stream = conto_stream("anna-1")
    entry = house.service.history(stream)[-1].model_copy(update={"version": 3})
    stray = CODEC.encode(entry.model_copy(update={"command": uuid4()}))
    house.store.recorder.insert_events([stray])
    house.seal()
    assert house.checks_that_find() == {"saves"}


def test_g6_an_entry_recorded_in_a_day_that_was_closed_before_is_found(house: House) -> None:
    """A report of a day is built once; what is dated back into it later is a clock fault."""
    house.conto("anna-1")
    checkpoint = house.seal()
    assert checkpoint is not None
    house.later(days=1)
    house.deposit("anna-1", 100)
    until = MORNING + timedelta(hours=1)
    with house.connected("worker") as connection:
        closing = f"INSERT INTO {house.book}.day_closings VALUES ('2026-03-01', %s, %s)"
        connection.execute(closing, (until, checkpoint.size))
    assert house.verify() == ()
    where = f"originator_id = '{stream_key(conto_stream('anna-1'))}' AND originator_version = 2"
    replace_in_states(house, "2026-03-03T09:00:00Z", "2026-03-02T09:30:00Z", where)
    house.seal()
    assert house.checks_that_find() == {"days"}
