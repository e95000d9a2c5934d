"""Alerts on returns and outcomes: raised with their figures, answered once by a named person."""

from datetime import date

import pytest
from pydantic import ValidationError

from ledger.domain.commands import AcknowledgeRtpAlert, RaiseRtpAlert
from ledger.domain.events import RtpAlertAcknowledged, RtpAlertRaised
from ledger.domain.ids import alert_stream
from ledger.domain.postings import postings
from ledger.domain.refusals import Code
from tests.given import given, on
from tests.scenes import order, uid

ALERT = uid(7)
STREAM = alert_stream(ALERT)
FIGURES = {
    "grade": "alarm",
    "statistic": "outcomes",
    "sheet": "european-roulette-classic",
    "sheet_version": 1,
    "subject": "pocket at roulette-1",
    "period": "life",
    "first_day": date(2026, 1, 1),
    "last_day": date(2026, 3, 1),
    "value": "5.104",
    "threshold": "4.606",
    "rounds": 21_500,
    "checkpoint_size": 129_020,
    "checkpoint_root": "ab" * 32,
}
RAISED = RtpAlertRaised(**FIGURES)
FOUND = {"person": "Ada Neri", "finding": "il separatore era consumato; ruota sostituita"}
ANSWER = order(AcknowledgeRtpAlert, alert=ALERT, **FOUND)


def test_an_alert_is_raised_with_its_figures_and_moves_no_money():
    """Given nothing, when the duty raises it, then all its figures are on record."""
    given().when(order(RaiseRtpAlert, 7, **FIGURES)).then(on(STREAM, RAISED))

    assert () == postings(STREAM, RAISED)


def test_an_alert_has_one_finding_which_stands():
    """Given an alert, when it is answered, then by whom and with what; a second answer never."""
    (
        given(on(STREAM, RAISED))
        .when(ANSWER)
        .then(on(STREAM, RtpAlertAcknowledged(**FOUND)))
        .when(ANSWER)
        .then(Code.ALERT_ACKNOWLEDGED)
    )


def test_only_an_alert_that_was_raised_is_acknowledged():
    """Given no alert of the id, then there is nothing to answer."""
    given().when(ANSWER).then(Code.UNKNOWN_ALERT)


@pytest.mark.parametrize("value", ["5.1", "5,104", "nan", "inf", "1e3", "5.1041", " 5.104", ""])
def test_a_figure_has_three_decimals_and_nothing_else(value):
    """Given another text in a figure's place, then no event can hold it."""
    with pytest.raises(ValidationError):
        RtpAlertRaised(**{**FIGURES, "value": value})
