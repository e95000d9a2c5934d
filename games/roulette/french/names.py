"""What each bet is called in Italian and in French, as the sheet says it.

Source: rules of French roulette, which name every bet and say by which numbers it is called.
"""

from typing import Annotated, Final

from pydantic import Field

from games.roulette.french.finals import Shape
from games.roulette.layout import BY_KIND, Kind, RouletteBet
from ledger.domain.events import Frozen
from ledger.domain.ids import Sentence


class Name(Frozen):
    """A name in the two languages of the table."""

    it: Sentence
    fr: Sentence


class PlacementName(Name):
    """The name that one placement has by tradition, as the first three numbers have."""

    numbers: Annotated[tuple[int, ...], Field(min_length=1)]


class Names(Frozen):
    """All names of a sheet."""

    kinds: dict[Kind, Name]
    placements: tuple[PlacementName, ...]
    announced: dict[str, Name]
    sector: Name
    finals: dict[Shape, Name]


_BY_LAST: Final = (Kind.STRAIGHT, Kind.COLUMN)
"""A straight has one number, and a column is called by the one at its foot."""


def name_of(names: Names, bet: RouletteBet) -> Name:
    """What a placement is called: its own name, or that of its kind and its numbers."""
    for own in names.placements:
        if own.numbers == bet.numbers:
            return Name(it=own.it, fr=own.fr)
    return called(names.kinds[bet.kind], _numbers(bet))


def called(name: Name, by: str) -> Name:
    """A name with what it is told apart by."""
    return Name(it=f"{name.it} {by}".rstrip(), fr=f"{name.fr} {by}".rstrip())


def _numbers(bet: RouletteBet) -> str:
    """The numbers that a placement is called by; none where it is the only one of its kind."""
    if len(BY_KIND[bet.kind]) == 1:
        return ""
    if bet.kind in _BY_LAST:
        return str(bet.numbers[-1])
    return f"{bet.numbers[0]}-{bet.numbers[-1]}"
