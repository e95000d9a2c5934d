"""What projections fold, from rounds whose figures are worked by hand."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import psycopg
import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import conto_stream
from ledger.domain.money import Currency
from ops.migrate import migrate
from tests.workers.history import CLASSIC, CODEC, MORNING, Casino, red, straight, uid
from workers.log import connected, sql
from workers.project import project, project_all, standing
from workers.projections.base import Outdated, step
from workers.projections.rebuild import rebuild, start, swap
from workers.projections.registry import PROJECTIONS

TABLES = tuple(table.name for projection in PROJECTIONS for table in projection.tables)


def everything(casino: Casino) -> dict[str, list[tuple]]:
    """All rows that readers see, without their generation."""
    return {t: sorted(map(repr, (r[1:] for r in casino.rows(f"SELECT * FROM {{book}}.{t}"))))
            for t in TABLES}  # fmt: skip


INSERT = (
    "INSERT INTO {book}.events (originator_id, originator_version, topic, state, ord)"
    " VALUES (%s, %s, %s, %s, 0)"
)


def deposit(player: str, amount: int) -> tuple:
    """The row of a deposit, as the store would write it."""
    header = ev.Header(recorded=MORNING, played=None, command=uid("late"), actor="test")
    event = ev.FundsDeposited(
        player=player, amount=amount, currency=Currency.EUR, reference="pay-2", channel="card"
    )
    row = CODEC.encode(ev.make_entry(conto_stream(player), 1, header, event))
    return row.originator_id, row.originator_version, row.topic, row.state


@pytest.fixture
def evening(casino: Casino) -> Casino:
    """Anna wins 35.00 on 17 and loses 5.00 on red, loses 6.00 on zero; a void round; one open."""
    casino.player("anna")
    session = casino.sit("anna")
    casino.play(session, 17, straight(17), red("5.00"))
    casino.play(session, 0, straight(17), red("5.00"))
    casino.void(session, casino.open_round(session, red("1.00")))
    casino.send(
        cmd.GrantBonus, session=session, amount=700, currency=Currency.EUR, reason="welcome"
    )
    casino.open_round(session, red("2.00"))
    casino.seal()
    project_all(casino.ports)
    return casino


def test_g1_the_journal_shows_each_balance_before_and_after(evening):
    """The first round's payout: the stake comes back, then the bank pays 35.00 from nothing."""
    rows = evening.rows(
        "SELECT split_part(source, ':', 3), split_part(target, ':', 3), amount, source_before,"
        " source_after, target_before, target_after FROM {book}.p_journal"
        " WHERE event = 'payout-credited' ORDER BY position, line"
    )

    assert [
        ("stakes", "posta", 100, 600, 500, 9400, 9500),
        ("bank", "posta", 3500, 0, -3500, 9500, 13000),
    ] == rows


def test_g1_balances_sum_to_zero_and_are_where_the_money_is(evening):
    """Conto 900.00, posta 129.00, stakes 2.00; the bank is down 24.00 and the house 7.00."""
    rows = evening.rows("SELECT account, balance FROM {book}.p_balances")
    kinds = {account.rpartition(":")[2]: balance for account, balance in rows}

    assert {
        "payments": -100_000, "conto": 90_000, "right": 0, "posta": 12_900, "stakes": 200,
        "bank": -2_400, "bonus": -700,
    } == kinds  # fmt: skip
    assert sum(kinds.values()) == 0


def test_g1_every_line_goes_on_from_the_last_one_of_its_account(evening):
    """Each account's balance before a line is its balance after the line that came before."""
    last: Counter[str] = Counter()
    lines = evening.rows(
        "SELECT source, target, source_before, source_after, target_before, target_after"
        " FROM {book}.p_journal ORDER BY position, line"
    )
    for source, target, *balances in lines:
        assert [last[source], last[target]] == [balances[0], balances[2]]
        last[source], last[target] = balances[1], balances[3]
    assert dict(last) == dict(evening.rows("SELECT account, balance FROM {book}.p_balances"))


