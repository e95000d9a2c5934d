"""Bets, moves and outcomes of roulette in words, and the wheel around the ball in text."""

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Any, Final

from games.roulette.bets import (
    AnnouncedLine,
    ChanceLine,
    NeighboursLine,
    NumbersLine,
    RouletteBets,
    Spin,
)
from games.roulette.layout import BY_KIND, Kind, RouletteBet
from games.roulette.wheel import Colour, WheelOutcome, neighbours
from games.words import Told, Words, amount_in, listed

_KINDS: Final = MappingProxyType(
    {
        Kind.STRAIGHT: ("pieno", "straight"),
        Kind.SPLIT: ("cavallo", "split"),
        Kind.STREET: ("terzina", "street"),
        Kind.TRIO: ("terzina", "trio"),
        Kind.CORNER: ("quartina", "corner"),
        Kind.FIRST_FOUR: ("quattro primi", "first four"),
        Kind.SIX_LINE: ("sestina", "six line"),
        Kind.DOZEN: ("dozzina", "dozen"),
        Kind.COLUMN: ("colonna", "column"),
        Kind.RED: ("rosso", "red"),
        Kind.BLACK: ("nero", "black"),
        Kind.EVEN: ("pari", "even"),
        Kind.ODD: ("dispari", "odd"),
        Kind.LOW: ("manque (1-18)", "low"),
        Kind.HIGH: ("passe (19-36)", "high"),
    }
)
_COLOURS: Final = MappingProxyType(
    {"red": ("rosso", "red"), "black": ("nero", "black"), "green": ("verde", "green")}
)
_NAMED_MAX: Final = 6
"""A placement of more numbers is named by its first and its last."""

AROUND: Final = 5
"""How many pockets are drawn to each side of the ball."""


def wheel(pocket: int) -> tuple[str, ...]:
    """The wheel around the pocket in which the ball lies, three lines of one length."""
    cells = [f"{n:^4}" for n in neighbours(pocket, AROUND)]
    cells[AROUND] = f">{pocket:^2}<"
    lines = ["─" * len(cell) for cell in cells]
    return (
        f" ┌{'┬'.join(lines)}┐ ",
        f"·│{'│'.join(cells)}│·",
        f" └{'┴'.join(lines)}┘ ",
    )


def came(pocket: int, colour: Colour) -> Told:
    """A pocket with its colour, and the wheel."""
    it, en = _COLOURS[colour]
    return Told(f"{pocket} {it}", f"{pocket} {en}", wheel(pocket))


def placement(bet: RouletteBet) -> Told:
    """What a placement is called, with the numbers that tell it from others of its kind."""
    it, en = _KINDS[bet.kind]
    if len(BY_KIND[bet.kind]) == 1 and bet.kind is not Kind.FIRST_FOUR:
        return Told(it, en)
    ends = bet.numbers if len(bet.numbers) <= _NAMED_MAX else (bet.numbers[0], bet.numbers[-1])
    by = "-".join(map(str, ends))
    return Told(f"{it} {by}", f"{en} {by}")


def chance(name: str) -> Told:
    """What a simple chance is called."""
    return Told(*_KINDS[Kind(name)])


def on(what: Told, amount: int) -> Told:
    """So many minor units on something."""
    return Told(
        f"{amount_in('it', amount)} su {what.it}", f"{amount_in('en', amount)} on {what.en}"
    )


def with_chips(what: Told, chip: int) -> Told:
    """A call with the worth of one chip, in minor units."""
    return Told(
        f"{what.it} con fiches da {amount_in('it', chip)}",
        f"{what.en} with chips of {amount_in('en', chip)}",
    )


def line(told: Any) -> Told:
    """A line that a player may write at any table of roulette."""
    match told:
        case NumbersLine():
            numbers = "-".join(map(str, told.numbers))
            return on(Told(numbers, numbers), told.amount)
        case ChanceLine():
            return on(chance(told.chance), told.amount)
        case NeighboursLine():
            of = told.neighbours
            return with_chips(Told(f"vicini del {of}", f"neighbours of {of}"), told.chip)
        case AnnouncedLine():
            return with_chips(Told(told.announced, told.announced), told.chip)
        case _:
            raise TypeError(f"no line of roulette: {type(told).__name__}")


def bets(lines: Iterable[Any], tell: Callable[[Any], Told] = line) -> Told:
    """All lines of a move, or that there is none."""
    return listed([tell(each) for each in lines], "nessuna puntata", "no bet")


WORDS: Final[Words] = MappingProxyType(
    {
        RouletteBets: lambda move: bets(move.lines),
        Spin: lambda _: Told("la ruota gira", "the wheel spins"),
        RouletteBet: placement,
        WheelOutcome: lambda outcome: came(outcome.pocket, outcome.colour),
    }
)
