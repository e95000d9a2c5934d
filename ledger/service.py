"""The only writer: look the command up, read, fold, decide, and save all of it or nothing.

Guarantees G2, G3 and G4 are kept here together with the store. The same command is answered the
same for ever; a conflict runs the decision again with the entropy that was drawn for it; faults of
the infrastructure are retried a bounded number of times and then raised as what they are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, repeat
from typing import Final, TypeVar
from uuid import UUID

from ledger.answers import Answer
from ledger.domain import book, record
from ledger.domain.commands import Command, OpenBook, digest
from ledger.domain.decider import Context, Decision, Engine, NeedsDraw
from ledger.domain.events import AnyEntry, CommandAnswered, Sealed
from ledger.domain.ids import BOOK, MAINTENANCE, StreamName, command_stream, series_stream
from ledger.domain.refusals import Code, ConflictFault, Fault, Refusal
from ledger.domain.registry import HANDLERS, kind_of
from ledger.draft import Draft, answer_record
from ledger.folding import Folds
from ledger.store.book import Store
from ledger.store.faults import Conflict, Unavailable
from ledger.store.snapshots import Folded, can_be_kept

TRIES: Final = 30
"""How often a save is tried again after conflicts, or after a connection that broke."""

BATCH_TRIES: Final = 3
"""How often many commands are tried in one save before they are handled one by one."""

T = TypeVar("T")

_REUSED: Final = Refusal(
    Code.COMMAND_CONFLICT, "This command id stands for another content; make a new id."
)
_REVOKED: Final = Refusal(
    Code.REFUNDED_BEFORE_PLACED, "A refund of this bet came first; it cannot be placed any more."
)
_CLOSED_BOOK: Final = Refusal(Code.BOOK_NOT_OPEN, "Open the book first: contoposta migrate.")
_PLAYED_LATER: Final = Refusal(Code.MALFORMED, "Nothing can have been played later than now.")
_UNRECORDED: Final = (_REUSED, _CLOSED_BOOK, _PLAYED_LATER)
"""Refusals of what was no command of this book; they leave no record."""


def _nothing_sealed(_: Sealed) -> bytes:
    raise Fault("No keys of series are at hand here; nothing was decided.")


@dataclass(frozen=True, slots=True)
class Outside:
    """What the service takes from outside: fresh random bytes, and how to wait after a conflict."""

    entropy: Callable[[int], bytes]
    """Random bytes of a size, from a source fit for cryptography."""
    pause: Callable[[int], None]
    """Wait a little, with jitter, before try number n."""
    unseal: Callable[[Sealed], bytes] = _nothing_sealed
    """Decrypt what was drawn and sealed before; raise a `Fault` when its key is not at hand."""


class Service:
    """Handles commands of one book; safe to share between threads, not between processes."""

    def __init__(self, store: Store, engines: Mapping[str, Engine], outside: Outside) -> None:
        self._store = store
        self._engines = engines
        self._outside = outside
        self._folds = Folds(store)
        self._is_open = False

    def handle(self, command: Command, now: datetime) -> Answer:
        """Answer one command at a moment (aware, UTC); raise a `Fault` when nothing was decided."""
        return self._handle(command, now, [])

    def _handle(self, command: Command, now: datetime, drawn: list[bytes]) -> Answer:
        ways = chain([self._handle_unread], repeat(self._handle_once))
        return self._retried(lambda: next(ways)(Draft(now), command, drawn))

    def _handle_unread(self, draft: Draft, command: Command, drawn: list[bytes]) -> Answer:
        """Decide on the states that were kept, where the save will find out if they are old."""
        if self._presume(draft, command):
            answer = self._answer(draft, command, drawn)
            if draft.is_checked:
                return self._saved(draft, answer)
        return self._handle_once(Draft(draft.now), command, drawn)

    def _handle_once(self, draft: Draft, command: Command, drawn: list[bytes]) -> Answer:
        return self._saved(draft, self._answer(draft, command, drawn))

    def _saved(self, draft: Draft, answer: Answer) -> Answer:
        if draft.entries:
            self._store.save(draft.entries, draft.admission())
            self._folds.keep(draft.folded)
        return answer

    def _retried(self, work: Callable[[], T]) -> T:
        for attempt in range(TRIES):
            try:
                return work()
            except (Conflict, Unavailable) as fault:
                self._give_way(attempt, fault)
        raise ConflictFault("Others were first on every try; send the same command again.")

    def handle_many(self, commands: Sequence[Command], now: datetime) -> tuple[Answer, ...]:
        """Answer many commands with one save; each is decided and answered alone, in order."""
        drawn: list[list[bytes]] = [[] for _ in commands]
        for attempt in range(BATCH_TRIES):
            try:
                draft = Draft(now)
                answers = self._answer_all(draft, commands, drawn)
                if self._save_many(draft):
                    return answers
                self._outside.pause(attempt)
            except (Conflict, Unavailable) as fault:
                self._give_way(attempt, fault)
        return tuple(map(self._handle, commands, repeat(now), drawn))

    def _answer_all(
        self, draft: Draft, commands: Sequence[Command], drawn: list[list[bytes]]
    ) -> tuple[Answer, ...]:
        self._load(draft, commands)
        return tuple(map(self._answer, repeat(draft), commands, drawn))

    def _save_many(self, draft: Draft) -> bool:
        if draft.entries and self._store.save_many(draft.entries, draft.admission()):
            return False
        self._folds.keep(draft.folded)
        return True

    def dry_run(self, command: Command, now: datetime) -> Decision:
        """Decide without writing, on the same path; stops where a draw would be asked for."""
        return self._retried(lambda: self._decide_dry(Draft(now), command))

    def _decide_dry(self, draft: Draft, command: Command) -> Decision:
        self._load(draft, [command])
        return self._undecided(draft, command) or self._decide(draft, command, [], draw=False)

    def _undecided(self, draft: Draft, command: Command) -> Refusal | None:
        standing = draft.standing(command)
        if isinstance(standing, record.Answered):
            return None if standing.answer.digest == digest(command) else _REUSED
        if command.played is not None and command.played > draft.now:
            return _PLAYED_LATER
        if not self._book_is_open(draft, command):
            return _CLOSED_BOOK
        if isinstance(standing, record.Revoked) and _is_revoked(command, standing):
            return _REVOKED
        return None

    def state(self, stream: StreamName) -> object:
        """The state of a stream as it is now."""
        return self._folded(stream).state

    def _folded(self, stream: StreamName) -> Folded:
        return self._retried(lambda: self._folds.read([stream]))[stream]

    def history(self, stream: StreamName) -> list[AnyEntry]:
        """The entries of a stream from its first, in order."""
        return self._retried(lambda: list(self._store.read({stream: 0})))

    def answered(self, command_id: UUID) -> Answer | None:
        """How a command was answered before, for who cannot send it again; None when it was not."""
        told = (e.event for e in self.history(command_stream(command_id)))
        answer = next((e for e in told if isinstance(e, CommandAnswered)), None)
        if answer is None:
            return None
        return self._retried(lambda: self._again(command_id, answer, ()))

    def take_snapshot(self, stream: StreamName) -> bool:
        """Keep a snapshot of a stream, outside of any command; whether it could be kept."""
        folded = self._folded(stream)
        if not folded.version or not can_be_kept(stream, folded.state):
            return False
        self._folds.take_snapshot(stream, folded)
        return True

    def _give_way(self, attempt: int, fault: Conflict | Unavailable) -> None:
        if isinstance(fault, Unavailable) and (fault.is_down or attempt + 1 == TRIES):
            raise fault
        self._outside.pause(attempt)

    def _answer(self, draft: Draft, command: Command, drawn: list[bytes]) -> Answer:
        self._load(draft, [command])
        refusal = self._undecided(draft, command)
        if refusal in _UNRECORDED:
            return Answer(command.id, draft.now, answer_record(command, (), refusal), ())
        standing = draft.standing(command)
        if isinstance(standing, record.Answered):
            return self._again(command.id, standing.answer, draft.entries)
        decision = refusal or self._decide(draft, command, drawn, draw=True)
        assert not isinstance(decision, NeedsDraw)
        return draft.write(command, decision)

    def _decide(
        self, draft: Draft, command: Command, drawn: list[bytes], *, draw: bool
    ) -> Decision:
        handler = HANDLERS[type(command)]
        states = draft.states()
        kept, paused = iter(tuple(drawn)), None
        handed: tuple[bytes, ...] = ()
        while True:
            context = Context(draft.now, self._engines, handed, paused)
            decision = handler.decide(command, states, context)
            if not draw or not isinstance(decision, NeedsDraw):
                return decision
            if decision.sealed is not None:
                handed = (*handed, self._opened(draft, decision.sealed))
            else:
                handed = (*handed, next(kept, b"") or self._fresh(decision.size, drawn))
            paused = decision.paused

    def _fresh(self, size: int, drawn: list[bytes]) -> bytes:
        """Fresh entropy, kept for the case that the decision is run again."""
        drawn.append(self._outside.entropy(size))
        return drawn[-1]

    def _opened(self, draft: Draft, sealed: Sealed) -> bytes:
        """What was drawn and sealed before, for bets that are durable alone (G7).

        It is opened again on every try: what was opened for one round is never another's, which
        may be in play by then.
        """
        if any(e.stream == series_stream(sealed.series) for e in draft.entries):
            raise Conflict("The bets on a sealed number are saved before it is opened.")
        return self._outside.unseal(sealed)

    def _presume(self, draft: Draft, command: Command) -> bool:
        """Take in what was kept, unless a stream was never seen or others write there too.

        Maintenance may be without any event: the save looks whether it still is.
        """
        about = HANDLERS[type(command)].reads(command, {})[0]
        own = command_stream(command.id)
        if not self._store.checks_guards or not self._folds.kept(about) or self._folds.kept(own):
            return False
        while missing := self._missing(draft, [command]):
            if sum(kind_of(s) == "session" for s in (*draft.folded, *missing)) > 1:
                return False  # a table's seats: few of them are written, so others stay unchecked
            seen = [s for s in missing if s not in (own, MAINTENANCE)]
            if self._folds.are_shared(missing) or not self._folds.are_kept(seen):
                return False
            draft.add(self._folds.presumed(missing))
        return True

    def _load(self, draft: Draft, commands: Sequence[Command]) -> None:
        while missing := self._missing(draft, commands):
            draft.add(self._folds.read(missing))

    def _missing(self, draft: Draft, commands: Sequence[Command]) -> list[StreamName]:
        wanted: dict[StreamName, None] = {}
        for command in commands:
            wanted[command_stream(command.id)] = None
            wanted.update(dict.fromkeys(self._reads(draft, command)))
        return [stream for stream in wanted if stream not in draft.folded]

    def _reads(self, draft: Draft, command: Command) -> tuple[StreamName, ...]:
        reads = HANDLERS[type(command)].reads
        states = draft.states()
        first = reads(command, states)
        kept = {s: k.state for s in first if s not in states and (k := self._folds.kept(s))}
        return tuple(chain(first, reads(command, {**kept, **states}) if kept else ()))

    def _again(
        self, command_id: UUID, answered: CommandAnswered, drafted: Sequence[AnyEntry]
    ) -> Answer:
        stream = command_stream(command_id)
        ranges = {StreamName(w.stream): (w.first, w.last) for w in answered.written}
        found = self._entries({stream: (1, 2), **ranges}, drafted)
        recorded = next(e.recorded for e in found if isinstance(e.event, CommandAnswered))
        order = {name: place for place, name in enumerate(ranges)}
        mine = [e for e in found if e.stream in order and e.stream != stream]
        mine.sort(key=lambda e: (order[StreamName(e.stream)], e.version))
        return Answer(command_id, recorded, answered, tuple(mine))

    def _entries(
        self, ranges: dict[StreamName, tuple[int, int]], drafted: Sequence[AnyEntry]
    ) -> list[AnyEntry]:
        durable = self._store.read({s: first - 1 for s, (first, _) in ranges.items()})
        mine = (e for e in drafted if e.stream in ranges)
        both = {(e.stream, e.version): e for e in chain(durable, mine)}
        return [e for e in both.values() if _within(e, ranges[StreamName(e.stream)])]

    def _book_is_open(self, draft: Draft, command: Command) -> bool:
        if self._is_open or isinstance(command, OpenBook):
            return True
        drafted = draft.folded.get(BOOK)
        if drafted is not None and isinstance(drafted.state, book.Opened):
            return True
        self._is_open = isinstance(self._folds.read([BOOK])[BOOK].state, book.Opened)
        return self._is_open


def _within(entry: AnyEntry, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= entry.version <= bounds[1]


def _is_revoked(command: Command, standing: record.Revoked) -> bool:
    """Whether a tombstone is for this command: a bet of the same session, and nothing else."""
    return command.PLACES_BETS and getattr(command, "session", None) == standing.session
