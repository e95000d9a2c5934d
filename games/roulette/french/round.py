"""A player's round at a table of French roulette: bets, their outcome, and what it imprisons.

The outcome is the table's; the round follows from it without a draw (G7). A stake in prison keeps
its round in play over the next outcomes of the table, while the bets beside it are decided. Source:
rules of French roulette, on bets, zero and payments.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from games.engine import foremost, header, placed_bets
from games.roulette.announced import Stakes
from games.roulette.french import payments
from games.roulette.french.calls import call_of, lay_line
from games.roulette.french.collecting import collect, left, next_bet, paid
from games.roulette.french.ending import ended_or_not
from games.roulette.french.moves import (
    Declared,
    FrenchBets,
    FrenchCollect,
    FrenchLeft,
    FrenchPrison,
    FrenchReplay,
    PrisonChoice,
    TableLine,
)
from games.roulette.french.positions import Position, Settled, positions, settle
from games.roulette.french.prison import (
    Choice,
    Fate,
    Prisoner,
    move as move_prisoner,
    spin,
    withdraw,
)
from games.roulette.french.replays import replay
from games.roulette.french.sheet import Sheet
from games.roulette.french.table import Table, limits_of, table_of
from games.roulette.laying import all_laid, position_sums, unbookable
from games.roulette.layout import RouletteBet, chance
from games.roulette.refusals import RouletteCode
from games.roulette.wheel import WheelOutcome
from ledger.domain.decider import Due, NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import (
    BetPlaced,
    BetRefunded,
    Details,
    OutcomeTold,
    PrisonerMoved,
    PrisonerReleased,
    PrisonerStepped,
    RoundEvent,
    RoundVoided,
    StakeImprisoned,
    StakeLost,
    TableRoundJoined,
)
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal

Proposal = RoundEvents | Refusal | NeedsDraw

WITHDRAWN: Final = "withdrawn before the close"
MOVED: Final = "moved before the close"
EXCESS: Final = "beyond the maximum of the table"


def decide(view: RoundView, move: Details) -> Proposal:
    """Propose what a move or the table's outcome brings about."""
    match move:
        case FrenchBets():
            return _lay(view, move)
        case FrenchReplay():
            return _lay_again(view, move)
        case FrenchPrison():
            return _dispose(view, move)
        case FrenchCollect():
            return collect(view)
        case _:
            return _by_the_table(view, move)


def _by_the_table(view: RoundView, move: Details) -> Proposal:
    """What follows from what the table told a round: its next round, or its outcome."""
    match view.history[-1], move:
        case TableRoundJoined(), FrenchLeft():
            return left(view)
        case OutcomeTold(), WheelOutcome():
            return _told(view, move.pocket)
        case _:
            return Refusal(Code.WRONG_GAME, "This is no move of French roulette.")


# --- bets ----------------------------------------------------------------------------------------


def _lay(view: RoundView, move: FrenchBets) -> RoundEvents | Refusal:
    table, sheet = table_of(view), view.sheet
    if not move.lines and not move.withdraw:
        return Refusal(Code.NO_BET, "A round needs at least one bet.")
    refusal = _too_late(table, move) or _misdeclared(sheet, move)
    gone = _withdrawn(view, table, move)
    laid = all_laid(lay_line(sheet, ln, f"Bet {at}") for at, ln in enumerate(move.lines, 1))
    wrong = foremost(x for x in (refusal, gone, laid) if isinstance(x, Refusal))
    if wrong is not None:
        return wrong
    assert isinstance(gone, tuple)
    assert isinstance(laid, list)
    return _placed(view, table, gone, laid)


def _too_late(table: Table, move: FrenchBets) -> Refusal | None:
    """Why nothing is laid or taken back: the number has come, or a leave is for bets alone."""
    if table.told or not _is_here(table):
        return Refusal(RouletteCode.BETS_CLOSED, "These bets are decided; open another round.")
    if move.withdraw and table.place is not None and table.place.leave is not None:
        return Refusal(RouletteCode.BETS_CLOSED, "A leave lets bets be placed, and none be taken.")
    return None


def _is_here(table: Table) -> bool:
    """Whether a move is made in the table's round whose bets these are."""
    here, of = table.place, table.of
    return of is None or (here is not None and here.round == of.round)


def _misdeclared(sheet: Sheet, move: FrenchBets) -> Refusal | None:
    """Why an announced bet is not what its player declared."""
    return foremost(x for said in move.declared if (x := _differs(sheet, move.lines, said)))


def _differs(sheet: Sheet, lines: Sequence[TableLine], said: Declared) -> Refusal | None:
    line = lines[said.line - 1]
    place = f"Bet {said.line}"
    call: Any = call_of(sheet, line, place)  # type: ignore[arg-type]  # said of announced bets alone
    if isinstance(call, Refusal) or said.amount is None:
        return None
    takes = call.chips * line.chip  # type: ignore[union-attr]
    if takes == said.amount:
        return None
    text = f"{place}: {call.name.it} takes {call.chips} chips, {format_amount(takes)} in all."
    return Refusal(RouletteCode.DECLARED_AMOUNT_DIFFERS, text)


