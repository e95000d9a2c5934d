"""A story from the entries on record: steps with balances, and each round judged again (G7, G8).

Pure: what was read goes in, and nothing of the machine, its clock or its settings is looked at.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Any, Final
from uuid import UUID

from games import registry
from ledger.domain.events import (
    AnyEntry,
    BoxDecided,
    DemoRoundPlayed,
    Event,
    MoveMade,
    OutcomeTold,
    ParticipationRequested,
    RoundEvent,
    RoundOpened,
    SheetRef,
    TableRoundJoined,
)
from ledger.domain.ids import conto_account, session_account, session_stream
from ledger.domain.postings import postings
from ledger.domain.registry import kind_of
from ledger.domain.sheets import Published
from ledger.replay import Finding, Judge, Judged, publications
from ledger.seal.asked import Moves
from ledger.seal.outcomes import OutcomeCheck
from ledger.seal.series import SeriesCheck

PARTS: Final = ("conto", "right", "posta", "stakes", "win", "prison")
"""The accounts whose balances are told, as the glossary calls them."""

Balances = Mapping[str, int]
"""Minor units by part."""


@dataclass(frozen=True, slots=True)
class Case:
    """What is on record of a session: its own entries and those that it depends on."""

    session: UUID
    round: UUID | None
    """The round that is told alone; None for the whole session."""
    entries: tuple[AnyEntry, ...]
    """Of it, its player's conto, its sheets, tables, series and commands, as they were saved."""


@dataclass(frozen=True, slots=True)
class Until:
    """Up to where a story is told: a version of the session's stream, or a moment, included."""

    version: int | None = None
    at: datetime | None = None

    @property
    def is_end(self) -> bool:
        """Whether it is told to its end."""
        return self.version is None and self.at is None


@dataclass(frozen=True, slots=True)
class Step:
    """One event that is told, and the balances around it."""

    entry: AnyEntry
    before: Balances
    after: Balances


@dataclass(slots=True)
class Verdict:
    """A round judged again."""

    round: UUID
    published: Published | None
    """The rules of the day; None when the version that it names was never published."""
    is_demo: bool
    judged: Judged | None = None
    """None while it is in play, and of a demo round, which moves no money."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether it is in play, so that there is nothing to judge yet."""
        return self.judged is None and not self.is_demo


@dataclass(frozen=True, slots=True)
class Story:
    """All that is told."""

    case: Case
    until: Until
    terms: ParticipationRequested
    """The session's first right, with its player, sheet and currency."""
    steps: tuple[Step, ...]
    verdicts: tuple[Verdict, ...]
    elsewhere: tuple[Finding, ...]
    """What differs outside of the rounds that are told."""

    @property
    def holds(self) -> bool:
        """Whether nothing differs from what the rules give."""
        return not self.elsewhere and not any(v.findings for v in self.verdicts)


def tell(case: Case, until: Until) -> Story:
    """The story of a case up to a moment."""
    entries = _up_to(case, until)
    terms = next(e.event for e in case.entries if isinstance(e.event, ParticipationRequested))
    steps = tuple(_steps(case, entries, terms.player))
    verdicts, elsewhere = _judged(case, entries, until)
    return Story(case, until, terms, steps, verdicts, elsewhere)


def _up_to(case: Case, until: Until) -> tuple[AnyEntry, ...]:
    """The entries up to a moment, and those that were saved before it in other streams."""
    own = session_stream(case.session)

    def is_later(entry: AnyEntry) -> bool:
        if until.at is not None:
            return entry.recorded > until.at
        return until.version is not None and entry.stream == own and entry.version > until.version

    return tuple(takewhile(lambda entry: not is_later(entry), case.entries))


# --- steps ---------------------------------------------------------------------------------------


def _steps(case: Case, entries: tuple[AnyEntry, ...], player: str) -> Iterator[Step]:
    accounts = {session_account(case.session, part): part for part in PARTS[1:]}
    accounts[conto_account(player)] = "conto"
    table_rounds = frozenset(_table_rounds(case, entries))
    balances: Counter[str] = Counter()
    for entry in entries:
        before = {part: balances[part] for part in PARTS}
        for posting in postings(entry.stream, entry.event):
            balances[accounts.get(posting.source, "")] -= posting.amount
            balances[accounts.get(posting.target, "")] += posting.amount
        if _is_told(case, entry, table_rounds):
            yield Step(entry, before, {part: balances[part] for part in PARTS})


def _table_rounds(case: Case, entries: tuple[AnyEntry, ...]) -> Iterator[UUID]:
    """The rounds of live tables in which the told rounds were bet, or whose outcome they got."""
    for entry in entries:
        match entry.event:
            case (
                RoundOpened(table=place) | MoveMade(table=place) | TableRoundJoined(table=place)
            ) if place is not None:
                if _is_of_round(case, entry.event):
                    yield place.round
            case OutcomeTold(table_round=told) | BoxDecided(table_round=told):
                if _is_of_round(case, entry.event):
                    yield told
            case _:
                pass


def _is_told(case: Case, entry: AnyEntry, table_rounds: frozenset[UUID]) -> bool:
    match kind_of(entry.stream):
        case "session":
            return _is_of_round(case, entry.event)
        case "table":
            return getattr(entry.event, "round", None) in table_rounds
        case "conto" | "series":
            mine = getattr(entry.event, "session", None) == case.session
            return mine and _is_of_round(case, entry.event)
        case _:
            return False


def _is_of_round(case: Case, event: Event) -> bool:
    return case.round is None or getattr(event, "round", None) == case.round


# --- judgement -----------------------------------------------------------------------------------


def _judged(
    case: Case, entries: tuple[AnyEntry, ...], until: Until
) -> tuple[tuple[Verdict, ...], tuple[Finding, ...]]:
    """Every round that is told judged again, and what differs elsewhere.

    What must still follow is a difference only where nothing was left out at the end.
    """
    verdicts: dict[UUID, Verdict] = {}
    elsewhere: list[Finding] = []

    def ended(judged: Judged) -> None:
        verdicts[judged.round].judged = judged

    published: dict[SheetRef, Published] = {}
    judge = Judge(registry.ENGINES, published, ended)
    checks = (OutcomeCheck(), Moves(), SeriesCheck(registry.SECRETS))
    for position, entry in enumerate(entries):
        event = entry.event
        published.update(publications(entry))
        if isinstance(event, RoundOpened | DemoRoundPlayed):
            verdicts.setdefault(event.round, _unjudged(event, published.get(event.rules)))
        found = [*judge.see(entry), *(f for check in checks for f in check.see(position, entry))]
        of = verdicts.get(event.round) if isinstance(event, RoundEvent | DemoRoundPlayed) else None
        (elsewhere if of is None else of.findings).extend(found)
    if until.is_end:
        elsewhere += judge.end()
    told = tuple(v for v in verdicts.values() if case.round in (None, v.round))
    return told, tuple(elsewhere)


def _unjudged(
    event: RoundOpened[Any] | DemoRoundPlayed[Any], published: Published | None
) -> Verdict:
    return Verdict(event.round, published, isinstance(event, DemoRoundPlayed))
