"""States of streams: folded once, kept, and brought forward by what was written since."""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Final

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName
from ledger.domain.registry import DECIDERS, kind_of
from ledger.store.book import Store
from ledger.store.snapshots import Folded, Snapshots

KEPT_STREAMS: Final = 20_000
"""How many states one process keeps; the longest unused are dropped."""


def start(stream: StreamName) -> Folded:
    """The state of a stream before its first event."""
    return Folded(0, DECIDERS[kind_of(stream)].initial)


def advance(folded: Folded, entry: AnyEntry) -> Folded:
    """Fold one more entry, which must be the next one of its stream."""
    assert entry.version == folded.version + 1, (entry.stream, entry.version, folded.version)
    evolve = DECIDERS[kind_of(entry.stream)].evolve
    return Folded(entry.version, evolve(folded.state, entry.event, entry.recorded))


class Folds:
    """The states that one process has folded; only what is durable is ever kept here."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshots = Snapshots(store.recorder, store.codec)
        self._kept: OrderedDict[StreamName, Folded] = OrderedDict()
        self._shared: set[StreamName] = set()
        self._lock = Lock()

    def kept(self, stream: StreamName) -> Folded | None:
        """The state as last seen, which others may have moved since."""
        return self._kept.get(stream)

    def are_kept(self, streams: Iterable[StreamName]) -> bool:
        """Whether all of these streams were seen with an event at least."""
        return all(s in self._kept for s in streams)

    def presumed(self, streams: Iterable[StreamName]) -> dict[StreamName, Folded]:
        """The states as last seen, and of a stream without an event the one before its first."""
        return {s: self._kept.get(s) or start(s) for s in streams}

    def are_shared(self, streams: Iterable[StreamName]) -> bool:
        """Whether others had written to one of these streams when it was last read."""
        return not self._shared.isdisjoint(streams)

    def read(self, streams: Iterable[StreamName]) -> dict[StreamName, Folded]:
        """The states as they are now, in one round trip for streams that were read before."""
        known = {s: self._kept.get(s) for s in streams}
        cold = [s for s, folded in known.items() if folded is None]
        found = self._snapshots.load(cold)
        states = {s: folded or found.get(s) or start(s) for s, folded in known.items()}
        for entry in self._store.read({s: f.version for s, f in states.items()}):
            stream = StreamName(entry.stream)
            states[stream] = advance(states[stream], entry)
        self.keep(states)
        self._note(known, states)
        return states

    def _note(
        self, known: dict[StreamName, Folded | None], states: dict[StreamName, Folded]
    ) -> None:
        moved = [s for s, was in known.items() if was and was.version < states[s].version]
        with self._lock:
            self._shared.difference_update(known)
            self._shared.update(moved)

    def keep(self, states: dict[StreamName, Folded]) -> None:
        """Remember durable states; a stream's state never goes back."""
        with self._lock:
            for stream, folded in states.items():
                self._keep_one(stream, folded)
            while len(self._kept) > KEPT_STREAMS:
                stream, _ = self._kept.popitem(last=False)
                self._shared.discard(stream)

    def _keep_one(self, stream: StreamName, folded: Folded) -> None:
        kept = self._kept.get(stream)
        if folded.version and (kept is None or kept.version <= folded.version):
            self._kept[stream] = folded
            self._kept.move_to_end(stream)

    def take_snapshot(self, stream: StreamName, folded: Folded) -> None:
        """Write a snapshot of a durable state."""
        self._snapshots.take(stream, folded)
