"""`report`: what a regulator asks for, from the sealed log, and what became of each report."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Final

import typer

from ledger.domain.days import YEARS
from ledger.domain.refusals import Refusal
from ops import workers as wiring
from ops.cli.inputs import Actor, Reason, day_of, sentence_of
from ops.cli.output import Json, emit, out, refuse, table
from ops.cli.records import add_records
from ops.cli.wiring import CLERK, settings
from workers.days import last_over
from workers.ports import Ports
from workers.reports.build import Paths, build_report, replace_report
from workers.reports.editions import Note, Noted, Registered, Step, note, registered
from workers.reports.periods import Period, Unit, of_day, of_life, read_period
from workers.reports.registry import REPORTS, Kind

app = typer.Typer(help="Reports from the sealed log.", no_args_is_help=True, add_completion=False)


def period_of(text: str, unit: Unit) -> Period:
    """A period of a unit by its name, such as 2026-11."""
    period = read_period(text)
    if period.unit is not unit or period.days.last.year not in YEARS:
        raise ValueError(text)
    return period


def month_of(text: str) -> Period:
    """A calendar month."""
    try:
        return period_of(text, Unit.MONTH)
    except ValueError:
        raise typer.BadParameter("Give a month such as 2026-11.") from None


def year_of(text: str) -> Period:
    """A calendar year."""
    try:
        return period_of(text, Unit.YEAR)
    except ValueError:
        raise typer.BadParameter("Give a year such as 2026.") from None


@dataclass(frozen=True, slots=True)
class Named:
    """A report as it is named."""

    kind: str
    period: Period

    @property
    def name(self) -> str:
        """Such as `game-performance-2026-11-30`."""
        return f"{self.kind}-{self.period.name}"


def report_of(text: str) -> Named:
    """A report by its name."""
    for kind in REPORTS:
        if text.startswith(f"{kind.name}-"):
            with suppress(ValueError):
                return Named(kind.name, read_period(text.removeprefix(f"{kind.name}-")))
    raise typer.BadParameter("Give a report's name, such as game-performance-2026-11-30.")


ReportName = Annotated[
    Named,
    typer.Argument(
        parser=report_of, metavar="REPORT", help="Such as game-performance-2026-11-30; see: list."
    ),
]
Words = Annotated[
    str, typer.Option("--text", parser=sentence_of, metavar="TEXT", help="It stands on record.")
]


@app.command("daily", epilog="Example: contoposta report daily 2026-11-30")
def daily(
    day: Annotated[
        date | None, typer.Argument(parser=day_of, metavar="[DAY]", help="Else yesterday.")
    ] = None,
    *,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Close a business day (Europe/Rome) and produce its reports; the same day, the same bytes."""
    ports = wiring.ports(settings())
    wanted = day or last_over(ports.now())
    paths: list[str] = []
    for kind in REPORTS:
        if Unit.DAY in kind.due:
            built = build_report(ports, kind.name, of_day(wanted))
            paths += _paths(built, as_json=as_json)
    document = {"day": wanted.isoformat(), "files": paths}
    emit(document, lambda: out.print("\n".join(paths)), as_json=as_json)


def _paths(built: Paths | Refusal, *, as_json: bool) -> list[str]:
    if isinstance(built, Refusal):
        refuse(built, as_json=as_json)
    return [str(path) for path in built]


Day = Annotated[date | None, typer.Option(parser=day_of, metavar="DAY", help="Such as 2026-11-30.")]
Month = Annotated[Period | None, typer.Option(parser=month_of, metavar="MONTH", help="2026-11.")]
Year = Annotated[Period | None, typer.Option(parser=year_of, metavar="YEAR", help="2026.")]
Life = Annotated[bool, typer.Option("--life", help="From the book's opening to the last day.")]


def _period(
    ports: Ports, day: date | None, longer: tuple[Period | None, ...], *, life: bool
) -> Period:
    """The period that is asked for; yesterday where none is."""
    given = [period for period in longer if period is not None]
    if day is not None:
        given.append(of_day(day))
    last = last_over(ports.now())
    if life:
        given.append(of_life(last))
    if len(given) > 1:
        raise typer.BadParameter("Give one of --day, --month, --year and --life.")
    return given[0] if given else of_day(last)


