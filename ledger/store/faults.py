"""The store's faults: what went wrong with the database, in words that hold no secret (G3, G10).

The library's and the driver's errors end here, on reads and on saves alike, so that whoever asks
sees a fault, never "insufficient funds" (fault S5), and knows whether trying again can help.
"""

from eventsourcing.persistence import (
    InterfaceError,
    OperationalError,
    PersistenceError,
)
from psycopg.errors import (
    DeadlockDetected,
    ObjectNotInPrerequisiteState,
    SerializationFailure,
    UniqueViolation,
)
from psycopg_pool import PoolTimeout

from ledger.domain.refusals import ClockFault, Fault


class Conflict(Fault):
    """Somebody wrote first: read again and decide again."""


class Unavailable(Fault):
    """The database did not serve; whether the save was made is known only by reading again."""

    @property
    def is_down(self) -> bool:
        """Whether no connection was to be had at all, so that trying again at once is idle."""
        return isinstance(_root(self), PoolTimeout)


class Translated:
    """Turns the errors of a block into faults; the driver's details stay in the cause."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, PersistenceError):
            raise _fault(error) from error


def _fault(error: PersistenceError) -> Fault:
    root, text = _root(error), _first_line(error)
    if isinstance(root, UniqueViolation):
        return Conflict("A version that was to be written is taken.")
    if isinstance(root, SerializationFailure | DeadlockDetected):
        return Conflict("The save ran into another one.")
    if isinstance(root, ObjectNotInPrerequisiteState):
        return Fault(text)
    if isinstance(error, OperationalError | InterfaceError):
        return Unavailable(text)
    return ClockFault(text) if "day that is closed" in text else Fault(text)


def _root(error: BaseException | None) -> BaseException | None:
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or ["the database failed"])[0]
