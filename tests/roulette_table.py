"""A table to try roulette at: sheets with changed rules, and rounds without any session."""

import copy
from dataclasses import replace
from uuid import UUID

import orjson

from games.registry import SHEETS
from games.roulette.bets import RouletteBets
from games.roulette.engine import RouletteEngine
from ledger.domain.decider import RoundView
from ledger.domain.events import RoundOpened, SheetRef
from ledger.domain.money import Currency
from ledger.domain.sheets import canonical, text_hash

ENGINE = RouletteEngine()
CLASSIC = SHEETS["european-roulette-classic"].text
PREMIUM = SHEETS["european-roulette-premium"].text
VIP = SHEETS["european-roulette-vip"].text
ROUND = UUID("0b0e0000-0000-4000-8000-000000000001")


def changed(change, text=CLASSIC):
    """The text of a sheet after `change` has worked on its document."""
    document = copy.deepcopy(orjson.loads(text))
    change(document)
    return canonical(document)


def with_game(**rules):
    """The Classic sheet with other values in its game part."""
    return changed(lambda document: document["game"].update(rules))


NO_BETS = RouletteBets(lines=())
"""The opening move of a round whose bets, if any, are placed by the test itself."""


def opened(text=CLASSIC, move=NO_BETS):
    """The view of a round that was just opened."""
    ref = SheetRef(sheet="table", version=1, hash=text_hash(text))
    event = RoundOpened(round=ROUND, game="roulette", rules=ref, currency=Currency.EUR, move=move)
    return RoundView(ROUND, ref, Currency.EUR, ENGINE.read_sheet(text), (event,))


def after(view, events):
    """The view once these events have happened too."""
    return replace(view, history=(*view.history, *events))


def place(bets, text=CLASSIC):
    """What the engine proposes for a player's bets in a fresh round."""
    return ENGINE.decide(opened(text), ENGINE.parse({"bets": bets}), None)


def with_bets(bets, text=CLASSIC):
    """The view of a round in which these bets lie."""
    return after(opened(text, ENGINE.parse({"bets": bets})), place(bets, text))
