"""The book is opened once, with a name and a kind of clock."""

import pytest
from pydantic import ValidationError

from ledger.domain.commands import OpenBook
from ledger.domain.events import BookOpened
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
