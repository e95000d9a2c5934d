"""French roulette by a second method: chips counted on their positions, the prison as a chain.

A round is one player's at a live table, told the outcomes there one after the other. Source: rules
of French roulette; the published sheet has their figures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

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
    placed,
    placement,
    prize,
    unit_of,
    within,
)
from games.roulette.french.table_audit import hold_outcome, hold_table_round, limits_of

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


@dataclass(slots=True)
class _Prisoner:
    """A stake in prison: all of it, its level from 1, and the chance that it lies on."""

    stake: int
    level: int
    chance: str


@dataclass(slots=True)
class _Colpo:
    """A player's round as far as it was read; amounts in minor units, bets by their number."""

    trail: Trail
    limits: dict[str, int]
    lying: dict[int, tuple[Numbers, int]] = field(default_factory=dict)
    """Placement and amount of each bet that was not given back."""
    moves: list[range] = field(default_factory=list)
    """The bets that each move placed."""
    prison: dict[int, _Prisoner] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    """The rounds of the table whose outcomes were told."""
    staked: int = 0
    refunded: int = 0
    winnings: int = 0
    returned: int = 0
    taken: int | None = None
    """What the bank has of a round that imprisoned a stake; None where none was."""
    is_over: bool = False

    @property
    def bets(self) -> int:
        """How many bets were placed."""
        return self.moves[-1].stop - 1 if self.moves else 0

    def sums(self) -> Sums:
        """What lies on each position."""
        sums: Sums = {}
        for numbers, amount in self.lying.values():
            sums[numbers] = sums.get(numbers, 0) + amount
        return sums

    def place(self, fresh: Sums) -> None:
        """Bets that follow those there are."""
        first = self.bets + 1
        placed(self.trail, fresh, first)
        self.lying |= dict(enumerate(fresh.items(), first))
        self.moves.append(range(first, first + len(fresh)))
        self.staked += sum(fresh.values())

    def refund(self, bet: int, amount: int, reason: Any) -> None:
        """A stake, or a part of it, goes back."""
        self.trail.expect("bet-refunded", bet=bet, amount=amount, reason=reason)
        numbers, held = self.lying.pop(bet)
        if held > amount:
            self.lying[bet] = numbers, held - amount
        self.refunded += amount

    def release(self, bet: int, outcome: str, returned: int) -> None:
        """A prisoner's bet is over: its player has so much of the stake, and the bank the rest."""
        to_bank = self.prison.pop(bet).stake - returned
        ends = {"outcome": outcome, "returned": returned, "to_bank": to_bank}
        self.trail.expect("prisoner-released", bet=bet, **ends)
        self.returned += returned
        self.taken = (self.taken or 0) + to_bank

    def settle(self) -> None:
        """The round ends when nothing of it is in prison."""
        if self.prison:
            return
        taken = {} if self.taken is None else {"taken": self.taken}
        self.trail.expect(
            "round-settled",
            staked=self.staked,
            winnings=self.winnings,
            stake_returned=self.returned,
            stakes_lost=self.staked - self.refunded - self.returned - (self.taken or 0),
            refunded=self.refunded,
            bets=self.bets,
            **taken,
        )
        self.is_over = True


def _round(trail: Trail) -> None:
    if trail.next == "table-round-opened":
        hold_table_round(trail)
        return
    opened = trail.open()
    colpo = _Colpo(trail, limits_of(trail, opened["table"]["limits"]))
    _lay(colpo, opened["move"], opened["table"])
    while trail.next is not None and not colpo.is_over:
        step = _STEPS.get(trail.next, _surplus)
        step(colpo)


def _surplus(colpo: _Colpo) -> None:
    colpo.trail.surplus()


# --- bets ----------------------------------------------------------------------------------------


def _moved(colpo: _Colpo) -> None:
    """A player's further move: bets until the number came, then what is done with prisoners."""
    place = colpo.trail.coming.get("table")
    if colpo.told:
        _dispose(colpo, colpo.trail.move("french-prison")["choices"])
    else:
        _lay(colpo, colpo.trail.take()["details"], place)


