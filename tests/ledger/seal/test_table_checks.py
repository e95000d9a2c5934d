"""Forged books of live tables that `verify` finds: limits, seats, payments, counts (FR3, FR4)."""

import pytest

from games import registry
from ledger.domain import commands as cmd, events as ev
from tests.french_pit import TABLE, FrenchPit, on
from tests.french_table import MANUAL
from tests.memory_pit import CHIEF
from tests.scenes import uid
from tests.table_checks import found_at_tables

COLUMN = list(range(1, 35, 3))
OTHER_LIMITS = '{"max":"50.00","min":"1.00"}'
WHEEL = {"reason": "the wheel broke"}


@pytest.fixture(scope="module")
def pit():
    """Two rounds that are paid, the second under other limits, one that is void, and one in play.

    In the first, anna's column and red win and bruno's column; on 7 his is the larger.
    """
    pit = FrenchPit()
    pit.begin()
    pit.bet(on("red", 1000), on(COLUMN, 300))
    pit.bet(on(COLUMN, 400), number=2)
    pit.spin(7)
    pit.at(cmd.SetTableLimits, limits=OTHER_LIMITS, **CHIEF)
    pit.begin()
    pit.bet(on("red", 1000))
    pit.spin(4)
    for refund in ("at-once", "next-round"):
        pit.begin()
        pit.bet(on([17], 100))
        pit.at(cmd.VoidTableRound, refund=refund, **WHEEL)
    pit.begin()
    pit.bet(on([17], 100))
    assert [] == pit.findings()
    return pit


def found(pit, entries):
    """What is found in forged entries, by the checks of tables and not by the judge of rounds."""
    published = {p.ref: p for p in pit.book.state("sheet:french-roulette").versions}
    findings = found_at_tables(entries, registry.ENGINES, published)
    return [f.found for f in findings if f.check in {"seats", "payments"}]


def forged(pit, kind, which=0, **fields):
    """The entries with one event of a kind changed: the first, or the one after so many."""
    entries = list(pit.book.entries)
    at = [i for i, e in enumerate(entries) if isinstance(e.event, kind)][which]
    event = entries[at].event.model_copy(update=fields)
    entries[at] = entries[at].model_copy(update={"event": event})
    return entries


def without(pit, kind, which=0):
    """The entries without one event of a kind."""
    entries = list(pit.book.entries)
    del entries[[i for i, e in enumerate(entries) if isinstance(e.event, kind)][which]]
    return entries


def test_fr3_a_round_under_other_limits_than_were_announced_is_found(pit):
    """The first limits, in the round after the chief had announced others."""
    first = next(e.event.limits for e in pit.book.entries if isinstance(e.event, ev.TableOpened))

    entries = forged(pit, ev.TableRoundOpened, 1, limits=first)

    assert ["opened under other limits than were announced"] == found(pit, entries)


def test_fr3_limits_that_were_never_announced_are_found(pit):
    """The announcement is gone, and the rounds after it stand under its limits."""
    wrong = "opened under other limits than were announced"

    assert [wrong] * 4 == found(pit, without(pit, ev.TableLimitsSet))


def test_g7_a_round_of_another_number_than_its_own_is_found(pit):
    """A message of the feed names its round by that number."""
    entries = forged(pit, ev.TableRoundOpened, 1, number=3)

    assert ["this is round 2 of the table"] == found(pit, entries)


@pytest.mark.parametrize("kind", [ev.SessionSeated, ev.SeatTaken])
def test_g4_a_seat_that_one_stream_alone_knows_of_is_found(pit, kind):
    """The session's, or the table's."""
    assert "sits elsewhere than its table says" in found(pit, without(pit, kind))


def test_g4_a_seat_that_two_sessions_have_is_found(pit):
    """Bruno's was taken by anna."""
    entries = forged(pit, ev.SeatTaken, 1, seat=1)

    assert "the seat 1 was taken already" in found(pit, entries)


