"""The records of the data bank: account transactions, game sessions, operator totals.

An amount is signed as the player's account sees it: a stake and a withdrawal are below zero. Stakes
of a session are one transaction and its wins another (data model 1.11, game sessions).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID, uuid5

from ledger.domain.ids import NAMESPACE, sheet_stream, stream_key
from ledger.domain.money import format_amount
from workers.regulators.authority import Document, Release
from workers.regulators.reading import Ended, Payment
from workers.regulators.xml import maker

MOST: Final = 512
"""Records in one document (maxOccurs of the schemas)."""
VERSION: Final = "v1.11"
OTHER: Final = "OTHER"
E: Final = maker()

Whose = tuple[str, str]
"""Operator and data safe."""


@dataclass(frozen=True, slots=True)
class Booked:
    """One transaction on a player's account; the amount signed, in minor units."""

    key: str
    """What it is of, in words that no other transaction has."""
    player: str
    at: datetime
    kind: str
    amount: int
    instrument: str | None = None

    @property
    def transaction(self) -> UUID:
        """Its id, the same in every edition."""
        return _id("transaction", self.key)


def of_payment(payment: Payment, instruments: Mapping[str, str]) -> Booked:
    """The transaction of a deposit or withdrawal."""
    deposit = payment.way == "deposit"
    return Booked(
        f"payment-{payment.position}",
        payment.player,
        payment.recorded,
        "DEPOSIT" if deposit else "WITHDRAWAL",
        payment.amount if deposit else -payment.amount,
        instruments.get(payment.channel, OTHER) if deposit else None,
    )


def of_session(session: Ended) -> tuple[Booked, ...]:
    """A session's transactions at its end: each kind that it had, merged into one."""
    amounts = {
        "STAKE": -session.stake,
        "VOID_STAKE": session.refunded,
        "WINNING": session.returned,
        "BONUS": session.bonus,
    }
    return tuple(
        Booked(f"{session.session}-{kind}", session.player, session.closed_at, kind, amount)
        for kind, amount in amounts.items()
        if amount
    )


def documents(
    sessions: Iterable[Ended],
    booked: Iterable[Booked],
    totals: tuple[int, int],
    made: tuple[Release, Whose],
) -> tuple[Document, ...]:
    """The documents of a day: so many records in each as the schemas allow."""
    played = [s for s in sessions if s.stake]
    return (
        *_split("WOK_Player_Account_Transaction", (_transaction(b, made) for b in booked), made),
        *_split("WOK_Game_Session", (_session(s, made) for s in played), made),
        *_split("WOK_Operator", [_operator(totals, made)], made),
    )


def _split(kind: str, records: Iterable[Any], made: tuple[Release, Whose]) -> Iterator[Document]:
    every = list(records)
    for number, start in enumerate(range(0, len(every), MOST), 1):
        name = f"nl-{made[0].stem}-{kind.lower()}-{number:04d}.xml"
        root = E.Root(*every[start : start + MOST])
        yield Document(name, root, f"{kind.lower()}_{VERSION}.xsd")


def _id(kind: str, key: str) -> UUID:
    return uuid5(NAMESPACE, f"nl:{kind}:{key}")


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _text(tag: str, value: object) -> Any:
    return E(tag, str(value))


def _head(kind: str, key: str, made: tuple[Release, Whose], *after: Any) -> list[Any]:
    """What every record begins with; a rectifying one names the record that it replaces."""
    release, (operator, data_safe) = made
    edition = release.edition
    replaced = (
        [_text("Replaced_Record_ID", _id(kind, f"{key}:{edition - 1}"))] if edition > 1 else []
    )
    return [
        _text("Record_ID", _id(kind, f"{key}:{edition}")),
        _text("Extraction_Date", _moment(release.instant)),
        _text("Operator_ID", operator),
        _text("Data_Safe_ID", data_safe),
        *after,
        *replaced,
    ]


def _transaction(booked: Booked, made: tuple[Release, Whose]) -> Any:
    instrument = (
        []
        if booked.instrument is None
        else [_text("Transaction_Deposit_Instrument", booked.instrument)]
    )
    return E(
        f"WOK_Player_Account_Transaction_{VERSION}",
        *_head("account-transaction", booked.key, made),
        _text("Player_Profile_ID", booked.player),
        _text("Transaction_ID", booked.transaction),
        _text("Transaction_Datetime", _moment(booked.at)),
        _text("Transaction_Amount", format_amount(booked.amount)),
        *instrument,
        _text("Transaction_Type", booked.kind),
        _text("Transaction_Status", "SUCCESSFUL"),
    )


def _session(session: Ended, made: tuple[Release, Whose]) -> Any:
    transactions = [
        E.Game_Transaction(
            _text("Transaction_ID", booked.transaction), _text("Player_Profile_ID", booked.player)
        )
        for booked in of_session(session)
        if booked.kind != "BONUS"
    ]
    return E(
        f"WOK_Game_Session_{VERSION}",
        *_head("game-session", str(session.session), made),
        _text("Game_ID", stream_key(sheet_stream(session.sheet))),
        _text("Game_Session_ID", session.session),
        _text("Game_Session_Start_Datetime", _moment(session.opened_at)),
        _text("Game_Session_End_Datetime", _moment(session.closed_at)),
        _text("Game_Session_Rounds", sum(p.rounds for p in session.parts)),
        _text("Game_Session_Rounds_Won", sum(p.rounds_won for p in session.parts)),
        E.Game_Transactions(*transactions),
    )


def _operator(totals: tuple[int, int], made: tuple[Release, Whose]) -> Any:
    day, year = totals
    concerned = made[0].period.name
    return E(
        f"WOK_Operator_{VERSION}",
        *_head("operator", concerned, made, _text("Concerned_Date", concerned)),
        E.Totals(
            _text("Subtotal_Previous_Day", format_amount(day)),
            _text("Subtotal_Previous365Days", format_amount(year)),
        ),
    )
