"""Disputes in a book, and players who were forgotten: what is on record is what was asked (FR11).

A claim is about what its player played, nothing comes after a decision, and nobody was forgotten
before the time of the records was over, or in the middle of a dispute (G10). Each event says all
that its command said, so that the command is made again from it and its digest must be on record.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, events as ev
from ledger.domain.erasure import kept_until
from ledger.domain.ids import StreamName, conto_stream, player_stream, session_stream
from ledger.replay import Finding

_MADE_BY: Final[Mapping[str, type[cmd.Command]]] = MappingProxyType(
    {
        ev.DisputeOpened.NAME: cmd.OpenDispute,
        ev.DisputeNoted.NAME: cmd.AddToDispute,
        ev.DisputeClosed.NAME: cmd.CloseDispute,
        ev.PlayerForgotten.NAME: cmd.ForgetPlayer,
    }
)
"""The kind of command that makes each event, one event for each command."""
_KINDS: Final = frozenset(kind.KIND for kind in _MADE_BY.values())


@dataclass(slots=True)
class DisputeCheck:
    """Holds every dispute and every erasure against what was asked and what may be."""

    history: Callable[[StreamName], Iterable[ev.AnyEntry]]
    """The entries of a stream, asked for the session of each dispute alone: of those that were
    played nothing need be kept in mind."""
    _disputes: dict[UUID, str] = field(default_factory=dict)
    """The stream of each dispute that is open."""
    _closed: dict[str, datetime] = field(default_factory=dict)
    """When a conto was closed, by its stream."""
    _forgotten: set[str] = field(default_factory=set)
    """The streams of players who were forgotten."""
    _made: dict[UUID, list[ev.AnyEntry]] = field(default_factory=dict)
    """The events of commands whose record is still to come."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        if entry.event.NAME in _MADE_BY:
            self._made.setdefault(entry.command, []).append(entry)
        if entry.stream in self._forgotten:
            yield _finding(entry, "comes after its player was forgotten")
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def closed_conto(self, entry: ev.AnyEntry, _: ev.ContoClosed) -> Iterator[Finding]:
        """The time of the records begins to run."""
        self._closed.setdefault(entry.stream, entry.recorded)
        return iter(())

    def opened(self, entry: ev.AnyEntry, event: ev.DisputeOpened) -> Iterator[Finding]:
        """A claim about what the player played."""
        if entry.stream != player_stream(event.player) or event.dispute != entry.command:
            yield _finding(entry, "stands under another player or id than its own")
        yield from self._about(entry, event)
        self._disputes[event.dispute] = entry.stream

    def _about(self, entry: ev.AnyEntry, event: ev.DisputeOpened) -> Iterator[Finding]:
        """The session is the player's, and had the round."""
        history = self.history(session_stream(event.session))
        played = [e.event for e in history if e.recorded <= entry.recorded]
        players = {e.player for e in played if isinstance(e, ev.ParticipationRequested)}
        rounds = {e.round for e in played if isinstance(e, ev.RoundOpened | ev.DemoRoundPlayed)}
        if players != {event.player}:
            yield _finding(entry, "is about a session of another player")
        if event.round is not None and event.round not in rounds:
            yield _finding(entry, "is about a round that this session had not")

    def noted(self, entry: ev.AnyEntry, event: ev.DisputeEvent) -> Iterator[Finding]:
        """A contact in a dispute that is open."""
        if self._disputes.get(event.dispute) != entry.stream:
            yield _finding(entry, "no such dispute is open here, and a decision is final")

    def decided(self, entry: ev.AnyEntry, event: ev.DisputeClosed) -> Iterator[Finding]:
        """The decision, once."""
        yield from self.noted(entry, event)
        self._disputes.pop(event.dispute, None)

    def forgotten(self, entry: ev.AnyEntry, event: ev.PlayerForgotten) -> Iterator[Finding]:
        """A player was forgotten when that was allowed."""
        closed = self._closed.get(conto_stream(event.player))
        if entry.stream != player_stream(event.player):
            yield _finding(entry, "stands under another player than its own")
        if closed is None or entry.recorded < kept_until(closed):
            yield _finding(entry, "was forgotten before the time of the records was over")
        if entry.stream in self._disputes.values():
            yield _finding(entry, "was forgotten while a dispute was open")
        self._forgotten.add(entry.stream)

    def answered(self, entry: ev.AnyEntry, event: ev.CommandAnswered) -> Iterator[Finding]:
        """The record of a command: it asked for what its event says, and for one event."""
        made = self._made.pop(entry.command, [])
        asks = event.kind in _KINDS and event.refusal is None
        if len(made) != asks:
            yield _finding(entry, f"{len(made)} events were made by this command, not {int(asks)}")
        elif asks and not _is_asked(event, made[0]):
            yield _finding(entry, f"asked for something else than {made[0].event.NAME} says")

    def end(self) -> Iterator[Finding]:
        """Nothing more: a dispute may be open."""
        return iter(())


def _is_asked(record: ev.CommandAnswered, made: ev.AnyEntry) -> bool:
    kind = _MADE_BY[made.event.NAME]
    told = {name: value for name, value in made.event if name in kind.model_fields}
    command = kind(id=made.command, actor=made.actor, played=made.played, **told)
    return (record.kind, record.digest) == (kind.KIND, cmd.digest(command))


Step = Callable[[DisputeCheck, ev.AnyEntry, Any], Iterator[Finding]]

_STEPS: Final[Mapping[str, Step]] = MappingProxyType(
    {
        ev.ContoClosed.NAME: DisputeCheck.closed_conto,
        ev.DisputeOpened.NAME: DisputeCheck.opened,
        ev.DisputeNoted.NAME: DisputeCheck.noted,
        ev.DisputeClosed.NAME: DisputeCheck.decided,
        ev.PlayerForgotten.NAME: DisputeCheck.forgotten,
        ev.CommandAnswered.NAME: DisputeCheck.answered,
    }
)


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("disputes", f"{entry.stream} version {entry.version}", found)