def test_fr9_a_bet_of_a_session_that_sits_elsewhere_is_found(pit):
    """Anna sat down after her first bet, and not before it."""
    entries = list(pit.book.entries)
    sat = [e for e in entries if e.event.NAME in {"session-seated", "seat-taken"}][:2]
    bet = next(e for e in entries if isinstance(e.event, ev.RoundOpened))
    others = [e for e in entries if e not in sat]
    at = others.index(bet) + 1

    assert f"its session does not sit at {TABLE}" in found(pit, [*others[:at], *sat, *others[at:]])


def test_g9_a_session_that_was_closed_in_its_seat_is_found():
    """The seat would stay taken for ever."""
    pit = FrenchPit()
    pit.do(cmd.CloseSession, session=uid(1))
    assert [] == pit.findings()

    wrong = "closed while it sits at a table"

    assert wrong in found(pit, without(pit, ev.SessionUnseated))


def test_fr4_payments_in_another_order_over_the_table_are_found(pit):
    """Anna's column of 3.00 before bruno's of 4.00: each session by itself is as it was."""
    entries = list(pit.book.entries)
    his, hers = [i for i, e in enumerate(entries) if isinstance(e.event, ev.PayoutCredited)][:2]
    assert [800, 600] == [entries[i].event.winnings for i in (his, hers)]
    swapped = [*entries[:his], entries[hers], entries[his], *entries[hers + 1 :]]

    assert ["the payments stand in another order than the sheet's"] == found(pit, swapped)


def test_fr4_held_wins_in_another_order_are_found():
    """Where winnings are collected the order is the same."""
    pit = FrenchPit(MANUAL)
    pit.begin()
    pit.bet(on(COLUMN, 300))
    pit.bet(on(COLUMN, 400), number=2)
    pit.spin(7)
    assert [] == pit.findings()
    entries = list(pit.book.entries)
    his, hers = [i for i, e in enumerate(entries) if isinstance(e.event, ev.WinHeld)]
    swapped = [*entries[:his], entries[hers], entries[his], *entries[hers + 1 :]]

    assert ["the payments stand in another order than the sheet's"] == found(pit, swapped)


def test_g4_a_settlement_that_counts_other_sessions_than_it_told_is_found(pit):
    """Two sessions were told the first outcome."""
    entries = forged(pit, ev.TableRoundSettled, sessions=3)

    assert ["2 sessions were told its outcome"] == found(pit, entries)


@pytest.mark.parametrize("which", [0, 1], ids=["at-once", "next-round"])
def test_g4_a_table_that_counts_other_refunds_than_it_made_is_found(pit, which):
    """One session was refunded, at once or with the next round."""
    entries = forged(pit, ev.RefundsMade, which, sessions=2)

    assert ["1 sessions were refunded"] == found(pit, entries)


def test_bj8_a_table_that_closes_counts_those_whom_it_refunds():
    """Two sit there, and one had a bet in the voided round."""
    pit = FrenchPit()
    pit.begin()
    pit.bet(on([17], 100))
    pit.at(cmd.VoidTableRound, refund="next-round", **WHEEL)

    closed = pit.at(cmd.CloseTable, **CHIEF)

    made = [e.event.sessions for e in closed.entries if isinstance(e.event, ev.RefundsMade)]
    assert ([1], []) == (made, pit.findings())


@pytest.mark.parametrize("plays_on", [True, False])
def test_fr7_a_stake_that_plays_on_or_is_set_aside_against_the_planned_time_is_found(plays_on):
    """Its player planned an hour, and the next round opened after it, or within it."""
    pit = FrenchPit(MANUAL)
    pit.begin()
    pit.bet(on("red", 1000))
    pit.spin(3)
    pit.begin()
    assert [] == pit.findings()
    planned = {} if plays_on is False else {"limit_seconds": 1}
    entries = forged(pit, ev.ParticipationRequested, **planned)
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.TableRoundJoined))
    later = {"recorded": pit.now.replace(year=pit.now.year + 1)} if plays_on else {}
    event = entries[at].event.model_copy(update={"plays_on": plays_on})
    entries[at] = entries[at].model_copy(update={"event": event, **later})

    assert "plays on, or is set aside, against rules or planned time" in found(pit, entries)
