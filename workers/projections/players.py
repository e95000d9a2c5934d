"""Players' money by business day, concept and game; payments one by one; broken connections.

What a player has and may still bet is the conto, rights, posta and held wins of their sessions;
stakes on the table and in prison are open. A concept says how money moved between these two and the
outside, so that over any days `held = deposit - withdrawal - stake + refund + stake-returned +
winnings + bonus + other` and `open = stake - refund - stake-returned - stake-lost`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import StreamName, holder_of
from ledger.domain.postings import MOVING, Posting, postings
from workers.days import day_of
from workers.log import Cursor, SealedEntry, first_entries
from workers.projections.base import Folding, Projection, Write
from workers.projections.journal import kind_of
from workers.projections.tables import Place, Row, Table

HELD: Final = ("conto", "right", "posta", "win")
"""Kinds of accounts whose money is the player's."""
OPEN: Final = ("stakes", "prison")
"""Kinds of accounts whose money a round in play decides."""


class Concept(StrEnum):
    """How money moved; amounts are positive, but of `other`, which is signed for the player."""

    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    STAKE = "stake"
    REFUND = "refund"
    STAKE_RETURNED = "stake-returned"
    WINNINGS = "winnings"
    STAKE_LOST = "stake-lost"
    BONUS = "bonus"
    OTHER = "other"


TO_HELD: Final[Mapping[Concept, int]] = {
    Concept.DEPOSIT: 1,
    Concept.WITHDRAWAL: -1,
    Concept.STAKE: -1,
    Concept.REFUND: 1,
    Concept.STAKE_RETURNED: 1,
    Concept.WINNINGS: 1,
    Concept.STAKE_LOST: 0,
    Concept.BONUS: 1,
    Concept.OTHER: 1,
}
"""The sign with which a concept counts in what the player has."""

TO_OPEN: Final[Mapping[Concept, int]] = {
    Concept.STAKE: 1,
    Concept.REFUND: -1,
    Concept.STAKE_RETURNED: -1,
    Concept.STAKE_LOST: -1,
}
"""The sign with which a concept counts in what is staked; the others move none of it."""

NO_GAME: Final = ""
"""The game of movements that belong to none."""

MOVEMENTS: Final = Table(
    "p_player_movements",
    ("day", "player", "game", "concept", "currency"),
    {
        "day": "date", "player": "text", "game": "text", "concept": "text", "currency": "text",
        "amount": "int8",
    },
)  # fmt: skip

PAYMENTS: Final = Table(
    "p_payments",
    ("position",),
    {
        "position": "int8", "recorded": "timestamptz", "player": "text", "way": "text",
        "channel": "text", "reference": "text", "amount": "int8", "currency": "text",
    },
)  # fmt: skip

CONNECTIONS: Final = Table(
    "p_connections",
    ("session", "position"),
    {"session": "uuid", "position": "int8", "at": "timestamptz", "state": "text"},
)

_PAID: Final = (ev.FundsDeposited, ev.FundsWithdrawn)


def concept_of(event: str, game: str, source: str, target: str) -> tuple[Concept, int] | None:
    """The concept of what an event moves between two kinds of accounts, and its sign.

    None where no border is crossed between what is held, what is open, and the outside. What no
    concept names, such as a correction, is `other`.
    """
    match _side(source), _side(target):
        case "held", "open":
            return Concept.STAKE, 1
        case "open", "held":
            refunded = event == ev.BetRefunded.NAME
            return (Concept.REFUND if refunded else Concept.STAKE_RETURNED), 1
        case "open", "outside":
            return Concept.STAKE_LOST, 1
        case "outside", "held":
            return _entered(event, game), 1
        case "held", "outside":
            paid = event == ev.FundsWithdrawn.NAME
            return (Concept.WITHDRAWAL, 1) if paid else (Concept.OTHER, -1)
        case _:
            return None


def _side(kind: str) -> str:
    return "held" if kind in HELD else "open" if kind in OPEN else "outside"


def _entered(event: str, game: str) -> Concept:
    known = {ev.FundsDeposited.NAME: Concept.DEPOSIT, ev.PostaFunded.NAME: Concept.BONUS}
    return known.get(event, Concept.OTHER if game == NO_GAME else Concept.WINNINGS)


