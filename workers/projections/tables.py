"""Tables of projections, described as data, so that writing and reading them is one piece of code.

Rows are tuples in the order of the columns. Every physical row also has a generation, which the
functions here put in front and readers never see.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from psycopg.sql import SQL, Composed, Identifier
from typing_extensions import override

from workers.log import Cursor

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Which rows are meant: a book's, of one generation."""

    book: str
    generation: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a projection; `columns` are its names and PostgreSQL types, keys included."""

    name: str
    keys: tuple[str, ...]
    columns: Mapping[str, str]

    @override
    def __hash__(self) -> int:
        return hash(self.name)

    def insert(self, cursor: Cursor, place: Place, rows: Iterable[Row]) -> None:
        """Add rows that are not there yet."""
        names = SQL(", ").join(map(Identifier, ("generation", *self.columns)))
        statement = SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(_of(self, place), names)
        with cursor.copy(statement) as copy:
            copy.set_types(["int4", *self.columns.values()])
            for row in rows:
                copy.write_row((place.generation, *row))

    def put(self, cursor: Cursor, place: Place, rows: Sequence[Row]) -> None:
        """Write rows, in place of those that have the same keys."""
        self._merge(cursor, place, rows, "{column} = EXCLUDED.{column}")

    def add(self, cursor: Cursor, place: Place, rows: Sequence[Row]) -> None:
        """Add the figures of rows to those that have the same keys."""
        self._merge(cursor, place, rows, "{column} = t.{column} + EXCLUDED.{column}")

    def load(self, cursor: Cursor, place: Place, values: Sequence[Any]) -> list[Row]:
        """The rows whose first key is one of the values."""
        cursor.execute(_load(self, place.book), (place.generation, list(values)))
        return cursor.fetchall()

    def all(self, cursor: Cursor, book: str) -> list[Row]:
        """The rows that readers see, in the order of their keys."""
        names, keys = (SQL(", ").join(map(Identifier, c)) for c in (self.columns, self.keys))
        view = SQL("{}.{}").format(Identifier(book), Identifier(self.name))
        cursor.execute(SQL("SELECT {} FROM {} ORDER BY {}").format(names, view, keys))
        return cursor.fetchall()

    def clear(self, cursor: Cursor, place: Place) -> None:
        """Delete the rows of every other generation."""
        text = SQL("DELETE FROM {} WHERE generation <> %s").format(_of(self, place))
        cursor.execute(text, (place.generation,))

    def drop(self, cursor: Cursor, place: Place) -> None:
        """Delete the rows of one generation."""
        text = SQL("DELETE FROM {} WHERE generation = %s").format(_of(self, place))
        cursor.execute(text, (place.generation,))

    def differing(self, cursor: Cursor, book: str, both: tuple[int, int], most: int) -> list[str]:
        """The keys of rows that one of two generations has and the other has not, up to so many."""
        one, other = both
        cursor.execute(_differing(self, book), {"one": one, "other": other, "most": most})
        return [row[0] for row in cursor.fetchall()]

    def _merge(self, cursor: Cursor, place: Place, rows: Sequence[Row], step: str) -> None:
        if rows:
            arrays = [list(column) for column in zip(*sorted(rows, key=self._key), strict=True)]
            cursor.execute(_merge(self, place.book, step), (place.generation, *arrays))

    def rows(self, items: Iterable[Any]) -> list[Row]:
        """Objects whose fields are named as the columns, as rows."""
        return list(map(attrgetter(*self.columns), items))

    def _key(self, row: Row) -> Row:
        """Rows are written in the order of their keys."""
        return row[: len(self.keys)]


def _of(table: Table, place: Place) -> Composed:
    return _physical(table, place.book)


def _physical(table: Table, book: str) -> Composed:
    return SQL("{}.{}").format(Identifier(book), Identifier(f"{table.name}_rows"))


@lru_cache(maxsize=256)
def _merge(table: Table, book: str, step: str) -> Composed:
    names = SQL(", ").join(map(Identifier, table.columns))
    arrays = SQL(", ").join(SQL("%s::" + kind + "[]") for kind in table.columns.values())
    figures = [c for c in table.columns if c not in table.keys]
    steps = (SQL(step).format(column=Identifier(c)) for c in figures)
    return SQL(
        "INSERT INTO {table} AS t (generation, {names}) SELECT %s, u.* FROM unnest({arrays}) AS u "
        "ON CONFLICT (generation, {keys}) DO UPDATE SET {steps}"
    ).format(
        table=_physical(table, book),
        names=names,
        arrays=arrays,
        keys=SQL(", ").join(map(Identifier, table.keys)),
        steps=SQL(", ").join(steps),
    )


@lru_cache(maxsize=256)
def _load(table: Table, book: str) -> Composed:
    return SQL("SELECT {names} FROM {table} WHERE generation = %s AND {key} = ANY(%s)").format(
        names=SQL(", ").join(map(Identifier, table.columns)),
        table=_physical(table, book),
        key=Identifier(table.keys[0]),
    )


@lru_cache(maxsize=64)
def _differing(table: Table, book: str) -> Composed:
    """Rows meet by their keys, which no two rows of a generation share; sorted or hashed once."""
    row = SQL("({})").format(SQL(", ").join(map(Identifier, table.columns)))
    one, other = (
        SQL("(SELECT {keys}, ROW{row} AS told FROM {table} WHERE generation = {which})").format(
            keys=SQL(", ").join(map(Identifier, table.keys)),
            row=row,
            table=_physical(table, book),
            which=SQL(which),
        )
        for which in ("%(one)s", "%(other)s")
    )
    keys = SQL(", ").join(map(Identifier, table.keys))
    return SQL(
        "SELECT concat_ws(' ', {keys}) FROM {one} AS one FULL JOIN {other} AS other USING ({keys}) "
        "WHERE one.told IS DISTINCT FROM other.told ORDER BY 1 LIMIT %(most)s"
    ).format(keys=keys, one=one, other=other)
