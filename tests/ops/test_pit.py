"""What duties do for the seats of a live table: turns that pass, players who do nothing (BJ8)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd
from ledger.domain.money import Currency
from ledger.domain.refusals import Code
from ops.central.local import InstantCentral
from ops.desk import Desk
from ops.pit import disconnect_idle, pass_turn
from ops.vault import Vault
from tests.blackjack_house import BlackjackTable


@pytest.fixture
def table(house):
    """A table of Blackjack where anna has 16 against an 8, and is in turn."""
    table = BlackjackTable(house).open()
    table.anna = table.seat("anna-1")
    table.begin(table.anna)
    table.deal("Th 8h 6d")
    return table


@pytest.fixture
def desk(house, tmp_path):
    """The desk of the timed duties."""
    return Desk(house.service, InstantCentral(list), Vault(tmp_path), "duty", lambda: house.now)


def commands(house):
    """How many commands were answered."""
    return house.rows("SELECT count(*) FROM events WHERE topic = 'command-answered'")[0][0]


def test_a_turn_passes_when_its_time_is_over_and_leaves_nothing_on_record_before(
    house, desk, table
):
    """Asked again and again: after 20 seconds the seat stands, once."""
    before = commands(house)
    assert [Code.NOT_YET_DUE] * 3 == [pass_turn(desk, table.table) for _ in range(3)]
    assert before == commands(house)

    house.later(seconds=20)

    assert pass_turn(desk, table.table) is None
    assert Code.CARD_TO_COME == pass_turn(desk, table.table)
    assert before + 1 == commands(house)
    assert "time" == table.state.round.dealing.steps[-1].passed


def test_a_turn_that_could_not_pass_for_one_reason_passes_for_another(house, desk, table):
    """The player came back as the duty was under way; later the time is over."""
    house.do(cmd.DisconnectSession, session=table.anna, at=house.now)
    decide = desk.service.dry_run

    def and_back(command, now):
        decided = decide(command, now)
        house.do(cmd.ReconnectSession, session=table.anna)
        return decided

    desk.service.dry_run = and_back
    assert Code.NOT_YET_DUE == pass_turn(desk, table.table)
    desk.service.dry_run = decide

    house.later(seconds=20)

    assert pass_turn(desk, table.table) is None


def test_a_table_without_a_deal_has_no_turn(house, desk, table):
    """Between two rounds, and one that there is not."""
    table.do(cmd.VoidTableRound, reason="cards misread")

    assert [Code.NO_TABLE_ROUND] * 2 == [pass_turn(desk, name) for name in (table.table, "b-2")]


def test_who_does_nothing_for_ten_minutes_is_disconnected_and_its_hand_stands(house, desk, table):
    """Ten minutes from the bet; after that the game goes on without the player."""
    house.later(minutes=9, seconds=59)
    assert Code.NOT_YET_DUE == disconnect_idle(desk, table.anna)
    house.later(seconds=1)

    assert disconnect_idle(desk, table.anna) is None

    assert house.now == table.session(table.anna).disconnected_at
    assert pass_turn(desk, table.table) is None
    assert "disconnected" == table.state.round.dealing.steps[-1].passed
    assert disconnect_idle(desk, table.anna) is None
    told = "SELECT count(*) FROM events WHERE topic = 'session-disconnected'"
    assert [(1,)] == house.rows(told)


@pytest.mark.parametrize(("own", "minutes"), [(300, 5), (3_600, 10)])
def test_bj8_a_player_s_own_limit_of_doing_nothing_holds_where_it_is_stricter(
    house, desk, table, own, minutes
):
    """Five minutes of their own come before the sheet's ten; an hour of their own does not."""
    house.do(
        cmd.RequestParticipation,
        session=table.anna,
        player="anna-1",
        sheet="live-blackjack",
        amount=5_00,
        currency=Currency.EUR,
        channel="web",
        limit_idle_seconds=own,
    )
    house.later(minutes=minutes - 1, seconds=59)
    assert Code.NOT_YET_DUE == disconnect_idle(desk, table.anna)
    house.later(seconds=1)

    assert disconnect_idle(desk, table.anna) is None


def test_a_player_who_acts_is_not_idle(house, desk, table):
    """Each bet and each move counts; a session that sits nowhere is nobody's to watch."""
    house.later(minutes=9)
    table.act(table.anna, "hit")
    house.later(minutes=9)
    assert Code.NOT_YET_DUE == disconnect_idle(desk, table.anna)
    assert house.now - timedelta(minutes=9) == table.session(table.anna).since

    house.conto("bruno-2", 100_00)
    alone = house.session("bruno-2", 50_00)
    house.later(hours=1)

    assert Code.NOT_SEATED == disconnect_idle(desk, alone)
