"""Every first position of a box: its two cards and the dealer's first, and how it goes on.

Of all cards a box goes by these and by those that it draws itself. A round that begins at a fixed
place of a shuffled shoe deals by the same law as from the full shoe, and the box's cards and the
dealer's have it too, whatever other boxes draw between them: which card of the shoe comes to whom
is always fixed before that card is seen.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from games.blackjack.compositions import ACE, NOTHING, VALUES, Composition, plus, without
from games.blackjack.hand import BLACKJACK, TEN
from games.blackjack.moments import Moments
from games.blackjack.plans import CARDS, Plan, cards_of
from games.blackjack.playing import Facing
from games.blackjack.round import Action
from games.blackjack.rules import Rules
from games.blackjack.ways import Sight, Way, moments, offered, pair_of, sight, single, way

_TEN_PLACE: Final = TEN - 1
_TEN_RANKS: Final = 4
"""Tens, jacks, queens and kings, of which a full shoe has as many each."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """Two cards of a box against the dealer's first, and how they are played."""

    chance: Fraction
    seen: Sight
    hand: Composition
    way: Way
    """How the box goes on; a Blackjack stands or is paid evenly."""
    pair: int | None
    """The place of the value of two cards that may be split."""
    insured: bool

    @property
    def has_blackjack(self) -> bool:
        """Whether the two cards make 21, so that nothing is left to choose but even money."""
        return _total(self.seen, self.hand) == BLACKJACK

    @property
    def staked(self) -> float:
        """All that the box bets."""
        return self.way.staked + self.insured * float(self.seen.facing.rules.insurance_share)

    @property
    def won(self) -> float:
        """What it wins net."""
        return self.way.won + self.insured * insurance(self.seen, self.hand)

    def moments(self) -> Moments:
        """The moments of both."""
        if self.has_blackjack:
            return _of_blackjack(self.seen, self.way)
        own = moments(self.seen, self.hand, self.way.action)
        return _insured(self.seen, self.hand, own) if self.insured else own


def cells(rules: Rules, shoe: Composition, plan: Plan | None) -> Iterator[Cell]:
    """Every cell of a shoe that can come; their chances together are 1."""
    for up in VALUES:
        if not shoe[up]:
            continue
        left = without(shoe, up)
        seen = sight(Facing(rules, up, left), plan)
        for hand, chance in _two_cards(left):
            yield from _cells(seen, hand, Fraction(shoe[up], sum(shoe)) * chance)


def _cells(seen: Sight, hand: Composition, chance: Fraction) -> Iterator[Cell]:
    """The cell of two cards; tens of which only equal ranks may be split make two of them."""
    pair = pair_of(hand)
    if pair != _TEN_PLACE or not seen.facing.rules.split_by_rank:
        yield _cell(seen, hand, chance, pair)
        return
    equal = _equal_ranks(seen.facing)
    yield _cell(seen, hand, chance * equal, pair)
    yield _cell(seen, hand, chance * (1 - equal), None)


def _cell(seen: Sight, hand: Composition, chance: Fraction, pair: int | None) -> Cell:
    if _total(seen, hand) == BLACKJACK:
        found = blackjack_ways(seen, hand)
        taken = max(found, key=_won) if seen.plan is None else found[0]
        return Cell(chance, seen, hand, taken, None, insured=False)
    best = seen.plan is None
    insured = best and seen.facing.up == ACE and insurance(seen, hand) > 0
    actions = offered(seen, hand)
    if pair is None:
        actions = tuple(action for action in actions if action is not Action.SPLIT)
    return Cell(chance, seen, hand, _chosen(seen, hand, actions), pair, insured=insured)


def _chosen(seen: Sight, hand: Composition, actions: Collection[Action]) -> Way:
    """The way that the plan takes, or the one that wins most; of equals the first."""
    if seen.plan is None:
        return max((way(seen, hand, action) for action in actions), key=_won)
    return way(seen, hand, seen.plan(cards_of(hand), CARDS[seen.facing.up], actions))


def _won(found: Way) -> float:
    return found.won


def blackjack_ways(seen: Sight, hand: Composition) -> tuple[Way, ...]:
    """What a Blackjack wins that stands, and against an ace what it wins when it is paid evenly."""
    pays = float(seen.facing.rules.blackjack_pays)
    waits = Way(Action.STAND, 1.0, pays * (1.0 - seen.dealer_blackjack(hand)))
    return (waits, Way(Action.EVEN_MONEY, 1.0, 1.0)) if seen.facing.up == ACE else (waits,)


def _of_blackjack(seen: Sight, taken: Way) -> Moments:
    if taken.action is Action.EVEN_MONEY:
        return single(1.0, 1.0)
    return single(taken.won, taken.won * float(seen.facing.rules.blackjack_pays))


def insurance(seen: Sight, hand: Composition) -> float:
    """What an insurance wins on average, for each unit of the bet that it insures."""
    rules, likely = seen.facing.rules, seen.dealer_blackjack(hand)
    return float(rules.insurance_share) * (float(rules.insurance_pays + 1) * likely - 1.0)


def _insured(seen: Sight, hand: Composition, own: Moments) -> Moments:
    """The moments with an insurance besides; a dealer's Blackjack takes every other stake (BJ4)."""
    assert own.staked_staked == own.staked**2, "what is insured has a stake that is known"
    rules, likely = seen.facing.rules, seen.dealer_blackjack(hand)
    share, pays = float(rules.insurance_share), float(rules.insurance_pays)
    won, lost = insurance(seen, hand), -own.staked * likely
    product = share * (pays * lost - (own.won - lost))
    return Moments(
        staked=own.staked + share,
        won=own.won + won,
        staked_staked=(own.staked + share) ** 2,
        staked_won=(own.staked + share) * (own.won + won),
        won_won=own.won_won + 2 * product + share**2 * (pays**2 * likely + 1.0 - likely),
    )


def _total(seen: Sight, hand: Composition) -> int:
    return int(seen.hands.total[seen.hands.places[hand]])


def _two_cards(left: Composition) -> Iterator[tuple[Composition, Fraction]]:
    """Two cards in whatever order, and how likely they come from what is left."""
    deals = sum(left) * (sum(left) - 1)
    for low in VALUES:
        for high in VALUES[low:]:
            orders = left[low] * (left[low] - 1) if low == high else 2 * left[low] * left[high]
            if orders:
                yield plus(plus(NOTHING, low), high), Fraction(orders, deals)


def _equal_ranks(facing: Facing) -> Fraction:
    """How likely two tens are of one rank."""
    tens = facing.left[_TEN_PLACE]
    gone = facing.up == _TEN_PLACE
    each = (tens + gone) // _TEN_RANKS
    ranks = [each - gone, *[each] * (_TEN_RANKS - 1)]
    return Fraction(sum(rank * (rank - 1) for rank in ranks), tens * (tens - 1))
