"""The HTTP client of the central system: an answer, `Unknown`, or a fault; never a guess (G9).

What may have been acted upon without our hearing of it (no connection, no reply in time, an error
of the server) is `Unknown`. A reply that can be read and is wrong is a `CentralFault`: asking
again would not mend it, and a person must look.
"""

from datetime import date
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from uuid import UUID

import httpx
from pydantic import TypeAdapter, ValidationError

from ledger.central import (
    Annulled,
    AnnulmentAnswer,
    Answer,
    CentralFault,
    DayTotal,
    Rejected,
    RightRequest,
    TooLate,
    Unknown,
    Validated,
)
from ops.central.messages import (
    AnnulledReply,
    AnnulmentBody,
    RejectedReply,
    Reply,
    RightBody,
    Totals,
    ValidatedReply,
)

TIMEOUT_SECONDS: Final = 5.0
_REPLY: Final[TypeAdapter[ValidatedReply | RejectedReply | AnnulledReply]] = TypeAdapter(Reply)
T = TypeVar("T")
_UNHEARD: Final = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)


class HttpCentral:
    """The central system at a URL; close it, or use it as a context manager.

    `timeout` in seconds is the longest silence. A proxy of the environment is never used.
    """

    def __init__(self, url: str, timeout: float = TIMEOUT_SECONDS) -> None:
        self._http = httpx.Client(base_url=url, timeout=timeout, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._http.close()

    def request(self, ask: RightRequest) -> Answer:
        """Ask for validation; raises `CentralFault` for a wrong reply."""
        body = _body(ask).model_dump(mode="json")
        return self._answer(ask, "PUT", f"/rights/{ask.participation}", body)

    def annul(self, ask: RightRequest, reason: str) -> AnnulmentAnswer:
        """Take a request back; raises `CentralFault` for a wrong reply."""
        body = AnnulmentBody(right=_body(ask), reason=reason).model_dump(mode="json")
        answer = self._answer(ask, "POST", f"/rights/{ask.participation}/annulment", body)
        return TooLate(answer) if isinstance(answer, Validated) else answer

    def totals(self, day: str) -> Totals | Unknown:
        """The valid rights of a business day (`YYYY-MM-DD`, Europe/Rome), for reconciliation."""
        response = self._send("GET", f"/totals?day={day}", None)
        if isinstance(response, Unknown):
            return response
        totals = _read(TypeAdapter(Totals), response)
        if totals.day.isoformat() != day:
            raise CentralFault("The central system answered about another day.")
        return totals

    def day_totals(self, day: date) -> tuple[DayTotal, ...] | Unknown:
        """The same in the ledger's words."""
        totals = self.totals(day.isoformat())
        return totals if isinstance(totals, Unknown) else totals.by_currency()

    def _answer(self, ask: RightRequest, method: str, path: str, body: Any) -> Answer:
        response = self._send(method, path, body)
        if isinstance(response, Unknown):
            return response
        reply = _read(_REPLY, response)
        _check_about(ask, reply.participation, reply.amount)
        return _meaning(ask, reply)

    def _send(self, method: str, path: str, body: Any) -> httpx.Response | Unknown:
        try:
            response = self._http.request(method, path, json=body)
        except _UNHEARD as error:
            return Unknown(type(error).__name__)
        if response.is_server_error:
            return Unknown(f"status {response.status_code}")
        return response


def _body(ask: RightRequest) -> RightBody:
    return RightBody(
        session=ask.session,
        player=ask.player,
        sheet=ask.sheet,
        amount=ask.amount,
        currency=ask.currency,
        purchase=ask.purchase,
    )


def _read(adapter: TypeAdapter[T], response: httpx.Response) -> T:
    if response.status_code == httpx.codes.CONFLICT:
        raise CentralFault("The central system knows this participation with another content.")
    if response.status_code != httpx.codes.OK:
        raise CentralFault(f"The central system answered with status {response.status_code}.")
    try:
        return adapter.validate_json(response.content)
    except ValidationError as error:
        raise CentralFault("The central system's reply cannot be read.") from error


def _check_about(ask: RightRequest, participation: UUID, amount: int) -> None:
    if (participation, amount) != (ask.participation, ask.amount):
        raise CentralFault("The central system answered about another right.")


def _meaning(
    ask: RightRequest, reply: ValidatedReply | RejectedReply | AnnulledReply
) -> Validated | Rejected | Annulled:
    if isinstance(reply, RejectedReply):
        return Rejected(reply.code)
    if isinstance(reply, AnnulledReply):
        return Annulled(reply.reason)
    if reply.total < ask.amount or (reply.count == 1 and reply.total != ask.amount):
        raise CentralFault("The central system's running total does not fit the right.")
    return Validated(reply.ticket, reply.count, reply.total)
