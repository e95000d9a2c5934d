"""What the audits of Live Blackjack share: how cards count, what may be done, what bets bring.

A hand is told by all that it can count, each ace for itself. Source: Live Blackjack rules; the
published sheet has their figures.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.auditing import AuditError, Fields, Trail, share

RANKS: Final = "23456789TJQKA"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in "cdhs")
"""The cards in the order that a draw counts them in."""

Hand = list[str]
"""Cards in the order in which they came."""

MOST: Final = 21
DEALER_STANDS: Final = 17
PAIR: Final = 2
_TENS: Final = "TJQK"


def counts(cards: Iterable[str]) -> set[int]:
    """All that some cards can count together."""
    sums = {0}
    for card in cards:
        rank = card[0]
        worth = (1, 11) if rank == "A" else (10,) if rank in _TENS else (int(rank),)
        sums = {each + count for each in sums for count in worth}
    return sums


def count(cards: Iterable[str]) -> int:
    """The highest count of a hand that is not above 21; of a bust hand the lowest."""
    told = counts(cards)
    return max((each for each in told if each <= MOST), default=min(told))


def is_natural(cards: Sequence[str]) -> bool:
    """Whether two cards are an ace and one that counts ten."""
    return len(cards) == PAIR and MOST in counts(cards)


def is_threat(card: str) -> bool:
    """Whether another card can make a Blackjack of this one."""
    return card[0] in "A" + _TENS


@dataclass(slots=True)
class Box:
    """A box in play: its seat, its bet in minor units, its hands, and what was done for them."""

    seat: int
    bet: int
    hands: list[Hand] = field(default_factory=lambda: [[]])
    doubled: set[int] = field(default_factory=set)
    """The hands, from 1, that as much again was bet on."""
    insured: bool = False
    even_money: bool = False
    round: str | None = None
    """Its round, where the table names it."""
    reached: bool = False
    """Whether the croupier has asked it, where the table's cards are dealt once more."""

    @property
    def is_split(self) -> bool:
        """Whether it has two hands."""
        return len(self.hands) == PAIR

    @property
    def has_natural(self) -> bool:
        """Whether its first two cards make a Blackjack; a split has none."""
        return not self.is_split and is_natural(self.hands[0])

    @property
    def is_bust(self) -> bool:
        """Whether all its hands are above 21."""
        return all(count(hand) > MOST for hand in self.hands)

    def is_decided(self, up: str) -> bool:
        """Whether no card of the dealer can change what it brings."""
        natural = self.has_natural and (self.even_money or not is_threat(up))
        return natural or (self.is_bust and not self.insured)


def allowed(game: Fields, box: Box, at: int, up: str) -> set[str]:
    """What a hand of a box, counted from 1, may do against a first card of the dealer."""
    hand = box.hands[at - 1]
    if box.has_natural:
        return set() if box.even_money or up[0] != "A" else {"stand", "even-money"}
    aces = box.is_split and hand[0][0] == "A" and game["split"]["aces"] == "one-card"
    if aces or at in box.doubled or count(hand) >= MOST:
        return set()
    may = {"hit", "stand"}
    if len(hand) > PAIR:
        return may
    if count(hand) in game["double"]["totals"] and (
        game["double"]["after_split"] or not box.is_split
    ):
        may.add("double")
    if not box.is_split:
        may |= {"split"} if _alike(game, *hand) else set()
        insures = up[0] == "A" and not box.insured and insurance(game, box.bet) > 0
        may |= {"insurance"} if insures else set()
    return may


def _alike(game: Fields, one: str, two: str) -> bool:
    """Whether two cards may be split, by their ranks or by what they count."""
    if game["split"]["equal"] == "rank":
        return one[0] == two[0]
    return counts([one]) == counts([two])


def insurance(game: Fields, bet: int) -> int:
    """What insures a bet, in minor units; what is less than one of them is left out."""
    part, whole = map(int, game["insurance"]["share"].split("/"))
    return bet * part // whole


def winnings(game: Fields, kind: str, amount: int, end: str) -> int:
    """What a bet wins that ended so, beyond its stake; nothing where that only comes back."""
    if end == "push":
        return 0
    if kind == "insurance":
        return share(amount, game["insurance"]["pays"])
    return share(amount, game["blackjack_pays"] if end == "blackjack" else "1/1")


def end_of(box: Box, kind: str, at: int, dealer: Sequence[str]) -> str:
    """How a bet on a hand of a box ends by all cards on the table."""
    hand, against = box.hands[at - 1], is_natural(dealer)
    if kind == "insurance":
        return "won" if against else "lost"
    if box.has_natural:
        if box.even_money:
            return "even-money"
        return "push" if against else "blackjack"
    if count(hand) > MOST:
        return "bust"
    if against or count(hand) < count(dealer) <= MOST:
        return "lost"
    return "push" if count(hand) == count(dealer) else "won"


def stands(game: Fields, cards: Sequence[str]) -> bool:
    """Whether the dealer takes no further card by what these count."""
    soft = count(cards) == DEALER_STANDS and min(counts(cards)) < DEALER_STANDS
    return count(cards) >= DEALER_STANDS and not (soft and game["soft_17"] == "hits")


def is_live(box: Box) -> bool:
    """Whether a hand of a box is played to the end against the dealer's."""
    return not box.has_natural and not box.is_bust


def awaits(box: Box, up: str) -> bool:
    """Whether the dealer's second card alone decides a bet of a box."""
    return box.insured or (box.has_natural and not box.even_money and is_threat(up))


def shown(name: str, cards: Sequence[str]) -> str:
    """A hand as the history of the screen has it."""
    return f"{name} {count(cards)}: {' '.join(cards)}"


def hold_cards(trail: Trail, cards: Iterable[str]) -> None:
    """Every card is one of a deck, and comes no more often than the shoe has decks."""
    came = Counter(cards)
    if not came.keys() <= set(DECK):
        raise AuditError("a card is told that is in no deck")
    if max(came.values(), default=0) > trail.game["shoe"]["decks"]:
        trail.wrong("a card comes more often than the shoe holds it")
