"""Maintenance notices are published before; while one lasts nothing begins (rulings C5)."""

from datetime import timedelta

import pytest

from ledger.domain.commands import (
    AnnounceMaintenance,
    EndMaintenance,
    PlayRound,
    RequestParticipation,
)
from ledger.domain.events import MaintenanceAnnounced, MaintenanceEnded
from ledger.domain.ids import MAINTENANCE
from ledger.domain.refusals import Code
from tests.coin import ENGINES
from tests.given import NOON, given, on
from tests.scenes import ANNA, S1, coins, conto, money, order, published, session

HOUR = timedelta(hours=1)


def notice(number=1, starts=NOON, ends=NOON + HOUR):
    """A notice on record."""
    return MaintenanceAnnounced(notice=number, starts=starts, ends=ends, reason="new wheel")


def announce(starts, ends):
    """The command that announces."""
    return order(AnnounceMaintenance, starts=starts, ends=ends, reason="new wheel")


def play():
    """The command that plays a round."""
    return order(PlayRound, session=S1, move=coins(("heads", 100)))


def test_c5_a_notice_is_numbered_after_all_earlier_ones():
    """Numbers count on, also past notices that were ended."""
    ended = MaintenanceEnded(notice=1)

    given(on(MAINTENANCE, notice(), ended)).when(announce(NOON + HOUR, NOON + 2 * HOUR)).then(
        on(MAINTENANCE, notice(2, NOON + HOUR, NOON + 2 * HOUR))
    )


@pytest.mark.parametrize(
    ("starts", "ends"),
    [(-HOUR, HOUR), (HOUR, HOUR), (2 * HOUR, HOUR)],
    ids=["past", "empty", "back"],
)
def test_c5_a_notice_that_is_late_or_empty_is_refused(starts, ends):
    """It must be published before it starts, and end later than it starts."""
    given().when(announce(NOON + starts, NOON + ends)).then(Code.MALFORMED)


def test_c5_a_notice_can_be_ended_before_its_time():
    """The end names its number."""
    given(on(MAINTENANCE, notice())).when(order(EndMaintenance, notice=1)).then(
        on(MAINTENANCE, MaintenanceEnded(notice=1))
    )


@pytest.mark.parametrize("events", [(), (notice(), MaintenanceEnded(notice=1))])
def test_a_notice_that_is_not_in_force_cannot_be_ended(events):
    """Neither one that never was nor one that was ended."""
    given(on(MAINTENANCE, *events)).when(order(EndMaintenance, notice=1)).then(Code.UNKNOWN_NOTICE)


def test_c5_no_session_begins_during_maintenance():
    """An initial right is refused."""
    request = order(
        RequestParticipation,
        session=S1,
        player=ANNA,
        sheet="coin-flip",
        **money(500),
        channel="web",
    )

    given(conto(500), published(), on(MAINTENANCE, notice())).when(request).then(Code.MAINTENANCE)


def test_c5_no_round_begins_during_maintenance():
    """A round is refused in an open session."""
    given(session(), published(), on(MAINTENANCE, notice()), engines=ENGINES).when(play()).then(
        Code.MAINTENANCE
    )


@pytest.mark.parametrize("offset", [timedelta(microseconds=-1), HOUR], ids=["before", "at the end"])
def test_c5_rounds_begin_up_to_the_start_and_from_the_end_on(offset):
    """A notice is in force from its start up to, not including, its end."""
    decided = given(session(), published(), on(MAINTENANCE, notice()), engines=ENGINES).when(
        play(), now=NOON + offset, entropy=b"\0"
    )

    assert isinstance(decided.decision, tuple)


def test_c5_rounds_begin_again_once_the_notice_was_ended():
    """A notice that was ended by hand is over at once."""
    history = on(MAINTENANCE, notice(), MaintenanceEnded(notice=1))
    decided = given(session(), published(), history, engines=ENGINES).when(play(), entropy=b"\0")

    assert isinstance(decided.decision, tuple)
