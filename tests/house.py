"""A concession at work on a real database: service, sealer and verifier over one book.

    house.conto("anna-1", 100_00)
    session = house.session("anna-1", 50_00)
    answer = house.play(session, {"numbers": [17], "amount": "1.00"})
    house.seal(); assert house.verify() == ()

Amounts are in cents. Time stands at `house.now` until a test moves it. A house is built again over
the same book by `at_house`, in this process or in another one, as after a restart.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import token_bytes
from typing import Any, TypeVar
from uuid import UUID, uuid4

import psycopg

from games import registry
from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.events import Details
from ledger.domain.money import Currency
from ledger.replay import Finding
from ledger.seal.notes import SigningKey
from ledger.seal.sealer import Sealed, Sealer, latest
from ledger.seal.verify import Trust, Verdict, Verifier
from ledger.service import Outside, Service
from ledger.store.book import Store
from ledger.store.codec import Codec
from ledger.store.recorder import session_options
from ops.clock import pause

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
CLASSIC = "european-roulette-classic"
CODEC = Codec(registry.DETAILS)
RED = {"chance": "red", "amount": "1.00"}
SEVENTEEN = {"numbers": [17], "amount": "1.00"}
C = TypeVar("C", bound=cmd.Command)


def order(kind: type[C], /, command: UUID | None = None, **fields: Any) -> C:
    """A command under a fresh id, or under the one given."""
    return kind(id=command or uuid4(), actor="desk-1", **fields)


def bets(*lines: Mapping[str, Any]) -> Details:
    """The opening move of roulette that lines such as `RED` make."""
    move = registry.ENGINES["roulette/1"].parse({"bets": list(lines)})
    assert isinstance(move, Details), move
    return move


def euro(amount: int) -> dict[str, Any]:
    """The two fields of an amount in cents."""
    return {"amount": amount, "currency": Currency.EUR}


def play_order(session: UUID, *lines: Mapping[str, Any], command: UUID | None = None) -> Any:
    """The command that plays one round of bets, or of a euro on red, to its end."""
    return order(cmd.PlayRound, command, session=session, move=bets(*(lines or (RED,))))


def bonus_order(session: UUID, amount: int, command: UUID | None = None) -> cmd.GrantBonus:
    """The command that gives the house's money into a posta."""
    return order(cmd.GrantBonus, command, session=session, **euro(amount), reason="welcome")


def deposit_order(player: str, amount: int, command: UUID | None = None) -> cmd.Deposit:
    """The command that books money in, under a payment's reference of its own."""
    return order(cmd.Deposit, command, player=player, **euro(amount), **_payment(command))


def withdraw_order(player: str, amount: int, command: UUID | None = None) -> cmd.Withdraw:
    """The command that pays money out, under a payment's reference of its own."""
    return order(cmd.Withdraw, command, player=player, **euro(amount), **_payment(command))


def _payment(command: UUID | None) -> dict[str, Any]:
    return {"reference": f"pay-{command or uuid4()}", "channel": "card"}


