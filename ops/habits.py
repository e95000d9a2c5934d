"""How simulated players play, by game: each habit writes the documents that a client would send.

The dice here are the players' whims, seeded so that a run can be repeated; draws never are.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from games.blackjack.round import Action
from games.blackjack.strategy import printed
from games.deuces_wild.hand import DEUCE, HAND_SIZE
from games.deuces_wild.perfect import best_hold
from games.deuces_wild.table import FACE_DOWN
from games.roulette.fairplay.limits import Row
from ledger.domain.money import format_amount


@dataclass(frozen=True, slots=True)
class Whim:
    """A player's dice, and the published rules of the table as the engine reads them."""

    dice: random.Random
    sheet: Any


Document = dict[str, Any]
Screen = Mapping[str, Any]
"""What the player sees of a round in play; a habit knows nothing else of it."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How a player bets, and moves on where a round waits for it."""

    bet: Callable[[Whim], Document]
    move: Callable[[Whim, Screen], Document] | None = None
    """None where a round ends by the rules alone once the bets are placed."""
    account: str | None = None
    """The account type that the player needs; None where a table asks for none."""


# --- roulette ------------------------------------------------------------------------------------


def _amount(whim: Whim, chips_max: int) -> str:
    """Some chips of the smallest value."""
    return format_amount(_chip(whim) * whim.dice.randint(1, chips_max))


def _chip(whim: Whim) -> int:
    chip: int = whim.sheet.chips.values[0]
    return chip


def _singles(whim: Whim) -> Document:
    numbers = whim.dice.sample(range(37), 3)
    return {"bets": [{"numbers": [n], "amount": _amount(whim, 4)} for n in numbers]}


def _splits(whim: Whim) -> Document:
    first = whim.dice.randint(1, 33)
    pairs = [[first, first + 3], [0, whim.dice.choice([1, 2, 3])]]
    return {"bets": [{"numbers": pair, "amount": _amount(whim, 4)} for pair in pairs]}


def _quick(whim: Whim) -> Document:
    name = whim.dice.choice(["voisins", "serie", "orphelins"])
    return {"bets": [{"announced": name, "chip": format_amount(_chip(whim))}]}


def _even(whim: Whim) -> Document:
    chance = whim.dice.choice(["red", "black", "even", "odd", "low", "high"])
    dozen = whim.dice.choice([1, 13, 25])
    twelve = list(range(dozen, dozen + 12))
    return {
        "bets": [
            {"chance": chance, "amount": _amount(whim, 8)},
            {"numbers": twelve, "amount": _amount(whim, 4)},
        ]
    }


def _careless(whim: Whim) -> Document:
    """Mostly an odd bet, now and then one that the table must refuse."""
    wrong = [{"numbers": [0, 4], "amount": _amount(whim, 1)}, {"chance": "red", "amount": "0.10"}]
    right = {"numbers": [1, 2, 3, 4, 5, 6], "amount": _amount(whim, 3)}
    return {"bets": [whim.dice.choice(wrong) if whim.dice.random() < 0.1 else right]}  # noqa: PLR2004 - one in ten


# --- roulette by account type --------------------------------------------------------------------


def _sum(whim: Whim, account: str, row: Row) -> str:
    """What the account type may lay on a position: whole roubles, near the least."""
    bounds = whim.sheet.accounts[account].limits.positions[row]
    least, most = bounds.min // 100, min(bounds.max, 4 * bounds.min) // 100
    return format_amount(100 * whim.dice.randint(least, most))


def _small(whim: Whim) -> Document:
    number, chance = whim.dice.randrange(37), whim.dice.choice(["red", "odd", "high"])
    return {
        "bets": [
            {"numbers": [number], "amount": _sum(whim, "LITE", Row.STRAIGHT)},
            {"chance": chance, "amount": _sum(whim, "LITE", Row.RED_BLACK)},
        ]
    }


def _around(whim: Whim) -> Document:
    chip = _sum(whim, "RESPECT", Row.STRAIGHT)
    return {"bets": [{"neighbours": whim.dice.randrange(37), "chip": chip}]}


