"""The fold of a stream: one step for each class of event, some of which look at the time."""

from ledger.domain import events as ev
from ledger.domain.decider import fold
from tests.given import NOON
from tests.scenes import OPENED, closed

evolve = fold(
    {ev.SessionClosed: lambda state, event: (*state, event.reason)},
    timed={ev.SessionOpened: lambda state, event, at: (*state, event.player, at)},
)


def test_a_step_that_looks_at_the_time_is_given_the_moment_of_recording():
    """The moment is that of the entry; where a state is only tried out there may be none."""
    assert evolve((), OPENED, NOON) == ("anna-1", NOON)
    assert evolve((), OPENED) == ("anna-1", None)


def test_a_step_that_does_not_look_at_the_time_is_the_same_at_any():
    """The end of a session is the same with and without it."""
    assert evolve((), closed(0), NOON) == evolve((), closed(0)) == ("player",)


def test_an_event_without_a_step_leaves_the_state_as_it_was():
    """At any time."""
    state = ("as it was",)

    assert evolve(state, ev.SessionReconnected(), NOON) is state
