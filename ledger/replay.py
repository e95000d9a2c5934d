"""Replay: any state at any version, and each round judged again from what was recorded (G7, G8).

Nothing is drawn, read from a clock or written here. A round is judged by the sheet that its events
name; the engine is given the recorded entropy and must propose exactly the events on record.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, demo, sheets
from ledger.domain.decider import Engine, Outcome, RoundEvents, RoundView, SpunEngine
from ledger.domain.events import (
    AnyEntry,
    BoxDecided,
    CommandAnswered,
    DemoRoundPlayed,
    Details,
    DrawRecorded,
    Event,
    MoveMade,
    OutcomeRecorded,
    OutcomeTold,
    ParticipationRequested,
    RoundEvent,
    RoundOpened,
    SessionClosed,
    SessionOpened,
    SheetPublished,
    SheetRef,
    TableRoundJoined,
    TableRoundOpened,
)
from ledger.domain.ids import StreamName
from ledger.domain.money import Currency
from ledger.domain.refusals import Refusal
from ledger.domain.rules import Rules
from ledger.folding import advance, start
from ledger.given import misfits
from ledger.store.snapshots import Folded


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: which check found it, where, and what it found."""

    check: str
    place: str
    found: str

    def document(self) -> dict[str, str]:
        """The finding for machines."""
        return {"check": self.check, "place": self.place, "found": self.found}


def state_at(stream: StreamName, entries: Iterable[AnyEntry], version: int | None = None) -> Folded:
    """A stream's state at a version, or at its end; entries in order from the first."""
    folded = start(stream)
    for entry in entries:
        if version is not None and entry.version > version:
            break
        folded = advance(folded, entry)
    return folded


def publications(entry: AnyEntry) -> dict[SheetRef, sheets.Published]:
    """The version of a rule sheet that an entry published; empty for any other entry."""
    if not isinstance(entry.event, SheetPublished):
        return {}
    state = sheets.evolve(sheets.START, entry.event)
    return {p.ref: p for p in state.versions}


@dataclass(frozen=True, slots=True)
class Judged:
    """A round that ended: what was booked, and what its choices and draws give by its rules."""

    round: UUID
    rules: SheetRef
    booked: RoundEvents
    by_rules: RoundEvents
    """What players, tables and operators brought about is taken as it is on record."""


def _unheard(_: Judged) -> None:
    """What becomes of a round that ended where nobody asks; a function that a pickle can name."""


@dataclass(slots=True)
class _Trial:
    """A round under judgement: its events so far, and those that must come next."""

    stream: str
    """The session that it is played in; money moves in the accounts of its stream."""
    opened: RoundOpened[Any]
    history: RoundEvents = ()
    expected: list[RoundEvent] = field(default_factory=list)
    by_rules: list[RoundEvent] = field(default_factory=list)
    """All that should be on record so far."""
    move: Details | None = None
    """A move on record whose consequences are still to come, after a draw."""

    @property
    def due(self) -> str | None:
        """What must come before anything else may: what was begun is never left half done."""
        if self.expected:
            return f"the sheet gives {', '.join(e.NAME for e in self.expected)} next"
        return None if self.move is None else f"the move {self.move.type} has no consequence"

    def is_next(self, event: RoundEvent) -> bool:
        """Whether this kind of event must come next: an engine too may refund."""
        return bool(self.expected) and self.expected[0].NAME == event.NAME


Held = tuple[str | None, str | None]
"""What the house holds of a player: an account type, and own limits at a sheet."""