@dataclass(frozen=True, slots=True)
class _Fold:
    """What a batch adds."""

    movements: dict[Row, int] = field(default_factory=lambda: defaultdict(int))
    payments: list[Row] = field(default_factory=list)
    connections: list[Row] = field(default_factory=list)

    def post(self, entry: ev.AnyEntry, player: str, posting: Posting) -> None:
        """Add one posting of a player's stream."""
        game = _game_of(entry.event)
        kinds = kind_of(posting.source.address), kind_of(posting.target.address)
        found = concept_of(entry.event.NAME, game, *kinds)
        if found is not None:
            concept, sign = found
            self._add(entry, (player, game, concept), sign * posting.amount, posting)

    def correct(self, entry: ev.AnyEntry, posting: Posting) -> None:
        """Add one line of a correction to each conto that it names: one may pay another."""
        for account, sign in ((posting.source, -1), (posting.target, 1)):
            player = holder_of(account.address)
            if player is not None:
                whose = (player, NO_GAME, Concept.OTHER)
                self._add(entry, whose, sign * posting.amount, posting)

    def _add(
        self, entry: ev.AnyEntry, what: tuple[str, str, Concept], amount: int, posting: Posting
    ) -> None:
        player, game, concept = what
        key = (day_of(entry.recorded), player, game, concept.value, posting.currency.value)
        self.movements[key] += amount

    def pay(self, sealed: SealedEntry) -> None:
        """Note a payment."""
        entry, event = sealed.entry, sealed.entry.event
        if isinstance(event, _PAID):
            deposited = isinstance(event, ev.FundsDeposited)
            way = Concept.DEPOSIT if deposited else Concept.WITHDRAWAL
            by = (event.player, way.value, event.channel, event.reference)
            money = (event.amount, event.currency.value)
            self.payments.append((sealed.position, entry.recorded, *by, *money))

    def connect(self, sealed: SealedEntry) -> None:
        """Note that a connection was lost or is back."""
        entry, event = sealed.entry, sealed.entry.event
        key = (UUID(entry.stream.partition(":")[2]), sealed.position)
        at, state = (
            (event.at, "lost")
            if isinstance(event, ev.SessionDisconnected)
            else (entry.recorded, "back")
        )
        self.connections.append((*key, at, state))


def _game_of(event: ev.Event) -> str:
    return event.game if isinstance(event, ev.RoundEvent) else NO_GAME


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    posted = [(s.entry, p) for s in entries if (p := postings(s.entry.stream, s.entry.event))]
    players = _players(folding.cursor, folding, (entry for entry, _ in posted))
    fold = _Fold()
    for entry, each in posted:
        for posting in each:
            if isinstance(entry.event, ev.CorrectionPosted):
                fold.correct(entry, posting)
            else:
                fold.post(entry, players[entry.stream], posting)
    for sealed in entries:
        fold.pay(sealed)
        if sealed.entry.event.NAME in _CONNECTION:
            fold.connect(sealed)
    return partial(_write, folding.place, fold)


def _players(cursor: Cursor, folding: Folding, entries: Iterable[ev.AnyEntry]) -> dict[str, str]:
    """Whose each stream is: a conto's by its name, a session's by what its first event says."""
    streams = {entry.stream for entry in entries}
    sessions = sorted(StreamName(s) for s in streams if s.startswith("session:"))
    found = first_entries(cursor, folding.ports.book, folding.ports.codec, sessions)
    requested: dict[str, Any] = {entry.stream: entry.event for entry in found}
    contos = {s: s.partition(":")[2] for s in streams if s not in requested}
    return contos | {stream: event.player for stream, event in requested.items()}


def _write(place: Place, fold: _Fold, cursor: Cursor) -> None:
    MOVEMENTS.add(cursor, place, [(*key, amount) for key, amount in fold.movements.items()])
    PAYMENTS.insert(cursor, place, fold.payments)
    CONNECTIONS.insert(cursor, place, fold.connections)


_CONNECTION: Final = (ev.SessionDisconnected.NAME, ev.SessionReconnected.NAME)

PROJECTION: Final = Projection(
    name="players",
    version=2,
    topics=(*MOVING, *_CONNECTION),
    tables=(MOVEMENTS, PAYMENTS, CONNECTIONS),
    batch=20_000,
    fold=_fold,
)
