"""Reading a payment provider's statement: strictly, line by line, or not at all.

A line that cannot be read is never skipped or guessed: the statement is refused with the numbers of
the lines at fault, so that nothing is concluded from a part of it. It is read as a stream: only
what is told of lines at fault is kept, and how many lines without a reference are alike.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice
from typing import BinaryIO, Final

from pydantic import TypeAdapter, ValidationError

from ledger.domain.days import YEARS
from ledger.domain.events import Way
from ledger.domain.ids import Word
from ledger.domain.money import AMOUNT_MAX, MINOR_PER_MAJOR
from ledger.reconciliation.mapping import StatementError, StatementMapping

ERRORS_TOLD: Final = 10
"""How many lines at fault are told at once."""

_WORD: Final = TypeAdapter[str](Word)
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment as one side has it; the amount in minor units of the currency."""

    way: Way
    reference: str
    amount: int
    currency: str
    at: datetime
    number: int = 0
    """The line of the statement; 0 for the book's own."""

    @property
    def key(self) -> tuple[Way, str]:
        """What both sides know it by: a provider numbers what comes in and goes out apart."""
        return self.way, self.reference


def read_statement(file: BinaryIO, mapping: StatementMapping) -> Iterator[Payment]:
    """The payments of a statement, line by line; the file is closed when they were read.

    After the last line a `StatementError` tells the lines at fault, if there are any: nothing may
    be concluded from what came before it.
    """
    rows = _Rows(file, mapping)
    yield from _with_references(line for row in rows if (line := rows.read(row)) is not None)
    if rows.faults:
        more = rows.faults - len(rows.wrong)
        told = [*rows.wrong, *([f"and {more} more lines"] if more > 0 else [])]
        raise StatementError(f"The statement cannot be read: {'; '.join(told)}.")


class _CellError(ValueError):
    """What is wrong in a line."""


@dataclass(slots=True)
class _Rows:
    """The lines below the header, each with its number in the file."""

    file: BinaryIO
    mapping: StatementMapping
    wrong: list[str] = field(default_factory=list)
    """What is told of lines at fault: of the first ones."""
    faults: int = 0
    """How many lines are at fault."""
    _places: dict[str, int] = field(default_factory=dict)
    _width: int = 0

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        text = _text_lines(self.file, self.mapping.encoding)
        for _ in islice(text, self.mapping.skip_lines):
            pass
        reader = csv.reader(text, delimiter=self.mapping.delimiter, strict=True)
        skipped = self.mapping.skip_lines
        try:
            self._head(next(reader, []), skipped + 1)
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield skipped + reader.line_num, cells
        except csv.Error as error:
            self._fault(skipped + reader.line_num, str(error))

    def _fault(self, number: int, told: str) -> None:
        self.faults += 1
        if self.faults <= ERRORS_TOLD:
            self.wrong.append(f"line {number}: {told}")

    def _head(self, cells: Sequence[str], number: int) -> None:
        names = [cell.strip() for cell in cells]
        missing = [n for n in self.mapping.named if names.count(n) != 1]
        if missing:
            raise StatementError(
                f"The header in line {number} must have once each: {', '.join(missing)}."
            )
        self._places = {name: names.index(name) for name in self.mapping.named}
        self._width = len(names)

    def read(self, row: tuple[int, list[str]]) -> Payment | None:
        """A line as a payment; None for what moves nothing or is to be ignored."""
        number, cells = row
        if len(cells) != self._width:
            self._fault(number, f"{len(cells)} cells, and the header has {self._width}")
            return None
        try:
            return _payment(number, {n: cells[p].strip() for n, p in self._places.items()},
                            self.mapping)  # fmt: skip
        except _CellError as wrong:
            self._fault(number, str(wrong))
            return None


def _text_lines(file: BinaryIO, encoding: str) -> Iterator[str]:
    """The lines of a text with their ends, without the byte order mark."""
    read = 0
    try:
        with io.TextIOWrapper(file, encoding, newline="") as text:
            for line in text:
                read += 1
                yield line.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}") if read == 1 else line
    except UnicodeDecodeError as error:
        # The bytes at fault begin within the line after the last one that was whole.
        wrong = read + 1 + error.object.count(b"\n", 0, error.start)
        raise StatementError(f"Line {wrong} of the statement is not in {encoding}.") from None


