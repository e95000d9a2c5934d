"""The tables of a report: lines as they must be, lines as they are told, and the same in CSV."""

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final
from zoneinfo import ZoneInfo

from ledger.exports.verifier.totals import Key, Sums, add, sums_of
from ledger.exports.verifier.verdict import Fields

COUNTS: Final = frozenset({
    "rounds", "bets", "void_rounds", "void_bets", "double_ups", "bonuses",
})  # fmt: skip
"""Figures that are counted; the others are money."""
RATIO: Final = ("rtp_numerator", "rtp_denominator", "rtp_percent")
"""Columns of the actual return, which follows from turnover and what was returned."""
LINES: Final = ("row", "subtotal", "total")
TOGETHER: Final = "all rows"
"""Stands for the sum of a section's rows, where those themselves are not known."""
_HEADER: Final = "header"
_NOTHING: Final = (0, "0.00", None, "yes")
_ROME: Final = ZoneInfo("Europe/Rome")

Cells = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A section: its name, keys and columns, and its lines by the kind of line and keys."""

    name: str
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    lines: Mapping[Key, Cells]
    kinds: Collection[str] = LINES
    """Which kinds of lines are compared."""
    repeats: bool = False
    """Whether lines may differ in columns that are not compared alone."""
    sums: bool = True
    """Whether a line of nothing may be there or not; a row that lists something must be there."""
    skips: Collection[str] = ()
    """Sessions of which nothing is expected, whatever is told."""

    def differences(self, told: Sequence[Fields]) -> Iterator[str]:
        """What a report's section tells otherwise; a line of nothing may be there or not."""
        found: dict[Key, Cells] = {}
        seen: set[Cells] = set()
        if TOGETHER in self.kinds:
            told = [*told, *self._together(told)]
        for line in told:
            place = (line["line"], *(line[key] for key in self.keys))
            if place[0] not in self.kinds or line.get("session") in self.skips:
                continue
            whole = tuple(line.values()) if self.repeats else place
            if whole in seen:
                yield f"{_words(place)} stands twice"
            seen.add(whole)
            found[place] = tuple(line[column] for column in self.columns)
        lines = {place: cells for place, cells in self.lines.items() if place[0] in self.kinds}
        for place in sorted({*found, *lines}, key=str):
            expected, actual = lines.get(place), found.get(place)
            is_nothing = self.sums and _is_nothing(expected) and _is_nothing(actual)
            if expected != actual and not is_nothing:
                yield f"{_words(place)} tells {_words(actual)}, expected {_words(expected)}"

    def _together(self, told: Sequence[Fields]) -> Iterator[Fields]:
        """The sum of a section's rows by currency, as one more line."""
        sums = sums_of(self.columns)
        for line in told:
            if line["line"] == "row":
                figures = [int(str(line[c]).replace(".", "")) for c in self.columns]
                add(sums[line["currency"],], figures)
        for (currency,), figures in sums.items():
            shown = zip(self.columns, _cells(figures, self.columns), strict=True)
            yield {"line": TOGETHER, "currency": currency, **dict(shown)}


def summed(
    name: str,
    keys: tuple[str, ...],
    names: tuple[str, ...],
    sums: Sums,
    counts: Collection[str] = COUNTS,
) -> Table:
    """A section of rows, with a subtotal for each first key and currency, and totals."""
    lines: Sums = {("row", *key): figures for key, figures in sums.items()}
    more = sums_of(names)
    for key, figures in sums.items():
        blank, currency = [None] * (len(key) - 2), key[-1]
        add(more["subtotal", key[0], *blank, currency], figures)
        add(more["total", None, *blank, currency], figures)
    has_ratio = "void_bets" in names
    cells = {key: _cells(f, names, counts) for key, f in {**lines, **more}.items()}
    if has_ratio:
        cells = {key: (*cells[key], *_ratio(names, f)) for key, f in {**lines, **more}.items()}
    return Table(name, keys, (*names, *(RATIO if has_ratio else ())), cells)


def control(columns: tuple[str, ...], figures: Mapping[str, Sequence[int]]) -> Table:
    """The section that ties a report to the journal: a row of money for each currency."""
    lines = {("row", currency): (*map(money, told), "yes") for currency, told in figures.items()}
    return Table("control", ("currency",), (*columns, "ties"), lines)


