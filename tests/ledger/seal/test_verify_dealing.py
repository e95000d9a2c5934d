"""Every deal is played again: what was forged in one is found, whoever gained by it (G7, G8)."""

from datetime import timedelta

import pytest

from games.blackjack.moves import BlackjackCard, BlackjackMove, BlackjackSeen
from games.blackjack.round import Action
from ledger.domain import commands as cmd, events as ev
from tests.blackjack_pit import BlackjackPit, findings
from tests.scenes import uid


@pytest.fixture(scope="module")
def entries():
    """A Blackjack paid at once, a split, a pass by time, a void round, a drawn deal, one under way.

    Seat 1 stands on 18; seat 2 has A-K; then seat 1 splits and lets its second turn pass.
    """
    pit = BlackjackPit()
    pit.begin("10.00", "10.00")
    pit.deal("Th Ah 9h 8d Kd")
    pit.act("stand")
    pit.deal("Td")
    pit.settle()
    pit.begin("10.00")
    pit.deal("8h 6h 8c")
    pit.act("split")
    pit.deal("Tc 5c")
    pit.act("stand")
    pit.now += timedelta(seconds=20)
    pit.at(cmd.PassTurn)
    pit.deal("Ts 5s")
    pit.settle()
    pit.begin("10.00")
    pit.deal("2c")
    pit.at(cmd.VoidTableRound, reason="cards misread")
    pit.pool = [bytes([0, 9] * 16)] * 9
    pit.begin("10.00")
    for _ in range(3):
        pit.at(cmd.DealCard)
    pit.act("hit")
    return tuple(pit.book.entries)


def found(entries):
    """What verification finds, each thing once, in order."""
    return list(dict.fromkeys(f.found for f in findings(entries)))


def at(entries, kind, nth=0, **fields):
    """The place of an event of a kind, the nth with these fields."""
    places = [
        i
        for i, e in enumerate(entries)
        if isinstance(e.event, kind)
        and all(getattr(e.event, name) == value for name, value in fields.items())
    ]
    return places[nth]


def forged(entries, place, **fields):
    """The entries with an event changed."""
    event = entries[place].event.model_copy(update=fields)
    changed = entries[place].model_copy(update={"event": event})
    return (*entries[:place], changed, *entries[place + 1 :])


def without(entries, *places):
    """The entries without some of them."""
    return tuple(e for place, e in enumerate(entries) if place not in places)


def test_g7_what_the_service_writes_is_found_good(entries):
    """Told and drawn, played and passed, paid at once and at the end, void and under way."""
    assert [] == found(entries)


NO_CARD = "no card belongs there now"
SOURCE = "neither drawn nor told, or both"


@pytest.mark.parametrize(
    ("number", "fields", "expected"),
    [
        (2, {"seat": 1}, NO_CARD),
        (2, {"number": 4}, NO_CARD),
        (0, {"feed": None}, SOURCE),
        (0, {"entropy": "00"}, SOURCE),
        (-1, {"details": BlackjackCard(card="2c")}, "the entropy on record does not give this"),
        (-1, {"entropy": "0000"}, "the entropy on record does not give this"),
        (1, {"feed": ev.FeedRef(message="m-2", sequence=2)}, "told by a message that cannot count"),
    ],
    ids=["to another box", "left out", "untold", "drawn too", "another card", "bytes", "heard"],
)
def test_g7_a_card_that_was_forged_is_found(entries, number, fields, expected):
    """By where it lies, by its number, or by what it came from."""
    assert expected in found(forged(entries, at(entries, ev.CardDealt, number), **fields))


def test_g7_another_card_of_the_feed_changes_what_the_boxes_were_told(entries):
    """The dealer's 9 made an ace: no Blackjack is paid at once against it, and the outcome lies."""
    place = at(entries, ev.CardDealt, seat=None)

    wrong = found(forged(entries, place, details=BlackjackCard(card="Ad")))

    assert "no step of the deal decides the box so" in wrong
    assert "not the outcome that the cards make" in wrong


def test_g3_a_card_of_the_feed_that_its_command_did_not_tell_is_found(entries):
    """The first card of the void round made another: nothing follows from it but its command."""
    place = at(entries, ev.CardDealt, 2, number=1)

    assert ["asked for something else than came"] == found(
        forged(entries, place, details=BlackjackCard(card="3c"))
    )


def test_bj1_a_ninth_card_of_a_shoe_of_eight_decks_is_found(entries):
    """Nine times the ten of hearts in the place of what came."""
    dealt = [i for i, e in enumerate(entries) if isinstance(e.event, ev.CardDealt)][:9]

    many = entries
    for place in dealt:
        many = forged(many, place, details=BlackjackCard(card="Th"))

    assert "the shoe holds no such card any more" in found(many)


def test_bj1_a_deal_from_a_shoe_that_was_not_shuffled_is_found(entries):
    """Without its shuffle there is no shoe; and a round's rules are those of its shoe."""
    shuffled = at(entries, ev.ShoeShuffled)
    rules = entries[shuffled].event.rules.model_copy(update={"version": 2})

    assert any("cannot be judged" in each for each in found(without(entries, shuffled)))
    assert any("cannot be judged" in each for each in found(forged(entries, shuffled, rules=rules)))
    assert "not the table's next shoe" in found(forged(entries, shuffled, number=2))


