"""A table to try French roulette at: its sheet, sheets with changed rules, and bets laid on it."""

from importlib.resources import files

import orjson

from games.roulette.bets import read_lines
from games.roulette.french.bets import FORMS
from games.roulette.french.calls import lay_line
from games.roulette.french.engine import FrenchEngine
from games.roulette.french.quote import quote
from games.roulette.layout import PLACEMENTS
from ledger.domain.sheets import canonical
from tests.roulette_table import changed

FRENCH = canonical(
    orjson.loads((files("games.roulette") / "sheets" / "french-roulette.v1.json").read_bytes())
)
ENGINE = FrenchEngine()
SHEET = ENGINE.read_sheet(FRENCH)
CHANCES = ("red", "black", "even", "odd", "low", "high")
REDS = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
COVERED = {
    "red": REDS,
    "black": set(range(1, 37)) - REDS,
    "even": {n for n in range(1, 37) if str(n)[-1] in "02468"},
    "odd": {n for n in range(1, 37) if str(n)[-1] in "13579"},
    "low": {n for n in range(1, 37) if n <= 18},
    "high": {n for n in range(1, 37) if n >= 19},
}
"""The numbers of each simple chance, as the rules print them."""

BY_NUMBERS = {placement.numbers: placement for placement in PLACEMENTS}


def with_game(**rules):
    """The French sheet with other values in its game part."""
    return changed(lambda document: document["game"].update(rules), FRENCH)


MANUAL = with_game(
    collecting={"mode": "manual", "rounds": dict.fromkeys(("dozen", "column", *CHANCES), 3)}
)
"""French roulette where winnings are collected, and nothing else is different."""


def read(line):
    """One line as the table reads it, or its refusal."""
    lines = read_lines([line], FORMS)
    return lines[0] if isinstance(lines, tuple) else lines


def laid(line, sheet=SHEET):
    """What a line lays: minor units by numbers, or its refusal."""
    stakes = lay_line(sheet, read(line), "Bet 1")
    if not isinstance(stakes, tuple):
        return stakes
    return {bet.numbers: amount for bet, amount in stakes}


def ask(text=FRENCH, **document):
    """What the game's quote answers to a document."""
    return quote(ENGINE, text, document)


def code_of(text=FRENCH, **document):
    """The code with which a document is refused."""
    answer = ask(text, **document)
    assert {"accepted", "refusal"} == set(answer)
    assert answer["accepted"] is False
    return answer["refusal"]["code"]
