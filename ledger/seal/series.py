"""FairPlay series in a book: what was revealed is what was committed, and what was drawn (G7).

Rounds are judged by their entropy elsewhere. Here a series is held against its secret: both hashes,
each number in its turn and for the round that took it, and each outcome, as its game reads it. No
number is opened in the save of its bets, none is taken of a series that is over, and no secret is
told before that.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import series_stream
from ledger.replay import Finding

Agrees = Callable[[str, int, ev.Details], bool]
"""Whether a secret string has, at a place from 1, the number that an outcome came of."""


@dataclass(slots=True)
class _Series:
    """What was seen of one series."""

    prepared: ev.SeriesPrepared
    taken: dict[int, UUID] = field(default_factory=dict)
    """The round by the place of the number that was taken for it."""
    opened: dict[int, UUID] = field(default_factory=dict)
    """The round by the place of the number that it says it has."""
    drawn: dict[int, tuple[str, str, ev.Details]] = field(default_factory=dict)
    """Where the draw stands, its game, and its outcome, by place."""
    secret: str | None = None
    over: str | None = None
    """Why no number may be taken any more, once that is so."""


@dataclass(slots=True)
class SeriesCheck:
    """Holds every series against its commitments, its rounds, and what was revealed of it."""

    agrees: Mapping[str, Agrees]
    """How a secret is read, by the name of the game."""
    _series: dict[str, _Series] = field(default_factory=dict)
    _rounds: dict[UUID, tuple[str, int, UUID]] = field(default_factory=dict)
    """Of each round that is not drawn: stream and place of its number, and the bets' command."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def prepared(self, entry: ev.AnyEntry, event: ev.SeriesPrepared) -> Iterator[Finding]:
        """A series begins."""
        if entry.stream != series_stream(event.series) or entry.stream in self._series:
            yield _finding(entry, "prepares a series in the stream of another")
        self._series[entry.stream] = _Series(event)

    def taken(self, entry: ev.AnyEntry, event: ev.NumberTaken) -> Iterator[Finding]:
        """Numbers are taken in their order, each once."""
        known = self._series.get(entry.stream)
        if known is None or event.place != len(known.taken) + 1:
            yield _finding(entry, f"takes number {event.place} out of its turn")
        if known is not None:
            if known.over is not None:
                yield _finding(entry, f"takes number {event.place} of a series that {known.over}")
            known.taken[event.place] = event.round

    def opened(self, entry: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round names the number as it was sealed."""
        number = event.series
        if number is None:
            return
        stream = series_stream(number.sealed.series)
        known = self._series.get(stream)
        if known is None or number.sealed not in known.prepared.numbers[number.place - 1 :][:1]:
            yield _finding(entry, f"is not played with number {number.place} as it was sealed")
        if known is not None:
            known.opened[number.place] = event.round
            self._rounds[event.round] = (stream, number.place, entry.command)

    def drawn(self, entry: ev.AnyEntry, event: ev.DrawRecorded[Any]) -> Iterator[Finding]:
        """An outcome that came of a number."""
        found = self._rounds.pop(event.round, None)
        if found is None:
            return
        stream, place, bets = found
        known = self._series[stream]
        if entry.command == bets:
            yield _finding(entry, f"opens number {place} in the save of its bets")
        known.drawn[place] = (_place(entry), event.game, event.details)
        if known.secret is not None:
            yield _finding(entry, f"draws number {place} after the secret was told")
            yield from self._compare(known.secret, place, known.drawn[place])

    def ended(self, entry: ev.AnyEntry, _: ev.SeriesEnded) -> Iterator[Finding]:
        """No number is taken any more."""
        yield from self._over(entry, "had ended")

    def expired(self, entry: ev.AnyEntry, _: ev.SeriesExpired) -> Iterator[Finding]:
        """Its time is over; there is nothing more to take or to tell."""
        yield from self._over(entry, "had expired")

    def _over(self, entry: ev.AnyEntry, over: str) -> Iterator[Finding]:
        known = self._series.get(entry.stream)
        if known is None:
            yield _finding(entry, "ends a series that was never prepared")
        else:
            known.over = over

    def revealed(self, entry: ev.AnyEntry, event: ev.SeriesRevealed) -> Iterator[Finding]:
        """The secret in clear: its hashes, and the numbers that were drawn before."""
        known = self._series.get(entry.stream)
        if known is None:
            yield _finding(entry, "reveals a series that was never prepared")
            return
        if known.over != "had ended" and len(known.taken) < len(known.prepared.numbers):
            yield _finding(entry, "tells the secret of a series that was not over")
        known.secret, known.over = event.secret, "was told"
        text = event.secret.encode()
        if hashlib.sha256(text).hexdigest() != known.prepared.sha256:
            yield _finding(entry, "the secret has another SHA-256 than was committed")
        if hashlib.md5(text, usedforsecurity=False).hexdigest() != known.prepared.md5:
            yield _finding(entry, "the secret has another MD5 than was committed")
        for place, draw in known.drawn.items():
            yield from self._compare(event.secret, place, draw)

    def _compare(
        self, secret: str, place: int, draw: tuple[str, str, ev.Details]
    ) -> Iterator[Finding]:
        where, game, outcome = draw
        agrees = self.agrees.get(game)
        if agrees is None:
            yield Finding("series", where, f"no game {game} reads the secret of its series")
        elif not agrees(secret, place, outcome):
            yield Finding("series", where, f"number {place} of the secret is another one")

    def end(self) -> Iterator[Finding]:
        """Numbers that were taken for other rounds than those that have them."""
        for stream, known in self._series.items():
            if known.taken != known.opened:
                yield Finding("series", stream, "numbers taken are not those of the rounds")


_STEPS: Final[dict[str, Callable[[SeriesCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
    ev.SeriesPrepared.NAME: SeriesCheck.prepared,
    ev.NumberTaken.NAME: SeriesCheck.taken,
    ev.RoundOpened.NAME: SeriesCheck.opened,
    ev.DrawRecorded.NAME: SeriesCheck.drawn,
    ev.SeriesEnded.NAME: SeriesCheck.ended,
    ev.SeriesRevealed.NAME: SeriesCheck.revealed,
    ev.SeriesExpired.NAME: SeriesCheck.expired,
}


def _place(entry: ev.AnyEntry) -> str:
    return f"{entry.stream} version {entry.version}"


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("series", _place(entry), found)
