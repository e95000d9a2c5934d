"""`reconcile`: what does not agree, whose it is, and how it ended."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer
from pydantic import ValidationError

from ledger.domain import commands as cmd, differences
from ledger.domain.ids import difference_stream
from ledger.domain.money import format_amount
from ledger.reconciliation.mapping import StatementError, StatementMapping, read_mapping
from ops import workers as wiring
from ops.central.messages import Totals
from ops.cli.inputs import CommandId, Reason, bytes_of, day_of, uuid_of, word_of
from ops.cli.output import Exit, Json, answered, emit, out, table
from ops.cli.progress import bar
from ops.cli.wiring import desk, settings
from ops.statements import PACKAGED, packaged
from workers.days import day_of as business_day, last_over
from workers.log import connected, transaction
from workers.ports import Ports
from workers.projections.differences import Difference
from workers.reconciliation.carry import Outcome, open_differences, prepare
from workers.reconciliation.central import ask_totals, reconcile_central
from workers.reconciliation.inside import CHECKS, reconcile_inside
from workers.reconciliation.intake import taken
from workers.reconciliation.statement import Period, Statement, loaded, reconcile_statement

app = typer.Typer(
    help="Compare the book with itself and with others.", no_args_is_help=True, add_completion=False
)

Found = Annotated[
    UUID, typer.Argument(parser=uuid_of, metavar="DIFFERENCE", help="As `reconcile list` names it.")
]
First = Annotated[
    date | None,
    typer.Option(
        "--from", parser=day_of, metavar="DAY", help="The first day; else the first line's."
    ),
]
Last = Annotated[
    date | None,
    typer.Option("--to", parser=day_of, metavar="DAY", help="The last day; else the last line's."),
]


def mapping_of(text: str) -> StatementMapping:
    """A packaged mapping by its name, or one in a file."""
    try:
        return read_mapping(packaged(text) if text in PACKAGED else bytes_of(text))
    except StatementError as error:
        raise typer.BadParameter(str(error)) from None


def totals_of(text: str) -> Totals:
    """The central system's totals of a day in a file."""
    try:
        return Totals.model_validate_json(bytes_of(text))
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, e["loc"])) or "the file" for e in error.errors())
        raise typer.BadParameter(
            f"The file {text} holds no totals of a day: wrong at {wrong}."
        ) from None


@app.command("statement", epilog="Example: contoposta reconcile statement november.csv "
             "--mapping paypal-it --from 2026-11-01 --to 2026-11-30")  # fmt: skip
