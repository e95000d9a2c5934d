"""Returns of a live table by outcome: the bets of all seats together, worked by hand (FR1).

Anna, on the web, bets 5.00 on red, and bruno, on his mobile, 20.00 on black. Zero imprisons both;
she withdraws 2.50, he leaves his stake through another zero, a win and a win that frees it.
"""

from dataclasses import replace
from uuid import UUID

import pytest

from ledger.domain import commands as cmd
from tests.french_pit import on, read
from tests.french_table import FRENCH
from tests.workers.history import Casino
from tests.workers.test_live_tables import bet, spin
from workers.days import Days, day_of
from workers.log import connected, transaction
from workers.monitoring.standing import returns
from workers.project import project_all
from workers.projections import histories, rebuild as again, rtp
from workers.projections.base import step
from workers.projections.rebuild import rebuild

SHEET = "french-roulette"
ROWS = (
    "SELECT level, channel, outcomes, rounds, turnover, returned, expectation::int8,"
    " variance::int8 FROM {book}.p_table_returns ORDER BY level, channel"
)
FIRST = (
    37 * (18 * (1_000**2 + 4_000**2) + 1_250**2) - 91_250**2,
    37 * (18 * 1_000**2 + 250**2) - 18_250**2,
    37 * (18 * 4_000**2 + 1_000**2) - 73_000**2,
)
"""The variance of the first spin, in squares of 37: of both, of hers, of his.

Red brings her 10.00 and black him 40.00, zero 2.50 and 10.00 by their worth. What one wins the
other loses: both together vary by less than each of them added up.
"""
PRISON = (
    37 * (36 * 1_000**2 + 500**2) - 500**2,
    37 * (36 * 500**2 + 250**2) - 250**2,
    37 * (36 * 1_000**2 + 500**2) - 500**2,
)
"""Of his three spins in prison, at levels 1, 2 and 1: worth 10.00, 5.00 and 10.00 of 20.00."""
HERS = ("up-to-5", "web")
HIS = ("up-to-25", "mobile")


@pytest.fixture
def evening(casino):
    """The table's evening, sealed and projected."""
    casino.send(
        cmd.PublishSheet, sheet=SHEET, sheet_version=1, in_force_from=casino.now, text=FRENCH
    )
    casino.send(cmd.OpenTable, table="roulette-1", sheet=SHEET, seats_max=3, chief="maria")
    anna = casino.sit(casino.player("anna"), 10_000, sheet=SHEET)
    bruno = casino.sit(casino.player("bruno"), 10_000, sheet=SHEET, channel="mobile")
    for session in (anna, bruno):
        casino.send(cmd.TakeSeat, session=session, table="roulette-1")
    casino.send(cmd.OpenTableRound, table="roulette-1")
    hers = bet(casino, anna, on("red", 500))
    bet(casino, bruno, on("black", 2_000))
    spin(casino, "roulette-1", 0)
    withdraw(casino, anna, hers)
    for pocket in (0, 4, 2):
        casino.send(cmd.OpenTableRound, table="roulette-1")
        spin(casino, "roulette-1", pocket)
    casino.seal()
    project_all(casino.ports)
    return casino


def withdraw(casino: Casino, session: UUID, round_id: UUID) -> None:
    """Take what the round's only prisoner is worth."""
    move = read({"prison": [{"bet": 1, "choice": "withdraw"}]})
    casino.send(cmd.ContinueRound, session=session, round=round_id, move=move)


def test_bets_of_all_seats_have_one_variance_and_each_level_and_channel_its_own(evening):
    """She gets 2.50 of 5.00 and he 20.00 of 20.00; in prison each spin expects a loss of worth."""
    spent = (500, 250, 500)
    his = (4, 1, 2_000, 2_000, 73_000 - sum(spent), FIRST[2] + sum(PRISON))
    hers = (1, 1, 500, 250, 18_250, FIRST[1])

    assert [
        ("", "", 4, 2, 2_500, 2_250, 91_250 - 1_250, FIRST[0] + sum(PRISON)),
        ("", HIS[1], *his),
        ("", HERS[1], *hers),
        (HIS[0], "", *his),
        (HERS[0], "", *hers),
    ] == evening.rows(ROWS)
    assert FIRST[0] < FIRST[1] + FIRST[2]


def test_z_is_of_what_spins_brought_beside_their_own_expectations(evening):
    """(2250 - 90 000/37) / √(6 070 500 000/37²): four draws, for four pockets decided it all."""
    days = Days(day_of(evening.now), day_of(evening.now))
    with connected(evening.ports, "reader") as link, transaction(link, frozen=True) as cursor:
        (found,) = returns(cursor, evening.ports, days).values()
        by_level = returns(cursor, evening.ports, days, "level")

    assert pytest.approx((2_250 - 90_000 / 37) / (6_070_500_000**0.5 / 37)) == found.z
    assert (4, 2, "few-rounds") == (found.draws, found.rounds, found.state)
    key = (SHEET, 1, "EUR")
    assert [(*key, HIS[0]), (*key, HERS[0])] == list(by_level)
    assert [2_000, 250] == [stands.returned for stands in by_level.values()]


@pytest.mark.parametrize(("part", "recent"), [(3, 1), (200_000, 200)])
def test_g6_outcomes_are_counted_once_however_the_log_is_cut(evening, part, recent, monkeypatch):
    """Given a log cut in the midst of saves, by batches and by parts, then the same rows.

    So are they where a round began before what is read of its session first.
    """
    monkeypatch.setattr(again, "PART", part)
    monkeypatch.setattr(histories, "RECENT", recent)
    before = evening.rows(ROWS)
    rebuild(evening.ports, "rtp")
    assert before == evening.rows(ROWS)
    narrow = replace(rtp.PROJECTION, batch=2)
    with evening.connect("worker") as connection:
        connection.execute(f"DELETE FROM {evening.book}.p_projections WHERE name = 'rtp'")
        for table in narrow.tables:
            connection.execute(f"DELETE FROM {evening.book}.{table.name}_rows")
        while step(evening.ports, narrow, connection).lag:
            pass

    assert before == evening.rows(ROWS)
