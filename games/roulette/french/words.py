"""Moves at a table of French roulette in words."""

from types import MappingProxyType
from typing import Any, Final

from games.roulette.french.bets import FinalLine, SectorLine
from games.roulette.french.finals import digits_text
from games.roulette.french.moves import (
    FrenchBets,
    FrenchCollect,
    FrenchLeft,
    FrenchPrison,
    FrenchReplay,
    PrisonChoice,
)
from games.roulette.french.prison import Choice
from games.roulette.french.replays import Replay
from games.roulette.words import bets, chance, line as shared, with_chips
from games.words import Told, Words, listed

_REPLAYS: Final = MappingProxyType(
    {
        Replay.AGAIN: ("a rifare", "again"),
        Replay.COMPLETE: ("a completare", "to complete"),
        Replay.WHOLE: ("per il tutto", "for the whole"),
    }
)
_CHOICES: Final = MappingProxyType(
    {
        Choice.WITHDRAW: ("ritirata", "withdrawn"),
        Choice.LEAVE: ("lasciata", "left"),
        Choice.MOVE: ("spostata su", "moved to"),
    }
)


def _line(told: Any) -> Told:
    match told:
        case SectorLine():
            return with_chips(
                Told(f"settore del {told.number}", f"sector of {told.number}"), told.chip
            )
        case FinalLine():
            digits = digits_text(told.digits)
            return with_chips(Told(f"finali {digits}", f"finals {digits}"), told.chip)
        case _:
            return shared(told)


def _bets(move: FrenchBets) -> Told:
    gone = ", ".join(map(str, move.withdraw))
    withdrawn = [Told(f"ritira le puntate {gone}", f"withdraws bets {gone}")] if gone else []
    laid = [bets(move.lines, _line)] if move.lines else []
    return listed([*withdrawn, *laid], "nessuna puntata", "no bet")


def _replay(move: FrenchReplay) -> Told:
    (it, en), call = _REPLAYS[move.how], _line(move.line)
    return Told(f"{call.it}, {it} dopo il {move.pocket}", f"{call.en}, {en} after {move.pocket}")


def _choice(choice: PrisonChoice) -> Told:
    it, en = _CHOICES[choice.choice]
    to = Told("", "") if choice.to is None else chance(choice.to)
    return Told(
        f"puntata {choice.bet} {it} {to.it}".rstrip(), f"bet {choice.bet} {en} {to.en}".rstrip()
    )


WORDS: Final[Words] = MappingProxyType(
    {
        FrenchBets: _bets,
        FrenchReplay: _replay,
        FrenchCollect: lambda _: Told("incassa ciò che è accantonato", "collects what is held"),
        FrenchLeft: lambda _: Told("lascia le puntate vinte", "leaves the stakes that won"),
        FrenchPrison: lambda move: listed(
            [_choice(each) for each in move.choices], "nulla da decidere", "nothing to decide"
        ),
    }
)
