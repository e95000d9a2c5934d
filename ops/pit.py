"""What a live table is told from outside, read by its game: limits, outcomes, cards, shuffles.

What is malformed is refused here and never on record.
"""

from typing import Any, Final

from games import registry
from ledger.domain import sheets, table as tab
from ledger.domain.decider import TableEngine, is_dealt, is_of_tables, is_spun
from ledger.domain.events import Details
from ledger.domain.refusals import Code, Refusal
from ops.desk import Desk

_DEALS: Final = Refusal(Code.TABLE_NOT_OFFERED, "This table deals cards; tell them one by one.")
_DEALS_NONE: Final = Refusal(Code.TABLE_NOT_OFFERED, "This table deals no cards.")


def read_outcome(desk: Desk, table: str, document: Any) -> Details | Refusal:
    """Read what a feed tells as an outcome of a table's game."""
    engine = _engine_at(desk, table, document)
    if isinstance(engine, Refusal):
        return engine
    return engine.parse_outcome(document) if is_spun(engine) else _DEALS


def read_card(desk: Desk, table: str, document: Any) -> Details | Refusal:
    """Read what a feed tells as a card of a table's game."""
    engine = _engine_at(desk, table, document)
    if isinstance(engine, Refusal):
        return engine
    return engine.parse_card(document) if is_dealt(engine) else _DEALS_NONE


def read_shuffle(desk: Desk, table: str, document: Any) -> Details | Refusal:
    """Read where a feed tells that the cutting card was placed."""
    engine = _engine_at(desk, table, document)
    if isinstance(engine, Refusal):
        return engine
    return engine.parse_shuffle(document) if is_dealt(engine) else _DEALS_NONE


def read_limits(desk: Desk, sheet: str, document: Any) -> str | Refusal:
    """A table's limits, read by the game of its sheet, as the text that the book keeps."""
    known = _of_tables(desk, sheet)
    if isinstance(known, Refusal) or isinstance(document, Refusal):
        return known if isinstance(known, Refusal) else document
    engine, published = known
    try:
        text = sheets.canonical(document)
    except TypeError:
        return Refusal(Code.MALFORMED, "Write one JSON document with the limits.")
    wrong = engine.check_limits(engine.read_sheet(published.text), text)
    return text if wrong is None else Refusal(Code.MALFORMED, wrong)


def seats_of(desk: Desk, sheet: str) -> int | None:
    """How many seats the game of a sheet has at most; None where that is the house's to choose."""
    known = _of_tables(desk, sheet)
    if isinstance(known, Refusal):
        return None
    engine, published = known
    return engine.seats_max(engine.read_sheet(published.text)) if is_dealt(engine) else None


def _engine_at(desk: Desk, table: str, document: Any) -> TableEngine | Refusal:
    """The engine of an open table's game; what is wrong with the table or the document."""
    found = tab.opened(desk.table(table))
    if isinstance(found, Refusal):
        return found
    known = _of_tables(desk, found.sheet)
    if isinstance(known, Refusal) or isinstance(document, Refusal):
        return known if isinstance(known, Refusal) else document
    return known[0]


def _of_tables(desk: Desk, sheet: str) -> tuple[TableEngine, sheets.Published] | Refusal:
    """The engine of a sheet that is played at live tables, and the version in force."""
    published = desk.in_force(sheet)
    if isinstance(published, Refusal):
        return published
    engine = registry.ENGINES[published.engine]
    if not is_of_tables(engine):
        return Refusal(Code.TABLE_NOT_OFFERED, "This game is not played at a live table.")
    return engine, published
