"""The journal: one line a posting, with both accounts' balances before and after (guarantee G1).

Beside the lines stand each account's balance, and the movements of each kind of account by business
day, from which a balance at any day's end is a short sum.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Final

from ledger.domain.events import RoundEvent
from ledger.domain.postings import MOVING, Posting, postings
from workers.days import day_of
from workers.log import Cursor, SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Place, Row, Table

LINES: Final = Table(
    "p_journal",
    ("position", "line"),
    {
        "position": "int8", "line": "int4", "recorded": "timestamptz", "stream": "text",
        "command": "uuid", "event": "text", "round": "uuid", "source": "text", "target": "text",
        "amount": "int8", "currency": "text", "source_before": "int8", "source_after": "int8",
        "target_before": "int8", "target_after": "int8",
    },
)  # fmt: skip

BALANCES: Final = Table(
    "p_balances",
    ("account", "currency"),
    {"account": "text", "currency": "text", "balance": "int8"},
)

MOVEMENTS: Final = Table(
    "p_movements",
    ("day", "kind", "currency"),
    {"day": "date", "kind": "text", "currency": "text", "debited": "int8", "credited": "int8"},
)


def kind_of(address: str) -> str:
    """The kind of an account: the last word of its address, such as `posta` or `bank`."""
    return address.rpartition(":")[2]


@dataclass(frozen=True, slots=True)
class _Books:
    """The balances that a batch starts from and moves on, and what it adds."""

    balances: dict[tuple[str, str], int]
    lines: list[Row] = field(default_factory=list)
    movements: dict[tuple[date, str, str], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0])
    )

    def post(self, sealed: SealedEntry, line: int, posting: Posting) -> None:
        """Write one posting."""
        entry, amount, currency = sealed.entry, posting.amount, posting.currency.value
        source, target = posting.source.address, posting.target.address
        before = self.balances[source, currency], self.balances[target, currency]
        after = before[0] - amount, before[1] + amount
        self.balances[source, currency], self.balances[target, currency] = after
        day = day_of(entry.recorded)
        self.movements[day, kind_of(source), currency][0] += amount
        self.movements[day, kind_of(target), currency][1] += amount
        played = entry.event.round if isinstance(entry.event, RoundEvent) else None
        header = (sealed.position, line, entry.recorded, entry.stream, entry.command)
        what = (entry.event.NAME, played, source, target, amount, currency)
        self.lines.append((*header, *what, before[0], after[0], before[1], after[1]))


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    posted = [(s, p) for s in entries if (p := postings(s.entry.stream, s.entry.event))]
    accounts = {a.address for _, each in posted for p in each for a in (p.source, p.target)}
    known = BALANCES.load(folding.cursor, folding.place, sorted(accounts))
    start = {(account, currency): balance for account, currency, balance in known}
    books = _Books(defaultdict(int, start))
    for sealed, each in posted:
        for line, posting in enumerate(each, 1):
            books.post(sealed, line, posting)
    return partial(_write, folding.place, books)


def _write(place: Place, books: _Books, cursor: Cursor) -> None:
    LINES.insert(cursor, place, books.lines)
    BALANCES.put(cursor, place, _rows(books.balances))
    MOVEMENTS.add(cursor, place, [(*key, *both) for key, both in books.movements.items()])


def _rows(balances: Mapping[tuple[str, str], int]) -> list[Row]:
    return [(*key, balance) for key, balance in balances.items()]


PROJECTION: Final = Projection(
    name="journal",
    version=1,
    topics=MOVING,
    tables=(LINES, BALANCES, MOVEMENTS),
    batch=20_000,
    fold=_fold,
)
