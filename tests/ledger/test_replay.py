"""Each round is judged again from what is on record: the moves, the draws, the sheet (G7, G8).

Every event of a round that was played is taken away, doubled or changed, and each of it is found.
"""

from datetime import timedelta

import pytest

from ledger.domain import events as ev
from ledger.domain.ids import session_stream
from ledger.domain.sheets import Published
from ledger.replay import Judge
from tests.coin import ENGINES, CoinOutcome, CoinToss, Foreign, coin_sheet
from tests.given import NOON
from tests.scenes import (
    ANNA,
    EUR,
    OPENED,
    OTHER_SESSION,
    RUR,
    SESSION,
    YESTERDAY,
    bet,
    coins,
    common,
    drawn,
    moved,
    payout,
    refunded,
    requested,
    round_opened,
    rules,
    settled,
    uid,
    voided,
)

HEADER = ev.Header(recorded=NOON, played=None, command=uid(70), actor=ANNA)
SHEET = {rules(): Published(rules(), YESTERDAY, "coin/1", coin_sheet())}
TOSSED = ev.MoveMade(**common(), details=CoinToss())

BOTH = coins(("heads", 100), ("tails", 200))
BEGUN = (round_opened(move=BOTH), bet(1, "heads", 100), bet(2, "tails", 200))
WON = (
    *BEGUN,
    drawn("02", "heads"),
    payout(1, 100, 100),
    settled(staked=300, winnings=100, stake_returned=100, stakes_lost=200, bets=2),
)
LOST = (
    round_opened(),
    bet(1, "heads", 100),
    drawn("ff03", "tails"),
    settled(staked=100, stakes_lost=100, bets=1),
)
IN_STEPS = (
    round_opened(),
    bet(1, "heads", 100),
    moved(("tails", 50), ("tails", 20)),
    bet(2, "tails", 50),
    bet(3, "tails", 20),
    refunded(2, 10, "chip fell"),
    TOSSED,
    drawn("03", "tails"),
    payout(2, 40, 40),
    payout(3, 20, 20),
    settled(staked=170, winnings=60, stake_returned=60, stakes_lost=100, refunded=10, bets=3),
)
VOIDED = (
    *BEGUN,
    refunded(1, 40, "chip fell"),
    refunded(1, 60, "wheel broke"),
    refunded(2, 200, "wheel broke"),
    voided(300, 2, "wheel broke"),
)
PLAYED = {"won": WON, "lost": LOST, "in steps": IN_STEPS, "voided": VOIDED}


def entries_of(*events, stream=SESSION):
    """These events in a session that was requested and opened."""
    story = (requested(500), OPENED, *events)
    return [ev.make_entry(stream, n, HEADER, event) for n, event in enumerate(story, 1)]


def found(*events, published=SHEET):
    """What is found wrong with these events of anna's session."""
    return found_in(entries_of(*events), published)


def found_in(entries, published=SHEET):
    """What is found wrong with these entries."""
    judge = Judge(ENGINES, published)
    findings = [finding for entry in entries for finding in judge.see(entry)] + list(judge.end())
    assert {"judgement"} >= {finding.check for finding in findings}
    return [finding.found for finding in findings]


def places(kind):
    """A round of each way to end, and the place of each of its events of a kind."""
    return [
        pytest.param(events, n, id=f"{name}: {n} {events[n].NAME}")
        for name, events in PLAYED.items()
        for n in range(len(events))
        if isinstance(events[n], kind)
    ]


@pytest.mark.parametrize("events", [*PLAYED.values(), BEGUN, IN_STEPS[:6]])
def test_g7_a_round_that_was_played_is_judged_as_it_stands(events):
    """Won, lost after a second throw, in steps with a part refunded, void, or still open."""
    assert found(*events) == []


def test_g7_two_rounds_between_each_other_are_judged_apart():
    """Each has its own moves and its own events to come."""
    other = {"round_id": uid(71)}
    second = (
        round_opened(uid(71)),
        bet(1, "heads", 100, **other),
        drawn("03", "tails", **other),
        settled(uid(71), staked=100, stakes_lost=100, bets=1),
    )
    mixed = [event for pair in zip(LOST, second, strict=True) for event in pair]

    assert found(*mixed) == []
    assert found(*mixed[:-1]) != []


@pytest.mark.parametrize("n", range(1, len(WON)))
def test_g1_an_event_of_a_round_in_another_session_is_found(n):
    """A round's money moves in the accounts of the session that opened it, and of no other."""
    mine, others = entries_of(*WON), entries_of(stream=OTHER_SESSION)
    strayed = mine[2 + n].model_copy(update={"stream": OTHER_SESSION})

    entries = [*others, *mine[: 2 + n], strayed, *mine[3 + n :]]
    assert "an event of a round that is not open in this session" in found_in(entries)