@dataclass(slots=True)
class Judge:
    """Judges rounds again while entries pass by in the order of their streams.

    Each event of a round must be what the engine proposes for the move on record, or for the move
    that the rules make, with the entropy on record, and stand in the session that opened the round.
    """

    engines: Mapping[str, Engine]
    published: Mapping[SheetRef, sheets.Published]
    ended: Callable[[Judged], None] = _unheard
    """Is told each round that ended."""
    _played_for: dict[UUID, set[str]] = field(default_factory=dict)
    """Commands in whose save the rules moved where the player was to, and in which sessions.

    A session that the save ended then is taken out.
    """
    _trials: dict[UUID, _Trial] = field(default_factory=dict)
    _tables: dict[UUID, SheetRef] = field(default_factory=dict)
    """The rules of the rounds of live tables that passed by."""
    _outcomes: dict[UUID, tuple[str, Details]] = field(default_factory=dict)
    """What they showed."""

    _sessions: dict[str, tuple[str, Currency]] = field(default_factory=dict)
    """The sheet and the currency of each session that has not ended, by its stream."""
    _held: dict[str, Held] = field(default_factory=dict)
    """Account type and own limits at the door of each of them."""

    def see(self, entry: AnyEntry) -> Iterator[Finding]:
        """Take in one entry; yield what differs from the engine's judgement."""
        yield from self._at_table(entry, entry.event)
        match entry.event:
            case RoundEvent() as event:
                yield from self._judge(entry, event)
            case ParticipationRequested() | SessionOpened() as event:
                if isinstance(event, ParticipationRequested):
                    self._held.setdefault(entry.stream, (event.account, event.own_limits))
                self._sessions.setdefault(entry.stream, (event.sheet, event.currency))
                yield from self._of_the_session(entry, event.sheet, event.currency)
            case SessionClosed():
                self._sessions.pop(entry.stream, None)
                self._held.pop(entry.stream, None)
                self._played_for.get(entry.command, set()).discard(entry.stream)
            case DemoRoundPlayed() as told:
                yield from self._of_the_demo(entry, told)
            case CommandAnswered() as answered:
                yield from self._of_the_command(entry, answered)
            case _:
                pass

    def _judge(self, entry: AnyEntry, event: RoundEvent) -> Iterator[Finding]:
        if isinstance(event, RoundOpened):
            yield from self._of_the_day(entry, event)
            yield from self._of_the_session(entry, event.rules.sheet, event.currency)
            yield from self._as_held(entry, (event.account, event.own_limits))
            if event.round in self._trials:
                yield _finding(entry, "a round that is open was opened again")
            self._trials[event.round] = _Trial(entry.stream, event)
        trial = self._trials.get(event.round)
        if trial is None or trial.stream != entry.stream:
            yield _finding(entry, "an event of a round that is not open in this session")
            return
        yield from self._weigh(entry, event, trial)
        trial.history = (*trial.history, event)
        yield from self._moved(entry, event, trial)
        if event.NAME in _ENDS:
            yield from self._forget(entry, event, trial)

    def end(self) -> Iterator[Finding]:
        """Rounds in which something that must follow did not."""
        for round_id, trial in self._trials.items():
            if trial.due is not None:
                yield Finding("judgement", f"round {round_id}", trial.due)

    def _at_table(self, entry: AnyEntry, event: Event) -> Iterator[Finding]:
        """A table's outcome is what its entropy gives, and what the rounds there are told."""
        if isinstance(event, TableRoundOpened):
            self._tables[event.round] = event.rules
        elif isinstance(event, OutcomeRecorded):
            self._outcomes[event.round] = (event.shown, event.details)
            if event.entropy is not None and not self._can_be_drawn(event):
                yield _finding(entry, "the entropy on record does not give this outcome")
        elif isinstance(event, OutcomeTold):
            told = (event.shown, event.details)
            if told != self._outcomes.get(event.table_round, told):
                yield _finding(entry, "not the outcome of the table's round")

    def _can_be_drawn(self, event: OutcomeRecorded[Any]) -> bool:
        try:
            return self._is_drawn(event)
        except Exception:  # noqa: BLE001 - what was forged may break any assumption
            return False

    def _is_drawn(self, event: OutcomeRecorded[Any]) -> bool:
        rules = self._tables.get(event.round)
        if rules is None:
            return True  # the opening did not pass by
        published = self.published[rules]
        engine = self.engines[published.engine]
        assert isinstance(engine, SpunEngine)
        used = bytes.fromhex(event.entropy or "")
        drawn = engine.draw_outcome(engine.read_sheet(published.text), used)
        return drawn == Outcome(event.details, event.shown, used)

    def _of_the_day(self, entry: AnyEntry, event: RoundOpened[Any]) -> Iterator[Finding]:
        sheet, now = event.rules.sheet, entry.recorded
        versions = [p.ref for p in self.published.values() if p.ref.sheet == sheet]
        in_force = [r for r in versions if self.published[r].in_force_from <= now]
        if not in_force or in_force[-1] != event.rules:
            yield _finding(entry, f"not the version of {sheet} in force at {now}")
        published = self.published.get(event.rules)
        engine = None if published is None else self.engines.get(published.engine)
        if engine is not None and engine.game != event.game:
            yield _finding(entry, f"{sheet} is no sheet of {event.game}")

    def _of_the_command(self, entry: AnyEntry, answered: CommandAnswered) -> Iterator[Finding]:
        """Who may play for a player: whoever was asked to, and the rules at the end."""
        played_for = self._played_for.pop(entry.command, None)
        if played_for is not None and answered.kind not in _PLAYS_ON:
            yield _finding(entry, f"a command {answered.kind} does not play for the player")
        if played_for and answered.kind in _ENDING:
            yield _finding(entry, f"a command {answered.kind} plays for who is ended by it alone")
        if answered.kind == cmd.PlayRound.KIND and entry.command in self._trials:
            yield _finding(entry, "a round that was to be played to its end is open")

    def _of_the_session(self, entry: AnyEntry, sheet: str, currency: Currency) -> Iterator[Finding]:
        if self._sessions.get(entry.stream) != (sheet, currency):
            yield _finding(entry, f"no session at {sheet} in {currency} is in play here")

    def _as_held(self, entry: AnyEntry, told: Held) -> Iterator[Finding]:
        """A round is judged by the account type and the own limits of its session's door (HW4)."""
        if self._held.get(entry.stream, (None, None)) != told:
            yield _finding(entry, "another account type or other own limits than the session's")

    def _of_the_demo(self, entry: AnyEntry, told: DemoRoundPlayed[Any]) -> Iterator[Finding]:
        """A demo round is played again from its move and its entropy (HW5)."""
        sheet, currency = self._sessions.get(entry.stream, (None, None))
        published = self.published.get(told.rules)
        if published is None or currency is None or sheet != told.rules.sheet:
            yield _finding(entry, f"no session at {told.rules.sheet} is in play here")
            return
        yield from self._as_held(entry, (told.account, told.own_limits))
        rules = Rules(self.engines[published.engine], published)
        try:
            played = demo.again(told, currency, rules)
        except Exception as error:  # noqa: BLE001 - what was forged may break any assumption
            yield _finding(entry, f"cannot be judged: {type(error).__name__}")
            return
        if played != told or told.round != entry.command:
            yield _finding(entry, "the sheet gives another demo round")

    def _weigh(self, entry: AnyEntry, event: RoundEvent, trial: _Trial) -> Iterator[Finding]:
        """Compare an event with what must come next, after drawing again where it is a draw."""
        if event.NAME in _GIVEN and not trial.is_next(event):
            if trial.due is not None:
                yield _finding(entry, trial.due)
            for found in misfits(event, trial.history):
                yield _finding(entry, found)
            if isinstance(event, OutcomeTold | TableRoundJoined):
                yield from self._left(entry, event, trial)
            trial.by_rules.append(event)
            trial.expected, trial.move = [], None
            return
        if not trial.expected:
            yield from self._decide(entry, trial, event)
        if not trial.expected:
            yield _finding(entry, "nothing on record gives this")
            return
        proposed = trial.expected.pop(0)
        if proposed != event:
            yield _finding(entry, f"the sheet gives {proposed.NAME} {proposed.model_dump_json()}")

    def _left(
        self, entry: AnyEntry, event: OutcomeTold[Any] | TableRoundJoined[Any], trial: _Trial
    ) -> Iterator[Finding]:
        """Stakes that won play on in the table's next round; at its outcome none was left out."""
        expected = event.details if isinstance(event, TableRoundJoined) else None
        try:
            engine, view = self._before(trial)
            left = engine.play_on(view) if isinstance(engine, SpunEngine) else None
        except Exception as error:  # noqa: BLE001 - what was forged may break any assumption
            yield _finding(entry, f"cannot be judged: {type(error).__name__}")
            return
        if left != expected:
            yield _finding(entry, "stakes that won do not play on as the sheet says")

    def _moved(self, entry: AnyEntry, event: RoundEvent, trial: _Trial) -> Iterator[Finding]:
        """Let a move on record bring about what it does before any draw."""
        if isinstance(event, RoundOpened | MoveMade | OutcomeTold | BoxDecided | TableRoundJoined):
            trial.move = event.move if isinstance(event, RoundOpened) else event.details
            yield from self._decide(entry, trial, event)

    def _decide(self, entry: AnyEntry, trial: _Trial, event: RoundEvent) -> Iterator[Finding]:
        draw = bytes.fromhex(event.entropy) if isinstance(event, DrawRecorded) else None
        try:
            proposed = self._proposed(entry.command, trial, draw)
        except Exception as error:  # noqa: BLE001 - what was forged may break any assumption
            yield _finding(entry, f"cannot be judged: {type(error).__name__}")
            proposed = ()
        if isinstance(proposed, tuple | Refusal):
            trial.move = None
        if isinstance(proposed, tuple):
            trial.expected = list(proposed)
            trial.by_rules += proposed
        elif draw is not None or isinstance(proposed, Refusal):
            yield _finding(entry, "the sheet does not allow what is on record")

    def _proposed(self, command: UUID, trial: _Trial, draw: bytes | None) -> object:
        engine, view = self._before(trial)
        if trial.move is None and engine.waits(view):
            self._played_for.setdefault(command, set()).add(trial.stream)
        return engine.decide(view, trial.move or engine.next_move(view), draw)

    def _before(self, trial: _Trial) -> tuple[Engine, RoundView]:
        """The engine of a round, and what it may see of it so far."""
        opened = trial.opened
        published = self.published[opened.rules]
        engine = self.engines[published.engine]
        sheet = engine.read_sheet(published.text)
        view = RoundView(opened.round, opened.rules, opened.currency, sheet, trial.history)
        return engine, view

    def _forget(self, entry: AnyEntry, event: RoundEvent, trial: _Trial) -> Iterator[Finding]:
        del self._trials[event.round]
        rules, by_rules = trial.opened.rules, tuple(trial.by_rules)
        self.ended(Judged(event.round, rules, trial.history, by_rules))
        if trial.expected:
            yield _finding(entry, "the sheet gives more events than these")


_ENDS: Final = frozenset({"round-settled", "round-voided"})
_GIVEN: Final = frozenset(
    {
        "round-opened",
        "move-made",
        "table-round-joined",
        "outcome-told",
        "box-decided",
        "bet-refunded",
        "round-voided",
    }
)
"""What players, tables and operators bring about; of these an engine proposes refunds alone."""

_ENDING: Final = frozenset(
    command.KIND
    for command in (
        cmd.CloseSession,
        cmd.ExpireSession,
        cmd.ValidateParticipation,
        cmd.RejectParticipation,
        cmd.AnnulParticipation,
        cmd.OpenTableRound,
        cmd.SettleTableRound,
        cmd.VoidTableRound,
        cmd.SuspendTable,
    )
)
"""Kinds of commands that play a round to its end in a session that they end, and in no other."""
_PLAYS_ON: Final = _ENDING | {cmd.PlayRound.KIND, cmd.ExcludePlayer.KIND, cmd.CloseTable.KIND}
"""Kinds of commands in whose save the rules make a move that was the player's to make."""


def _finding(entry: AnyEntry, found: str) -> Finding:
    return Finding("judgement", f"{entry.stream} version {entry.version}", found)
