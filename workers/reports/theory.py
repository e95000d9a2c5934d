"""What a sheet says that it returns: what actual returns stand beside."""

from fractions import Fraction
from typing import Any

from ledger.domain.events import SheetPublished
from ledger.domain.ids import sheet_stream
from workers.log import Cursor, entries_at
from workers.ports import Ports
from workers.reports.table import Cell


def theory(
    cursor: Cursor, ports: Ports, kinds: set[tuple[Cell, ...]]
) -> dict[tuple[Cell, ...], Fraction]:
    """Theoretical returns by sheet, version and kind of bet, from the bytes that were published.

    Without a kind of bet, None, it is the least return of any that the sheet declares.
    """
    wanted: list[Any] = sorted({kind[:2] for kind in kinds}, key=str)
    places = [(sheet_stream(sheet), version) for sheet, version in wanted]
    found = (e.event for e in entries_at(cursor, ports.book, ports.codec, places))
    sheets: dict[Any, SheetPublished] = {
        (e.sheet, e.sheet_version): e for e in found if isinstance(e, SheetPublished)
    }
    asked: list[Any] = [(kind, sheets[kind[:2]]) for kind in kinds]
    return {kind: ports.theory(sheet.engine, sheet.text, kind[2]) for kind, sheet in asked}
