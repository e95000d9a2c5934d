"""Verification holds what personal data left the book against the command that asked it (G10)."""

from datetime import date
from typing import Any

import pytest

from ledger.domain import commands as cmd
from tests.force import edit
from tests.house import House

ASKED = {
    "first": date(2026, 3, 1),
    "last": date(2026, 3, 31),
    "root": "ab" * 32,
    "recipient": "the regulator",
    "reason": "inspection 7",
}


@pytest.fixture
def disclosed(house: House) -> House:
    """A disclosure that is not sealed yet."""
    house.seal()
    house.do(cmd.DisclosePersonalData, **ASKED)
    return house


def test_g10_an_honest_disclosure_verifies_and_a_repeated_one_is_the_same(house: House) -> None:
    """Given the command twice under one id, then the book has it once, and holds."""
    command = cmd.DisclosePersonalData(id=house.do(cmd.DisclosePersonalData, **ASKED).command,
                                       actor="desk-1", **ASKED)  # fmt: skip
    assert house.ask(command).refusal is None
    house.seal()
    assert () == house.verify()
    named = house.rows("SELECT count(*) FROM events WHERE topic = 'personal-data-disclosed'")
    assert [(1,)] == named


@pytest.mark.parametrize(
    "change",
    [{"recipient": "somebody"}, {"reason": "none"}, {"first": "2026-03-02"}, {"root": "cd" * 32}],
)
def test_g10_a_disclosure_that_was_changed_is_found(
    disclosed: House, change: dict[str, Any]
) -> None:
    """Given another recipient, reason, day or checkpoint, then its command asked for another."""
    edit(disclosed, "personal-data-disclosed", lambda e: e.update(change))
    disclosed.seal()
    assert {"disclosures"} == disclosed.checks_that_find()


def test_g10_a_disclosure_that_nobody_asked_for_or_that_went_is_found(disclosed: House) -> None:
    """Given a record of another kind beside it, then the command made none, or one too many."""
    edit(disclosed, "command-answered", lambda e: e.update(kind="open-book"))
    disclosed.seal()
    assert {"disclosures"} == disclosed.checks_that_find()


def test_g10_a_command_that_discloses_and_left_no_event_is_found(house: House) -> None:
    """Given a record that says so without the event, then that is missing."""
    house.seal()
    house.conto("anna-1")
    edit(house, "command-answered", lambda e: e.update(kind="disclose-personal-data"))
    house.seal()
    assert {"disclosures"} == house.checks_that_find()
