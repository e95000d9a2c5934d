"""Records that are due are released by themselves: in order, once, and none past a block (0043)."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.workers.history import Casino, red
from tests.workers.station import Station
from tests.workers.two_days import PROFILE, order
from workers.days import bounds
from workers.log import alone
from workers.metrics import registry_for_scrape
from workers.ports import Ports
from workers.regulators.authority import Period
from workers.regulators.due import lacking, register, release_due, work_of
from workers.regulators.profiles import ProfileError
from workers.regulators.registry import named
from workers.regulators.release import Written, release

WEDNESDAY_MORNING = datetime(2026, 12, 2, 8, tzinfo=UTC)


def ports(casino: Casino, profile: bytes = PROFILE) -> Ports:
    """The ports of a casino that tells the authorities of a document."""
    path = casino.folder / "authorities.json"
    path.write_bytes(profile)
    return replace(casino.ports, authorities=path)


@pytest.fixture
def played(casino: Casino) -> Casino:
    """Anna bet and went on Monday, the last of November; now it is Wednesday morning."""
    session = casino.sit(casino.player("anna"))
    casino.play(session, 17, red("5.00"))
    casino.seal()
    casino.now = WEDNESDAY_MORNING
    return casino


def only(code: str, **more: object) -> bytes:
    """The document with one authority, whose entry is changed."""
    return json.dumps({code: {**json.loads(PROFILE)[code], **more}}).encode()


def periods(casino: Casino) -> list[tuple]:
    """What the register has, in the order of each authority's sequence."""
    return casino.rows(
        "SELECT authority, sequence, period, edition FROM {book}.p_releases ORDER BY 1, 2"
    )


def test_what_is_due_is_released_in_order_and_once(played):
    """Given two days and a month that are over, then each is released, the day before its month.

    A day of the Netherlands is one of UTC, whose end Rome's Tuesday covers for Monday alone. A
    second run finds nothing to do.
    """
    assert [{"released": 4}, {}] == [release_due(ports(played)) for _ in range(2)]
    assert [
        ("es", 1, "2026-11-30", 1),
        ("es", 2, "2026-11", 1),
        ("es", 3, "2026-12-01", 1),
        ("nl", 1, "2026-11-30", 1),
    ] == periods(played)
    names = {path.name for path in (played.ports.reports / "nl").iterdir()}
    assert {"nl-2026-11-30.zip", "nl-2026-11-30.manifest.xml"} == names


def test_an_authority_whose_records_were_released_before_goes_on_from_there(played):
    """Given Tuesday released by hand, then Monday is never told, and Wednesday comes next."""
    made = order(played, "es", "day", date(2026, 12, 1), folder=played.ports.reports / "es")
    assert isinstance(release(ports(played), named("es"), made), Written)
    played.now += timedelta(days=1)

    assert ["2026-11", "2026-12-02"] == [p.name for p in lacking(played.ports, named("es"))]


CHANGES = {
    "23 hours": (datetime(2026, 3, 28, 9, tzinfo=UTC), date(2026, 3, 29), 23),
    "25 hours": (datetime(2026, 10, 24, 9, tzinfo=UTC), date(2026, 10, 25), 25),
}


@pytest.mark.parametrize(("began", "day", "hours"), CHANGES.values(), ids=CHANGES)
def test_a_day_on_which_clocks_change_is_due_five_minutes_after_its_end(
    database, tmp_path, began, day, hours
):
    """Given a book from the day before, then that day lacks from 00:05 of the next on."""
    casino = Casino(database, tmp_path, began)
    casino.seal()
    casino.now = bounds(day)[1] + timedelta(minutes=5)
    due = [Period("day", d, "Europe/Madrid") for d in (day - timedelta(days=1), day)]

    assert due == list(lacking(casino.ports, named("es")))
    assert timedelta(hours=hours) == due[1].ends - due[1].begins
    casino.now -= timedelta(microseconds=1)
    assert due[:1] == list(lacking(casino.ports, named("es")))