@dataclass
class House:
    """One book's parts, wired as the composition root does."""

    conninfo: str
    book: str
    service: Service
    store: Store
    key: SigningKey
    now: datetime = MORNING
    players: dict[UUID, str] = field(default_factory=dict)
    """Whose session it is."""

    @property
    def trust(self) -> Trust:
        """What a verifier of this book trusts."""
        return Trust(self.key.name, (self.key.verifying_key,))

    @property
    def sealer(self) -> Sealer:
        """A sealer of this book."""
        return Sealer(self.book, self.key.name, self.key)

    @contextmanager
    def connected(self, role: str = "reader") -> Iterator[psycopg.Connection[Any]]:
        """A connection in one of the book's roles, each statement on its own."""
        options = session_options(f"{self.book}_{role}")
        with psycopg.connect(self.conninfo, autocommit=True, **options) as connection:
            yield connection

    @contextmanager
    def as_superuser(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection that may do everything, with the book's schema as its search path."""
        options = f"-c search_path={self.book}"
        with psycopg.connect(self.conninfo, autocommit=True, options=options) as connection:
            yield connection

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query with the book's schema as its search path."""
        with self.as_superuser() as connection:
            return connection.execute(query, values or None).fetchall()

    def count(self, table: str = "events") -> int:
        """How many rows a table of the book has."""
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])

    def later(self, **delta: float) -> datetime:
        """Move the time and return it."""
        self.now += timedelta(**delta)
        return self.now

    def ask(self, command: cmd.Command) -> Answer:
        """Handle a command now."""
        return self.service.handle(command, self.now)

    def do(self, kind: type[cmd.Command], /, **fields: Any) -> Answer:
        """Handle a fresh command that must be accepted."""
        answer = self.ask(order(kind, **fields))
        assert answer.refusal is None, (answer.refusal, answer.message)
        return answer

    def open(self) -> None:
        """Open the book and publish every packaged sheet."""
        self.do(cmd.OpenBook, book=self.book, clock="simulated")
        for sheet in registry.PACKAGED:
            self.do(
                cmd.PublishSheet,
                sheet=sheet.sheet,
                sheet_version=sheet.version,
                in_force_from=self.now,
                text=sheet.text,
            )

    def conto(self, player: str, balance: int = 0) -> str:
        """Open a conto that holds a balance."""
        self.do(cmd.OpenConto, player=player, currency=Currency.EUR, personal=())
        if balance:
            self.deposit(player, balance)
        return player

    def deposit(self, player: str, amount: int) -> Answer:
        """Bring money into a conto."""
        answer = self.ask(deposit_order(player, amount))
        assert answer.refusal is None, (answer.refusal, answer.message)
        return answer

    def request(self, player: str, amount: int, sheet: str = CLASSIC) -> UUID:
        """Ask for a session with its initial right, not yet validated; its id."""
        session = uuid4()
        fields = {"session": session, "player": player, "sheet": sheet, "channel": "web"}
        self.players[session] = player
        requested = self.do(cmd.RequestParticipation, **fields, **euro(amount))
        self._requested = requested.command
        return session

    def session(self, player: str, posta: int, sheet: str = CLASSIC) -> UUID:
        """Open a session with a posta; its id."""
        session = self.request(player, posta, sheet)
        answer = {"participation": self._requested, "ticket": "T-1", "count": 1, "total": posta}
        self.do(cmd.ValidateParticipation, session=session, **answer)
        return session

    def seat(self, player: str = "anna-1", posta: int = 100_00) -> UUID:
        """A new player with a conto of twice the posta, and an open session; its id."""
        self.conto(player, 2 * posta)
        return self.session(player, posta)

    def play(self, session: UUID, *lines: Mapping[str, Any]) -> Answer:
        """Play one round to its end."""
        return self.ask(play_order(session, *lines))

    def lay(self, session: UUID, *lines: Mapping[str, Any]) -> UUID:
        """Open a round with bets and leave it open; its id."""
        answer = self.do(cmd.OpenRound, session=session, move=bets(*(lines or (RED,))))
        return answer.command

    def seal(self) -> Sealed | None:
        """Seal what can be sealed; the newest checkpoint."""
        with self.connected("sealer") as connection:
            self.sealer.seal_all(connection)
            return latest(connection, self.book)

    def verdict(self) -> Verdict:
        """Verify the book from its rows."""
        with self.connected() as connection:
            verifier = Verifier(connection, self.book, CODEC, registry.ENGINES, registry.SECRETS)
            return verifier.verify(self.trust)

    def verify(self) -> tuple[Finding, ...]:
        """What verification finds wrong."""
        return self.verdict().findings

    def checks_that_find(self) -> set[str]:
        """The names of the checks that find something wrong."""
        return {finding.check for finding in self.verify()}


def signing_key(book: str) -> SigningKey:
    """The key of a test's book: the same in every process."""
    return SigningKey(f"example.org/{book}", sha256(book.encode()).digest())


@contextmanager
def at_house(
    conninfo: str,
    book: str,
    *,
    entropy: Callable[[int], bytes] = token_bytes,
    waiting: Callable[[int], None] = pause,
    pool_size: int = 8,
) -> Iterator[House]:
    """A service with its own connections over a book that may be at work already."""
    store = Store(conninfo, book, CODEC, pool_size)
    service = Service(store, registry.ENGINES, Outside(entropy, waiting))
    try:
        yield House(conninfo, book, service, store, signing_key(book))
    finally:
        store.close()


@contextmanager
def opened_house(conninfo: str, book: str, **outside: Any) -> Iterator[House]:
    """A house whose fresh book was opened and has every packaged sheet."""
    with at_house(conninfo, book, **outside) as house:
        house.open()
        yield house
