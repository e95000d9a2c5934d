"""Demo rounds move no money, and are judged again like any other (G7, HW5)."""

from uuid import UUID

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import DemoRoundPlayed
from tests.force import edit
from tests.house import RED, SEVENTEEN, House, bets

DEALT = {"coins": 5, "coin": "0.25"}


@pytest.fixture
def played(house: House) -> House:
    """A demo round on red and on 17, in a session of a real player; not yet sealed."""
    answer = house.do(cmd.PlayDemo, session=house.seat(), move=bets(RED, SEVENTEEN))
    assert isinstance(answer.entries[0].event, DemoRoundPlayed)
    return house


def test_g7_an_honest_demo_round_is_verified(played: House) -> None:
    """Its move and its entropy give the outcome, the stakes and what is credited."""
    played.seal()

    assert played.verify() == ()


@pytest.mark.parametrize(
    "forged",
    [
        {"credited": 999_999},
        {"staked": 0},
        {"shown": "99"},
        {"entropy": ""},
        {"account": "VIP"},
        {"round": str(UUID(int=9))},
    ],
)
def test_g7_a_demo_round_that_its_entropy_does_not_give_is_found(
    played: House, forged: dict[str, object]
) -> None:
    """Chips are no money, but what is told of chances with them must be so."""
    edit(played, "demo-round-played", lambda event: event.update(forged))
    played.seal()

    assert "judgement" in played.checks_that_find()


def test_g7_more_entropy_than_the_round_used_is_found(played: House) -> None:
    """A byte more would leave open which one was meant."""
    edit(played, "demo-round-played", lambda event: event.update(entropy=event["entropy"] + "00"))
    played.seal()

    assert {"judgement"} == played.checks_that_find()
