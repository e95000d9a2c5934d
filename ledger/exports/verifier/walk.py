"""Verifies an audit package: all is computed again from its bytes, in one reading of its events."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from ledger.exports.layout import CLOSING, EVENTS, JOURNAL, MANIFEST, OPENING, PROOFS
from ledger.exports.verifier.chain import expect, hold_chain, known
from ledger.exports.verifier.files import UNREADABLE, Package, open_package
from ledger.exports.verifier.lists import Lists, Sessions, copied
from ledger.exports.verifier.log import Days, Log, Saves, Streams, read_event
from ledger.exports.verifier.money import Balances, Journal, Money, is_signed, read_balances
from ledger.exports.verifier.reports import Reported, Reports, read_reports
from ledger.exports.verifier.rounds import InPlay, Rounds, Sheets, read_sheets
from ledger.exports.verifier.series import Series
from ledger.exports.verifier.totals import Totals
from ledger.exports.verifier.verdict import Findings, Trust, Verdict
from ledger.seal.merkle import Frontier

STEP: Final = 4_096
"""Events after which progress is told."""

PROVED: Final[Mapping[str, str]] = {
    "files signature": "The {files} files are those that {package.origin} signed.",
    "events positions roots signature cut": (
        "{events} events stand at positions from {package.first} on, and the log of {package.size}"
        " events that they end has the signed root {root}."
    ),
    "events streams saves": "No stream has a gap, and {records} commands were saved whole.",
    "chain": "The log grew out of the one that the previous package names.",
    "events journal overdraft orphan opening closing": (
        "{postings} postings follow from the events and are the journal; no account of a player or"
        " session fell below zero."
    ),
    "events rounds sheets series": (
        "{rounds} rounds are as their rule sheets settle them: {engines}."
    ),
    "events reports opening days": (
        "The reports from {package.days[0]} to {last} follow from the events: performance,"
        " liability, sessions, duty, large wins, corrections, changes."
    ),
}
"""What may be said where none of these checks found anything."""

T = TypeVar("T")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand at a position of the log."""

    balances: Balances
    in_play: InPlay
    sessions: Sessions
    series: Series


def verify(
    path: Path, trust: Trust | None = None, progress: Progress = lambda _, __: None
) -> Verdict:
    """Verify the package in a folder; the verdict holds everything found, and nothing is raised.

    `progress` is told how many events of how many were read.
    """
    trust, findings = trust or Trust(), Findings()
    package = open_package(path, trust, findings)
    if package is None:
        return Verdict(0, 0, "", 0, (), (), tuple(findings.told), findings.more)
    before, standing = _before(package, trust, findings)
    walk = _Walk(package, trust, findings, standing)
    walk.hear(before)
    walk.run(progress)
    return walk.verdict()


def _before(
    package: Package, trust: Trust, findings: Findings
) -> tuple[Package | None, Standing | None]:
    """The package before, verified too, and how things stood in it where this one begins."""
    if trust.previous is None:
        return None, None
    found = Findings()
    before = open_package(trust.previous, trust, found)
    standing = None
    if before is not None:
        walk = _Walk(before, replace(trust, witnesses=()), found, None)
        walk.hear(None)
        walk.days.after = package.first, package.days[0]
        standing = walk.run(at=package.first)
        if standing is None:
            findings.add("chain", EVENTS, "begin where the previous package does not reach")
    findings.include(found, "previous package")
    return before, standing


