"""Live Blackjack as the registry holds it."""

from typing import Final

from games.blackjack.best import advise, study
from games.blackjack.engine import BlackjackEngine
from games.blackjack.quote import quote
from games.blackjack.refusals import BlackjackCode
from games.blackjack.rtp import returns_of
from games.engine import Rulebook, SheetReader
from games.sheets import packaged

LIVE_BLACKJACK: Final[Rulebook[SheetReader]] = Rulebook(
    engine=BlackjackEngine(),
    sheets=packaged("games.blackjack"),
    codes=BlackjackCode,
    quote=quote,
    returns=returns_of,
    study=study,
    advise=advise,
)
