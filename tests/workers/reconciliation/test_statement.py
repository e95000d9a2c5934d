"""A statement in a table of the database is matched as if all of it were held here."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from random import Random

import pytest

from ledger.domain import commands as cmd
from ledger.domain.money import Currency
from ledger.reconciliation.mapping import StatementError, StatementMapping, read_mapping
from ledger.reconciliation.matching import Compared, match
from ledger.reconciliation.statements import Payment, read_statement
from ops.statements import packaged
from tests.workers.history import Casino
from workers.days import bounds
from workers.reconciliation import statement as module
from workers.reconciliation.statement import Period, loaded, reconcile_statement

HEAD = "balance_transaction_id,created_utc,currency,gross,reporting_category,payment_intent_id\n"
MONDAY = Period(date(2026, 11, 30), date(2026, 11, 30))
BEGINS, ENDS = bounds(MONDAY.first)[0], bounds(MONDAY.last)[1]


def card() -> StatementMapping:
    """The mapping of card statements, under the casino's channel."""
    return read_mapping(packaged("stripe"))


def row(reference: str, amount: int, at: datetime, currency: str = "eur") -> str:
    """A charge of an amount in cents."""
    return f"t,{at:%Y-%m-%d %H:%M:%S},{currency},{amount / 100:.2f},charge,{reference}\n"


def reconciled(casino: Casino, rows: list[str]) -> tuple[set[tuple], int]:
    """What is open afterwards, by kind, reference and amounts; and how many payments agree."""
    with loaded(casino.ports, BytesIO((HEAD + "".join(rows)).encode()), card()) as read:
        _, agree = reconcile_statement(casino.ports, read, MONDAY)
    found = "SELECT kind, reference, here, there FROM {book}.p_differences WHERE closed_at IS NULL"
    return set(casino.rows(found)), agree


def pay(casino: Casino, reference: str, amount: int, at: datetime) -> Payment:
    """A deposit by card at a moment."""
    casino.now = at
    about = {"player": "anna", "amount": amount, "currency": Currency.EUR, "channel": "card"}
    casino.send(cmd.Deposit, **about, reference=reference)
    return Payment("deposit", reference, amount, "EUR", at)


@pytest.fixture
def book(casino: Casino) -> Casino:
    """A book in which anna has a conto, from the Sunday before."""
    casino.now = BEGINS - timedelta(hours=20)
    casino.send(cmd.OpenConto, player="anna", currency=Currency.EUR, personal=())
    return casino


def rows_for(random: Random, payments: list[Payment]) -> list[str]:
    """What a provider makes of payments: most agree, others are wrong, twice, late or unnamed."""
    changes: tuple[Callable[[Payment], list[str]], ...] = (
        lambda _: [],
        lambda p: [row(p.reference, p.amount + 1, p.at)],
        lambda p: [row(p.reference, p.amount, p.at, "usd")],
        lambda p: [row(p.reference, p.amount, p.at)] * 2,
        lambda p: [row(f"other-{p.reference}", p.amount, p.at + timedelta(hours=1))],
        lambda p: [row("", p.amount, p.at)],
        *[lambda p: [row(p.reference, p.amount, p.at)]] * 6,
    )
    made = [line for p in payments for line in random.choice(changes)(p)]
    random.shuffle(made)
    return made


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_what_matching_all_lines_and_payments_finds(book, seed, monkeypatch):
    """Given forty payments around a Monday and a provider's version of them, then both agree.

    The table is filled seven lines at a time.
    """
    monkeypatch.setattr(module, "AT_ONCE", 7)
    random = Random(seed)
    moments = sorted(BEGINS + timedelta(minutes=random.randrange(-720, 2_000)) for _ in range(40))
    payments = [
        pay(book, f"p-{n}", random.choice((100, 200, 300)), at) for n, at in enumerate(moments)
    ]
    rows = rows_for(random, payments)
    lines = tuple(read_statement(BytesIO((HEAD + "".join(rows)).encode()), card()))
    window = card().window
    near = [p for p in payments if BEGINS - window <= p.at < ENDS + window]
    expected = match(lines, Compared("card", BEGINS, ENDS, window, near))
    book.now = ENDS + timedelta(days=1)

    found, agree = reconciled(book, rows)

    told = {(d.kind, d.payment.reference, d.payment.here, d.payment.there) for d in expected.found}
    assert (told, expected.pairs) == (found, agree)
    assert (found, agree) == reconciled(book, rows)


def test_what_was_open_is_closed_by_a_line_that_agrees_now(book):
    """Given a payment that should be on the next statement, when its line comes, then it closes.

    All of a day is so near to its end, by the window of a day. The same again changes nothing.
    """
    late = pay(book, "p-1", 1_000, BEGINS + timedelta(hours=1))
    book.now = ENDS + timedelta(days=1)
    assert ({("timing", "p-1", 1_000, None)}, 0) == reconciled(book, [])

    assert (set(), 1) == reconciled(book, [row("p-1", 1_000, late.at)])
    assert (set(), 1) == reconciled(book, [row("p-1", 1_000, late.at)])


def test_a_line_at_fault_behind_good_ones_writes_nothing(book, monkeypatch):
    """Given an error in the last line, then the book and its server hold nothing of the others."""
    monkeypatch.setattr(module, "AT_ONCE", 2)
    before = book.rows("SELECT count(*) FROM {book}.events")
    rows = [row(f"p-{n}", 100, BEGINS) for n in range(5)] + ["t,x\n"]

    with pytest.raises(StatementError, match="line 7: 2 cells"):
        reconciled(book, rows)

    assert before == book.rows("SELECT count(*) FROM {book}.events")
    held = "SELECT count(*) FROM pg_class WHERE relname = 'statement_lines'"
    assert [(0,)] == book.rows(held)


def test_a_provider_parts_its_days_by_the_midnights_of_its_own_zone(book):
    """Given days by UTC and payments around one midnight of it, then no day asks for another's.

    23:30 in UTC is half past midnight in Rome: Monday's there, Tuesday's here.
    """
    by_utc = card().model_copy(update={"days_in": "UTC"})
    midnight = datetime(2026, 12, 1, tzinfo=UTC)
    early, late = midnight - timedelta(minutes=30), midnight + timedelta(minutes=30)
    rows = [row(name, 100, pay(book, name, 100, at).at) for name, at in (("a", early), ("b", late))]
    book.now = midnight + timedelta(days=3)
    seen = []
    for line in rows:
        with loaded(book.ports, BytesIO((HEAD + line).encode()), by_utc) as read:
            outcome, agree = reconcile_statement(book.ports, read, read.period)
        seen.append((read.period, outcome.found, agree))

    monday, tuesday = (Period(day, day) for day in (date(2026, 11, 30), date(2026, 12, 1)))
    assert [(monday, (), 1), (tuesday, (), 1)] == seen


def test_the_days_of_a_statement_are_those_of_rome(book):
    """Given lines at 22:59 and 23:00 in UTC, then they are of two days; no lines are of none."""
    at = datetime(2026, 11, 29, 22, 59, tzinfo=UTC)
    rows = row("a", 100, at) + row("b", 100, at + timedelta(minutes=1))
    with loaded(book.ports, BytesIO((HEAD + rows).encode()), card()) as read:
        assert (2, Period(date(2026, 11, 29), date(2026, 11, 30))) == (read.lines, read.period)
    with loaded(book.ports, BytesIO(HEAD.encode()), card()) as read:
        assert (0, None) == (read.lines, read.period)