def _command(kind: Kind) -> Callable[..., None]:
    def build(
        *,
        day: Day = None,
        month: Month = None,
        year: Year = None,
        life: Life = False,
        as_json: Json = False,
    ) -> None:
        ports = wiring.ports(settings())
        report = Named(kind.name, _period(ports, day, (month, year), life=life))
        paths = _paths(build_report(ports, report.kind, report.period), as_json=as_json)
        document = {"report": report.name, "files": paths}
        emit(document, lambda: out.print("\n".join(paths)), as_json=as_json)

    build.__doc__ = f"{kind.title} of a day, a month, a year, or of all the book's life."
    return build


for _kind in REPORTS:
    _example = f"Example: contoposta report {_kind.name} --month 2026-11"
    app.command(_kind.name, epilog=_example)(_command(_kind))


@app.command("kinds", epilog="Example: contoposta report kinds")
def kinds(*, as_json: Json = False) -> None:
    """List the kinds of reports, their versions, and for which periods each is produced."""
    rows = [
        {"kind": k.name, "title": k.title, "version": k.version, "due": list(k.due)}
        for k in REPORTS
    ]
    made = table("Reports", ("kind", "title", "version>", "due"), [tuple(r.values()) for r in rows])
    emit(rows, lambda: out.print(made), as_json=as_json)


@app.command("list", epilog="Example: contoposta report list")
def list_(*, as_json: Json = False) -> None:
    """List what was produced, sent, receipted and replaced, by whom and when."""
    rows = [_told(each) for each in registered(wiring.ports(settings()))]
    columns = ("report", "edition>", "version>", "checkpoint>", "produced", *_STEPS)
    made = table("Register of reports", columns, [_row(row) for row in rows])
    emit(rows, lambda: out.print(made), as_json=as_json)


_STEPS: Final[tuple[Step, ...]] = ("sent", "receipted", "replaced")


def _told(each: Registered) -> dict[str, Any]:
    return {
        "report": each.report,
        "edition": each.edition,
        "version": each.version,
        "checkpoint": each.checkpoint,
        "produced": each.produced_at.isoformat(),
        "files": list(each.files),
        **{step: _noted(each.steps.get(step)) for step in _STEPS},
    }


def _noted(noted: Note | None) -> dict[str, str] | None:
    if noted is None:
        return None
    return {"by": noted.actor, "at": noted.at.isoformat(), "text": noted.text}


def _row(row: dict[str, Any]) -> tuple[Any, ...]:
    told = (_in_words(value) if name in _STEPS else value for name, value in row.items())
    return tuple(value for name, value in zip(row, told, strict=True) if name != "files")


def _in_words(noted: dict[str, str] | None) -> str | None:
    return (
        None
        if noted is None
        else f"{noted['at'][:16].replace('T', ' ')} {noted['by']}: {noted['text']}"
    )


@app.command(
    "sent", epilog="Example: contoposta report sent duty-2026-11 --text 'by PEC to the authority'"
)
def sent(report: ReportName, *, text: Words, actor: Actor = CLERK, as_json: Json = False) -> None:
    """Note that a report was sent, and how."""
    _note(report, "sent", (actor, text), as_json=as_json)


@app.command(
    "receipt", epilog="Example: contoposta report receipt duty-2026-11 --text 'accepted, no. 4711'"
)
def receipt(
    report: ReportName, *, text: Words, actor: Actor = CLERK, as_json: Json = False
) -> None:
    """Note the receipt of a report that was sent, in its words; a refusal's words too."""
    _note(report, "receipted", (actor, text), as_json=as_json)


def _note(report: Named, step: Noted, who: tuple[str, str], *, as_json: bool) -> None:
    ports = wiring.ports(settings())
    noted = note(ports, report.name, step, Note(who[0], ports.now(), who[1]))
    if isinstance(noted, Refusal):
        refuse(noted, as_json=as_json)
    document = {"report": report.name, "edition": noted, "step": step}
    sentence = f"Edition {noted} of {report.name} is {step}."
    emit(document, lambda: out.print(sentence), as_json=as_json)


@app.command(
    "replace", epilog="Example: contoposta report replace duty-2026-11 --reason 'a new version'"
)
def replace(
    report: ReportName, *, reason: Reason, actor: Actor = CLERK, as_json: Json = False
) -> None:
    """Produce a report's next edition in place of the newest one, whose files stay."""
    ports = wiring.ports(settings())
    why = Note(actor, ports.now(), reason)
    paths = _paths(replace_report(ports, report.kind, report.period, why), as_json=as_json)
    document = {"report": report.name, "files": paths}
    emit(document, lambda: out.print("\n".join(paths)), as_json=as_json)


add_records(app)
