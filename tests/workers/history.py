"""A small casino over a real database: a book, its players, and the workers' ports over it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from uuid import UUID, uuid5

import psycopg

from games import registry
from ledger.answers import Answer
from ledger.central import DayTotal, Unknown
from ledger.domain import commands as cmd
from ledger.domain.ids import NAMESPACE
from ledger.domain.money import Currency
from ledger.seal.notes import SigningKey
from ledger.seal.sealer import Sealer
from ledger.seal.verify import Bite, Trust, Verifier
from ledger.service import Outside, Service
from ledger.store.book import Store
from ledger.store.codec import Codec
from ledger.store.recorder import session_options
from ops.migrate import migrate
from ops.workers import theoretical_return
from tests.deuces_table import entropy
from workers.log import sql
from workers.ports import Ports

CLASSIC = "european-roulette-classic"
PREMIUM = "european-roulette-premium"
DEUCES = "deuces-wild"
MORNING = datetime(2026, 11, 30, 9, tzinfo=UTC)
"""Ten in the morning in Rome."""
CODEC = Codec(registry.DETAILS)
ENGINE = registry.ENGINES["roulette/1"]
CARDS = registry.ENGINES["deuces-wild/1"]
TO_BEAT = "Kd"
"""The card that every double-up shows."""
OTHERS = ("3c", "5d", "7h")
"""The cards that are not picked."""
_BOOKS = count(1)


def uid(name: str) -> UUID:
    """The same UUID for the same name."""
    return uuid5(NAMESPACE, f"test:{name}")


@dataclass
class Casino:
    """One book; time moves by hand, and ball and cards fall where a round is told to let them."""

    conninfo: str
    folder: Path
    now: datetime = MORNING
    book: str = field(default_factory=lambda: f"w{next(_BOOKS)}")
    pocket: int = 0
    coming: list[bytes] = field(default_factory=list)
    """What is drawn before the ball falls again."""
    sent: int = 0
    range: int = 100_000
    """Events that are verified in one bite."""
    central: tuple[DayTotal, ...] | Unknown = ()
    """What the central system says that it validated on any day."""

    def __post_init__(self) -> None:
        """Make the book, open it and publish the sheets."""
        migrate(self.conninfo, self.book)
        store = Store(self.conninfo, self.book, CODEC, pool_size=2)
        outside = Outside(self._entropy, lambda _: None)
        self.service = Service(store, registry.ENGINES, outside)
        self.send(cmd.OpenBook, book=self.book, clock="simulated")
        for sheet in (registry.SHEETS[name] for name in (CLASSIC, PREMIUM, DEUCES)):
            self.send(
                cmd.PublishSheet,
                sheet=sheet.sheet,
                sheet_version=1,
                in_force_from=self.now,
                text=sheet.text,
            )

    def _entropy(self, size: int) -> bytes:
        return self.coming.pop(0) if self.coming else bytes([self.pocket]) * size

    def handle(self, command: cmd.Command) -> Answer:
        """Hand a command to the service at the casino's time."""
        return self.service.handle(command, self.now)

    def send(self, kind: type[cmd.Command], /, **fields: object) -> Answer:
        """Send a command that must be accepted."""
        self.sent += 1
        answer = self.handle(kind(id=uid(f"{self.book}:{self.sent}"), actor="test", **fields))
        assert answer.refusal is None, answer.message
        return answer

    def player(self, name: str, amount: int = 100_000) -> str:
        """A conto with money on it."""
        self.send(cmd.OpenConto, player=name, currency=Currency.EUR, personal=())
        fields = {"player": name, "currency": Currency.EUR, "amount": amount}
        self.send(cmd.Deposit, **fields, reference=f"pay-{name}", channel="card")
        return name

    def request(self, session: UUID, player: str, amount: int, **fields: object) -> UUID:
        """A participation right that waits for its answer; its id."""
        answer = self.send(
            cmd.RequestParticipation,
            **{"sheet": CLASSIC, "channel": "web", **fields},
            session=session,
            player=player,
            amount=amount,
            currency=Currency.EUR,
        )
        return answer.command

    def validate(self, session: UUID, participation: UUID, amount: int) -> None:
        """The central system's yes."""
        fields = {"ticket": "T-1", "count": 1, "total": amount}
        self.send(cmd.ValidateParticipation, session=session, participation=participation, **fields)

    def sit(self, player: str, amount: int = 10_000, **fields: str) -> UUID:
        """An open session with a posta."""
        session = uid(f"{self.book}:{player}:{self.sent}")
        self.validate(session, self.request(session, player, amount, **fields), amount)
        return session

    def play(self, session: UUID, pocket: int, *bets: dict[str, object]) -> UUID:
        """A round in which the ball falls into a pocket; its id."""
        self.pocket = pocket
        return self.send(cmd.PlayRound, session=session, move=_move(bets)).command

    def open_round(self, session: UUID, *bets: dict[str, object]) -> UUID:
        """A round that stays in play; its id."""
        return self.send(cmd.OpenRound, session=session, move=_move(bets)).command

    def deal(self, session: UUID, cards: list[str], coins: int, coin: str) -> UUID:
        """A round of Deuces Wild with these five cards; its id."""
        self.coming = [entropy(cards)]
        move = CARDS.parse({"coins": coins, "coin": coin})
        return self.send(cmd.OpenRound, session=session, move=move).command

    def act(self, session: UUID, round_id: UUID, document: object, *draws: bytes) -> None:
        """A further move at Deuces Wild, in which these bytes are drawn."""
        self.coming = list(draws)
        fields = {"session": session, "round": round_id, "move": CARDS.parse(document)}
        self.send(cmd.ContinueRound, **fields)
        assert not self.coming, "a draw was expected that was not asked for"

    def hand(self, session: UUID, bet: tuple[int, str], dealt: list[str], *fresh: str) -> UUID:
        """A hand for so many coins of a value, whose last cards are replaced; its round's id."""
        round_id = self.deal(session, dealt, *bet)
        hold = list(range(1, len(dealt) - len(fresh) + 1))
        self.act(session, round_id, {"hold": hold}, *([entropy(fresh, dealt)] if fresh else []))
        return round_id

    def double(self, session: UUID, round_id: UUID, picked: str, *, half: bool = False) -> None:
        """A double-up of the held win, or of half of it, against the king of diamonds."""
        self.act(session, round_id, {"double_up": {"half": half}}, entropy([TO_BEAT]))
        self.pick(session, round_id, picked)

    def pick(self, session: UUID, round_id: UUID, picked: str) -> None:
        """Pick the first of four cards in the double-up in play."""
        self.act(session, round_id, {"pick": 1}, entropy([picked, *OTHERS], [TO_BEAT]))

    def void(self, session: UUID, round_id: UUID) -> None:
        """Void a round."""
        ref = cmd.RoundRef(session=session, round=round_id)
        self.send(cmd.VoidRounds, rounds=(ref,), reason="the wheel stopped")

    def disconnect(self, session: UUID) -> None:
        """The player's connection is lost now."""
        self.send(cmd.DisconnectSession, session=session, at=self.now)

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)

    @property
    def key(self) -> SigningKey:
        """The key that signs the book's checkpoints."""
        return SigningKey(f"test.example/{self.book}", b"k" * 32)

    def seal(self) -> int:
        """Seal what can be sealed."""
        with self.connect("sealer") as connection:
            return Sealer(self.book, self.key.name, self.key).seal_all(connection)

    def verify(self, carried: bytes | None = None) -> Bite:
        """What the verifier comes to in the sealed log, a range at a time."""
        key = self.key
        with self.connect("reader") as connection:
            verifier = Verifier(connection, self.book, CODEC, registry.ENGINES, registry.SECRETS)
            return verifier.bite(Trust(key.name, (key.verifying_key,)), carried, self.range)

    @contextmanager
    def connect(self, role: str) -> Iterator[psycopg.Connection]:
        """A connection in a role of the book."""
        options = session_options(f"{self.book}_{role}")
        with psycopg.connect(self.conninfo, autocommit=True, **options) as connection:
            yield connection

    def rows(self, text: str, *values: object) -> list[tuple]:
        """What a reader sees."""
        with self.connect("reader") as connection:
            return connection.execute(sql(text, self.book), values).fetchall()

    @property
    def ports(self) -> Ports:
        """The workers' ports over this book."""
        return Ports(
            book=self.book,
            connect=self.connect,
            codec=CODEC,
            now=lambda: self.now,
            handle=self.handle,
            state=self.service.state,
            seal=self.seal,
            ask=lambda *_: "unknown",
            finish=lambda *_: "unknown",
            series_kept=tuple,
            retire=lambda _: "unknown",
            pass_turn=lambda _: "unknown",
            disconnect_idle=lambda _: "unknown",
            erase=lambda _: False,
            snapshot=self.service.take_snapshot,
            theory=theoretical_return,
            rules=registry.BY_ENGINE.__getitem__,
            reports=self.folder / self.book,
            verify=self.verify,
            attest=self.key.sign,
            is_attested=self.key.verifying_key.vouches,
            totals=lambda _: self.central,
        )


def straight(number: int, amount: str = "1.00") -> dict[str, object]:
    """A bet on one number."""
    return {"numbers": [number], "amount": amount}


def red(amount: str = "1.00") -> dict[str, object]:
    """A bet on red."""
    return {"chance": "red", "amount": amount}


def _move(bets: tuple[dict[str, object], ...]) -> object:
    return ENGINE.parse({"bets": list(bets)})
