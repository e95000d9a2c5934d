"""The deal at a live table: its shoe, its cards, and the seats that do not act (rulings BJ1, BJ8).

The table's game says to whom the next card goes and whose turn it is. A box whose bets are all
decided is paid in the save of the step that decides them; the outcome of the whole round stands on
record with its last step, and is paid as every table's is.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal

from ledger.domain import commands as cmd, events as ev, paying, session as ses, table
from ledger.domain.decider import (
    Change,
    Changes,
    Context,
    Dealing,
    DealtEngine,
    DealTo,
    Decided,
    Decision,
    Handler,
    Handlers,
    NeedsDraw,
    Over,
    States,
    Turn,
    is_dealt,
)
from ledger.domain.ids import StreamName, session_stream, sheet_stream, table_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import Play, bet_in, common_of, step
from ledger.domain.rules import Rules, rules_by, rules_now, rules_then

Step = ev.CardDealt[Any] | ev.TurnTaken[Any]


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of a table's round as a decision finds it, by the rules of the round."""

    place: table.Table
    round: table.TableRound
    engine: DealtEngine
    sheet: Any
    so_far: Dealing

    @property
    def following(self) -> DealTo | Turn | Over:
        """What it waits for."""
        return self.engine.following(self.sheet, self.so_far)


def find_deal(name: str, states: States, context: Context) -> Deal | Refusal:
    """The deal of a table's round, which begins with its first card; or why there is none."""
    found = table.opened(states[table_stream(name)])
    round_ = found if isinstance(found, Refusal) else found.round or _NO_ROUND
    if isinstance(round_, Refusal):
        return round_
    assert isinstance(found, table.Table)
    engine, sheet = paying.judged_by(round_, states, context)
    if not is_dealt(engine):
        return _NO_CARDS
    if round_.phase in _NOT_DEALING:
        return _NOT_DEALING[round_.phase]
    so_far = round_.dealing or Dealing(_boxes(found, round_, states))
    if not so_far.boxes:
        return Refusal(Code.NO_BET, "Nobody has bet in this round; void it.")
    return Deal(found, round_, engine, sheet, so_far)


_NO_ROUND: Final = Refusal(Code.NO_TABLE_ROUND, "No round is in play; open one first.")
_NO_CARDS: Final = Refusal(Code.TABLE_NOT_OFFERED, "This game deals no cards.")
_NOT_DEALING: Final = {
    "open": Refusal(Code.BETS_NOT_CLOSED, "Close the bets first."),
    "told": Refusal(Code.TABLE_ROUND_IN_PLAY, "All cards are dealt; settle the round."),
}
"""Why no card is dealt in the other phases of a round."""


def _boxes(found: table.Table, round_: table.TableRound, states: States) -> tuple[ev.Box, ...]:
    """Who has bet, by the order of the seats; nobody does any more, nor takes a bet back."""
    return tuple(
        ev.Box(seat=seat.seat, session=seat.session, round=played.round, stake=played.at_stake)
        for seat in sorted(found.seats, key=lambda seat: seat.seat)
        for played in states[session_stream(seat.session)].rounds
        if bet_in(played, round_.round)
    )


# --- what a step brings --------------------------------------------------------------------------


def go_on(
    deal: Deal, made: Step, session: ses.Open | None, known: tuple[States, Context]
) -> Changes:
    """The table's changes by a step, and what it brings to the boxes that it decides.

    `session` is that of the box that acted, with its move; None where a card came.
    """
    begun = (ev.DealingBegun(round=deal.round.round, boxes=deal.so_far.boxes),)
    first = begun if deal.round.dealing is None else ()
    stream = table_stream(deal.place.table)
    so_far = table.after(deal.so_far, made)
    paid = [
        change
        for decided in deal.engine.decided(deal.sheet, so_far)
        for change in _paid(deal, decided, session, known)
    ]
    over = deal.engine.following(deal.sheet, so_far)
    told = (_outcome(deal, over),) if isinstance(over, Over) else ()
    if not paid:
        return (Change(stream, (*first, made, *told)),)
    return (Change(stream, (*first, made)), *paid, *([Change(stream, told)] if told else []))


def _outcome(deal: Deal, over: Over) -> ev.Event:
    return ev.OutcomeRecorded(round=deal.round.round, shown=over.shown, details=over.outcome)