class _Walk:
    """One package, and what is found on the way through its events."""

    def __init__(
        self, package: Package, trust: Trust, findings: Findings, standing: Standing | None
    ) -> None:
        self.package, self.trust, self.findings = package, trust, findings
        self.standing, self.whole = standing, package.first == 0
        self.taken: list[str] = []
        self.proofs: Mapping[str, Any] = self._read(PROOFS, partial(package.json, PROOFS), {})
        self.opening: Balances = self._read(OPENING, self._opened, {})
        told: Reported = self._read("reports", partial(read_reports, package, findings), {})
        sheets: Sheets = self._read("sheets", partial(read_sheets, package, findings), {})
        journal = self._read(JOURNAL, lambda: Journal(package.lines(JOURNAL)), Journal(iter(())))
        self.log = Log(self._read(PROOFS, self._edge, Frontier()))
        self.streams, self.saves, self.totals = Streams(self.whole), Saves(), Totals()
        self.days = Days()
        self.money = Money(dict(self.opening), journal)
        in_play = InPlay(self.whole) if standing is None else standing.in_play
        self.rounds = Rounds(sheets, trust.audits, in_play)
        sessions = {} if standing is None else standing.sessions
        self.lists = Lists(self.money.balances, sessions)
        self.series = Series() if standing is None else standing.series
        flows = self.money.flows
        self.reports = Reports(told, self.totals, self.lists, flows, self.opening, self.whole)

    def _read(self, name: str, read: Callable[[], T], otherwise: T) -> T:
        """What a file says; where it cannot be read that is found."""
        try:
            return read()
        except UNREADABLE as error:
            self.findings.add("files", name, f"cannot be read: {type(error).__name__}")
            return otherwise

    def _edge(self) -> Frontier:
        """The right edge of the tree where the package begins."""
        peaks = tuple(bytes.fromhex(peak) for peak in self.proofs["range"]["peaks"])
        return Frontier(self.package.first, peaks)

    def _opened(self) -> Balances:
        """The balances at the beginning: none in a new book, else those of the package before."""
        balances = read_balances(self.package.lines(OPENING))
        sums: dict[str, int] = {}
        for (_, currency), balance in balances.items():
            sums[currency] = sums.get(currency, 0) + balance
        if any(b < 0 and not is_signed(account) for (account, _), b in balances.items()):
            self.findings.add("overdraft", OPENING, "a player's or session's account is below zero")
        if any(sums.values()):
            self.findings.add("opening", OPENING, "all accounts together are not zero")
        if self.whole and balances:
            self.findings.add("opening", OPENING, "a book begins with nothing")
        if self.standing is not None and balances != self.standing.balances:
            self.findings.add("opening", OPENING, "are not what the previous package comes to")
        return balances

    def hear(self, before: Package | None) -> None:
        """Take in what others say of the log, the package before among them."""
        told = self.reports.told.values()
        words = list(known(self.package, self.trust.witnesses, told, self.findings))
        grown = self._read(
            PROOFS, partial(hold_chain, self.package, before, self.proofs, self.findings), None
        )
        closings = [(word.size, word.closes) for word in words if word.closes]
        closings += [(before.size, before.days[-1])] if before else []
        self.days.closings = dict(sorted(closings))
        for word in (*words, *([grown] if grown else [])):
            is_told = expect(self.log, word, self.package.size, self.findings)
            if is_told or word is grown:
                continue
            if grown is None or word.size != grown.size:
                self.taken.append(f"{word.who}: its {word.size} events lie before this package.")
            elif word.root != grown.root:
                self.findings.add("roots", word.who, f"says another root of {word.size} events")
        for name, found in self.log.compare():
            self.findings.add(name, PROOFS, found)

    def run(
        self, progress: Progress = lambda _, __: None, at: int | None = None
    ) -> Standing | None:
        """Read all events and what must hold at their end; how things stood at a position."""
        standing = None
        for number, line in enumerate(self._lines(), 1):
            if self.log.size == at:
                standing = self._now()
            self._take(line, number)
            if number % STEP == 0:
                progress(number, self.package.size - self.package.first)
        if self.log.size == at:
            standing = self._now()
        self._end()
        return standing

    def _lines(self) -> Iterator[bytes]:
        try:
            yield from self.package.lines(EVENTS)
        except (LookupError, OSError) as error:
            self.findings.add("files", EVENTS, f"cannot be read: {type(error).__name__}")

    def _take(self, line: bytes, number: int) -> None:
        """Let every check see an event; what one cannot read is found and kept from no other."""
        try:
            event = read_event(line)
        except UNREADABLE as error:
            found = f"is no event as documented: {type(error).__name__}"
            self.findings.add("events", f"line {number}", found)
            return
        proofs = (self.log, self.streams, self.saves, self.days, self.series)
        for check in (*proofs, self.lists, self.money, self.rounds, self.totals):
            try:
                for name, found in check.see(event):
                    self.findings.add(name, f"position {event.position}", found)
            except UNREADABLE as error:
                found = f"{event.name} cannot be read: {type(error).__name__} {error}"
                self.findings.add("events", f"position {event.position}", found)

    def _now(self) -> Standing:
        sessions = copied(self.lists.sessions)
        balances = dict(self.money.balances)
        return Standing(balances, self.rounds.now.copy(), sessions, self.series.copy())

    def _end(self) -> None:
        """What must hold once all events were read."""
        add = self.findings.add
        self.log.grow()
        for left in (self.rounds.left, self.log.compare, self.saves.left, self.money.left):
            try:
                for name, found in left():
                    add(name, EVENTS, found)
            except UNREADABLE as error:
                add("events", EVENTS, f"cannot be read to their end: {type(error).__name__}")
        if self.log.size != self.package.size:
            add("positions", EVENTS, f"end at {self.log.size}, expected {self.package.size}")
        told, seen = [*self.package.manifest["rotations"]], self.log.rotations
        if seen != told[len(told) - len(seen) :] or (self.whole and len(seen) != len(told)):
            add("signature", MANIFEST, "names other rotations of keys than the log")
        closing: Balances = self._read(CLOSING, self._closed, {})
        if closing != self.money.balances:
            add("closing", CLOSING, "is not what the events come to")
        self.reports.hold(self.findings)

    def _closed(self) -> Balances:
        return read_balances(self.package.lines(CLOSING))

    def verdict(self) -> Verdict:
        """What was proved, what was taken as given, and what is wrong."""
        return Verdict(
            self.package.first,
            self.package.size,
            self.package.root.hex(),
            self.rounds.judged.total(),
            tuple(self._proved()),
            tuple(self._taken()),
            tuple(self.findings.told),
            self.findings.more,
        )

    def _proved(self) -> Iterator[str]:
        """What is so, as far as no check that it rests on found anything."""
        package, judged = self.package, self.rounds.judged
        values = {
            "package": package,
            "files": len(package.manifest["files"]),
            "events": package.size - package.first,
            "root": package.root.hex(),
            "records": self.saves.records,
            "postings": self.money.postings,
            "rounds": judged.total(),
            "engines": ", ".join(f"{n} by {name}" for name, n in sorted(judged.items())),
            "last": package.days[-1],
        }
        is_about = {"chain": package.previous, "events rounds sheets series": judged}
        for checks, sentence in PROVED.items():
            if is_about.get(checks, True) and not self.findings.failed & {*checks.split()}:
                yield sentence.format_map(values)

    def _taken(self) -> Iterator[str]:
        """What the verdict rests on and could not be proved from what was given."""
        if not self.trust.keys:
            yield "Self-consistent only: the keys are the package's own; give --key from elsewhere."
        if not self.trust.witnesses:
            yield "No witness: an end that was cut off, or a log signed twice, would not be seen."
        yield from self.taken
        if self.standing is None and not self.whole:
            yield "The opening balances are taken as given: no previous package shows them."
        elif not self.rounds.now.whole:
            yield "The previous package's own opening is taken as given: verify it after its own."
        yield from self._unjudged()

    def _unjudged(self) -> Iterator[str]:
        """What began before the package, or has no second method."""
        if self.lists.incomplete:
            count = len(self.lists.begun_before)
            yield f"Sums of sessions not made again: {count} sessions began before."
        if self.rounds.begun_before:
            yield f"Not judged: {len(self.rounds.begun_before)} rounds that began before."
        if self.series.begun_before:
            yield f"Not judged: the secrets of {self.series.begun_before} series prepared before."
        if self.rounds.unshuffled:
            yield f"Draws not judged: {len(self.rounds.unshuffled)} rounds of an earlier shoe."
        for engine, count in sorted(self.rounds.unjudged.items()):
            yield f"Not judged: {count} rounds by {engine}, for which no second method was given."
