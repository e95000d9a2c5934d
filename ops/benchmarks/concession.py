"""What is measured: books with their sheets, players in open sessions, and rounds of three bets."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import psycopg

from games import registry
from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.events import Details
from ledger.domain.money import Currency
from ledger.service import Outside, Service
from ledger.store.book import Store
from ledger.store.codec import Codec
from ledger.store.recorder import session_options
from ops import clock
from ops.benchmarks.stock import StockStore, make_schema
from ops.migrate import migrate

CODEC: Final = Codec(registry.DETAILS)
SHEET: Final = "european-roulette-classic"
POSTA: Final = 1000_00
BETS: Final = {
    "bets": [
        {"numbers": [17], "amount": "0.50"},
        {"chance": "red", "amount": "1.00"},
        {"chance": "even", "amount": "1.00"},
    ]
}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its name, schema and recorder, and how many commands a save."""

    name: str
    book: str
    stock: bool = False
    batch: int = 1

    def store(self, conninfo: str) -> Store:
        """A store of this side, with connections of its own."""
        made = StockStore if self.stock else Store
        return made(conninfo, self.book, CODEC)

    def count(self, conninfo: str) -> int:
        """How many events this side has stored."""
        store = self.store(conninfo)
        table = store.table if isinstance(store, StockStore) else f"{self.book}.events"
        store.close()
        with psycopg.connect(conninfo) as connection:
            row = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
        assert row is not None
        return int(row[0])

    def open(self, conninfo: str) -> None:
        """Make the schema, open the book and publish its sheets."""
        if self.stock:
            make_schema(conninfo, self.book, CODEC)
        else:
            migrate(conninfo, self.book)
        store, now = self.store(conninfo), clock.now()
        accepted(service(store, seed=0).handle_many(opening(self.book, now), now))
        store.close()


def service(store: Store, seed: int) -> Service:
    """The service over a store; its dice have a seed, so that all sides draw alike."""
    return Service(store, registry.ENGINES, Outside(random.Random(seed).randbytes, clock.pause))


def accepted(answers: Sequence[Answer]) -> None:
    """Fail when a command was refused, for then something else is measured."""
    refused = {(a.refusal, a.message) for a in answers if a.refusal is not None}
    assert not refused, refused


def identities(seed: str) -> Callable[[], UUID]:
    """A source of ids, the same for the same seed."""
    dice = random.Random(seed)
    return lambda: UUID(int=dice.getrandbits(128), version=4)


def opening(book: str, now: datetime) -> list[cmd.Command]:
    """The commands that open a book with every packaged sheet, in force from now."""
    fresh = identities(book)
    sheets = [
        cmd.PublishSheet(
            id=fresh(),
            actor="bench",
            sheet=s.sheet,
            sheet_version=s.version,
            in_force_from=now,
            text=s.text,
        )
        for s in registry.PACKAGED
    ]
    return [cmd.OpenBook(id=fresh(), actor="bench", book=book, clock="simulated"), *sheets]


def seated(
    player: str, session: UUID, fresh: Callable[[], UUID], sheet: str = SHEET
) -> list[cmd.Command]:
    """The commands by which a new player sits down in a session with a full posta."""
    money: dict[str, Any] = {"amount": POSTA, "currency": Currency.EUR}
    asked = fresh()

    def head() -> dict[str, Any]:
        return {"id": fresh(), "actor": player}

    return [
        cmd.OpenConto(**head(), player=player, currency=Currency.EUR, personal=()),
        cmd.Deposit(**head(), player=player, **money, reference=player, channel="bench"),
        cmd.RequestParticipation(
            id=asked,
            actor=player,
            session=session,
            player=player,
            sheet=sheet,
            **money,
            channel="bench",
        ),
        cmd.ValidateParticipation(
            **head(), session=session, participation=asked, ticket="T-1", count=1, total=POSTA
        ),
    ]


def rounds(sessions: Sequence[UUID], fresh: Callable[[], UUID]) -> Iterator[cmd.PlayRound]:
    """Rounds of three bets without end, each session in turn."""
    move = registry.ENGINES["roulette/1"].parse(BETS)
    assert isinstance(move, Details)
    while True:
        for session in sessions:
            yield cmd.PlayRound(id=fresh(), actor="bench", session=session, move=move)


def connect(conninfo: str, book: str, role: str) -> psycopg.Connection[Any]:
    """A connection in one of a book's roles, each statement on its own."""
    options = session_options(f"{book}_{role}")
    return psycopg.connect(conninfo, autocommit=True, **options)
