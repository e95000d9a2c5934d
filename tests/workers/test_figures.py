"""What a scrape reads of the book: lags that nobody needs to report, so that they outlive all."""

from tests.workers.history import Casino, red
from tests.workers.station import station
from workers.metrics import registry_for_scrape
from workers.project import project

LAG = "contoposta_projection_lag_events"


def told(casino: Casino, name: str, **labels: str) -> float | None:
    """A sample of a page on which no process shares what it counted."""
    registry = registry_for_scrape(casino.folder, lambda: casino.ports)
    return registry.get_sample_value(name, labels)


def waiting(casino: Casino) -> int:
    """How many events have no position, counted by comparing the tables."""
    ((count,),) = casino.rows(
        "SELECT (SELECT count(*) FROM {book}.events) - (SELECT count(*) FROM {book}.sealed)"
    )
    return count


def test_lags_grow_on_the_page_when_the_worker_that_sealed_and_folded_is_dead(casino):
    """Given a worker that did both and was killed, when play goes on, then the page tells it."""
    session = casino.sit(casino.player("anna"))
    with station(casino) as works:
        worker = works.start()
        works.send("seal")
        works.until(lambda: waiting(casino) == 0 and works.is_idle())
        works.send("project", "rounds")
        works.until(lambda: told(casino, LAG, projection="rounds") == 0)
        works.kill(worker, whole=True)
    ((sealed,),) = casino.rows("SELECT max(size) FROM {book}.checkpoints")
    assert 0.0 == told(casino, "contoposta_seal_lag_events")
    assert 0.0 == told(casino, "contoposta_seal_lag_seconds")

    casino.play(session, 17, red("5.00"))
    casino.wait(seconds=90)
    casino.play(session, 17, red("5.00"))
    casino.wait(seconds=30)

    assert 0 < waiting(casino) == told(casino, "contoposta_seal_lag_events")
    assert 120.0 == told(casino, "contoposta_seal_lag_seconds")
    assert float(sealed) == told(casino, "contoposta_checkpoint_events")

    grown = casino.seal()
    assert 0.0 == told(casino, "contoposta_seal_lag_seconds")
    assert float(sealed + grown) == told(casino, "contoposta_checkpoint_events")
    assert float(sealed) == told(casino, "contoposta_projected_events", projection="rounds")
    assert float(grown) == told(casino, LAG, projection="rounds")


def test_a_projection_that_nobody_began_lags_by_the_whole_book(casino):
    """Given a sealed book, when one projection is folded, then the others lag by all events."""
    size = casino.seal()
    project(casino.ports, "journal", 1)

    assert (0.0, float(size)) == tuple(
        told(casino, LAG, projection=name) for name in ("journal", "turnover")
    )


def test_a_book_that_is_not_there_is_told_as_a_database_that_does_not_answer(casino):
    """Given a database without the book, then the page is served and says so."""
    casino.book = "never_migrated"

    assert 0.0 == told(casino, "contoposta_up", part="database")
    assert None is told(casino, "contoposta_seal_lag_events")
