"""French roulette by a second method: chips counted on their positions, paid group by group.

A round is one player's at a live table, told the outcomes there one after the other. Source: rules
of French roulette; the published sheet has their figures.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.auditing import GIVEN_BACK, AuditError, Event, Fields, Trail, audited
from games.roulette.auditing import (
    CHANCES,
    Numbers,
    Parts,
    Sums,
    around,
    kind_of,
    laid,
    parts_of,
    prize,
    unit_of,
    within,
)
from games.roulette.french.auditing import Colpo, Prisoner, sums_of
from games.roulette.french.held_audit import (
    collect,
    collect_by_rule,
    dispose,
    join,
    spin,
    withdraw_all,
)
from games.roulette.french.table_audit import hold_outcome, hold_table_round

WITHDRAWN: Final = "withdrawn before the close"
MOVED: Final = "moved before the close"
EXCESS: Final = "beyond the maximum of the table"
_LAYING: Final = ("french-bets", "french-replay")


def audit(sheet: bytes, events: Sequence[Event]) -> list[str]:
    """Audit one round of a sheet of `french-roulette/1`, a player's or the table's own.

    See `games.auditing.Audit`. The outcome that a player's round is told is taken as told: that it
    is the table's own is for who has both rounds to compare.
    """
    return audited(_round, sheet, events)


def _round(trail: Trail) -> None:
    if trail.next == "table-round-opened":
        hold_table_round(trail)
        return
    opened = trail.open()
    colpo = Colpo(trail, opened["table"])
    _lay(colpo, opened["move"], opened["table"])
    while (step := _STEPS.get(trail.next or "")) is not None and not colpo.is_over:
        left = trail.left
        step(colpo)
        if trail.left == left:
            trail.surplus()


# --- bets ----------------------------------------------------------------------------------------


def _moved(colpo: Colpo) -> None:
    """A player's further move: bets, what is done with prisoners, or held wins collected."""
    event = colpo.trail.take()
    move = colpo.trail.of_type(event["details"], (*_LAYING, "french-prison", "french-collect"))
    match move["type"]:
        case "french-prison":
            dispose(colpo, move["choices"])
        case "french-collect":
            collect(colpo)
        case _:
            _lay(colpo, move, event["table"])


def _lay(colpo: Colpo, move: Fields, place: Fields) -> None:
    """Bets are withdrawn and laid, each position within the limits of the table."""
    trail, by_leave = colpo.trail, place["leave"] is not None
    if place["round"] != colpo.place["round"] or place["round"] in colpo.told:
        trail.wrong("bets are laid in a round of the table that is not theirs, or is decided")
    if trail.of_type(move, _LAYING)["type"] == "french-replay":
        move = {"lines": [_again(trail, move)], "declared": [], "withdraw": []}
    lines, gone = move["lines"], move["withdraw"]
    if not lines and not gone:
        trail.wrong("a move lays a bet or takes one back")
    if gone and by_leave:
        trail.wrong("a leave lets bets be placed, and none be taken back")
    _declared(trail, lines, move["declared"])
    fresh = laid(trail, lines, _parts)
    touched = {colpo.lying[bet].numbers for bet in gone}
    for bet in gone:
        colpo.refund(bet, colpo.lying[bet].amount, MOVED if lines else WITHDRAWN)
    _within(colpo, fresh, touched, by_leave=by_leave)
    if fresh or colpo.lying or colpo.win:
        colpo.lay(fresh)
    else:
        trail.expect("round-voided", refunded=colpo.refunded, bets=colpo.bets, reason=WITHDRAWN)
        colpo.is_over = True


def _within(colpo: Colpo, fresh: Sums, touched: set[Numbers], *, by_leave: bool) -> None:
    """The most binds what is laid, but by a leave; the least whatever is left lying."""
    standing, limits = sums_of(colpo.lying), colpo.limits
    for numbers in touched | fresh.keys():
        amount = standing.get(numbers, 0) + fresh.get(numbers, 0)
        most = limits["max"] if numbers in fresh and not by_leave else None
        if amount:
            bounds = {"min": limits["min"], "max": most}
            within(colpo.trail, f"a {kind_of(numbers)}", amount, bounds)


def _parts(game: Fields, line: Fields) -> Parts:
    """What a line lays: besides the usual bets a sector of the wheel, or a final."""
    match line:
        case {"number": number}:
            return around(number, game["sector_neighbours"])
        case {"digits": digits}:
            return _final(game, sorted(digits))
        case _:
            return parts_of(game, line)


def _final(game: Fields, digits: list[int]) -> Parts:
    for final in (each for shape in game["finals"].values() for each in shape):
        if final["digits"] == digits:
            return [(tuple(numbers), 1) for numbers in final["laid"]]
    raise AuditError("a final is called that is not offered")


def _declared(trail: Trail, lines: Sequence[Fields], declared: Sequence[Fields]) -> None:
    """What was said of an announced bet is what its chips come to."""
    for said in declared:
        line = dict(enumerate(lines, 1))[said["line"]]
        amount = unit_of(line) * sum(chips for _, chips in _parts(trail.game, line))
        if "chip" not in line or said["amount"] not in (None, amount):
            trail.wrong(f"the announced bet of line {said['line']} takes {amount}")


