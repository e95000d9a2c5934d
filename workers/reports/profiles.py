"""In which forms every report is written."""

from collections.abc import Callable, Mapping
from typing import Final

from workers.reports.printed import as_pdf
from workers.reports.render import as_json, italian_csv, machine_csv
from workers.reports.table import Report

PROFILES: Final[Mapping[str, Callable[[Report], bytes]]] = {
    "csv": machine_csv,
    "it.csv": italian_csv,
    "json": as_json,
    "pdf": as_pdf,
}
"""Renderings by the ending of their files."""