def _lay(colpo: _Colpo, move: Fields, place: Fields | None) -> None:
    """Bets are withdrawn and laid, each position within the limits of the table."""
    trail, by_leave = colpo.trail, place is not None and place["leave"] is not None
    if trail.of_type(move, _LAYING)["type"] == "french-replay":
        move = {"lines": [_again(trail, move)], "declared": [], "withdraw": []}
    lines, gone = move["lines"], move["withdraw"]
    if not lines and not gone:
        trail.wrong("a move lays a bet or takes one back")
    if gone and by_leave:
        trail.wrong("a leave lets bets be placed, and none be taken back")
    _declared(trail, lines, move["declared"])
    fresh = laid(trail, lines, _parts)
    touched = {colpo.lying[bet][0] for bet in gone}
    for bet in gone:
        colpo.refund(bet, colpo.lying[bet][1], MOVED if lines else WITHDRAWN)
    _within(colpo, fresh, touched, by_leave=by_leave)
    if fresh or colpo.lying:
        colpo.place(fresh)
    else:
        trail.expect("round-voided", refunded=colpo.refunded, bets=colpo.bets, reason=WITHDRAWN)
        colpo.is_over = True


def _within(colpo: _Colpo, fresh: Sums, touched: set[Numbers], *, by_leave: bool) -> None:
    """The most binds what is laid, but by a leave; the least whatever is left lying."""
    standing = colpo.sums()
    for numbers in touched | fresh.keys():
        amount = standing.get(numbers, 0) + fresh.get(numbers, 0)
        most = colpo.limits["max"] if numbers in fresh and not by_leave else None
        if amount:
            bounds = {"min": colpo.limits["min"], "max": most}
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
        line = lines[said["line"] - 1]
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


def _given_back(colpo: _Colpo) -> None:
    """An operator gives back all that lies, or a client all that a further move placed."""
    trail = colpo.trail
    refunds = trail.refunds()
    further = [bets for bets in colpo.moves[1:] if refunds and refunds[0] in bets]
    gone = [bet for bets in further for bet in bets if bet in colpo.lying]
    if colpo.told or refunds == list(colpo.lying) or not gone:
        _void(colpo)
        return
    reason = trail.coming["reason"]
    for bet in gone:
        colpo.refund(bet, colpo.lying[bet][1], reason)


def _void(colpo: _Colpo) -> None:
    if colpo.told:
        colpo.trail.wrong("an outcome decided the round, and nothing goes back")
    held = {bet: amount for bet, (_, amount) in colpo.lying.items()}
    colpo.trail.give_back(held, colpo.staked, colpo.bets)
    colpo.is_over = True


# --- the outcome ---------------------------------------------------------------------------------


def _told(colpo: _Colpo) -> None:
    """The first number decides the bets; each one after it what is in prison."""
    trail = colpo.trail
    told = trail.take()
    pocket = told["details"]["pocket"]
    hold_outcome(trail, told)
    if told["table_round"] in colpo.told:
        trail.wrong("the outcome of one round of the table is told twice")
    if colpo.told:
        _spin(colpo, pocket)
    else:
        _decide(colpo, pocket)
    colpo.told.append(told["table_round"])
    colpo.settle()


def _decide(colpo: _Colpo, pocket: int) -> None:
    """Excess goes back; winners are paid in their order; zero imprisons simple chances."""
    trail = colpo.trail
    for bet, amount in sorted(_excess(colpo).items()):
        colpo.refund(bet, amount, EXCESS)
    for bet in _in_order(colpo, pocket):
        winnings, stake = prize(trail.game, *colpo.lying.pop(bet), pocket)
        trail.expect("payout-credited", bet=bet, winnings=winnings, stake_returned=stake)
        colpo.winnings += winnings
        colpo.returned += stake
    left = {bet: (str(kind_of(n)), amount) for bet, (n, amount) in sorted(colpo.lying.items())}
    for bet, (kind, amount) in left.items():
        if pocket == 0 and kind in CHANCES:
            colpo.prison[bet] = _Prisoner(amount, 1, kind)
            trail.expect("stake-imprisoned", bet=bet, amount=amount, level=1)
    lost = {bet: amount for bet, (_, amount) in left.items() if bet not in colpo.prison}
    if colpo.prison:
        colpo.taken = sum(lost.values())
        for bet, amount in lost.items():
            trail.expect("stake-lost", bet=bet, amount=amount)


