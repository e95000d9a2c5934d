"""Seconds that the exact returns of Deuces Wild take, and hands a second that play can name."""

import time
from random import Random
from typing import Final

from games import registry
from games.cards import DECK
from games.deuces_wild import enumeration, perfect
from games.deuces_wild.hand import HAND_SIZE, category
from games.deuces_wild.sheet import read_sheet
from ops.benchmarks.lines import Aim, Line, spread


def measure(turns: int, hands: int) -> list[Line]:
    """Enumerate perfect play once, then name seeded hands again and again."""
    return [_study(), _name(turns, hands)]


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


_SECONDS: Final = 30
_SEED: Final = 15
