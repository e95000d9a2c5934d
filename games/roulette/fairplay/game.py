"""Roulette by account type as the registry holds it."""

from typing import Final

from games.engine import Game, Return
from games.roulette.fairplay.audit import audit
from games.roulette.fairplay.bets import FairPlayBets, FairPlayOutcome, FairPlaySpin
from games.roulette.fairplay.engine import FairPlayEngine
from games.roulette.fairplay.limits import own_text
from games.roulette.fairplay.proof import agrees
from games.roulette.fairplay.quote import quote
from games.roulette.fairplay.sheet import Sheet
from games.roulette.fairplay.words import WORDS
from games.roulette.refusals import RouletteCode
from games.roulette.rtp import returns_of
from games.roulette.watching import WATCH
from games.sheets import packaged


def returns(sheet: Sheet) -> tuple[Return, ...]:
    """The exact return of each kind of bet, which is the same for every account type."""
    return returns_of(sheet.pays)


def accounts(sheet: Sheet) -> tuple[str, ...]:
    """The account types whose limits the sheet has."""
    return tuple(sheet.accounts)


ROULETTE_FAIRPLAY: Final = Game(
    engine=FairPlayEngine(),
    details=(FairPlayBets, FairPlaySpin, FairPlayOutcome),
    sheets=packaged("games.roulette", "roulette-fairplay/1"),
    codes=RouletteCode,
    quote=quote,
    audit=audit,
    returns=returns,
    watch=WATCH,
    accounts=accounts,
    agrees=agrees,
    own_limits=own_text,
    words=WORDS,
)
