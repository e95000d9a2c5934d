"""What the audits of all roulette share: wheel and cloth as they are drawn, bets laid, bets paid.

Nothing of the engines' layout is used: a placement is told by the shape of its numbers on the grid,
and what is red or a neighbour is read off the wheel as the rules print it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

from games.auditing import GIVEN_BACK, AuditError, Fields, Trail, first_drawn, is_stake, minor

Numbers = tuple[int, ...]
"""The numbers of a placement, ascending."""

Sums = dict[Numbers, int]
"""Minor units on each placement, in the order in which they were named."""

WHEEL: Final[Numbers] = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
REDS: Final[Numbers] = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)

CHANCES: Final[Mapping[str, Numbers]] = {
    "red": REDS,
    "black": tuple(n for n in range(1, 37) if n not in REDS),
    "even": tuple(range(2, 37, 2)),
    "odd": tuple(range(1, 37, 2)),
    "low": tuple(range(1, 19)),
    "high": tuple(range(19, 37)),
}
_BESIDE_ZERO: Final[Mapping[Numbers, str]] = {
    (0,): "straight",
    (0, 1): "split",
    (0, 2): "split",
    (0, 3): "split",
    (0, 1, 2): "trio",
    (0, 2, 3): "trio",
    (0, 1, 2, 3): "first-four",
}
_BY_SHAPE: Final[Mapping[tuple[int, int], str]] = {
    (1, 1): "straight",
    (1, 2): "split",
    (2, 1): "split",
    (1, 3): "street",
    (2, 2): "corner",
    (2, 3): "six-line",
    (4, 3): "dozen",
    (12, 1): "column",
}
"""What a full block of so many rows and columns of the grid is."""


@cache
def kind_of(numbers: Numbers) -> str | None:
    """What kind of bet lies on these numbers; None where they are no placement."""
    named = {**_BESIDE_ZERO, **{placed: chance for chance, placed in CHANCES.items()}}
    if numbers in named:
        return named[numbers]
    cells = {divmod(n - 1, 3) for n in numbers if n in range(1, 37)}
    if not numbers or len(cells) != len(numbers):
        return None
    first, height = _span({row for row, _ in cells})
    _, width = _span({column for _, column in cells})
    is_full = height * width == len(numbers)
    kind = _BY_SHAPE.get((height, width)) if is_full else None
    return None if kind == "dozen" and first % height else kind


def _span(lines: set[int]) -> tuple[int, int]:
    """The first of some rows or columns, and how many lie from it to the last."""
    return min(lines), max(lines) - min(lines) + 1


def placement(numbers: Numbers) -> dict[str, Any]:
    """A placement as bets name it."""
    return {"type": "roulette-bet", "kind": kind_of(numbers), "numbers": list(numbers)}


def colour(pocket: int) -> str:
    """The colour of a pocket."""
    return "green" if pocket == 0 else "red" if pocket in REDS else "black"


def outcome(pocket: int) -> dict[str, Any]:
    """What is told of a pocket."""
    return {"type": "wheel-outcome", "pocket": pocket, "colour": colour(pocket)}


def spun(entropy: bytes) -> tuple[int, bytes]:
    """The pocket that entropy gives, and the bytes that are left."""
    return first_drawn(entropy, len(WHEEL))


# --- laid ----------------------------------------------------------------------------------------

Parts = list[tuple[Numbers, int]]
"""Placements with the chips on each."""


def parts_of(game: Fields, line: Fields) -> Parts:
    """What a line of a player's bets lays, in units of its amount or chip."""
    match line:
        case {"numbers": numbers}:
            return [(tuple(sorted(numbers)), 1)]
        case {"chance": chance}:
            return [(CHANCES[chance], 1)]
        case {"announced": name}:
            return [(tuple(part["numbers"]), part["chips"]) for part in game["announced"][name]]
        case {"neighbours": number}:
            return around(number, game["neighbours"])
        case _:
            raise AuditError("a bet is written in no form of this game")


