"""Reconciliation by workers: each check as a task of its own, and again without a second effect."""

from datetime import timedelta

from tests.workers.history import red
from tests.workers.station import Station
from workers.reconciliation.inside import CHECKS


def test_workers_make_every_check_and_find_what_differs_once(works: Station):
    """A round left open for two days is found by the second of two runs over the queue too."""
    casino = works.casino
    session = casino.sit(casino.player("bea"))
    left = casino.open_round(session, red())
    works.set_time(casino.now + timedelta(days=2))
    works.start()
    for _ in range(2):
        works.send("reconcile_inside")
    works.until(works.is_idle)
    found = casino.rows("SELECT scope, subject, occurrence FROM {book}.p_differences")

    assert [("round", f"round {left}", 1)] == found
    ((made,),) = casino.rows("SELECT count(*) FROM {book}.events WHERE topic = 'difference-found'")
    assert (1, 7) == (made, len(CHECKS))
