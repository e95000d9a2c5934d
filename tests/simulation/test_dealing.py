"""A live table that deals on a real database: seven boxes, moves that meet, kills (S14, BJ8)."""

from collections import Counter
from functools import partial
from uuid import UUID

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import DrawRecorded
from ledger.domain.ids import table_stream
from ledger.domain.refusals import Code
from ledger.replay import state_at
from tests.blackjack_house import BlackjackTable
from tests.children import THERE, child
from tests.force import edit
from tests.house import House, at_house, euro
from tests.racing import at_once


def sound(house: House) -> None:
    """The book is sealed and verifies."""
    house.seal()
    assert house.verify() == ()


def seated(house: House, count: int) -> tuple[BlackjackTable, list[UUID]]:
    """A table and so many sessions with 100.00 each, in the order of their seats."""
    table = BlackjackTable(house).open()
    return table, [table.seat(f"player-{n}") for n in range(1, count + 1)]


SEVEN = """
As Th 5h 8h Tc Td 7h Ad Ks Kh 6h 8c 6c 9d 5d
1 even-money / 2 insurance / 2 stand / 3 double / Tc / 4 split / Ts 3s / 4 stand / 4 hit / 9s
4 stand / 5 hit / Jd / 6 stand / pass / 8d
"""


def run(table: BlackjackTable, seats: list[UUID], script: str) -> None:
    """Cards, actions by seat, and a seat that lets its time pass, in order."""
    for line in script.strip().replace("\n", "/").split("/"):
        first, *rest = line.split()
        if first == "pass":
            assert Code.NOT_YET_DUE == table.house.ask(table.order(cmd.PassTurn)).refusal
            table.house.later(seconds=20)
            table.do(cmd.PassTurn)
        elif first.isdigit():
            table.act(seats[int(first) - 1], *rest)
        else:
            table.deal(line)


def test_a_round_of_seven_boxes_from_the_first_bet_to_the_last_payment(house: House) -> None:
    """Against an ace that becomes 19, with 10.00 on each box.

    1 takes even money: +10. 2 insures 20 and wins: +10 -5. 3 doubles 11 to 21: +20. 4 splits
    eights to 18 and 20: -10 +10. 5 is bust: -10. 6 has 19: 0. 7 does not act on 12: -10.
    """
    table, seats = seated(house, 7)
    table.begin(*seats)

    run(table, seats, SEVEN)
    answer = table.do(cmd.SettleTableRound)

    expected = [110_00, 105_00, 120_00, 100_00, 90_00, 100_00, 90_00]
    assert expected == [table.session(seat).posta for seat in seats]
    paid = [e.stream for e in answer.entries if e.event.NAME == "payout-credited"]
    assert [f"session:{seats[n]}" for n in (1, 2, 2, 3, 5)] == paid
    assert 5 == answer.entries[-1].event.sessions
    sound(house)


def test_g7_a_deal_is_told_again_from_what_stands_on_disk(house: House) -> None:
    """No generator and no studio: the table's states at each version are its own events'."""
    table, (anna,) = seated(house, 1)
    table.begin(anna)
    table.deal("Th 9h 8h")
    table.act(anna, "stand")
    live = table.state
    stream = table_stream(table.table)

    history = house.service.history(stream)

    assert live == state_at(stream, history).state
    assert not any(isinstance(entry.event, DrawRecorded) for entry in history)
    first = next(e.version for e in history if e.event.NAME == "dealing-begun")
    assert 0 == state_at(stream, history, first).state.round.dealing.cards


def test_s14_two_doubles_at_once_are_one_debit_and_one_card(house: House) -> None:
    """Four times, from two services: one is accepted, the other finds that a card is to come."""
    table, (anna,) = seated(house, 1)
    with at_house(house.conninfo, house.book) as other:
        for _ in range(4):
            table.begin(anna)
            table.deal("5h 8h 6d")
            before = table.session(anna).posta
            moves = [table.move(anna, "double") for _ in range(2)]
            calls = (partial(house.ask, moves[0]), partial(other.ask, moves[1]))
            refusals = [answer.refusal for answer in at_once(*calls)]
            assert Counter([None, Code.CARD_TO_COME]) == Counter(refusals)
            assert before - 10_00 == table.session(anna).posta
            table.deal("2c 9c")
            table.do(cmd.SettleTableRound)
    sound(house)


def test_s14_what_is_left_in_the_posta_pays_for_a_split_or_not(house: House) -> None:
    """15.00 and 10.00 bet: no split; 5.00 more are bought in the turn, and then there is."""
    table = BlackjackTable(house).open()
    anna = table.seat("anna-1", posta=15_00)
    table.begin(anna)
    table.deal("8h 9h 8d")
    move = table.move(anna, "split")
    assert Code.INSUFFICIENT_POSTA == house.ask(move).refusal

    fields = {"session": anna, "player": "anna-1", "sheet": "live-blackjack", "channel": "web"}
    right = house.do(cmd.RequestParticipation, **fields, **euro(5_00))
    proof = {"participation": right.command, "ticket": "T-2", "count": 2, "total": 20_00}
    house.do(cmd.ValidateParticipation, session=anna, **proof)

    assert Code.INSUFFICIENT_POSTA == house.ask(move).refusal
    table.act(anna, "split")
    assert 0 == table.session(anna).posta


