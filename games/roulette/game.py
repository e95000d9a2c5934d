"""Roulette as the registry holds it."""

from typing import Final

from games.engine import Game, Return
from games.roulette.audit import audit
from games.roulette.bets import RouletteBets, Spin
from games.roulette.engine import RouletteEngine
from games.roulette.layout import RouletteBet
from games.roulette.quote import quote
from games.roulette.refusals import RouletteCode
from games.roulette.rtp import returns_of
from games.roulette.sheet import Sheet
from games.roulette.watching import WATCH
from games.roulette.wheel import WheelOutcome
from games.roulette.words import WORDS
from games.sheets import packaged


def returns(sheet: Sheet) -> tuple[Return, ...]:
    """The exact return of each kind of bet that a sheet offers."""
    return returns_of(sheet.pays)


ROULETTE: Final = Game(
    engine=RouletteEngine(),
    details=(RouletteBets, Spin, RouletteBet, WheelOutcome),
    sheets=packaged("games.roulette", "roulette/1"),
    codes=RouletteCode,
    quote=quote,
    audit=audit,
    returns=returns,
    words=WORDS,
    watch=WATCH,
)
