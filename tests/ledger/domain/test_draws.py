"""A decision that asks for a draw and goes on is the decision that had the draw at hand (G7)."""

import pytest

from ledger.domain import commands as cmd
from ledger.domain.decider import Context, NeedsDraw
from ledger.domain.registry import HANDLERS
from tests.coin import ENGINES
from tests.given import NOON, given, read
from tests.scenes import OPEN, S1, coins, order

COMMAND = order(cmd.PlayRound, 70, session=S1, move=coins(("heads", 100), ("tails", 200)))
STATES = read(COMMAND, given(*OPEN, engines=ENGINES).histories)


def decide(*entropy, paused=None):
    """Decide the round with these chunks of entropy, from its beginning or from where it paused."""
    context = Context(NOON, ENGINES, entropy, paused)
    return HANDLERS[cmd.PlayRound].decide(COMMAND, STATES, context)


@pytest.mark.parametrize("drawn", [(b"\x02",), (b"\x03",), (b"\xff", b"\x02"), (b"\xff\x03",)])
def test_g7_what_was_decided_before_a_draw_is_not_decided_otherwise_with_it(drawn):
    """Given bets that were accepted, when the draw comes later, then the events are the same."""
    asked = decide()
    assert isinstance(asked, NeedsDraw)

    assert decide(*drawn) == decide(*drawn, paused=asked.paused)


def test_g7_a_draw_that_maps_to_nothing_is_asked_for_again_from_the_same_place():
    """Given a rejected first draw, when a second one comes, then both are on record."""
    first = decide()
    second = decide(b"\xff", paused=first.paused)
    (change,) = decide(b"\xff", b"\x02", paused=second.paused)

    assert (NeedsDraw(1), "ff02") == (second, change.events[3].entropy)