@pytest.mark.parametrize(
    "change", [{"sheet": "heads-or-tails"}, {"currency": RUR}], ids=["sheet", "currency"]
)
def test_g8_a_round_of_another_sheet_or_currency_than_its_session_is_found(change):
    """The session was requested for one sheet and one currency, and its rounds are of these."""
    request = requested(500).model_copy(update=change)
    opened = OPENED.model_copy(update=change)
    entries = entries_of(*WON)
    forged = [
        entry.model_copy(update={"event": event})
        for entry, event in zip(entries, (request, opened), strict=False)
    ]

    told = ["no session at coin-flip in EUR is in play here"]
    assert told == found_in([*forged, *entries[2:]])
    assert told[0] in found_in([forged[0], *entries[1:]])
    assert told == found_in(entries[2:])


@pytest.mark.parametrize(("events", "place"), places(ev.Event))
def test_g7_an_event_that_is_missing_is_found(events, place):
    """But for a toss, which the rules make too, and a void, without which a round is open still."""
    rest = events[:place] + events[place + 1 :]
    can_be_without = events[place] in (TOSSED, VOIDED[-1])

    assert (found(*rest) == []) is can_be_without


@pytest.mark.parametrize(("events", "place"), places(ev.Event))
def test_g7_an_event_that_is_there_twice_is_found(events, place):
    """A round is opened, moved, drawn, paid, refunded and ended once."""
    assert found(*events[: place + 1], *events[place:]) != []


@pytest.mark.parametrize(("events", "place"), places(ev.BetPlaced))
@pytest.mark.parametrize(
    "change",
    [
        {"amount": 99},
        {"bet": 7},
        {"details": CoinOutcome(side="heads")},
        {"rules": rules(2)},
        {"currency": RUR},
    ],
    ids=["amount", "index", "kind", "sheet", "currency"],
)
def test_g7_a_bet_that_is_not_what_the_move_asks_for_is_found(events, place, change):
    """Its amount, its place, what it is on, its rules and its currency come from the move."""
    forged = events[place].model_copy(update=change)

    assert found(*events[:place], forged, *events[place + 1 :]) != []


@pytest.mark.parametrize(("events", "place"), places(ev.BetPlaced))
def test_g7_a_bet_on_the_other_side_than_the_move_is_found(events, place):
    """Heads that was asked for as tails, and the other way round."""
    side = "tails" if events[place].details.side == "heads" else "heads"
    forged = bet(events[place].bet, side, events[place].amount)

    assert found(*events[:place], forged, *events[place + 1 :]) != []


@pytest.mark.parametrize(
    "move", [coins(), Foreign(type="foreign"), CoinToss()], ids=["no bet", "foreign", "a draw"]
)
def test_g7_bets_placed_by_force_on_a_move_that_the_sheet_refuses_are_found(move):
    """The move must be one that brings about exactly these bets."""
    opened = ev.RoundOpened(**common(), currency=EUR, move=move)

    assert found(opened, *BEGUN[1:]) != []
    assert found(*BEGUN, ev.MoveMade(**common(), details=move), bet(3, "heads", 1)) != []


@pytest.mark.parametrize(("events", "place"), places(ev.RoundSettled))
@pytest.mark.parametrize(
    "figure", ["staked", "winnings", "stake_returned", "stakes_lost", "refunded", "bets"]
)
def test_g7_a_settlement_with_another_figure_is_found(events, place, figure):
    """One cent, or one bet, too many."""
    end = events[place]
    forged = end.model_copy(update={figure: getattr(end, figure) + 1})

    assert found(*events[:place], forged) != []


@pytest.mark.parametrize(("events", "place"), places(ev.PayoutCredited))
@pytest.mark.parametrize("figure", ["bet", "winnings", "stake_returned"])
def test_g7_a_payout_of_another_figure_is_found(events, place, figure):
    """The sheet pays this bet this much and returns this stake."""
    paid = events[place]
    forged = paid.model_copy(update={figure: getattr(paid, figure) + 1})

    assert found(*events[:place], forged, *events[place + 1 :]) != []


@pytest.mark.parametrize(
    "draw",
    [drawn("03", "heads"), drawn("02", "tails"), drawn("fe", "heads"), drawn("", "heads")],
    ids=["another outcome", "another side", "a throw that does not count", "nothing"],
)
def test_g7_a_draw_that_its_entropy_does_not_give_is_found(draw):
    """The bytes on record give one side, or none yet."""
    assert found(*BEGUN, draw, *WON[4:]) != []


def test_g7_a_round_that_was_settled_without_a_draw_is_found():
    """A loss that nobody drew, with figures that add up."""
    assert found(*LOST[:2], LOST[3]) == ["nothing on record gives this"]


