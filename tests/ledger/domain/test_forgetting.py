"""Forgetting a player: ten years after the conto was closed, with no dispute open, once (G10)."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.erasure import kept_until
from ledger.domain.refusals import Code
from tests.given import BEFORE, given, on
from tests.ledger.domain.test_disputes import CLOSED, STREAM, opened
from tests.scenes import ANNA, CONTO, OPEN, conto, uid

OVER = BEFORE.replace(year=BEFORE.year + 10)
"""Ten years after what was given happened."""
FORGET = cmd.ForgetPlayer(id=uid(96), actor="clerk", player=ANNA, reason="time over")
FORGOTTEN = ev.PlayerForgotten(player=ANNA, reason="time over")
GONE = (conto(0), on(CONTO, ev.ContoClosed(player=ANNA, reason="asked")))


def test_g10_a_player_is_forgotten_ten_years_after_the_conto_was_closed():
    """Given a closed conto, when ten years are over, then the erasure is on record."""
    given(*GONE).when(FORGET, now=OVER).then(on(STREAM, FORGOTTEN))


def test_g10_a_moment_earlier_the_records_are_kept():
    """Given the same conto a microsecond before, then nothing is erased."""
    given(*GONE).when(FORGET, now=OVER - timedelta(microseconds=1)).then(Code.RETENTION_RUNNING)


def test_g10_who_was_forgotten_is_not_forgotten_again():
    """Given an erasure, when it is asked for again, then it is refused with its own code."""
    given(*GONE, on(STREAM, FORGOTTEN)).when(FORGET, now=OVER).then(Code.PLAYER_FORGOTTEN)


def test_g10_while_a_dispute_is_open_nothing_is_erased():
    """Given a dispute, then it must be decided first; given its decision, then the way is free."""
    given(*GONE, on(STREAM, opened())).when(FORGET, now=OVER).then(Code.DISPUTE_OPEN)
    given(*GONE, on(STREAM, opened(), CLOSED)).when(FORGET, now=OVER).then(on(STREAM, FORGOTTEN))


@pytest.mark.parametrize(
    ("history", "code"), [((), Code.UNKNOWN_CONTO), (OPEN, Code.CONTO_NOT_CLOSED)]
)
def test_g10_only_a_closed_conto_is_forgotten(history, code):
    """Given no conto or an open one, then there is nothing to erase yet."""
    given(*history).when(FORGET, now=OVER).then(code)


@pytest.mark.parametrize(
    ("closed", "until"),
    [
        (datetime(2026, 3, 2, 11, 0, 0, 1, tzinfo=UTC), datetime(2036, 3, 2, 11, 0, 0, 1, UTC)),
        (datetime(2028, 2, 29, 9, tzinfo=UTC), datetime(2038, 3, 1, 9, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, tzinfo=UTC), datetime(2036, 12, 31, 23, tzinfo=UTC)),
    ],
)
def test_g10_ten_years_are_counted_by_the_calendar(closed, until):
    """Given a closing on a leap day, then its ten years end on the first of March."""
    assert until == kept_until(closed)
