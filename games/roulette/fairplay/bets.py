"""The moves of a round of roulette by account type, and a player's document (fault S6).

Account type, own limits, offset and series are what the house holds of a player: the document may
name an account type and an offset, and who keeps the player's account fills in what holds.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from games.documents import malformed
from games.roulette.bets import (
    LINES_MAX,
    READERS,
    AnnouncedLine,
    ChanceLine,
    Forms,
    NeighboursLine,
    NumbersLine,
    read_lines,
    read_neighbours,
)
from games.roulette.fairplay.limits import OwnLimits
from games.roulette.wheel import POCKETS, Colour
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal

FairPlayLine = NumbersLine | ChanceLine | AnnouncedLine | NeighboursLine
Pocket = Annotated[int, Field(ge=POCKETS[0], le=POCKETS[-1])]
"""A number of the wheel, a number of a series, or an offset."""

_ACCOUNT: Final = r"^[A-Za-z0-9-]{1,20}$"


class FairPlayBets(Details):
    """Place these bets, or none: the opening move of a round."""

    type: Literal["fairplay-bets"] = "fairplay-bets"
    account: Annotated[str | None, Field(pattern=_ACCOUNT)] = None
    """The account type; None in a document that names none, and then the ledger fills it in."""
    limits: OwnLimits | None = None
    """The player's own limits by a decision of the house; a player's document cannot name them."""
    lines: Annotated[tuple[FairPlayLine, ...], Field(max_length=LINES_MAX)]
    offset: Pocket | None = None
    """What is added to the number of a series; None where the one that holds is meant, or zero."""
    series: bool = False
    """Whether the number comes from the player's open series."""
    demo: bool = False
    """Whether it is played with demo chips, which never touch money: none of the book's rounds."""


class FairPlaySpin(Details):
    """Close the bets and spin."""

    type: Literal["fairplay-spin"] = "fairplay-spin"


class FairPlayOutcome(Details):
    """Where the ball came to rest: the number, drawn or from a series, moved on by the offset."""

    type: Literal["fairplay-outcome"] = "fairplay-outcome"
    number: Pocket
    offset: Pocket
    pocket: Pocket
    colour: Colour


SPIN: Final = FairPlaySpin()
_KEYS: Final = frozenset({"bets", "account", "offset", "demo"})

FORMS: Final[Forms[FairPlayLine]] = Forms(
    MappingProxyType({**READERS, frozenset({"neighbours", "chip"}): read_neighbours}),
    '"numbers" and "amount", "chance" and "amount", "announced" and "chip", '
    'or "neighbours" and "chip"',
)


def parse(document: object) -> FairPlayBets | Refusal:
    """Read `{"bets": [line, ..]}`, if need be with `account`, `offset` and `demo`."""
    if not isinstance(document, dict) or "bets" not in document or not set(document) <= _KEYS:
        return malformed(_HOW)
    account = read_account(document)
    offset = read_offset(document)
    if isinstance(account, Refusal):
        return account
    if isinstance(offset, Refusal):
        return offset
    if type(document.get("demo", False)) is not bool:
        return malformed('"demo" must be true or false.')
    lines = read_lines(document["bets"], FORMS)
    if isinstance(lines, Refusal):
        return lines
    demo = document.get("demo", False)
    return FairPlayBets(account=account, lines=lines, offset=offset, demo=demo)


def read_account(document: Mapping[str, Any]) -> str | Refusal | None:
    """Read `account` of a document; None where it names none."""
    if "account" not in document:
        return None
    account = document["account"]
    if not isinstance(account, str) or re.fullmatch(_ACCOUNT, account) is None:
        return malformed('"account" must be an account type, such as "VIP".')
    return account


def read_offset(document: Mapping[str, Any]) -> int | Refusal | None:
    """Read `offset` of a document; None where it names none."""
    return read_pocket(document, "offset") if "offset" in document else None


def read_pocket(document: Mapping[str, Any], key: str) -> int | Refusal:
    """Read a whole number from 0 to 36."""
    value = document.get(key)
    if type(value) is not int or value not in POCKETS:
        return malformed(f'"{key}" must be a whole number from 0 to 36.')
    return value


_HOW: Final = (
    'Write one object with the bets, which may be none: {"bets": [..]}, '
    'if need be with "account", "offset" and "demo".'
)
