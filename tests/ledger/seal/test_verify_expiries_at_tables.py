"""Sessions that end by rule at a live table: whatever ends its round, the book verifies (C1, FR1).

Anna planned to play for an hour and sits at a table of French roulette; she bet 1.00 on red.
"""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from ledger.domain import commands as cmd, session as ses
from tests.house import House, euro
from tests.pit_house import FRENCH, Pit


@pytest.fixture
def pit(house: House) -> Pit:
    """The table."""
    return Pit(house).open()


@pytest.fixture
def seat(pit: Pit) -> UUID:
    """Anna's session, with her bet in the table's round."""
    house, session = pit.house, uuid4()
    house.conto("anna-1", 100_00)
    about = {"session": session, "player": "anna-1", "sheet": FRENCH, "channel": "web"}
    asked = house.do(cmd.RequestParticipation, **about, **euro(50_00), limit_seconds=3_600)
    yes = {"participation": asked.command, "ticket": "T-1", "count": 1, "total": 50_00}
    house.do(cmd.ValidateParticipation, session=session, **yes)
    pit.do(cmd.TakeSeat, session=session)
    pit.do(cmd.OpenTableRound)
    assert house.ask(pit.bet(session)).refusal is None
    return session


def ended(pit: Pit, session: UUID) -> tuple[str, int]:
    """How the session ended, and its final posta; the book must verify."""
    state = pit.session(session)
    assert isinstance(state, ses.Closed)
    pit.house.seal()
    assert () == tuple(pit.house.verify())
    return state.reason, state.final_posta


ENDS = {"won": ("time-over", 51_00), "void": ("time-over", 50_00), "excluded": ("excluded", 51_00)}


@pytest.mark.parametrize("end", ENDS)
def test_g9_a_session_whose_time_is_over_while_the_ball_rolls_ends_with_the_round(pit, seat, end):
    """Given an expiry that the round outlives, then its number, void or an exclusion ends it."""
    pit.do(cmd.CloseBets)
    pit.house.later(hours=1, minutes=20)
    pit.house.do(cmd.ExpireSession, session=seat)
    assert isinstance(pit.session(seat), ses.Open)
    if end == "excluded":
        until = pit.house.now + timedelta(hours=1)
        pit.house.do(cmd.ExcludePlayer, player="anna-1", until=until)
    if end == "void":
        pit.do(cmd.VoidTableRound, reason="the wheel stands")
    else:
        assert pit.house.ask(pit.heard(3)).refusal is None
        pit.do(cmd.SettleTableRound)

    assert ENDS[end] == ended(pit, seat)


def test_fr1_what_zero_imprisoned_is_withdrawn_when_the_time_of_play_is_over(pit, seat):
    """Given half of a stake that is withdrawn from prison, when nobody plays on, then all holds."""
    pit.spin(0)
    pit.house.later(hours=1, minutes=20)
    pit.house.do(cmd.ExpireSession, session=seat)

    assert ("time-over", 49_50) == ended(pit, seat)