def _paid(
    deal: Deal, decided: Decided, acted: ses.Open | None, known: tuple[States, Context]
) -> Changes:
    """A box that is decided, told so and paid; who should have been ended meanwhile is ended."""
    states, context = known
    box = decided.box
    session = states[session_stream(box.session)]
    if acted is not None and ses.is_in_play(acted, box.round):
        session = acted
    told: ev.BoxDecided[Any] = ev.BoxDecided(
        **common_of(ses.find_round(session, box.round)),
        table_round=deal.round.round,
        shown=decided.shown,
        details=decided.details,
    )
    rules = rules_then(session, box.round, states, context)
    play = step(rules, Play(ses.evolve(session, told), (told,), ()), box.round, decided.details)
    assert isinstance(play, Play)
    return paying.left(box.session, play, states, context)


# --- the shoe and its cards ----------------------------------------------------------------------


def _reads(command: cmd.DealCard | cmd.PassTurn, states: States) -> tuple[StreamName, ...]:
    """The table, its sheet, who is seated there, and the contos of those who may end with it."""
    return (*_reads_shoe(command, states), *paying.reads_seated(command.table, states))


def _reads_shoe(command: cmd.TableCommand, states: States) -> tuple[StreamName, ...]:
    stream = table_stream(command.table)
    state = states.get(stream)
    return (stream, sheet_stream(state.sheet)) if isinstance(state, table.Table) else (stream,)


def _shuffle(command: cmd.ShuffleShoe, states: States, context: Context) -> Decision:
    found = table.opened(states[table_stream(command.table)])
    rules = found if isinstance(found, Refusal) else _rules_of_shoe(found, states, context)
    if isinstance(rules, Refusal):
        return rules
    assert isinstance(found, table.Table)
    engine = rules.engine
    if not is_dealt(engine):
        return _NO_CARDS
    sheet = engine.read_sheet(rules.published.text)
    if command.told is not None:
        can_be = engine.can_be_cut(sheet, command.told.details)
        return _shuffle_told(found, rules, command.told, can_be=can_be)
    if _is_dealt_from(found):
        return Refusal(Code.TABLE_ROUND_IN_PLAY, "Cards of the round lie on the table; play it.")
    drawn = engine.draw_shuffle(sheet, b"".join(context.entropy) or None)
    if isinstance(drawn, NeedsDraw):
        return drawn
    return (_shuffled(found, rules, details=drawn.details, entropy=drawn.used.hex()),)


def _rules_of_shoe(found: table.Table, states: States, context: Context) -> Rules | Refusal:
    """The rules that a shoe is made up by now: those of the round that will be dealt from it."""
    if found.round is not None:
        return rules_by(found.round.rules, states, context)
    return rules_now(found.sheet, states, context)


def _shuffle_told(found: table.Table, rules: Rules, told: cmd.Told, *, can_be: bool) -> Changes:
    """Take in a shuffle that the studio tells; what cannot count is on record with the reason."""
    why = table.reheard(found, told.feed, told.details)
    if why is None and _is_dealt_from(found):
        why = "untimely"
    if why is not None or not can_be:
        return _unheard(found.table, told, why or "impossible")
    return (_shuffled(found, rules, details=told.details, feed=told.feed),)


def _is_dealt_from(found: table.Table) -> bool:
    """Whether the cards of a round lie on the table, which is played to its end first."""
    return found.round is not None and found.round.dealing is not None


def _shuffled(found: table.Table, rules: Rules, **source: Any) -> Change:
    number = 1 if found.shoe is None else found.shoe.number + 1
    shuffled: ev.Event = ev.ShoeShuffled(number=number, rules=rules.published.ref, **source)
    return Change(table_stream(found.table), (shuffled,))


def _unheard(name: str, told: cmd.Told, why: Any) -> Changes:
    """A message that does not count, on record with the reason."""
    refused: ev.Event = ev.FeedMessageRefused(feed=told.feed, details=told.details, why=why)
    return (Change(table_stream(name), (refused,)),)


def _deal(command: cmd.DealCard, states: States, context: Context) -> Decision:
    if command.told is not None:
        return _deal_told(command, command.told, states, context)
    deal = find_deal(command.table, states, context)
    due = deal if isinstance(deal, Refusal) else _card_due(deal)
    if isinstance(due, Refusal):
        return due
    assert isinstance(deal, Deal)
    assert deal.place.shoe is not None
    gone = deal.place.shoe.gone
    drawn = deal.engine.draw_card(deal.sheet, gone, b"".join(context.entropy) or None)
    if isinstance(drawn, NeedsDraw):
        return drawn
    card = _card(deal, due, details=drawn.details, entropy=drawn.used.hex())
    return go_on(deal, card, None, (states, context))


