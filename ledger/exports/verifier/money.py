"""The money: postings by a table of its own, balances that never fall below zero, the journal.

The table says once more, in its own way, what each event moves; it shares nothing with the book's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import orjson

from ledger.exports.verifier.days import day_of
from ledger.exports.verifier.files import document_of
from ledger.exports.verifier.log import Event, Found
from ledger.exports.verifier.verdict import Fields

Amount = Callable[[Fields], int]
Move = tuple[str, str, str | Amount]
"""From where, to where, and how much: a field's name, or what follows from several fields.

`{here}` is the session that the event stands in and `{bank}` the bank of its game; other names in
braces are fields of the event.
"""


def _back(event: Fields) -> int:
    return min(int(event["at_risk"]), int(event["returned"]))


def _forfeited(event: Fields) -> int:
    return int(event["at_risk"]) - _back(event)


def _gained(event: Fields) -> int:
    return int(event["returned"]) - _back(event)


CONTO_MOVES: Final[Mapping[str, tuple[Move, ...]]] = {
    "funds-deposited": (("world:payments", "player:{player}:conto", "amount"),),
    "funds-withdrawn": (("player:{player}:conto", "world:payments", "amount"),),
    "funds-transferred-to-posta": (("player:{player}:conto", "session:{session}:right", "amount"),),
    "funds-transferred-to-conto": (
        ("session:{session}:{source}", "player:{player}:conto", "amount"),
    ),
}
"""Events of a conto's stream."""

SESSION_MOVES: Final[Mapping[str, tuple[Move, ...]]] = {
    "posta-funded": (("{funder}", "{here}:posta", "amount"),),
    "bet-placed": (("{here}:posta", "{here}:stakes", "amount"),),
    "bet-refunded": (("{here}:stakes", "{here}:posta", "amount"),),
    "payout-credited": (
        ("{here}:stakes", "{here}:posta", "stake_returned"),
        ("{bank}", "{here}:posta", "winnings"),
    ),
    "win-held": (
        ("{here}:stakes", "{here}:win", "stake_returned"),
        ("{bank}", "{here}:win", "winnings"),
    ),
    "win-collected": (("{here}:win", "{here}:posta", "amount"),),
    "double-up-staked": (("{here}:win", "{here}:stakes", "at_risk"),),
    "double-up-resolved": (
        ("{here}:stakes", "{here}:win", _back),
        ("{here}:stakes", "{bank}", _forfeited),
        ("{bank}", "{here}:win", _gained),
    ),
    "stake-imprisoned": (("{here}:stakes", "{here}:prison", "amount"),),
    "prisoner-released": (
        ("{here}:prison", "{here}:posta", "returned"),
        ("{here}:prison", "{bank}", "to_bank"),
    ),
    "stake-lost": (("{here}:stakes", "{bank}", "amount"),),
    "stake-left": (
        ("{here}:stakes", "{here}:win", "amount"),
        ("{here}:win", "{here}:stakes", "amount"),
    ),
    "round-settled": (("{here}:stakes", "{bank}", "stakes_lost"),),
}
"""Events of a session's stream."""

CORRECTION: Final = "correction-posted"
"""The event that says itself what it moves, line by line; it stands in a stream of its own."""

APPROVERS: Final = 2

Posting = tuple[str, str, int, str]
"""Source, target, amount in minor units, currency."""


def postings(event: Event) -> Iterator[Posting]:
    """What an event moves, in the order of the journal; nothing where an amount is zero."""
    if event.name == CORRECTION:
        yield from _corrected(event)
    moves = CONTO_MOVES.get(event.name) or SESSION_MOVES.get(event.name)
    if moves is None:
        return
    body = event.body
    if event.name in SESSION_MOVES and not event.stream.startswith("session:"):
        raise ValueError("this stream cannot hold this event")
    if event.name in SESSION_MOVES and event.name != "posta-funded" and "rules" not in body:
        raise ValueError("money of a round moves by its rules")
    if event.name in CONTO_MOVES and event.stream != f"conto:{body['player']}":
        raise ValueError("this stream cannot hold this event")
    funder = "house:bonus" if body.get("transfer") == "bonus" else f"{event.stream}:right"
    bank = f"house:{body.get('game')}:bank"
    words = {**body, "here": event.stream, "bank": bank, "funder": funder}
    for source, target, how in moves:
        amount = body[how] if isinstance(how, str) else how(body)
        yield from _moved(source.format_map(words), target.format_map(words), amount, body)


