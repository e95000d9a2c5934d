"""What a book keeps of moves and of refusals, and what a tombstone or a wrong time holds back.

On a real database, through the same service that play goes through (G3, G7, S1, S2).
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import orjson
import pytest

from games.roulette.bets import AnnouncedLine, ChanceLine, Spin
from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream
from ledger.domain.refusals import Refusal
from tests.house import (
    CLASSIC,
    RED,
    House,
    bets,
    bonus_order,
    deposit_order,
    euro,
    order,
    play_order,
    withdraw_order,
)


def names(answer: Any) -> list[str]:
    """The names on disk of an answer's events."""
    return [entry.event.NAME for entry in answer.entries]


def refund(house: House, session: Any, placed_by: Any) -> None:
    """Refund a bet that has not come: a tombstone."""
    house.do(cmd.RefundBets, session=session, placed_by=placed_by, reason="lost on the way")


def test_g7_a_round_keeps_its_opening_move_as_the_player_made_it(house: House) -> None:
    """Neighbours of zero are nine chips on seven placements; they stay on record by their name."""
    seat = house.seat()
    answer = house.play(seat, RED, {"announced": "voisins", "chip": "1.00"})
    said = (ChanceLine(chance="red", amount=100), AnnouncedLine(announced="voisins", chip=100))
    assert answer.entries[0].event.move.lines == said
    assert names(answer)[:9] == ["round-opened", *["bet-placed"] * 8]
    read = [
        e for e in house.service.history(session_stream(seat)) if e.event.NAME == "round-opened"
    ]
    assert read[0].event.move.lines == said


def test_g7_a_further_move_is_on_record_before_what_it_brings_about(house: House) -> None:
    """The spin of a round that was left open, then its draw, then its end."""
    seat = house.seat()
    laid = house.lay(seat, {"chance": "red", "amount": "1.00"}, {"chance": "black", "amount": "1"})
    answer = house.do(cmd.ContinueRound, session=seat, round=laid, move=Spin())
    assert names(answer)[:2] == ["move-made", "draw-recorded"]
    assert names(answer)[-1] == "round-settled"
    assert answer.entries[0].event.details == Spin()
    house.seal()
    assert house.verify() == ()


def test_the_longest_move_that_can_be_read_fits_an_entry(house: House) -> None:
    """Five hundred times red, named by its eighteen numbers: 125.00 in all."""
    reds = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]
    seat = house.seat(posta=200_00)
    answer = house.play(seat, *[{"numbers": reds, "amount": "0.25"}] * 500)
    assert (answer.refusal, answer.entries[1].event.amount) == (None, 125_00)


def test_one_round_of_a_session_is_in_play_at_a_time(house: House) -> None:
    """The packaged sheets say nothing else: the second waits until the first is over."""
    seat = house.seat()
    laid = house.lay(seat)
    opening = order(cmd.OpenRound, session=seat, move=bets(RED))
    assert [house.play(seat).refusal, house.ask(opening).refusal] == ["round-in-play"] * 2
    ref = cmd.RoundRef(session=seat, round=laid)
    house.do(cmd.VoidRounds, rounds=(ref,), reason="the wheel stood still")
    assert house.play(seat).refusal is None


def test_a_round_of_another_session_is_unknown_here(house: House) -> None:
    """Whether it is in play or over, and whoever asks: its own session tells it apart."""
    one, two = house.seat("anna-1"), house.seat("bruno-2")
    ended, open_still = house.play(one).command, house.lay(one)
    asked = [
        order(cmd.ContinueRound, session=two, round=ended, move=Spin()),
        order(cmd.ContinueRound, session=two, round=open_still, move=Spin()),
        order(cmd.VoidRounds, rounds=(cmd.RoundRef(session=two, round=ended),), reason="x"),
        order(cmd.VoidRounds, rounds=(cmd.RoundRef(session=two, round=open_still),), reason="x"),
        order(cmd.VoidRounds, rounds=(cmd.RoundRef(session=one, round=ended),), reason="x"),
    ]
    expected = ["unknown-round"] * 4 + ["round-ended"]
    assert [house.ask(command).refusal for command in asked] == expected


