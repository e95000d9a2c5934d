"""A table of Blackjack in a casino whose books are folded: anna and bruno, and cards of a feed."""

from games.blackjack.moves import BlackjackCard
from ledger.domain import commands as cmd
from ledger.domain.events import FeedRef
from tests.blackjack_pit import SHEET, read
from tests.workers.history import Casino

TABLE = {"table": "blackjack-1"}


class Table:
    """The table of a casino, and who plays there."""

    def __init__(self, casino: Casino) -> None:
        self.casino, self.seats, self.rounds = casino, {}, {}
        told = {"sheet": SHEET.sheet, "sheet_version": SHEET.version, "text": SHEET.text}
        casino.send(cmd.PublishSheet, **told, in_force_from=casino.now)
        casino.send(cmd.OpenTable, **TABLE, sheet=SHEET.sheet, seats_max=7, chief="maria")
        casino.send(cmd.ShuffleShoe, **TABLE)
        for name in ("anna", "bruno"):
            self.seats[name] = casino.sit(casino.player(name), 10_000, sheet=SHEET.sheet)
            casino.send(cmd.TakeSeat, session=self.seats[name], **TABLE)

    def begin(self, *names: str) -> None:
        """Open a round, bet 10.00 for each of these, and close the bets."""
        self.casino.send(cmd.OpenTableRound, **TABLE)
        for name in names:
            bet = {"session": self.seats[name], "move": read({"bet": "10.00"})}
            self.rounds[name] = self.casino.send(cmd.OpenRound, **bet).command
        self.casino.send(cmd.CloseBets, **TABLE)

    def deal(self, cards: str) -> None:
        """Cards of the feed."""
        for card in cards.split():
            feed = FeedRef(message=f"m-{self.casino.sent}", sequence=self.casino.sent)
            told = cmd.Told(feed=feed, details=BlackjackCard(card=card))
            self.casino.send(cmd.DealCard, **TABLE, told=told)

    def act(self, name: str, *actions: str) -> None:
        """Moves of a player."""
        at = {"session": self.seats[name], "round": self.rounds[name]}
        for action in actions:
            self.casino.send(cmd.ContinueRound, **at, move=read({"action": action}))

    def play_insured_split_and_void_double(self) -> None:
        """Anna insures 8-8, which split make 18 and 20 against 17; bruno takes even money.

        Then anna doubles 11, and that round is void.
        """
        self.begin("anna", "bruno")
        self.deal("8h Ac As 8d Kd")
        self.act("anna", "insurance", "split")
        self.deal("Tc 3c")
        self.act("anna", "stand", "hit")
        self.deal("9c")
        self.act("anna", "stand")
        self.act("bruno", "even-money")
        self.deal("6h")
        self.casino.send(cmd.SettleTableRound, **TABLE)
        self.begin("anna")
        self.deal("5c 8s 6s")
        self.act("anna", "double")
        self.casino.send(cmd.VoidTableRound, **TABLE, reason="cards misread")
