"""The book is opened once, and has on record what personal data left it."""

from datetime import date

import pytest
from pydantic import ValidationError

from ledger.domain.commands import DisclosePersonalData, OpenBook
from ledger.domain.events import BookOpened, PersonalDataDisclosed
from ledger.domain.ids import BOOK
from ledger.domain.refusals import Code
from tests.given import given, on
from tests.scenes import BOOK_OPENED, order


def test_the_first_event_of_a_book_names_it_and_its_clock():
    """Every report repeats both."""
    given().when(order(OpenBook, book="roma", clock="real")).then(
        on(BOOK, BookOpened(book="roma", clock="real"))
    )


def test_a_book_is_opened_once():
    """A second name or clock is refused."""
    given(BOOK_OPENED).when(order(OpenBook, book="roma", clock="real")).then(Code.BOOK_ALREADY_OPEN)


def test_a_clock_is_real_or_simulated():
    """No other word is a clock."""
    with pytest.raises(ValidationError):
        order(OpenBook, book="roma", clock="fast")


MARCH = {"first": date(2026, 3, 1), "last": date(2026, 3, 31)}
WHY = {"root": "ab" * 32, "recipient": "the regulator", "reason": "inspection 7"}


def test_g10_a_disclosure_stands_in_the_book_with_its_recipient_and_reason():
    """Given an open book, when personal data is to leave it, then what and for whom is an event."""
    given(BOOK_OPENED).when(order(DisclosePersonalData, **MARCH, **WHY)).then(
        on(BOOK, PersonalDataDisclosed(**MARCH, **WHY))
    )


def test_g10_a_book_may_disclose_more_than_once():
    """Given a disclosure, then another one is one more event."""
    before = on(BOOK, PersonalDataDisclosed(**MARCH, **WHY))
    again = WHY | {"reason": "inspection 8"}
    given(BOOK_OPENED, before).when(order(DisclosePersonalData, **MARCH, **again)).then(
        on(BOOK, PersonalDataDisclosed(**MARCH, **again))
    )


def test_nothing_is_disclosed_of_a_book_that_is_not_open_or_of_no_days():
    """Given no book, or days in the wrong order, then nothing stands on record."""
    backwards = {"first": MARCH["last"], "last": MARCH["first"]}
    given().when(order(DisclosePersonalData, **MARCH, **WHY)).then(Code.BOOK_NOT_OPEN)
    given(BOOK_OPENED).when(order(DisclosePersonalData, **backwards, **WHY)).then(Code.MALFORMED)