def _withdrawn(view: RoundView, table: Table, move: FrenchBets) -> RoundEvents | Refusal:
    """The refunds of bets that are taken off the table; what is laid instead makes it a move."""
    if any(bet not in table.bets for bet in move.withdraw):
        return Refusal(Code.UNKNOWN_BET, f"The bets that lie are: {_listed(table.bets)}.")
    if len(set(move.withdraw)) != len(move.withdraw):
        return Refusal(Code.MALFORMED, "Name each bet that is withdrawn once.")
    reason = MOVED if move.lines else WITHDRAWN
    return tuple(_refund(view, bet, table.bets[bet].amount, reason) for bet in move.withdraw)


def _listed(bets: Iterable[int]) -> str:
    return ", ".join(map(str, bets)) or "none"


def _refund(view: RoundView, bet: int, amount: int, reason: str) -> BetRefunded:
    return BetRefunded(**_common(view), bet=bet, amount=amount, reason=reason)


def _common(view: RoundView) -> dict[str, Any]:
    return header(view) | {"currency": view.currency}


def _placed(
    view: RoundView, table: Table, gone: RoundEvents, laid: Iterable[Stakes]
) -> RoundEvents | Refusal:
    """The bets, within the limits of every position that they or the withdrawals touch (S7)."""
    fresh, sums = position_sums(laid), table.sums
    for refund in gone:
        assert isinstance(refund, BetRefunded)
        sums[table.bets[refund.bet].placement] -= refund.amount
    touched = {bet for bet in sums if sums[bet] != table.sums[bet]} | set(fresh)
    total = {bet: sums.get(bet, 0) + fresh.get(bet, 0) for bet in {**sums, **fresh}}
    checked = {bet: amount for bet, amount in total.items() if bet in touched and amount}
    wrong = _beyond(view, table, checked, fresh)
    refusal = foremost((*wrong, *unbookable(view.sheet.pays, total)))
    if refusal is not None:
        return refusal
    if not any(total.values()):
        return gone if table.win else (*gone, _void(view))
    return (*gone, *_bets(view, fresh))


def _beyond(
    view: RoundView,
    table: Table,
    checked: Mapping[RouletteBet, int],
    fresh: Mapping[RouletteBet, int],
) -> list[Refusal]:
    """The limits that sums break; an excess that stands by a leave may grow smaller by itself."""
    limits = limits_of(view.sheet, table)
    by_leave = table.place is not None and table.place.leave is not None
    laid = {bet: amount for bet, amount in checked.items() if bet in fresh}
    left = {bet: amount for bet, amount in checked.items() if bet not in laid}
    standing = (
        positions(view.sheet.pays, limits, laid, force=by_leave),
        positions(view.sheet.pays, limits, left, force=True),
    )
    return [refusal for refusal in standing if isinstance(refusal, Refusal)]


def _bets(view: RoundView, fresh: Mapping[RouletteBet, int]) -> RoundEvents:
    first = next_bet(view)
    return tuple(
        BetPlaced(**_common(view), bet=index, amount=amount, details=bet)
        for index, (bet, amount) in enumerate(fresh.items(), first)
    )


def _void(view: RoundView) -> RoundVoided:
    """The end of a round of which every bet was withdrawn."""
    bets = placed_bets(view)
    total = sum(bet.amount for bet in bets)
    return RoundVoided(**_common(view), refunded=total, bets=len(bets), reason=WITHDRAWN)


def _lay_again(view: RoundView, move: FrenchReplay) -> RoundEvents | Refusal:
    """Lay the chips of a replay; all of them are bets of this round (rulings FR6)."""
    call = call_of(view.sheet, move.line, "Announced bet")
    if isinstance(call, Refusal):
        return call
    done = replay(view.sheet, call, move.line.chip, move.pocket, move.how)
    if isinstance(done, Refusal):
        return done
    line = move.line.model_copy(update={"chip": done.chip})
    return _lay(view, FrenchBets(lines=(line,)))


# --- the outcome ---------------------------------------------------------------------------------


def _told(view: RoundView, pocket: int) -> RoundEvents:
    table = table_of(view)
    events = _decided(view, table, pocket) if table.told == 1 else _spun(view, table, pocket)
    return ended_or_not(view, events)


def _decided(view: RoundView, table: Table, pocket: int) -> RoundEvents:
    """The bets at the number: what stands beyond the maximum goes back, whatever came (FR3)."""
    over = excess(table, limits_of(view.sheet, table).max)
    refunds = tuple(_refund(view, bet, amount, EXCESS) for bet, amount in over.items())
    outcomes = {
        bet: settle(view.sheet.pays, Position(lying.placement, lying.amount - beyond), pocket)
        for bet, lying in table.bets.items()
        if (beyond := over.get(bet, 0)) < lying.amount
    }
    won = {bet: s for bet, s in outcomes.items() if s.payout.credited}
    held = {bet: s.held for bet, s in outcomes.items() if s.held is not None}
    order = _paid_in_order(view, won, pocket)
    payouts = [paid(view, table, bet, won[bet].payout) for bet in order]
    imprisoned = [_imprisoned(view, bet, prisoner) for bet, prisoner in held.items()]
    decided = (*refunds, *payouts, *imprisoned)
    if not (held or table.win or (won and view.sheet.collecting.is_manual)):
        return decided  # the round ends, and its settlement takes what lost
    lost = [bet for bet in outcomes if bet not in won and bet not in held]
    return (*decided, *(_lost(view, bet, outcomes[bet].position.counted) for bet in lost))


