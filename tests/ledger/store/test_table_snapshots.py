"""A live table that stands for months is not read from its first round again (fault S17)."""

from typing import Any

import pytest

from games.blackjack.moves import BlackjackCard, BlackjackCut
from ledger.domain import commands as cmd
from ledger.domain.ids import table_stream
from ledger.store.snapshots import Snapshots
from tests.blackjack_house import BlackjackTable
from tests.house import House, at_house
from tests.pit_house import Pit


def kept(house: House, pit: Pit) -> Any:
    """What the newest usable snapshot of a table holds."""
    stream = table_stream(pit.table)
    return Snapshots(house.store.recorder, house.store.codec).load([stream])[stream]


def restarted(house: House, pit: Pit) -> Any:
    """The table as a process that never saw it reads it."""
    with at_house(house.conninfo, house.book) as other:
        return other.service.state(table_stream(pit.table))


@pytest.fixture
def blackjack(house: House) -> BlackjackTable:
    """A table where one round was dealt and paid: 20 against 18, and a card left the shoe."""
    table = BlackjackTable(house).open()
    seat = table.seat("anna-1")
    table.begin(seat)
    table.deal("Th 9h Tc")
    table.act(seat, "stand")
    table.deal("9c")
    table.do(cmd.SettleTableRound)
    return table


def test_s17_a_tables_snapshot_and_what_came_after_it_give_the_state_of_a_full_replay(
    house: House,
) -> None:
    """Given three rounds of French roulette, one of them after the snapshot."""
    pit = Pit(house).open()
    seat = pit.seat("anna-1")
    for pocket in (1, 2):
        pit.do(cmd.OpenTableRound)
        assert house.ask(pit.bet(seat)).refusal is None
        pit.spin(pocket)
    assert house.service.take_snapshot(table_stream(pit.table))
    pit.do(cmd.OpenTableRound)
    pit.spin(3)

    assert (2, None, 1) == (
        kept(house, pit).state.rounds,
        kept(house, pit).state.round,
        len(kept(house, pit).state.seats),
    )
    assert 3 == restarted(house, pit).rounds
    assert pit.state == restarted(house, pit)


def test_s17_the_shoe_comes_back_card_by_card_in_the_games_own_types(
    house: House, blackjack: BlackjackTable
) -> None:
    """Four cards are gone from the shoe that was cut behind 208."""
    assert house.service.take_snapshot(table_stream(blackjack.table))

    shoe = kept(house, blackjack).state.shoe
    assert BlackjackCut(cards=208) == shoe.shuffle
    assert tuple(BlackjackCard(card=c) for c in ("Th", "9h", "Tc", "9c")) == shoe.gone
    assert blackjack.state == restarted(house, blackjack)


def test_s17_a_table_is_kept_between_two_rounds_alone(
    house: House, blackjack: BlackjackTable
) -> None:
    """Not while bets may lie on it, and not when it is closed for good."""
    stream = table_stream(blackjack.table)
    can_be_kept = [house.service.take_snapshot(stream)]
    blackjack.do(cmd.OpenTableRound)
    can_be_kept.append(house.service.take_snapshot(stream))
    blackjack.do(cmd.VoidTableRound, reason="no bets", refund="at-once")
    (seat,) = blackjack.state.seats
    house.do(cmd.CloseSession, session=seat.session)
    blackjack.do(cmd.CloseTable, chief="maria")
    can_be_kept.append(house.service.take_snapshot(stream))

    assert [True, False, False] == can_be_kept


def test_g5_a_card_put_back_into_the_shoe_by_force_is_found(
    house: House, blackjack: BlackjackTable
) -> None:
    """Given a snapshot in which the dealer's nine never left the shoe, its checksum made right."""
    stream = table_stream(blackjack.table)
    house.seal()
    assert house.service.take_snapshot(stream)
    assert () == house.verify()
    card = ',{"type":"blackjack-card","card":"9c"}]'
    with house.as_superuser() as connection:
        for change, values in (
            ("state = convert_to(replace(convert_from(state, 'UTF8'), %s, ']'), 'UTF8')", (card,)),
            ("checksum = sha256(state)", ()),
        ):
            connection.execute(f"UPDATE snapshots SET {change}", values)

    assert 3 == len(restarted(house, blackjack).shoe.gone)
    (found,) = house.verify()
    assert ("snapshots", "the events give another state") == (found.check, found.found)
