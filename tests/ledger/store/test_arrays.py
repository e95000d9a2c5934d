"""Arrays as they are sent: the server reads back what was given."""

import struct
from uuid import UUID

import psycopg
import pytest

from ledger.store.arrays import ByteaArray, Int4Array, Int8Array, TextArray, UuidArray

FIRST, SECOND = UUID(int=1), UUID(int=2**128 - 1)


@pytest.mark.parametrize(
    ("array", "values"),
    [
        (UuidArray, [FIRST, SECOND]),
        (Int8Array, [0, -1, 2**63 - 1, None]),
        (Int4Array, [0, -1, 2**31 - 1]),
        (TextArray, ["bet-placed", "", "però"]),
        (ByteaArray, [b"", b"\x00\xff", b"x" * 70_000]),
        (UuidArray, []),
        (Int8Array, []),
    ],
)
def test_g4_the_server_reads_an_array_as_it_was_given(database, array, values):
    """Given values with bounds, nulls and blanks, when sent as one array, then they come back."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT %b", (array.of(values),), binary=True).fetchone()

    assert (values,) == row


def test_g4_a_number_that_does_not_fit_is_refused_before_it_is_sent():
    """Given a version beyond 64 bits, when written as an array, then it is an error."""
    with pytest.raises(struct.error):
        Int8Array.of([2**63])