TURN = "not taken by the session of its box"


def test_a_turn_that_its_session_did_not_take_is_found(entries):
    """The move is gone, or another action stands at the table."""
    moved, taken = at(entries, ev.MoveMade), at(entries, ev.TurnTaken)
    hit = BlackjackMove(action=Action.HIT)

    assert TURN in found(without(entries, moved))
    assert TURN in found(forged(entries, taken, details=hit))


def test_a_move_of_which_the_table_has_no_turn_is_found(entries):
    """The last player would hit no more."""
    stream = f"session:{uid(1)}"
    taken = at(entries, ev.TurnTaken, -1)

    assert f"the table has no turn of the move in {stream}" in found(without(entries, taken))


def test_g8_a_move_on_other_cards_than_lay_on_the_table_is_found(entries):
    """Given an 8 in the place of a 5, then a split would be allowed."""
    place = at(entries, ev.MoveMade)
    seen = BlackjackSeen(hands=(("Th", "9d"),), hand=1, dealer="9h")

    expected = "its player saw other cards than lay on the table"
    assert expected in found(forged(entries, place, seen=seen))


@pytest.mark.parametrize("why", ["disconnected", "excluded", None])
def test_bj8_a_turn_that_was_passed_for_a_wrong_reason_is_found(entries, why):
    """The player was there all the time, and took 20 seconds."""
    place = at(entries, ev.TurnTaken, passed="time")

    expected = TURN if why is None else "passed while its player could act"
    assert expected in found(forged(entries, place, passed=why))


def test_bj8_a_turn_that_was_passed_too_early_or_with_another_action_is_found(entries):
    """After 19 seconds; and the rules do not hit."""
    place = at(entries, ev.TurnTaken, passed="time")
    early = entries[place].model_copy(
        update={"recorded": entries[place].recorded - timedelta(seconds=1)}
    )
    hit = BlackjackMove(action=Action.HIT)

    assert "passed while its player could act" in found(
        (*entries[:place], early, *entries[place + 1 :])
    )
    expected = "not what the rules do for a box that does not act"
    assert expected in found(forged(entries, place, details=hit))


def test_bj5_a_box_that_was_not_paid_at_once_or_not_at_all_is_found(entries):
    """Its Blackjack was decided when seat 1 stood; and what follows of it is the sheet's."""
    told = at(entries, ev.BoxDecided)
    paid = at(entries, ev.PayoutCredited)

    left = "the box at seat 2 is decided and was not told"
    assert left in found(without(entries, told, told + 1, told + 2))
    assert any("the sheet gives payout-credited" in each for each in found(without(entries, paid)))
    more = forged(entries, paid, winnings=1_501)
    assert any("the sheet gives payout-credited" in each for each in found(more))


def test_a_box_that_is_told_what_did_not_happen_is_found(entries):
    """Another round of the table, or other words."""
    told = at(entries, ev.BoxDecided)

    assert "no step of the deal decides the box so" in found(forged(entries, told, shown="21"))
    other = "names another round of the table than its own"
    assert other in found(forged(entries, told, table_round=uid(5)))


def test_g7_an_outcome_that_the_cards_do_not_make_is_found(entries):
    """Other words; before the last card; or none after it."""
    place = at(entries, ev.OutcomeRecorded)
    last = at(entries, ev.CardDealt, number=6)

    wrong = "not the outcome that the cards make"
    assert wrong in found(forged(entries, place, shown="dealer 18"))
    assert wrong in found(without(entries, last))
    assert "the deal is over and has no outcome" in found(without(entries, place))


def test_a_box_without_a_bet_and_a_bet_without_a_box_are_found(entries):
    """One is added, one left out, one has another stake."""
    place = at(entries, ev.DealingBegun)
    first, second = entries[place].event.boxes
    richer = first.model_copy(update={"stake": 100_000})

    for boxes in ((first,), (second,), (richer, second), (second, first)):
        expected = "other boxes than those that have a bet"
        assert expected in found(forged(entries, place, boxes=boxes))


def test_a_bet_on_another_box_than_the_seat_of_its_session_is_found(entries):
    """The box would be another's; and a game that deals names one."""
    place = at(entries, ev.RoundOpened)
    table = entries[place].event.table

    for seat in (3, None):
        other = forged(entries, place, table=table.model_copy(update={"seat": seat}))
        assert "bets on another box than its seat's" in found(other)


def test_fr8_a_bet_after_the_close_and_a_move_before_it_are_found(entries):
    """Bets come before the close; actions on cards after it."""
    opened, closed = at(entries, ev.RoundOpened), at(entries, ev.BetsClosed)
    late = (*entries[:opened], *entries[opened + 1 : closed + 1], entries[opened])

    assert "made on cards before the close, or after it on none" in found(
        (*late, *entries[closed + 1 :])
    )
    expected = "the game and the close differ on whether cards are dealt"
    assert expected in found(forged(entries, closed, deals=None))
