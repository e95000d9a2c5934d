"""The collector of cycles looks seldom, and looks."""

import gc
import weakref

import pytest

from ops.collector import OBJECTS, look_seldom


@pytest.fixture(autouse=True)
def own_pace():
    """The collector's pace as it was before the test."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_what_a_service_keeps_is_not_walked_over_for_every_few_commands():
    """Given half as many objects as a look takes, when they are made, then there was no look."""
    look_seldom()
    gc.collect()
    before = gc.get_stats()[0]["collections"]

    kept = [[] for _ in range(OBJECTS // 2)]

    assert (OBJECTS // 2, before) == (len(kept), gc.get_stats()[0]["collections"])


def test_a_cycle_is_found_in_the_end():
    """Given a cycle that nobody holds, when enough objects are made, then it is gone."""

    class Ring:
        """An object that can hold itself."""

    look_seldom()
    ring = Ring()
    ring.itself = ring
    seen = weakref.ref(ring)
    del ring

    kept = [[] for _ in range(OBJECTS + 1)]

    assert (OBJECTS + 1, None) == (len(kept), seen())
