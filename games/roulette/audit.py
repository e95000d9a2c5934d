"""European Roulette by a second method: chips counted, pockets covered, stakes summed anew.

Source: European Roulette rules, bets and winnings; the published sheet has their figures.
"""

from collections.abc import Sequence
from math import gcd

from games.auditing import Event, Fields, Trail, audited
from games.roulette.auditing import (
    Sums,
    demo,
    is_void,
    kind_of,
    laid,
    outcome,
    parts_of,
    placed,
    settled,
    spun,
    unit_of,
    within,
)


def audit(sheet: bytes, events: Sequence[Event]) -> list[str]:
    """Audit one round of a sheet of `roulette/1` (see `games.auditing.Audit`)."""
    return audited(_round, sheet, events)


def _round(trail: Trail) -> None:
    if trail.next == "demo-round-played":
        _demo(trail)
        return
    sums = _bets(trail, trail.open()["move"])
    placed(trail, sums)
    if trail.next is None or is_void(trail, sums):
        return
    if trail.next == "move-made":
        trail.move("roulette-spin")
    pocket, left = spun(trail.draw())
    trail.drawn(left, str(pocket), outcome(pocket))
    settled(trail, sums, pocket)


def _demo(trail: Trail) -> None:
    """A round with demo chips, in one event."""
    told = trail.coming
    sums = _bets(trail, told["move"])
    pocket, left = spun(bytes.fromhex(told["entropy"]))
    demo(trail, sums, pocket, left)


def _bets(trail: Trail, move: Fields) -> Sums:
    """What the opening move lays, by chips and within the limits of the table."""
    lines = trail.of_type(move, ["roulette-bets"])["lines"]
    if not lines:
        trail.wrong("a round needs a bet")
    chips = trail.game["chips"]
    for line in lines:
        if not makes(tuple(chips), unit_of(line)):
            trail.wrong(f"no chips make {unit_of(line)}")
    sums = laid(trail, lines, parts_of)
    limits = trail.game["limits"]
    for numbers, amount in sums.items():
        within(
            trail, f"a {kind_of(numbers)}", amount, limits["positions"].get(kind_of(numbers), {})
        )
    within(trail, "the table", sum(sums.values()), {"max": limits["table_max"]})
    return sums


def makes(chips: tuple[int, ...], amount: int) -> bool:
    """Whether chips of these values add up to an amount: all sums are marked, a bit for each.

    Where the chips have no common unit, every amount can be made that is at least the product of
    the smallest chip less one and the largest less one (Schur).
    """
    unit = gcd(*chips)
    whole, rest = divmod(amount, unit)
    values = sorted(chip // unit for chip in chips)
    if rest or whole >= (values[0] - 1) * (values[-1] - 1):
        return not rest
    sums, all_bits = 1, (1 << (whole + 1)) - 1
    for value in values:
        step = value
        while step <= whole:
            sums |= (sums << step) & all_bits
            step *= 2
    return bool(sums >> whole & 1)
