"""What each action that a hand may take stakes and wins, when the best play goes on from there."""

from collections.abc import Sequence

from games.blackjack.cells import blackjack_ways, insurance
from games.blackjack.compositions import full_shoe, of_cards, without
from games.blackjack.hand import BLACKJACK, total, value
from games.blackjack.playing import Facing
from games.blackjack.round import Action
from games.blackjack.sheet import Sheet
from games.blackjack.siblings import together
from games.blackjack.ways import Sight, Way, pair_of, sight, way
from games.cards import Card


def ways_of(
    sheet: Sheet, cards: Sequence[Card], dealer: Card, allowed: Sequence[Action], *, first: bool
) -> tuple[Way, ...]:
    """The value of each allowed action, the best one first and of equals as they are named.

    The hands of a split are played with all that is seen of both. An insurance comes with the best
    of the other actions.
    """
    up = value(dealer) - 1
    left = without(full_shoe(sheet.decks), up)
    seen = sight(
        Facing(sheet.rules, up, left if first else without(left, value(cards[0]) - 1)), None
    )
    if first and total(cards) == BLACKJACK:
        return _sorted(blackjack_ways(seen, of_cards(cards)))
    found = [_way(seen, cards, each) for each in allowed if each is not Action.INSURANCE]
    if Action.INSURANCE in allowed:
        best, more = _sorted(found)[0], insurance(seen, of_cards(cards))
        staked = best.staked + float(sheet.rules.insurance_share)
        found.append(Way(Action.INSURANCE, staked, best.won + more))
    return _sorted(found)


def _way(seen: Sight, cards: Sequence[Card], action: Action) -> Way:
    hand = of_cards(cards)
    found = way(seen, hand, action)
    pair = pair_of(hand) if action is Action.SPLIT else None
    return found if pair is None else Way(action, found.staked, together(seen.facing, pair))


def _sorted(found: Sequence[Way]) -> tuple[Way, ...]:
    return tuple(sorted(found, key=lambda each: each.won, reverse=True))
