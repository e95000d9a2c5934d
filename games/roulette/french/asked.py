"""Documents that ask what a round or a replay brings, read strictly (fault S6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_args

from games.documents import malformed, read_amount
from games.engine import foremost
from games.ranges import Range, read_range
from games.roulette.bets import LINES_MAX, AnnouncedLine, read_lines
from games.roulette.french.bets import FORMS, CallLine, FinalLine, FrenchLine, SectorLine
from games.roulette.french.prison import Choice, Prisoner, Terms
from games.roulette.french.replays import Replay
from games.roulette.layout import Chance
from games.roulette.quote import read_posta
from games.roulette.wheel import POCKETS
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class AskedPrisoner:
    """An imprisoned stake, and what its player does with it before the spin."""

    prisoner: Prisoner
    choice: Choice
    to: Chance | None
    """Where it is moved; None unless it is."""


@dataclass(frozen=True, slots=True)
class AskedRound:
    """A round as a document tells it."""

    lines: tuple[FrenchLine, ...]
    prisoners: tuple[AskedPrisoner, ...]
    outcome: int | None
    """The pocket; None where nothing waits for it."""
    posta: int
    limits: Range | None
    """The table's limits; None where those of the sheet hold."""
    force: bool


@dataclass(frozen=True, slots=True)
class AskedReplay:
    """The replay of an announced bet as a document tells it."""

    line: CallLine
    outcome: int
    how: Replay
    limits: Range | None


_ROUND: Final = frozenset({"bets", "prison", "outcome", "posta", "limits", "force"})
_CALL: Final = frozenset({"announced", "number", "digits", "chip"})
_PRISONER: Final = frozenset({"chance", "amount", "level", "choice"})


def read_round(document: Mapping[str, Any], terms: Terms) -> AskedRound | Refusal:
    """Read a round; its outcome may be left out where every stake is withdrawn before the spin."""
    if not document or not set(document) <= _ROUND:
        return malformed(_HOW)
    lines = read_lines(document.get("bets", []), FORMS)
    prisoners = _prisoners(document.get("prison", []), terms)
    outcome = _outcome(document) if _waits(document, lines, prisoners) else None
    posta, limits, force = read_posta(document), _limits(document), _force(document)
    read = (lines, prisoners, outcome, posta, limits, force)
    wrong = foremost(x for x in read if isinstance(x, Refusal))
    return wrong or AskedRound(
        sure(lines), sure(prisoners), sure(outcome), sure(posta), sure(limits), sure(force)
    )


def read_replay(document: Mapping[str, Any]) -> AskedReplay | Refusal:
    """Read `{"announced": "serie", "chip": "1.00", "outcome": 5, "replay": "again"}`."""
    call = {key: value for key, value in document.items() if key in _CALL}
    if set(document) - set(call) - {"limits"} != {"outcome", "replay"} or "announced" not in call:
        return malformed(_HOW)
    lines = read_lines([call], FORMS)
    outcome, limits, how = _outcome(document), _limits(document), document["replay"]
    if how not in tuple(Replay):
        return malformed(f'"replay" must be one of {", ".join(Replay)}.')
    wrong = foremost(x for x in (lines, outcome, limits) if isinstance(x, Refusal))
    if wrong is not None:
        return wrong
    (line,) = sure(lines)
    assert isinstance(line, AnnouncedLine | SectorLine | FinalLine)
    return AskedReplay(line, sure(outcome), Replay(how), sure(limits))


T = TypeVar("T")


def sure(value: T | Refusal) -> T:
    """A value that was looked at already and is no refusal."""
    assert not isinstance(value, Refusal)
    return value


def _waits(document: Mapping[str, Any], lines: object, prisoners: object) -> bool:
    """Whether the document says or needs an outcome; what cannot be read is refused either way."""
    if "outcome" in document or lines or not isinstance(prisoners, tuple):
        return True
    return any(asked.choice is not Choice.WITHDRAW for asked in prisoners)


def _outcome(document: Mapping[str, Any]) -> int | Refusal:
    outcome = document.get("outcome")
    if type(outcome) is not int or outcome not in POCKETS:
        return malformed('"outcome" must be a whole number from 0 to 36.')
    return outcome


def _limits(document: Mapping[str, Any]) -> Range | Refusal | None:
    return read_range(document["limits"], '"limits"') if "limits" in document else None


def _force(document: Mapping[str, Any]) -> bool | Refusal:
    force = document.get("force", False)
    return force if type(force) is bool else malformed('"force" must be true or false.')


def _prisoners(document: object, terms: Terms) -> tuple[AskedPrisoner, ...] | Refusal:
    if not isinstance(document, list) or len(document) > LINES_MAX:
        return malformed(f'"prison" must be a list of at most {LINES_MAX} stakes.')
    read = [_prisoner(told, f"Prisoner {at}", terms) for at, told in enumerate(document, 1)]
    wrong = foremost(x for x in read if isinstance(x, Refusal))
    return wrong or tuple(map(sure, read))


def _prisoner(told: object, place: str, terms: Terms) -> AskedPrisoner | Refusal:
    moved = isinstance(told, dict) and told.get("choice") == Choice.MOVE
    if not isinstance(told, dict) or set(told) != (_PRISONER | {"to"} if moved else _PRISONER):
        return malformed(f"{place} must have {_PRISONER_HAS}.")
    chance, to = told["chance"], told.get("to")
    if chance not in get_args(Chance) or (moved and to not in get_args(Chance)):
        return malformed(f"{place}: the chances are {', '.join(get_args(Chance))}.")
    if told["choice"] not in tuple(Choice):
        return malformed(f'{place}: the "choice" is one of {", ".join(Choice)}.')
    level = told["level"]
    if type(level) is not int or level not in terms.levels:
        return malformed(f'{place}: "level" is a whole number from 1 to {terms.levels[-1]}.')
    amount = read_amount(told["amount"], place)
    if isinstance(amount, Refusal):
        return amount
    return AskedPrisoner(Prisoner(amount, level, chance), Choice(told["choice"]), to)


_PRISONER_HAS: Final = '"chance", "amount", "level" and "choice", with "to" when it is moved'

_HOW: Final = (
    'Write {"bets": [..], "outcome": 17}, if need be with "prison", "posta", "limits" and "force"; '
    'or {"announced": "serie", "chip": "1.00", "outcome": 5, "replay": "again"}.'
)
