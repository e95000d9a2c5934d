"""What the audits of roulette say of rounds that agree with themselves and break a rule."""

import copy
from datetime import timedelta

import orjson
import pytest

from games.roulette.french import round as french_round
from ledger.domain import commands as cmd
from tests.audit_rounds import alone, audit, entries_of, rounds_of, stored
from tests.fairplay_table import FAIRPLAY, spin, with_bets
from tests.french_pit import FrenchPit, on
from tests.french_table import FRENCH, MANUAL
from tests.roulette_table import CLASSIC
from tests.scenes import uid


def imprisoned(*pockets):
    """A player's round whose stake zero imprisoned, after these further numbers of the table."""
    pit = FrenchPit()
    pit.imprisoned()
    for pocket in pockets:
        pit.begin()
        pit.spin(pocket)
    return played(pit)


def played(pit):
    """The events of the only round of a player at a table."""
    (events,) = [r for r in rounds_of(pit.book.entries) if r[0]["name"] == "round-opened"]
    return events


def with_body(events, name, **changes):
    """The events with other fields in the last one of a name."""
    forged = copy.deepcopy(events)
    at = max(place for place, event in enumerate(forged) if event["name"] == name)
    forged[at]["event"].update(changes)
    return forged


def test_fr1_a_number_that_is_told_twice_frees_nobody():
    """Given red freed by 1, when 1 comes in the table's round of the zero, then it is found."""
    events = imprisoned(1)
    first = next(e["event"] for e in events if e["name"] == "outcome-told")
    forged = with_body(events, "outcome-told", table_round=first["table_round"])

    assert [] == audit(FRENCH, events)
    assert ["event 5, outcome-told: the outcome of one round of the table is told twice"] == audit(
        FRENCH, forged
    )


def test_fr1_what_is_in_prison_is_not_given_back():
    """Given a stake in prison, when the house voids its round all the same, then it is found."""
    events = imprisoned()
    bet = next(e for e in events if e["name"] == "bet-placed")["event"]
    common = {key: bet[key] for key in ("round", "game", "rules", "currency")}
    told = {"reason": "a mistake"}
    refunded = {**common, "bet": 1, "amount": bet["amount"], **told}
    voided = {**common, "refunded": bet["amount"], "bets": 1, **told}
    forged = [
        *events,
        {"name": "bet-refunded", "event": refunded},
        {"name": "round-voided", "event": voided},
    ]

    assert "nothing goes back" in audit(FRENCH, forged)[0]


def test_fr4_a_position_is_paid_by_all_that_lies_on_it():
    """Given 3.00 and 2.00 on a column, and 2.00 and 3.00 on a number beside a split of 4.00.

    When 1 comes, the column's bets are paid together, then the dozen, then the split of 4.00, and
    at last the 5.00 on the number, together too.
    """
    column, dozen = list(range(1, 37, 3)), list(range(1, 13))
    pit = FrenchPit()
    pit.begin()
    laid = pit.bet(on(dozen, 900), on(column, 300), on([1], 200), on([1, 2], 400))
    pit.move(laid.command, bets=[on(column, 200), on([1], 300)])
    pit.spin(1)
    events = played(pit)
    paid = [at for at, event in enumerate(events) if event["name"] == "payout-credited"]
    swapped = events[:]
    swapped[paid[0]], swapped[paid[1]] = events[paid[1]], events[paid[0]]

    assert [2, 5, 1, 4, 3, 6] == [events[at]["event"]["bet"] for at in paid]
    assert [] == audit(FRENCH, events)
    assert [] != audit(FRENCH, swapped)


