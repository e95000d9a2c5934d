"""The rounds: each is settled a second time, by a method that is not its engine's."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from ledger.exports.verifier.files import UNREADABLE, Package, document_of
from ledger.exports.verifier.log import Event, Found
from ledger.exports.verifier.verdict import Audit, Fields, Findings

OPENS: Final = "round-opened"
DEMO: Final = "demo-round-played"
TABLE_OPENS: Final = "table-round-opened"
BEGINS: Final = frozenset({OPENS, DEMO, TABLE_OPENS})
"""What names the rules in force; bets at a table go by those of the table's round."""
VOIDED: Final = "table-round-voided"
ENDS: Final = frozenset({"round-settled", "round-voided", "table-round-settled", VOIDED})
"""What ends a round; of a void one at a live table the refunds are made later."""
SHUFFLED: Final = "shoe-shuffled"
DEALT: Final = frozenset({SHUFFLED, "dealing-begun"})
"""With these a round is of its table's shoe."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """The shoe in use at a live table, and what was dealt from it: which cards are left follows."""

    number: int
    entries: list[Fields] = field(default_factory=list)
    """From its shuffle on; those of a round in play stand with the rounds."""
    before: int = 0
    """How many of its rounds ended in the package before."""

    @property
    def rounds(self) -> int:
        """How many rounds were dealt from it."""
        return sum(entry["name"] == TABLE_OPENS for entry in self.entries)


@dataclass(frozen=True, slots=True)
class InPlay:
    """What rounds go on from, at a position of the log."""

    whole: bool
    """Whether every round in play is known: no package before this one was needed for it."""
    open: dict[str, list[Fields]] = field(default_factory=dict)
    """The entries of the rounds in play, each with its name, by the round's id."""
    voided: set[str] = field(default_factory=set)
    """Void rounds of live tables whose refunds are still to be made."""
    outcomes: dict[str, tuple[str, str, Fields]] = field(default_factory=dict)
    """The newest outcome of each live table's stream: its round, what it showed, the details."""
    shoes: dict[str, Shoe] = field(default_factory=dict)
    """By the table's stream."""
    published: dict[str, datetime] = field(default_factory=dict)
    """The rule sheets by the hash of their bytes, and since when each holds."""

    def copy(self) -> "InPlay":
        """How it is now, whatever comes."""
        rounds = {played: list(entries) for played, entries in self.open.items()}
        shoes = {
            stream: Shoe(shoe.number, list(shoe.entries), shoe.rounds)
            for stream, shoe in self.shoes.items()
        }
        kept = set(self.voided), dict(self.outcomes), shoes, dict(self.published)
        return InPlay(self.whole, rounds, *kept)


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
        text = package.whole(told["file"])
        digest = hashlib.sha256(text).hexdigest()
        head = document_of(text)
        named = head["sheet"], head["version"], head["engine"], digest
        if named != tuple(told[k] for k in ("sheet", "sheet_version", "engine", "sheet_hash")):
            findings.add("sheets", told["file"], "is another sheet than the list says")
        if digest in sheets:
            findings.add("sheets", told["file"], "is listed twice")
        since = datetime.fromisoformat(told["in_force_from"])
        sheets[digest] = Sheet(text, *named[:3], since)
    return sheets


