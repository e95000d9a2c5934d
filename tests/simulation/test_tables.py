"""Live tables on a real database: many seats, bets against the close, kills between the steps."""

from functools import partial
from uuid import UUID

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import PayoutCredited
from ledger.domain.refusals import Code
from tests.children import THERE, child
from tests.force import edit
from tests.french_pit import on
from tests.french_table import MANUAL
from tests.house import House, at_house
from tests.memory_pit import CHIEF
from tests.pit_house import Pit
from tests.racing import at_once
from tests.roulette_table import changed

SEATS = 30


def sound(house: House) -> None:
    """The book is sealed and verifies."""
    house.seal()
    assert house.verify() == ()


def test_g4_thirty_seated_sessions_bet_and_are_paid_in_one_save(house: House) -> None:
    """Seat n bets 1.00 and n cents on red and 1.00 on 1: red 1 pays all (FR4).

    Of an odd number the right croupier pays, from whom seat 1 is the farthest; straights come last.
    """
    pit = Pit(house).open(SEATS)
    seats = [pit.seat(f"player-{n}") for n in range(1, SEATS + 1)]
    pit.do(cmd.OpenTableRound)
    bets = [pit.bet(s, on("red", 100 + n), on([1], 100)) for n, s in enumerate(seats, 1)]
    answers = house.service.handle_many(bets, house.now)
    assert [None] * SEATS == [answer.refusal for answer in answers]

    answer = pit.spin(1)

    paid = [e for e in answer.entries if isinstance(e.event, PayoutCredited)]
    assert 2 * SEATS == len(paid)
    expected = [100_00 + 100 + n + 35_00 for n in range(1, SEATS + 1)]
    assert expected == [pit.session(seat).posta for seat in seats]
    assert [(1,)] == house.rows(
        "SELECT count(DISTINCT xid) FROM events WHERE topic = 'payout-credited'"
    )
    order_of = house.rows(
        """SELECT (convert_from(state, 'UTF8')::json->'event'->>'winnings')::int FROM events
            WHERE topic = 'payout-credited' ORDER BY ord"""
    )
    reds = [100 + n for n in range(1, SEATS + 1)]
    assert reds + [35_00] * SEATS == [winnings for (winnings,) in order_of]
    sound(house)


def test_fr8_a_bet_that_races_the_close_is_in_the_settled_round_or_refused(house: House) -> None:
    """Eight bets and the close at once, three times: every stake is paid by the number or kept."""
    pit = Pit(house).open(8)
    seats = [pit.seat(f"player-{n}") for n in range(8)]
    expected = dict.fromkeys(seats, 100_00)
    for pocket in (3, 4, 5):
        pit.do(cmd.OpenTableRound)
        close = partial(house.ask, pit.order(cmd.CloseBets))
        calls = [partial(house.ask, pit.bet(seat)) for seat in seats]
        *bets, closed = at_once(*calls, close)
        assert closed.refusal is None
        assert {None, Code.TABLE_TAKES_NO_BETS} >= {bet.refusal for bet in bets}
        assert house.ask(pit.heard(pocket)).refusal is None
        pit.do(cmd.SettleTableRound)
        for seat, bet in zip(seats, bets, strict=True):
            expected[seat] += 0 if bet.refusal else 100 if pocket != 4 else -100
    assert expected == {seat: pit.session(seat).posta for seat in seats}
    sound(house)


def test_sessions_move_between_two_tables_that_play_at_once(house: House) -> None:
    """Anna changes to bruno's table after her round; both numbers pay their own table alone."""
    one, two = Pit(house).open(), Pit(house, "roulette-2").open()
    anna, bruno = one.seat("anna-1"), two.seat("bruno-2")
    for pit, seat in ((one, anna), (two, bruno)):
        pit.do(cmd.OpenTableRound)
        assert house.ask(pit.bet(seat)).refusal is None
    for number, (pit, pocket) in enumerate(((one, 1), (two, 2))):
        pit.do(cmd.CloseBets)
        assert house.ask(pit.heard(pocket)).refusal is None, number
    settle = [partial(house.ask, pit.order(cmd.SettleTableRound)) for pit in (one, two)]
    assert [None, None] == [answer.refusal for answer in at_once(*settle)]
    assert (101_00, 99_00) == (one.session(anna).posta, two.session(bruno).posta)

    house.do(cmd.LeaveSeat, session=anna)
    house.do(cmd.TakeSeat, session=anna, table=two.table)
    two.do(cmd.OpenTableRound)
    answers = house.service.handle_many([two.bet(anna), two.bet(bruno)], house.now)
    assert [None, None] == [answer.refusal for answer in answers]
    two.spin(3)

    assert (102_00, 100_00) == (two.session(anna).posta, two.session(bruno).posta)
    assert (0, 2) == (len(one.state.seats), len(two.state.seats))
    sound(house)


def laid(house: House) -> tuple[Pit, list[UUID]]:
    """Five seats with 1.00 on red and 1.00 on 17 each."""
    pit = Pit(house).open()
    seats = [pit.seat(f"player-{n}") for n in range(5)]
    pit.do(cmd.OpenTableRound)
    bets = [pit.bet(seat, on("red", 100), on([17], 100)) for seat in seats]
    house.service.handle_many(bets, house.now)
    return pit, seats


