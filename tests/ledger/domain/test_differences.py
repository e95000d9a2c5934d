"""What reconciliation finds is found once, has an owner, and is carried until it is closed."""

from uuid import UUID

import pytest

from ledger.domain.commands import (
    AssignDifference,
    ClearDifference,
    FindDifference,
    ResolveDifference,
)
from ledger.domain.events import (
    DifferenceAssigned,
    DifferenceCleared,
    DifferenceFound,
    DifferenceResolved,
    PaymentRef,
)
from ledger.domain.ids import difference_id, difference_stream
from ledger.domain.refusals import Code
from tests.given import NOON, given, on
from tests.scenes import order

PAYMENT = PaymentRef(way="deposit", reference="pay-1", currency="EUR", here=5_000)
ABOUT = {"source": "statement", "scope": "card", "kind": "missing-there", "subject": "pay-1"}
TOLD = {**ABOUT, "found": "not on the statement", "since": NOON, "payment": PAYMENT}
KEY = difference_id(**ABOUT)
STREAM = difference_stream(KEY)


def found(occurrence: int = 1) -> DifferenceFound:
    """It was found."""
    return DifferenceFound(**TOLD, occurrence=occurrence)


def on_it(command, occurrence=1, **fields):
    """A command on the difference."""
    return order(command, difference=KEY, occurrence=occurrence, **fields)


def find(occurrence=1, **changed):
    """The command that finds it."""
    return on_it(FindDifference, occurrence, **{**TOLD, **changed})


ENDS = {
    "assigned": on_it(AssignDifference, owner="ada"),
    "resolved": on_it(ResolveDifference, reason="written off"),
    "cleared": on_it(ClearDifference),
}


def test_a_difference_is_found_once_while_it_is_open():
    """The first time it is on record with all that it says; a second time is refused."""
    first = given().when(find()).then(on(STREAM, found()))

    first.when(find()).then(Code.DIFFERENCE_OPEN)
    first.when(find(2)).then(Code.DIFFERENCE_OPEN)


@pytest.mark.parametrize(
    "end", [DifferenceResolved(occurrence=1, reason="written off"), DifferenceCleared(occurrence=1)]
)
def test_what_is_found_again_after_its_end_is_the_next_occurrence(end):
    """Whoever closed it; the number of the old one does not serve again."""
    before = given(on(STREAM, found(), end))

    before.when(find(2)).then(on(STREAM, found(2)))
    before.when(find(1)).then(Code.DIFFERENCE_OPEN)


def test_a_difference_has_owners_one_after_another_and_a_reason_at_its_end():
    """Assigned, assigned again, resolved."""
    owned = DifferenceAssigned(occurrence=1, owner="ada")
    given(on(STREAM, found())).when(ENDS["assigned"]).then(on(STREAM, owned)).when(
        on_it(AssignDifference, owner="bea")
    ).then(on(STREAM, DifferenceAssigned(occurrence=1, owner="bea"))).when(ENDS["resolved"]).then(
        on(STREAM, DifferenceResolved(occurrence=1, reason="written off"))
    )


def test_a_difference_that_is_gone_is_closed_by_rule():
    """It needs no reason."""
    given(on(STREAM, found())).when(ENDS["cleared"]).then(
        on(STREAM, DifferenceCleared(occurrence=1))
    )


@pytest.mark.parametrize("command", ENDS.values(), ids=ENDS)
def test_nothing_is_decided_about_a_difference_that_was_never_found(command):
    """Neither an owner nor an end, nor of an occurrence that has not come."""
    given().when(command).then(Code.UNKNOWN_DIFFERENCE)
    given(on(STREAM, found())).when(command.model_copy(update={"occurrence": 2})).then(
        Code.UNKNOWN_DIFFERENCE
    )


@pytest.mark.parametrize("command", ENDS.values(), ids=ENDS)
def test_what_is_closed_is_neither_assigned_nor_closed(command):
    """Nor is an earlier occurrence of one that is open."""
    closed = (found(), DifferenceCleared(occurrence=1))

    given(on(STREAM, *closed)).when(command).then(Code.DIFFERENCE_CLOSED)
    given(on(STREAM, *closed, found(2))).when(command).then(Code.DIFFERENCE_CLOSED)


@pytest.mark.parametrize("name", sorted(ABOUT))
def test_a_difference_is_known_by_what_it_is_about(name):
    """Another source, scope, kind or subject is another one, and cannot be put in its place."""
    other = "central" if name == "source" else "another"

    given().when(find(**{name: other})).then(Code.MALFORMED)
    assert KEY != difference_id(**{**ABOUT, name: other})


def test_parts_of_an_identity_do_not_run_into_each_other():
    """`a` and `bc` are not `ab` and `c`."""
    one = difference_id("statement", "a", "bc", "d")

    assert isinstance(one, UUID)
    assert one != difference_id("statement", "ab", "c", "d")