def test_a_block_is_on_record_once_and_keeps_later_periods_waiting(played):
    """Given a means of payment that the profile lacks, then the day blocks what comes after it.

    With the profile mended all is released, and the page of metrics tells both.
    """
    wrong = ports(played, only("es", means={}))

    assert [{"blocked": 1}] * 2 == [release_due(wrong) for _ in range(2)]
    (line,) = register(played.ports)
    assert ("es", "2026-11-30", None, "means-of-payment") == (
        line.authority,
        line.period,
        line.edition,
        line.told[0]["check"],
    )
    assert [1.0, 0.0] == [told(played, code) for code in ("es", "nl")]
    assert {"released": 3} == release_due(ports(played, only("es")))
    assert 0.0 == told(played, "es")


def told(casino: Casino, code: str) -> float | None:
    """How many periods of an authority a scrape says to be blocked."""
    page = registry_for_scrape(casino.folder, lambda: casino.ports)
    return page.get_sample_value("contoposta_records_blocked", {"authority": code})


def test_files_that_were_written_before_a_crash_are_released_with_the_same_bytes(
    played, monkeypatch
):
    """Given a run that was killed between its files and the register, then the next one ends it."""
    with monkeypatch.context() as cut:
        cut.setattr("workers.regulators.release._row", _killed)
        with pytest.raises(KeyboardInterrupt):
            release_due(ports(played, only("nl")))
    folder = played.ports.reports / "nl"
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert (2, []) == (len(written), periods(played))

    assert {"released": 1} == release_due(ports(played, only("nl")))
    assert written == {path.name: path.read_bytes() for path in folder.iterdir()}
    assert [("nl", 1, "2026-11-30", 1)] == periods(played)


def _killed(*_: object) -> tuple:
    raise KeyboardInterrupt


def test_what_another_worker_releases_is_left_to_it(played):
    """Given one that is at an authority, then another neither waits nor releases the same again."""
    told = ports(played)
    with played.connect("worker") as connection, alone(connection, told, work_of(named("es"))):
        assert {"released": 1} == release_due(told)

    assert ["nl"] == [row[0] for row in periods(played)]
    assert {"released": 3} == release_due(told)


def test_no_authority_is_told_where_none_is_named(played):
    """Given no document, or one with no entry, then nothing is due."""
    assert [{}, {}] == [release_due(p) for p in (played.ports, ports(played, b"{}"))]


@pytest.mark.parametrize(
    ("document", "hint"),
    [
        (b"[1]", "no JSON object"),
        (b'{"fr": {}}', "names fr; records are written for: es, nl"),
        (b'{"es": {"operator": "C001"}}', 'lacks something at "es": warehouse'),
    ],
)
def test_a_document_that_cannot_be_used_says_what_is_wrong(played, document, hint):
    """Given a wrong document, then nothing is released for anybody."""
    with pytest.raises(ProfileError, match=hint):
        release_due(ports(played, document))
    assert [] == periods(played)


def test_a_worker_that_is_killed_before_the_register_releases_each_period_once(works: Station):
    """Given a release that is held at its register and killed, then the next worker does all."""
    casino = works.casino
    casino.seal()
    works.set_time(WEDNESDAY_MORNING)
    path = casino.folder / "authorities.json"
    path.write_bytes(PROFILE)
    works.settings = works.settings.model_copy(update={"authorities": path})
    worker = works.start(app="tests.workers.impatient")
    with works.held("p_releases") as is_waiting:
        works.send("release_next", "nl")
        works.until(is_waiting)
        works.kill(worker, whole=False)
    works.send("release_records")
    works.until(lambda: works.is_idle() and len(periods(casino)) == 4)

    assert ["2026-11-30", "2026-11", "2026-12-01", "2026-11-30"] == [p[2] for p in periods(casino)]