def _payment(number: int, cells: dict[str, str], mapping: StatementMapping) -> Payment | None:
    columns = mapping.columns
    told = mapping.ways.get(cells[columns.way]) if columns.way else mapping.positive
    if told is None:
        raise _CellError(f"the mapping has no way for {cells[columns.way or '']!r}")
    if told == "ignore":
        return None
    amount = _signed(cells, mapping)
    if amount == 0:
        return None
    if columns.way and told == "deposit" and amount < 0:
        raise _CellError(f"a minus stands before an amount that came in: {cells[columns.way]!r}")
    way: Way = told if columns.way or amount > 0 else _OTHER[told]
    currency = cells[columns.currency].upper() if columns.currency else mapping.currency
    if currency is None or not _CURRENCY.fullmatch(currency):
        raise _CellError(f"{currency!r} is no currency such as EUR")
    at = _moment(cells, mapping)
    return Payment(way, _reference(cells, mapping), abs(amount), currency, at, number)


_OTHER: Final[dict[Way, Way]] = {"deposit": "withdrawal", "withdrawal": "deposit"}


def _signed(cells: dict[str, str], mapping: StatementMapping) -> int:
    """What came in, or with a minus what went out, as the statement says it."""
    columns = mapping.columns
    if columns.amount is not None:
        return _amount(cells[columns.amount], mapping)
    sides = [(cells[columns.credit or ""], 1), (cells[columns.debit or ""], -1)]
    told = [(text, sign) for text, sign in sides if text]
    if len(told) != 1:
        raise _CellError(f"{columns.credit} and {columns.debit} must have one amount together")
    (text, sign), *_ = told
    amount = _amount(text, mapping)
    if sign > 0 > amount:
        raise _CellError(f"a minus stands before what came in: {text!r} in {columns.credit}")
    return abs(amount) * sign


def _amount(text: str, mapping: StatementMapping) -> int:
    """Signed minor units; marks of thousands must stand where thousands end."""
    group, mark = re.escape(mapping.grouping_mark), re.escape(mapping.decimal_mark)
    whole = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]{{1,14}}" if group else "[0-9]{1,14}"
    match = re.fullmatch(rf"([+-]?)({whole})(?:{mark}([0-9]{{1,2}}))?", text)
    if match is None:
        raise _CellError(f"{text!r} is no amount with {mapping.decimal_mark!r} as decimal mark")
    digits = match[2].replace(mapping.grouping_mark, "") if group else match[2]
    minor = int(digits) * MINOR_PER_MAJOR + int((match[3] or "").ljust(2, "0"))
    if minor > AMOUNT_MAX:
        raise _CellError(f"{text!r} is too large")
    return -minor if match[1] == "-" else minor


def _moment(cells: dict[str, str], mapping: StatementMapping) -> datetime:
    """The moment in UTC; an hour that a change of clocks leaves out never was."""
    text = " ".join(cells[name] for name in mapping.columns.moment)
    try:
        read = datetime.strptime(text, mapping.moment_format)  # noqa: DTZ007 - its zone is next
    except ValueError:
        raise _CellError(f"{text!r} is no moment as {mapping.moment_format!r}") from None
    if read.year not in YEARS:
        raise _CellError(f"{text!r} lies beyond the calendar")
    local = read if read.tzinfo else read.replace(tzinfo=_zone(cells, mapping))
    moment = local.astimezone(UTC)
    if moment.astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise _CellError(f"{text!r} is no hour of {mapping.time_zone}: clocks skip it")
    return moment


def _zone(cells: dict[str, str], mapping: StatementMapping) -> timezone | None:
    if mapping.columns.zone is None:
        return mapping.zone  # type: ignore[return-value] # both are what a moment's zone may be
    name = cells[mapping.columns.zone]
    if name not in mapping.offsets:
        raise _CellError(f"the mapping has no offset for {name!r}")
    text = mapping.offsets[name]
    hours, minutes = int(text[1:3]), int(text[4:])
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if text[0] == "-" else offset)


def _reference(cells: dict[str, str], mapping: StatementMapping) -> str:
    """The reference; empty where the line has none that the pattern finds."""
    text = cells[mapping.columns.reference]
    if mapping.reference_pattern is not None:
        match = re.search(mapping.reference_pattern, text)
        text = (match[1] or "") if match else ""
    try:
        return _WORD.validate_python(text) if text else ""
    except ValidationError:
        raise _CellError(
            f"{text!r} is no reference of up to 120 Latin letters, digits and signs"
        ) from None


def _with_references(lines: Iterable[Payment]) -> Iterator[Payment]:
    """Lines without a reference are known by what they say, and by which of their like they are."""
    seen: dict[str, int] = {}
    for line in lines:
        if line.reference:
            yield line
            continue
        text = f"{NO_REFERENCE}{line.at.isoformat()}/{line.currency}/{line.amount}"
        seen[text] = seen.get(text, 0) + 1
        reference = f"{text}/{seen[text]}"
        fields = (line.way, reference, line.amount, line.currency, line.at, line.number)
        yield Payment(*fields)


NO_REFERENCE: Final = "no-reference/"
