"""Judge a round of French roulette, or the replay of an announced bet, without recording it.

Nothing is decided here: bets, prisoners and replays go through the functions that a table uses.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.documents import malformed, refused
from games.engine import SheetReader, foremost
from games.roulette.announced import expand
from games.roulette.french.asked import (
    AskedPrisoner,
    AskedReplay,
    AskedRound,
    read_replay,
    read_round,
)
from games.roulette.french.calls import Call, call_of, lay_bets
from games.roulette.french.names import name_of
from games.roulette.french.positions import Position, Settled, positions, settle
from games.roulette.french.prison import Choice, Fate, Prisoner, move, spin, withdraw
from games.roulette.french.replays import replay
from games.roulette.french.sheet import Sheet
from games.roulette.laying import position_sums
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal

Answer = dict[str, Any]


def quote(engine: SheetReader, sheet_text: str, document: object) -> Answer:
    """Answer a round, with prisoners if there are any, or a replay.

    Raises `SheetError` when `sheet_text` is no sheet of the engine; never for a document.
    """
    sheet: Sheet = engine.read_sheet(sheet_text)
    if not isinstance(document, dict):
        return refused(malformed('Write one object: {"bets": [..], "outcome": 17}.'))
    judge = _replay if "replay" in document else _round
    answer = judge(sheet, document)
    return refused(answer) if isinstance(answer, Refusal) else {"accepted": True} | answer


def _round(sheet: Sheet, document: Mapping[str, Any]) -> Answer | Refusal:
    asked = read_round(document, sheet.prison)
    if isinstance(asked, Refusal):
        return asked
    if not asked.lines and not asked.prisoners:
        return Refusal(Code.NO_BET, "A round needs at least one bet or one imprisoned stake.")
    lying = lay_bets(sheet, asked.limits or sheet.limits, asked.lines, force=asked.force)
    fates = _fates(sheet, asked)
    if isinstance(lying, Refusal) or isinstance(fates, Refusal):
        wrong = foremost(x for x in (lying, fates) if isinstance(x, Refusal))
        assert wrong is not None
        return wrong
    staked = sum(position.amount for position in lying)
    if staked > asked.posta:
        text = f"The posta holds {format_amount(asked.posta)}; bet no more than it."
        return Refusal(Code.INSUFFICIENT_POSTA, text)
    settled = [settle(sheet.pays, position, _pocket(asked)) for position in lying]
    return _told(sheet, settled) | {"prison": list(map(_told_fate, fates))}


def _pocket(asked: AskedRound) -> int:
    assert asked.outcome is not None
    return asked.outcome


FateOf = tuple[Prisoner, Fate]
"""A prisoner where it lies at the spin, and what became of it."""


def _fates(sheet: Sheet, asked: AskedRound) -> list[FateOf] | Refusal:
    fates = [_fate(sheet, asked, p, f"Prisoner {at}") for at, p in enumerate(asked.prisoners, 1)]
    wrong = foremost(x for x in fates if isinstance(x, Refusal))
    return wrong or [fate for fate in fates if not isinstance(fate, Refusal)]


def _fate(sheet: Sheet, asked: AskedRound, held: AskedPrisoner, place: str) -> FateOf | Refusal:
    prisoner: Prisoner | Refusal = held.prisoner
    if held.choice is Choice.WITHDRAW:
        return held.prisoner, withdraw(sheet.prison, held.prisoner)
    if held.to is not None:
        prisoner = move(held.prisoner, held.to)
    if isinstance(prisoner, Refusal):
        return Refusal(prisoner.code, f"{place}: {prisoner.message}")
    return prisoner, spin(sheet.prison, prisoner, _pocket(asked))


def _told(sheet: Sheet, settled: Iterable[Settled]) -> Answer:
    """The bets and their totals; a stake that is refunded is staked and neither won nor lost.

    Where winnings are collected, what is credited is told apart: what is held, and what plays on.
    """
    bets = list(settled)
    winnings = sum(s.payout.winnings for s in bets)
    returned = sum(s.payout.stake_returned for s in bets)
    told = _told_together(sheet, bets, winnings, returned)
    if not sheet.collecting.is_manual:
        return told
    aside = sum(_left(sheet, s) for s in bets)
    return told | {"held": format_amount(winnings + returned - aside), "left": format_amount(aside)}


def _left(sheet: Sheet, settled: Settled) -> int:
    """What of a new bet plays on after its win, where winnings are collected (rulings FR7)."""
    plays_on = sheet.collecting.rounds_of(settled.position.bet.kind) > 0
    return settled.payout.stake_returned if plays_on else 0


def _told_together(sheet: Sheet, bets: Sequence[Settled], winnings: int, returned: int) -> Answer:
    return {
        "staked": format_amount(sum(s.position.amount for s in bets)),
        "winnings": format_amount(winnings),
        "stake_returned": format_amount(returned),
        "credited": format_amount(winnings + returned),
        "refunded": format_amount(sum(s.position.excess for s in bets)),
        "bets": [_told_bet(sheet, s) for s in bets],
    }


def _told_bet(sheet: Sheet, settled: Settled) -> Answer:
    bet = settled.position.bet
    told = {
        "kind": bet.kind.value,
        "numbers": list(bet.numbers),
        "name": name_of(sheet.names, bet).model_dump(),
        "amount": format_amount(settled.position.amount),
        "result": settled.outcome.value,
        "credited": format_amount(settled.payout.credited),
        "refunded": format_amount(settled.position.excess),
    }
    return told if settled.held is None else told | {"level": settled.held.level}


def _told_fate(each: FateOf) -> Answer:
    prisoner, fate = each
    return {
        "chance": prisoner.chance,
        "amount": format_amount(prisoner.stake),
        "result": fate.result.value,
        "level": fate.level,
        "credited": format_amount(fate.credited),
        "to_bank": format_amount(fate.to_bank),
    }


def _replay(sheet: Sheet, document: Mapping[str, Any]) -> Answer | Refusal:
    asked = read_replay(document)
    if isinstance(asked, Refusal):
        return asked
    call = call_of(sheet, asked.line, "Announced bet")
    if isinstance(call, Refusal):
        return call
    done = replay(sheet, call, asked.line.chip, asked.outcome, asked.how)
    first = _within(sheet, asked, call, asked.line.chip)
    if isinstance(done, Refusal) or isinstance(first, Refusal):
        wrong = foremost(x for x in (done, first) if isinstance(x, Refusal))
        assert wrong is not None
        return wrong
    following = _within(sheet, asked, call, done.chip)
    if isinstance(following, Refusal):
        return Refusal(following.code, f"The replay: {following.message}")
    return {
        "name": call.name.model_dump(),
        "credited": format_amount(done.credited),
        "next": {
            "chip": format_amount(done.chip),
            "staked": format_amount(done.staked),
            "from_payout": format_amount(done.from_payout),
        },
        "cash": format_amount(done.cash),
    }


def _within(
    sheet: Sheet, asked: AskedReplay, call: Call, chip: int
) -> tuple[Position, ...] | Refusal:
    """What a call lays with a chip, within the limits of the table."""
    sums = position_sums([expand(call.parts, chip)])
    return positions(sheet.pays, asked.limits or sheet.limits, sums)
