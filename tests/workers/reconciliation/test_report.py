"""The report of a day's differences, from what was found, closed and left open by its end (G6)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import PaymentRef
from ledger.domain.ids import difference_id
from tests.workers.history import MORNING, Casino
from workers.closing import close_day
from workers.days import day_of
from workers.reports.build import read_report
from workers.reports.editions import Edition
from workers.reports.periods import of_day
from workers.reports.registry import named

DAY = day_of(MORNING)
PAYMENT = PaymentRef(way="deposit", reference="pay-9", currency="EUR", there=700)


def find(casino: Casino, subject: str, occurrence: int = 1) -> dict[str, object]:
    """A line of three days ago that the book does not have; how commands name it."""
    about = {"source": "statement", "scope": "card", "kind": "missing-here", "subject": subject}
    key = difference_id(**about)
    told = {"found": "is not in the book", "since": MORNING - timedelta(days=3), "payment": PAYMENT}
    casino.send(cmd.FindDifference, difference=key, occurrence=occurrence, **about, **told)
    return {"difference": key, "occurrence": occurrence}


@pytest.fixture
def evening(casino: Casino) -> Casino:
    """Three were found: one was resolved, one is gone, one is open at the day's end."""
    casino.send(cmd.ResolveDifference, **find(casino, "a"), reason="paid back")
    casino.send(cmd.ClearDifference, **find(casino, "b"))
    casino.left = find(casino, "c")
    casino.wait(days=1)
    return casino


def lines(casino: Casino, day) -> dict[str, list[tuple]]:
    """The cells of each section of a day's report."""
    edition = Edition(named("differences"), of_day(day), close_day(casino.ports, day))
    report = read_report(casino.ports, edition)
    return {s.name: [line.cells for line in s.lines] for s in report.sections}


def test_a_days_differences_are_counted_and_what_is_open_is_listed(evening: Casino):
    """What was open at its end is so for ever, whatever becomes of it later."""
    evening.seal()
    first = lines(evening, DAY)
    evening.send(cmd.AssignDifference, **evening.left, owner="ada")
    evening.send(cmd.ResolveDifference, **evening.left, reason="written off")
    evening.seal()

    key = str(evening.left["difference"])
    named_so = ("statement", "card", "missing-here", "c", "is not in the book")
    since = MORNING - timedelta(days=3)
    assert [("statement", "missing-here", 3, 1, 1, 1)] == first["summary"]
    assert [(key, 1, *named_so, since, 3, None, 700, "EUR")] == first["open"]
    assert first == lines(evening, DAY)


def test_a_day_without_differences_has_no_activity(evening: Casino):
    """What is open from before counts on each day until it is closed."""
    evening.send(cmd.ClearDifference, **evening.left)
    evening.wait(days=2)
    evening.seal()

    next_day = lines(evening, DAY + timedelta(days=1))
    assert [("statement", "missing-here", 0, 0, 1, 0)] == next_day["summary"]
    assert {"summary": [], "open": []} == lines(evening, DAY + timedelta(days=2))