def _deal_told(command: cmd.DealCard, told: cmd.Told, states: States, context: Context) -> Decision:
    """Take in a card that the studio tells; what cannot count is on record with the reason."""
    found = table.opened(states[table_stream(command.table)])
    if isinstance(found, Refusal):
        return found
    deal = find_deal(command.table, states, context)
    if isinstance(deal, Refusal) and deal.code is Code.TABLE_NOT_OFFERED:
        return deal
    due = deal if isinstance(deal, Refusal) else _card_due(deal)
    why = table.reheard(found, told.feed, told.details)
    if why is None and isinstance(due, Refusal):
        why = "late" if found.round is None and found.rounds else "untimely"
    if isinstance(deal, Deal) and isinstance(due, DealTo) and why is None:
        assert deal.place.shoe is not None
        if deal.engine.can_come(deal.sheet, deal.place.shoe.gone, told.details):
            card = _card(deal, due, details=told.details, feed=told.feed)
            return go_on(deal, card, None, (states, context))
        why = "impossible"
    return _unheard(command.table, told, why)


def _card(deal: Deal, to: DealTo, **source: Any) -> ev.CardDealt[Any]:
    return ev.CardDealt(
        round=deal.round.round,
        number=deal.so_far.cards + 1,
        seat=to.seat,
        hand=to.hand,
        **source,
    )


def _card_due(deal: Deal) -> DealTo | Refusal:
    """To whom the next card goes, or why none is dealt now."""
    shoe, rules = deal.place.shoe, deal.round.rules
    following = deal.following
    if isinstance(following, Turn):
        return Refusal(Code.SEAT_IN_TURN, f"Seat {following.seat} is in turn; wait for it.")
    assert isinstance(following, DealTo)
    if deal.round.dealing is None and (shoe is None or shoe.rules != rules or _is_out(deal, shoe)):
        return Refusal(
            Code.SHOE_OUT, "Shuffle the shoe first: its cutting card is out, or it is new."
        )
    return following


def _is_out(deal: Deal, shoe: table.Shoe) -> bool:
    return deal.engine.is_out(deal.sheet, shoe.shuffle, len(shoe.gone))


# --- a seat that does not act --------------------------------------------------------------------


def _pass(command: cmd.PassTurn, states: States, context: Context) -> Decision:
    deal = find_deal(command.table, states, context)
    if isinstance(deal, Refusal):
        return deal
    turn = deal.following
    if not isinstance(turn, Turn):
        return Refusal(Code.CARD_TO_COME, "No seat is in turn; deal the next card.")
    box = box_at(deal, turn.seat)
    passed = _why_passed(deal, states[session_stream(box.session)], context)
    if isinstance(passed, Refusal):
        return passed
    action = deal.engine.passed(deal.sheet, deal.so_far)
    return go_on(deal, taken(deal, turn, action, passed), None, (states, context))


def _why_passed(
    deal: Deal, session: ses.Open, context: Context
) -> Literal["time", "disconnected", "excluded"] | Refusal:
    """Why the rules act for a seat now; refused while its player can."""
    if session.terms.is_barred:
        return "excluded"
    if session.disconnected_at is not None:
        return "disconnected"
    assert deal.round.waits_since is not None
    due = deal.round.waits_since + timedelta(seconds=deal.engine.seconds_to_act(deal.sheet))
    if context.now < due:
        return Refusal(Code.NOT_YET_DUE, f"The seat may act until {due.isoformat()}.")
    return "time"


def box_at(deal: Deal, seat: int) -> ev.Box:
    """The box in play at a seat."""
    return next(box for box in deal.so_far.boxes if box.seat == seat)


def taken(deal: Deal, turn: Turn, action: ev.Details, passed: Any = None) -> ev.TurnTaken[Any]:
    """What a table's stream says of an action, by its player or by the rules."""
    return ev.TurnTaken(
        round=deal.round.round,
        seat=turn.seat,
        hand=turn.hand,
        details=action,
        passed=passed,
    )


HANDLERS: Final[Handlers] = {
    cmd.ShuffleShoe: Handler(_reads_shoe, _shuffle),
    cmd.DealCard: Handler(_reads, _deal),
    cmd.PassTurn: Handler(_reads, _pass),
}