def test_c4_turnover_leaves_void_rounds_out_and_shows_them_apart(evening):
    """Two rounds of 6.00 were settled; the void one of 1.00 and the open one are no turnover."""
    rows = evening.rows(
        "SELECT day, sheet, level, channel, rounds, bets, turnover, winnings, stake_returned,"
        " refunded, void_rounds, void_bets, void_refunded FROM {book}.p_turnover ORDER BY level"
    )

    day = (date(2026, 11, 30), CLASSIC)
    assert [
        (*day, "up-to-1", "web", 0, 0, 0, 0, 0, 0, 1, 1, 100),
        (*day, "up-to-25", "web", 2, 4, 1200, 3500, 100, 0, 0, 0, 0),
    ] == rows


def test_bonuses_are_apart(evening):
    """The house gave 7.00 on that sheet."""
    rows = evening.rows("SELECT day, sheet, channel, bonuses, amount FROM {book}.p_bonuses")

    assert [(date(2026, 11, 30), CLASSIC, "web", 1, 700)] == rows


def test_a_session_shows_its_funding_and_its_play(evening):
    """Bet 12.00, won 36.00, refunded 1.00 in two rounds and a void one."""
    rows = evening.rows(
        "SELECT state, player, funded_initial, funded_bonus, posta_in, posta_out, rounds, bet, won,"
        " refunded, void_rounds, right_id, due_at FROM {book}.p_sessions"
    )

    expected = ("open", "anna", 10_000, 700, 10_700, 0, 2, 1200, 3600, 100, 1, None, None)
    assert [expected] == rows


def test_a_closed_session_adds_up(evening):
    """What came in less what went out is what was bet less what was won."""
    ((session, round_id),) = evening.rows(
        "SELECT session, round FROM {book}.p_rounds WHERE ended_at IS NULL"
    )
    evening.void(session, round_id)
    evening.send(cmd.CloseSession, session=session)
    evening.seal()
    project_all(evening.ports)

    ((state, reason, came, went, bet, won),) = evening.rows(
        "SELECT state, reason, posta_in, posta_out, bet, won FROM {book}.p_sessions"
    )
    assert ("closed", "player", 13_100) == (state, reason, went)
    assert came - went == bet - won


def test_a_right_that_waits_and_a_player_who_is_away_are_seen(casino):
    """The pending right is 50.00; the session of the other is due 20 minutes later."""
    casino.player("anna")
    casino.player("bruno")
    pending = casino.request(uid("waiting"), "anna", 5_000)
    away = casino.sit("bruno")
    casino.disconnect(away)
    casino.seal()
    project_all(casino.ports)

    rows = casino.rows(
        "SELECT player, state, right_id, right_amount, right_since, due_at FROM {book}.p_sessions"
        " ORDER BY player"
    )
    assert [
        ("anna", "pending", pending, 5_000, MORNING, None),
        ("bruno", "open", None, None, None, MORNING + timedelta(minutes=20)),
    ] == rows


def test_rounds_tell_what_was_shown_staked_and_brought(evening):
    """One round each: won, lost, void with its reason, and still in play."""
    rows = evening.rows(
        "SELECT bets, staked, winnings, stake_returned, refunded, settled, void_reason, shown,"
        " ended_at IS NULL FROM {book}.p_rounds ORDER BY staked, void_reason, shown"
    )

    assert [
        (1, 100, 0, 0, 100, False, "the wheel stopped", None, False),
        (1, 200, 0, 0, 0, False, None, None, True),
        (2, 600, 0, 0, 0, True, None, "0", False),
        (2, 600, 3500, 100, 0, True, None, "17", False),
    ] == rows


def test_g6_nothing_is_folded_that_is_not_sealed(evening):
    """A round that was played after the checkpoint is in no projection."""
    before = everything(evening)
    session = evening.sit(evening.player("bruno"))
    evening.play(session, 1, red("5.00"))
    project_all(evening.ports)

    assert before == everything(evening)


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda p: p.name)
def test_folding_event_by_event_equals_folding_at_once(evening, projection):
    """Batches may be cut anywhere, in the middle of a save too."""
    at_once = everything(evening)
    generation = start(evening.ports, projection.name).generation
    small = replace(projection, batch=1)
    with connected(evening.ports) as connection:
        while step(evening.ports, small, connection, generation).lag:
            pass
        swap(connection, evening.ports, projection, generation)

    assert at_once == everything(evening)


