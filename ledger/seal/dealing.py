"""Deals of live tables: played again card by card and turn by turn from what is on record (G7).

A card must be one that the shoe still holds, drawn from its entropy or told by the studio, and lie
where the game deals it; a turn must be the one that was due, taken by the session of its box on the
cards that lay there, or by the rules for one that did not act. A box that a step decides is told so
in the same save, and the outcome is what all the cards make.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, events as ev, sheets, table
from ledger.domain.decider import (
    Dealing,
    DealtEngine,
    DealTo,
    Decided,
    Drawn,
    Engine,
    Over,
    Turn,
    is_dealt,
)
from ledger.domain.ids import session_stream
from ledger.replay import Finding
from ledger.seal.asked import asked_of_deal


@dataclass(slots=True)
class _Bet:
    """What lies on a box before the deal."""

    seat: int
    session: UUID
    amount: int = 0


@dataclass(slots=True)
class _Save:
    """What one command has brought so far to a deal."""

    moves: dict[str, ev.MoveMade[Any]] = field(default_factory=dict)
    """Moves on cards whose turn has not come by, by the session."""
    decided: list[Decided] = field(default_factory=list)
    """Boxes that are still to be told that they are decided."""
    at: str | None = None
    """The table whose deal went on."""
    asked: cmd.Command | None = None
    """What must have been asked for it; None where a player moved."""


@dataclass(frozen=True, slots=True)
class _Deal:
    """A table's deal before an event of it, by the rules of its round."""

    found: table.Table
    round: table.TableRound
    engine: DealtEngine
    sheet: Any
    so_far: Dealing

    @property
    def due(self) -> DealTo | Turn | Over:
        """What it waits for."""
        return self.engine.following(self.sheet, self.so_far)


