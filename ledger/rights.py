"""The use case of a participation right: ask the central system, then record its answer (G9).

Nothing is kept between the two steps, so a process may be killed anywhere: the right still waits
in its session, and the next call asks again with the same id and records the same command (G3).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from ledger.central import (
    Annulled,
    AnnulmentAnswer,
    Answer,
    CentralSystem,
    Rejected,
    RightRequest,
    TooLate,
    Unknown,
    Validated,
    command_for,
    request_of,
)
from ledger.domain import session as ses
from ledger.domain.commands import Command


class Handled(Protocol):
    """What the book answers to a command."""

    @property
    def refusal(self) -> str | None:
        """The code of the refusal, or None."""


H = TypeVar("H", bound=Handled)


@dataclass(frozen=True, slots=True)
class Recorded(Generic[H]):
    """The central system's word, and how the book took it.

    `outcome.refusal` other than None means that the book holds another answer to this right: a
    discrepancy for reconciliation, never a reason to move money.
    """

    answer: Validated | Rejected | Annulled | TooLate
    outcome: H


def settle_right(
    ask: RightRequest, central: CentralSystem, handle: Callable[[Command], H]
) -> Recorded[H] | Unknown:
    """Ask about a right that waits in the book, and record the answer.

    The request must be recorded before: what is asked here must already be durable. Safe to
    repeat. Raises `CentralFault` for a reply that contradicts the request.
    """
    return _record(central.request(ask), ask, handle)


def annul_right(
    ask: RightRequest, reason: str, central: CentralSystem, handle: Callable[[Command], H]
) -> Recorded[H] | Unknown:
    """Take a waiting right back, and record what became of it; raises as `settle_right` does."""
    return _record(central.annul(ask, reason), ask, handle)


@dataclass(frozen=True, slots=True)
class Book(Generic[H]):
    """The book as a duty uses it: a session's state, and the only writer."""

    session: Callable[[UUID], ses.State]
    handle: Callable[[Command], H]


def settle_pending(
    session: UUID, participation: UUID, central: CentralSystem, book: Book[H]
) -> Recorded[H] | Unknown | None:
    """Settle a right that a projection showed as waiting; None when it waits no longer.

    Projections lag, so the session itself is asked before the central system is.
    """
    ask = request_of(session, book.session(session))
    if ask is None or ask.participation != participation:
        return None
    return settle_right(ask, central, book.handle)


def _record(
    answer: Answer | AnnulmentAnswer, ask: RightRequest, handle: Callable[[Command], H]
) -> Recorded[H] | Unknown:
    if isinstance(answer, Unknown):
        return answer
    command = command_for(answer, ask)
    assert command is not None
    return Recorded(answer, handle(command))
