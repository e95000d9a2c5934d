"""`monitor`: actual returns beside what chance allows, outcomes, alerts and their findings."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import typer

from ledger.domain import commands as cmd
from ledger.domain.money import format_amount
from ledger.files import write_whole
from ops import workers as wiring
from ops.cli.inputs import CommandId, day_of, sentence_of, uuid_of, word_of
from ops.cli.output import Json, answered, emit, out, table
from ops.cli.wiring import desk, settings
from workers.days import Days, day_of as business_day
from workers.log import connected, transaction
from workers.monitoring.course import course
from workers.monitoring.looks import THRESHOLDS
from workers.monitoring.standing import Apart, Outcomes, Returns, outcomes, periods, returns
from workers.ports import Ports
from workers.projections import rtp
from workers.projections.base import find
from workers.projections.rtp_alerts import ALERTS
from workers.reports.render import percent

app = typer.Typer(
    help="Returns and outcomes held against chance.", no_args_is_help=True, add_completion=False
)

SheetName = Annotated[str | None, typer.Argument(metavar="[SHEET]", help="Else all.")]
Day = Annotated[
    date | None,
    typer.Option("--day", parser=day_of, metavar="DAY", help="Up to which; else today."),
]
By = Annotated[Literal["sheet", "level", "channel"], typer.Option("--by", help="Told apart by.")]

_RETURNS: Final = (
    "sheet", "version>", "currency", "period", "rounds>", "draws>", "turnover>", "returned>",
    "actual %>", "theoretical %>", "z>", "95 %>", "99 %>", "state",
)  # fmt: skip
_OUTCOMES: Final = ("sheet", "version>", "table", "draw", "draws>", "chi-square>", "p>", "ln e>")


@app.command("show", epilog="Example: contoposta monitor show european-roulette-classic --by level")
def show(
    sheet: SheetName = None, *, day: Day = None, by: By = "sheet", as_json: Json = False
) -> None:
    """Tell returns of the day, of 30 days and since the start, and outcomes since the start."""
    ports = wiring.ports(settings())
    last = day or business_day(ports.now())
    apart = None if by == "sheet" else by
    with connected(ports, "reader") as connection, transaction(connection, frozen=True) as cursor:
        progress = find(cursor, ports.book, rtp.PROJECTION.name)
        stands = [
            _told(name, key, row)
            for name, days in periods(last).items()
            for key, row in returns(cursor, ports, days, apart).items()
        ]
        fell = outcomes(cursor, ports, Days(date.min, last))
    document = {
        "day": last.isoformat(),
        "events": progress.position if progress else 0,
        "returns": [row for row in stands if sheet in (None, row["sheet"])],
        "outcomes": [_fell(key, row) for key, row in fell.items() if sheet in (None, key[0])],
    }
    _require_some(ports, sheet, document)
    emit(document, lambda: _print(document, apart), as_json=as_json)


def _require_some(ports: Ports, sheet: str | None, document: Mapping[str, Any]) -> None:
    """Say so where a sheet was asked for that nothing is known of."""
    if sheet is not None and not document["returns"]:
        raise typer.BadParameter(
            f"No round of {sheet} is projected in the book {ports.book} up to "
            f"{document['day']}; seal and project first, or look up the sheet's name with "
            "contoposta sheets."
        )


def _told(period: str, key: tuple[Any, ...], row: Returns) -> dict[str, Any]:
    sheet, version, currency, *more = key
    bands = {f"tolerance_{grade}": _share(row.tolerance(grade)) for grade in THRESHOLDS}
    return {
        "sheet": sheet, "version": version, "currency": currency, "period": period,
        **({"of": more[0]} if more else {}),
        "rounds": row.rounds, "draws": row.draws or None, "turnover": format_amount(row.turnover),
        "returned": format_amount(row.returned),
        "actual": _percent(row.actual), "theoretical": _percent(row.theoretical),
        "z": None if row.z is None else round(row.z, 3), **bands, "state": row.state,
    }  # fmt: skip


def _fell(key: tuple[Any, ...], row: Outcomes) -> dict[str, Any]:
    sheet, version, live_table, draw = key
    found = row.tested
    return {
        "sheet": sheet, "version": version, "table": live_table or None, "draw": draw,
        "draws": row.total, "chi_square": found and round(found.value, 3),
        "freedom": found and found.freedom, "p": found and round(found.p, 6),
        "evidence": round(row.evidence, 3), "counts": dict(row.counts),
    }  # fmt: skip


def _percent(ratio: Fraction | None) -> str | None:
    return None if ratio is None else percent(ratio)


def _share(tolerance: float | None) -> str | None:
    return None if tolerance is None else f"{100 * tolerance:.4f}"


def _print(document: Mapping[str, Any], apart: Apart | None) -> None:
    more = () if apart is None else (apart,)
    columns = (*_RETURNS[:4], *more, *_RETURNS[4:])
    out.print(table("Returns", columns, [tuple(row.values()) for row in document["returns"]]))
    hidden = ("freedom", "counts")
    rows = [[v for k, v in row.items() if k not in hidden] for row in document["outcomes"]]
    out.print(table("Outcomes since the start", _OUTCOMES, rows))


@app.command("alerts", epilog="Example: contoposta monitor alerts --all")
def alerts(
    *,
    every: Annotated[bool, typer.Option("--all", help="Those with a finding too.")] = False,
    as_json: Json = False,
) -> None:
    """List the alerts that wait for a finding."""
    ports = wiring.ports(settings())
    with connected(ports, "reader") as connection, transaction(connection, frozen=True) as cursor:
        found = [
            dict(zip(ALERTS.columns, row, strict=True)) for row in ALERTS.all(cursor, ports.book)
        ]
    rows = [row for row in found if every or row["acknowledged_at"] is None]
    columns = ("alert", "raised_at", "grade", "statistic", "sheet", "subject", "period",
               "last_day", "value", "threshold", "rounds", "person", "finding")  # fmt: skip
    document = [{name: _text(value) for name, value in row.items()} for row in rows]
    made = table("Alerts", columns, [tuple(row[c] for c in columns) for row in document])
    emit(document, lambda: out.print(made), as_json=as_json)


def _text(value: object) -> object:
    return value if value is None or isinstance(value, int) else str(value)


@app.command("acknowledge", epilog="Example: contoposta monitor acknowledge ALERT "
             '--by "Ada Neri" --finding "separator worn, wheel replaced"')  # fmt: skip
def acknowledge(
    alert: Annotated[UUID, typer.Argument(parser=uuid_of, metavar="ALERT", help="A UUID.")],
    *,
    person: Annotated[str, typer.Option("--by", parser=word_of, help="Who looked into it.")],
    finding: Annotated[
        str, typer.Option("--finding", parser=sentence_of, metavar="TEXT", help="What was found.")
    ],
    command_id: CommandId,
    as_json: Json = False,
) -> None:
    """Record what a named person found of an alert; its counting begins anew on the next day."""
    head = desk().head(command_id)
    command = cmd.AcknowledgeRtpAlert(**head, alert=alert, person=person, finding=finding)
    answered(desk().handle(command), "The finding is on record.", as_json=as_json)


@app.command("plot", epilog="Example: contoposta monitor plot european-roulette-classic rtp.svg")
def plot(
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="A rule sheet.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .svg or .png.")],
    *,
    version: Annotated[int, typer.Option(min=1, help="Of the sheet.")] = 1,
    day: Day = None,
    as_json: Json = False,
) -> None:
    """Draw the actual return over rounds beside the theoretical one and its bands."""
    if file.suffix not in (".svg", ".png"):
        raise typer.BadParameter("Give a file whose name ends in .svg or .png.")
    if file.is_dir():
        raise typer.BadParameter(f"{file.resolve()} is a folder; name a file.")
    if not file.resolve().parent.is_dir():
        raise typer.BadParameter(f"There is no folder {file.resolve().parent}.")
    from ops.plots import drawn  # noqa: PLC0415 - what draws is slow to import

    ports = wiring.ports(settings())
    last = day or business_day(ports.now())
    with connected(ports, "reader") as connection, transaction(connection, frozen=True) as cursor:
        found = course(cursor, ports, (sheet, version), last)
    if found is None:
        raise typer.BadParameter(
            f"No round of {sheet} version {version} is projected up to {last}."
        )
    write_whole(file, drawn(found, file.suffix.removeprefix(".")))
    document = {"file": str(file), "rounds": found.points[-1].rounds, "day": last.isoformat()}
    emit(document, lambda: out.print(str(file)), as_json=as_json)
