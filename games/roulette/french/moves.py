"""The moves at a table of French roulette, and a player's documents (fault S6).

Bets are laid, withdrawn, moved and corrected before the close; an announced bet that won is laid
again; what is in prison is withdrawn, left or moved (rulings FR1, FR6, FR10).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError

from games.documents import malformed, read_amount
from games.engine import foremost
from games.roulette.bets import (
    LINES_MAX,
    AnnouncedLine,
    ChanceLine,
    NumbersLine,
    read_lines,
)
from games.roulette.french.asked import read_replay, sure
from games.roulette.french.bets import FORMS, FinalLine, SectorLine
from games.roulette.french.prison import Choice
from games.roulette.french.replays import Replay
from games.roulette.layout import Chance
from games.roulette.wheel import POCKETS
from ledger.domain.events import Count, Details, Frozen
from ledger.domain.ids import Word
from ledger.domain.money import Amount
from ledger.domain.refusals import Refusal

TableLine = Annotated[
    NumbersLine | ChanceLine | AnnouncedLine | SectorLine | FinalLine,
    Field(union_mode="left_to_right"),
]
Call = Annotated[AnnouncedLine | SectorLine | FinalLine, Field(union_mode="left_to_right")]


class Declared(Frozen):
    """What was said of an announced bet: its whole amount, and who repeated it aloud."""

    line: Count
    """Which line of its move it is, from 1."""
    amount: Amount | None
    """None where the chips alone were named."""
    repeated_by: Word | None


class FrenchBets(Details):
    """Lay these bets and withdraw those: both together move or correct what lies."""

    type: Literal["french-bets"] = "french-bets"
    lines: Annotated[tuple[TableLine, ...], Field(max_length=LINES_MAX)]
    declared: tuple[Declared, ...] = ()
    withdraw: Annotated[tuple[Count, ...], Field(max_length=LINES_MAX)] = ()


class FrenchReplay(Details):
    """Lay an announced bet again that won on a number, out of what it brought."""

    type: Literal["french-replay"] = "french-replay"
    line: Call
    pocket: Annotated[int, Field(ge=POCKETS[0], le=POCKETS[-1])]
    how: Replay


class PrisonChoice(Frozen):
    """What is done with one imprisoned stake before the spin."""

    bet: Count
    choice: Choice
    to: Chance | None = None
    """Where it is moved; None unless it is."""


class FrenchPrison(Details):
    """Withdraw, leave or move what is in prison."""

    type: Literal["french-prison"] = "french-prison"
    choices: Annotated[tuple[PrisonChoice, ...], Field(max_length=LINES_MAX)]


class FrenchCollect(Details):
    """Take what is held into the posta, with the stakes that lie between two rounds."""

    type: Literal["french-collect"] = "french-collect"


class FrenchLeft(Details):
    """Leave the stakes that won as bets of the table's next round, as the rules do."""

    type: Literal["french-left"] = "french-left"


FrenchMove = FrenchBets | FrenchReplay | FrenchPrison | FrenchCollect

_BETS: Final = frozenset({"bets", "withdraw"})
_SAID: Final = frozenset({"declared", "repeated_by"})


def parse(document: object) -> FrenchMove | Refusal:
    """Read bets, a replay, choices for what is in prison, or the collecting of what is held."""
    if not isinstance(document, dict) or not document:
        return malformed(_HOW)
    if "replay" in document:
        return _replay(document)
    if set(document) == {"prison"}:
        return _prison(document["prison"])
    if document == {"collect": True} and document["collect"] is True:
        return FrenchCollect()
    return _bets(document) if set(document) <= _BETS else malformed(_HOW)


def _replay(document: Mapping[str, Any]) -> FrenchReplay | Refusal:
    if "limits" in document:
        return malformed(_HOW)
    asked = read_replay(document)
    if isinstance(asked, Refusal):
        return asked
    return FrenchReplay(line=asked.line, pocket=asked.outcome, how=asked.how)


def _bets(document: Mapping[str, Any]) -> FrenchBets | Refusal:
    told = document.get("bets", [])
    lines = read_lines(_unsaid(told), FORMS)
    declared, withdraw = _all_declared(told), _withdraw(document.get("withdraw", []))
    wrong = foremost(x for x in (lines, declared, withdraw) if isinstance(x, Refusal))
    if wrong is not None:
        return wrong
    return FrenchBets(lines=sure(lines), declared=sure(declared), withdraw=sure(withdraw))


def _unsaid(told: object) -> object:
    """The lines without what was said of announced bets."""
    if not isinstance(told, list):
        return told
    return [_line(line) if _is_call(line) else line for line in told]


def _is_call(line: object) -> bool:
    return isinstance(line, dict) and "announced" in line


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in _SAID}


def _all_declared(told: object) -> tuple[Declared, ...] | Refusal:
    said = [
        _declared(line, at)
        for at, line in enumerate(told if isinstance(told, list) else [], 1)
        if _is_call(line) and _SAID & set(line)
    ]
    wrong = foremost(x for x in said if isinstance(x, Refusal))
    return wrong or tuple(x for x in said if not isinstance(x, Refusal))


def _declared(line: Mapping[str, Any], at: int) -> Declared | Refusal:
    place = f"Bet {at}"
    amount = read_amount(line["declared"], place) if "declared" in line else None
    if isinstance(amount, Refusal):
        return amount
    try:
        return Declared(line=at, amount=amount, repeated_by=line.get("repeated_by"))
    except ValidationError:
        return malformed(f'{place}: "repeated_by" is the name of who repeated it, in one word.')


def _withdraw(told: object) -> tuple[int, ...] | Refusal:
    if not isinstance(told, list) or len(told) > LINES_MAX:
        return malformed('"withdraw" must be a list of the numbers of bets.')
    if not all(type(bet) is int and 1 <= bet <= _BET_MAX for bet in told):
        return malformed('"withdraw" must be a list of the numbers of bets, from 1.')
    return tuple(told)


_BET_MAX: Final = 2**31
_CHOICE: Final = TypeAdapter(PrisonChoice)


def _prison(told: object) -> FrenchPrison | Refusal:
    if not isinstance(told, list) or not 1 <= len(told) <= LINES_MAX:
        return malformed(_HOW_PRISON)
    choices = [_choice(each) for each in told]
    wrong = foremost(x for x in choices if isinstance(x, Refusal))
    return wrong or FrenchPrison(choices=tuple(x for x in choices if not isinstance(x, Refusal)))


def _choice(told: object) -> PrisonChoice | Refusal:
    if not isinstance(told, dict) or told.get("choice") not in tuple(Choice):
        return malformed(_HOW_PRISON)
    moved = told["choice"] == Choice.MOVE
    if moved and told.get("to") not in get_args(Chance):
        return malformed(f'"prison": the chances are {", ".join(get_args(Chance))}.')
    if set(told) != ({"bet", "choice", "to"} if moved else {"bet", "choice"}):
        return malformed(_HOW_PRISON)
    try:
        return _CHOICE.validate_python(told | {"choice": Choice(told["choice"])})
    except ValidationError:
        return malformed(_HOW_PRISON)


_HOW_PRISON: Final = (
    '"prison" must be a list such as [{"bet": 1, "choice": "move", "to": "even"}]; the choices are '
    f"{', '.join(Choice)}."
)

_HOW: Final = (
    'Write {"bets": [..]}, {"withdraw": [1]} or both; {"prison": [{"bet": 1, "choice": "leave"}]}; '
    '{"collect": true}; '
    'or {"announced": "serie", "chip": "1.00", "outcome": 5, "replay": "again"}.'
)
