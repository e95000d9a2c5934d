"""Significant events: what changed, from which value to which, by whom and why.

What an event of the book changes is told by one line here; a new event that a regulator asks about
is one more. The value before is the last one that was told of the same thing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ledger.domain import conto_limits, events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Row, Table

SIGNIFICANT: Final = Table(
    "p_significant",
    ("stream", "position", "attribute"),
    {
        "stream": "text", "position": "int8", "attribute": "text", "recorded": "timestamptz",
        "event": "text", "before": "text", "after": "text", "actor": "text", "named": "text",
        "reason": "text",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """What an event changes of its stream's subject."""

    attribute: str
    after: str | None
    reason: str | None = None
    named: str | None = None
    """Who is named by the event itself: a chief, or approvers."""
    before: str | None = None
    """Where that follows from the event alone; else it is what was told last."""


def _table_opened(e: ev.TableOpened) -> tuple[Told, ...]:
    return (Told("state", "open", named=e.chief), Told("limits", e.limits, named=e.chief))


def _announced(e: ev.MaintenanceAnnounced) -> tuple[Told, ...]:
    times = f"{e.starts.isoformat()} to {e.ends.isoformat()}"
    return (Told(f"notice {e.notice}", times, e.reason),)


def _limited(e: ev.PlayerLimitsSet) -> tuple[Told, ...]:
    return (Told(f"limits at {e.sheet}", e.limits, e.reason),)


def _published(e: ev.SheetPublished) -> tuple[Told, ...]:
    since = f"in force from {e.in_force_from.isoformat()}"
    return (Told("version", str(e.sheet_version), since),)


def _voided(e: ev.RoundVoided | ev.TableRoundVoided) -> tuple[Told, ...]:
    return (Told(f"round {e.round}", "void", e.reason, before="in play"),)


def _refused(e: ev.FeedMessageRefused[Any]) -> tuple[Told, ...]:
    return (Told(f"feed message {e.feed.message}", "refused", e.why),)


def _corrected(e: ev.CorrectionPosted) -> tuple[Told, ...]:
    named = " and ".join(e.approvers)
    return (Told(f"command {e.corrects}", e.code, e.reason, named, before="posted"),)


def _rotated(e: ev.SigningKeyRotated) -> tuple[Told, ...]:
    return (Told("signing key", e.new_key, e.reason, before=e.old_key),)


def _disclosed(e: ev.PersonalDataDisclosed) -> tuple[Told, ...]:
    days = f"{e.first.isoformat()} to {e.last.isoformat()}"
    return (Told("personal data", days, e.reason, e.recipient, before="kept"),)


def _until(e: ev.ContoExcluded | ev.ExclusionRevoked) -> str:
    return "revoked" if e.until is None else e.until.isoformat()


def _conto_limited(e: ev.ContoLimitSet) -> tuple[Told, ...]:
    most = conto_limits.told(e.limit, e.most) or "none"
    return (Told(f"{e.limit} a {e.period}", f"{most} from {e.in_force_from.isoformat()}"),)


def _found(e: ev.DifferenceFound) -> tuple[Told, ...]:
    return (Told(f"occurrence {e.occurrence}", "open", e.found),)


def _assigned(e: ev.DifferenceAssigned) -> tuple[Told, ...]:
    return (Told(f"owner of occurrence {e.occurrence}", e.owner),)


def _resolved(e: ev.DifferenceResolved) -> tuple[Told, ...]:
    return (Told(f"occurrence {e.occurrence}", "resolved", e.reason),)


def _cleared(e: ev.DifferenceCleared) -> tuple[Told, ...]:
    return (Told(f"occurrence {e.occurrence}", "cleared"),)


def _raised(e: ev.RtpAlertRaised) -> tuple[Told, ...]:
    days = f"{e.first_day.isoformat()} to {e.last_day.isoformat()}"
    what = f"{e.statistic} of {e.sheet} version {e.sheet_version}, {e.subject}, {days}"
    return (Told("state", e.grade, f"{what}: {e.value} reaches {e.threshold}"),)