def _excess(colpo: _Colpo) -> dict[int, int]:
    """What stands beyond the most of its position: the chips that were laid last."""
    room: Sums = dict.fromkeys(colpo.sums(), colpo.limits["max"])
    excess = {}
    for bet, (numbers, amount) in sorted(colpo.lying.items()):
        fits = min(room[numbers], amount)
        room[numbers] -= fits
        if fits < amount:
            excess[bet] = amount - fits
    return excess


def _in_order(colpo: _Colpo, pocket: int) -> list[int]:
    """The bets that won in the order of their payment: group by group, then by stake or seat."""
    signs = {"largest": -1, "smallest": 1, "farthest": 0}
    order: list[int] = []
    for group in colpo.trail.game["payment"]["groups"]:
        won = [
            (signs[group["first"]] * amount, bet)
            for bet, (numbers, amount) in colpo.lying.items()
            if pocket in numbers and kind_of(numbers) in group["kinds"]
        ]
        order += [bet for _, bet in sorted(won)]
    return order


# --- the prison ----------------------------------------------------------------------------------


def chain(levels: int) -> dict[tuple[int, str], int | str]:
    """Where a prisoner goes from each level: to another one, or how its bet is over."""
    chain: dict[tuple[int, str], int | str] = {}
    for level in range(1, levels + 1):
        chain[level, "zero"] = level + 1
        chain[level, "won"] = level - 1
        chain[level, "lost"] = "lost"
    return chain | {(levels, "zero"): "divided", (1, "won"): "freed"}


def _spin(colpo: _Colpo, pocket: int) -> None:
    """What a number makes of each stake in prison."""
    rules = colpo.trail.game["prison"]
    goes_to = chain(len(rules["worth"]))
    for bet, held in list(colpo.prison.items()):
        won = "won" if pocket in CHANCES[held.chance] else "lost"
        goes = goes_to[held.level, "zero" if pocket == 0 else won]
        if isinstance(goes, int):
            held.level = goes
            colpo.trail.expect("prisoner-stepped", bet=bet, level=goes)
        else:
            shares = {"freed": "1/1", "lost": "0/1", "divided": rules["divided"]}
            colpo.release(bet, goes, share(held.stake, shares[goes]))


def _dispose(colpo: _Colpo, choices: Sequence[Fields]) -> None:
    """Before the spin a player withdraws, leaves or moves what is in prison, each stake once."""
    trail = colpo.trail
    if not choices or len({choice["bet"] for choice in choices}) != len(choices):
        trail.wrong("a stake in prison is named once")
    for choice in choices:
        bet, to = choice["bet"], choice["to"]
        match choice["choice"], to:
            case "withdraw", None:
                _withdraw(colpo, bet)
            case "move", _ if to != colpo.prison[bet].chance:
                colpo.prison[bet].chance = to
                trail.expect("prisoner-moved", bet=bet, details=placement(CHANCES[to]))
            case "leave", None if bet in colpo.prison:
                pass
            case _:
                trail.wrong("a stake in prison is withdrawn, left, or moved to another chance")
    colpo.settle()


def _withdraw(colpo: _Colpo, bet: int) -> None:
    held = colpo.prison[bet]
    worth = colpo.trail.game["prison"]["worth"][held.level - 1]
    colpo.release(bet, "withdrawn", share(held.stake, worth))


def _withdraw_all(colpo: _Colpo) -> None:
    """At the end of a session the rules withdraw what is in prison."""
    for bet in list(colpo.prison):
        _withdraw(colpo, bet)
    colpo.settle()


def share(stake: int, ratio: str) -> int:
    """So much of a stake as a ratio such as `1/8` says, half a minor unit and more rounded up."""
    part, of = map(int, ratio.split("/"))
    whole, rest = divmod(stake * part, of)
    return whole + (2 * rest >= of)


_STEPS: Final[Mapping[str, Callable[[_Colpo], None]]] = {
    "move-made": _moved,
    "outcome-told": _told,
    "prisoner-released": _withdraw_all,
} | dict.fromkeys(GIVEN_BACK, _given_back)
