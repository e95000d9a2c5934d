"""A rebuild that workers do: asked for over the queue, and watched in the register of projections.

Whoever watches may go away; the workers go on.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from celery.exceptions import TimeoutError as NoResult
from kombu.exceptions import OperationalError
from sqlalchemy.exc import SQLAlchemyError

from ledger.domain.refusals import Fault
from ops.settings import Settings
from ops.workers import celery, ports
from workers.app import BookCelery
from workers.ports import Ports
from workers.projections.rebuild import look
from workers.tasks import PREFIX

LOOK_SECONDS: Final = 0.2

Show = Callable[[int, int], None]
"""Told how many events are folded, and of how many."""


class NobodyAnswers(Fault):
    """No worker took the work, or went on with it, in the time that was given."""


class RebuildFailed(Fault):
    """A worker met what it could not go on from."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a worker answered: the generation, and the tasks of its parts if it has any."""

    name: str
    generation: int
    parts: tuple[Any, ...]


def rebuild_by_workers(settings: Settings, name: str, patience: float, show: Show) -> int:
    """Let workers rebuild a projection, and wait until it is live; how many events were folded.

    `patience` is in seconds. Raises `NobodyAnswers` when nothing moved for so long, `RebuildFailed`
    when a worker could not do it, and `Superseded` when another rebuild was quicker.
    """
    reader, app = ports(settings), celery(settings)
    with _queues_answer():
        begun = _ask(app, name, patience)
        return _watch(reader, begun, patience, show)


def _ask(app: BookCelery, name: str, patience: float) -> _Begun:
    with app.connection_for_write() as connection:
        asked = app.tasks[f"{PREFIX}rebuild"].apply_async(
            (name,), expires=patience, connection=connection
        )
    try:
        answer: Mapping[str, Any] | BaseException
        answer = asked.get(timeout=patience, interval=LOOK_SECONDS, propagate=False)
    except NoResult:
        raise NobodyAnswers(_SILENT.format(patience)) from None
    if isinstance(answer, BaseException):
        raise RebuildFailed(f"{_FAILED} ({type(answer).__name__}).")
    return _Begun(name, answer["generation"], tuple(map(app.AsyncResult, answer["parts"])))


def _watch(reader: Ports, begun: _Begun, patience: float, show: Show) -> int:
    moved, last = time.monotonic(), -1
    while True:
        progress, is_live = look(reader, begun.name, begun.generation)
        if is_live:
            return progress.position
        folded = max(progress.position, _in_parts(begun, progress.size))
        show(folded, progress.size)
        if folded > last:
            moved, last = time.monotonic(), folded
        elif time.monotonic() - moved > patience:
            raise NobodyAnswers(_STALLED.format(begun.name, patience))
        time.sleep(LOOK_SECONDS)


def _in_parts(begun: _Begun, size: int) -> int:
    """About how many events the parts that are ready have folded; parts are of one size."""
    states = [part.state for part in begun.parts]
    if "FAILURE" in states:
        raise RebuildFailed(f"{_FAILED}.")
    return size * states.count("SUCCESS") // max(len(states), 1)


@contextmanager
def _queues_answer() -> Iterator[None]:
    """Their errors may name an address with its password, so that only their kind is told."""
    try:
        yield
    except (OperationalError, SQLAlchemyError) as error:
        kind = type(error).__name__
        raise Fault(f"{_NO_QUEUES} ({kind}).") from error


_SILENT: Final = (
    "No worker answered within {} seconds, and the request is dropped: none runs, or all are busy. "
    "Start one with: contoposta worker."
)
_STALLED: Final = (
    "The rebuild of {} has not moved for {} seconds; the workers' log may say why. It goes on when "
    "they do, and the old rows are read until it is done."
)
_NO_QUEUES: Final = (
    "The queues do not answer; they are where CONTOPOSTA_BROKER_URL and CONTOPOSTA_RESULT_URL say, "
    "or else in the database"
)
_FAILED: Final = "The rebuild failed in a worker, whose log says why"
