"""Moves and cards of Deuces Wild in words, and the cards in text."""

from types import MappingProxyType
from typing import Final

from games.cards import drawn
from games.deuces_wild.hand import Category
from games.deuces_wild.moves import (
    DeucesCards,
    DeucesCollect,
    DeucesDeal,
    DeucesDoubleUp,
    DeucesHold,
    DeucesPick,
    DeucesShow,
)
from games.deuces_wild.table import DeucesBet, DeucesDealt, DeucesFinal, DeucesFour, DeucesShown
from games.words import Told, Words, amount_in

_CATEGORIES: Final = MappingProxyType(
    {
        Category.NATURAL_ROYAL: ("scala reale senza 2", "royal flush without a deuce"),
        Category.FOUR_DEUCES: ("quattro 2", "four deuces"),
        Category.WILD_ROYAL: ("scala reale con 2", "royal flush with deuces"),
        Category.FIVE_OF_A_KIND: ("cinque uguali", "five of a kind"),
        Category.STRAIGHT_FLUSH: ("scala colore", "straight flush"),
        Category.FOUR_OF_A_KIND: ("poker", "four of a kind"),
        Category.FULL_HOUSE: ("full", "full house"),
        Category.FLUSH: ("colore", "flush"),
        Category.STRAIGHT: ("scala", "straight"),
        Category.THREE_OF_A_KIND: ("tris", "three of a kind"),
        Category.NOTHING: ("niente", "nothing"),
    }
)


def _coins(bet: DeucesBet | DeucesDeal) -> Told:
    it, en = ("moneta", "coin") if bet.coins == 1 else ("monete", "coins")
    return Told(
        f"{bet.coins} {it} da {amount_in('it', bet.coin)}",
        f"{bet.coins} {en} of {amount_in('en', bet.coin)}",
    )


def _held(positions: tuple[int, ...]) -> Told:
    named = ", ".join(map(str, positions))
    return Told(
        f"tenere {named}" if named else "non tenere nulla",
        f"hold {named}" if named else "hold nothing",
    )


def _dealt(dealt: DeucesDealt) -> Told:
    cards, hold = " ".join(dealt.cards), _held(dealt.proposed_hold)
    return Told(
        f"{cards}; proposta: {hold.it}", f"{cards}; proposed: {hold.en}", drawn(dealt.cards)
    )


def _final(final: DeucesFinal) -> Told:
    cards, (it, en) = " ".join(final.cards), _CATEGORIES[final.category]
    return Told(f"{cards}: {it}", f"{cards}: {en}", drawn(final.cards))


def _four(four: DeucesFour) -> Told:
    cards, picked = " ".join(four.cards), four.cards[four.picked - 1]
    return Told(
        f"{cards}; scelta la {four.picked}: {picked}",
        f"{cards}; number {four.picked} was picked: {picked}",
        drawn(four.cards),
    )


def _double_up(move: DeucesDoubleUp) -> Told:
    whole = Told("raddoppio", "double-up")
    return Told(f"mezzo {whole.it}", f"half {whole.en}") if move.half else whole


WORDS: Final[Words] = MappingProxyType(
    {
        DeucesDeal: _coins,
        DeucesCards: lambda _: Told("distribuire le carte", "deal the cards"),
        DeucesHold: lambda move: _held(move.hold),
        DeucesDoubleUp: _double_up,
        DeucesShow: lambda _: Told("scoprire la carta", "show the card"),
        DeucesPick: lambda move: Told(f"sceglie la carta {move.pick}", f"picks card {move.pick}"),
        DeucesCollect: lambda _: Told("incassa la vincita", "collects the win"),
        DeucesBet: _coins,
        DeucesDealt: _dealt,
        DeucesFinal: _final,
        DeucesShown: lambda shown: Told(
            f"carta da battere {shown.card}", f"card to beat {shown.card}", drawn((shown.card,))
        ),
        DeucesFour: _four,
    }
)
