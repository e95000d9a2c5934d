"""What projections fold of held wins and double-ups, from an evening worked by hand (C4)."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.domain import commands as cmd
from ops import migrate
from tests.workers.evening import LOWER, Evening, evening_at
from tests.workers.history import DEUCES, OTHERS, TO_BEAT, Casino, red
from workers.log import connected, sql
from workers.metrics import registry_for_scrape
from workers.project import project_all
from workers.projections import turnover
from workers.projections.base import step
from workers.projections.rebuild import rebuild, start, swap
from workers.projections.registry import PROJECTIONS

TABLES = ("p_turnover", "p_rounds", "p_sessions", "p_double_ups", "p_journal", "p_balances")
APART = "double_ups, double_ups_staked, double_ups_returned"


@pytest.fixture
def evening(casino: Casino) -> Evening:
    """The evening, folded."""
    played = evening_at(casino)
    project_all(casino.ports)
    return played


@pytest.fixture(scope="module")
def told(database: str, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """The same evening, for tests that only read."""
    folder: Path = tmp_path_factory.mktemp("evening")
    played = evening_at(Casino(database, folder, book=f"e{uuid4().hex[:8]}"))
    project_all(played.casino.ports)
    return played


def everything(casino: Casino) -> dict[str, list[tuple]]:
    """All rows that readers see, without their generation."""
    return {t: sorted(map(repr, (r[1:] for r in casino.rows(f"SELECT * FROM {{book}}.{t}"))))
            for t in TABLES}  # fmt: skip


def test_c4_turnover_shows_double_ups_beside_the_base_game_by_number_of_coins(told: Evening):
    """Double-ups staked 1.25 + 1.25 + 2.50 for 2.50 + 1.25, and 1.50 for 3.00."""
    rows = told.casino.rows(
        "SELECT day, sheet, bet_kind, level, rounds, bets, turnover, winnings, stake_returned,"
        f" void_rounds, void_refunded, {APART} FROM {{book}}.p_turnover ORDER BY bet_kind"
    )

    day = (date(2026, 11, 30), DEUCES)
    assert [
        (*day, "", "up-to-5", 0, 0, 0, 0, 0, 1, 125, 0, 0, 0),
        (*day, "1-coin", "up-to-1", 1, 1, 100, 200, 100, 0, 0, 1, 150, 300),
        (*day, "2-coins", "up-to-1", 1, 1, 100, 0, 0, 0, 0, 0, 0, 0),
        (*day, "5-coins", "up-to-5", 1, 1, 125, 0, 125, 0, 0, 3, 500, 375),
    ] == rows


def test_c4_a_round_tells_its_double_ups_apart(told: Evening):
    """The figures of the base game do not know of them; the round in play tells none yet."""
    rows = told.casino.rows(
        f"SELECT round, staked, winnings, stake_returned, {APART}, shown, settled"
        " FROM {book}.p_rounds WHERE double_ups > 0 OR ended_at IS NULL ORDER BY staked, settled"
    )

    three = "3c 3d 3h 5s 7c three-of-a-kind"
    assert [
        (told.collected, 100, 200, 100, 1, 150, 300, "3s 6s 9s Js Ks flush", True),
        (told.open, 125, 0, 0, 0, 0, 0, three, False),
        (told.lost, 125, 0, 125, 3, 500, 375, three, True),
    ] == rows


def test_each_double_up_stands_in_the_history_as_a_bet_of_its_own(told: Evening):
    """Which one, half or all, at risk, kept, how it ended, and what returned."""
    rows = told.casino.rows(
        "SELECT round, number, half, at_risk, kept, outcome, returned, resolved_at IS NULL"
        " FROM {book}.p_double_ups ORDER BY at_risk, number"
    )

    assert [
        (told.open, 1, True, 62, 63, None, None, True),
        (told.lost, 1, False, 125, 0, "won", 250, False),
        (told.lost, 2, True, 125, 125, "pushed", 125, False),
        (told.collected, 1, True, 150, 150, "won", 300, False),
        (told.lost, 3, False, 250, 0, "lost", 0, False),
    ] == rows


def test_the_history_of_a_double_up_tells_the_cards_that_were_drawn_for_it(told: Evening):
    """The card to beat, then the four with the pick; of the one in play the card to beat alone."""
    rows = told.casino.rows(
        "SELECT number, draws FROM {book}.p_double_ups WHERE round IN (%s, %s) ORDER BY at_risk",
        told.open,
        told.collected,
    )

    shown = {"type": "deuces-shown", "card": TO_BEAT}
    four = {"type": "deuces-four", "cards": ["As", *OTHERS], "picked": 1}
    assert [(1, [shown]), (1, [shown, four])] == rows


def test_g1_a_held_win_and_what_is_at_risk_are_balances_of_the_player(told: Evening):
    """Of 1.25 half of it, 0.62, is at stake and 0.63 held; the bank is down by 1.25."""
    rows = told.casino.rows("SELECT account, balance FROM {book}.p_balances")
    kinds = {account.rpartition(":")[2]: balance for account, balance in rows}

    assert {
        "payments": -100_000, "conto": 90_000, "right": 0, "posta": 10_000, "stakes": 62,
        "win": 63, "bank": -125,
    } == kinds  # fmt: skip
    assert sum(kinds.values()) == 0


def test_g1_the_journal_shows_the_way_of_a_win_from_the_bank_to_the_posta(told: Evening):
    """The flush: 1.00 and 2.00 held, half at stake, it and as much again back, 4.50 collected."""
    rows = told.casino.rows(
        "SELECT event, split_part(source, ':', 3), split_part(target, ':', 3), amount,"
        " CASE WHEN source LIKE '%%:win' THEN source_after ELSE target_after END"
        " FROM {book}.p_journal WHERE round = %s AND event <> 'bet-placed'"
        " ORDER BY position, line",
        told.collected,
    )

    assert [
        ("win-held", "stakes", "win", 100, 100),
        ("win-held", "bank", "win", 200, 300),
        ("double-up-staked", "win", "stakes", 150, 150),
        ("double-up-resolved", "stakes", "win", 150, 300),
        ("double-up-resolved", "bank", "win", 150, 450),
        ("win-collected", "win", "posta", 450, 0),
    ] == rows


def test_c4_metrics_tell_double_ups_by_sheet_apart_from_the_return_of_the_base_game(told: Evening):
    """Hands brought 4.25 of 3.25, whatever double-ups staked and returned; a held win is a win."""
    registry = registry_for_scrape(told.casino.folder, lambda: told.casino.ports)
    labels = {"sheet": DEUCES, "version": "1", "account": "", "currency": "EUR"}
    expected = {
        "rounds_total": 3, "bets_total": 3, "turnover_total": 3.25, "winnings_total": 2.00,
        "stakes_returned_total": 2.25, "refunded_total": 1.25, "void_rounds_total": 1,
        "double_ups_total": 4, "double_ups_staked_total": 6.50, "double_ups_returned_total": 6.75,
        "rtp": pytest.approx(17 / 13),
    }  # fmt: skip

    page = {name: registry.get_sample_value(f"contoposta_{name}", labels) for name in expected}
    assert expected == page


def test_a_closed_session_adds_up_with_its_double_ups(evening: Evening):
    """The last one is lost and 0.63 is collected; 100.00 came, 100.63 went."""
    casino = evening.casino
    casino.pick(evening.session, evening.open, LOWER)
    casino.send(cmd.CloseSession, session=evening.session)
    casino.seal()
    project_all(casino.ports)

    ((came, went, bet, won, count, staked, returned),) = casino.rows(
        f"SELECT posta_in, posta_out, bet, won, {APART} FROM {{book}}.p_sessions"
    )
    assert (10_000, 10_063, 450, 550, 5, 712, 675) == (
        came, went, bet, won, count, staked, returned,
    )  # fmt: skip
    assert came - went == bet - won + staked - returned


def test_rows_from_before_double_ups_are_read_until_they_are_rebuilt(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Given a book that was migrated and folded before, then readers never miss its turnover."""
    before = [m for m in migrate.migrations() if m.name < "0003"]
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "migrations", lambda: tuple(before))
        casino = Casino(database, tmp_path)
    casino.play(casino.sit(casino.player("anna")), 0, red("1.00"))
    size = casino.seal()
    with casino.connect("worker") as connection:
        for row in (_FOLDED, _OLD_ROW):
            connection.execute(sql(row, casino.book), {"size": size})
    migrate.migrate(database, casino.book)
    read = f"SELECT bet_kind, rounds, turnover, {APART} FROM {{book}}.p_turnover"

    assert [("", 1, 100, 0, 0, 0)] == casino.rows(read)
    project_all(casino.ports)
    assert [("", 1, 100, 0, 0, 0)] == casino.rows(read)
    assert [(2, turnover.PROJECTION.version)] == casino.rows(
        "SELECT generation, version FROM {book}.p_projections WHERE name = 'turnover'"
    )


_FOLDED = "INSERT INTO {book}.p_projections VALUES ('turnover', 1, 1, %(size)s, true)"
_OLD_ROW = """
INSERT INTO {book}.p_turnover_rows VALUES (1, '2026-11-30', 'roulette', 'european-roulette-classic',
    1, 'up-to-1', 'web', 'EUR', 1, 1, 100, 0, 0, 0, 0, 0, 0)
"""


def test_folding_double_ups_event_by_event_and_again_gives_the_same_rows(evening: Evening):
    """Batches may be cut between a stake, its cards and its end; a rebuild equals them."""
    casino = evening.casino
    at_once = everything(casino)
    for projection in PROJECTIONS:
        generation = start(casino.ports, projection.name).generation
        with connected(casino.ports) as connection:
            small = replace(projection, batch=1)
            while step(casino.ports, small, connection, generation).lag:
                pass
            swap(connection, casino.ports, projection, generation)
    assert at_once == everything(casino)
    for projection in PROJECTIONS:
        rebuild(casino.ports, projection.name)
    assert at_once == everything(casino)
