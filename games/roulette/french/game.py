"""French roulette as the registry holds it."""

from typing import Final

from games.engine import Game, Return
from games.roulette.french.audit import audit
from games.roulette.french.engine import FrenchEngine
from games.roulette.french.moves import (
    FrenchBets,
    FrenchCollect,
    FrenchLeft,
    FrenchPrison,
    FrenchReplay,
)
from games.roulette.french.quote import quote
from games.roulette.french.rtp import returns_of
from games.roulette.french.screen import screen
from games.roulette.french.sheet import Sheet
from games.roulette.french.watching import WATCH
from games.roulette.french.words import WORDS
from games.roulette.refusals import RouletteCode
from games.sheets import packaged


def returns(sheet: Sheet) -> tuple[Return, ...]:
    """The exact return of each kind of bet, simple chances by what is done in prison."""
    return returns_of(sheet.pays, sheet.prison)


FRENCH_ROULETTE: Final = Game(
    engine=FrenchEngine(),
    details=(FrenchBets, FrenchReplay, FrenchPrison, FrenchCollect, FrenchLeft),
    sheets=packaged("games.roulette", "french-roulette/1"),
    codes=RouletteCode,
    quote=quote,
    audit=audit,
    returns=returns,
    screen=screen,
    words=WORDS,
    watch=WATCH,
)
