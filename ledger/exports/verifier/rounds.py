"""The rounds: each is settled a second time, by a method that is not its engine's."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import orjson

from ledger.exports.verifier.files import UNREADABLE, Package
from ledger.exports.verifier.log import Event, Found
from ledger.exports.verifier.verdict import Audit, Fields, Findings

OPENS: Final = "round-opened"
DEMO: Final = "demo-round-played"
BEGINS: Final = frozenset({OPENS, DEMO, "table-round-opened"})
"""What names the rules in force; bets at a table go by those of the table's round."""
ENDS: Final = frozenset({"round-settled", "round-voided", "table-round-settled", "refunds-made"})
"""What ends a round; a void one of a live table ends when its refunds are made."""

Open = dict[str, list[Fields]]
"""The entries of the rounds in play, each with its name, by the round's id."""

Outcomes = dict[str, tuple[str, str, Fields]]
"""The newest outcome of each live table's stream: its round, what it showed, the details."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A published rule sheet: its canonical bytes, what they name, and since when it holds."""

    text: bytes
    name: str
    version: int
    engine: str
    since: datetime


Sheets = dict[str, Sheet]
"""By the hash of their bytes."""


def read_sheets(package: Package, findings: Findings) -> Sheets:
    """The package's rule sheets by the hash of their bytes, by which each round names its own."""
    sheets: Sheets = {}
    for told in package.json("sheets.json")["sheets"]:
        text = package.text(told["file"])
        digest = hashlib.sha256(text).hexdigest()
        head = orjson.loads(text)
        named = head["sheet"], head["version"], head["engine"], digest
        if named != tuple(told[k] for k in ("sheet", "sheet_version", "engine", "sheet_hash")):
            findings.add("sheets", told["file"], "is another sheet than the list says")
        since = datetime.fromisoformat(told["in_force_from"])
        sheets[digest] = Sheet(text, *named[:3], since)
    return sheets


@dataclass(slots=True)
class Rounds:
    """Collects the events of each round, and lets a second method judge it when it ends."""

    sheets: Sheets
    audits: Mapping[str, Audit]
    open: Open
    """Those in play; at first what was in play where the package begins, as far as it is known."""
    whole: bool
    """Whether every round in play at the beginning is known."""
    outcomes: Outcomes
    judged: Counter[str] = field(default_factory=Counter)
    """Rounds by the engine whose sheet they were judged under."""
    unjudged: Counter[str] = field(default_factory=Counter)
    """Rounds by an engine that no method was handed in for."""
    begun_before: set[str] = field(default_factory=set)
    """Rounds that began before the package, and of which it holds the end alone."""

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        if event.name in BEGINS and not event.body.get("table"):
            yield from self._in_force(event)
        is_table = event.stream.startswith("table:") and "round" in event.body
        if is_table or (event.stream.startswith("session:") and "rules" in event.body):
            yield from self._of_a_round(event, str(event.body["round"]))
        if event.name == "outcome-told":
            yield from self._as_its_table(event)

    def _of_a_round(self, event: Event, played: str) -> Found:
        entry = {**event.entry, "name": event.name}
        if event.name == DEMO:
            yield from self._judge(played, [entry])
        elif event.name in BEGINS and played not in self.open:
            self.open[played] = [entry]
        elif played not in self.open:
            yield from self._unknown(played)
        elif event.name in BEGINS or self.open[played][0]["stream"] != event.stream:
            yield "rounds", f"the round {played} is in play already, or in another stream"
        else:
            self.open[played].append(entry)
            if event.name == "outcome-recorded":
                self.outcomes[event.stream] = played, event.body["shown"], event.body["details"]
            if event.name in ENDS:
                yield from self._judge(played, self.open.pop(played))

    def _as_its_table(self, event: Event) -> Found:
        """What a round is told is what its table's round showed, and no other number (G7)."""
        told = tuple(event.body[name] for name in ("table_round", "shown", "details"))
        if self.whole and told not in self.outcomes.values():
            yield "rounds", f"the round {event.body['round']} is told what its table did not show"

    def _unknown(self, played: str) -> Found:
        """An event of a round that was not seen to begin."""
        if self.whole:
            yield "rounds", f"the round {played} is not in play"
        self.begun_before.add(played)

    def _in_force(self, event: Event) -> Found:
        """A round begins by the version that is in force then, whatever came later (G8)."""
        named, at = event.body["rules"], datetime.fromisoformat(event.recorded)
        published = [s for s in self.sheets.values() if s.name == named["sheet"] and s.since <= at]
        newest = max((s.version for s in published), default=None)
        if named["version"] != newest:
            yield "sheets", f"version {named['version']} of {named['sheet']}, in force was {newest}"

    def left(self) -> Found:
        """Judge what is still in play, as far as it went."""
        for played, entries in self.open.items():
            yield from self._judge(played, entries)

    def _judge(self, played: str, entries: list[Fields]) -> Found:
        sheet = self.sheets.get(entries[0]["event"]["rules"]["hash"])
        if sheet is None:
            yield "rounds", f"the round {played} names a sheet that is not here"
            return
        audit = self.audits.get(sheet.engine)
        if audit is None:
            self.unjudged[sheet.engine] += 1
            return
        self.judged[sheet.engine] += 1
        try:
            for sentence in audit(sheet.text, entries):
                yield "rounds", f"round {played}: {sentence}"
        except UNREADABLE as error:
            yield "rounds", f"round {played} cannot be judged: {type(error).__name__}"