def _sectors(whim: Whim) -> Document:
    """A sector, or now and then a spin without a bet."""
    if whim.dice.random() < 0.1:  # noqa: PLR2004 - one in ten
        return {"bets": []}
    name = whim.dice.choice(["zero-spiel", "voisins", "orphelins", "serie"])
    return {"bets": [{"announced": name, "chip": _sum(whim, "VIP", Row.SPLIT)}]}


def _too_little(whim: Whim) -> Document:
    """Mostly what LITE takes, now and then too little of it."""
    amount = "0.50" if whim.dice.random() < 0.1 else "1.00"  # noqa: PLR2004 - one in ten
    return {"bets": [{"numbers": [whim.dice.randrange(37)], "amount": amount}]}


_BY_ACCOUNT: Final = (
    Habit(_small, account="LITE"),
    Habit(_around, account="RESPECT"),
    Habit(_sectors, account="VIP"),
    Habit(_too_little, account="LITE"),
)

# --- French roulette -----------------------------------------------------------------------------


def _least(whim: Whim, most: int = 1) -> str:
    """Some times the least that may lie on a position."""
    return format_amount(whim.sheet.limits.min * whim.dice.randint(1, most))


def _call(whim: Whim) -> Document:
    name = whim.dice.choice(sorted(whim.sheet.announced))
    line = {"announced": name, "chip": _least(whim), "repeated_by": "croupier"}
    return {"bets": [line, {"numbers": [0], "amount": _least(whim)}]}


def _sector(whim: Whim) -> Document:
    final = list(whim.dice.choice(sorted(whim.sheet.finals)))
    return {
        "bets": [
            {"announced": "sector", "number": whim.dice.randint(0, 36), "chip": _least(whim)},
            {"announced": "final", "digits": final, "chip": _least(whim)},
        ]
    }


def _chances(whim: Whim) -> Document:
    two = whim.dice.sample(_CHANCES, 2)
    return {"bets": [{"chance": each, "amount": _least(whim, 8)} for each in two]}


def _below_minimum(whim: Whim) -> Document:
    """Four bets, now and then one below the minimum, which the table must refuse."""
    amount = "0.01" if whim.dice.random() < 0.1 else _least(whim, 3)  # noqa: PLR2004 - one in ten
    numbers = whim.dice.sample(range(37), 3)
    straights = [{"numbers": [n], "amount": _least(whim)} for n in numbers]
    return {"bets": [*straights, {"chance": "red", "amount": amount}]}


_CHANCES: Final = ("red", "black", "even", "odd", "low", "high")


def _prisoner(whim: Whim, screen: Screen) -> Document:
    """Each stake in prison withdrawn, left or moved, as the player likes."""
    return {"prison": [_disposed(whim, held) for held in screen["prison"]]}


def _disposed(whim: Whim, held: Screen) -> Document:
    choice = {"bet": held["bet"], "choice": whim.dice.choice(["withdraw", "leave", "move"])}
    others = [chance for chance in _CHANCES if chance != held["chance"]]
    moved = choice["choice"] == "move"
    return choice | ({"to": whim.dice.choice(others)} if moved else {})


_AT_A_TABLE: Final = tuple(
    Habit(bet, _prisoner) for bet in (_chances, _call, _sector, _below_minimum)
)

# --- Deuces Wild ---------------------------------------------------------------------------------


def _all_coins(whim: Whim) -> Document:
    """As many coins as the machine takes, for which it pays best."""
    return {"coins": whim.sheet.coins_max, "coin": _coin(whim)}


def _some_coins(whim: Whim) -> Document:
    return {"coins": whim.dice.randint(1, whim.sheet.coins_max), "coin": _coin(whim)}


def _careless_coins(whim: Whim) -> Document:
    """Now and then one coin more than the machine takes."""
    if whim.dice.random() < 0.1:  # noqa: PLR2004 - one in ten
        return {"coins": whim.sheet.coins_max + 1, "coin": _coin(whim)}
    return _some_coins(whim)


def _coin(whim: Whim) -> str:
    return format_amount(whim.dice.choice(whim.sheet.coin_values[:3]))


Hold = Callable[[Whim, Screen], list[int]]
Offer = Callable[[Whim, Screen], str]
"""What to do with a win, of what the screen offers."""


