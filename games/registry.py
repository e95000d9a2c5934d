"""The one place that names the games: a new game is one line here."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from games.auditing import Audit
from games.blackjack.game import LIVE_BLACKJACK
from games.deuces_wild.game import DEUCES_WILD
from games.engine import Agrees, Game, precedence
from games.roulette.fairplay.game import ROULETTE_FAIRPLAY
from games.roulette.french.game import FRENCH_ROULETTE
from games.roulette.game import ROULETTE
from games.sheets import SheetFile
from games.words import Told, plainly
from ledger.domain.decider import Engine
from ledger.domain.events import Details
from ledger.domain.refusals import Code

GAMES: Final[tuple[Game, ...]] = (
    ROULETTE,
    ROULETTE_FAIRPLAY,
    DEUCES_WILD,
    FRENCH_ROULETTE,
    LIVE_BLACKJACK,
)  # fmt: skip

BY_ENGINE: Final[Mapping[str, Game]] = MappingProxyType({game.name: game for game in GAMES})
"""Games by `<game>/<version>`, as a sheet names its engine."""

ENGINES: Final[Mapping[str, Engine]] = MappingProxyType(
    {name: game.engine for name, game in BY_ENGINE.items()}
)

AUDITS: Final[Mapping[str, Audit]] = MappingProxyType(
    {name: game.audit for name, game in BY_ENGINE.items() if game.audit is not None}
)
"""The second method of each game that has one, by the engine whose rounds it settles anew."""

DETAILS: Final[tuple[type[Details], ...]] = tuple(
    details for game in GAMES for details in game.details
)
"""All games' types of bets, moves and outcomes; their `type` names are unique."""

SECRETS: Final[Mapping[str, Agrees]] = MappingProxyType(
    {game.engine.game: game.agrees for game in GAMES if game.agrees is not None}
)
"""How the secret of a FairPlay series is read, by the name of the game."""

PACKAGED: Final[tuple[SheetFile, ...]] = tuple(sheet for game in GAMES for sheet in game.sheets)
"""Every packaged version of every sheet to be played, oldest first: so a book publishes them."""

SHEETS: Final[Mapping[str, SheetFile]] = MappingProxyType({s.sheet: s for s in PACKAGED})
"""The newest packaged version of each sheet, by id."""

REFUSALS: Final[tuple[StrEnum, ...]] = tuple(
    code for codes in dict.fromkeys(game.codes for game in GAMES) for code in codes
)
"""The games' own refusal codes, by precedence within each game; shared ones stand once."""

RANKED: Final[tuple[StrEnum, ...]] = tuple(
    sorted((*Code, *REFUSALS), key=lambda code: precedence(code)[0])
)
"""Every refusal code by precedence; the games' stand one game after another, as none meet."""


_WORDS: Final = MappingProxyType({t: tell for game in GAMES for t, tell in game.words.items()})
"""How details are told, by their type."""


def told(details: Details) -> Told:
    """What is said of a game's details, and their drawing."""
    return _WORDS.get(type(details), plainly)(details)


def account_types() -> tuple[str, ...]:
    """Every account type by which the limits of some packaged sheet differ."""
    named = ((BY_ENGINE[sheet.engine], sheet) for sheet in SHEETS.values())
    found = (game.accounts(game.engine.read_sheet(sheet.text)) for game, sheet in named)
    return tuple(dict.fromkeys(account for accounts in found for account in accounts))
