"""The benchmarks measure what they say; how fast it is depends on the machine and is not tested."""

import pytest

from ops.benchmarks import throughput
from ops.benchmarks.callers import Callers
from ops.benchmarks.lines import Aim, Line, Spread, as_table, spread
from ops.benchmarks.run import Size, run
from ops.embedded import temporary_cluster

TINY = Size(
    callers=2,
    sessions=2,
    turns=1,
    each=3,
    waits=3,
    table_rounds=1,
    games=1,
    events=60,
    leaves=70_000,
    lines=5,
    hands=5,
    days=(3, 6),
)

DAYS = [
    f"{work} a day of {count} rounds"
    for count in (3, 6)
    for work in ("play", "project", "reconcile", "report")
]
NAMES = [
    "rounds, ours, one command a save",
    "rounds, ours, 25 commands a save",
    "rounds, stock, one command a save",
    "rounds, stock, 25 commands a save",
    "seal",
    "seal beside all writers",
    "read and fold sessions",
    "replay sessions",
    "wait, bare INSERT",
    "wait, ours save",
    "wait, ours command",
    "wait, stock save",
    "wait, stock command",
    "publish as tiles",
    "check published tiles",
    "prove and judge one of 70,000 leaves",
    "rounds of a table, 30 seats of 4 bets, bets in one save",
    "rounds of a table, 30 seats of 4 bets, bets in a save each",
    "games of Blackjack, 7 boxes, each step in its own save",
    "project turnover and RTP",
    "export a package",
    "verify a package",
    *DAYS,
    "quote",
    "perfect play, both tables",
    "name hands of Deuces Wild",
    "value hands of Blackjack",
]


def test_one_run_reports_every_line_with_what_bounds_it(home):
    """Given tiny sizes, when all is measured, then each line has a figure and its reason."""
    lines = run(home.with_name("bench"), TINY)

    assert NAMES == [line.name for line in lines]
    assert [] == [line.name for line in lines if not line.bounded_by or line.reached.middle < 0]
    assert len(NAMES) == as_table(lines).row_count


def test_all_sides_store_the_same_events_for_the_same_rounds(home):
    """Given the same rounds and draws, when each side played them, then its events are as many."""
    with temporary_cluster(home.with_name("sides"), with_broker=False) as conninfo:
        for side in throughput.SIDES:
            side.open(conninfo)
        with Callers(conninfo, throughput.SIDES, callers=2, sessions=2) as callers:
            throughput.measure(callers, turns=1, each=5)
        stored = [side.count(conninfo) for side in throughput.SIDES]

    rounds, least_events_a_round = 2 * 2 * 5, 7
    assert 1 == len(set(stored))
    assert stored[0] > rounds * least_events_a_round


@pytest.mark.parametrize(
    ("aim", "figure", "met"),
    [(Aim(2.5), 2.5, True), (Aim(2.5), 2.4, False), (Aim(4.5, at_most=True), 4.6, False)],
)
def test_an_aim_is_told_as_reached_or_missed(aim, figure, met):
    """Given a figure at or beside its aim, then the line says whether it is reached."""
    line = Line("x", "events/s", spread([figure]), "nothing", aim=aim)

    assert met == line.is_met == line.document()["met"]


def test_an_aim_speaks_of_the_ratio_where_there_is_one():
    """Given a ratio beside a figure, then the ratio is held against the aim."""
    ratio = Spread(3.0, 2.0, 4.0)
    line = Line("x", "rounds/s", Spread(1.0, 1.0, 1.0), "nothing", ratio, "stock", Aim(2.5))

    assert ("3.00 (2.00-4.00) x stock", ">= 2.5 x reached") == line.cells()[2:4]