def _machine(hold: Hold, choose: Offer) -> Callable[[Whim, Screen], Document]:
    """The further moves of a player who holds and treats wins in these ways."""

    def move(whim: Whim, screen: Screen) -> Document:
        if "hold" in screen["may"]:
            return {"hold": hold(whim, screen)}
        if "pick" in screen["may"]:
            return {"pick": whim.dice.randint(1, FACE_DOWN)}
        return _TAKES[choose(whim, screen)]

    return move


_TAKES: Final[Mapping[str, Document]] = {
    "collect": {"collect": True},
    "double-up": {"double_up": {"half": False}},
    "half double-up": {"double_up": {"half": True}},
}


def _best(whim: Whim, screen: Screen) -> list[int]:
    """The best hold with all coins."""
    return list(best_hold(whim.sheet, whim.sheet.coins_max, screen["cards"]))


def _pairs(_: Whim, screen: Screen) -> list[int]:
    """Deuces and pairs, and nothing of straights and flushes."""
    ranks = [card[0] for card in screen["cards"]]
    alike = Counter(ranks)
    return [at for at, rank in enumerate(ranks, 1) if rank == DEUCE or alike[rank] > 1]


def _any_cards(whim: Whim, _: Screen) -> list[int]:
    return [at for at in range(1, HAND_SIZE + 1) if whim.dice.random() < 0.5]  # noqa: PLR2004 - a coin's toss


def _whatever(whim: Whim, screen: Screen) -> str:
    offered: str = whim.dice.choice(screen["may"])
    return offered


def _half_once_more(_: Whim, screen: Screen) -> str:
    """Half of a win again and again, for as long as it is offered."""
    return "half double-up" if "half double-up" in screen["may"] else "collect"


def _all_or_nothing(_: Whim, screen: Screen) -> str:
    """All of a win again and again, for as long as it is offered."""
    return "double-up" if "double-up" in screen["may"] else "collect"


_PERFECT: Final = (Habit(_all_coins, _machine(_best, _whatever)),)
_POOR: Final = (
    Habit(_some_coins, _machine(_pairs, _half_once_more)),
    Habit(_careless_coins, _machine(_any_cards, _all_or_nothing)),
)

# --- Live Blackjack ------------------------------------------------------------------------------


def _box_bet(whim: Whim) -> Document:
    """One to five times 5.00, or what the table takes at least."""
    amount = max(500, whim.sheet.limits.min) * whim.dice.randint(1, 5)
    return {"bet": format_amount(min(amount, whim.sheet.limits.max))}


def _careless_bet(whim: Whim) -> Document:
    """Now and then nothing, which no box takes."""
    return {"bet": "0.00"} if whim.dice.random() < 0.1 else _box_bet(whim)  # noqa: PLR2004 - one in ten


def _by_print(_: Whim, screen: Screen) -> Document:
    """The strategy that the rules print."""
    turn = screen["turn"]
    box = next(box for box in screen["boxes"] if box["seat"] == turn["seat"])
    cards, up = box["hands"][turn["hand"] - 1]["cards"], screen["dealer"]["cards"][0]
    return {"action": printed(cards, up, [Action(name) for name in turn["may"]]).value}


def _any_action(whim: Whim, screen: Screen) -> Document:
    return {"action": whim.dice.choice(screen["turn"]["may"])}


_PRINTED: Final = (Habit(_box_bet, _by_print),)
_CARELESS: Final = (Habit(_careless_bet, _any_action),)

# --- all games -----------------------------------------------------------------------------------

MIXED: Final = "mixed"
"""The strategy that every game has: its players' habits in turn."""

HABITS: Final[Mapping[str, Mapping[str, tuple[Habit, ...]]]] = MappingProxyType(
    {
        "roulette": {MIXED: tuple(map(Habit, (_singles, _splits, _quick, _even, _careless)))},
        "roulette-fairplay": {MIXED: _BY_ACCOUNT},
        "french-roulette": {MIXED: _AT_A_TABLE},
        "live-blackjack": {MIXED: _PRINTED * 2 + _CARELESS, "printed": _PRINTED},
        "deuces-wild": {MIXED: _PERFECT + _POOR, "perfect": _PERFECT, "poor": _POOR},
    }
)
"""Habits by the name of the game and of a strategy; players take them in turn."""
