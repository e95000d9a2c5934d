"""Bets, actions and cards of blackjack in words, and the hands in text."""

from types import MappingProxyType
from typing import Final

from games.blackjack.moves import (
    BlackjackBet,
    BlackjackCard,
    BlackjackCut,
    BlackjackMove,
    BlackjackOutcome,
    BlackjackSeen,
    BlackjackStake,
    BoxHands,
)
from games.blackjack.round import Action
from games.blackjack.settle import Kind
from games.cards import drawn
from games.words import Told, Words, amount_in, listed

_ACTIONS: Final = MappingProxyType(
    {
        Action.HIT: ("chiede carta", "hit"),
        Action.STAND: ("sta", "stand"),
        Action.DOUBLE: ("raddoppia la puntata", "double"),
        Action.SPLIT: ("divide", "split"),
        Action.INSURANCE: ("si assicura", "insurance"),
        Action.EVEN_MONEY: ("accetta la pari", "even money"),
    }
)
_KINDS: Final = MappingProxyType(
    {
        Kind.MAIN: ("puntata del box", "the box"),
        Kind.DOUBLE: ("raddoppio della puntata", "double"),
        Kind.SPLIT: ("divisione", "split"),
        Kind.INSURANCE: ("assicurazione", "insurance"),
    }
)


def _stake(stake: BlackjackStake) -> Told:
    it, en = _KINDS[stake.kind]
    return Told(f"{it}, mano {stake.hand}", f"{en}, hand {stake.hand}")


def _seen(seen: BlackjackSeen) -> Told:
    hands = " | ".join(" ".join(hand) for hand in seen.hands)
    return Told(
        f"davanti a {hands}, mano {seen.hand}; banco {seen.dealer}",
        f"seeing {hands}, hand {seen.hand}; dealer {seen.dealer}",
    )


def _box(box: BoxHands) -> Told:
    hands = " | ".join(" ".join(hand) for hand in box.hands)
    return Told(f"posto {box.seat}: {hands}", f"seat {box.seat}: {hands}")


def _outcome(outcome: BlackjackOutcome) -> Told:
    boxes = listed([_box(box) for box in outcome.boxes], "nessun box", "no box")
    dealer = " ".join(outcome.dealer)
    hands = [hand for box in outcome.boxes for hand in box.hands]
    pictures = tuple(line for hand in (*hands, outcome.dealer) if hand for line in drawn(hand))
    return Told(f"{boxes.it}; banco {dealer}", f"{boxes.en}; dealer {dealer}", pictures)


WORDS: Final[Words] = MappingProxyType(
    {
        BlackjackBet: lambda bet: Told(
            f"{amount_in('it', bet.amount)} sul box", f"{amount_in('en', bet.amount)} on the box"
        ),
        BlackjackMove: lambda move: Told(*_ACTIONS[move.action]),
        BlackjackStake: _stake,
        BlackjackCard: lambda card: Told(card.card, card.card, drawn((card.card,))),
        BlackjackCut: lambda cut: Told(
            f"carta di taglio dopo {cut.cards} carte", f"cutting card after {cut.cards} cards"
        ),
        BlackjackSeen: _seen,
        BlackjackOutcome: _outcome,
    }
)
