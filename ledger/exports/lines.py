"""The lines of a package: each sealed row as it is stored, and each posting that follows from it.

A row's line holds the stored bytes as they are, for they are one JSON document on one line. So the
line is JSON, and the leaf hash recomputes from it: nothing is serialised twice (G5).
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from ledger.domain.events import AnyEntry, RoundEvent
from ledger.domain.postings import Posting, postings
from ledger.exports.source import Stored


def event_line(row: Stored, document: Any) -> bytes:
    """The line of a row; `document` is its state read as JSON, None when it cannot be read."""
    head = b'{"position":%d,"key":"%s","version":%d,"name":%s' % (
        row.position,
        str(row.key).encode(),
        row.version,
        orjson.dumps(row.name),
    )
    if document is None:
        return b'%s,"raw":"%s"}\n' % (head, b64encode(row.state))
    return b'%s,"entry":%s}\n' % (head, row.state)


def document_of(row: Stored) -> dict[str, Any] | None:
    """A row's state as JSON; None when it is no object, or stands on more than one line."""
    if b"\n" in row.state or b"\r" in row.state:
        return None
    try:
        document = orjson.loads(row.state)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


@dataclass(slots=True)
class Books:
    """Balances by account and currency while postings pass by; an account at zero is not kept."""

    balances: dict[tuple[str, str], int] = field(default_factory=dict)

    def post(self, posting: Posting) -> tuple[int, int]:
        """Book a posting; the balances of source and target after it."""
        currency = posting.currency.value
        source = self._add(posting.source.address, currency, -posting.amount)
        return source, self._add(posting.target.address, currency, posting.amount)

    def _add(self, account: str, currency: str, amount: int) -> int:
        after = self.balances.pop((account, currency), 0) + amount
        if after:
            self.balances[account, currency] = after
        return after

    def lines(self) -> Iterator[bytes]:
        """One line an account and currency, in the order of their names."""
        for account, currency in sorted(self.balances):
            yield json_line(
                {
                    "account": account,
                    "currency": currency,
                    "balance": self.balances[account, currency],
                }
            )


def journal_lines(position: int, entry: AnyEntry, books: Books) -> Iterator[bytes]:
    """One line a posting of an entry, with both balances after it (G1)."""
    event = entry.event
    played = event.round if isinstance(event, RoundEvent) else None
    for number, posting in enumerate(postings(entry.stream, event), 1):
        source_after, target_after = books.post(posting)
        yield json_line(
            {
                "position": position,
                "line": number,
                "recorded": entry.recorded,
                "stream": entry.stream,
                "event": event.NAME,
                "round": played,
                "source": posting.source.address,
                "target": posting.target.address,
                "amount": posting.amount,
                "currency": posting.currency.value,
                "source_after": source_after,
                "target_after": target_after,
            }
        )


def json_line(document: Mapping[str, Any]) -> bytes:
    """A document on a line, its fields in the order given and times as in stored entries."""
    return orjson.dumps(document, option=orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def players_of(document: Mapping[str, Any] | None) -> set[str]:
    """The player whom an entry names, if it names one."""
    event = (document or {}).get("event")
    named = event.get("player") if isinstance(event, dict) else None
    return {named} if isinstance(named, str) else set()
