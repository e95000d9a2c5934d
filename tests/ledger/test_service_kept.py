"""A decision on states that a service has kept is as good as on states just read (G2, G3, G8)."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import product
from typing import Any

import pytest

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream
from tests.house import (
    MORNING,
    RED,
    House,
    at_house,
    bets,
    bonus_order,
    order,
    play_order,
    withdraw_order,
)
from tests.racing import Turns, at_once

STEPS = ("select_streams", "insert_events")
SCHEDULES = tuple(product((0, 1), repeat=4))


@pytest.fixture
def other(house: House) -> Iterator[House]:
    """Another service of the same book."""
    with at_house(house.conninfo, house.book) as second:
        yield second


@contextmanager
def counted(house: House) -> Iterator[list[str]]:
    """The statements on streams that a service sends meanwhile, by name."""
    recorder, sent = house.store.recorder, []
    with ExitStack() as stack:
        for name in STEPS:
            _wrap(recorder, name, lambda name=name: sent.append(name))
            stack.callback(delattr, recorder, name)
        yield sent


def _wrap(recorder: Any, name: str, before: Any) -> None:
    method = getattr(recorder, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        before()
        return method(*args, **kwargs)

    setattr(recorder, name, wrapped)


def test_a_round_in_a_session_that_was_played_before_is_one_statement(house: House) -> None:
    """Given a service that played a round, when it plays another, then it saves and reads not."""
    seat = house.seat()
    house.play(seat, RED)

    with counted(house) as sent:
        answer = house.play(seat, RED)

    assert (None, ["insert_events"]) == (answer.refusal, sent)


def test_a_refund_of_a_round_that_was_opened_here_is_one_statement(house: House) -> None:
    """Given a round's record that was kept, when it is refunded, then nothing is read."""
    seat = house.seat()
    opened = house.lay(seat, RED)

    with counted(house) as sent:
        refund = order(cmd.RefundBets, session=seat, placed_by=opened, reason="a torn card")
        answer = house.ask(refund)

    assert (None, ["insert_events"]) == (answer.refusal, sent)


def test_g2_a_refusal_is_never_given_on_a_state_that_is_old(house: House, other: House) -> None:
    """Given a posta that another service filled, when a bet needs it, then it is accepted."""
    seat = house.seat(posta=5_00)
    assert other.ask(bonus_order(seat, 50_00)).refusal is None

    answer = house.play(seat, {"chance": "red", "amount": "20.00"})

    assert None is answer.refusal


def test_g9_a_session_that_another_service_closed_takes_no_bet(house: House, other: House) -> None:
    """Given a close elsewhere, when a round is played on the kept session, then it is refused."""
    seat = house.seat()
    assert other.ask(order(cmd.CloseSession, session=seat)).refusal is None

    assert "session-closed" == house.play(seat, RED).refusal
    house.seal()
    assert () == house.verify()


def test_c5_a_notice_of_another_service_stops_rounds_on_kept_states(
    house: House, other: House
) -> None:
    """Given maintenance announced elsewhere, when a round is played here, then it is refused."""
    seat = house.seat()
    house.play(seat, RED)
    ends = house.now.replace(hour=23)
    notice = order(cmd.AnnounceMaintenance, starts=house.now, ends=ends, reason="cleaning")
    assert other.ask(notice).refusal is None

    assert "maintenance" == house.play(seat, RED).refusal


def test_g3_a_command_answered_by_another_service_is_answered_the_same(
    house: House, other: House
) -> None:
    """Given a round played elsewhere, when sent again here, then the bytes are the same."""
    seat = house.seat()
    command = play_order(seat, RED)
    first = other.ask(command)

    assert first.to_bytes() == house.ask(command).to_bytes()


def test_s2_a_bet_that_another_service_refunded_before_it_came_is_refused(
    house: House, other: House
) -> None:
    """Given a tombstone written elsewhere, when the bet comes here, then it is refused."""
    seat = house.seat()
    late = order(cmd.OpenRound, session=seat, move=bets(RED))
    refund = order(cmd.RefundBets, session=seat, placed_by=late.id, reason="lost on the way")
    assert other.ask(refund).refusal is None

    assert "refunded-before-placed" == house.ask(late).refusal


