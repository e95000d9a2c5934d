"""A statement is matched by reference, then by amount and time; what differs has a class."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from ledger.domain.events import PaymentRef
from ledger.reconciliation.matching import Carried, Compared, Matched, match
from ledger.reconciliation.statements import Payment

KINDS = ("missing-here", "missing-there", "amount", "currency", "duplicate", "timing")
MONDAY = datetime(2026, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def pay(reference, amount=1_000, hours=10.0, way="deposit", currency="EUR"):
    """A payment so many hours after Monday began."""
    return Payment(way, reference, amount, currency, MONDAY + hours * HOUR)


def book(*payments, day=0, carried=(), settled=None, window=6 * HOUR):
    """What a statement of Monday, or of a later day, is held against: the book has these."""
    begins = MONDAY + day * DAY
    near = [p for p in payments if begins - window <= p.at < begins + DAY + window]
    return Compared("card", begins, begins + DAY, window, near, carried, settled or {})


def kinds(matched):
    """Class and subject of what was found."""
    return [(d.kind, d.subject) for d in matched.found]


def open_after(matched: Matched, before=()):
    """What is open after a statement: what was found, and what was open and is not cleared."""
    found = {d.key: Carried(d.key, d.kind, d.since, d.payment, d.found) for d in matched.found}
    kept = {c.key: c for c in before if c.key not in matched.cleared}
    return tuple({**kept, **found}.values())


def settled_by(matched: Matched, before):
    """The payments of what was cleared, with the reference of their other side."""
    pairs = {}
    for carried in before:
        other = matched.cleared.get(carried.key)
        if other is not None:
            way, mine = carried.side
            pairs |= {(way, mine): other, (way, other): mine}
    return pairs


def test_payments_of_the_same_reference_amount_and_currency_agree():
    """Whenever each side recorded them; what goes out is numbered apart from what comes in."""
    lines = [pay("p-1", hours=1), pay("p-1", 500, hours=3, way="withdrawal")]
    here = [pay("p-1", hours=9), pay("p-1", 500, hours=9, way="withdrawal")]

    assert Matched((), {}, 2) == match(lines, book(*here))


@pytest.mark.parametrize(
    ("lines", "here", "expected"),
    [
        ([pay("p-1")], [], ("missing-here", "deposit p-1")),
        ([], [pay("p-1")], ("missing-there", "deposit p-1")),
        ([], [pay("p-1", hours=18)], ("timing", "deposit p-1")),
        ([pay("p-1", hours=23)], [pay("p-1", hours=24)], ("timing", "deposit p-1")),
        ([pay("p-1", 1_001)], [pay("p-1")], ("amount", "deposit p-1")),
        ([pay("p-1", currency="USD")], [pay("p-1")], ("currency", "deposit p-1")),
        ([pay("p-1"), pay("p-1")], [pay("p-1")], ("duplicate", "deposit p-1")),
    ],
    ids=["missing-here", "missing-there", "in-transit", "later-period", "amount", "currency",
         "duplicate"],
)  # fmt: skip
def test_each_class_of_difference_is_found_and_nothing_else(lines, here, expected):
    """Beside ten payments that agree."""
    same = [pay(f"q-{n}", 100 + n, hours=n) for n in range(10)]

    assert [expected] == kinds(match([*same, *lines], book(*same, *here)))
    assert expected[0] in KINDS


def test_a_difference_tells_both_amounts_and_when_it_happened():
    """Its age counts from the payment in the book, or from the line where the book has none."""
    (found,) = match([pay("p-1", 1_250, hours=2)], book(pay("p-1", hours=3))).found

    assert PaymentRef(way="deposit", reference="p-1", currency="EUR", here=1_000, there=1_250) == (
        found.payment
    )
    assert MONDAY + 3 * HOUR == found.since
    assert "The deposit of 10.00 EUR is 12.50 on the statement." == found.found


def test_an_amount_in_another_currency_is_told_in_words_alone():
    """Given 10.00 EUR here and 40.00 USD there, then no figure stands under the wrong currency."""
    (found,) = match([pay("p-1", 4_000, currency="USD")], book(pay("p-1"))).found

    assert PaymentRef(way="deposit", reference="p-1", currency="EUR", here=1_000, there=None) == (
        found.payment
    )
    assert "The deposit of 10.00 EUR is 40.00 USD on the statement." == found.found


def test_other_references_are_matched_by_amount_with_the_nearest_in_time():
    """Of two that fit, each line takes the nearest; what is farther than the window stays."""
    lines = [pay("x", hours=10), pay("y", hours=12), pay("z", hours=1)]
    here = [pay("p-1", hours=11.5), pay("p-2", hours=9), pay("p-3", hours=7.5)]

    assert [("missing-here", "deposit z"), ("missing-there", "deposit p-3")] == kinds(
        match(lines, book(*here))
    )


@pytest.mark.parametrize(
    "other",
    [pay("x", 999), pay("x", way="withdrawal"), pay("x", currency="RUR"), pay("x", hours=3)],
)
def test_nothing_is_matched_by_amount_that_differs_in_amount_way_currency_or_time(other):
    """It is missing on both sides then."""
    assert ["missing-here", "missing-there"] == [
        d.kind for d in match([other], book(pay("p-1"))).found
    ]


def test_a_payment_in_transit_is_closed_by_the_next_statement():
    """Recorded at 23:30 here and half past midnight there; a rerun of either finds nothing new."""
    here = [pay("p-1", hours=23.5)]
    first = match([], book(*here))
    carried = open_after(first)
    lines = [pay("p-1", hours=24.5)]
    second = match(lines, book(*here, day=1, carried=carried))

    assert [("timing", "deposit p-1")] == kinds(first)
    assert ((), {carried[0].key: "p-1"}) == (second.found, second.cleared)
    settled = settled_by(second, carried)
    assert Matched((), {}, 0) == match([], book(*here, settled=settled))
    assert Matched((), {}, 1) == match(lines, book(*here, day=1, settled=settled))


def test_a_payment_that_the_book_has_a_day_later_is_closed_when_that_day_is_compared():
    """The next statement does not have it, and it is not missing there."""
    here, lines = [pay("p-1", hours=24.5)], [pay("p-1", hours=23.5)]
    first = match(lines, book(*here))
    carried = open_after(first)
    again = match(lines, book(*here, carried=carried))
    second = match([], book(*here, day=1, carried=carried))

    assert [("timing", "deposit p-1")] == kinds(first) == kinds(again)
    assert ({}, {carried[0].key: "p-1"}) == (again.cleared, second.cleared)
    assert () == second.found
    settled = settled_by(second, carried)
    assert () == match(lines, book(*here, settled=settled)).found
    assert () == match([], book(*here, day=1, settled=settled)).found


def test_a_payment_under_another_reference_is_remembered_with_it():
    """Matched by amount over midnight, when the next day shows that it has no line of its own."""
    here, lines = [pay("p-1", hours=24.5)], [pay("line", hours=23.5)]
    first = match(lines, book(*here))
    carried = open_after(first)
    second = match([], book(*here, day=1, carried=carried))

    assert [("missing-here", "deposit line")] == kinds(first)
    assert kinds(first) == kinds(match(lines, book(*here, carried=carried)))
    assert ((), {carried[0].key: "p-1"}) == (second.found, second.cleared)
    settled = settled_by(second, carried)
    assert () == match(lines, book(*here, settled=settled)).found
    assert () == match([], book(*here, day=1, settled=settled)).found


@pytest.mark.parametrize("hours", [23, 1], ids=["the-day-before", "the-day-after"])
def test_a_line_that_the_book_lacks_is_not_taken_for_another_days_payment(hours):
    """Given payments of 10.00 with lines of their own each day, then one more line stays missing.

    It is an hour from another day's payment, and from that day's statement nothing clears it.
    """
    every = [pay("p-1", hours=-1), pay("p-2", hours=12), pay("p-3", hours=25)]
    new = pay("new", hours=hours)
    monday = match([every[1], new], book(*every))
    carried = open_after(monday)

    assert [("missing-here", "deposit new")] == kinds(monday)
    for day, own in ((-1, every[0]), (1, every[2])):
        other = match([own], book(*every, day=day, carried=carried))
        assert ([("missing-here", "deposit new")], {}) == (kinds(other), other.cleared)


def test_another_line_of_the_same_amount_is_not_matched_with_what_was_matched_before():
    """A second line that the book lacks is missing here, however near the settled payment is."""
    here = [pay("p-1", hours=24.5)]
    settled = {("deposit", "p-1"): "p-1"}

    assert [("missing-here", "deposit new")] == kinds(
        match([pay("new", hours=25)], book(*here, day=1, settled=settled))
    )


def test_what_the_book_records_after_the_statement_clears_the_missing_line():
    """A line of Monday that is booked on Tuesday, under a reference of its own."""
    lines = [pay("line", hours=22)]
    carried = open_after(match(lines, book()))
    here = [pay("p-1", hours=25)]
    second = match([], book(*here, day=1, carried=carried))

    assert ["missing-here"] == [c.kind for c in carried]
    assert ((), {carried[0].key: "p-1"}) == (second.found, second.cleared)
    settled = settled_by(second, carried)
    assert () == match(lines, book(*here, settled=settled)).found
    assert () == match([], book(*here, day=1, settled=settled)).found


def test_what_no_later_statement_has_is_missing_there():
    """In transit on Monday, missing on Tuesday, and still the same on Wednesday."""
    here = [pay("p-1", hours=23.5)]
    carried = open_after(match([], book(*here)))
    tuesday = match([], book(*here, day=1, carried=carried))
    after = open_after(tuesday, carried)
    settled = settled_by(tuesday, carried)
    wednesday = match([], book(day=2, carried=after, settled=settled))

    assert [("missing-there", "deposit p-1")] == kinds(tuesday) == kinds(wednesday)
    assert {carried[0].key: None} == tuesday.cleared
    assert {} == wednesday.cleared
    assert {MONDAY + 23.5 * HOUR} == {c.since for c in after}


def test_an_older_statement_clears_nothing_of_a_later_one():
    """Sunday's statement says nothing of what is missing on Monday's, nor of amounts there."""
    monday = match([pay("a", 900), pay("b")], book(pay("a"), pay("c", 5)))
    carried = open_after(monday)
    sunday = match([], book(day=-1, carried=carried))

    assert ["amount", "missing-here", "missing-there"] == [c.kind for c in carried]
    assert {} == sunday.cleared
    assert {("missing-here", "deposit b"), ("missing-there", "deposit c")} == set(kinds(sunday))


def test_an_amount_that_the_provider_corrects_is_cleared_by_the_same_days_statement():
    """Its statement of the same day is given again, and agrees."""
    carried = open_after(match([pay("a", 900)], book(pay("a"))))

    assert {carried[0].key: "a"} == match([pay("a")], book(pay("a"), carried=carried)).cleared


payments = st.builds(
    pay,
    st.sampled_from("abcdef"),
    st.integers(1, 3),
    st.integers(0, 23),
    st.sampled_from(["deposit", "withdrawal"]),
    st.sampled_from(["EUR", "RUR"]),
)
sides = st.lists(payments, max_size=8, unique_by=lambda p: p.key)


@given(lines=st.lists(payments, max_size=8), here=sides)
def test_every_payment_of_either_side_is_matched_or_told_once(lines, here):
    """Pairs and what is missing add up to both sides; a rerun finds and clears nothing new."""
    first = match(lines, book(*here))
    counts = {kind: sum(d.kind == kind for d in first.found) for kind in KINDS}
    paired = first.pairs + counts["amount"] + counts["currency"]
    in_transit = counts["timing"]

    assert len({p.key for p in lines}) == paired + counts["missing-here"]
    assert len(here) == paired + counts["missing-there"] + in_transit
    again = match(lines, book(*here, carried=open_after(first)))
    assert (sorted(kinds(first)), {}) == (sorted(kinds(again)), again.cleared)
