"""`project`, `rebuild`, `duties`, `worker`, `beat`, `metrics`: the workers' work."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, Final, NoReturn

import psycopg
import typer

from ops import metrics as page, workers as wiring
from ops.cli.output import Json, emit, fields, out, table
from ops.cli.progress import bar
from ops.cli.records import release_all
from ops.cli.wiring import settings
from ops.rebuilding import rebuild_by_workers
from ops.workers import require_signing_key
from workers import duties as timed
from workers.app import QUIET
from workers.monitoring.alerts import watch_returns
from workers.ports import Ports
from workers.project import project_all
from workers.projections.rebuild import rebuild as again
from workers.projections.registry import PROJECTIONS
from workers.reconciliation.intake import take_statements
from workers.reports.build import report_days

app = typer.Typer(add_completion=False)

DUTIES: Final[dict[str, Callable[[Ports], Any]]] = {
    "expire-sessions": timed.expire_sessions,
    "ask-pending-rights": timed.ask_pending_rights,
    "finish-spins": timed.finish_spins,
    "pass-turns": timed.pass_turns,
    "disconnect-idle": timed.disconnect_idle,
    "expire-series": timed.expire_series,
    "erase-forgotten": timed.erase_forgotten,
    "report-days": lambda ports: {timed.DONE: len(report_days(ports))},
    "release-records": release_all,
    "take-statements": take_statements,
    "watch-returns": watch_returns,
    "take-snapshots": timed.take_snapshots,
}
"""The timed duties, as beat sends them and as a clerk may do them by hand."""


@app.command(epilog="Example: contoposta project")
def project(*, as_json: Json = False) -> None:
    """Fold everything that is sealed into every projection."""
    done = project_all(wiring.ports(settings()))
    rows = [(name, p and p.position, p and p.lag) for name, p in done.items()]
    document = {name: {"position": position, "lag": lag} for name, position, lag in rows}
    made = table("Projections", ("projection", "position>", "lag>"), rows)
    emit(document, lambda: out.print(made), as_json=as_json)


@app.command(epilog="Example: contoposta rebuild turnover --workers")
def rebuild(
    name: Annotated[str, typer.Argument(help="As `project` lists them, such as turnover.")],
    *,
    workers: Annotated[
        bool, typer.Option("--workers", help="Let the workers do it, in parts where sums merge.")
    ] = False,
    patience: Annotated[
        int, typer.Option(min=1, max=3600, help="Seconds to wait for workers that do not move.")
    ] = 60,
    as_json: Json = False,
) -> None:
    """Fold one projection again from the first event, and swap it in."""
    known = [p.name for p in PROJECTIONS]
    if name not in known:
        raise typer.BadParameter(f"There is no projection {name}; there are: {', '.join(known)}.")
    size = _by_workers(name, patience) if workers else again(wiring.ports(settings()), name)
    sentence = f"{name} is rebuilt from {size} events."
    emit({"projection": name, "events": size}, lambda: out.print(sentence), as_json=as_json)


def _by_workers(name: str, patience: int) -> int:
    with bar() as shown:
        task = shown.add_task(f"rebuild {name}", total=None)
        return rebuild_by_workers(
            settings(),
            name,
            patience,
            lambda folded, size: shown.update(task, completed=folded, total=size),
        )


@app.command(epilog="Example: contoposta duties expire-sessions")
def duties(
    name: Annotated[str | None, typer.Argument(help="One of them; else all.")] = None,
    *,
    as_json: Json = False,
) -> None:
    """Do the timed duties now, from expiries and rights to reports, returns and snapshots."""
    if name is not None and name not in DUTIES:
        raise typer.BadParameter(f"There is no duty {name}; there are: {', '.join(DUTIES)}.")
    ports = wiring.ports(settings())
    wanted = [name] if name else list(DUTIES)
    document = {duty: dict(DUTIES[duty](ports)) for duty in wanted}
    told = {duty: _told(outcomes) for duty, outcomes in document.items()}
    emit(document, lambda: fields(told), as_json=as_json)


def _told(outcomes: dict[str, int]) -> str:
    some = [f"{count} {word}" for word, count in outcomes.items() if count]
    return ", ".join(some) or "nothing was due"


@app.command(epilog="Example: contoposta worker --processes 2")
def worker(
    *, processes: Annotated[int, typer.Option(min=1, max=64, help="Child processes.")] = 2
) -> None:
    """Run a Celery worker until it is told to stop (TERM to this process)."""
    with suppress(psycopg.OperationalError):  # a server that comes later is waited for
        require_signing_key(settings())
    _celery("worker", "--loglevel", "WARNING", "--concurrency", str(processes), *QUIET)


@app.command(epilog="Example: contoposta beat")
def beat() -> None:
    """Run the clock that sends timed duties; one for each book."""
    state = settings().home / "beat"
    state.mkdir(parents=True, exist_ok=True)
    _celery("beat", "--loglevel", "WARNING", "--schedule", str(state / "schedule"))


def _celery(*arguments: str) -> NoReturn:
    command = [sys.executable, "-m", "celery", "-A", "ops.celery_app", *arguments]
    os.execv(sys.executable, command)  # noqa: S606 - this process becomes the worker


@app.command(epilog="Example: contoposta metrics --port 9464")
def metrics(
    *, port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 9464
) -> None:
    """Serve the metrics page of this installation until interrupted."""
    thread = page.serve(settings(), port)
    out.print(f"http://127.0.0.1:{port}/metrics")
    thread.join()