def test_g3_the_same_command_to_two_services_at_once_is_done_once(
    house: House, other: House
) -> None:
    """Given two services that kept the session, when both get a round, then it is played once."""
    seat = house.seat()
    other.service.state(session_stream(seat))
    for _ in range(5):
        command = play_order(seat, RED)
        answers = at_once(lambda c=command: house.ask(c), lambda c=command: other.ask(c))
        assert 1 == len({a.to_bytes() for a in answers})
    house.seal()
    assert () == house.verify()


def test_services_that_share_a_session_read_it_instead_of_running_into_each_other(
    house: House, other: House
) -> None:
    """Given rounds that go to two services in turns, then each runs into the other once at most."""
    seat, rounds = house.seat(), 6
    other.service.state(session_stream(seat))

    with counted(house) as first, counted(other) as second:
        for number in range(2 * rounds):
            (house, other)[number % 2].play(seat, RED)

    saves = [sent.count("insert_events") for sent in (first, second)]
    assert all(rounds <= count <= rounds + 1 for count in saves)


def test_a_session_that_others_left_alone_again_is_no_longer_read(
    house: House, other: House
) -> None:
    """Given one round elsewhere, when rounds go on here, then only the first two are read for."""
    seat = house.seat()
    other.play(seat, RED)

    with counted(house) as sent:
        for _ in range(4):
            house.play(seat, RED)

    assert 5 == sent.count("insert_events")  # the first ran into the other's
    assert 2 == sent.count("select_streams")


def withdraw_in_turns(house: House, player: str, steps: tuple[int, ...]) -> list[Answer]:
    """Two services that kept a conto withdraw from it, with their steps in this order."""
    turns = Turns(steps)

    def withdraw(who: int, writer: House) -> Answer:
        try:
            return writer.ask(withdraw_order(player, 60_00))
        finally:
            turns.leave(who)

    with ExitStack() as stack:
        pair = [stack.enter_context(at_house(house.conninfo, house.book)) for _ in range(2)]
        for who, writer in enumerate(pair):
            writer.service.state(conto_stream(player))
            for name in STEPS:
                _wrap(writer.store.recorder, name, partial(turns.wait, who))
        return at_once(*(partial(withdraw, who, writer) for who, writer in enumerate(pair)))


def test_g2_in_any_order_of_their_steps_two_withdrawals_of_kept_contos_never_overdraw(
    house: House,
) -> None:
    """Sixty and sixty out of a hundred: one is paid, the other refused, in all orders."""
    for number, steps in enumerate(SCHEDULES):
        player = house.conto(f"player-{number}", 100_00)
        answers = withdraw_in_turns(house, player, steps)
        refusals = sorted(str(a.refusal) for a in answers)
        assert ["None", "insufficient-conto"] == refusals, steps
        assert 40_00 == house.service.state(conto_stream(player)).balance
    house.seal()
    assert () == house.verify()


def test_a_store_that_checks_no_guards_is_read_before_each_decision(house: House) -> None:
    """Given a store that cannot tell that a sheet moved, when a round is played, then it reads."""
    seat = house.seat()
    house.play(seat, RED)
    house.store.checks_guards = False
    try:
        with counted(house) as sent:
            house.play(seat, RED)
    finally:
        del house.store.checks_guards

    assert list(STEPS) == sent


def test_a_stream_that_was_never_seen_is_read_before_a_decision(house: House) -> None:
    """Given a session that a service has kept and a conto that it has not, when closed, then it is.

    The conto of the player is presumed to be what it is, never to be empty.
    """
    seat = house.seat()
    with at_house(house.conninfo, house.book) as other:
        other.play(seat, RED)
        other.service.handle(order(cmd.DisconnectSession, session=seat, at=MORNING), other.now)

        answer = other.ask(order(cmd.CloseSession, session=seat))

    assert answer.refusal is None
    assert house.verify() == ()
