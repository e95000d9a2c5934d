"""Best play as it is asked for from outside: the study of a pay table, and advice on a dealt hand.

Only here the arrays are loaded, and only when an answer needs them: what plays or judges a round
reaches the game too, and must not wait for them.
"""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from games.cards import Card, read_cards
from games.deuces_wild.hand import HAND_SIZE, category, proposed_hold
from games.deuces_wild.quote import begun
from games.deuces_wild.round import coins_not_offered
from games.deuces_wild.sheet import Sheet
from games.deuces_wild.table import table_of
from games.documents import malformed
from games.engine import Options, Progress, Study, decimal_of, ratio_of
from ledger.domain.decider import Engine, RoundView
from ledger.domain.money import MINOR_PER_MAJOR, format_amount
from ledger.domain.refusals import Refusal

if TYPE_CHECKING:
    from games.deuces_wild.perfect import Advice

COINS_PLACES: Final = 6
"""Decimal places of a value in coins, beside its fraction."""
AMOUNT_PLACES: Final = 4
"""Decimal places of an average amount: hundredths of the minor unit."""


def study(sheet: Sheet, options: Options, progress: Progress) -> Study | Refusal:
    """Enumerate perfect play with the number of coins that the option `coins` names."""
    told = options.get("coins", "")
    if set(options) != {"coins"} or _NUMBER.fullmatch(told) is None:
        return malformed("Give the number of coins as a whole number from 1, such as 5.")
    if int(told) > sheet.coins_max:
        return coins_not_offered(sheet)
    from games.deuces_wild import perfect  # noqa: PLC0415 - loads the arrays

    return perfect.study(sheet, int(told), progress)


def advise(engine: Engine, sheet_text: str, document: object) -> dict[str, Any] | Refusal:
    """Tell what each of the 32 ways to hold a dealt hand pays on average, the best one first.

    With the value of a coin the answer says it as an amount too. Coins that the sheet does not
    offer are refused as in play.
    """
    if not isinstance(document, dict) or set(document) not in _FORMS:
        return malformed(_HOW)
    five = read_cards(document["hand"], '"hand"', HAND_SIZE)
    if isinstance(five, Refusal):
        return five
    any_coin = format_amount(engine.read_sheet(sheet_text).coin_values[0])
    view = begun(engine, sheet_text, {"coin": any_coin} | document)
    if isinstance(view, Refusal):
        return view
    return _advised(view, five, in_amounts="coin" in document)


def _advised(view: RoundView, five: tuple[Card, ...], *, in_amounts: bool) -> dict[str, Any]:
    from games.deuces_wild import perfect  # noqa: PLC0415 - loads the arrays

    bet = table_of(view).bet
    assert bet is not None
    ways = perfect.advise(view.sheet, bet.coins, five)
    coin = {"coin": format_amount(bet.coin), "currency": view.currency.value} if in_amounts else {}
    return {
        "accepted": True,
        "hand": list(five),
        "category": category(five).value,
        "coins": bet.coins,
        **coin,
        "unit": "coins paid on average for all coins played, the stake among them",
        "proposed_hold": list(proposed_hold(five)),
        "best_hold": list(ways[0].hold),
        "ways": [_way(way, five, bet.coin if in_amounts else None) for way in ways],
    }


def _way(way: "Advice", five: tuple[Card, ...], coin: int | None) -> dict[str, Any]:
    told = {
        "hold": list(way.hold),
        "cards": [five[place - 1] for place in way.hold],
        "fraction": ratio_of(way.value),
        "decimal": decimal_of(way.value, COINS_PLACES),
    }
    return told if coin is None else told | {"amount": _amount(way.value * coin)}


def _amount(minor: Fraction) -> str:
    return decimal_of(minor / MINOR_PER_MAJOR, AMOUNT_PLACES)


_NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")

_FORMS: Final = (frozenset({"coins", "hand"}), frozenset({"coins", "coin", "hand"}))

_HOW: Final = 'Write {"coins": 5, "hand": [five cards]}, and "coin": "0.25" for amounts too.'
