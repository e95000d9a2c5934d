"""What the sandbox of the central system remembers: one decision for each right, for ever.

Its own SQLite file, apart from any book. A decision is durable before its reply is sent
(write-ahead log, `synchronous=FULL`), and the reply's bytes are what is kept. The first word about
a right stands: once validated it can no longer be annulled, once annulled it is never validated.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from ops.central.messages import (
    AnnulledReply,
    AnnulmentBody,
    RejectedReply,
    RightBody,
    Total,
    ValidatedReply,
)

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS rights (
    participation TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    session TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    day TEXT NOT NULL,
    reply TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS rights_session ON rights (session);
CREATE INDEX IF NOT EXISTS rights_day ON rights (day);
CREATE TABLE IF NOT EXISTS attempts (participation TEXT PRIMARY KEY, number INTEGER NOT NULL);
"""


class ContentConflict(Exception):  # noqa: N818 - the condition that the protocol names, not a bug
    """The participation is on record with another content."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A right as it came in, and the business day (`YYYY-MM-DD`) that it came in on."""

    participation: UUID
    body: RightBody
    day: str


class RightsStore:
    """The rights of one sandbox, in one file; for one thread."""

    def __init__(self, file: Path) -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.executescript(_TABLES)

    def attempt(self, participation: UUID) -> int:
        """Count a message about a right, from 1; the counter survives a kill too."""
        row = self._db.execute(
            "INSERT INTO attempts VALUES (?, 1) ON CONFLICT (participation)"
            " DO UPDATE SET number = number + 1 RETURNING number",
            (str(participation),),
        ).fetchall()
        return int(row[0][0])

    def request(self, asked: Asked, rejection: Callable[[], str | None]) -> str:
        """The reply to a request, as JSON; `rejection` gives a code, or None to validate.

        Raises `ContentConflict`.
        """
        with self._once(asked) as known:
            return known or self._decide(asked, rejection())

    def annul(self, asked: Asked, body: AnnulmentBody) -> str:
        """The reply to an annulment, as JSON: annulled, or what was decided before it came.

        A right that was never asked for is annulled too, so that a late request finds that.
        Raises `ContentConflict`.
        """
        with self._once(asked) as known:
            annulled = AnnulledReply(
                participation=asked.participation, amount=asked.body.amount, reason=body.reason
            )
            return known or self._keep(asked, annulled)

    def totals(self, day: str) -> tuple[Total, ...]:
        """Count, sum and sessions of the rights validated on a day, by currency."""
        rows = self._db.execute(
            "SELECT currency, count(*), sum(amount), count(DISTINCT session) FROM rights"
            " WHERE day = ? AND outcome = 'validated' GROUP BY currency ORDER BY currency",
            (day,),
        )
        return tuple(Total(currency=c, count=n, amount=a, sessions=s) for c, n, a, s in rows)

    @contextmanager
    def _once(self, asked: Asked) -> Iterator[str | None]:
        """One transaction that yields the earlier reply, if there is one."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._earlier(asked)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _earlier(self, asked: Asked) -> str | None:
        row = self._db.execute(
            "SELECT content, reply FROM rights WHERE participation = ?",
            (str(asked.participation),),
        ).fetchone()
        if row is None:
            return None
        content, reply = row
        if content != asked.body.model_dump_json():
            raise ContentConflict
        return str(reply)

    def _decide(self, asked: Asked, code: str | None) -> str:
        amount = asked.body.amount
        if code is not None:
            rejected = RejectedReply(participation=asked.participation, amount=amount, code=code)
            return self._keep(asked, rejected)
        number = self._number("SELECT count(*) + 1 FROM rights")
        valid = "FROM rights WHERE outcome = 'validated' AND session = ?"
        session = str(asked.body.session)
        validated = ValidatedReply(
            participation=asked.participation,
            amount=amount,
            ticket=f"SANDBOX-{number:012d}",
            count=1 + self._number(f"SELECT count(*) {valid}", session),
            total=amount + self._number(f"SELECT coalesce(sum(amount), 0) {valid}", session),
        )
        return self._keep(asked, validated)

    def _number(self, query: str, *values: str) -> int:
        return int(self._db.execute(query, values).fetchone()[0])

    def _keep(self, asked: Asked, reply: ValidatedReply | RejectedReply | AnnulledReply) -> str:
        text = reply.model_dump_json()
        body = asked.body
        self._db.execute(
            "INSERT INTO rights VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                str(asked.participation),
                body.model_dump_json(),
                str(body.session),
                body.currency,
                body.amount,
                reply.outcome,
                asked.day,
                text,
            ),
        )
        return text
