"""Corrections in a package: the second table of postings books them as the book does (G1)."""

from uuid import UUID

import orjson
import pytest

from ledger.domain.events import CorrectionLine, CorrectionPosted
from ledger.domain.ids import conto_stream, correction_stream
from ledger.domain.money import Currency
from ledger.domain.postings import postings as of_the_book
from ledger.exports.verifier.log import Event
from ledger.exports.verifier.money import postings

ID = UUID(int=7)
POSTED = CorrectionPosted(
    corrects=UUID(int=1),
    code="wrong-player",
    reason="the payment was bruno's",
    approvers=("ada", "carlo"),
    currency=Currency.EUR,
    lines=(
        CorrectionLine(source="player:anna-1:conto", target="player:bruno-2:conto", amount=700),
        CorrectionLine(source="house:bonus", target="player:anna-1:conto", amount=1),
    ),
)


def told(stream: str, **changes: object) -> Event:
    """The correction as a package's line tells it, in a stream, with some fields changed."""
    entry = {"stream": stream, "event": orjson.loads(POSTED.model_dump_json()) | changes}
    return Event(1, ID, 1, POSTED.NAME, entry, b"")


def test_g1_both_tables_book_a_correction_line_by_line():
    """Given two lines, then the same two postings by either table."""
    stream = correction_stream(ID)

    assert [
        (p.source.address, p.target.address, p.amount, p.currency.value)
        for p in of_the_book(stream, POSTED)
    ] == list(postings(told(stream)))


def test_g1_a_correction_in_another_stream_moves_nothing():
    """Given it in a conto's stream, then it is no event that can stand there."""
    with pytest.raises(ValueError, match="cannot hold"):
        list(postings(told(conto_stream("anna-1"))))


@pytest.mark.parametrize("approvers", [[], ["ada"], ["ada", "ada"], ["ada", " Ada "]])
def test_g1_a_correction_that_one_person_approved_of_moves_nothing(approvers: list[str]):
    """Given the same name twice, however it is written, or fewer, then it is no correction."""
    with pytest.raises(ValueError, match="two approvers"):
        list(postings(told(correction_stream(ID), approvers=approvers)))
