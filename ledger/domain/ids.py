"""Identities: streams and accounts have names that a person reads, and keys derived from them."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, Final, NewType
from uuid import UUID, uuid5

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

NAMESPACE: Final = UUID("6f1f7d4e-5a43-5d0b-9a57-2f3c6f0a9b11")
"""Namespace of all keys that are derived from names (RFC 9562 section 5.5)."""

StreamName = NewType("StreamName", str)
"""A stream's name, `<kind>:<key>`, such as `session:0b0e...` or `conto:anna-1`."""

PlayerId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
"""A player's pseudonym; nothing personal goes in here (guarantee G10)."""

SheetId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{1,59}$")]
"""The name of a rule sheet, such as `european-roulette-classic`."""

TableId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
"""The name of a live table, such as `roulette-1`."""

Word = Annotated[str, Field(pattern=r"^[\x20-\x7e]+$", max_length=120)]
"""A short reference or code in printable ASCII: no control characters, no lone surrogates."""

Sentence = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=500)]
"""A short free text of one line in any script, without control characters."""


CorrectableAccount = Annotated[
    str,
    Field(
        pattern=r"^(player:[a-z0-9][a-z0-9-]{0,39}:conto|house:[a-z][a-z0-9-]{0,39}:bank"
        r"|house:bonus|world:payments|state:duty)$"
    ),
]
"""The address of an account that a correction may touch: a conto or a contra account."""


class _InUtc:
    """Let pydantic's core check the offset: a Python validator would double the cost of reading."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.datetime_schema(strict=True, tz_constraint=0)


LimitsText = Annotated[str, Field(pattern=r"^[\x20-\x7e]+$", max_length=4_000)]
"""A game's own document of limits: canonical JSON in printable ASCII."""


VerifyingKeyText = Annotated[
    str, Field(pattern=r"^[^\x00-\x20\x7f+]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$")
]
"""A key that verifies checkpoints, as it is handed out (C2SP signed-note): name, hash, key."""


SignatureText = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{86}==$")]
"""An Ed25519 signature in base64 (RFC 8032, RFC 4648 section 4)."""


Instant = Annotated[datetime, _InUtc]
"""A moment in UTC with microseconds: what is stored is what was hashed."""


@lru_cache(maxsize=65536)
def stream_key(name: str) -> UUID:
    """The store's key of a stream: the version 5 UUID of its name."""
    return uuid5(NAMESPACE, name)


BOOK: Final = StreamName("book")
"""The stream that tells the book's name and whether its clock is real."""

SIGNING_KEY: Final = StreamName("signing-key")
"""The stream that tells which key signs the book's checkpoints after which."""

MAINTENANCE: Final = StreamName("maintenance")
"""The stream of maintenance notices (rulings C5)."""


def payment_stream(way: str, channel: str, reference: str) -> StreamName:
    """The stream of one payment at a provider, in or out: its version 1 exists at most once.

    The three are parted by a line feed, which no word can hold: no two payments share a stream.
    """
    name = f"{way}\n{channel}\n{reference}"
    return StreamName(f"payment:{uuid5(NAMESPACE, name)}")


def difference_id(source: str, scope: str, kind: str, subject: str) -> UUID:
    """What a difference is known by; the four are parted as those of a payment are."""
    return uuid5(NAMESPACE, f"difference\n{source}\n{scope}\n{kind}\n{subject}")


def difference_stream(difference: UUID) -> StreamName:
    """The stream of one thing that reconciliation found to differ."""
    return StreamName(f"difference:{difference}")


def conto_stream(player: str) -> StreamName:
    """The stream of a player's gaming account."""
    return StreamName(f"conto:{player}")


def player_stream(player: str) -> StreamName:
    """The stream of a player as a person: all disputes, and the end of what is personal."""
    return StreamName(f"player:{player}")


@lru_cache(maxsize=4096)
def session_stream(session: UUID) -> StreamName:
    """The stream of one session: the consistency boundary of play."""
    return StreamName(f"session:{session}")


@lru_cache(maxsize=4096)
def table_stream(table: str) -> StreamName:
    """The stream of a live table, which many sessions share."""
    return StreamName(f"table:{table}")


def series_stream(series: UUID) -> StreamName:
    """The stream of one FairPlay series."""
    return StreamName(f"series:{series}")


def correction_stream(correction: UUID) -> StreamName:
    """The stream of one correction, named by the command that posted it."""
    return StreamName(f"correction:{correction}")


def alert_stream(alert: UUID) -> StreamName:
    """The stream of one alert: raised once, and acknowledged once."""
    return StreamName(f"rtp-alert:{alert}")


def sheet_stream(sheet: str) -> StreamName:
    """The stream of a rule sheet's published versions."""
    return StreamName(f"sheet:{sheet}")


@lru_cache(maxsize=4096)
def command_stream(command: UUID) -> StreamName:
    """The stream that holds how a command was answered: version 1 exists at most once (G3)."""
    return StreamName(f"command:{command}")


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """An account address such as `player:anna-1:conto`; contra accounts may go below zero (G2)."""

    address: str

    @property
    def is_signed(self) -> bool:
        """Whether this is a contra account of the house, the world or the state."""
        return self.address.startswith(("world:", "house:", "state:"))


WORLD_PAYMENTS: Final = Account("world:payments")
HOUSE_BONUS: Final = Account("house:bonus")


def conto_account(player: str) -> Account:
    """A player's money at the concession."""
    return Account(f"player:{player}:conto")


def holder_of(address: str) -> str | None:
    """The player whose conto an address names; None for other accounts."""
    kind, _, rest = address.partition(":")
    return rest.removesuffix(":conto") if kind == "player" else None


def session_account(session: UUID, part: str) -> Account:
    """One of a session's accounts: `right`, `posta`, `stakes`, `win` or `prison`."""
    return Account(f"session:{session}:{part}")


def bank_account(game: str) -> Account:
    """The house's bank for one game: losing stakes come in, winnings go out."""
    return Account(f"house:{game}:bank")