def test_fr1_the_rules_withdraw_what_is_in_prison_before_they_collect():
    """Given a win and a prisoner at the session's end, when they come in another order, then found.

    Zero imprisons red, and the straight on zero is held with its stake.
    """
    pit = FrenchPit(MANUAL)
    pit.begin()
    pit.bet(on("red", 1_000), on([0], 100))
    pit.spin(0)
    pit.send(cmd.DisconnectSession, session=uid(1), at=pit.now)
    pit.now += timedelta(minutes=20)
    pit.do(cmd.ExpireSession, session=uid(1))
    events = played(pit)
    names = [event["name"] for event in events]
    at = names.index("prisoner-released")
    forged = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]

    assert "win-collected" == names[at + 1]
    assert [] == audit(MANUAL, events)
    assert ["the rules withdraw what is in prison, and then collect"] == [
        told.split(": ")[1] for told in audit(MANUAL, forged)
    ]


def test_fr8_a_leave_takes_no_bet_back(monkeypatch):
    """Given an engine that lets it be, when a bet is withdrawn by a leave, then it is found."""
    monkeypatch.setattr(french_round, "_too_late", lambda *_: None)
    pit = FrenchPit()
    pit.begin()
    laid = pit.bet(on("red", 1_000), on([17], 500))
    pit.at(cmd.CloseBets)
    assert pit.move(laid.command, leave="maria", withdraw=[1]).refusal is None

    assert ["event 4, move-made: a leave lets bets be placed, and none be taken back"] == audit(
        FRENCH, played(pit)
    )


@pytest.mark.parametrize(("amount", "found"), [(100_000, 0), (99, 1), (100_001, 1)])
def test_fr3_where_a_table_sets_no_limits_those_of_the_sheet_hold(amount, found):
    """Given a table without limits, then 1.00 to 1,000.00 may lie on a position."""
    pit = FrenchPit()
    pit.at(cmd.SetTableLimits, limits=None, chief="maria")
    pit.begin()
    pit.bet(on("red", 10_000))
    events = played(pit)
    line = {**events[0]["event"]["move"]["lines"][0], "amount": amount}
    move = {**events[0]["event"]["move"], "lines": [line]}
    forged = with_body(with_body(events, "round-opened", move=move), "bet-placed", amount=amount)

    assert [] == audit(FRENCH, events)
    assert found == len(audit(FRENCH, forged))


def test_g7_entropy_that_goes_on_is_found():
    """Given a byte more than the outcome took, then it is no draw by the mapping."""
    parlour = alone(CLASSIC, 3, 1, ["1.00"])
    (events,) = parlour.rounds()
    told = next(e["event"] for e in events if e["name"] == "draw-recorded")

    found = audit(parlour.text, with_body(events, "draw-recorded", entropy=told["entropy"] + "00"))

    assert ["entropy goes on after the outcome is decided"] == [f.split(": ")[1] for f in found]


def account_round(**held):
    """A spin without a bet by account type, as stored."""
    view = with_bets([], **held)
    return stored(entries_of((*view.history, *spin(view, bytes([7])))))


@pytest.mark.parametrize(
    "own",
    [
        {"tables": {}},
        {"positions": {"trio": {"min": "1.00", "max": "2.00"}}},
        {"positions": {"straight": {"min": "9.00", "max": "2.00"}}},
        {"positions": {"straight": {"min": "1.00"}}},
        {"groups": {"inside": {"min": "1.000", "max": "2.00"}}},
    ],
)
def test_hw4_own_limits_that_cannot_be_are_found(own):
    """Given own limits of no row or group, without a bound or upside down, then it is found."""
    events = account_round(limits={"groups": {"inside": {"min": "1.00", "max": "50.00"}}})
    forged = with_body(events, "round-opened", own_limits=orjson.dumps(own).decode())

    assert [] == audit(FAIRPLAY, events)
    assert 1 == len(audit(FAIRPLAY, forged))


def test_hw6_an_offset_is_set_in_a_client_that_the_sheet_lists():
    """Given 7 moved on by 30 in another client, then it is found; with no offset it is nothing."""
    for offset, found in ((30, ["an offset is set in a client in which there is none"]), (0, [])):
        events = account_round(offset=offset)
        series = {**events[0]["event"]["series"], "client": "3D"}

        told = audit(FAIRPLAY, with_body(events, "round-opened", series=series))

        assert found == [sentence.split(": ")[1] for sentence in told]
