"""A verification in bites finds what it finds in one go, wherever it is put down (G5, G7).

A bite is made with another codec than the one before, as another process has one.
"""

from datetime import timedelta
from itertools import cycle

import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.replay import Finding
from ledger.seal import verify
from ledger.seal.verify import Bite, Verdict, Verifier
from ledger.store.codec import Codec
from tests.blackjack_house import BlackjackTable
from tests.force import by_force, edit
from tests.house import CODEC, House
from tests.pit_house import Pit

CODECS = cycle((CODEC, Codec(registry.DETAILS)))


def bitten(house: House, carried: bytes | None, most: int) -> Bite:
    """One bite, with the codec whose turn it is."""
    with house.connected() as connection:
        verifier = Verifier(
            connection, house.book, next(CODECS), registry.ENGINES, registry.SECRETS
        )
        return verifier.bite(house.trust, carried, most)


def in_bites(house: House, most: int) -> Verdict:
    """The verdict of a verification that is put down after so many rows, again and again."""
    carried, verdict = None, None
    while verdict is None:
        bite = bitten(house, carried, most)
        carried, verdict = bite.carried, bite.verdict
    assert carried is None
    return verdict


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    """All findings, each as often as it was found."""
    return sorted((f.check, f.place, f.found) for f in findings)


@pytest.fixture
def played(house: House) -> House:
    """Rounds of roulette, a round at each of two live tables and another under way, two seals."""
    anna = house.seat("anna-1")
    house.play(anna)
    left = house.lay(anna)
    house.seal()
    french = Pit(house).open()
    carla = french.seat("carla-3")
    french.do(cmd.OpenTableRound)
    assert house.ask(french.bet(carla)).refusal is None
    french.spin(0)
    cards = BlackjackTable(house).open()
    bruno = cards.seat("bruno-2")
    cards.begin(bruno)
    cards.deal("8h 6h 8c")
    house.do(cmd.CloseSession, session=house.seat("dora-4"))
    house.do(cmd.VoidRounds, rounds=(cmd.RoundRef(session=anna, round=left),), reason="stopped")
    house.seal()
    return house


@pytest.mark.parametrize("most", [3, 10, 10_000])
def test_g5_an_honest_book_is_found_good_in_bites_of_any_size(played: House, most: int) -> None:
    """What is in play at the wheel, at both tables and in hand is carried over each border."""
    whole = played.verdict()

    assert (True, whole) == (whole.holds, in_bites(played, most))


def test_g7_a_break_is_found_in_whatever_bite_it_lies(played: House) -> None:
    """A row of each bite is changed by force, the first and the last of it among them."""
    size, most = played.count("sealed"), 20
    borders = [at for first in range(0, size, most) for at in (first, first + most - 1)]
    by_force(
        played,
        f"""UPDATE events e SET state = set_byte(state, 40, 65) FROM sealed s
             WHERE (e.originator_id, e.originator_version) = (s.originator_id, s.originator_version)
               AND s.position IN ({", ".join(map(str, borders))})""",
    )
    found = in_bites(played, most).findings

    places = {f.place for f in found if f.check == "rows"}
    assert {f"position {at}" for at in borders if at < size} == places
    assert told(played.verify()) == told(found)


def test_g5_what_is_wrong_everywhere_is_not_carried_to_the_end(played: House, monkeypatch) -> None:
    """Given more findings than are carried, then the bite that has them says so, and is the last.

    Each of its ten rows was changed by force: its bytes are found, and most cannot be read.
    """
    monkeypatch.setattr(verify, "FINDINGS_MAX", 9)
    by_force(played, "UPDATE events SET state = set_byte(state, 40, 65)")
    bite = bitten(played, None, 10)

    assert bite.carried is None
    assert bite.verdict is not None
    assert (10, False) == (bite.verdict.size, bite.verdict.holds)
    rows = {f.place for f in bite.verdict.findings if f.check == "rows"}
    assert {f"position {at}" for at in range(10)} == rows


def test_g7_a_wrong_payment_whose_bet_lies_in_another_bite_is_found(house: House) -> None:
    """Wherever the walk is put down: also between a round's opening and what it is paid."""
    anna = house.seat("anna-1")
    round_id = house.lay(anna)
    house.do(cmd.VoidRounds, rounds=(cmd.RoundRef(session=anna, round=round_id),), reason="stopped")
    edit(house, "bet-refunded", lambda event: event.update(amount=event["amount"] + 100))
    house.seal()
    whole = told(house.verify())

    assert {"judgement", "overdraft"} <= {check for check, _, _ in whole}
    assert [whole] * 3 == [told(in_bites(house, most).findings) for most in (2, 3, 5)]


def test_g5_what_is_sealed_between_two_bites_is_verified_too(played: House) -> None:
    """A round that is forged and sealed after the first bite is found by the last."""
    first = bitten(played, None, 30)
    played.play(played.seat("elsa-5"))
    edit(played, "round-settled", lambda event: event.update(winnings=event["winnings"] + 1))
    played.seal()
    last = bitten(played, first.carried, 10_000)

    assert last.verdict is not None
    assert told(played.verify()) == told(last.verdict.findings)
    assert "judgement" in {f.check for f in last.verdict.findings}


def test_what_a_walk_carries_does_not_grow_with_sessions_and_rounds_that_ended(house: House):
    """Given two sessions that ended, at no table and at one, then nothing names them any more.

    A conto knows its last ones, for its limits; a year later it has forgotten them.
    """
    anna = house.seat("anna-1")
    played = house.play(anna).command
    house.do(cmd.CloseSession, session=anna)
    pit = Pit(house).open()
    carla = pit.seat("carla-3")
    pit.do(cmd.OpenTableRound)
    bet = house.ask(pit.bet(carla)).command
    pit.spin(0)
    house.do(cmd.ExcludePlayer, player="carla-3", until=house.now + timedelta(hours=1))
    house.later(days=400)
    for player in ("anna-1", "carla-3"):
        house.deposit(player, 100)
    house.seal()
    carried = bitten(house, None, house.count("sealed")).carried

    assert carried is not None
    assert [] == [
        ended
        for ended in (anna, played, carla, bet)
        if str(ended).encode() in carried or ended.int.to_bytes(16, "little") in carried
    ]


@pytest.mark.parametrize("size", ["size + 1000000", "size + 1"])
def test_g6_a_checkpoint_that_is_moved_is_found_in_bites(played: House, size: str) -> None:
    """One that names rows which are not sealed, or ends in the middle of a save."""
    by_force(
        played,
        f"UPDATE checkpoints SET size = {size} WHERE size = (SELECT min(size) FROM checkpoints)",
    )
    whole = told(played.verify())

    assert whole
    assert whole == told(in_bites(played, 11).findings)
