"""Reports as files: CSV for machines, CSV for Excel in Italy, and JSON (fault S20).

Machines get a comma, a dot, ISO times and no byte order mark, and read back exactly what was
written. Excel in Italy gets a byte order mark, a semicolon and a decimal comma, and text that it
would take for a formula, a number or a date is made plain text, while numbers, negative ones too,
stay numbers.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import orjson

from ledger.domain.money import format_amount
from workers.days import ZONE
from workers.reports.table import NO_ACTIVITY, Cell, Kind, Report, Section

PERCENT_PLACES: Final = 4
_FORMULA: Final = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a text begins that a spreadsheet may compute: blanks and wide signs do not save it."""
_MONTH: Final = (
    "gen(?:naio)?|feb(?:braio)?|mar(?:zo)?|apr(?:ile)?|mag(?:gio)?|giu(?:gno)?"
    "|lug(?:lio)?|ago(?:sto)?|set(?:tembre)?|ott(?:obre)?|nov(?:embre)?|dic(?:embre)?"
)
_GUESSED: Final = re.compile(
    rf"(?=.*\d)[\d\s.,:/\-%()$\u20ac]*(?:(?:{_MONTH})[\d\s.,:/\-]*|(?<=\d)e[+-]?\d+)?",
    re.ASCII | re.IGNORECASE,
)
"""A text of digits and marks, or with a month's name, of which a spreadsheet would make a number,
a date or a time: a pseudonym such as mar-5 too."""
_BOM: Final = "\ufeff"
_SCALE: Final = 10**PERCENT_PLACES
_ROME: Final = ZoneInfo(ZONE)

Show = Callable[[Any], str]


def percent(ratio: Fraction) -> str:
    """A ratio as a percentage with four decimals, half up: 36/37 is ``97.2973``."""
    scaled = ratio * 100 * _SCALE
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign, whole = ("-", -rounded) if rounded < 0 else ("", rounded)
    return f"{sign}{whole // _SCALE}.{whole % _SCALE:0{PERCENT_PLACES}d}"


def _comma(text: str) -> str:
    return text.replace(".", ",")


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula, a number or a date."""
    return f"'{text}" if _FORMULA.match(text) or _GUESSED.fullmatch(text) else text


def _italian_time(instant: datetime) -> str:
    return instant.astimezone(_ROME).strftime("%d/%m/%Y %H:%M:%S")


MACHINE: Final[Mapping[Kind, Show]] = {
    Kind.TEXT: str,
    Kind.COUNT: str,
    Kind.MONEY: format_amount,
    Kind.DAY: date.isoformat,
    Kind.INSTANT: datetime.isoformat,
    Kind.PERCENT: percent,
}

ITALIAN: Final[Mapping[Kind, Show]] = {
    Kind.TEXT: _plain,
    Kind.COUNT: str,
    Kind.MONEY: lambda minor: _comma(format_amount(minor)),
    Kind.DAY: lambda day: f"{day:%d/%m/%Y}",
    Kind.INSTANT: _italian_time,
    Kind.PERCENT: lambda ratio: _comma(percent(ratio)),
}


def machine_csv(report: Report) -> bytes:
    """CSV by RFC 4180 in UTF-8; each line begins with the name of its section and its own kind."""
    return _written(_lines(report, MACHINE), ",").encode()


def italian_csv(report: Report) -> bytes:
    """CSV that Excel opens in Italy; times are those of Rome."""
    return (_BOM + _written(_lines(report, ITALIAN), ";")).encode()


def as_json(report: Report) -> bytes:
    """One JSON document; money and percentages are text, because JSON's numbers are not exact."""
    document = {
        "card": {f.name: _json_cell(f.kind, f.value) for f in report.card},
        "sections": [_json_section(s) for s in report.sections],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def shown(show: Mapping[Kind, Show], kind: Kind, cell: Cell) -> str:
    """A cell as a profile writes it; nothing where there is none."""
    return "" if cell is None else show[kind](cell)


def _lines(report: Report, show: Mapping[Kind, Show]) -> Iterator[list[str]]:
    for field in report.card:
        yield ["card", field.name, shown(show, field.kind, field.value)]
    for section in report.sections:
        yield [section.name, "header", *(column.name for column in section.columns)]
        for line in section.lines:
            pairs = zip(section.columns, line.cells, strict=True)
            yield [section.name, line.line, *(shown(show, c.kind, cell) for c, cell in pairs)]
        if not section.lines:
            yield [section.name, "note", NO_ACTIVITY]


def _written(lines: Iterator[list[str]], separator: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows(lines)
    return text.getvalue()


def _json_cell(kind: Kind, cell: Cell) -> int | str | None:
    if cell is None or kind is Kind.COUNT:
        return cast("int | None", cell)
    return MACHINE[kind](cell)


def _json_section(section: Section) -> dict[str, Any]:
    kinds = [column.kind for column in section.columns]
    names = [column.name for column in section.columns]
    lines = [
        {
            "line": line.line,
            **{
                name: _json_cell(kind, cell)
                for name, kind, cell in zip(names, kinds, line.cells, strict=True)
            },
        }
        for line in section.lines
    ]
    return {"name": section.name, "lines": lines, **({} if lines else {"note": NO_ACTIVITY})}