@pytest.mark.parametrize(
    "point",
    [
        "ledger.service:Service._answer:before",
        "ledger.store.recorder:BookRecorder.insert_events:before",
        "ledger.store.recorder:BookRecorder.insert_events:after",
    ],
)
@pytest.mark.parametrize("step", ["settle", "void"])
def test_s3_a_table_killed_in_its_save_pays_or_refunds_everybody_once(
    house: House, point: str, step: str
) -> None:
    """After the outcome, and in a refund before it: sent again twice it is answered the same."""
    pit, seats = laid(house)
    pit.do(cmd.CloseBets)
    if step == "settle":
        house.ask(pit.heard(0))
    reason = {"reason": "the wheel broke"} if step == "void" else {}
    kinds = {"settle": cmd.SettleTableRound, "void": cmd.VoidTableRound}
    command = pit.order(kinds[step], **reason)
    with child("ask", house, [command], point) as service:
        service.until(THERE)
        service.kill()

    answers = []
    for _ in range(2):
        with at_house(house.conninfo, house.book) as recovered:
            answers.append(recovered.ask(command).to_bytes())
            states = [Pit(recovered).session(seat) for seat in seats]

    assert answers[0] == answers[1]
    left = (98_00, 1_00) if step == "settle" else (100_00, 0)
    assert [left] * 5 == [(s.posta, sum(r.in_prison for r in s.rounds)) for s in states]
    events = "bet-refunded" if step == "void" else "stake-imprisoned"
    expected = 10 if step == "void" else 5
    assert [(expected,)] == house.rows("SELECT count(*) FROM events WHERE topic = %s", events)
    sound(house)


def test_fr1_a_prisoner_survives_a_restart_and_other_limits_and_expires_at_its_worth(
    house: House,
) -> None:
    """1.01 on red, zero, limits lowered, another process: 0.51 after twenty minutes."""
    pit = Pit(house).open()
    seat = pit.seat("anna-1")
    pit.do(cmd.OpenTableRound)
    house.ask(pit.bet(seat, on("red", 101)))
    pit.spin(0)
    pit.do(cmd.SetTableLimits, limits='{"max":"0.50","min":"0.10"}', **CHIEF)
    pit.do(cmd.OpenTableRound)
    pit.spin(0)

    with at_house(house.conninfo, house.book) as again:
        again.now = house.later(minutes=1)
        (played,) = Pit(again).session(seat).rounds
        assert (101, 0) == (played.in_prison, played.at_stake)
        again.do(cmd.DisconnectSession, session=seat, at=again.now)
        again.later(minutes=20)
        again.do(cmd.ExpireSession, session=seat)
        ended = Pit(again).session(seat)

    assert ("expired", 100_00 - 101 + 25) == (ended.reason, ended.final_posta)
    sound(house)


def test_g7_a_round_that_was_told_another_number_is_found_by_verify(house: House) -> None:
    """The forged number pays as it should; only the table's own says otherwise."""
    pit = Pit(house).open()
    seat = pit.seat("anna-1")
    pit.do(cmd.OpenTableRound)
    house.ask(pit.bet(seat, on("red", 100)))
    pit.spin(3)

    def another(event):
        event["details"].update(pocket=1)
        event["shown"] = "1"

    edit(house, "outcome-told", another)
    house.seal()

    assert {"judgement", "outcomes"} == house.checks_that_find()


def collected_at(house: House) -> tuple[Pit, list[UUID]]:
    """Three seats whose 1.00 on red won and was not collected, at a table where it can be."""
    text = changed(lambda document: document.update(version=2), MANUAL)
    told = {"sheet": "french-roulette", "sheet_version": 2, "in_force_from": house.now}
    house.do(cmd.PublishSheet, text=text, **told)
    pit = Pit(house).open()
    seats = [pit.seat(f"player-{n}") for n in range(3)]
    pit.do(cmd.OpenTableRound)
    house.service.handle_many([pit.bet(seat) for seat in seats], house.now)
    pit.spin(3)
    return pit, seats


def test_s3_a_table_killed_while_stakes_play_on_lets_all_of_them_or_none(house: House) -> None:
    """In the save that opens its round: given again, each stake is a bet of it once."""
    pit, seats = collected_at(house)
    command = pit.order(cmd.OpenTableRound)
    point = "ledger.store.recorder:BookRecorder.insert_events:after"
    with child("ask", house, [command], point) as service:
        service.until(THERE)
        service.kill()

    with at_house(house.conninfo, house.book) as recovered:
        answers = [recovered.ask(command).to_bytes() for _ in range(2)]
    with at_house(house.conninfo, house.book) as again:
        pit = Pit(again, sequence=pit.sequence)
        left = [pit.session(seat).rounds[0] for seat in seats]
        pit.spin(3)
        states = [pit.session(seat) for seat in seats]

    assert answers[0] == answers[1]
    assert [(1_00, 1_00)] * 3 == [(r.at_stake, r.win) for r in left]
    assert [(99_00, 1_00, 2_00)] * 3 == [
        (s.posta, sum(r.at_stake for r in s.rounds), s.win_box) for s in states
    ]
    assert [(3,)] == house.rows("SELECT count(*) FROM events WHERE topic = %s", "stake-left")
    sound(house)
