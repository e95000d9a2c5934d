"""The clock: the one place where the world's time, or a simulated one, is read."""

import secrets
import time
from datetime import UTC, datetime

WAIT_MAX_MS = 250


def now() -> datetime:
    """The world's time, aware and in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the clock


def pause(attempt: int) -> None:
    """Wait before another try: a random time below a bound that doubles, to a quarter second."""
    bound = min(WAIT_MAX_MS, 2 ** min(attempt, 8))
    time.sleep(secrets.randbelow(bound * 1000 + 1) / 1_000_000)
