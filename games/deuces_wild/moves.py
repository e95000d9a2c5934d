"""The moves of a round of Deuces Wild, and the documents in which a player writes them (S6).

Here is only what can be read at all; whether a move may be made is said when the round is decided.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from games.documents import malformed, read_amount
from ledger.domain.events import Details
from ledger.domain.money import Amount
from ledger.domain.refusals import Refusal

NUMBER_BOUND: Final = 999
"""Whole numbers up to this size, of either sign, can be read; few of them name anything."""

HELD_MAX: Final = 99
"""Most positions in one document."""

Small = Annotated[int, Field(strict=True, ge=-NUMBER_BOUND, le=NUMBER_BOUND)]


class DeucesDeal(Details):
    """Bet so many coins of a value in minor units and ask for cards: the opening move."""

    type: Literal["deuces-deal"] = "deuces-deal"
    coins: Small
    coin: Amount


class DeucesCards(Details):
    """Deal five cards, as the rules do when the bet is placed."""

    type: Literal["deuces-cards"] = "deuces-cards"


class DeucesHold(Details):
    """Hold the cards at these positions, from 1, and replace the others."""

    type: Literal["deuces-hold"] = "deuces-hold"
    hold: Annotated[tuple[Small, ...], Field(max_length=HELD_MAX)]


class DeucesDoubleUp(Details):
    """Put the held win at risk, or half of it."""

    type: Literal["deuces-double-up"] = "deuces-double-up"
    half: bool


class DeucesShow(Details):
    """Turn up the card to beat, as the rules do when the amount at risk is fixed."""

    type: Literal["deuces-show"] = "deuces-show"


class DeucesPick(Details):
    """Pick one of the four cards that lie face down, from 1."""

    type: Literal["deuces-pick"] = "deuces-pick"
    pick: Small


class DeucesCollect(Details):
    """Take the held win into the posta."""

    type: Literal["deuces-collect"] = "deuces-collect"


Move = DeucesDeal | DeucesHold | DeucesDoubleUp | DeucesPick | DeucesCollect


def parse(document: object) -> Move | Refusal:
    """Read a player's move; the refusal shows how to write one."""
    reader = _READERS.get(frozenset(document)) if isinstance(document, dict) else None
    if reader is None or not isinstance(document, dict):
        return malformed(
            'Write one move: {"coins": 5, "coin": "0.25"}, {"hold": [1, 4]}, '
            '{"double_up": {"half": false}}, {"pick": 3} or {"collect": true}.'
        )
    return reader(document)


def read_deal(document: Mapping[str, Any]) -> DeucesDeal | Refusal:
    """Read `coins` and `coin` of a document."""
    if not _small(document["coins"]) or document["coins"] < 1:
        return malformed('"coins" must be a whole number from 1, such as 5.')
    coin = read_amount(document["coin"], '"coin"')
    return coin if isinstance(coin, Refusal) else DeucesDeal(coins=document["coins"], coin=coin)


def read_hold(document: Mapping[str, Any]) -> DeucesHold | Refusal:
    """Read `hold` of a document."""
    hold = document["hold"]
    if not isinstance(hold, list) or len(hold) > HELD_MAX or not all(map(_small, hold)):
        return malformed('"hold" must be a list of positions, such as [1, 4] or [].')
    return DeucesHold(hold=tuple(hold))


def _double_up(document: Mapping[str, Any]) -> DeucesDoubleUp | Refusal:
    asked = document["double_up"]
    if not isinstance(asked, dict) or set(asked) != {"half"} or type(asked["half"]) is not bool:
        return malformed('"double_up" must be {"half": false} or {"half": true}.')
    return DeucesDoubleUp(half=asked["half"])


def _pick(document: Mapping[str, Any]) -> DeucesPick | Refusal:
    if not _small(document["pick"]):
        return malformed('"pick" must be a whole number from 1 to 4.')
    return DeucesPick(pick=document["pick"])


def _collect(document: Mapping[str, Any]) -> DeucesCollect | Refusal:
    if document["collect"] is not True:
        return malformed('"collect" must be true.')
    return DeucesCollect()


def _small(value: object) -> bool:
    return type(value) is int and abs(value) <= NUMBER_BOUND


_READERS: Final[Mapping[frozenset[str], Callable[[Mapping[str, Any]], Move | Refusal]]] = (
    MappingProxyType(
        {
            frozenset({"coins", "coin"}): read_deal,
            frozenset({"hold"}): read_hold,
            frozenset({"double_up"}): _double_up,
            frozenset({"pick"}): _pick,
            frozenset({"collect"}): _collect,
        }
    )
)