def test_g7_a_bet_that_went_missing_from_a_void_or_an_open_round_is_found():
    """What is refunded adds up, but one bet of the move was never placed."""
    ends = (refunded(1, 100, "wheel broke"), voided(100, 1, "wheel broke"))

    assert found(*BEGUN[:2], *ends) == ["the sheet gives bet-placed next"]
    assert found(*BEGUN[:2]) == ["the sheet gives bet-placed next"]


@pytest.mark.parametrize(
    ("refunds", "bet_above"),
    [
        ((refunded(1, 100, "wheel broke"),), None),
        ((refunded(1, 300, "wheel broke"),), 1),
        ((refunded(1, 100, "wheel broke"), refunded(2, 199, "wheel broke")), None),
        ((refunded(1, 100, "wheel broke"), refunded(2, 201, "wheel broke")), 2),
    ],
    ids=["one never", "one for both", "a cent less", "a cent more"],
)
def test_s3_a_void_that_does_not_refund_each_stake_whole_is_found(refunds, bet_above):
    """Each stake goes back to the cent, in one part or in several."""
    end = voided(300, 2, "wheel broke")

    above = [] if bet_above is None else [f"more is refunded than bet {bet_above} holds"]
    assert [*above, "not every stake was refunded once"] == found(*BEGUN, *refunds, end)


@pytest.mark.parametrize(("refunded_sum", "bets"), [(299, 2), (301, 2), (300, 1), (300, 3)])
def test_s3_a_void_with_another_figure_is_found(refunded_sum, bets):
    """Every stake went back to the cent; the sum or the number of bets is told wrong."""
    end = voided(refunded_sum, bets, "wheel broke")

    assert ["the round had 2 bets of 300 together"] == found(*VOIDED[:-1], end)


def test_s3_a_refund_above_what_a_bet_holds_is_found_in_a_round_that_goes_on():
    """1.00 was bet on heads and 0.40 of it went back: 0.60 are left, and nothing of a third bet."""
    first = refunded(1, 40, "chip fell")

    assert [] == found(*BEGUN, first, refunded(1, 60, "chip fell"))
    assert ["more is refunded than bet 1 holds"] == found(*BEGUN, first, refunded(1, 61, "fell"))
    assert ["more is refunded than bet 3 holds"] == found(*BEGUN, refunded(3, 1, "fell"))


def test_g8_a_round_of_another_game_than_its_sheet_is_found():
    """Its money would move in another game's bank; every event of it agrees."""
    forged = [event.model_copy(update={"game": "dice"}) for event in BEGUN]

    assert "coin-flip is no sheet of dice" in found(*forged)


def assert_other_is_found(events, place, **change):
    """Changed like this, the event no longer fits its round."""
    forged = events[place].model_copy(update=change)

    told = "names another game, sheet or currency than its round"
    assert [told] == found(*events[:place], forged, *events[place + 1 :])


@pytest.mark.parametrize(("events", "place"), places(ev.MoveMade | ev.BetRefunded | ev.RoundVoided))
@pytest.mark.parametrize("change", [{"game": "dice"}, {"rules": rules(2)}], ids=["game", "sheet"])
def test_g8_a_move_refund_or_void_of_another_game_or_sheet_is_found(events, place, change):
    """No engine proposes them, and they name the game and the sheet of their round."""
    assert_other_is_found(events, place, **change)


@pytest.mark.parametrize(("events", "place"), places(ev.BetRefunded | ev.RoundVoided))
def test_s3_a_refund_or_void_in_another_currency_is_found(events, place):
    """A stake goes back in the currency in which it was bet."""
    assert_other_is_found(events, place, currency=RUR)


def test_g7_a_move_with_no_consequence_is_found():
    """A toss on record that was never drawn: the outcome may have been looked at and thrown out."""
    assert found(*BEGUN, TOSSED) == ["the move coin-toss has no consequence"]
    assert found(*BEGUN, TOSSED, *VOIDED[3:]) == ["the move coin-toss has no consequence"]


def test_g8_a_round_under_a_sheet_that_is_not_published_or_not_in_force_is_found():
    """Version 2 pays three times: it is unknown, and then not yet in force."""
    second = rules(2, pays=3)
    tomorrow = Published(second, NOON + timedelta(days=1), "coin/1", coin_sheet(2, pays=3))
    forged = [event.model_copy(update={"rules": second}) for event in BEGUN]
    not_in_force = f"not the version of coin-flip in force at {NOON}"

    assert found(*forged)[0] == not_in_force
    assert found(*forged, published=SHEET | {second: tomorrow}) == [not_in_force]


def test_events_that_are_no_rounds_are_not_judged():
    """The rest of a session has no rules of a game."""
    judge = Judge(ENGINES, SHEET)
    entry = ev.make_entry(session_stream(uid(1)), 1, HEADER, ev.SessionReconnected())

    assert list(judge.see(entry)) == []