@pytest.mark.parametrize("projection", [p.name for p in PROJECTIONS])
def test_a_rebuild_equals_what_was_folded_as_it_came(evening, projection):
    """Its rows are all of a new generation, and the old one is gone."""
    before = everything(evening)
    size = rebuild(evening.ports, projection)

    assert before == everything(evening)
    assert [(2, size, True)] == evening.rows(
        "SELECT generation, position, live FROM {book}.p_projections WHERE name = %s", projection
    )


def test_two_workers_at_once_fold_nothing_twice(evening):
    """Eight threads race over new rounds; the sums are those of one."""
    session = evening.sit(evening.player("bruno"))
    for _ in range(20):
        evening.play(session, 0, red("1.00"))
    evening.seal()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: project(evening.ports, PROJECTIONS[n % 5].name, 9), range(40)))
    project_all(evening.ports)
    raced = everything(evening)
    for projection in PROJECTIONS:
        rebuild(evening.ports, projection.name)

    assert raced == everything(evening)
    assert [(2,), (20,)] == evening.rows("SELECT rounds FROM {book}.p_sessions ORDER BY rounds")


def test_s16_an_event_that_becomes_visible_late_is_folded_all_the_same(casino):
    """A deposit takes its place in the order first and is committed last; nobody passes it."""
    casino.player("anna")
    session = casino.sit("anna")
    casino.seal()
    project_all(casino.ports)
    with casino.connect("writer") as slow, slow.transaction():
        slow.execute(sql(INSERT, casino.book), deposit("carla", 777))
        casino.play(session, 0, red("1.00"))
        casino.seal()
        project_all(casino.ports)

        assert [] == casino.rows("SELECT * FROM {book}.p_turnover")
    casino.seal()
    project_all(casino.ports)

    assert [(1, 100)] == casino.rows("SELECT rounds, turnover FROM {book}.p_turnover")
    assert [(777,)] == casino.rows(
        "SELECT balance FROM {book}.p_balances WHERE account = 'player:carla:conto'"
    )
    folded = everything(casino)
    for projection in PROJECTIONS:
        rebuild(casino.ports, projection.name)
    assert folded == everything(casino)


def test_rows_of_an_older_version_are_rebuilt_and_of_a_newer_one_left_alone(evening):
    """The position says which version of the code folded it."""
    before = everything(evening)
    change = "UPDATE {book}.p_projections SET version = %s WHERE name = 'turnover'"
    with evening.connect("worker") as connection:
        connection.execute(sql(change, evening.book), (0,))
    project_all(evening.ports)

    assert before == everything(evening)
    with evening.connect("worker") as connection:
        connection.execute(sql(change, evening.book), (99,))
    with pytest.raises(Outdated):
        project(evening.ports, "turnover", 1)


def test_standing_tells_how_far_each_projection_is(evening):
    """All are at the size of the newest checkpoint."""
    ((size,),) = evening.rows("SELECT max(size) FROM {book}.checkpoints")

    assert {p.name: (size, 0) for p in PROJECTIONS} == {
        name: (p.position, p.lag) for name, p in standing(evening.ports).items() if p
    }


def test_an_auditor_cannot_change_a_projection_and_a_worker_cannot_change_a_report(evening):
    """Readers read; the register of reports is only ever added to."""
    with (
        evening.connect("reader") as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(sql("DELETE FROM {book}.p_turnover_rows", evening.book))
    with (
        evening.connect("worker") as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(sql("DELETE FROM {book}.p_reports", evening.book))


def test_migrations_may_run_again(evening):
    """The projections' tables are made once."""
    assert () == migrate(evening.conninfo, evening.book)
