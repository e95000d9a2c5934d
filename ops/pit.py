"""What a live table is told from outside, read by its game, and what duties do for its seats.

What is malformed is refused here and never on record, nor is a duty that is not due yet.
"""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid5

from games import registry
from ledger.domain import commands as cmd, session as ses, sheets, table as tab
from ledger.domain.decider import TableEngine, is_dealt, is_of_tables, is_spun
from ledger.domain.events import Details, TurnTaken
from ledger.domain.ids import NAMESPACE, session_stream, table_stream
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


def pass_turn(desk: Desk, table: str) -> str | None:
    """Let the rules act for the seat in turn, where they may by now (rulings BJ8).

    Why not, as a refusal's code; None when they did. The command's id is that of the turn and of
    why it passes, so that it is one command however often the duty is done.
    """
    found = desk.table(table)
    round_ = found.round if isinstance(found, tab.Table) else None
    if round_ is None or round_.dealing is None:
        return Code.NO_TABLE_ROUND
    turn = f"{table_stream(table)}:{round_.round}:{len(round_.dealing.steps)}"
    asked = cmd.PassTurn(id=uuid5(NAMESPACE, f"pass:{turn}"), actor=desk.actor, table=table)
    tried = desk.service.dry_run(asked, desk.clock())
    if not isinstance(tried, tuple):
        return tried.code if isinstance(tried, Refusal) else None
    why = next(e.passed for c in tried for e in c.events if isinstance(e, TurnTaken))
    named = uuid5(NAMESPACE, f"pass:{turn}:{why}")
    return desk.handle(asked.model_copy(update={"id": named})).refusal


def disconnect_idle(desk: Desk, session: UUID) -> str | None:
    """Disconnect a player who did nothing at a table that deals for as long as its sheet says.

    The player's own limit holds where it is stricter (rulings BJ8). Why not, as a refusal's code;
    None when it was done.
    """
    state, now = desk.session(session), desk.clock()
    if not isinstance(state, ses.Open) or state.place is None or state.since is None:
        return Code.NOT_SEATED
    known = _of_tables(desk, state.terms.sheet)
    if isinstance(known, Refusal) or not is_dealt(known[0]):
        return Code.TABLE_NOT_OFFERED
    idle = known[0].seconds_idle(known[0].read_sheet(known[1].text))
    idle = min(idle, state.terms.limits.idle_seconds or idle)
    if now < state.since + timedelta(seconds=idle):
        return Code.NOT_YET_DUE
    command = uuid5(NAMESPACE, f"idle:{session_stream(session)}:{state.since.isoformat()}")
    return desk.disconnect(session, None, command).refusal
