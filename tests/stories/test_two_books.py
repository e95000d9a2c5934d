"""A concession runs several books in one database; they never see each other (G4, G5, G6)."""

from collections.abc import Iterator
from secrets import token_hex

import psycopg
import pytest

from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, sheet_stream, stream_key
from ledger.store.recorder import ANY_TIME, Admission
from ops.migrate import ROLES, migrate
from tests.house import CLASSIC, House, opened_house, order

TABLES = ("events", "sealed", "checkpoints", "snapshots", "lineage", "day_closings", "migrations")


@pytest.fixture
def other(database: str) -> Iterator[House]:
    """A second book of the same database."""
    name = f"t_{token_hex(6)}"
    migrate(database, name)
    with opened_house(database, name) as concession:
        yield concession


def test_one_player_and_one_command_id_live_in_two_books_apart(house: House, other: House) -> None:
    """The same names, the same ids, other money: neither book knows of the other."""
    for book, balance in ((house, 10_00), (other, 20_00)):
        book.conto("anna-1", balance)
    command = order(cmd.CloseConto, player="anna-1", reason="moved away")
    assert [house.ask(command).refusal, other.ask(command).refusal] == ["conto-not-empty"] * 2
    balances = [b.service.state(conto_stream("anna-1")).balance for b in (house, other)]
    assert balances == [10_00, 20_00]


def test_g6_each_book_is_sealed_alone_and_only_by_its_own_key(house: House, other: House) -> None:
    """Positions, checkpoints and signatures are a book's own."""
    house.seat()
    mine = house.seal()
    assert mine is not None
    assert (house.count("sealed"), other.count("sealed")) == (house.count(), 0)
    theirs = other.seal()
    assert theirs is not None
    assert (house.verify(), other.verify()) == ((), ())
    assert (mine.size, theirs.size) == (house.count(), other.count())
    assert house.trust.origin not in theirs.note


def test_g6_two_sealers_of_two_books_work_side_by_side(house: House, other: House) -> None:
    """The lock of a sealer is its book's."""
    with house.connected("sealer") as busy, busy.transaction():
        with busy.cursor() as cursor:
            assert house.sealer._alone(cursor)
        sealed = other.seal()
    assert sealed is not None
    assert sealed.size == other.count()


@pytest.mark.parametrize("role", ROLES)
def test_g5_no_role_of_one_book_reaches_the_other(house: House, other: House, role: str) -> None:
    """Not even the owner of a book may look into another one."""
    refused = []
    with psycopg.connect(house.conninfo, autocommit=True) as connection:
        connection.execute(f"SET SESSION AUTHORIZATION {house.book}_{role}")
        for table in TABLES:
            try:
                connection.execute(f"SELECT 1 FROM {other.book}.{table}")
            except psycopg.Error as error:
                refused.append(error.sqlstate)
    assert refused == ["42501"] * len(TABLES)


def test_locks_of_a_stream_in_one_book_do_not_wait_for_the_other(
    house: House, other: House
) -> None:
    """A sheet being published here does not keep rounds waiting there."""
    key = stream_key(sheet_stream(CLASSIC))
    claim = Admission(at=ANY_TIME.at, claims=(key,))
    seat = other.seat()
    with psycopg.connect(house.conninfo) as publishing:
        publishing.execute(
            f"SELECT {house.book}.admit(%s, %s::uuid[], %s::int8[])", claim.parameters()
        )
        assert other.play(seat).refusal is None


def test_a_book_is_migrated_twice_and_beside_others_without_a_change(house: House) -> None:
    """Migrations are applied once; running them again reports none."""
    before = house.count()
    assert migrate(house.conninfo, house.book) == ()
    assert house.count() == before
