"""Published sheets as their games read them, for projections that hold play against its rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine import Rulebook
from ledger.domain import events as ev
from ledger.domain.ids import sheet_stream
from workers.log import Cursor, entries_at
from workers.ports import Ports

Sheet = tuple[str, int]
"""A sheet's id and version."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A published sheet as its game read it."""

    game: Rulebook[Any]
    sheet: Any


def sheet_of(ref: ev.SheetRef) -> Sheet:
    """The sheet that a round or a shoe names."""
    return ref.sheet, ref.version


def rules_of(cursor: Cursor, ports: Ports, wanted: Iterable[Sheet]) -> Mapping[Sheet, Rules]:
    """Sheets as they were published, read by the games that they name."""
    places = [(sheet_stream(sheet), version) for sheet, version in sorted(set(wanted))]
    found: dict[Sheet, Rules] = {}
    for entry in entries_at(cursor, ports.book, ports.codec, places):
        event = entry.event
        assert isinstance(event, ev.SheetPublished)
        game = ports.rules(event.engine)
        read = Rules(game, game.engine.read_sheet(event.text))
        found[event.sheet, event.sheet_version] = read
    return found
