"""Moves and outcomes of roulette by account type in words."""

from types import MappingProxyType
from typing import Final

from games.roulette.fairplay.bets import FairPlayBets, FairPlayOutcome, FairPlaySpin
from games.roulette.words import bets, came
from games.words import Told, Words


def _outcome(outcome: FairPlayOutcome) -> Told:
    told = came(outcome.pocket, outcome.colour)
    if not outcome.offset:
        return told
    return Told(
        f"{told.it} (numero {outcome.number}, spostato di {outcome.offset})",
        f"{told.en} (number {outcome.number}, moved on by {outcome.offset})",
        told.drawing,
    )


WORDS: Final[Words] = MappingProxyType(
    {
        FairPlayBets: lambda move: bets(move.lines),
        FairPlaySpin: lambda _: Told("la ruota gira", "the wheel spins"),
        FairPlayOutcome: _outcome,
    }
)
