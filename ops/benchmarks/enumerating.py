"""How fast exact returns are: of Deuces Wild, of hands of Blackjack; and hands named in play."""

import time
from random import Random
from typing import Final

from games import registry
from games.blackjack.compositions import VALUES, full_shoe, without
from games.blackjack.game import LIVE_BLACKJACK
from games.blackjack.playing import Facing, ends_of
from games.blackjack.ways import sight
from games.cards import DECK
from games.deuces_wild import enumeration, perfect
from games.deuces_wild.hand import HAND_SIZE, category
from games.deuces_wild.sheet import read_sheet
from ops.benchmarks.lines import Aim, Line, spread


def measure(turns: int, hands: int) -> list[Line]:
    """Enumerate perfect play once, name seeded hands and value those of a shoe again and again."""
    return [_study(), _name(turns, hands), _value(turns)]


def _study() -> Line:
    """Both tables from nothing: of one to four coins, which are one game, and of five."""
    sheet = read_sheet(registry.SHEETS["deuces-wild"].text)
    for kept in (enumeration.all_hands, enumeration.all_categories, enumeration.containing):
        kept.cache_clear()
    perfect.frequencies.cache_clear()
    began = time.perf_counter()
    for coins in (1, sheet.coins_max):
        perfect.study(sheet, coins)
    seconds = spread([time.perf_counter() - began])
    by = "32 looks for each of 2,598,960 deals, one process"
    return Line("perfect play, both tables", "s", seconds, by, aim=Aim(_SECONDS, at_most=True))


def _name(turns: int, hands: int) -> Line:
    dice = Random(_SEED)
    dealt = [dice.sample(DECK, HAND_SIZE) for _ in range(hands)]
    rates = []
    for _ in range(turns):
        began = time.perf_counter()
        for cards in dealt:
            category(cards)
        rates.append(hands / (time.perf_counter() - began))
    by = "one hand after the other, as a round is settled"
    return Line("name hands of Deuces Wild", "hands/s", spread(rates), by)


def _value(turns: int) -> Line:
    """All hands of a box at Blackjack against each card of the dealer, the dealer's draws first."""
    sheet = LIVE_BLACKJACK.engine.read_sheet(LIVE_BLACKJACK.sheets[-1].text)
    shoe = full_shoe(sheet.decks)
    facing = [Facing(sheet.rules, up, without(shoe, up)) for up in VALUES]
    rates = []
    for _ in range(turns):
        for kept in (sight, ends_of):
            kept.cache_clear()
        began = time.perf_counter()
        hands = sum(len(sight(each, None).hands.total) for each in facing)
        rates.append(hands / (time.perf_counter() - began))
    by = "every draw of the dealer and of the best play, one process"
    return Line("value hands of Blackjack", "hands/s", spread(rates), by)


_SECONDS: Final = 30
_SEED: Final = 15
