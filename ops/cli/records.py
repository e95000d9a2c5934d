"""`report es`, `report nl`: records for foreign authorities, one command for each of them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ledger.domain.refusals import NOTHING_WRITTEN, Refusal
from ops import workers as wiring
from ops.cli.inputs import day_of, sentence_of
from ops.cli.output import Exit, Json, emit, out, refuse, table
from ops.cli.progress import bar
from ops.cli.wiring import settings
from ops.settings import PREFIX, Settings, SettingsError
from workers.ports import Ports
from workers.regulators.authority import Authority, Period, Profile
from workers.regulators.due import Registered, register, release_due
from workers.regulators.profiles import ProfileError, read_profile
from workers.regulators.registry import AUTHORITIES
from workers.regulators.release import Blocked, Order, Written, release
from workers.regulators.xml import SchemaError

UNCHECKED: Final = (
    "Checked by our own controls alone: no schema was given. Give one with --schema, or set "
    f"{PREFIX}SCHEMAS."
)


def month_of(text: str) -> date:
    """The first day of a month such as 2026-11."""
    try:
        return day_of(f"{text}-01")
    except typer.BadParameter:
        raise typer.BadParameter("Give a month such as 2026-11.") from None


def add_records(group: typer.Typer) -> None:
    """Give a group of commands one for each authority."""
    for authority in AUTHORITIES:
        unit = authority.units[-1]
        example = {"day": "--day 2026-11-30", "month": "--month 2026-11"}[unit]
        epilog = f"Example: contoposta report {authority.code} {example}"
        group.command(authority.code, epilog=epilog, help=_help(authority))(_command(authority))
    group.command("records", epilog="Example: contoposta report records")(records)


def records(*, as_json: Json = False) -> None:
    """List what was released for authorities, and what controls blocked when it was due."""
    lines = register(wiring.ports(settings()))
    document = [{**asdict(line), "at": line.at.isoformat()} for line in lines]
    rows = [(e.authority, e.period, e.edition or "blocked", e.at, _in_words(e)) for e in lines]
    columns = ("authority", "period", "edition>", "at", "files or findings")
    emit(document, lambda: out.print(table("Records", columns, rows)), as_json=as_json)


def _in_words(line: Registered) -> str:
    if line.edition is not None:
        return ", ".join(line.told)
    return "; ".join(f"{f['check']} {f['place']}: {f['found']}" for f in line.told)


def release_all(ports: Ports) -> Mapping[str, int]:
    """Release all that is due for every authority, as the workers do.

    Raises `SettingsError` where the settings keep them from it.
    """
    try:
        return release_due(ports)
    except OSError as error:
        raise SettingsError(f"{PREFIX}AUTHORITIES cannot be read: {error.strerror}.") from None
    except (ProfileError, SchemaError) as error:
        raise SettingsError(str(error)) from None


def _help(authority: Authority) -> str:
    return (
        f"Release the records of a period: {authority.title}, days of {authority.zone}. "
        "A failing control blocks them (exit code 4); the same period again has the same bytes."
    )


def _command(authority: Authority) -> Callable[..., None]:
    def records(  # noqa: PLR0913 - one option for each thing that may be asked for
        day: Annotated[
            date | None, typer.Option("--day", parser=day_of, metavar="DAY", help="Of this day.")
        ] = None,
        month: Annotated[
            date | None,
            typer.Option("--month", parser=month_of, metavar="MONTH", help="Of this month."),
        ] = None,
        *,
        target: Annotated[
            Path | None,
            typer.Option("--out", metavar="DIR", file_okay=False, help="Else among the reports."),
        ] = None,
        schemas: Annotated[
            Path | None,
            typer.Option(
                "--schema", metavar="DIR", exists=True, file_okay=False, help="Validate by these."
            ),
        ] = None,
        rectifies: Annotated[
            str | None,
            typer.Option(
                "--rectify",
                parser=sentence_of,
                metavar="REASON",
                help="Replace what was released, and name it in each record.",
            ),
        ] = None,
        as_json: Json = False,
    ) -> None:
        given = settings()
        order = Order(
            _period(authority, day, month),
            _profile(authority, given),
            target or given.reports / authority.code,
            schemas or (given.schemas and given.schemas / authority.code),
            rectifies,
        )
        _told(authority, order, _release(given, authority, order), as_json=as_json)

    return records


def _period(authority: Authority, day: date | None, month: date | None) -> Period:
    """The one period that was asked for, of a kind that the authority takes."""
    wanted = [(u, first) for u, first in (("day", day), ("month", month)) if first is not None]
    known = [unit for unit in authority.units if unit in dict(wanted)]
    if len(wanted) != 1 or not known:
        options = " or ".join(f"--{unit}" for unit in authority.units)
        raise typer.BadParameter(f"Give one period, with {options}.")
    return Period(known[0], wanted[0][1], authority.zone)


def _profile(authority: Authority, given: Settings) -> Profile:
    path = given.authorities
    if path is None:
        raise SettingsError(
            f"{PREFIX}AUTHORITIES is not set: give the path of a JSON file with an entry "
            f'"{authority.code}".'
        )
    try:
        return read_profile(authority, path.read_bytes())
    except OSError as error:
        raise SettingsError(f"{PREFIX}AUTHORITIES cannot be read: {error.strerror}.") from None
    except ProfileError as error:
        raise SettingsError(str(error)) from None


def _release(given: Settings, authority: Authority, order: Order) -> Written | Blocked | Refusal:
    with bar() as shown:
        shown.add_task(f"records {authority.code} {order.period.name}", total=None)
        try:
            return release(wiring.ports(given), authority, order)
        except SchemaError as error:
            raise typer.BadParameter(str(error)) from None


def _told(
    authority: Authority, order: Order, done: Written | Blocked | Refusal, *, as_json: bool
) -> None:
    if isinstance(done, Refusal):
        refuse(done, as_json=as_json)
    document: dict[str, Any] = {
        "authority": authority.code,
        "period": order.period.name,
        "validated": order.schemas is not None,
    }
    if isinstance(done, Blocked):
        findings = [f.document() for f in done.findings]
        rows = [tuple(f.values()) for f in findings]
        made = table(f"Blocked. {NOTHING_WRITTEN}", ("control", "place", "found"), rows)
        emit({**document, "findings": findings}, lambda: out.print(made), as_json=as_json)
        raise typer.Exit(Exit.FOUND)
    paths = [str(path) for path in done.paths]
    document |= {"edition": done.edition, "sequence": done.sequence, "files": paths, "findings": []}
    checked = UNCHECKED if order.schemas is None else f"Valid by the schemas in {order.schemas}."
    emit(document, lambda: out.print("\n".join((*paths, checked))), as_json=as_json)