def excess(table: Table, most: int) -> dict[int, int]:
    """What stands beyond the maximum of its position, by bet: the last that was laid goes first."""
    over = {bet: amount - most for bet, amount in table.sums.items() if amount > most}
    found: dict[int, int] = {}
    for bet, lying in reversed(table.bets.items()):
        beyond = min(over.get(lying.placement, 0), lying.amount)
        if beyond:
            found[bet] = beyond
            over[lying.placement] -= beyond
    return dict(sorted(found.items()))


def _paid_in_order(view: RoundView, won: Mapping[int, Settled], pocket: int) -> list[int]:
    dues = [payments.Due(1, bet, s.position.bet, s.position.counted) for bet, s in won.items()]
    return [due.bet for due in payments.in_order(view.sheet.payment, pocket, dues)]


def in_payment_order(sheet: Sheet, pocket: int, dues: Sequence[Due]) -> list[Due]:
    """The payments of the whole table in their order (rulings FR4)."""
    ranked = payments.in_order(
        sheet.payment,
        pocket,
        [
            payments.Due(due.seat, at, due.placed.details, _counted(sheet, due))
            for at, due in enumerate(dues)
        ],
    )
    return [dues[each.bet] for each in ranked]


def _counted(sheet: Sheet, due: Due) -> int:
    """The stake that was paid for; the payment of one that plays on does not return it."""
    return due.payout.winnings // sheet.pays[due.placed.details.kind]


def _imprisoned(view: RoundView, bet: int, held: Prisoner) -> StakeImprisoned:
    return StakeImprisoned(**_common(view), bet=bet, amount=held.stake, level=held.level)


def _lost(view: RoundView, bet: int, amount: int) -> StakeLost:
    return StakeLost(**_common(view), bet=bet, amount=amount)


# --- the prison ----------------------------------------------------------------------------------


def _spun(view: RoundView, table: Table, pocket: int) -> RoundEvents:
    """What a number makes of the stakes in prison."""
    fates = ((bet, spin(view.sheet.prison, held, pocket)) for bet, held in table.prisoners.items())
    return tuple(_stepped(view, bet, fate) for bet, fate in fates)


def _stepped(view: RoundView, bet: int, fate: Fate) -> RoundEvent:
    if fate.held is None:
        return _released(view, bet, fate)
    return PrisonerStepped(**header(view), bet=bet, level=fate.level)


def _released(view: RoundView, bet: int, fate: Fate) -> PrisonerReleased:
    outcome: Any = fate.result.value
    return PrisonerReleased(
        **_common(view), bet=bet, outcome=outcome, returned=fate.credited, to_bank=fate.to_bank
    )


def _dispose(view: RoundView, move: FrenchPrison) -> RoundEvents | Refusal:
    """Withdraw, leave or move what is in prison, before the spin (rulings FR1)."""
    table = table_of(view)
    if not move.choices:
        return Refusal(Code.TABLE_ROUND_IN_PLAY, "The bets wait for the table's outcome.")
    if any(choice.bet not in table.prisoners for choice in move.choices):
        return Refusal(Code.UNKNOWN_BET, f"The bets in prison are: {_listed(table.prisoners)}.")
    if len({choice.bet for choice in move.choices}) != len(move.choices):
        return Refusal(Code.MALFORMED, "Name each bet in prison once.")
    chosen = [_chosen(view, table.prisoners[c.bet], c) for c in move.choices]
    wrong = foremost(x for x in chosen if isinstance(x, Refusal))
    if wrong is not None:
        return wrong
    events = tuple(e for events in chosen if isinstance(events, tuple) for e in events)
    return ended_or_not(view, events)


def _chosen(view: RoundView, held: Prisoner, choice: PrisonChoice) -> RoundEvents | Refusal:
    if choice.choice is Choice.WITHDRAW:
        return (_released(view, choice.bet, withdraw(view.sheet.prison, held)),)
    if choice.choice is Choice.LEAVE or choice.to is None:
        return ()
    moved = move_prisoner(held, choice.to)
    if isinstance(moved, Refusal):
        return moved
    details = chance(choice.to)
    return (PrisonerMoved(**header(view), bet=choice.bet, details=details),)


def next_move(view: RoundView) -> FrenchPrison | FrenchCollect:
    """The move that the rules make: withdraw what is in prison at its worth, then collect (FR1)."""
    table = table_of(view)
    if table.win and not table.prisoners:
        return FrenchCollect()
    return FrenchPrison(
        choices=tuple(PrisonChoice(bet=b, choice=Choice.WITHDRAW) for b in table.prisoners)
    )
