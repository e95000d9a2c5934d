"""Deuces Wild as the registry holds it."""

from typing import Final

from games.deuces_wild.audit import audit
from games.deuces_wild.best import advise, study
from games.deuces_wild.engine import DeucesEngine
from games.deuces_wild.moves import (
    DeucesCards,
    DeucesCollect,
    DeucesDeal,
    DeucesDoubleUp,
    DeucesHold,
    DeucesPick,
    DeucesShow,
)
from games.deuces_wild.quote import quote
from games.deuces_wild.refusals import DeucesCode
from games.deuces_wild.round import screen
from games.deuces_wild.rtp import returns_of
from games.deuces_wild.table import DeucesBet, DeucesDealt, DeucesFinal, DeucesFour, DeucesShown
from games.deuces_wild.watching import WATCH
from games.deuces_wild.words import WORDS
from games.engine import Game
from games.sheets import packaged

DEUCES_WILD: Final = Game(
    engine=DeucesEngine(),
    details=(
        DeucesDeal, DeucesCards, DeucesHold, DeucesDoubleUp, DeucesShow, DeucesPick, DeucesCollect,
        DeucesBet, DeucesDealt, DeucesFinal, DeucesShown, DeucesFour,
    ),
    sheets=packaged("games.deuces_wild"),
    codes=DeucesCode,
    quote=quote,
    audit=audit,
    returns=returns_of,
    watch=WATCH,
    screen=screen,
    study=study,
    advise=advise,
    words=WORDS,
)  # fmt: skip
