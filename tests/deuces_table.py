"""A seat at Deuces Wild: a book in memory, a player with a posta, and cards that the test chooses.

The entropy of a draw is written by hand: of the cards that are left, in the deck's order, the byte
is the place of the wanted one.
"""

from datetime import timedelta

from games.cards import DECK
from games.deuces_wild.engine import DeucesEngine
from games.registry import SHEETS
from ledger.domain import commands as cmd, session as ses
from ledger.domain.events import CommandAnswered
from ledger.domain.ids import session_stream
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, EUR, money, uid

ENGINE = DeucesEngine()
DEUCES = SHEETS["deuces-wild"].text
SESSION = uid(1)
STREAM = session_stream(SESSION)
ROYAL = ["Ts", "Js", "Qs", "Ks", "As"]
NOTHING = ["3c", "5d", "7h", "9s", "Jc"]
TRIPLE = ["3c", "3d", "3h", "9s", "Jc"]


def entropy(cards, gone=()):
    """The bytes by which these cards come one after the other when others are gone."""
    left = [card for card in DECK if card not in gone]
    places = []
    for card in cards:
        places.append(left.index(card))
        left.remove(card)
    return bytes(places)


def furnished(book, posta=50_000):
    """Open the book with the sheet, a conto with 900.00 and a valid session with a posta."""
    sheet = {"sheet": "deuces-wild", "sheet_version": 1, "in_force_from": NOON, "text": DEUCES}
    base = {"actor": "test", "player": ANNA}
    right = {"channel": "web", "sheet": "deuces-wild", **money(posta)}
    valid = {"participation": uid(20), "ticket": "T-1", "count": 1, "total": posta}
    for command in (
        cmd.OpenBook(id=uid(10), actor="test", book="contoposta", clock="simulated"),
        cmd.PublishSheet(id=uid(11), actor="test", **sheet),
        cmd.OpenConto(id=uid(30), **base, currency=EUR, personal=()),
        cmd.Deposit(id=uid(40), **base, **money(90_000), reference="first", channel="card"),
        cmd.RequestParticipation(id=uid(20), **base, session=SESSION, **right),
        cmd.ValidateParticipation(id=uid(50), actor="test", session=SESSION, **valid),
    ):
        assert book.handle(command, NOON).refusal is None
    return book


class Seat:
    """Anna at the machine; each move is a document, and `cards` are what the draw brings."""

    def __init__(self, posta=50_000):
        self._coming = [b""]
        self.book = furnished(MemoryBook({"deuces-wild/1": ENGINE}, self._entropy), posta)
        self.now = NOON
        self.round = None
        self._number = 1_000

    def _entropy(self, _):
        """What was put down by the test; nothing is drawn that it did not expect."""
        assert self._coming, "no draw was expected here"
        return self._coming.pop(0)

    def send(self, kind, draws=(), **fields):
        """Send a command in which these bytes are drawn and no others; it and its answer."""
        self._number += 1
        self._coming = list(draws)
        command = kind(id=uid(self._number), actor=ANNA, session=SESSION, **fields)
        answer = self.book.handle(command, self.now)
        assert not self._coming, "a draw was expected that was not asked for"
        return command, answer

    def deal(self, cards, coins=5, coin="0.25"):
        """Bet and be dealt these cards; the answer."""
        return self.open({"coins": coins, "coin": coin}, entropy(cards))

    def open(self, document, *draws):
        """Open a round by a move in which these bytes are drawn; the answer."""
        command, answer = self.send(cmd.OpenRound, draws, move=ENGINE.parse(document))
        self.round = command.id
        return answer

    def move(self, document, *draws):
        """Make a move of the round in which these bytes are drawn; the answer."""
        move = ENGINE.parse(document)
        return self.send(cmd.ContinueRound, draws, round=self.round, move=move)[1]

    def hold(self, dealt, hold, drawn=()):
        """Replace what is not held of the cards dealt by these; the answer."""
        draws = [entropy(drawn, dealt)] if drawn else []
        return self.move({"hold": list(hold)}, *draws)

    def win(self, coins=5, coin="0.25"):
        """Be dealt three of a kind and keep it: `coins` times `coin` are held."""
        self.deal(TRIPLE, coins, coin)
        self.hold(TRIPLE, (1, 2, 3), ("5s", "7c"))

    def double(self, shown, *, half=False):
        """Put the win, or half of it, at risk against a card; the answer."""
        return self.move({"double_up": {"half": half}}, entropy([shown]))

    def pick(self, shown, four, number=1):
        """Pick one of these four cards; the answer."""
        return self.move({"pick": number}, entropy(four, [shown]))

    def expire(self):
        """Lose the connection and let twenty minutes pass."""
        self.book.handle(
            cmd.DisconnectSession(id=uid(1), actor=ANNA, session=SESSION, at=self.now), self.now
        )
        self.now += timedelta(minutes=20)

    def end(self, *draws):
        """The answer to the expiry, in which these bytes are drawn."""
        return self.send(cmd.ExpireSession, draws)[1]

    @property
    def state(self) -> ses.State:
        """The session as it stands."""
        return self.book.state(STREAM)

    @property
    def boxes(self):
        """Credit, bet box and win box."""
        return self.state.posta, self.state.bet_box, self.state.win_box


def names(answer):
    """What an answer wrote, by the names on disk and without the command's own record."""
    return [e.event.NAME for e in answer.entries if not isinstance(e.event, CommandAnswered)]


def told(answer, kind):
    """The one event of a kind in an answer."""
    (event,) = [e.event for e in answer.entries if isinstance(e.event, kind)]
    return event