def test_a_refused_command_is_on_record_with_what_it_asked(house: House) -> None:
    """Its session is named first, so that a player's refusals can be found."""
    seat = house.seat(posta=5_00)
    command = play_order(seat, {"numbers": [17], "amount": "10.00"})
    house.ask(command)
    (entry,) = house.service.history(f"command:{command.id}")  # type: ignore[arg-type]
    move = {"type": "roulette-bets", "lines": [{"numbers": [17], "amount": 1000}]}
    fields = {"actor": command.actor, "session": str(seat), "move": move}
    assert entry.event.about == session_stream(seat)
    assert orjson.loads(entry.event.asked) == ["play-round", fields]
    accepted = house.play(seat)
    (record,) = house.service.history(f"command:{accepted.command}")  # type: ignore[arg-type]
    assert (record.event.about, record.event.asked) == (session_stream(seat), None)


# --- tombstones ----------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [False, True])
def test_s2_a_tombstone_holds_back_bets_of_its_session_and_nothing_else(
    house: House,
    many: bool,  # noqa: FBT001 - the two ways in
) -> None:
    """The central system's answer, a deposit and another session's bet go on under their ids."""
    seat, other = house.seat("anna-1"), house.seat("bruno-2")
    buying = {"player": "anna-1", "sheet": CLASSIC, "channel": "web"} | euro(10_00)
    right = house.do(cmd.RequestParticipation, session=seat, **buying)
    answer = {"participation": right.command, "ticket": "T-2", "count": 2, "total": 110_00}
    commands = [
        order(cmd.ValidateParticipation, session=seat, **answer),
        deposit_order("anna-1", 7_00),
        play_order(other),
        play_order(seat),
    ]
    for command in commands:
        refund(house, seat, command.id)
    answers = (
        list(house.service.handle_many(commands, house.now))
        if many
        else [house.ask(c) for c in commands]
    )
    assert [a.refusal for a in answers] == [None, None, None, "refunded-before-placed"]
    assert [house.ask(c).to_bytes() for c in commands] == [a.to_bytes() for a in answers]
    assert house.service.state(session_stream(seat)).posta == 110_00
    house.seal()
    assert house.verify() == ()


def test_s2_a_tombstone_does_not_keep_a_book_from_opening(house: House) -> None:
    """The id of the opening may be known; here the book is open, and the answer says just that."""
    opening = order(cmd.OpenBook, book=house.book, clock="simulated")
    refund(house, house.seat(), opening.id)
    assert house.ask(opening).refusal == "book-already-open"


def test_s2_a_refund_for_a_session_that_is_none_revokes_nothing(house: House) -> None:
    """The bet that comes afterwards is played."""
    seat = house.seat()
    bet = play_order(seat)
    stray = order(cmd.RefundBets, session=uuid4(), placed_by=bet.id, reason="lost on the way")
    assert [house.ask(stray).refusal, house.ask(bet).refusal] == ["unknown-session", None]


# --- time of play --------------------------------------------------------------------------------


def test_a_command_played_later_than_now_is_malformed_and_writes_nothing(house: House) -> None:
    """Alone, among others and dry; a microsecond later the same command is done."""
    seat = house.seat()
    later = house.now + timedelta(microseconds=1)
    command = bonus_order(seat, 1_00).model_copy(update={"played": later})
    before = house.count()
    dry = house.service.dry_run(command, house.now)
    batch = house.service.handle_many([command], house.now)
    assert isinstance(dry, Refusal)
    assert [dry.code, house.ask(command).refusal, batch[0].refusal] == ["malformed"] * 3
    assert house.count() == before
    assert house.service.handle(command, later).refusal is None


def test_g3_a_command_that_was_answered_is_answered_the_same_by_a_clock_that_is_behind(
    house: House,
) -> None:
    """Another machine's clock stands before the time of play; the answer stands anyway."""
    seat = house.seat()
    command = bonus_order(seat, 1_00).model_copy(update={"played": house.now})
    first, behind = house.ask(command), house.now - timedelta(seconds=5)
    assert first.refusal is None
    assert house.service.handle(command, behind).to_bytes() == first.to_bytes()


# --- payments ------------------------------------------------------------------------------------


def test_s1_a_payment_twice_in_one_batch_is_booked_once(house: House) -> None:
    """The second command of the save sees the reference that the first one used up."""
    house.conto("anna-1")
    one = deposit_order("anna-1", 1_00)
    two = one.model_copy(update={"id": uuid4()})
    out = withdraw_order("anna-1", 40).model_copy(update={"reference": one.reference})
    answers = house.service.handle_many([one, two, out], house.now)
    assert [a.refusal for a in answers] == [None, "payment-already-booked", None]
    assert house.service.state(conto_stream("anna-1")).balance == 60
    house.seal()
    assert house.verify() == ()