def _again(trail: Trail, move: Fields) -> Fields:
    """The line of a replay: an announced bet that won, with a chip that its payout can pay for."""
    line: Fields = move["line"]
    if not any(move["pocket"] in numbers for numbers, _ in _parts(trail.game, line)):
        trail.wrong("an announced bet is laid again that did not win")
    if move["how"] in ("again", "complete"):
        return line
    if move["how"] != "whole":
        trail.wrong("an announced bet is laid again, completed, or laid again for the whole")
    times: int = trail.game["replays"]["whole"][line["announced"]]
    return {**line, "chip": times * unit_of(line)}


def _given_back(colpo: Colpo) -> None:
    """An operator gives back all that lies, or a client all that a further move placed.

    Where something is held the round goes on after that.
    """
    trail = colpo.trail
    refunds = trail.refunds()
    further = [bets for bets in colpo.moves[1:] if refunds and refunds[0] in bets]
    gone = [bet for bets in further for bet in bets if bet in colpo.lying]
    if colpo.win and colpo.lying:
        gone = list(colpo.lying)
    elif colpo.told or refunds == list(colpo.lying) or not gone:
        _void(colpo)
        return
    reason = trail.coming["reason"]
    for bet in gone:
        colpo.refund(bet, colpo.lying[bet].amount, reason)


def _void(colpo: Colpo) -> None:
    if colpo.told:
        colpo.trail.wrong("an outcome decided the round, and nothing goes back")
    held = {bet: lying.amount for bet, lying in colpo.lying.items()}
    colpo.trail.give_back(held, colpo.staked, colpo.bets)
    colpo.is_over = True


# --- the outcome ---------------------------------------------------------------------------------


def _told(colpo: Colpo) -> None:
    """A number decides what is in prison, and the bets that lie."""
    trail = colpo.trail
    told = trail.take()
    hold_outcome(trail, told)
    if told["table_round"] in colpo.told:
        trail.wrong("the outcome of one round of the table is told twice")
    if colpo.left:
        trail.wrong("a stake that won neither plays on nor is held")
    pocket = told["details"]["pocket"]
    spin(colpo, pocket)
    _decide(colpo, pocket)
    colpo.told.append(told["table_round"])
    colpo.settle()


def _decide(colpo: Colpo, pocket: int) -> None:
    """Excess goes back; winners are paid in their order; zero imprisons simple chances.

    What lost is the bank's at once where the round goes on, and with its end otherwise.
    """
    trail = colpo.trail
    for bet, amount in sorted(_excess(colpo).items()):
        colpo.refund(bet, amount, EXCESS)
    for bet in _in_order(colpo, pocket):
        won = colpo.lying[bet]
        winnings, _ = prize(trail.game, won.numbers, won.amount, pocket)
        colpo.pay(bet, winnings)
    lost = dict(sorted(colpo.lying.items()))
    colpo.lying.clear()
    chances = {bet: kind for bet in lost if (kind := kind_of(lost[bet].numbers)) in CHANCES}
    for bet, kind in chances.items() if pocket == 0 else ():
        stake = lost.pop(bet).amount
        colpo.prison[bet] = Prisoner(stake, 1, str(kind))
        trail.expect("stake-imprisoned", bet=bet, amount=stake, level=1)
    for bet, lying in lost.items() if colpo.prison or colpo.win else ():
        colpo.lose(bet, lying.amount)


def _excess(colpo: Colpo) -> dict[int, int]:
    """What stands beyond the most of its position: the chips that were laid last."""
    room: Sums = dict.fromkeys(sums_of(colpo.lying), colpo.limits["max"])
    excess = {}
    for bet, lying in sorted(colpo.lying.items()):
        fits = min(room[lying.numbers], lying.amount)
        room[lying.numbers] -= fits
        if fits < lying.amount:
            excess[bet] = lying.amount - fits
    return excess


def _in_order(colpo: Colpo, pocket: int) -> list[int]:
    """The bets that won in the order of their payment: group by group, position by position.

    A position is as large as all that lies on it; of equal ones that which was bet on first.
    """
    signs = {"largest": -1, "smallest": 1, "farthest": 0}
    sums = sums_of(dict(sorted(colpo.lying.items())))
    order: list[int] = []
    for group in colpo.trail.game["payment"]["groups"]:
        won = [n for n in sums if pocket in n and kind_of(n) in group["kinds"]]
        for numbers in sorted(won, key=lambda n: signs[group["first"]] * sums[n]):
            order += [bet for bet, lying in sorted(colpo.lying.items()) if lying.numbers == numbers]
    return order


_STEPS: Final[Mapping[str, Callable[[Colpo], None]]] = {
    "move-made": _moved,
    "table-round-joined": join,
    "outcome-told": _told,
    "prisoner-released": withdraw_all,
    "win-held": collect_by_rule,
    "win-collected": collect_by_rule,
} | dict.fromkeys(GIVEN_BACK, _given_back)