def _corrected(event: Event) -> Iterator[Posting]:
    if not event.stream.startswith("correction:"):
        raise ValueError("this stream cannot hold this event")
    if len({" ".join(name.split()).casefold() for name in event.body["approvers"]}) < APPROVERS:
        raise ValueError("a correction has two approvers")
    for line in event.body["lines"]:
        yield from _moved(line["source"], line["target"], line["amount"], event.body)


def _moved(source: str, target: str, amount: object, body: Fields) -> Iterator[Posting]:
    currency = body["currency"]
    if not isinstance(amount, int) or amount < 0 or not isinstance(currency, str):
        raise ValueError("an amount is a whole number of minor units of a currency")
    if amount:
        yield source, target, amount, currency


def is_signed(account: str) -> bool:
    """Whether an account may go below zero: those of the world, the house and the state."""
    return account.startswith(("world:", "house:", "state:"))


Balances = dict[tuple[str, str], int]
"""Minor units by account and currency; an account at zero is not kept."""


Flows = dict[tuple[date, str, str], list[int]]
"""What went out and what came in, by business day, kind of account and currency."""


def read_balances(lines: Iterable[bytes]) -> Balances:
    """The balances of an opening or a closing; `ValueError` where one stands twice or is zero."""
    balances: Balances = {}
    for line in lines:
        told = document_of(line)
        place = told["account"], told["currency"]
        if place in balances or not isinstance(told["balance"], int) or not told["balance"]:
            raise ValueError("each account stands once and not at zero")
        balances[place] = told["balance"]
    return balances


@dataclass(slots=True)
class Journal:
    """The journal's lines, read as far as the events go, until the first that is another."""

    lines: Iterator[bytes]
    is_right: bool = True

    def hold(self, place: str, expected: bytes | None) -> Found:
        """Hold the next line against what follows; None where no event is left."""
        if self.is_right and next(self.lines, None) != expected:
            self.is_right = False
            yield "journal", f"{place} is missing or another, and the lines after it are not read"


@dataclass(slots=True)
class Money:
    """Balances and the journal, while events pass by."""

    balances: Balances
    journal: Journal
    flows: Flows = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    postings: int = 0
    _closed: set[str] = field(default_factory=set)

    def see(self, event: Event) -> Found:
        """Book what the event moves, and read the journal on."""
        for number, posting in enumerate(postings(event), 1):
            self.postings += 1
            source, target, amount, currency = posting
            day = day_of(event.recorded)
            self.flows[day, kind_of(source), currency][0] += amount
            self.flows[day, kind_of(target), currency][1] += amount
            after = self._add(source, currency, -amount), self._add(target, currency, amount)
            if after[0] < 0 and not is_signed(source):
                yield "overdraft", f"{source} fell below zero in {currency}"
            line = _line(event, number, posting, after)
            yield from self.journal.hold(f"line {number} of position {event.position}", line)
        if event.name == "session-closed":
            yield from self._closing(event)

    def _add(self, account: str, currency: str, amount: int) -> int:
        after = self.balances.pop((account, currency), 0) + amount
        if after:
            self.balances[account, currency] = after
        return after

    def _closing(self, event: Event) -> Found:
        """The final posta is what stands in the posta, before it goes to the conto."""
        self._closed.add(event.stream)
        posta = self.balances.get((f"{event.stream}:posta", event.body["currency"]), 0)
        if posta != event.body["final_posta"]:
            yield "orphan", f"final posta {event.body['final_posta']}, in the books {posta}"

    def left(self) -> Found:
        """Money in accounts of sessions that ended, and lines of the journal beyond the last."""
        for account, currency in sorted(self.balances):
            if account.rpartition(":")[0] in self._closed:
                yield "orphan", f"a closed session holds {currency} in {account}"
        yield from self.journal.hold("its end", None)


def kind_of(account: str) -> str:
    """The kind of an account: the last word of its address."""
    return account.rpartition(":")[2]


def _line(event: Event, number: int, posting: Posting, after: tuple[int, int]) -> bytes:
    """The journal's line of a posting."""
    source, target, amount, currency = posting
    told = {
        "position": event.position,
        "line": number,
        "recorded": event.recorded,
        "stream": event.stream,
        "event": event.name,
        "round": event.body.get("round"),
        "source": source,
        "target": target,
        "amount": amount,
        "currency": currency,
        "source_after": after[0],
        "target_after": after[1],
    }
    return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)
