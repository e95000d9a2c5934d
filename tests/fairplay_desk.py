"""A desk with FairPlay series over the book of a house, whose numbers a test may choose.

at = fair_desk(house, folder)
session = at.sit("anna-1")
series = at.prepare("anna-1", [12, 7, 22, 3, 27])
answer = at.spin(session, series, offset=30)
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_bytes
from typing import Any
from uuid import UUID, uuid4

from games import registry
from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.events import DrawRecorded, Sealed, SeriesPrepared, SeriesRevealed
from ledger.domain.ids import session_stream
from ledger.domain.money import Currency
from ledger.service import Outside
from ops.central.local import InstantCentral
from ops.clock import pause
from ops.desk import Desk
from ops.fairplay import Bet, FairPlay, Wish
from ops.metered import MeteredService
from ops.series_keys import SeriesKeys
from ops.vault import Vault
from tests.house import House

SHEET = "roulette-fairplay"
RED = {"chance": "red", "amount": "50.00"}
SPUN = (12, 7, 22, 3, 27)
"""The numbers of the rules' example."""


@dataclass
class FairDesk:
    """A clerk's desk, its series, and what is drawn next."""

    house: House
    fairplay: FairPlay
    coming: list[bytes] = field(default_factory=list)

    @property
    def desk(self) -> Desk:
        """The desk beneath."""
        return self.fairplay.desk

    @property
    def kept(self) -> list[UUID]:
        """The series whose keys are there."""
        return list(self.fairplay.keys.kept())

    def do(self, kind: type[cmd.Command], **fields: Any) -> Answer:
        """Handle a fresh command that must be accepted."""
        answer = self.desk.handle(kind(**self.desk.head(), **fields))
        assert answer.refusal is None, (answer.refusal, answer.message)
        return answer

    def player(self, name: str, account: str | None = "VIP", roubles: int = 50_000) -> str:
        """A conto in roubles with money on it, of an account type."""
        self.do(cmd.OpenConto, player=name, currency=Currency.RUR, personal=())
        paid = {"reference": f"pay-{uuid4()}", "channel": "card", "currency": Currency.RUR}
        self.do(cmd.Deposit, player=name, amount=100 * roubles, **paid)
        if account is not None:
            self.do(cmd.SetAccountType, player=name, account=account, reason="as agreed")
        return name

    def sit(self, player: str, roubles: int = 10_000, sheet: str = SHEET) -> UUID:
        """An open session of a player; its id."""
        session = uuid4()
        request = cmd.RequestParticipation(
            **self.desk.head(),
            session=session,
            player=player,
            sheet=sheet,
            amount=100 * roubles,
            currency=Currency.RUR,
            channel="web",
        )
        answer, _ = self.desk.buy_right(request)
        assert answer.refusal is None, answer.message
        return session

    def prepare(self, player: str, numbers: Iterable[int] = SPUN, key: str | None = None) -> UUID:
        """A prepared series of these numbers; its id."""
        chosen = list(numbers)
        self.coming += [bytes([number]) * 16 for number in chosen]
        answer = self.fairplay.prepare(Wish(player, SHEET, len(chosen), key), uuid4())
        assert isinstance(answer, Answer)
        assert answer.refusal is None, answer.message
        return prepared(answer).series

    def spin(
        self, session: UUID, series: UUID, *lines: Any, command: UUID | None = None, **how: Any
    ) -> Answer:
        """Bet 50.00 on red, or these bets, on the next number, and draw it."""
        bet = Bet(session, series, {"bets": list(lines or (RED,))}, client="2D", **how)
        answer = self.fairplay.spin(bet, command or uuid4())
        assert isinstance(answer, Answer), answer
        return answer

    def lay(self, session: UUID, series: UUID, command: UUID | None = None, **how: Any) -> UUID:
        """Bet on the next number and stop there, as who dies between the saves; the round."""
        move = self.desk.move(session, {"bets": [RED]})
        head = self.desk.head(command)
        fields = {"session": session, "series": series, "move": move, "client": "2D", **how}
        answer = self.desk.handle(cmd.OpenRound(**head, **fields))
        assert answer.refusal is None, answer.message
        return answer.command

    def reveal(self, series: UUID) -> str:
        """The secret of a series that is over."""
        answer = self.fairplay.reveal(series, uuid4())
        assert answer.refusal is None, answer.message
        (told,) = [e.event.secret for e in answer.entries if isinstance(e.event, SeriesRevealed)]
        return told


def prepared(answer: Answer) -> SeriesPrepared:
    """The event of a series that was prepared."""
    (event,) = [e.event for e in answer.entries if isinstance(e.event, SeriesPrepared)]
    return event


def pocket(answer: Answer) -> int:
    """Where the ball came to rest."""
    (drawn,) = [e.event for e in answer.entries if isinstance(e.event, DrawRecorded)]
    return drawn.details.pocket


def fair_desk(house: House, folder: Path) -> FairDesk:
    """A desk over a house with a service of its own, metered as in production."""
    coming: list[bytes] = []

    def drawn(size: int) -> bytes:
        return coming.pop(0) if coming else token_bytes(size)

    def events(session: UUID) -> Any:
        return (entry.event for entry in house.service.history(session_stream(session)))

    def unseal(sealed: Sealed) -> bytes:
        return keys.unseal(sealed)

    keys = SeriesKeys(folder / "series")
    service = MeteredService(house.store, registry.ENGINES, Outside(drawn, pause, unseal))
    vault = Vault(folder / "vault")
    desk = Desk(service, InstantCentral(events), vault, "clerk", lambda: house.now)
    return FairDesk(house, FairPlay(desk, keys, drawn), coming)
