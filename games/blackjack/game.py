"""Live Blackjack as the registry holds it."""

from typing import Final

from games.blackjack.audit import audit
from games.blackjack.best import advise, study
from games.blackjack.deal import table_screen
from games.blackjack.engine import BlackjackEngine
from games.blackjack.moves import (
    BlackjackBet,
    BlackjackCard,
    BlackjackCut,
    BlackjackMove,
    BlackjackOutcome,
    BlackjackSeen,
    BlackjackStake,
)
from games.blackjack.play import screen
from games.blackjack.quote import quote
from games.blackjack.refusals import BlackjackCode
from games.blackjack.rtp import returns_of
from games.blackjack.watching import WATCH
from games.blackjack.words import WORDS
from games.engine import Game
from games.sheets import packaged

LIVE_BLACKJACK: Final = Game(
    engine=BlackjackEngine(),
    details=(
        BlackjackBet, BlackjackMove, BlackjackStake, BlackjackCard, BlackjackCut, BlackjackSeen,
        BlackjackOutcome,
    ),
    sheets=packaged("games.blackjack"),
    codes=BlackjackCode,
    quote=quote,
    audit=audit,
    returns=returns_of,
    watch=WATCH,
    screen=screen,
    cards=table_screen,
    study=study,
    advise=advise,
    words=WORDS,
)  # fmt: skip
