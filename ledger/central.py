"""The central system as the book sees it: it validates participation rights (rulings C1).

A right is named by its participation id, which is the idempotency key: asked again, the central
system gives the same answer for ever. No answer in time is `Unknown`, from which nothing follows;
money waits in `session:<id>:right` until an answer is known (G9). Pure types and functions.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, Protocol
from uuid import UUID, uuid5

from ledger.domain import session as ses
from ledger.domain.commands import (
    AnnulParticipation,
    RejectParticipation,
    SessionCommand,
    ValidateParticipation,
)
from ledger.domain.money import Currency
from ledger.domain.refusals import Fault

ACTOR: Final = "central-system"
"""Who the recorded answers come from, whoever asked for them: so that repeats are one command."""


class CentralFault(Fault):
    """The central system's reply is malformed or contradicts the request; nothing is concluded."""


@dataclass(frozen=True, slots=True)
class RightRequest:
    """A participation right to be validated; `amount` in minor units of `currency`."""

    participation: UUID
    session: UUID
    player: str
    """The pseudonym; nothing personal leaves the book (G10)."""
    sheet: str
    amount: int
    currency: Currency
    purchase: Literal["initial", "further"]


@dataclass(frozen=True, slots=True)
class Validated:
    """Yes: a ticket, and how many rights of the session are valid and what they sum up to."""

    ticket: str
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """No, with the central system's code."""

    code: str


@dataclass(frozen=True, slots=True)
class Annulled:
    """The request was taken back, with the reason that the central system has on record."""

    reason: str


@dataclass(frozen=True, slots=True)
class TooLate:
    """The right was validated before it could be annulled; the validation stands."""

    validated: Validated


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer in time: it may have acted or not, so ask again with the same id."""

    why: str


@dataclass(frozen=True, slots=True)
class DayTotal:
    """The rights validated on a business day in one currency, as one side counts them."""

    currency: str
    rights: int
    amount: int
    """Their sum in minor units."""
    sessions: int
    """How many sessions they are of."""


Answer = Validated | Rejected | Annulled | Unknown
"""What a request is answered; `Annulled` when the request was taken back before."""

AnnulmentAnswer = Annulled | Rejected | TooLate | Unknown
"""What an annulment is answered: the first word about a right stands, whichever it was."""


class CentralSystem(Protocol):
    """The port; implementations raise `CentralFault` and never guess."""

    def request(self, ask: RightRequest) -> Answer:
        """Ask for validation; safe to repeat."""

    def annul(self, ask: RightRequest, reason: str) -> AnnulmentAnswer:
        """Take the request back, also one that never arrived; safe to repeat."""

    def day_totals(self, day: date) -> tuple[DayTotal, ...] | Unknown:
        """What it validated on a business day (Europe/Rome), by currency."""


def request_of(session: UUID, state: ses.State) -> RightRequest | None:
    """What to ask about the right that waits in a session; None when none waits."""
    right = state.right if isinstance(state, ses.Pending | ses.Open) else None
    if right is None:
        return None
    assert isinstance(state, ses.Pending | ses.Open)
    return RightRequest(
        participation=right.participation,
        session=session,
        player=state.terms.player,
        sheet=state.terms.sheet,
        amount=right.amount,
        currency=state.terms.currency,
        purchase="initial" if isinstance(state, ses.Pending) else "further",
    )


def command_for(
    answer: Answer | AnnulmentAnswer, ask: RightRequest, actor: str = ACTOR
) -> ValidateParticipation | RejectParticipation | AnnulParticipation | None:
    """The command that records an answer, None for `Unknown`.

    Its id derives from the participation and the kind, so that an answer that is heard twice is
    one command and is recorded once (G3).
    """
    match answer:
        case Validated():
            return _validate(answer, ask, actor)
        case TooLate():
            return _validate(answer.validated, ask, actor)
        case Rejected():
            return RejectParticipation(
                id=_id(ask, RejectParticipation),
                actor=actor,
                session=ask.session,
                participation=ask.participation,
                reason=answer.code,
            )
        case Annulled():
            return AnnulParticipation(
                id=_id(ask, AnnulParticipation),
                actor=actor,
                session=ask.session,
                participation=ask.participation,
                reason=answer.reason,
            )
        case Unknown():
            return None


def _validate(answer: Validated, ask: RightRequest, actor: str) -> ValidateParticipation:
    return ValidateParticipation(
        id=_id(ask, ValidateParticipation),
        actor=actor,
        session=ask.session,
        participation=ask.participation,
        ticket=answer.ticket,
        count=answer.count,
        total=answer.total,
    )


def _id(ask: RightRequest, kind: type[SessionCommand]) -> UUID:
    return uuid5(ask.participation, kind.KIND)
