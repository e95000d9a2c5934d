"""What a player sees of a round of French roulette in play (rulings C7)."""

from collections.abc import Mapping
from typing import Any

from games.roulette.french.names import name_of
from games.roulette.french.prison import Choice, Prisoner, worth
from games.roulette.french.sheet import Sheet
from games.roulette.french.table import Lying, table_of
from ledger.domain.decider import RoundView
from ledger.domain.money import format_amount


def screen(view: RoundView) -> dict[str, Any]:
    """The bets that lie; else what is in prison, what is held, and what plays on; what may be done.

    What is held is told where something is.
    """
    table = table_of(view)
    held = {"held": format_amount(table.win)} if table.win else {}
    if table.awaits_outcome:
        return {"bets": _shown_bets(view.sheet, table.bets), **held, "may": ["withdraw"]}
    prison = [_shown_prisoner(view.sheet, bet, each) for bet, each in table.prisoners.items()]
    if not held:
        return {"prison": prison, "may": list(Choice)}
    left = {"left": _shown_bets(view.sheet, table.left)}
    may = [*(Choice if prison else ()), "collect"]
    return {"prison": prison, **held, **left, "may": may}


def _shown_bets(sheet: Sheet, bets: Mapping[int, Lying]) -> list[dict[str, Any]]:
    return [
        {
            "bet": bet,
            "name": name_of(sheet.names, lying.placement).it,
            "amount": format_amount(lying.amount),
        }
        for bet, lying in bets.items()
    ]


def _shown_prisoner(sheet: Sheet, bet: int, held: Prisoner) -> dict[str, Any]:
    return {
        "bet": bet,
        "chance": held.chance,
        "amount": format_amount(held.stake),
        "level": held.level,
        "worth": format_amount(worth(sheet.prison, held)),
    }
