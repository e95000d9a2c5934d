"""Plots of actual returns: the only module that draws. The same course gives the same bytes."""

import io
import math
from collections.abc import Mapping
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from workers.monitoring.course import Course
from workers.monitoring.looks import THRESHOLDS, Grade

_FIXED: Final[dict[Any, Any]] = {
    "svg.hashsalt": "contoposta",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
}
"""What else would differ between two runs or two machines."""
_METADATA: Final = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}

_ACTUAL: Final = "#0b3d91"
_BANDS: Final[Mapping[Grade, tuple[str, str]]] = {
    "alarm": ("99 %", "#f3d9b1"),
    "warning": ("95 %", "#cfe3cf"),
}
"""The wider band first, so that the narrower lies over it."""
_ROOM: Final = 6
"""How many times the last 99 % band the picture is high: of the first rounds it shows a part."""


def drawn(course: Course, form: str) -> bytes:
    """The picture of a course, as `svg` or `png`."""
    with mpl.rc_context(_FIXED):
        figure = Figure(figsize=(9, 5), dpi=120, layout="constrained")
        _draw(figure, course)
        content = io.BytesIO()
        figure.savefig(content, format=form, metadata=_METADATA[form])
    return content.getvalue()


def _draw(figure: Figure, course: Course) -> None:
    axes = figure.add_subplot()
    rounds = [point.rounds for point in course.points]
    theory = course.total.theoretical
    if theory is not None and course.total.variance is not None:
        for grade, (name, colour) in _BANDS.items():
            width = band(course, grade)
            low = [100 * float(theory) - each for each in width]
            high = [100 * float(theory) + each for each in width]
            axes.fill_between(rounds, low, high, color=colour, linewidth=0, label=f"{name} band")
    if theory is not None:
        name = f"theoretical {100 * float(theory):.2f} %"
        axes.axhline(100 * float(theory), color="#555555", linewidth=1, label=name)
    actual = [100 * point.returned / point.turnover for point in course.points]
    name = f"actual {actual[-1]:.2f} %"
    axes.plot(rounds, actual, color=_ACTUAL, linewidth=1.4, label=name)
    axes.plot(rounds[-1:], actual[-1:], "o", color=_ACTUAL, markersize=4)
    _label(axes, course)
    if theory is not None:
        last = max(band(course, "alarm")[-1], abs(actual[-1] - 100 * float(theory)))
        middle = 100 * float(theory)
        axes.set_ylim(max(middle - _ROOM * last, 0), middle + _ROOM * last)


def band(course: Course, grade: Grade) -> list[float]:
    """Half of a band at each point, in percent: exact at the last one.

    Before it the variance is taken to have come with the turnover.
    """
    total = course.total
    deviation = math.sqrt(total.variance or 0)
    turnovers = [point.turnover for point in course.points]
    z = THRESHOLDS[grade]
    return [100 * z * deviation * math.sqrt(t / total.turnover) / t for t in turnovers]


def _label(axes: Axes, course: Course) -> None:
    title = f"{course.sheet}, version {course.version}, up to {course.last}"
    axes.set_title(title, loc="left", fontsize=11)
    if course.total.theoretical is None or course.total.variance is None:
        axes.set_title("no band: the variance is not known", loc="right", fontsize=9)
    axes.set_xlabel("rounds")
    axes.set_ylabel("return, % of turnover")
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlim(course.points[0].rounds, max(course.points[-1].rounds, 2))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.legend(loc="upper right", frameon=False, fontsize=9)
