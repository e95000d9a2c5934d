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
_LENGTH: Final = Struct(">i")
_INT8: Final = Struct(">q")
_INT4: Final = Struct(">i")
_NULL: Final = _LENGTH.pack(-1)


class Array(bytes):
    """An array as it is sent; `OID` is its type and `ELEMENT` that of its elements."""

    __slots__ = ()
    OID: ClassVar[int]
    ELEMENT: ClassVar[int]

    @classmethod
    def _of(cls, items: Sequence[bytes | None]) -> Self:
        if not items:
            return cls(_EMPTY.pack(0, 0, cls.ELEMENT))
        parts = [_HEAD.pack(1, None in items, cls.ELEMENT, len(items), 1)]
        for item in items:
            parts += (_NULL,) if item is None else (_LENGTH.pack(len(item)), item)
        return cls(b"".join(parts))


class UuidArray(Array):
    """An array of `uuid`."""

    OID, ELEMENT = 2951, 2950

    @classmethod
    def of(cls, values: Iterable[UUID]) -> Self:
        """The array of these values."""
        return cls._of([value.bytes for value in values])


class Int8Array(Array):
    """An array of `int8`, nulls among them."""

    OID, ELEMENT = 1016, 20

    @classmethod
    def of(cls, values: Iterable[int | None]) -> Self:
        """The array of these values."""
        return cls._of([None if value is None else _INT8.pack(value) for value in values])


class Int4Array(Array):
    """An array of `int4`."""

    OID, ELEMENT = 1007, 23

    @classmethod
    def of(cls, values: Iterable[int]) -> Self:
        """The array of these values."""
        return cls._of([_INT4.pack(value) for value in values])


class TextArray(Array):
    """An array of `text` in UTF-8."""

    OID, ELEMENT = 1009, 25

    @classmethod
    def of(cls, values: Iterable[str]) -> Self:
        """The array of these values."""
        return cls._of([value.encode() for value in values])


class ByteaArray(Array):
    """An array of `bytea`."""

    OID, ELEMENT = 1001, 17

    @classmethod
    def of(cls, values: Iterable[bytes]) -> Self:
        """The array of these values."""
        return cls._of(list(values))


class _Sent(Dumper):
    format = Format.BINARY

    @override
    def dump(self, obj: Array) -> Buffer:
        return obj


for _array in (UuidArray, Int8Array, Int4Array, TextArray, ByteaArray):
    adapters.register_dumper(_array, type(_array.__name__, (_Sent,), {"oid": _array.OID}))
