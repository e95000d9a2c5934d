"""A live table of Blackjack on a real database: boxes, told cards, moves, payments."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.blackjack.moves import BlackjackCard, BlackjackCut
from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.events import FeedRef
from tests.blackjack_pit import read
from tests.house import order
from tests.memory_pit import CHIEF
from tests.pit_house import Pit

SHEET = "live-blackjack"


@dataclass
class BlackjackTable(Pit):
    """One table of a house, where cards are told by a studio."""

    table: str = "blackjack-1"

    def open(self, seats: int = 7) -> "BlackjackTable":
        """Open the table and shuffle its first shoe, cut behind 208 cards."""
        self.do(cmd.OpenTable, sheet=SHEET, seats_max=seats, **CHIEF)
        self.do(cmd.ShuffleShoe, told=self.told(BlackjackCut(cards=208)))
        return self

    def seat(self, player: str, posta: int = 100_00) -> UUID:
        """A new player with a session who sits at the table."""
        self.house.conto(player, 2 * posta)
        session = self.house.session(player, posta, SHEET)
        self.do(cmd.TakeSeat, session=session)
        return session

    def bet(self, session: UUID, amount: str = "10.00") -> Any:
        """The command that bets on the box of a session's seat."""
        return order(cmd.OpenRound, session=session, move=read({"bet": amount}))

    def begin(self, *sessions: UUID) -> None:
        """Open a round, bet 10.00 on each box, and close the bets."""
        self.do(cmd.OpenTableRound)
        for session in sessions:
            assert self.house.ask(self.bet(session)).refusal is None
        self.do(cmd.CloseBets)

    def told(self, details: Any) -> cmd.Told:
        """What the next message of the feed tells."""
        place = next(self.sequence)
        return cmd.Told(feed=FeedRef(message=f"m-{place}", sequence=place), details=details)

    def card(self, name: str) -> Any:
        """The command that takes in a card of the feed."""
        return self.order(cmd.DealCard, told=self.told(BlackjackCard(card=name)))

    def deal(self, cards: str) -> Answer:
        """Cards that count, written with blanks between them; the last answer."""
        for name in cards.split():
            answer = self.house.ask(self.card(name))
            events = [e.event.NAME for e in answer.entries]
            assert (answer.refusal, True) == (None, "card-dealt" in events), (name, events)
        return answer

    def move(self, session: UUID, action: str) -> Any:
        """The command of a move in the round of a session's box."""
        (played,) = self.session(session).rounds
        fields = {"session": session, "round": played.round, "move": read({"action": action})}
        return order(cmd.ContinueRound, **fields)

    def act(self, session: UUID, *actions: str) -> None:
        """Moves that must be accepted."""
        for action in actions:
            answer = self.house.ask(self.move(session, action))
            assert answer.refusal is None, (action, answer.message)
