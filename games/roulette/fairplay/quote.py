"""Judge a round by account type without recording it: how a dispute handler checks a payout.

Bets in chips go through the session's own `step` and are settled as a spin settles them. A stake to
be divided is no bet of the table: it is judged here, by the same limits and the same payout.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from games.documents import malformed, refused
from games.engine import foremost
from games.quoting import Player, begin
from games.roulette.announced import Stakes
from games.roulette.bets import read_lines
from games.roulette.fairplay.bets import (
    FairPlayBets,
    FairPlayLine,
    FairPlayOutcome,
)
from games.roulette.fairplay.divided import QUOTED, Divided, StakeLine, divide
from games.roulette.fairplay.limits import Sums, beyond, own_text
from games.roulette.fairplay.round import held_to, lay_line, shifted
from games.roulette.fairplay.sheet import Sheet
from games.roulette.laying import position_sums, unbookable
from games.roulette.layout import RouletteBet
from games.roulette.payouts import payout
from games.roulette.quote import read_posta, told
from games.roulette.round import settle
from games.roulette.wheel import POCKETS
from ledger.domain.decider import Engine
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal

_KEYS: Final = frozenset(
    {"bets", "account", "limits", "posta", "outcome", "series_number", "offset"}
)
_ACCOUNT: Final = r"[A-Za-z0-9-]{1,20}"
Answer = dict[str, Any]


def quote(engine: Engine, sheet_text: str, document: object) -> Answer:
    """Answer `{"account": "VIP", "bets": [..], "outcome": 0..36}`.

    In place of `outcome` stands `series_number` with an `offset`, zero where it is left out; a
    `posta` must cover the bets, and `limits` are a player's own. Raises `SheetError` when
    `sheet_text` is no sheet of the engine; never for a document.
    """
    asked = _read(document)
    answer = asked if isinstance(asked, Refusal) else _judged(engine, sheet_text, asked)
    return refused(answer) if isinstance(answer, Refusal) else answer


@dataclass(frozen=True, slots=True)
class _Asked:
    """A document that could be read."""

    player: Player
    lines: tuple[FairPlayLine | StakeLine, ...]
    """All bets as they were written."""
    pocket: int

    @property
    def move(self) -> FairPlayBets:
        """The bets in chips."""
        chips = tuple(line for line in self.lines if not isinstance(line, StakeLine))
        return FairPlayBets(lines=chips)

    @property
    def is_play(self) -> bool:
        """Whether every bet is one that the table takes."""
        return not any(isinstance(line, StakeLine) for line in self.lines)


def _read(document: object) -> _Asked | Refusal:
    if not isinstance(document, dict) or "bets" not in document or not set(document) <= _KEYS:
        return malformed(_HOW)
    came, account, limits = _came(document), _account(document), _limits(document)
    lines, posta = read_lines(document["bets"], QUOTED), read_posta(document)
    wrong = foremost(x for x in (came, account, limits, lines, posta) if isinstance(x, Refusal))
    if wrong is not None:
        return wrong
    assert not isinstance(came, Refusal)
    assert not isinstance(account, Refusal)
    assert not isinstance(limits, Refusal)
    assert not isinstance(lines, Refusal)
    assert not isinstance(posta, Refusal)
    return _Asked(Player(posta, account, limits), lines, came.pocket)


def _came(document: Mapping[str, Any]) -> FairPlayOutcome | Refusal:
    """The outcome as it is told, or as a series' number and the offset make it."""
    if ("outcome" in document) == ("series_number" in document):
        return malformed('Give "outcome" or "series_number", and not both.')
    if "outcome" in document and "offset" in document:
        return malformed('"offset" goes with "series_number"; an "outcome" has it already.')
    told = "outcome" if "outcome" in document else "series_number"
    number = _pocket(document, told)
    if isinstance(number, Refusal):
        return number
    offset = _pocket(document, "offset") if "offset" in document else 0
    return offset if isinstance(offset, Refusal) else shifted(number, offset)


def _pocket(document: Mapping[str, Any], key: str) -> int | Refusal:
    """Read a whole number from 0 to 36."""
    value = document.get(key)
    if type(value) is not int or value not in POCKETS:
        return malformed(f'"{key}" must be a whole number from 0 to 36.')
    return value


