"""A day's participation rights here and at the central system (rulings C1)."""

from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest

from ledger.central import DayTotal, Unknown
from tests.workers.history import Casino
from workers.reconciliation.carry import ReconciliationFault
from workers.reconciliation.central import ask_totals, reconcile_central, reconcile_due

DAY = date(2026, 11, 30)
AGREES = DayTotal("EUR", 3, 17_500, 2)


@pytest.fixture
def casino(casino: Casino) -> Casino:
    """Rights of 100.00 and 50.00 for anna's session, of 25.00 for bea's, and one that waits."""
    anna = casino.sit(casino.player("anna"))
    casino.validate(anna, casino.request(anna, "anna", 5_000), 5_000)
    bea = casino.sit(casino.player("bea"), 2_500)
    casino.request(bea, "bea", 900)
    casino.wait(days=1)
    casino.sit(casino.player("carla"))
    return casino


def kinds(casino: Casino, *there: DayTotal) -> list[tuple[str, str, str]]:
    """What is new when the central system has these totals of the day."""
    found = reconcile_central(casino.ports, DAY, there).found
    return sorted((d.scope, d.subject, d.kind) for d in found)


def test_c1_rights_amounts_and_sessions_of_a_day_are_compared_by_currency(casino: Casino):
    """What waits, and what is of another day, does not count; each figure is its own difference."""
    assert [] == kinds(casino, AGREES)
    assert [("2026-11-30", "EUR", "amount")] == kinds(casino, DayTotal("EUR", 3, 17_400, 2))
    assert [("2026-11-30", "EUR", "rights"), ("2026-11-30", "EUR", "sessions")] == kinds(
        casino, DayTotal("EUR", 2, 17_400, 1)
    )
    assert [("2026-11-30", "RUR", kind) for kind in ("amount", "rights", "sessions")] == kinds(
        casino, AGREES, DayTotal("RUR", 1, 5, 1)
    )

    agreed = reconcile_central(casino.ports, DAY, [AGREES])
    assert ((), 0, 3) == (agreed.found, agreed.standing, agreed.cleared)


def test_c1_a_day_without_totals_there_lacks_every_figure(casino: Casino):
    """And another day's comparison closes nothing of it."""
    assert 3 == len(kinds(casino))
    other = reconcile_central(casino.ports, date(2026, 12, 1), [DayTotal("EUR", 1, 10_000, 1)])

    assert ((), 0) == (other.found, other.cleared)


def test_c1_totals_that_are_not_told_are_a_fault(casino: Casino):
    """Nothing is concluded from silence."""
    casino.central = (AGREES,)
    assert (AGREES,) == ask_totals(casino.ports, DAY)
    casino.central = Unknown("ReadTimeout")
    with pytest.raises(ReconciliationFault, match="told no totals: ReadTimeout"):
        ask_totals(casino.ports, DAY)


def compared(casino: Casino, **told: object) -> list[str]:
    """The days that a nightly run compares, when the central system tells totals by these."""
    asked: list[date] = []

    def totals(day: date) -> object:
        asked.append(day)
        return told.get(f"d{day:%m%d}", ())

    outcomes = reconcile_due(replace(casino.ports, totals=totals))
    with suppress(ReconciliationFault):
        list(outcomes)
    return [day.isoformat() for day in asked]


def test_c1_a_day_is_compared_once_and_one_that_was_not_told_again_until_it_is(casino: Casino):
    """Given silence about the 1st, then the 2nd is compared all the same, and the 1st each night.

    In a book that was never compared it is yesterday alone.
    """
    assert ["2026-11-30"] == compared(casino)
    assert [] == compared(casino)
    casino.wait(days=2)

    silence = Unknown("ReadTimeout")
    assert ["2026-12-01", "2026-12-02"] == compared(casino, d1201=silence)
    assert ["2026-12-01"] == compared(casino, d1201=silence)
    assert ["2026-12-01"] == compared(casino)
    assert [] == compared(casino)


def test_c1_a_night_without_an_answer_is_a_fault_that_is_tried_again(casino: Casino):
    """Given silence about yesterday, then nothing is registered."""
    casino.central = Unknown("ReadTimeout")
    for _ in range(2):
        with pytest.raises(ReconciliationFault, match="told no totals: ReadTimeout"):
            list(reconcile_due(casino.ports))


def test_c1_a_day_that_is_not_over_can_be_looked_at_and_is_compared_again(casino: Casino):
    """Given a comparison in the middle of the day, then the night's is made all the same."""
    assert ["2026-11-30"] == compared(casino)
    reconcile_central(casino.ports, date(2026, 12, 1), ())
    casino.wait(days=1)

    assert ["2026-12-01"] == compared(casino)