def statement(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The CSV file.")],
    *,
    mapping: Annotated[
        StatementMapping,
        typer.Option(
            parser=mapping_of,
            metavar="MAPPING",
            help=f"A JSON file, or one of: {', '.join(PACKAGED)}.",
        ),
    ],
    first: First = None,
    last: Last = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Compare a provider's statement with the payments of its days (Europe/Rome) in the book."""
    ports = wiring.ports(settings())
    with _read(ports, file, mapping) as read:
        period = _period(read.period, first, last)
        _require_begun(ports, period.last)
        outcome, agree = reconcile_statement(ports, read, period)
    days = {"first_day": period.first.isoformat(), "last_day": period.last.isoformat()}
    _tell(ports, outcome, {**days, "lines": read.lines, "agree": agree}, as_json=as_json)


@contextmanager
def _read(ports: Ports, path: Path, mapping: StatementMapping) -> Iterator[Statement]:
    """The lines of a statement, and how far it is read; what keeps it from that is wrong input."""
    with ExitStack() as held:
        try:
            file = held.enter_context(path.open("rb"))
            with bar() as shown:
                shown.add_task("lines", total=None)
                read = held.enter_context(loaded(ports, file, mapping))
        except OSError as error:
            raise typer.BadParameter(f"The file {path} cannot be read: {error.strerror}.") from None
        except StatementError as error:
            raise typer.BadParameter(str(error)) from None
        yield read


def _period(told: Period | None, first: date | None, last: date | None) -> Period:
    if told is not None:
        first, last = first or told.first, last or told.last
    if first is None or last is None:
        raise typer.BadParameter("The statement has no lines: give its days by --from and --to.")
    if first > last:
        raise typer.BadParameter("A statement's first day is not after its last one.")
    if told and not first <= told.first <= told.last <= last:
        raise typer.BadParameter(f"Its lines are of {told.first} to {told.last}, beyond the days.")
    return Period(first, last)


def _require_begun(ports: Ports, day: date) -> None:
    """Refuse a day to come: what is compared with nothing would agree, or differ in all."""
    if day > business_day(ports.now()):
        raise typer.BadParameter(f"The day {day} has not begun; are day and month in their places?")


@app.command("inside", epilog="Example: contoposta reconcile inside")
def inside(*, as_json: Json = False) -> None:
    """Compare the book with itself: log, journal, contos, sessions, rounds, projections."""
    ports = wiring.ports(settings())
    names = [check.name for check in CHECKS]
    with bar() as shown:
        task = shown.add_task("checks", total=len(names))

        def tell(name: str, bites: int) -> None:
            what = f"check {name}" + (f", bite {bites + 1}" if bites else "")
            shown.update(task, completed=names.index(name), description=what)

        outcome = reconcile_inside(ports, progress=tell)
    _tell(ports, outcome, {"checks": len(CHECKS)}, as_json=as_json)


@app.command("central", epilog="Example: contoposta reconcile central 2026-11-30")
def central(
    day: Annotated[
        date | None, typer.Argument(parser=day_of, metavar="[DAY]", help="Else yesterday.")
    ] = None,
    *,
    file: Annotated[
        Totals | None,
        typer.Option(
            parser=totals_of, metavar="FILE", help="The totals as JSON; else they are asked for."
        ),
    ] = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Compare the rights of a day (Europe/Rome) with the central system's totals."""
    ports = wiring.ports(settings())
    wanted = day or (last_over(ports.now()) if file is None else file.day)
    if file is not None and file.day != wanted:
        raise typer.BadParameter(f"The file has the totals of {file.day}, not of {wanted}.")
    _require_begun(ports, wanted)
    totals = ask_totals(ports, wanted) if file is None else file.by_currency()
    outcome = reconcile_central(ports, wanted, totals)
    _tell(ports, outcome, {"day": wanted.isoformat()}, as_json=as_json)


@app.command("list", epilog="Example: contoposta reconcile list")
def list_open(*, as_json: Json = False) -> None:
    """List what is open, oldest first, with its age in days and its owner."""
    ports = wiring.ports(settings())
    prepare(ports)
    with connected(ports, "reader") as connection, transaction(connection) as cursor:
        found = open_differences(cursor, ports)
    rows = [_row(ports, d) for d in found]
    emit(rows, lambda: out.print(_table("Open differences", rows)), as_json=as_json)


@app.command("statements", epilog="Example: contoposta reconcile statements")
def list_statements(*, as_json: Json = False) -> None:
    """List the statements that were taken in from the folder STATEMENTS, newest first."""
    rows = [asdict(statement) for statement in taken(wiring.ports(settings()))]
    numbers = ("lines", "agreeing", "found")
    names = ("channel", "name", "first_day", "last_day", *numbers, "taken_at")
    columns = [name.replace("_", " ") + (">" if name in numbers else "") for name in names]
    shown = [tuple(row[name] for name in names) for row in rows]
    emit(rows, lambda: out.print(table("Statements taken in", columns, shown)), as_json=as_json)


@app.command("assign", epilog="Example: contoposta reconcile assign DIFFERENCE ada")
def assign(
    difference: Found,
    owner: Annotated[str, typer.Argument(parser=word_of, metavar="OWNER", help="Who clears it.")],
    *,
    command_id: CommandId,
    as_json: Json = False,
) -> None:
    """Say who is to clear a difference up."""
    command = cmd.AssignDifference(**_head(command_id, difference), owner=owner)
    answered(desk().handle(command), f"It is {owner}'s.", as_json=as_json)


@app.command("resolve", epilog="Example: contoposta reconcile resolve DIFFERENCE "
             '--reason "paid back by the provider"')  # fmt: skip
def resolve(
    difference: Found, *, reason: Reason, command_id: CommandId, as_json: Json = False
) -> None:
    """Close a difference; what is found again afterwards is a new one."""
    command = cmd.ResolveDifference(**_head(command_id, difference), reason=reason)
    answered(desk().handle(command), "It is closed.", as_json=as_json)


def _head(command_id: UUID, difference: UUID) -> dict[str, Any]:
    """What commands on a difference share; the newest occurrence is meant."""
    state: differences.State = desk().service.state(difference_stream(difference))  # type: ignore[assignment]
    occurrence = max(state.occurrence, 1)
    return {**desk().head(command_id), "difference": difference, "occurrence": occurrence}


def _row(ports: Ports, d: Difference) -> dict[str, Any]:
    amounts = {"here": d.here, "there": d.there}
    return {
        "difference": str(d.difference),
        "occurrence": d.occurrence,
        "source": d.source,
        "scope": d.scope,
        "kind": d.kind,
        "age_days": max((ports.now() - d.since).days, 0),
        "owner": d.owner,
        "found": d.found,
        "subject": d.subject,
        **{side: None if a is None else format_amount(a) for side, a in amounts.items()},
        "currency": d.currency,
        "since": d.since.isoformat(),
        "found_at": d.found_at.isoformat(),
    }


_SHOWN = ("difference", "source", "scope", "kind", "age_days", "owner", "found", "subject")


def _table(title: str, rows: Sequence[dict[str, Any]]) -> Any:
    columns = [name.replace("_", " ") + (">" if name == "age_days" else "") for name in _SHOWN]
    return table(title, columns, [tuple(row[name] for name in _SHOWN) for row in rows])


def _tell(ports: Ports, outcome: Outcome, head: dict[str, Any], *, as_json: bool) -> None:
    """Print what a run came to; what is open that was not ends the command with 4."""
    rows = [_row(ports, d) for d in outcome.found]
    counts = {"standing": outcome.standing, "cleared": outcome.cleared}
    emit({**head, **counts, "found": rows}, lambda: _print(head, counts, rows), as_json=as_json)
    if rows:
        raise typer.Exit(Exit.FOUND)


def _print(head: dict[str, Any], counts: dict[str, int], rows: Sequence[dict[str, Any]]) -> None:
    out.print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in head.items()) + ".")
    out.print(f"{counts['standing']} were open before, {counts['cleared']} are closed by rule.")
    out.print(_table("New differences", rows) if rows else "Nothing new differs.")
