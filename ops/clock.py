"""The clock: the one place where the world's time, or a simulated one, is read.

A book tells in its first event which of the two it is kept by. The simulated time stands in a file
of the data folder, so that every process of an installation reads the same one.
"""

import os
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ops.settings import Settings, SettingsError

WAIT_MAX_MS: Final = 250
Clock = Callable[[], datetime]


def now() -> datetime:
    """The world's time, aware and in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the clock


def clock_of(settings: Settings) -> Clock:
    """The clock that the settings choose."""
    return now if settings.clock == "real" else lambda: simulated_now(settings)


def simulated_now(settings: Settings) -> datetime:
    """The simulated time; raise `SettingsError` when nobody has set it."""
    path = _path(settings)
    try:
        return datetime.fromisoformat(path.read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError) as error:
        raise SettingsError(f"The simulated time in {path} is not set; run ops/demo.") from error


def set_simulated(settings: Settings, at: datetime) -> None:
    """Set the simulated time for all processes of the installation."""
    path = _path(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(at.astimezone(UTC).isoformat(), encoding="ascii")
    fresh.replace(path)


def pause(attempt: int) -> None:
    """Wait before another try: a random time below a bound that doubles, to a quarter second."""
    bound = min(WAIT_MAX_MS, 2 ** min(attempt, 8))
    time.sleep(secrets.randbelow(bound * 1000 + 1) / 1_000_000)


def _path(settings: Settings) -> Path:
    return settings.home / "clock"
