"""The tasks: each calls one function of this floor and may run twice without a second effect.

Those that have much to do take a bounded bite and send themselves again, so that no task outlives
its time limit and a stopped worker stops soon.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

import structlog
from celery import Task, chord
from typing_extensions import override

from ledger.domain.refusals import Fault, Refusal
from workers import closing, duties, metrics
from workers.log import Span
from workers.monitoring import alerts
from workers.ports import Ports
from workers.project import project as fold
from workers.projections import rebuild as again
from workers.projections.sums import as_document, from_document
from workers.reconciliation import central, inside, intake
from workers.reconciliation.carry import Outcome
from workers.regulators import due
from workers.regulators.release import Written
from workers.reports import build
from workers.reports.periods import read_period

PREFIX: Final = "contoposta."
STEPS: Final = 20
"""Batches that one task folds before it sends itself again."""

TIME_LIMIT: Final = 600
"""Seconds after which a task is killed; its message is then delivered again."""

log = structlog.get_logger()


class LedgerTask(Task):  # type: ignore[misc] # Celery ships no types
    """Base of all tasks: context in the log, outcomes in the metrics, and retries of faults alone.

    A `Fault` declares that nothing was decided and that the same may be tried again.
    """

    acks_late = True
    reject_on_worker_lost = True
    acks_on_timeout = False
    time_limit = TIME_LIMIT
    ignore_result = True
    autoretry_for = (Fault,)
    max_retries = 8
    retry_backoff = 1
    retry_backoff_max = 60
    retry_jitter = True

    @property
    def ports(self) -> Ports:
        """The ports of this process."""
        ports: Ports = self.app.ports
        return ports

    def again(self, name: str, *arguments: Any) -> Any:
        """The message that asks for a task of this application."""
        return self.app.tasks[PREFIX + name].si(*arguments)

    @override
    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Say in every line of the log which task speaks."""
        structlog.contextvars.bind_contextvars(task=self.name, task_id=task_id)
        metrics.TASKS.labels(self.name, "started").inc()

    @override
    def after_return(
        self, status: str, retval: Any, task_id: str, args: Any, kwargs: Any, einfo: Any
    ) -> None:
        """Count how it ended: success, retry or failure."""
        metrics.TASKS.labels(self.name, status.lower()).inc()
        structlog.contextvars.clear_contextvars()

    @override
    def on_retry(self, exc: Any, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """A fault is expected now and then."""
        log.warning("task-retried", fault=type(exc).__name__, why=str(exc))

    @override
    def on_failure(self, exc: Any, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """What is left is a bug or a fault that lasts."""
        log.error("task-failed", fault=type(exc).__name__, why=str(exc))


def seal(self: LedgerTask) -> None:
    """Seal what can be sealed, and have it published where that is set."""
    metrics.SEALED.inc(self.ports.seal())
    if self.ports.publish is not None:
        self.again("publish").apply_async()


def publish(self: LedgerTask) -> None:
    """Publish what is sealed as tiles."""
    if self.ports.publish is not None:
        metrics.PUBLISHED.inc(self.ports.publish())


def project(self: LedgerTask, name: str) -> None:
    """Fold what is sealed into one projection."""
    progress = fold(self.ports, name, STEPS)
    if progress is None:
        log.info("projection-busy", projection=name)
        return
    if progress.lag:
        self.again("project", name).apply_async()


def rebuild(self: LedgerTask, name: str) -> dict[str, Any]:
    """Begin to rebuild a projection, its parts side by side where they merge.

    Its generation, and the ids of the tasks that fold its parts.
    """
    started = again.start(self.ports, name)
    if not started.parts:
        self.again("rebuild_rest", name, started.generation).apply_async()
        return {"generation": started.generation, "parts": []}
    parts = [self.again("rebuild_part", name, span.first, span.stop) for span in started.parts]
    end = started.parts[-1].stop
    merge = self.app.tasks[PREFIX + "rebuild_merge"].s(name, started.generation, end)
    header = chord(parts, merge).apply_async().parent
    return {"generation": started.generation, "parts": [part.id for part in header.results]}


def rebuild_part(self: LedgerTask, name: str, first: int, stop: int) -> dict[str, Any]:
    """Fold one part of the log into the sums of a projection."""
    return as_document(again.part(self.ports, name, Span(first, stop)))


def rebuild_merge(
    self: LedgerTask, parts: list[dict[str, Any]], name: str, generation: int, size: int
) -> None:
    """Put the parts together and fold the rest."""
    sums = [from_document(document) for document in parts]
    again.merge(self.ports, (name, generation), sums, size)
    self.again("rebuild_rest", name, generation).apply_async()


def rebuild_rest(self: LedgerTask, name: str, generation: int) -> None:
    """Fold on into a fresh generation, and make it live when it is complete."""
    if not again.go_on(self.ports, name, generation, STEPS):
        self.again("rebuild_rest", name, generation).apply_async()


def report(self: LedgerTask, kind: str, period: str) -> None:
    """Produce the files of a report; its period is written as files are named by it."""
    outcome = build.build_report(self.ports, kind, read_period(period))
    _note("report", {outcome.code.value if isinstance(outcome, Refusal) else duties.DONE: 1})


def close_day(self: LedgerTask, day: str) -> None:
    """Close a business day."""
    outcome = closing.close_day(self.ports, date.fromisoformat(day))
    _note("close_day", {outcome.code.value if isinstance(outcome, Refusal) else duties.DONE: 1})


def report_days(self: LedgerTask) -> None:
    """Close the days that are due and produce the reports that periods lack."""
    _note("report_days", {duties.DONE: len(build.report_days(self.ports))})


def release_records(self: LedgerTask) -> None:
    """Release for each authority what is due, by a task of its own."""
    for registration in due.registrations(self.ports):
        self.again("release_next", registration.authority.code).apply_async()


def release_next(self: LedgerTask, code: str) -> None:
    """Release the oldest records that an authority lacks, and then the next ones."""
    for registration in due.registrations(self.ports):
        if registration.authority.code == code:
            outcome = due.release_next(self.ports, registration)
            if outcome is not None:
                _note("release_records", {due.word_of(outcome): 1})
            if isinstance(outcome, Written):
                self.again("release_next", code).apply_async()


def reconcile_inside(self: LedgerTask) -> None:
    """Compare the book with itself, each check by tasks of its own, beside the others."""
    for check in inside.CHECKS:
        self.again("reconcile_check", check.name, self.ports.now().isoformat()).apply_async()


def reconcile_check(self: LedgerTask, name: str, begun: str) -> None:
    """Make one bite of a check of the book against itself, for the run that began at a moment."""
    after = inside.go_on(self.ports, name, datetime.fromisoformat(begun))
    if isinstance(after, Outcome):
        _reconciled(name, after)
    elif after is inside.Next.BITE:
        self.again("reconcile_check", name, begun).apply_async()


def reconcile_central(self: LedgerTask) -> None:
    """Compare rights with the central system's totals, of yesterday and of days it told none of."""
    for outcome in central.reconcile_due(self.ports):
        _reconciled("central", outcome)


def take_statements(self: LedgerTask) -> None:
    """Take in the oldest statement that was put down, and then the next ones."""
    outcome = intake.take_next(self.ports)
    if outcome is not None:
        _note("take_statements", {outcome: 1})
    if outcome in intake.GOES_ON:
        self.again("take_statements").apply_async()


def _reconciled(what: str, outcome: Outcome) -> None:
    counts = {"found": len(outcome.found), "cleared": outcome.cleared}
    _note(f"reconcile_{what}", {**counts, "standing": outcome.standing})


def expire_sessions(self: LedgerTask) -> None:
    """End sessions whose players did not come back."""
    _note("expire_sessions", duties.expire_sessions(self.ports))


def ask_pending_rights(self: LedgerTask) -> None:
    """Ask about rights that wait too long."""
    _note("ask_pending_rights", duties.ask_pending_rights(self.ports))


def finish_spins(self: LedgerTask) -> None:
    """Draw numbers that were taken and left undrawn."""
    _note("finish_spins", duties.finish_spins(self.ports))


def pass_turns(self: LedgerTask) -> None:
    """Let the rules act for seats that do not."""
    _note("pass_turns", duties.pass_turns(self.ports))


def disconnect_idle(self: LedgerTask) -> None:
    """Disconnect players who sit at a live table and do nothing."""
    _note("disconnect_idle", duties.disconnect_idle(self.ports))


def expire_series(self: LedgerTask) -> None:
    """Expire series that are due."""
    _note("expire_series", duties.expire_series(self.ports))


def erase_forgotten(self: LedgerTask) -> None:
    """Destroy keys of players who were forgotten."""
    _note("erase_forgotten", duties.erase_forgotten(self.ports))


def watch_returns(self: LedgerTask) -> None:
    """Look at the returns and outcomes of days that were closed, and raise alerts."""
    _note("watch_returns", alerts.watch_returns(self.ports))


def take_snapshots(self: LedgerTask) -> None:
    """Keep snapshots of long streams."""
    _note("take_snapshots", duties.take_snapshots(self.ports))


def _note(duty: str, outcomes: Mapping[str, int]) -> None:
    for outcome, count in outcomes.items():
        metrics.DUTIES.labels(duty, outcome).inc(count)
    if any(outcomes.values()):
        log.info("duty-done", duty=duty, **{k.replace("-", "_"): n for k, n in outcomes.items()})


RESULTS_KEPT: Final = ("rebuild", "rebuild_part")
"""Tasks whose results are asked for."""

TASKS: Final[tuple[Callable[..., Any], ...]] = (
    seal,
    publish,
    project,
    rebuild,
    rebuild_part,
    rebuild_merge,
    rebuild_rest,
    report,
    close_day,
    report_days,
    release_records,
    release_next,
    reconcile_inside,
    reconcile_check,
    reconcile_central,
    take_statements,
    expire_sessions,
    ask_pending_rights,
    finish_spins,
    pass_turns,
    disconnect_idle,
    expire_series,
    erase_forgotten,
    watch_returns,
    take_snapshots,
)


def register(app: Any) -> None:
    """Give an application all tasks."""
    for run in TASKS:
        ignore = run.__name__ not in RESULTS_KEPT
        options = {"name": PREFIX + run.__name__, "base": LedgerTask, "bind": True}
        app.task(ignore_result=ignore, **options)(run)
