"""A table to try roulette by account type at: sheets with changed rules, rounds without a book."""

import copy
from dataclasses import replace
from uuid import UUID

import orjson

from games.registry import SHEETS
from games.roulette.fairplay.bets import FairPlaySpin
from games.roulette.fairplay.engine import FairPlayEngine
from games.roulette.fairplay.quote import quote
from ledger.domain.decider import RoundView
from ledger.domain.events import RoundOpened, Sealed, SeriesNumber, SheetRef
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Refusal
from ledger.domain.sheets import canonical, text_hash
from tests.roulette_table import ROUND

ENGINE = FairPlayEngine()
FAIRPLAY = SHEETS["roulette-fairplay"].text

TABLE = {
    "straight": ((1, 5), (1, 10), (5, 50)),
    "split": ((1, 10), (1, 20), (10, 100)),
    "street": ((1, 20), (5, 50), (10, 150)),
    "corner": ((1, 20), (5, 50), (20, 200)),
    "six-line": ((1, 20), (5, 100), (20, 500)),
    "column": ((1, 50), (5, 200), (50, 1000)),
    "dozen": ((1, 50), (5, 200), (50, 1000)),
    "low-high": ((1, 50), (5, 300), (50, 1500)),
    "even-odd": ((1, 50), (5, 300), (50, 1500)),
    "red-black": ((1, 50), (5, 300), (50, 1500)),
}
"""The limits of the rules' table for the sum on a position, in roubles: LITE, RESPECT, VIP."""

GROUPS = {
    "inside": ((1, 100), (1, 200), (5, 1000)),
    "outside": ((1, 200), (5, 1000), (20, 3000)),
}
"""The limits for a group's sum, likewise."""

ACCOUNTS = ("LITE", "RESPECT", "VIP")


def roubles(amount):
    """Whole roubles as a document writes them."""
    return format_amount(100 * amount)


def changed(change, text=FAIRPLAY):
    """The text of the sheet after `change` has worked on its document."""
    document = copy.deepcopy(orjson.loads(text))
    change(document)
    return canonical(document)


def with_game(**rules):
    """The sheet with other values in its game part."""
    return changed(lambda document: document["game"].update(rules))


def with_first_four():
    """The sheet of a table that takes the first four too."""
    return changed(lambda document: document["game"]["pays"].update({"first-four": 8}))


def opened(move, account="VIP", text=FAIRPLAY, *, limits=None, offset=None):
    """The view of a round just opened; with an offset its number comes from a series."""
    ref = SheetRef(sheet="roulette-fairplay", version=1, hash=text_hash(text))
    event = RoundOpened(
        round=ROUND,
        game="roulette-fairplay",
        rules=ref,
        currency=Currency.RUR,
        move=move,
        account=account,
        own_limits=None if limits is None else canonical(limits),
        series=None if offset is None else number_of(offset),
    )
    return RoundView(ROUND, ref, Currency.RUR, ENGINE.read_sheet(text), (event,))


def number_of(offset):
    """The first number of a series, moved on by an offset."""
    sealed = Sealed(series=UUID(int=9), place=1, ciphertext="AAAA")
    return SeriesNumber(place=1, offset=offset, client="2D", sealed=sealed)


def place(bets, account="VIP", text=FAIRPLAY, **held):
    """What the engine proposes for bets in a fresh round."""
    move = ENGINE.parse({"bets": bets})
    if isinstance(move, Refusal):
        return move
    return ENGINE.decide(opened(move, account, text, **held), move, None)


def with_bets(bets, account="VIP", text=FAIRPLAY, **held):
    """The view of a round in which these bets lie."""
    move = ENGINE.parse({"bets": bets})
    view = opened(move, account, text, **held)
    placed = ENGINE.decide(view, move, None)
    assert isinstance(placed, tuple), placed
    return replace(view, history=(*view.history, *placed))


def spin(view, pool=None):
    """What a spin brings about with the bytes that its number is mapped from."""
    return ENGINE.decide(view, FairPlaySpin(), pool)


def ask(text=FAIRPLAY, **document):
    """The answer of quote to a document."""
    return quote(ENGINE, text, document)


def code_of(answer):
    """The code of what was refused, by the engine or by quote."""
    if isinstance(answer, Refusal):
        return answer.code
    assert {"accepted", "refusal"} == set(answer)
    assert answer["accepted"] is False
    return answer["refusal"]["code"]
