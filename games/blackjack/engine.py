"""The engine of Live Blackjack, version 1, behind the book's `DealtEngine` protocol."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.blackjack import deal, moves, play, sheet, shoe
from games.blackjack.moves import BlackjackCard, BlackjackCut, BlackjackMove
from games.blackjack.round import Action
from ledger.domain.decider import (
    Dealing,
    DealTo,
    Decided,
    Drawn,
    Due,
    NeedsDraw,
    Over,
    RoundEvents,
    RoundView,
    Turn,
)
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class BlackjackEngine:
    """Live Blackjack: stateless, so that one value serves every table."""

    game: str = "live-blackjack"
    version: int = 1

    def read_sheet(self, text: str) -> sheet.Sheet:
        """Read a sheet's canonical text; raise `SheetError` if it cannot be played."""
        return sheet.read_sheet(text)

    def parse(self, document: object) -> Details | Refusal:
        """Read a player's move, such as `{"bet": "10.00"}` or `{"action": "double"}`."""
        return moves.parse(document)

    def decide(
        self,
        view: RoundView,
        move: Details,
        draw: bytes | None,  # noqa: ARG002 - the cards are the table's
    ) -> RoundEvents | Refusal:
        """Propose the events of a bet, of a move, or of the decision of a box."""
        return play.decide(view, move)

    def next_move(self, view: RoundView) -> Details:  # noqa: ARG002 - the table's cards decide
        """Stand; it is never asked for, since a round waits for its table alone."""
        return _STAND

    def waits(self, view: RoundView) -> bool:  # noqa: ARG002 - no move follows by the rules alone
        """A round waits for its player or for its table."""
        return True

    def check_limits(self, sheet: sheet.Sheet, limits: str) -> str | None:  # noqa: ARG002 - one range for all
        """A least and a most for the bet of a box."""
        read = play.limits_in(limits)
        return read.message if isinstance(read, Refusal) else None

    def awaits_outcome(self, view: RoundView) -> bool:  # noqa: ARG002 - no move ends a round alone
        """Always: a box is in play until its cards decide it."""
        return True

    def in_payment_order(
        self,
        sheet: sheet.Sheet,  # noqa: ARG002 - the order of all sheets
        outcome: Details,  # noqa: ARG002 - whatever came
        dues: Sequence[Due],
    ) -> Sequence[Due]:
        """Box by box."""
        return play.in_payment_order(dues)

    def seats_max(self, sheet: sheet.Sheet) -> int:
        """As many as there are boxes."""
        return sheet.seats

    def seconds_to_act(self, sheet: sheet.Sheet) -> int:
        """As the sheet says."""
        return sheet.act_seconds

    def seconds_idle(self, sheet: sheet.Sheet) -> int:
        """As the sheet says."""
        return sheet.inactive_seconds

    def parse_card(self, document: object) -> Details | Refusal:
        """Read `{"card": "Tc"}`."""
        return moves.parse_card(document)

    def parse_shuffle(self, document: object) -> Details | Refusal:
        """Read `{"cut": 208}`."""
        return moves.parse_cut(document)

    def draw_card(
        self, sheet: sheet.Sheet, gone: Sequence[Details], draw: bytes | None
    ) -> Drawn | NeedsDraw:
        """One of the cards that are left, each equally likely."""
        drawn = None if draw is None else shoe.draw(deal.shoe_left(sheet.decks, gone), draw)
        return shoe.POOL if drawn is None else Drawn(BlackjackCard(card=drawn.card), drawn.used)

    def draw_shuffle(self, sheet: sheet.Sheet, draw: bytes | None) -> Drawn | NeedsDraw:
        """One of the places that the sheet allows, each equally likely."""
        cut = None if draw is None else shoe.place_cut(sheet.cut, draw)
        return shoe.POOL if cut is None else Drawn(BlackjackCut(cards=cut.cards), cut.used)

    def can_come(self, sheet: sheet.Sheet, gone: Sequence[Details], card: Details) -> bool:
        """Whether the shoe still holds such a card."""
        left = deal.shoe_left(sheet.decks, gone)
        return isinstance(card, BlackjackCard) and left.holds(card.card)

    def can_be_cut(self, sheet: sheet.Sheet, shuffle: Details) -> bool:
        """Whether the sheet allows the place."""
        places = sheet.cut
        return isinstance(shuffle, BlackjackCut) and places.fewest <= shuffle.cards <= places.most

    def is_out(self, sheet: sheet.Sheet, shuffle: Details, gone: int) -> bool:  # noqa: ARG002 - wherever it is
        """Whether so many cards have come that the cutting card has."""
        assert isinstance(shuffle, BlackjackCut)
        return gone >= shuffle.cards

    def following(self, sheet: sheet.Sheet, dealing: Dealing) -> DealTo | Turn | Over:
        """What the deal waits for."""
        return deal.next_of(sheet.rules, dealing)

    def decided(self, sheet: sheet.Sheet, dealing: Dealing) -> tuple[Decided, ...]:
        """The boxes that the last step decided at once."""
        return deal.decided(sheet.rules, dealing)

    def seen(self, sheet: sheet.Sheet, dealing: Dealing, seat: int) -> Details:
        """The cards on which a box acts."""
        return deal.seen(sheet.rules, dealing, seat)

    def passed(self, sheet: sheet.Sheet, dealing: Dealing) -> Details:  # noqa: ARG002 - on any hand
        """Stand (rulings BJ8)."""
        return _STAND


_STAND = BlackjackMove(action=Action.STAND)