def test_a_bet_that_races_the_close_has_a_box_or_is_refused(house: House) -> None:
    """Seven bets and the close at once: every box that is dealt to has its bet, and no other."""
    table, seats = seated(house, 7)
    table.do(cmd.OpenTableRound)
    calls = [partial(house.ask, table.bet(seat)) for seat in seats]

    *bets, closed = at_once(*calls, partial(house.ask, table.order(cmd.CloseBets)))

    assert closed.refusal is None
    placed = [seat for seat, bet in zip(seats, bets, strict=True) if bet.refusal is None]
    answer = house.ask(table.card("Th"))
    if placed:
        assert placed == [box.session for box in table.state.round.dealing.boxes]
    else:
        assert {"feed-message-refused"} == {e.event.NAME for e in answer.entries}
    table.do(cmd.VoidTableRound, reason="cards misread")
    assert [100_00] * 7 == [table.session(seat).posta for seat in seats]
    sound(house)


def test_one_message_that_two_connections_bring_is_one_card(house: House) -> None:
    """The second is on record as repeated."""
    table, (anna,) = seated(house, 1)
    table.begin(anna)
    first = table.card("Th")
    again = table.order(cmd.DealCard, told=first.told)

    answers = at_once(partial(house.ask, first), partial(house.ask, again))

    whys = [getattr(answer.entries[-1].event, "why", None) for answer in answers]
    assert Counter([None, "repeated"]) == Counter(whys)
    assert 1 == table.state.round.dealing.cards


def under_way(house: House, step: str) -> tuple[BlackjackTable, UUID, cmd.Command]:
    """A round before a step of it, and the command that makes the step."""
    table, (anna, bruno) = seated(house, 2)
    table.begin(anna, bruno)
    match step:
        case "card":
            table.deal("5h Ah 8h 6h")
            return table, anna, table.card("Kh")
        case "double":
            table.deal("5h Ah 8h 6h Kh")
            return table, anna, table.move(anna, "double")
        case "payment":
            table.deal("5h Ah 8h 6h Kh")
            return table, anna, table.move(anna, "stand")
        case "void":
            table.deal("5h Ah 8h 6h Kh")
            table.act(anna, "double")
            return table, anna, table.order(cmd.VoidTableRound, reason="cards misread")
        case _:
            table.deal("5h Ah 8h 6h Kh")
            table.act(anna, "stand")
            table.deal("Th")
            return table, anna, table.order(cmd.SettleTableRound)


@pytest.mark.parametrize(
    ("step", "point"),
    [
        ("card", "after"),
        ("double", "after"),
        ("payment", "before"),
        ("payment", "after"),
        ("void", "after"),
        ("settle", "after"),
    ],
)
def test_bj8_a_server_fault_voids_nothing_the_game_goes_on_from_its_events(
    house: House, step: str, point: str
) -> None:
    """Killed in the save of a step: it is sent again twice and made once; the round is played on.

    Anna has 11 and bruno a Blackjack; the dealer gets 18, and anna 21 where she doubled.
    """
    table, anna, command = under_way(house, step)
    with child(
        "ask", house, [command], f"ledger.store.recorder:BookRecorder.insert_events:{point}"
    ) as service:
        service.until(THERE)
        service.kill()

    with at_house(house.conninfo, house.book) as again:
        assert again.ask(command).to_bytes() == again.ask(command).to_bytes()
        on = BlackjackTable(again, sequence=table.sequence)
        if step == "card":
            on.act(anna, "stand")
        if step == "double":
            on.deal("Tc Th")
        if step in ("card", "payment"):
            on.deal("Th")
        if step in ("card", "double", "payment"):
            on.do(cmd.SettleTableRound)
        bruno = next(s.session for s in on.state.seats if s.session != anna)
        ended = [on.session(session).posta for session in (anna, bruno)]

    won = {"double": 20_00, "void": 0}.get(step, -10_00)
    assert [100_00 + won, 115_00 if step != "void" else 100_00] == ended
    sound(house)


def test_verify_finds_a_card_that_was_changed_by_force(house: House) -> None:
    """A ten that was a six: what follows of the cards is another outcome."""
    table, (anna,) = seated(house, 1)
    table.begin(anna)
    table.deal("Th 9h 8h")
    table.act(anna, "stand")
    table.deal("6c Tc")
    table.do(cmd.SettleTableRound)

    edit(house, "card-dealt", lambda event: event["details"].update(card="2c"))
    house.seal()

    assert {"deals"} == house.checks_that_find()