def totals(name: str, names: tuple[str, ...], sums: Sums) -> Table:
    """A section whose rows are not known: its totals, and what its rows come to, by currency."""
    kinds, together = ("total", TOGETHER), sums_of(names)
    for key, figures in sums.items():
        for kind in kinds:
            add(together[kind, key[-1]], figures)
    lines = {key: _cells(figures, names) for key, figures in together.items()}
    return Table(name, ("currency",), names, lines, kinds)


def _cells(
    figures: Iterable[int], names: tuple[str, ...], counts: Collection[str] = COUNTS
) -> Cells:
    told = zip(names, figures, strict=True)
    return tuple(value if name in counts else money(value) for name, value in told)


def _ratio(names: tuple[str, ...], told: Iterable[int]) -> Cells:
    """The actual return as its exact pair, and in percent."""
    figures = dict(zip(names, told, strict=True))
    if not figures["turnover"]:
        return None, None, None
    exact = Fraction(figures["returned"], figures["turnover"])
    return exact.numerator, exact.denominator, percent(exact)


def percent(exact: Fraction) -> str:
    """A ratio as a report writes it: in percent with four decimals, half up."""
    scaled = (2 * exact.numerator * 1_000_000 + exact.denominator) // (2 * exact.denominator)
    return f"{scaled // 10_000}.{scaled % 10_000:04d}"


def money(minor: int) -> str:
    """Minor units as a report writes them."""
    sign, absolute = ("-", -minor) if minor < 0 else ("", minor)
    return f"{sign}{absolute // 100}.{absolute % 100:02d}"


def _is_nothing(cells: Cells | None) -> bool:
    return all(cell in _NOTHING for cell in cells or ())


def _words(cells: Cells | None) -> str:
    return "nothing" if cells is None else " ".join("-" if c is None else str(c) for c in cells)


def csv_differences(document: Fields, machine: bytes, italian: bytes) -> Iterator[str]:
    """Whether both renderings in CSV say what the document says; where they first do not."""
    expected = list(_rows(document))
    same: Callable[[str, str], bool]
    for ending, content, mark, same in (
        ("csv", machine, ",", str.__eq__),
        ("it.csv", italian.removeprefix(b"\xef\xbb\xbf"), ";", _same),
    ):
        rows = csv.reader(io.StringIO(content.decode(), newline=""), delimiter=mark)
        found = list(rows)
        if len(found) != len(expected):
            yield f"the {ending} has {len(found)} lines, expected {len(expected)}"
        for number, (row, must) in enumerate(zip(found, expected, strict=False), 1):
            cells = row[: len(must)] if must[1:] == [_HEADER] else row
            if len(must) != len(cells) or not all(map(same, cells, must)):
                yield f"the {ending} tells something else on line {number}"
                break


def _rows(document: Fields) -> Iterator[list[str]]:
    """The lines of the CSV for machines, as the document says them.

    It does not say the names of the columns where there are no lines.
    """
    for name, value in document["card"].items():
        yield ["card", name, _text(value)]
    for section in document["sections"]:
        columns = [*section["lines"][0]] if section["lines"] else ["line"]
        yield [section["name"], _HEADER, *columns[1:]]
        if not section["lines"]:
            yield [section["name"], "note", section["note"]]
        for line in section["lines"]:
            if [*line] != columns or line["line"] not in LINES:
                raise ValueError("it is no line of its section")
            yield [section["name"], *map(_text, line.values())]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _same(italian: str, machine: str) -> bool:
    """Whether a cell for Excel in Italy says what one for machines says."""
    ways = {machine, f"'{machine}", machine.replace(".", ",")}
    return italian in ways or italian in _italian_times(machine)


def _italian_times(machine: str) -> Iterator[str]:
    try:
        moment = datetime.fromisoformat(machine)
    except ValueError:
        return
    yield f"{moment:%d/%m/%Y}"
    if moment.tzinfo is not None:
        yield f"{moment.astimezone(_ROME):%d/%m/%Y %H:%M:%S}"
