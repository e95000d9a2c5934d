"""One line of the benchmarks' table: what was reached beside its aim, and what bounds it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rich.table import Table


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over the turns of a run: its median, lowest and highest."""

    middle: float
    least: float
    most: float

    def text(self, digits: int = 0) -> str:
        """The figure as a person reads it."""
        if self.least == self.most:
            return f"{self.middle:,.{digits}f}"
        return f"{self.middle:,.{digits}f} ({self.least:,.{digits}f}-{self.most:,.{digits}f})"


def spread(figures: Sequence[float]) -> Spread:
    """The spread of some figures, at least one."""
    return Spread(median(figures), min(figures), max(figures))


@dataclass(frozen=True, slots=True)
class Aim:
    """What a line aims at: its ratio or, without one, its figure is at least or at most this."""

    bound: float
    at_most: bool = False

    def is_met(self, figure: float) -> bool:
        """Whether a figure reaches the aim."""
        return figure <= self.bound if self.at_most else figure >= self.bound


@dataclass(frozen=True, slots=True)
class Line:
    """What one thing reached."""

    name: str
    unit: str
    reached: Spread
    bounded_by: str
    ratio: Spread | None = None
    ratio_to: str = ""
    aim: Aim | None = None

    @property
    def is_met(self) -> bool | None:
        """Whether the aim is reached; None where there is none."""
        if self.aim is None:
            return None
        return self.aim.is_met((self.ratio or self.reached).middle)

    def document(self) -> dict[str, Any]:
        """The line for machines."""
        return {
            "name": self.name,
            "unit": self.unit,
            "reached": _document(self.reached),
            "ratio": None if self.ratio is None else _document(self.ratio),
            "ratio_to": self.ratio_to or None,
            "aim": None if self.aim is None else self._aim(),
            "met": self.is_met,
            "bounded_by": self.bounded_by,
        }

    def cells(self) -> tuple[str, ...]:
        """The line as cells of the table."""
        digits = 0 if self.reached.middle >= _WHOLE_FROM else 2
        ratio = "" if self.ratio is None else f"{self.ratio.text(2)} x {self.ratio_to}"
        aim = "" if self.aim is None else f"{self._aim()} {_MARK[bool(self.is_met)]}"
        reached = f"{self.reached.text(digits)} {self.unit}"
        return self.name, reached, ratio, aim, self.bounded_by

    def _aim(self) -> str:
        assert self.aim is not None
        sign = "<=" if self.aim.at_most else ">="
        return f"{sign} {self.aim.bound:,g} x" if self.ratio else f"{sign} {self.aim.bound:,g}"


_WHOLE_FROM = 50
_MARK = {True: "reached", False: "missed"}


def _document(figure: Spread) -> dict[str, float]:
    return {"median": figure.middle, "least": figure.least, "most": figure.most}


def as_table(lines: Sequence[Line]) -> Table:
    """All lines for a person; figures are medians with the lowest and highest turn beside them."""
    made = Table("what", "reached", "ratio", "aim", "bounded by", title="Benchmarks")
    for line in lines:
        made.add_row(*line.cells())
    return made
