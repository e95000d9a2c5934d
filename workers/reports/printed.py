"""Reports as PDF for people: the card, then each section as a table with its totals.

Numbers and times are written as in the Italian profile. Every row is printed; only of a section
with more than `ROWS_MAX` the rest is left out, and the page says which rows and where they are, and
its totals are over all. A ratio is printed as a percentage alone; its exact pair is in the other
files.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from workers.reports.parts import Heading, Paragraph, Part, Table
from workers.reports.render import ITALIAN, Show, shown
from workers.reports.table import NO_ACTIVITY, Kind, Line, Report, Section

ROWS_MAX: Final = 50_000
"""Most lines of a section that are printed, besides its totals: some 2,000 pages."""

_PRINTED: Final[Mapping[Kind, Show]] = {**ITALIAN, Kind.TEXT: str}
"""As in the Italian profile, but that no text can be a formula on paper."""

_LEFT_OUT: Final = (
    "{cut} lines of this section are not printed here: those after line {most}, up to line {last}. "
    "All of them are in the CSV and JSON files of this report, in the section {name}."
)
_EXACT: Final = ("_numerator", "_denominator")
"""How the columns of a ratio's exact pair end."""
_NUMBERS: Final = frozenset({Kind.COUNT, Kind.MONEY, Kind.PERCENT})


def as_pdf(report: Report) -> bytes:
    """A PDF file; the same report is the same bytes."""
    from workers.reports.pdf import Paper, pdf  # noqa: PLC0415 - few commands print, all wait

    told = {field.name: shown(_PRINTED, field.kind, field.value) for field in report.card}
    foot = f"checkpoint {told['checkpoint_size']}, {told['checkpoint_root']}"
    mark = "" if told["clock"] == "real" else f"{told['clock']} clock"
    paper = Paper(told["title"], "en", mark=mark, foot=foot, wide=True)
    return pdf(paper, (Heading(told["title"]), _card(told), *_sections(report)))


def _card(told: Mapping[str, str]) -> Table:
    return Table(("report card", ""), tuple((_words(name), text) for name, text in told.items()))


def _sections(report: Report) -> Iterator[Part]:
    for section in report.sections:
        yield Heading(_words(section.name), 2)
        if section.lines:
            lines, cut = _cut(section.lines)
            yield _table(section, lines)
            if cut:
                places = {"most": ROWS_MAX, "last": ROWS_MAX + cut, "name": section.name}
                yield Paragraph(_LEFT_OUT.format(cut=cut, **places))
        else:
            yield Paragraph(NO_ACTIVITY)


def _cut(lines: Sequence[Line]) -> tuple[Sequence[Line], int]:
    """The lines that are printed, totals always; and how many are not."""
    rest = lines[ROWS_MAX:]
    totals = [line for line in rest if line.line == "total"]
    return (*lines[:ROWS_MAX], *totals), len(rest) - len(totals)


def _table(section: Section, lines: Sequence[Line]) -> Table:
    kept = [(n, c) for n, c in enumerate(section.columns) if not c.name.endswith(_EXACT)]
    names = (_words(c.name) + (">" if c.kind in _NUMBERS else "") for _, c in kept)
    rows = (
        (
            "" if line.line == "row" else line.line,
            *(shown(_PRINTED, column.kind, line.cells[place]) for place, column in kept),
        )
        for line in lines
    )
    return Table(("", *names), tuple(rows))


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")
