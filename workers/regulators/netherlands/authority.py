"""The Dutch authority: a day's game sessions, account transactions and operator totals.

Days are those of UTC, as the data bank's times are; a session belongs to the day on which it ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Final, Literal

from pydantic import Field

from ledger.replay import Finding
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.regulators.authority import CURRENCY, Authority, Draft, Profile, Release
from workers.regulators.netherlands.manifests import chain, pack
from workers.regulators.netherlands.records import Booked, documents, of_payment, of_session
from workers.regulators.reading import Ended, Payment, ended, payments

YEAR: Final = timedelta(days=365)

Instrument = Literal["CREDIT_CARD", "ELECTRONIC_MONEY", "BANK_TRANSFER", "OTHER"]
Text = Annotated[str, Field(min_length=1, max_length=256)]


class Netherlands(Profile):
    """The operator as the data bank knows it."""

    operator: Text
    data_safe: Text
    instruments: Mapping[str, Instrument] = Field(default_factory=dict)
    """By the channel of a deposit; `OTHER` for one that is not named."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a day's records are written from; amounts in minor units."""

    sessions: tuple[Ended, ...]
    payments: tuple[Payment, ...]
    journal: Mapping[str, int]
    """What the journal's lines paid in and out on the day, by event."""
    taken_on_day: int
    """What the closed sessions' postas say that the house took; bonuses are the house's own."""
    taken_in_year: int
    currencies: frozenset[str]
    """Of the day's payments, and of all sessions that the year's total is of."""


def read(cursor: Cursor, ports: Ports, release: Release) -> Figures:
    """The day's figures, each of the totals by another way than the records."""
    begins, ends = release.period.begins, release.period.ends
    span = {"begins": begins, "ends": ends}
    journal = cursor.execute(sql(_JOURNAL, ports.book), span).fetchall()
    year = {"begins": ends - YEAR, "day": begins, "ends": ends}
    row = cursor.execute(sql(_TAKEN, ports.book), year).fetchone()
    assert row is not None
    found, paid = ended(cursor, ports, begins, ends), payments(cursor, ports, begins, ends)
    taken, taken_in_year, currencies = row
    return Figures(
        sessions=found,
        payments=paid,
        journal=dict(journal),
        taken_on_day=taken,
        taken_in_year=taken_in_year,
        currencies=frozenset({*currencies, *(p.currency for p in paid)}),
    )


def draft(figures: Figures, release: Release, profile: Netherlands) -> Draft:
    """The day's documents, and what their controls found."""
    booked = (
        *(of_payment(p, profile.instruments) for p in figures.payments),
        *(t for s in figures.sessions for t in of_session(s)),
    )
    totals = (figures.taken_on_day, figures.taken_in_year)
    whose = (profile.operator, profile.data_safe)
    made = documents(figures.sessions, booked, totals, (release, whose))
    return Draft(made, tuple(_findings(figures, booked)), {})


def _findings(figures: Figures, booked: tuple[Booked, ...]) -> list[Finding]:
    return [
        *_currencies(figures),
        *_sessions(figures),
        *_payments(figures),
        *_total(figures, booked),
    ]


def _currencies(figures: Figures) -> list[Finding]:
    others = sorted(figures.currencies - {CURRENCY})
    found = "the records carry euros alone; keep other currencies in a book of their own"
    return [Finding("currency", currency, found) for currency in others]


def _sessions(figures: Figures) -> list[Finding]:
    """What a session's posta lost is what its transactions took."""
    return [
        Finding("session", str(s.session), f"lost {s.posta_in - s.posta_out}, told {s.taken}")
        for s in figures.sessions
        if s.posta_in - s.posta_out != s.taken
    ]


def _payments(figures: Figures) -> list[Finding]:
    told = {
        "funds-deposited": sum(p.amount for p in figures.payments if p.way == "deposit"),
        "funds-withdrawn": sum(p.amount for p in figures.payments if p.way == "withdrawal"),
    }
    return [
        Finding("payments", event, f"the journal has {figures.journal.get(event, 0)}, told {sum_}")
        for event, sum_ in told.items()
        if figures.journal.get(event, 0) != sum_
    ]


def _total(figures: Figures, booked: tuple[Booked, ...]) -> list[Finding]:
    """The day's total is what the transactions of play sum up to."""
    told = -sum(b.amount for b in booked if b.kind in ("STAKE", "WINNING", "VOID_STAKE"))
    if told == figures.taken_on_day:
        return []
    return [Finding("day-total", "WOK_Operator", f"{figures.taken_on_day}, transactions {told}")]


_JOURNAL: Final = """
SELECT event, sum(amount)::int8 FROM {book}.p_journal
 WHERE recorded >= %(begins)s AND recorded < %(ends)s
   AND event IN ('funds-deposited', 'funds-withdrawn') GROUP BY event
"""

_TAKEN: Final = """
SELECT coalesce(sum(posta_in - posta_out) FILTER (WHERE closed_at >= %(day)s), 0)::int8,
       coalesce(sum(posta_in - posta_out), 0)::int8,
       coalesce(array_agg(DISTINCT currency), ARRAY[]::text[])
  FROM {book}.p_sessions
 WHERE closed_at >= %(begins)s AND closed_at < %(ends)s AND opened_at IS NOT NULL
"""

NETHERLANDS: Final = Authority(
    code="nl",
    title="Netherlands, control data bank 1.11",
    zone="UTC",
    units=("day",),
    profile=Netherlands,
    projections=("journal", "sessions", "rounds", "players"),
    read=read,
    draft=draft,
    pack=pack,
    chain=chain,
)