def _acknowledged(e: ev.RtpAlertAcknowledged) -> tuple[Told, ...]:
    return (Told("state", "acknowledged", e.finding, e.person),)


_TOLD: Final[Mapping[str, Callable[[Any], tuple[Told, ...]]]] = {
    ev.ContoSuspended.NAME: lambda e: (Told("suspended", "yes", e.reason, before="no"),),
    ev.ContoReinstated.NAME: lambda e: (Told("suspended", "no", e.reason),),
    ev.ContoExcluded.NAME: lambda e: (Told("excluded until", _until(e)),),
    ev.ExclusionRevoked.NAME: lambda e: (Told("excluded until", _until(e)),),
    ev.ContoLimitSet.NAME: _conto_limited,
    ev.ContoClosed.NAME: lambda e: (Told("closed", "yes", e.reason, before="no"),),
    ev.AccountTypeSet.NAME: lambda e: (Told("account type", e.account, e.reason),),
    ev.PlayerLimitsSet.NAME: _limited,
    ev.SheetPublished.NAME: _published,
    ev.MaintenanceAnnounced.NAME: _announced,
    ev.MaintenanceEnded.NAME: lambda e: (Told(f"notice {e.notice}", "ended"),),
    ev.TableOpened.NAME: _table_opened,
    ev.TableLimitsSet.NAME: lambda e: (Told("limits", e.limits, named=e.chief),),
    ev.TableSuspended.NAME: lambda e: (Told("state", "suspended", e.reason, e.chief),),
    ev.TableResumed.NAME: lambda e: (Told("state", "open", named=e.chief),),
    ev.TableClosed.NAME: lambda e: (Told("state", "closed", named=e.chief),),
    ev.TableRoundVoided.NAME: _voided,
    ev.FeedMessageRefused.NAME: _refused,
    ev.RoundVoided.NAME: _voided,
    ev.CorrectionPosted.NAME: _corrected,
    ev.SigningKeyRotated.NAME: _rotated,
    ev.PersonalDataDisclosed.NAME: _disclosed,
    ev.DisputeOpened.NAME: lambda e: (Told(f"dispute {e.dispute}", "open", named=e.by),),
    ev.DisputeClosed.NAME: lambda e: (Told(f"dispute {e.dispute}", e.decision, named=e.decider),),
    ev.DifferenceFound.NAME: _found,
    ev.DifferenceAssigned.NAME: _assigned,
    ev.DifferenceResolved.NAME: _resolved,
    ev.DifferenceCleared.NAME: _cleared,
    ev.RtpAlertRaised.NAME: _raised,
    ev.RtpAlertAcknowledged.NAME: _acknowledged,
    ev.PlayerForgotten.NAME: lambda e: (Told("personal data", "erased", e.reason, before="kept"),),
}
"""What each significant event changes, by its name on disk."""

_STREAM, _ATTRIBUTE, _AFTER = (list(SIGNIFICANT.columns).index(n) for n in (
    "stream", "attribute", "after"))  # fmt: skip


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    streams = sorted({sealed.entry.stream for sealed in entries})
    known = sorted(SIGNIFICANT.load(folding.cursor, folding.place, streams))
    last: dict[tuple[str, str], str | None] = {
        (row[_STREAM], row[_ATTRIBUTE]): row[_AFTER] for row in known
    }
    rows: list[Row] = []
    for sealed in entries:
        entry = sealed.entry
        for told in _TOLD[entry.event.NAME](entry.event):
            before = told.before or last.get((entry.stream, told.attribute))
            last[entry.stream, told.attribute] = told.after
            what = (entry.stream, sealed.position, told.attribute, entry.recorded)
            change = (entry.event.NAME, before, told.after)
            rows.append((*what, *change, entry.actor, told.named, told.reason))
    return partial(SIGNIFICANT.put, place=folding.place, rows=rows)


PROJECTION: Final = Projection(
    name="significant",
    version=3,
    topics=tuple(_TOLD),
    tables=(SIGNIFICANT,),
    batch=20_000,
    fold=_fold,
)
