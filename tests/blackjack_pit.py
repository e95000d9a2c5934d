"""A live table of Blackjack in a book in memory: players at its boxes, and cards of a told shoe."""

import itertools

from games import registry
from games.blackjack.moves import BlackjackCard, BlackjackCut
from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Refusal
from ledger.domain.sheets import Published, text_hash
from ledger.seal.dealing import DealingCheck
from tests.given import NOON
from tests.memory_pit import MemoryPit
from tests.scenes import uid
from tests.table_checks import found_at_tables

TABLE = "blackjack-1"
ENGINE = registry.ENGINES["live-blackjack/1"]
SHEET = registry.SHEETS["live-blackjack"]
SHEET_REF = ev.SheetRef(sheet=SHEET.sheet, version=SHEET.version, hash=text_hash(SHEET.text))
PUBLISHED = Published(SHEET_REF, NOON, SHEET.engine, SHEET.text)
RIGHT = 50_000
"""What each player begins with, in cents."""


class BlackjackPit(MemoryPit):
    """Players `player-1`, ... at the seats of their numbers, with 500.00 each."""

    def __init__(self, players=2, right=RIGHT, **limits):
        super().__init__(
            TABLE, registry.ENGINES, SHEET.text, sheet=SHEET.sheet, sheet_version=SHEET.version
        )
        self.right, self.limits = right, limits
        self._sequences = itertools.count(1)
        self.open_table(seats_max=7)
        for number in range(1, players + 1):
            self.sit_down(number)

    def sit_down(self, number):
        """Open a conto and a session, and take the seat of that number."""
        player = f"player-{number}"
        self.conto(player)
        session = self.buy(number, player, self.right, **self.limits)
        self.do(cmd.TakeSeat, session=session, table=TABLE, seat=number)

    def bet(self, number=1, amount="10.00", **fields):
        """Bet on the box of a seat; the answer."""
        return self.send(cmd.OpenRound, session=uid(number), move=read({"bet": amount}), **fields)

    def begin(self, *amounts):
        """Shuffle a first time, open a round, bet from seat 1 on, and close the bets."""
        if self.table.shoe is None:
            self.shuffle()
        assert self.at(cmd.OpenTableRound).refusal is None
        for number, amount in enumerate(amounts, 1):
            answer = self.bet(number, amount)
            assert answer.refusal is None, answer.message
        assert self.at(cmd.CloseBets).refusal is None

    def shuffle(self, cut=208):
        """The studio tells a shuffle; the answer."""
        return self.at(cmd.ShuffleShoe, told=self.told(BlackjackCut(cards=cut)))

    def told(self, details, message=None, sequence=None):
        """What the next message of the feed tells."""
        number = next(self._sequences) if sequence is None else sequence
        feed = ev.FeedRef(message=message or f"m-{number}", sequence=number)
        return cmd.Told(feed=feed, details=details)

    def hear(self, card):
        """The studio tells a card; the answer."""
        return self.at(cmd.DealCard, told=self.told(BlackjackCard(card=card)))

    def deal(self, cards):
        """Cards that count, written with blanks between them; the last answer."""
        for card in cards.split():
            answer = self.hear(card)
            why = [e.event.why for e in answer.entries if hasattr(e.event, "why")]
            assert (answer.refusal, why) == (None, []), (card, answer.message)
        return answer

    def act(self, action, number=1, **fields):
        """A player's move in the round of its box; the answer."""
        move = read({"action": action})
        rounds = self.session(number).rounds
        round_id = rounds[0].round if rounds else uid(1)
        return self.send(
            cmd.ContinueRound, session=uid(number), round=round_id, move=move, **fields
        )

    def settle(self):
        """Pay the round; the answer."""
        return self.at(cmd.SettleTableRound)

    def won(self, number=1):
        """The posta of a session less what it began with."""
        return self.session(number).posta - self.right


def read(document):
    """A player's document as a move."""
    move = ENGINE.parse(document)
    assert not isinstance(move, Refusal), move
    return move


def findings(entries):
    """What judging entries again finds wrong: the rounds, the tables, and the deals."""
    published = {SHEET_REF: PUBLISHED}
    deals = DealingCheck(registry.ENGINES, published)
    found = [f for at, entry in enumerate(entries) for f in deals.see(at, entry)]
    return [*found_at_tables(entries, registry.ENGINES, published), *found, *deals.end()]
