"""Alerts forged by force are found: other figures, other checkpoints, answers to nothing (G5)."""

from datetime import date
from typing import Any

import pytest

from ledger.domain import commands as cmd
from tests.force import by_force, edit
from tests.house import House


def figures(house: House) -> dict[str, Any]:
    """What an alert says of the newest checkpoint."""
    ((size, root),) = house.rows("SELECT size, root FROM checkpoints ORDER BY size DESC LIMIT 1")
    return {
        "grade": "warning",
        "statistic": "returns",
        "sheet": "european-roulette-classic",
        "sheet_version": 1,
        "subject": "EUR",
        "period": "30-days",
        "first_day": date(2026, 2, 1),
        "last_day": date(2026, 3, 2),
        "value": "-2.104",
        "threshold": "1.960",
        "rounds": 1_500,
        "checkpoint_size": size,
        "checkpoint_root": bytes(root).hex(),
    }


@pytest.fixture
def told(house: House) -> House:
    """A book with an alert of its first checkpoint and a finding, not sealed yet."""
    house.seal()
    alert = house.do(cmd.RaiseRtpAlert, **figures(house)).command
    answer = {"person": "ada", "finding": "within what players choose"}
    house.do(cmd.AcknowledgeRtpAlert, alert=alert, **answer)
    return house


def found(house: House) -> set[str]:
    """The names of the checks that find something once all is sealed."""
    house.seal()
    return {finding.check for finding in house.verify()}


def test_g5_an_honest_alert_and_its_finding_verify(told):
    """Given an alert of a checkpoint that the book has, and its answer, then nothing is found."""
    assert set() == found(told)


@pytest.mark.parametrize(
    ("topic", "change"),
    [
        ("rtp-alert-raised", {"value": "-1.104"}),
        ("rtp-alert-raised", {"grade": "alarm"}),
        ("rtp-alert-raised", {"rounds": 15}),
        ("rtp-alert-raised", {"checkpoint_root": "ab" * 32}),
        ("rtp-alert-raised", {"checkpoint_size": 1}),
        ("rtp-alert-raised", {"checkpoint_size": 10_000}),
        ("rtp-alert-acknowledged", {"person": "bruno"}),
        ("rtp-alert-acknowledged", {"finding": "nothing at all"}),
    ],
)
def test_g5_figures_and_findings_are_those_that_were_asked_for(told, topic, change):
    """Given an alert or a finding that was changed before it was sealed, then it is found."""
    edit(told, topic, lambda event: event.update(change))

    assert {"alerts"} == found(told)


def test_g6_an_alert_names_a_checkpoint_that_the_book_has(house):
    """Given an alert that asked for a root which no checkpoint has, then it is found."""
    house.seal()
    house.do(cmd.RaiseRtpAlert, **{**figures(house), "checkpoint_root": "ab" * 32})

    assert {"alerts"} == found(house)


def test_g5_an_answer_without_its_alert_is_found(told):
    """Given an alert whose record was taken away, then its finding answers nothing."""
    by_force(told, "DELETE FROM events WHERE topic = 'rtp-alert-raised'")

    assert "alerts" in found(told)
