"""The moves of a round of roulette, and the document in which a player writes bets (fault S6).

The ways to write a line are shared; each game of roulette says which of them it takes.

Here is only what can be read at all; whether a bet may be placed is the sheet's word, and is said
when the round is decided.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Final, Generic, Literal, TypeVar, get_args

from pydantic import Field

from games.documents import malformed, read_amount
from games.engine import foremost
from games.roulette.layout import Chance
from ledger.domain.events import Details, Frozen
from ledger.domain.money import Amount
from ledger.domain.refusals import Refusal

LINES_MAX: Final = 500
"""Most lines in one document."""

NUMBERS_MAX: Final = 37
"""Most numbers in one line."""

NUMBER_BOUND: Final = 999
"""Numbers up to this size, of either sign, can be read; few of them are on the wheel."""

_NAME: Final = r"^[a-z][a-z0-9-]{0,39}$"

Number = Annotated[int, Field(ge=-NUMBER_BOUND, le=NUMBER_BOUND)]
Name = Annotated[str, Field(pattern=_NAME)]


class NumbersLine(Frozen):
    """A bet on the placement that these numbers name, in whatever order; minor units."""

    numbers: tuple[Number, ...]
    amount: Amount


class ChanceLine(Frozen):
    """A bet on a simple chance, in minor units."""

    chance: Chance
    amount: Amount


class AnnouncedLine(Frozen):
    """An announced bet with the worth of one chip, in minor units."""

    announced: Name
    chip: Amount


class NeighboursLine(Frozen):
    """A number and its neighbours on the wheel, with the worth of one chip, in minor units."""

    neighbours: Number
    chip: Amount


Line = Annotated[NumbersLine | ChanceLine | AnnouncedLine, Field(union_mode="left_to_right")]
"""Their fields are different, so that at most one of them fits: none is tried after it."""


class RouletteBets(Details):
    """Place these bets: the opening move of a round."""

    type: Literal["roulette-bets"] = "roulette-bets"
    lines: Annotated[tuple[Line, ...], Field(max_length=LINES_MAX)]


class Spin(Details):
    """Close the bets and spin the wheel."""

    type: Literal["roulette-spin"] = "roulette-spin"


SPIN: Final = Spin()


L = TypeVar("L", bound=Frozen)
Reader = Callable[[Mapping[str, Any], str], L | Refusal]


@dataclass(frozen=True, slots=True)
class Forms(Generic[L]):
    """The ways in which a game takes a line, and how a person is told of them."""

    readers: Mapping[frozenset[str], Reader[L]]
    told: str


def parse(document: object) -> RouletteBets | Refusal:
    """Read `{"bets": [line, ..]}`; the refusal names the first line that cannot be read."""
    if not isinstance(document, dict) or set(document) != {"bets"}:
        return malformed('Write one object with the bets: {"bets": [..]}.')
    lines = read_lines(document["bets"], FORMS)
    return lines if isinstance(lines, Refusal) else RouletteBets(lines=lines)


def read_lines(bets: object, forms: Forms[L]) -> tuple[L, ...] | Refusal:
    """Read a list of lines; the refusal names the first one that cannot be read."""
    if not isinstance(bets, list) or len(bets) > LINES_MAX:
        return malformed(f'"bets" must be a list of at most {LINES_MAX} bets.')
    lines = [_line(value, f"Bet {place}", forms) for place, value in enumerate(bets, 1)]
    wrong = foremost(line for line in lines if isinstance(line, Refusal))
    return wrong or tuple(line for line in lines if not isinstance(line, Refusal))


def _line(value: object, place: str, forms: Forms[L]) -> L | Refusal:
    reader = forms.readers.get(frozenset(value)) if isinstance(value, dict) else None
    if reader is None or not isinstance(value, dict):
        return malformed(f"{place} must have {forms.told}, and nothing else.")
    return reader(value, place)


def _numbers(line: Mapping[str, Any], place: str) -> NumbersLine | Refusal:
    numbers = line["numbers"]
    if not isinstance(numbers, list) or len(numbers) > NUMBERS_MAX:
        return malformed(f"{place}: write the numbers as a list of at most {NUMBERS_MAX}.")
    if not all(type(n) is int and abs(n) <= NUMBER_BOUND for n in numbers):
        return malformed(f"{place}: write each number as a small whole number, such as 17.")
    amount = read_amount(line["amount"], place)
    if isinstance(amount, Refusal):
        return amount
    return NumbersLine(numbers=tuple(numbers), amount=amount)


def _chance(line: Mapping[str, Any], place: str) -> ChanceLine | Refusal:
    chance = line["chance"]
    if chance not in get_args(Chance):
        return malformed(f"{place}: the chances are {', '.join(get_args(Chance))}.")
    amount = read_amount(line["amount"], place)
    return amount if isinstance(amount, Refusal) else ChanceLine(chance=chance, amount=amount)


def _announced(line: Mapping[str, Any], place: str) -> AnnouncedLine | Refusal:
    name = read_name(line["announced"], place)
    if isinstance(name, Refusal):
        return name
    chip = read_amount(line["chip"], place)
    return chip if isinstance(chip, Refusal) else AnnouncedLine(announced=name, chip=chip)


def read_neighbours(line: Mapping[str, Any], place: str) -> NeighboursLine | Refusal:
    """Read `neighbours` and `chip` of a line."""
    number = read_number(line["neighbours"], place)
    if isinstance(number, Refusal):
        return number
    chip = read_amount(line["chip"], place)
    return chip if isinstance(chip, Refusal) else NeighboursLine(neighbours=number, chip=chip)


def read_name(value: object, place: str) -> str | Refusal:
    """Read the name of an announced bet."""
    if not isinstance(value, str) or re.fullmatch(_NAME, value) is None:
        return malformed(f'{place}: name an announced bet in small letters, such as "voisins".')
    return value


def read_number(value: object, place: str) -> int | Refusal:
    """Read one number, which need not be on the wheel."""
    if type(value) is not int or abs(value) > NUMBER_BOUND:
        return malformed(f"{place}: write the number as a small whole number, such as 17.")
    return value


READERS: Final[Mapping[frozenset[str], Reader[Line]]] = MappingProxyType(
    {
        frozenset({"numbers", "amount"}): _numbers,
        frozenset({"chance", "amount"}): _chance,
        frozenset({"announced", "chip"}): _announced,
    }
)

FORMS: Final[Forms[Line]] = Forms(
    READERS, '"numbers" and "amount", "chance" and "amount", or "announced" and "chip"'
)
