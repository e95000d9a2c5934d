"""Alerts of the monitoring of returns: each raised once, and acknowledged once by a person."""

from dataclasses import dataclass
from typing import Final

from ledger.domain.commands import AcknowledgeRtpAlert, RaiseRtpAlert
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    States,
    fold,
)
from ledger.domain.events import RtpAlertAcknowledged, RtpAlertRaised
from ledger.domain.ids import StreamName, alert_stream
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class Unraised:
    """No such alert."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An alert that waits for a finding."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An alert with its finding."""


State = Unraised | Raised | Acknowledged
START: Final[State] = Unraised()

evolve = fold(
    {RtpAlertRaised: lambda *_: Raised(), RtpAlertAcknowledged: lambda *_: Acknowledged()}
)


def _raise(command: RaiseRtpAlert, _: States, __: Context) -> Decision:
    """The id of the command is the alert's, so that nothing stands in its stream yet."""
    asked = command.model_dump(exclude={"id", "actor", "played"})
    return (Change(alert_stream(command.id), (RtpAlertRaised(**asked),)),)


def _acknowledge(command: AcknowledgeRtpAlert, states: States, _: Context) -> Decision:
    stream = alert_stream(command.alert)
    match states[stream]:
        case Unraised():
            return Refusal(Code.UNKNOWN_ALERT, "There is no such alert; look up its id.")
        case Acknowledged():
            return Refusal(Code.ALERT_ACKNOWLEDGED, "The alert has its finding, which stands.")
        case _:
            event = RtpAlertAcknowledged(person=command.person, finding=command.finding)
            return (Change(stream, (event,)),)


def _raised_stream(command: RaiseRtpAlert, _: States) -> tuple[StreamName, ...]:
    return (alert_stream(command.id),)


def _named_stream(command: AcknowledgeRtpAlert, _: States) -> tuple[StreamName, ...]:
    return (alert_stream(command.alert),)


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    RaiseRtpAlert: Handler(_raised_stream, _raise),
    AcknowledgeRtpAlert: Handler(_named_stream, _acknowledge),
}
