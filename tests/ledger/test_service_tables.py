"""Live tables on a real store: what comes between decision and save escapes nobody (G4, G9)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.ids import session_stream
from ledger.service import Outside, Service
from ledger.store.book import Store
from ledger.store.codec import Codec
from tests.coin import DETAILS, coin_sheet
from tests.given import NOON
from tests.scenes import ANNA, EUR, coins, money, uid
from tests.table_coin import TABLE_ENGINES

TABLE = {"table": "coin-1"}
SEATED = uid(1)


class Desk:
    """A service of its own over a book of live tables."""

    def __init__(self, database: str, book: str, first: int) -> None:
        self.store = Store(database, book, Codec(DETAILS), 2)
        outside = Outside(bytes, lambda _: None)
        self.service = Service(self.store, TABLE_ENGINES, outside)
        self._number = first

    def do(self, kind: type[cmd.Command], **fields: Any) -> Answer:
        """Send a command that is accepted; its answer."""
        self._number += 1
        answer = self.service.handle(kind(id=uid(self._number), actor="test", **fields), NOON)
        assert answer.refusal is None, answer.message
        return answer

    def furnish(self) -> None:
        """Open a table and a session of 50.00 that sits there; begin a round."""
        text = coin_sheet(engine="coin/2", rounds_max=2)
        self.do(cmd.OpenBook, book="contoposta", clock="simulated")
        sheet = {"sheet": "coin-flip", "sheet_version": 1, "in_force_from": NOON, "text": text}
        self.do(cmd.PublishSheet, **sheet)
        self.do(cmd.OpenTable, **TABLE, sheet="coin-flip", seats_max=2, chief="maria")
        self.do(cmd.OpenConto, player=ANNA, currency=EUR, personal=())
        self.do(cmd.Deposit, player=ANNA, reference="p", channel="card", **money(9_000))
        asked = {"player": ANNA, "sheet": "coin-flip", "channel": "web", **money(5_000)}
        right = self.do(cmd.RequestParticipation, session=SEATED, **asked).command
        proof = {"participation": right, "ticket": "T-1", "count": 1, "total": 5_000}
        self.do(cmd.ValidateParticipation, session=SEATED, **proof)
        self.do(cmd.TakeSeat, session=SEATED, **TABLE)
        self.do(cmd.OpenTableRound, **TABLE)

    def before_saving(self, act: Callable[[], object]) -> None:
        """Let something happen between the next decision and its save."""
        recorder: Any = self.store.recorder
        insert = recorder.insert_events

        def interrupted(*args: Any, **kwargs: Any) -> Any:
            del recorder.insert_events
            act()
            return insert(*args, **kwargs)

        recorder.insert_events = interrupted


@pytest.fixture
def desks(database: str, book: str) -> Iterator[tuple[Desk, Desk]]:
    """The pit's desk and the player's, over one book with a round that is open for bets."""
    pit, player = Desk(database, book, 1_000), Desk(database, book, 2_000)
    pit.furnish()
    yield pit, player
    pit.store.close()
    player.store.close()


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(cmd.VoidTableRound, {}), (cmd.SuspendTable, {"chief": "maria"})],
    ids=["void", "suspend"],
)
def test_bj8_a_bet_that_comes_while_its_round_is_voided_is_given_back(
    desks: tuple[Desk, Desk], kind: type[cmd.Command], fields: dict[str, Any]
) -> None:
    """It is saved after the seats were looked at and before the void is: it is owed, not lost."""
    pit, player = desks
    bet = {"session": SEATED, "move": coins(("heads", 100))}
    pit.before_saving(lambda: player.do(cmd.OpenRound, **bet))
    pit.do(kind, **TABLE, reason="the wheel broke", **fields)

    player.do(cmd.LeaveSeat, session=SEATED)

    state: Any = pit.service.state(session_stream(SEATED))
    assert (5_000, ()) == (state.posta, state.rounds)


def test_g3_a_payment_that_ends_a_session_is_answered_again_in_full(
    desks: tuple[Desk, Desk],
) -> None:
    """The seat that is left and the end of the round are both of the table's stream."""
    pit, player = desks
    player.do(cmd.OpenRound, session=SEATED, move=coins(("heads", 100)))
    pit.do(cmd.ExcludePlayer, player=ANNA, until=NOON + timedelta(days=1))
    pit.do(cmd.CloseBets, **TABLE)
    pit.do(cmd.DrawOutcome, **TABLE)
    settle = cmd.SettleTableRound(id=uid(77), actor="test", **TABLE)

    first = pit.service.handle(settle, NOON)

    assert first.to_bytes() == player.service.handle(settle, NOON).to_bytes()
    assert first.refusal is None


def test_g8_a_process_that_knows_a_table_and_not_its_sheet_reads_the_sheet(
    desks: tuple[Desk, Desk],
) -> None:
    """It closed the bets, which the sheet has no part in, and then draws by the sheet's rules."""
    _, other = desks
    other.do(cmd.CloseBets, **TABLE)

    drawn = other.do(cmd.DrawOutcome, **TABLE)

    assert ["outcome-recorded"] == [e.event.NAME for e in drawn.entries]