def around(number: int, each_side: int) -> Parts:
    """A chip on a number and on so many to each side of it on the wheel."""
    if number not in WHEEL:
        raise AuditError("a bet names a number that is not on the wheel")
    thrice = WHEEL * 3
    middle = len(WHEEL) + WHEEL.index(number)
    return [((n,), 1) for n in thrice[middle - each_side : middle + each_side + 1]]


def unit_of(line: Fields) -> int:
    """The amount of a line, or the worth of its chip, in minor units."""
    unit = line["amount"] if "amount" in line else line["chip"]
    if not is_stake(unit):
        raise AuditError("a bet stakes no whole number of minor units")
    return int(unit)


def laid(trail: Trail, lines: Iterable[Fields], read: Callable[[Fields, Fields], Parts]) -> Sums:
    """The sum on each placement, however it came there; each is held to be one that is offered."""
    sums: Sums = {}
    for line in lines:
        unit = unit_of(line)
        for numbers, chips in read(trail.game, line):
            sums[numbers] = sums.get(numbers, 0) + chips * unit
    for numbers in sums:
        if kind_of(numbers) not in trail.game["pays"]:
            trail.wrong(f"no bet on {'-'.join(map(str, numbers))} is offered")
    return sums


def range_of(written: Fields) -> dict[str, int]:
    """A range in minor units, from a document's texts."""
    least, most = minor(written["min"]), minor(written["max"])
    if written.keys() != {"min", "max"} or not 0 < least <= most:
        raise AuditError("a range has a least and a most, in this order")
    return {"min": least, "max": most}


def within(trail: Trail, what: str, amount: int, bounds: Fields) -> None:
    """Hold a sum to a least and a most in minor units, each of which may be absent."""
    least, most = bounds.get("min"), bounds.get("max")
    if least is not None and amount < least:
        trail.wrong(f"{what} has {amount}, and at least {least} must lie there")
    if most is not None and amount > most:
        trail.wrong(f"{what} has {amount}, and at most {most} may lie there")


def placed(trail: Trail, sums: Sums, first: int = 1) -> None:
    """One bet for each placement."""
    for bet, (numbers, amount) in enumerate(sums.items(), first):
        trail.expect("bet-placed", bet=bet, amount=amount, details=placement(numbers))


# --- played alone --------------------------------------------------------------------------------


def is_void(trail: Trail, sums: Sums) -> bool:
    """Whether an operator gave all bets back."""
    if trail.next not in GIVEN_BACK:
        return False
    trail.give_back(dict(enumerate(sums.values(), 1)), sum(sums.values()), len(sums))
    return True


def prize(game: Fields, numbers: Numbers, amount: int, pocket: int) -> tuple[int, int]:
    """Winnings and returned stake of a bet: so many times the stake where it covers the pocket."""
    covers = numbers.count(pocket)
    return covers * amount * int(game["pays"][kind_of(numbers)]), covers * amount


def settled(trail: Trail, sums: Sums, pocket: int) -> None:
    """Pay every bet at a pocket, in their order, and end the round."""
    prizes = {
        bet: prize(trail.game, numbers, amount, pocket)
        for bet, (numbers, amount) in enumerate(sums.items(), 1)
    }
    for bet, (winnings, stake) in prizes.items():
        if stake:
            trail.expect("payout-credited", bet=bet, winnings=winnings, stake_returned=stake)
    staked, returned = sum(sums.values()), sum(stake for _, stake in prizes.values())
    trail.expect(
        "round-settled",
        staked=staked,
        winnings=sum(winnings for winnings, _ in prizes.values()),
        stake_returned=returned,
        stakes_lost=staked - returned,
        refunded=0,
        bets=len(sums),
    )


def demo(trail: Trail, sums: Sums, pocket: int, left: bytes) -> None:
    """Hold a round with demo chips against its bets and its pocket."""
    credited = sum(sum(prize(trail.game, n, amount, pocket)) for n, amount in sums.items())
    trail.demo(left, shown=str(pocket), staked=sum(sums.values()), credited=credited)
