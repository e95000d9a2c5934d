"""Payments of live tables: their order over the whole table, and how many sessions had any.

Each session's own payments are judged with its rounds. Here those of a settlement stand in the
order that the game gives them over all seats (FR4), and what a table says of how many sessions were
paid or refunded is held against its save (G4).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev, sheets
from ledger.domain.decider import Due, Engine, is_of_tables
from ledger.domain.paying import is_payment
from ledger.replay import Finding


@dataclass(slots=True)
class _Save:
    """What one command has saved so far."""

    told: set[str] = field(default_factory=set)
    """The sessions that were told an outcome."""
    refunded: set[str] = field(default_factory=set)
    """Those in which a bet was refunded."""
    dues: list[Due] = field(default_factory=list)
    """The payments, as they stand in the log."""


@dataclass(slots=True)
class PaymentCheck:
    """Holds the save that ends a table's round against the order of payments and its counts."""

    engines: Mapping[str, Engine]
    published: Mapping[ev.SheetRef, sheets.Published]
    _saves: dict[UUID, _Save] = field(default_factory=dict)
    """By command whose record has not come."""
    _seats: dict[str, int] = field(default_factory=dict)
    """The seat of each session that sits at a table."""
    _bets: dict[UUID, dict[int, ev.BetPlaced[Any]]] = field(default_factory=dict)
    """The bets of the rounds in play at tables, by index."""
    _rules: dict[UUID, ev.SheetRef] = field(default_factory=dict)
    """Of the rounds of tables that are in play."""
    _outcomes: dict[UUID, ev.Details] = field(default_factory=dict)

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def end(self) -> Iterator[Finding]:
        """Nothing more: a round of a table may be in play."""
        return iter(())

    def begun(self, _: ev.AnyEntry, event: ev.TableRoundOpened) -> Iterator[Finding]:
        """A table opens a round."""
        self._rules[event.round] = event.rules
        return iter(())

    def recorded(self, _: ev.AnyEntry, event: ev.OutcomeRecorded[Any]) -> Iterator[Finding]:
        """It has an outcome."""
        self._outcomes[event.round] = event.details
        return iter(())

    def seated(self, entry: ev.AnyEntry, event: ev.SessionSeated) -> Iterator[Finding]:
        """A session sits down."""
        self._seats[entry.stream] = event.seat
        return iter(())

    def opened(self, _: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round of a session is bet at a table."""
        if event.table is not None:
            self._bets[event.round] = {}
        return iter(())

    def placed(self, _: ev.AnyEntry, event: ev.BetPlaced[Any]) -> Iterator[Finding]:
        """One of its bets."""
        if event.round in self._bets:
            self._bets[event.round][event.bet] = event
        return iter(())

    def left(self, _: ev.AnyEntry, event: ev.StakeLeft) -> Iterator[Finding]:
        """A bet that plays on lies where it lay."""
        bets = self._bets.get(event.round, {})
        if event.bet in bets:
            bets[event.left_as] = bets[event.bet]
        return iter(())

    def told(self, entry: ev.AnyEntry, _: ev.OutcomeTold[Any]) -> Iterator[Finding]:
        """A session is told an outcome."""
        self._save(entry).told.add(entry.stream)
        return iter(())

    def refunded(self, entry: ev.AnyEntry, _: ev.BetRefunded) -> Iterator[Finding]:
        """A bet goes back."""
        self._save(entry).refunded.add(entry.stream)
        return iter(())

    def paid(self, entry: ev.AnyEntry, event: ev.PayoutCredited | ev.WinHeld) -> Iterator[Finding]:
        """A bet is paid."""
        placed = self._bets.get(event.round, {}).get(event.bet)
        if placed is not None and is_payment(event):
            seat = self._seats.get(entry.stream, 0)
            self._save(entry).dues.append(Due(seat, placed, event))
        return iter(())

    def _save(self, entry: ev.AnyEntry) -> _Save:
        return self._saves.setdefault(entry.command, _Save())

    def ended(self, _: ev.AnyEntry, event: ev.RoundSettled | ev.RoundVoided) -> Iterator[Finding]:
        """A round of a session ends."""
        self._bets.pop(event.round, None)
        return iter(())

    def closed(self, entry: ev.AnyEntry, _: ev.SessionClosed) -> Iterator[Finding]:
        """A session ends."""
        self._seats.pop(entry.stream, None)
        return iter(())

    def settled(self, entry: ev.AnyEntry, event: ev.TableRoundSettled) -> Iterator[Finding]:
        """A table's round is paid, in the order of its game, and says to how many sessions."""
        save = self._save(entry)
        if event.sessions != len(save.told):
            yield _finding(entry, f"{len(save.told)} sessions were told its outcome")
        if self._in_order(event.round, save.dues) != save.dues:
            yield _finding(entry, "the payments stand in another order than the sheet's")
        self._forget(event.round)

    def _in_order(self, table_round: UUID, dues: list[Due]) -> list[Due] | None:
        """The payments as the game orders them; None where it cannot."""
        try:
            published = self.published[self._rules[table_round]]
            engine = self.engines[published.engine]
            assert is_of_tables(engine)
            outcome, sheet = self._outcomes[table_round], engine.read_sheet(published.text)
            return list(engine.in_payment_order(sheet, outcome, dues))
        except Exception:  # noqa: BLE001 - what was forged may break any assumption
            return None

    def made(self, entry: ev.AnyEntry, event: ev.RefundsMade) -> Iterator[Finding]:
        """A table says to how many sessions it gave back what they bet."""
        count = len(self._save(entry).refunded)
        if event.sessions != count:
            yield _finding(entry, f"{count} sessions were refunded")

    def voided(self, _: ev.AnyEntry, event: ev.TableRoundVoided) -> Iterator[Finding]:
        """A table's round does not count."""
        self._forget(event.round)
        return iter(())

    def _forget(self, table_round: UUID) -> None:
        self._rules.pop(table_round, None)
        self._outcomes.pop(table_round, None)

    def answered(self, entry: ev.AnyEntry, _: ev.CommandAnswered) -> Iterator[Finding]:
        """A save is complete."""
        self._saves.pop(entry.command, None)
        return iter(())


_STEPS: Final[dict[str, Callable[[PaymentCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
    ev.TableRoundOpened.NAME: PaymentCheck.begun,
    ev.OutcomeRecorded.NAME: PaymentCheck.recorded,
    ev.SessionSeated.NAME: PaymentCheck.seated,
    ev.RoundOpened.NAME: PaymentCheck.opened,
    ev.BetPlaced.NAME: PaymentCheck.placed,
    ev.StakeLeft.NAME: PaymentCheck.left,
    ev.OutcomeTold.NAME: PaymentCheck.told,
    ev.BetRefunded.NAME: PaymentCheck.refunded,
    ev.PayoutCredited.NAME: PaymentCheck.paid,
    ev.WinHeld.NAME: PaymentCheck.paid,
    ev.RoundSettled.NAME: PaymentCheck.ended,
    ev.RoundVoided.NAME: PaymentCheck.ended,
    ev.SessionClosed.NAME: PaymentCheck.closed,
    ev.TableRoundSettled.NAME: PaymentCheck.settled,
    ev.TableRoundVoided.NAME: PaymentCheck.voided,
    ev.RefundsMade.NAME: PaymentCheck.made,
    ev.CommandAnswered.NAME: PaymentCheck.answered,
}


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("payments", f"{entry.stream} version {entry.version}", found)
