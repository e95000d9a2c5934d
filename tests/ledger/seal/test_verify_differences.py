"""What people decided about differences is in the book as they asked, or it is found (G3, G5)."""

from uuid import uuid4

import pytest

from ledger.domain import commands as cmd
from ledger.domain.ids import difference_id
from tests.force import edit
from tests.house import MORNING, House

ABOUT = {"source": "statement", "scope": "card", "kind": "missing-there", "subject": "deposit p-1"}
KEY = difference_id(**ABOUT)


@pytest.fixture
def house_with_differences(house: House) -> House:
    """One that was found, assigned, resolved, found again and cleared."""
    for occurrence in (1, 2):
        named = {"difference": KEY, "occurrence": occurrence}
        house.do(cmd.FindDifference, **named, **ABOUT, found="is not there", since=MORNING)
        house.do(cmd.AssignDifference, **named, owner="ada")
        if occurrence == 1:
            house.do(cmd.ResolveDifference, **named, reason="paid by hand")
        else:
            house.do(cmd.ClearDifference, **named)
    return house


def test_g5_an_honest_book_with_differences_holds(house_with_differences: House) -> None:
    """Refused commands too: they leave their record alone."""
    house = house_with_differences
    late = cmd.AssignDifference(
        id=uuid4(), actor="desk-1", difference=KEY, occurrence=2, owner="bea"
    )
    assert "difference-closed" == house.ask(late).refusal
    house.seal()

    assert () == house.verify()


@pytest.mark.parametrize(
    ("topic", "changed"),
    [
        ("difference-found", {"found": "is there"}),
        ("difference-found", {"subject": "deposit p-2"}),
        ("difference-found", {"kind": "amount"}),
        ("difference-found", {"occurrence": 3}),
        ("difference-assigned", {"owner": "bea"}),
        ("difference-assigned", {"occurrence": 1}),
        ("difference-resolved", {"reason": "paid twice"}),
        ("difference-cleared", {"occurrence": 1}),
    ],
)
def test_g5_a_forged_decision_about_a_difference_is_found(
    house_with_differences: House, topic: str, changed: dict[str, object]
) -> None:
    """Changed before it was sealed, so that every hash is right; no other check has a word."""
    edit(house_with_differences, topic, lambda event: event.update(changed))
    house_with_differences.seal()

    assert {"differences"} == house_with_differences.checks_that_find()
