"""Rows as PostgreSQL's binary arrays, each written in one pass (the save of guarantee G4).

The driver's own dumper looks at every element to find its type, which costs more than the rest of
sending a save. Here the types are fixed, so that a statement has one plan whatever its numbers are.
Format: the server's `array_send` for one dimension, that begins at 1.
"""

from collections.abc import Iterable, Sequence
from struct import Struct
from typing import ClassVar, Final, Self
from uuid import UUID

from psycopg import adapters
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format
from typing_extensions import override

_EMPTY: Final = Struct(">iiI")  # dimensions, whether there are nulls, type of the elements
_HEAD: Final = Struct(">iiIii")  # the same, then the length and the first index
_LENGTH: Final = Struct(">i")  # stands before each element
_INT8: Final = Struct(">iq")  # an element behind its length
_INT4: Final = Struct(">ii")
_NULL: Final = _LENGTH.pack(-1)
_UUID_LENGTH: Final = _LENGTH.pack(16)


class Array(bytes):
    """An array as it is sent; `OID` is its type and `ELEMENT` that of its elements."""

    __slots__ = ()
    OID: ClassVar[int]
    ELEMENT: ClassVar[int]

    @classmethod
    def _of(cls, items: Sequence[bytes]) -> Self:
        """The array of elements that stand behind their lengths."""
        if not items:
            return cls(_EMPTY.pack(0, 0, cls.ELEMENT))
        head = _HEAD.pack(1, _NULL in items, cls.ELEMENT, len(items), 1)
        return cls(head + b"".join(items))


class UuidArray(Array):
    """An array of `uuid`."""

    OID, ELEMENT = 2951, 2950

    @classmethod
    def of(cls, values: Iterable[UUID]) -> Self:
        """The array of these values."""
        return cls._of([_UUID_LENGTH + value.bytes for value in values])


class Int8Array(Array):
    """An array of `int8`, nulls among them."""

    OID, ELEMENT = 1016, 20

    @classmethod
    def of(cls, values: Iterable[int | None]) -> Self:
        """The array of these values."""
        return cls._of([_NULL if value is None else _INT8.pack(8, value) for value in values])


class Int4Array(Array):
    """An array of `int4`."""

    OID, ELEMENT = 1007, 23

    @classmethod
    def of(cls, values: Iterable[int]) -> Self:
        """The array of these values."""
        return cls._of([_INT4.pack(4, value) for value in values])


class TextArray(Array):
    """An array of `text` in UTF-8."""

    OID, ELEMENT = 1009, 25

    @classmethod
    def of(cls, values: Iterable[str]) -> Self:
        """The array of these values."""
        return cls._of([_measured(value.encode()) for value in values])


class ByteaArray(Array):
    """An array of `bytea`."""

    OID, ELEMENT = 1001, 17

    @classmethod
    def of(cls, values: Iterable[bytes]) -> Self:
        """The array of these values."""
        return cls._of([_measured(value) for value in values])


def _measured(value: bytes) -> bytes:
    return _LENGTH.pack(len(value)) + value


class _Sent(Dumper):
    format = Format.BINARY

    @override
    def dump(self, obj: Array) -> Buffer:
        return obj


for _array in (UuidArray, Int8Array, Int4Array, TextArray, ByteaArray):
    adapters.register_dumper(_array, type(_array.__name__, (_Sent,), {"oid": _array.OID}))