def _account(document: Mapping[str, Any]) -> str | Refusal | None:
    if "account" not in document:
        return None
    account = document["account"]
    if not isinstance(account, str) or re.fullmatch(_ACCOUNT, account) is None:
        return malformed('"account" must be an account type, such as "VIP".')
    return account


def _limits(document: Mapping[str, Any]) -> str | Refusal | None:
    """A player's own limits as the text that a round's opening would have of them."""
    if "limits" not in document:
        return None
    return own_text(document["limits"])


def _judged(engine: Engine, sheet_text: str, asked: _Asked) -> Answer | Refusal:
    if not asked.is_play:
        return _divided(engine.read_sheet(sheet_text), asked)
    view = begin(engine, sheet_text, asked.move, asked.player)
    if isinstance(view, Refusal):
        return view
    return told((*view.history, *settle(view, asked.pocket))) | {"outcome": asked.pocket}


def _divided(sheet: Sheet, asked: _Asked) -> Answer | Refusal:
    """Judge bets of which at least one is a stake to be divided."""
    limits = held_to(sheet, asked.player.account, asked.player.own_limits)
    if isinstance(limits, Refusal):
        return limits
    laid = [_lay(sheet, line, f"Bet {place}") for place, line in enumerate(asked.lines, 1)]
    wrong = foremost(each for each in laid if isinstance(each, Refusal))
    if wrong is not None:
        return wrong
    whole = position_sums(each for each in laid if isinstance(each, tuple))
    parted = [each for each in laid if isinstance(each, Divided)]
    sums = _together(whole, parted)
    staked = sum(whole.values()) + sum(each.stake for each in parted)
    wrong = foremost((*beyond(limits, sums), *unbookable(sheet.pays, sums)))
    return (
        wrong or _uncovered(staked, asked.player.posta) or _told(sheet, whole, parted, asked.pocket)
    )


def _lay(sheet: Sheet, line: FairPlayLine | StakeLine, place: str) -> Stakes | Divided | Refusal:
    if isinstance(line, StakeLine):
        return divide(sheet, line, place)
    return lay_line(sheet, line, place)


def _together(whole: Sums, parted: Iterable[Divided]) -> Sums:
    """What lies on each position in all, exactly."""
    sums: dict[RouletteBet, int | Fraction] = dict(whole)
    for bet, amount in (each for stake in parted for each in stake.sums()):
        sums[bet] = sums.get(bet, 0) + amount
    return sums


def _uncovered(staked: int, posta: int) -> Refusal | None:
    if staked <= posta:
        return None
    held = format_amount(posta)
    return Refusal(Code.INSUFFICIENT_POSTA, f"The posta holds {held}; bet no more than it.")


def _told(
    sheet: Sheet, whole: Mapping[RouletteBet, int], parted: Iterable[Divided], pocket: int
) -> Answer:
    """The answer; a divided stake is one bet under its name, with all the numbers it covers."""
    bets = [
        (b.kind.value, b.numbers, amount, payout(b, sheet.pays[b.kind], amount, pocket))
        for b, amount in whole.items()
    ] + [(d.name, d.numbers, d.stake, d.paid(sheet.pays, pocket)) for d in parted]
    paid = [bet[3] for bet in bets]
    return {
        "accepted": True,
        "staked": format_amount(sum(bet[2] for bet in bets)),
        "winnings": format_amount(sum(p.winnings for p in paid)),
        "stake_returned": format_amount(sum(p.stake_returned for p in paid)),
        "credited": format_amount(sum(p.credited for p in paid)),
        "bets": [
            {
                "kind": kind,
                "numbers": list(numbers),
                "amount": format_amount(amount),
                "credited": format_amount(p.credited),
            }
            for kind, numbers, amount, p in bets
        ],
        "outcome": pocket,
    }


_HOW: Final = (
    'Write one object: {"account": "VIP", "bets": [..], "outcome": 17}; in place of "outcome" '
    '"series_number" and "offset", and if need be "limits" and "posta".'
)