@dataclass(slots=True)
class Rounds:
    """Collects the events of each round, and lets a second method judge it when it ends."""

    sheets: Sheets
    audits: Mapping[str, Audit]
    now: InPlay
    """At first what was in play where the package begins, as far as it is known."""
    judged: Counter[str] = field(default_factory=Counter)
    """Rounds by the engine whose sheet they were judged under."""
    unjudged: Counter[str] = field(default_factory=Counter)
    """Rounds by an engine that no method was handed in for."""
    begun_before: set[str] = field(default_factory=set)
    """Rounds that began before the package, and of which it holds the end alone."""
    unshuffled: set[str] = field(default_factory=set)
    """Rounds that were dealt from a shoe whose shuffle is not known."""

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        if event.name in BEGINS and not event.body.get("table"):
            yield from self._in_force(event)
        is_table = event.stream.startswith("table:") and "round" in event.body
        if is_table or (event.stream.startswith("session:") and "rules" in event.body):
            yield from self._of_a_round(event, str(event.body["round"]))
        if event.name == SHUFFLED:
            yield from self._shuffled(event)
        if event.name == "sheet-published":
            digest = hashlib.sha256(event.body["text"].encode()).hexdigest()
            self.now.published[digest] = datetime.fromisoformat(event.body["in_force_from"])
        if event.name == "outcome-told":
            yield from self._as_its_table(event)
        if event.name == "box-decided":
            yield from self._at_its_table(event)

    def _of_a_round(self, event: Event, played: str) -> Found:
        if event.name == DEMO:
            yield from self._judge(f"round {played}", [_named(event)])
        elif event.name == "refunds-made" and played in self.now.voided:
            self.now.voided.remove(played)
        elif event.name in BEGINS and played not in self.now.open:
            self.now.open[played] = [_named(event)]
        elif played not in self.now.open:
            yield from self._unknown(event, played)
        elif event.name in BEGINS or self.now.open[played][0]["stream"] != event.stream:
            yield "rounds", f"the round {played} is in play already, or in another stream"
        else:
            yield from self._goes_on(event, played)

    def _goes_on(self, event: Event, played: str) -> Found:
        """A round in play goes on, or ends."""
        self.now.open[played].append(_named(event))
        if event.name == "outcome-recorded":
            told = played, event.body["shown"], event.body["details"]
            self.now.outcomes[event.stream] = told
        if event.name == VOIDED:
            self.now.voided.add(played)
        if event.name in ENDS:
            yield from self._ended(played, self.now.open.pop(played))

    def _ended(self, played: str, entries: list[Fields]) -> Found:
        """Judge a round, now or with its shoe, and as far as it went."""
        stream = entries[0]["stream"]
        is_dealt = not DEALT.isdisjoint(entry["name"] for entry in entries)
        if is_dealt and stream in self.now.shoes:
            self.now.shoes[stream].entries.extend(entries)
            return
        if is_dealt and self.now.whole:
            yield "rounds", f"the round {played} is dealt from no shoe"
        elif is_dealt:
            self.unshuffled.add(played)
        yield from self._judge(f"round {played}", entries)

    def _shuffled(self, event: Event) -> Found:
        """Another shoe begins, at times in a round in play; the one before is judged as a whole."""
        stream, number = event.stream, event.body["number"]
        before = self.now.shoes.get(stream)
        if before is not None:
            yield from self._judge_shoe(stream, before)
        if number != (before.number if before else 0) + 1 and (before or self.now.whole):
            yield "rounds", f"shoe {number} of {stream} is not its next"
        self.now.shoes[stream] = shoe = Shoe(number)
        in_play = (entries for entries in self.now.open.values() if entries[0]["stream"] == stream)
        next(in_play, shoe.entries).append(_named(event))

    def _judge_shoe(self, stream: str, shoe: Shoe) -> Found:
        if shoe.entries:
            count = shoe.rounds - shoe.before
            yield from self._judge(f"shoe {shoe.number} of {stream}", shoe.entries, count)

    def _at_its_table(self, event: Event) -> Found:
        """What a box is told before the end is judged where the cards are: at its table (G7)."""
        played = str(event.body["table_round"])
        if played in self.now.open:
            self.now.open[played].append(_named(event))
        elif self.now.whole:
            yield "rounds", f"a box is told of the round {played}, which is not in play"

    def _as_its_table(self, event: Event) -> Found:
        """What a round is told is what its table's round showed, and no other number (G7)."""
        told = tuple(event.body[name] for name in ("table_round", "shown", "details"))
        if self.now.whole and told not in self.now.outcomes.values():
            yield "rounds", f"the round {event.body['round']} is told what its table did not show"

    def _unknown(self, event: Event, played: str) -> Found:
        """An event of a round that was not seen to begin."""
        if event.name == "card-dealt":  # so it is not known any more what is left in the shoe
            self.now.shoes.pop(event.stream, None)
        if self.now.whole:
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
        """Judge what is in play, as far as it went; sheets are listed as they were published."""
        listed = {digest: sheet.since for digest, sheet in self.sheets.items()}
        for digest in sorted({*self.now.published, *(listed if self.now.whole else ())}):
            if listed.get(digest) != self.now.published.get(digest):
                yield "sheets", f"the sheet {digest} is listed otherwise than it was published"
        for played, entries in self.now.open.items():
            yield from self._ended(played, entries)
        for stream, shoe in self.now.shoes.items():
            yield from self._judge_shoe(stream, shoe)

    def _judge(self, what: str, entries: list[Fields], count: int = 1) -> Found:
        """Let the second method judge so many rounds."""
        sheet = self.sheets.get(entries[0]["event"]["rules"]["hash"])
        if sheet is None:
            yield "rounds", f"{what} names a sheet that is not here"
            return
        audit = self.audits.get(sheet.engine)
        if audit is None:
            self.unjudged[sheet.engine] += count
            return
        self.judged[sheet.engine] += count
        try:
            for sentence in audit(sheet.text, entries):
                yield "rounds", f"{what}: {sentence}"
        except UNREADABLE as error:
            yield "rounds", f"{what} cannot be judged: {type(error).__name__}"


def _named(event: Event) -> Fields:
    """An entry as a second method reads it, with the event's name."""
    return {**event.entry, "name": event.name}
