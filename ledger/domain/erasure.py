"""Forgetting a player: what is personal may go when the records need be kept no longer (G10).

The event comes first and the key is destroyed after it, so that nothing is lost which the book does
not say was lost. Source: records of play and their supporting documents are kept for ten years
(Italian civil code, article 2220; legislative decree 231 of 2007, article 31), counted here from
the closing of the conto.
"""

from datetime import datetime
from typing import Final

from ledger.domain import commands as cmd, conto, dispute
from ledger.domain.decider import Change, Context, Decision, Handler, Handlers, States
from ledger.domain.events import PlayerForgotten
from ledger.domain.ids import StreamName, conto_stream, player_stream
from ledger.domain.refusals import Code, Refusal

KEPT_YEARS: Final = 10
"""How long what belongs to a conto is kept after its closing."""


def kept_until(closed: datetime) -> datetime:
    """The moment from which what is personal may be erased; 29 February counts as 1 March."""
    year = closed.year + KEPT_YEARS
    try:
        return closed.replace(year=year)
    except ValueError:
        return closed.replace(year=year, month=3, day=1)


def _reads(command: cmd.ForgetPlayer, _: States) -> tuple[StreamName, ...]:
    return (player_stream(command.player), conto_stream(command.player))


def _forget(command: cmd.ForgetPlayer, states: States, context: Context) -> Decision:
    stream = player_stream(command.player)
    refusal = _not_yet(states[conto_stream(command.player)], context.now) or _held(states[stream])
    if refusal is not None:
        return refusal
    return (Change(stream, (PlayerForgotten(player=command.player, reason=command.reason),)),)


def _not_yet(state: conto.State, now: datetime) -> Refusal | None:
    """Why the records must be kept; a conto that is closed stays as it is."""
    if isinstance(state, conto.Absent):
        return Refusal(Code.UNKNOWN_CONTO, "No such conto; there is nothing to forget.")
    if isinstance(state, conto.Conto):
        return Refusal(Code.CONTO_NOT_CLOSED, "The conto is open; close it, and let its time pass.")
    assert state.at is not None
    if now < kept_until(state.at):
        return Refusal(
            Code.RETENTION_RUNNING,
            f"Its records are kept for {KEPT_YEARS} years: try again from {kept_until(state.at)}.",
        )
    return None


def _held(state: dispute.State) -> Refusal | None:
    if state.forgotten:
        return dispute.FORGOTTEN
    if state.open:
        return Refusal(Code.DISPUTE_OPEN, "A dispute of the player is open; decide it first.")
    return None


HANDLERS: Final[Handlers] = {cmd.ForgetPlayer: Handler(_reads, _forget)}
