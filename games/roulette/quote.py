"""Judge a round without recording it: how a dispute handler checks a payout.

Nothing is decided here. The document is parsed, the bets go through the session's own `step`, and
the pocket is settled by the function that a spin settles by.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.documents import malformed, read_amount, refused
from games.engine import foremost
from games.quoting import Player, begin
from games.roulette.round import settle
from games.roulette.wheel import POCKETS
from ledger.domain.decider import Engine, RoundEvents
from ledger.domain.events import BetPlaced, PayoutCredited, RoundSettled
from ledger.domain.money import AMOUNT_MAX, format_amount
from ledger.domain.refusals import Refusal

_OWN: Final = frozenset({"outcome", "posta"})
_NO_MONEY: Final = ("0", "0.0", "0.00")


def quote(engine: Engine, sheet_text: str, document: object) -> dict[str, Any]:
    """Answer `{"bets": [..], "outcome": 0..36}`, with an optional `"posta"` that must cover it.

    Raises `SheetError` when `sheet_text` is no sheet of the engine; never for a document.
    """
    if not isinstance(document, dict):
        return refused(malformed('Write one object: {"bets": [..], "outcome": 17}.'))
    outcome = document.get("outcome")
    if type(outcome) is not int or outcome not in POCKETS:
        return refused(malformed('"outcome" must be a whole number from 0 to 36.'))
    move = engine.parse({key: value for key, value in document.items() if key not in _OWN})
    posta = read_posta(document)
    if isinstance(move, Refusal) or isinstance(posta, Refusal):
        wrong = foremost(x for x in (move, posta) if isinstance(x, Refusal))
        assert wrong is not None
        return refused(wrong)
    view = begin(engine, sheet_text, move, Player(posta))
    if isinstance(view, Refusal):
        return refused(view)
    return told((*view.history, *settle(view, outcome)))


def read_posta(document: Mapping[str, object]) -> int | Refusal:
    """The posta in minor units that must cover the bets; without one, all that there may be."""
    if "posta" not in document:
        return AMOUNT_MAX
    value = document["posta"]
    if value in _NO_MONEY:
        return 0
    return read_amount(value, '"posta"')


def told(events: RoundEvents) -> dict[str, Any]:
    """The answer for a whole round, by its events."""
    settled = events[-1]
    assert isinstance(settled, RoundSettled)
    credited = {
        e.bet: e.winnings + e.stake_returned for e in events if isinstance(e, PayoutCredited)
    }
    return {
        "accepted": True,
        "staked": format_amount(settled.staked),
        "winnings": format_amount(settled.winnings),
        "stake_returned": format_amount(settled.stake_returned),
        "credited": format_amount(settled.winnings + settled.stake_returned),
        "bets": [
            {
                "kind": e.details.kind.value,
                "numbers": list(e.details.numbers),
                "amount": format_amount(e.amount),
                "credited": format_amount(credited.get(e.bet, 0)),
            }
            for e in events
            if isinstance(e, BetPlaced)
        ],
    }