@dataclass(slots=True)
class DealingCheck:
    """Holds every deal against its game, its shoe, its bets, and the moves of its boxes."""

    engines: Mapping[str, Engine]
    published: Mapping[ev.SheetRef, sheets.Published]
    _tables: dict[str, table.State] = field(default_factory=dict)
    """Each table as its own events make it."""
    _bets: dict[UUID, dict[UUID, _Bet]] = field(default_factory=dict)
    """The bets of boxes, by the table's round and their own."""
    _rounds: dict[UUID, UUID] = field(default_factory=dict)
    """The table's round of each round of a session that has not ended."""
    _away: dict[str, str] = field(default_factory=dict)
    """Why the rules may act for a session whose player is away or excluded."""
    _back: dict[str, int] = field(default_factory=dict)
    """Where the player of a session came back."""
    _stepped: dict[str, int] = field(default_factory=dict)
    """Where the deal of a table went on last."""
    _position: int = 0
    _saves: dict[UUID, _Save] = field(default_factory=dict)

    def see(self, position: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        self._position = position
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from self._safely(step, entry)
        if entry.stream.startswith("table:"):
            yield from self._safely(DealingCheck._follow, entry)

    def _safely(self, step: "_Step", entry: ev.AnyEntry) -> list[Finding]:
        try:
            return list(step(self, entry, entry.event))
        except Exception as error:  # noqa: BLE001 - what was forged may break any assumption
            return [_finding(entry, f"cannot be judged: {type(error).__name__}")]

    def _follow(self, entry: ev.AnyEntry, event: ev.Event) -> Iterator[Finding]:
        """The table after its event, and what the event decides there."""
        state = self._tables.get(entry.stream, table.START)
        self._tables[entry.stream] = table.evolve(state, event, entry.recorded)
        if isinstance(event, ev.CardDealt | ev.TurnTaken):
            deal = self._deal(entry.stream, event.round)
            save = self._save(entry)
            save.at = entry.stream
            self._stepped[entry.stream] = self._position
            save.decided += deal.engine.decided(deal.sheet, deal.so_far)
        yield from ()

    def end(self) -> Iterator[Finding]:
        """Nothing more: a deal may be under way."""
        return iter(())

    def _save(self, entry: ev.AnyEntry) -> _Save:
        return self._saves.setdefault(entry.command, _Save())

    def _judged_by(self, rules: ev.SheetRef) -> tuple[Engine, Any]:
        published = self.published[rules]
        engine = self.engines[published.engine]
        return engine, engine.read_sheet(published.text)

    def _in_play(self, stream: str, round_id: UUID) -> tuple[table.Table, table.TableRound]:
        """A table and its round in play, which must be this one."""
        found = self._tables[stream]
        assert isinstance(found, table.Table)
        assert found.round is not None
        assert found.round.round == round_id
        return found, found.round

    def _deal(self, stream: str, round_id: UUID) -> _Deal:
        found, round_ = self._in_play(stream, round_id)
        engine, sheet = self._judged_by(round_.rules)
        assert is_dealt(engine)
        assert round_.dealing is not None
        return _Deal(found, round_, engine, sheet, round_.dealing)

    # --- the table -------------------------------------------------------------------------------

    def closed(self, entry: ev.AnyEntry, event: ev.BetsClosed) -> Iterator[Finding]:
        """Cards follow a close where the game deals them, and nowhere else."""
        _, round_ = self._in_play(entry.stream, event.round)
        engine, _ = self._judged_by(round_.rules)
        if is_dealt(engine) != (event.deals is True):
            yield _finding(entry, "the game and the close differ on whether cards are dealt")

    def shuffled(self, entry: ev.AnyEntry, event: ev.ShoeShuffled[Any]) -> Iterator[Finding]:
        """A shoe is shuffled between two deals, and its cutting card stands where it may."""
        found = self._tables[entry.stream]
        assert isinstance(found, table.Table)
        self._save(entry).asked = asked_of_deal(entry)
        engine, sheet = self._judged_by(event.rules)
        assert is_dealt(engine)
        last = 0 if found.shoe is None else found.shoe.number
        if (event.rules.sheet, event.number) != (found.sheet, last + 1):
            yield _finding(entry, "not the table's next shoe")
        if found.round is not None and found.round.dealing is not None:
            yield _finding(entry, "shuffled while a round's cards lay on the table")
        if not engine.can_be_cut(sheet, event.details):
            yield _finding(entry, "the cutting card cannot stand there")
        yield from _of_source(entry, event, found)
        if event.entropy is not None:
            drawn = engine.draw_shuffle(sheet, bytes.fromhex(event.entropy))
            yield from _of_entropy(entry, event, drawn)

    def begun(self, entry: ev.AnyEntry, event: ev.DealingBegun) -> Iterator[Finding]:
        """The boxes in play are those that have a bet, once the bets are closed."""
        _, round_ = self._in_play(entry.stream, event.round)
        if round_.phase != "closed":
            yield _finding(entry, "dealt before the close or a second time")
        boxes = [
            ev.Box(seat=bet.seat, session=bet.session, round=round_id, stake=bet.amount)
            for round_id, bet in self._bets.get(event.round, {}).items()
            if bet.amount
        ]
        if event.boxes != tuple(sorted(boxes, key=lambda box: box.seat)):
            yield _finding(entry, "other boxes than those that have a bet")

    def dealt(self, entry: ev.AnyEntry, event: ev.CardDealt[Any]) -> Iterator[Finding]:
        """A card comes out of the shoe and lies where it belongs."""
        self._save(entry).asked = asked_of_deal(entry)
        deal = self._deal(entry.stream, event.round)
        shoe = deal.found.shoe
        assert shoe is not None
        place = DealTo(event.seat, event.hand), event.number
        if place != (deal.due, deal.so_far.cards + 1):
            yield _finding(entry, "no card belongs there now")
        is_out = deal.engine.is_out(deal.sheet, shoe.shuffle, len(shoe.gone))
        if shoe.rules != deal.round.rules or (is_out and event.number == 1):
            yield _finding(entry, "dealt from a shoe that was to be shuffled")
        if not deal.engine.can_come(deal.sheet, shoe.gone, event.details):
            yield _finding(entry, "the shoe holds no such card any more")
        yield from _of_source(entry, event, deal.found)
        if event.entropy is not None:
            entropy = bytes.fromhex(event.entropy)
            drawn = deal.engine.draw_card(deal.sheet, shoe.gone, entropy)
            yield from _of_entropy(entry, event, drawn)

    def taken(self, entry: ev.AnyEntry, event: ev.TurnTaken[Any]) -> Iterator[Finding]:
        """A turn is taken when it is due: by its box's session, or for one that did not act."""
        deal = self._deal(entry.stream, event.round)
        turn = deal.due
        if not isinstance(turn, Turn) or (turn.seat, turn.hand) != (event.seat, event.hand):
            yield _finding(entry, "this box has no turn now")
            return
        box = next(each for each in deal.so_far.boxes if each.seat == event.seat)
        move = self._save(entry).moves.pop(session_stream(box.session), None)
        if event.passed is not None:
            yield from self._passed(entry, event, deal, box)
        elif move is None or (move.round, move.details) != (box.round, event.details):
            yield _finding(entry, "not taken by the session of its box")
        elif move.seen != deal.engine.seen(deal.sheet, deal.so_far, event.seat):
            yield _finding(entry, "its player saw other cards than lay on the table")

    def _passed(
        self, entry: ev.AnyEntry, event: ev.TurnTaken[Any], deal: _Deal, box: ev.Box
    ) -> Iterator[Finding]:
        """The rules act for a box whose player is away, or let the time pass."""
        self._save(entry).asked = asked_of_deal(entry)
        if event.details != deal.engine.passed(deal.sheet, deal.so_far):
            yield _finding(entry, "not what the rules do for a box that does not act")
        assert deal.round.waits_since is not None
        waited = entry.recorded - deal.round.waits_since
        may_take = timedelta(seconds=deal.engine.seconds_to_act(deal.sheet))
        if event.passed == "time":
            is_due = waited >= may_take
        else:
            is_due = event.passed == self._why_away(session_stream(box.session), entry.stream)
        if not is_due:
            yield _finding(entry, "passed while its player could act")

    def _why_away(self, session: str, at: str) -> str | None:
        """Why a session's player could not act; one may come back while the rules act."""
        if self._back.get(session, -1) > self._stepped[at]:
            return self._away.get(session, "disconnected")
        return self._away.get(session)

    def outcome(self, entry: ev.AnyEntry, event: ev.OutcomeRecorded[Any]) -> Iterator[Finding]:
        """An outcome of cards is what they make, once none is to come."""
        _, round_ = self._in_play(entry.stream, event.round)
        if not round_.deals:
            return
        due = self._deal(entry.stream, event.round).due
        told = Over(event.details, event.shown)
        if due != told or event.entropy is not None or event.feed is not None:
            yield _finding(entry, "not the outcome that the cards make")

    # --- the boxes -------------------------------------------------------------------------------

    def opened(self, entry: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A bet is placed on the box of a session's own seat."""
        place = event.table
        if place is None:
            return
        engine, _ = self._judged_by(event.rules)
        found = self._tables[f"table:{place.table}"]
        assert isinstance(found, table.Table)
        session = UUID(entry.stream.partition(":")[2])
        seat = next((s.seat for s in found.seats if s.session == session), None)
        if place.seat != (seat if is_dealt(engine) else None):
            yield _finding(entry, "bets on another box than its seat's")
        if place.seat is not None:
            self._bets.setdefault(place.round, {})[event.round] = _Bet(place.seat, session)
            self._rounds[event.round] = place.round

    def _bet_of(self, round_id: UUID) -> _Bet | None:
        at = self._rounds.get(round_id)
        return None if at is None else self._bets[at].get(round_id)

    def placed(
        self, _: ev.AnyEntry, event: ev.BetPlaced[Any] | ev.BetRefunded
    ) -> Iterator[Finding]:
        """Money comes to a box, or goes back."""
        bet = self._bet_of(event.round)
        if bet is not None:
            bet.amount += event.amount if isinstance(event, ev.BetPlaced) else -event.amount
        return iter(())

    def moved(self, entry: ev.AnyEntry, event: ev.MoveMade[Any]) -> Iterator[Finding]:
        """A move on cards waits for the turn that it takes, in its own save."""
        if event.seen is not None:
            self._save(entry).moves[entry.stream] = event
        return iter(())

    def decided(self, entry: ev.AnyEntry, event: ev.BoxDecided[Any]) -> Iterator[Finding]:
        """A box is told that it is decided, in the save that decided it."""
        due = self._save(entry).decided
        told = [
            each
            for each in due
            if (session_stream(each.box.session), each.box.round) == (entry.stream, event.round)
        ]
        if not told or (told[0].details, told[0].shown) != (event.details, event.shown):
            yield _finding(entry, "no step of the deal decides the box so")
            return
        due.remove(told[0])
        if self._rounds.get(event.round) != event.table_round:
            yield _finding(entry, "names another round of the table than its own")

    def ended(self, _: ev.AnyEntry, event: ev.RoundSettled | ev.RoundVoided) -> Iterator[Finding]:
        """A box is in play no more."""
        at = self._rounds.pop(event.round, None)
        if at is not None:
            self._bets[at].pop(event.round)
            if not self._bets[at]:
                del self._bets[at]
        return iter(())

    def away(self, entry: ev.AnyEntry, event: ev.Event) -> Iterator[Finding]:
        """Whether a session's player can act."""
        match event:
            case ev.SessionBarred():
                self._away[entry.stream] = "excluded"
            case ev.SessionDisconnected():
                self._away.setdefault(entry.stream, "disconnected")
            case ev.SessionReconnected():
                self._back[entry.stream] = self._position
                if self._away.get(entry.stream) == "disconnected":
                    del self._away[entry.stream]
            case _:
                self._away.pop(entry.stream, None)
                self._back.pop(entry.stream, None)
        return iter(())

    def answered(self, entry: ev.AnyEntry, event: ev.CommandAnswered) -> Iterator[Finding]:
        """A save is complete: nothing of a deal is left half done."""
        save = self._saves.pop(entry.command, None)
        if save is None:
            return
        if save.asked is not None and cmd.digest(save.asked) != event.digest:
            yield _finding(entry, "asked for something else than came")
        for stream in save.moves:
            yield _finding(entry, f"the table has no turn of the move in {stream}")
        for each in save.decided:
            yield _finding(entry, f"the box at seat {each.box.seat} is decided and was not told")
        found = self._tables.get(save.at or "")
        round_ = found.round if isinstance(found, table.Table) else None
        if round_ is not None and round_.phase == "dealing":
            deal = self._deal(save.at or "", round_.round)
            if isinstance(deal.due, Over):
                yield _finding(entry, "the deal is over and has no outcome")


_Step = Callable[[DealingCheck, ev.AnyEntry, Any], Iterator[Finding]]
_STEPS: Final[dict[str, _Step]] = {
    ev.BetsClosed.NAME: DealingCheck.closed,
    ev.ShoeShuffled.NAME: DealingCheck.shuffled,
    ev.DealingBegun.NAME: DealingCheck.begun,
    ev.CardDealt.NAME: DealingCheck.dealt,
    ev.TurnTaken.NAME: DealingCheck.taken,
    ev.OutcomeRecorded.NAME: DealingCheck.outcome,
    ev.RoundOpened.NAME: DealingCheck.opened,
    ev.BetPlaced.NAME: DealingCheck.placed,
    ev.BetRefunded.NAME: DealingCheck.placed,
    ev.MoveMade.NAME: DealingCheck.moved,
    ev.BoxDecided.NAME: DealingCheck.decided,
    ev.RoundSettled.NAME: DealingCheck.ended,
    ev.RoundVoided.NAME: DealingCheck.ended,
    ev.SessionBarred.NAME: DealingCheck.away,
    ev.SessionDisconnected.NAME: DealingCheck.away,
    ev.SessionReconnected.NAME: DealingCheck.away,
    ev.SessionClosed.NAME: DealingCheck.away,
    ev.CommandAnswered.NAME: DealingCheck.answered,
}


def _of_source(
    entry: ev.AnyEntry, event: ev.CardDealt[Any] | ev.ShoeShuffled[Any], found: table.Table
) -> Iterator[Finding]:
    """What came was either drawn here or told by a message of the feed that counts."""
    if (event.entropy is None) == (event.feed is None):
        yield _finding(entry, "neither drawn nor told, or both")
    if event.feed is not None and table.reheard(found, event.feed, event.details) is not None:
        yield _finding(entry, "told by a message that cannot count")


def _of_entropy(
    entry: ev.AnyEntry, event: ev.CardDealt[Any] | ev.ShoeShuffled[Any], drawn: object
) -> Iterator[Finding]:
    if drawn != Drawn(event.details, bytes.fromhex(event.entropy or "")):
        yield _finding(entry, "the entropy on record does not give this")


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("deals", f"{entry.stream} version {entry.version}", found)
