"""`kill -9` between the steps of a series: nothing is lost, drawn twice or left open (G3, G9, G10).

The process that is killed is a real one; it stops at a point that the test puts in from outside.
"""

from typing import Any
from uuid import uuid4

import pytest

from ledger.domain.series import Expired
from ops.fairplay import Wish
from tests.children import THERE, child
from tests.fairplay_desk import SHEET, FairDesk, fair_desk, pocket, prepared

DESTROYING = ("ops.series_keys:SeriesKeys.destroy:before", "ops.series_keys:os.fsync:after")
"""Before the keys are touched, and when they are overwritten and their file is still there."""


@pytest.fixture
def at(house, tmp_path) -> FairDesk:
    """A desk with a VIP player, anna-1."""
    made = fair_desk(house, tmp_path)
    made.player("anna-1")
    return made


def killed_at(at: FairDesk, point: str, verb: str, *about: Any) -> None:
    """Let a process come to a point of a step, and end it there."""
    folder = at.fairplay.keys.folder.parent
    told = {"now": at.house.now, "folder": folder, "point": point}
    with child("fairplay", at.house, told, verb, *about) as process:
        process.until(THERE)
        process.kill()


def count(at: FairDesk, topic: str) -> int:
    """How many events of a name there are."""
    return at.house.rows("SELECT count(*) FROM events WHERE topic = %s", topic)[0][0]


def assert_sound(at: FairDesk) -> None:
    """The book verifies."""
    at.house.seal()
    assert at.house.verify() == ()


@pytest.mark.parametrize(
    "point", ["ops.fairplay:FairPlay.draw:before", "ops.series_keys:SeriesKeys.unseal:after"]
)
@pytest.mark.parametrize("by", ["player", "duty"])
def test_g9_a_spin_killed_between_its_saves_is_drawn_once(at: FairDesk, point: str, by: str):
    """By its own command given again or by the duty: the number that was committed, once.

    It is killed with the bets saved, and with the number opened and its draw not saved.
    """
    session, series, command = at.sit("anna-1"), at.prepare("anna-1"), uuid4()
    killed_at(at, point, "spin", session, series, command)
    assert (1, 0) == (count(at, "number-taken"), count(at, "draw-recorded"))
    if by == "duty":
        assert at.fairplay.finish(session, command) == "done"

    first, again = (at.spin(session, series, command=command) for _ in range(2))

    assert (12, first.to_bytes()) == (pocket(first), again.to_bytes())
    assert (1, 1) == (count(at, "number-taken"), count(at, "draw-recorded"))
    assert 7 == pocket(at.spin(session, series))
    assert_sound(at)


@pytest.mark.parametrize("point", DESTROYING)
def test_g10_an_expiry_killed_before_its_keys_are_gone_is_mended(at: FairDesk, point: str):
    """The event stands, the file is left; the next run takes it away and writes nothing."""
    series = at.prepare("anna-1")
    at.house.later(hours=240)
    killed_at(at, point, "retire", series)
    assert ([series], 1) == (at.kept, count(at, "series-expired"))
    events = at.house.count()

    assert at.fairplay.retire(series) == "done"

    assert ([], events) == (at.kept, at.house.count())
    assert isinstance(at.fairplay.state(series), Expired)
    assert_sound(at)


@pytest.mark.parametrize("point", DESTROYING)
def test_g10_a_reveal_killed_before_its_keys_are_gone_is_mended(at: FairDesk, point: str):
    """The secret is told and the log whole; the duty takes the keys away."""
    series = at.prepare("anna-1")
    at.fairplay.end(series, uuid4())
    killed_at(at, point, "reveal", series)
    assert ([series], 1) == (at.kept, count(at, "series-revealed"))

    assert at.fairplay.retire(series) == "done"

    assert [] == at.kept
    assert_sound(at)


@pytest.mark.parametrize(
    ("point", "left"),
    [("ops.series_keys:SeriesKeys.seal:after", 1), ("ops.desk:Desk.handle:after", 0)],
)
def test_g3_a_preparation_that_was_killed_is_done_once(at: FairDesk, point: str, left: int):
    """Killed with its keys made it begins again, and those open nothing; later it is done."""
    command = uuid4()
    killed_at(at, point, "prepare", "anna-1", command)

    first, again = (at.fairplay.prepare(Wish("anna-1", SHEET, 5), command) for _ in range(2))

    assert first.to_bytes() == again.to_bytes()
    assert 1 == count(at, "series-prepared")
    assert left == len(set(at.kept) - {prepared(first).series})
    assert at.spin(at.sit("anna-1"), prepared(first).series).refusal is None
