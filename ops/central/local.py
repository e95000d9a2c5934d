"""A stand-in for the central system where none is set: for the demo and tests, not for money.

It says yes at once. It keeps nothing: count and total go on from what the book itself recorded,
so that any process gives the same answer to the same request.
"""

from collections.abc import Callable, Iterable
from datetime import date
from uuid import UUID, uuid5

from ledger.central import RightRequest, TooLate, Unknown, Validated
from ledger.domain.events import Event, ParticipationValidated
from ledger.domain.ids import NAMESPACE


class InstantCentral:
    """Validates every right at once; `history` gives the events of a session, oldest first."""

    def __init__(self, history: Callable[[UUID], Iterable[Event]]) -> None:
        self._history = history

    def request(self, ask: RightRequest) -> Validated:
        """Always yes, and the same yes as on record when it is asked again."""
        count, total = 0, 0
        for event in self._history(ask.session):
            if isinstance(event, ParticipationValidated):
                count, total = event.count, event.total
                if event.participation == ask.participation:
                    return Validated(event.ticket, count, total)
        return Validated(_ticket(ask.participation), count + 1, total + ask.amount)

    def annul(self, ask: RightRequest, reason: str) -> TooLate:  # noqa: ARG002 - named by the port
        """Always too late: the yes came with the request."""
        return TooLate(self.request(ask))

    def day_totals(self, day: date) -> Unknown:  # noqa: ARG002 - as above
        """None: what it would count are the book's own records, which agree with themselves."""
        return Unknown("the stand-in keeps no totals")


def _ticket(participation: UUID) -> str:
    return f"INSTANT-{uuid5(NAMESPACE, f'ticket:{participation}').hex[:16].upper()}"
