"""At most once: the same id is answered the same for ever, whatever comes in between (G3, S4)."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream
from ledger.domain.money import Currency
from ledger.store.recorder import BookRecorder
from tests.house import (
    CLASSIC,
    RED,
    House,
    at_house,
    bets,
    bonus_order,
    deposit_order,
    euro,
    order,
    play_order,
    withdraw_order,
)
from tests.racing import at_once

ROUNDS = 100


def a_life(house: House) -> Iterator[cmd.Command]:
    """One command of every kind that a session's life asks for, refused ones among them."""
    player, session, right = "anna-1", uuid4(), uuid4()
    buying = {"session": session, "player": player, "sheet": CLASSIC, "channel": "web"}
    answer = {"session": session, "participation": right, "ticket": "T-1", "count": 1}
    laid = uuid4()
    yield order(cmd.OpenConto, player=player, currency=Currency.EUR, personal=())
    yield deposit_order(player, 100_00)
    yield withdraw_order(player, 200_00)
    yield order(cmd.RequestParticipation, right, **buying, **euro(50_00))
    yield order(cmd.ValidateParticipation, **answer, total=50_00)
    yield bonus_order(session, 5_00)
    yield play_order(session, RED, {"numbers": [0, 1, 2, 3], "amount": "5.00"})
    yield play_order(session, {"announced": "voisins", "chip": "1.00"})
    yield play_order(session, {"numbers": [1, 36], "amount": "1.00"})
    yield order(cmd.OpenRound, laid, session=session, move=bets(RED))
    ref = cmd.RoundRef(session=session, round=laid)
    yield order(cmd.VoidRounds, rounds=(ref,), reason="the wheel stood still")
    yield order(cmd.RefundBets, session=session, placed_by=uuid4(), reason="lost on the way")
    yield order(cmd.DisconnectSession, session=session, at=house.now)
    yield order(cmd.ReconnectSession, session=session)
    yield order(cmd.CloseSession, session=session)
    yield order(cmd.ExcludePlayer, player=player, until=house.now + timedelta(days=30))


def test_s4_every_kind_of_command_is_answered_the_same_bytes_after_a_restart(house: House) -> None:
    """Same ids, same times, same events, accepted or refused; and nothing is written again."""
    commands, first = [], []
    for command in a_life(house):
        commands.append(command)
        first.append(house.ask(command).to_bytes())
        house.later(seconds=1)
    count = house.count()
    with at_house(house.conninfo, house.book) as restarted:
        restarted.now = house.later(days=400)
        again = [restarted.ask(command).to_bytes() for command in commands]
        together = [a.to_bytes() for a in restarted.service.handle_many(commands, house.now)]
    assert first == again == together == [house.ask(c).to_bytes() for c in commands]
    assert house.count() == count


def test_s4_an_answer_to_a_command_of_the_same_batch_is_the_same_bytes(house: House) -> None:
    """A batch that holds a command twice answers it twice and does it once."""
    seat = house.seat()
    command = play_order(seat)
    before = house.count()
    first, second = house.service.handle_many([command, command], house.now)
    assert first.to_bytes() == second.to_bytes() == house.ask(command).to_bytes()
    assert house.count() == before + len(first.entries) + 1


def test_g3_another_content_under_a_used_id_is_a_conflict_and_writes_nothing(
    house: House,
) -> None:
    """Another amount, another kind, another actor: the first answer stands."""
    seat = house.seat()
    first = bonus_order(seat, 1_00)
    house.ask(first)
    before = house.count()
    others = [
        bonus_order(seat, 1_01, first.id),
        order(cmd.CloseSession, first.id, session=seat),
        first.model_copy(update={"actor": "desk-2"}),
    ]
    assert [house.ask(c).refusal for c in others] == ["command-conflict"] * 3
    batch = house.service.handle_many([*others, first], house.now)
    assert [a.refusal for a in batch] == ["command-conflict"] * 3 + [None]
    assert house.count() == before


def test_g3_what_was_refused_once_stays_refused(house: House) -> None:
    """The reason is gone, and the same id still gets the same no; a new id gets a yes."""
    seat = house.seat(posta=5_00)
    dear = {"numbers": [17], "amount": "10.00"}
    command = play_order(seat, dear)
    refused = house.ask(command)
    house.ask(bonus_order(seat, 50_00))
    assert refused.refusal == "insufficient-posta"
    assert house.ask(command).to_bytes() == refused.to_bytes()
    assert house.play(seat, dear).refusal is None


def test_a_refusal_that_quotes_what_it_was_given_is_cut_to_what_a_record_holds(
    house: House,
) -> None:
    """A hostile document cannot break the record of its own refusal."""
    text = '{"' + '":1,"'.join(f"\\u0000\\n{n}" for n in range(300)) + '":1}'
    sheet = {"sheet": "a-sheet", "sheet_version": 1, "in_force_from": house.now}
    answer = house.ask(order(cmd.PublishSheet, **sheet, text=text))
    assert (answer.refusal, len(answer.message or "") <= 500) == ("sheet-invalid", True)


def test_a_sheet_that_fits_no_entry_is_refused(house: House) -> None:
    """Quotes double when they are stored: sixty thousand of them are too many."""
    sheet = {"sheet": "a-sheet", "sheet_version": 1, "in_force_from": house.now}
    answer = house.ask(order(cmd.PublishSheet, **sheet, text='"' * 60_000))
    assert answer.refusal == "sheet-invalid"


def test_s1_the_same_command_from_two_connections_at_once_is_done_once(house: House) -> None:
    """A hundred races: one credit each, and the loser gets the winner's bytes."""
    house.conto("anna-1")
    with at_house(house.conninfo, house.book) as other:
        for _ in range(ROUNDS):
            deposit = deposit_order("anna-1", 1_00)
            a, b = at_once(lambda d=deposit: house.ask(d), lambda d=deposit: other.ask(d))
            assert a.to_bytes() == b.to_bytes()
    state = house.service.state(conto_stream("anna-1"))
    deposits = house.rows("SELECT count(*) FROM events WHERE topic = 'funds-deposited'")
    assert (ROUNDS * 1_00, [(ROUNDS,)]) == (state.balance, deposits)


def test_s1_one_payment_booked_by_two_commands_at_once_is_credited_once(house: House) -> None:
    """Twenty races of two ids for one reference: one is accepted, the other told so."""
    house.conto("anna-1")
    with at_house(house.conninfo, house.book) as other:
        for _ in range(20):
            one = deposit_order("anna-1", 1_00)
            two = one.model_copy(update={"id": uuid4()})
            answers = at_once(lambda d=one: house.ask(d), lambda d=two: other.ask(d))
            assert {a.refusal for a in answers} == {None, "payment-already-booked"}
    assert house.service.state(conto_stream("anna-1")).balance == 20 * 1_00


def test_s1_a_round_asked_for_twice_at_once_is_drawn_and_paid_once(house: House) -> None:
    """Both callers see one outcome, and no second draw was made for the loser."""
    seat = house.seat()
    with at_house(house.conninfo, house.book) as other:
        for _ in range(20):
            command = play_order(seat)
            a, b = at_once(lambda c=command: house.ask(c), lambda c=command: other.ask(c))
            assert a.to_bytes() == b.to_bytes()
    drawn = house.rows("SELECT count(*) FROM events WHERE topic = 'draw-recorded'")
    assert drawn == [(20,)]


def refund_of(session: UUID, bet: cmd.Command) -> cmd.RefundBets:
    """The refund of what a command bet."""
    return order(cmd.RefundBets, session=session, placed_by=bet.id, reason="lost on the way")


def test_s2_a_refund_before_its_bet_leaves_a_tombstone(house: House) -> None:
    """The late bet is refused, the posta is whole, and both stay on record."""
    seat = house.seat()
    bet = play_order(seat, {"numbers": [17], "amount": "10.00"})
    refund = refund_of(seat, bet)
    answers = [house.ask(c) for c in (refund, bet)]
    assert [a.refusal for a in answers] == [None, "refunded-before-placed"]
    assert [house.ask(c).to_bytes() for c in (refund, bet)] == [a.to_bytes() for a in answers]
    assert house.ask(refund_of(seat, bet)).refusal == "unknown-bet"
    assert house.service.state(session_stream(seat)).posta == 100_00


def test_s2_a_refund_after_its_bet_returns_the_stake_once(house: House) -> None:
    """An open round goes void; a second refund finds nothing to give back."""
    seat = house.seat()
    bet = order(cmd.OpenRound, session=seat, move=bets({"numbers": [17], "amount": "10.00"}))
    house.ask(bet)
    refund = refund_of(seat, bet)
    assert [house.ask(refund).refusal, house.ask(refund).refusal] == [None, None]
    assert house.ask(refund_of(seat, bet)).refusal == "round-ended"
    assert house.service.state(session_stream(seat)).posta == 100_00


def test_s2_a_refund_that_races_its_bet_leaves_the_posta_whole(house: House) -> None:
    """Whoever is first, the stake is never lost and never given back twice."""
    seat = house.seat()
    seen = set()
    with at_house(house.conninfo, house.book) as other:
        for _ in range(40):
            bet = order(cmd.OpenRound, session=seat, move=bets(RED))
            refund = refund_of(seat, bet)
            placed, given = at_once(lambda b=bet: house.ask(b), lambda r=refund: other.ask(r))
            seen.add((placed.refusal, given.refusal))
            assert house.service.state(session_stream(seat)).posta == 100_00
    assert seen <= {(None, None), ("refunded-before-placed", None)}
    house.seal()
    assert house.verify() == ()


def test_g3_a_reply_lost_right_after_the_commit_is_found_again_inside(
    house: House, monkeypatch
) -> None:
    """The connection dies between commit and reply: the service looks the command up itself."""
    house.conto("anna-1")
    insert, killed = BookRecorder.insert_events, []

    def insert_and_lose(self, stored, **admission):
        result = insert(self, stored, **admission)
        if not killed:
            killed.append(terminate_writers(house))
            with self.datastore.get_connection() as connection:
                connection.execute("SELECT 1")
        return result

    monkeypatch.setattr(BookRecorder, "insert_events", insert_and_lose)
    answer: Answer = house.deposit("anna-1", 100)
    assert killed[0] > 0
    assert [e.event.NAME for e in answer.entries] == ["funds-deposited", "payment-booked"]
    assert house.service.state(conto_stream("anna-1")).balance == 100


def terminate_writers(house: House) -> int:
    """Kill every connection of the book's writer; how many there were."""
    query = """SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE application_name = %s AND pid <> pg_backend_pid()"""
    with psycopg.connect(house.conninfo, autocommit=True) as connection:
        return len(connection.execute(query, (f"{house.book}_writer",)).fetchall())


@pytest.mark.parametrize("many", [False, True])
def test_connections_that_were_cut_while_idle_are_replaced_inside(
    house: House,
    many: bool,  # noqa: FBT001 - the two ways in
) -> None:
    """A database that was restarted is no fault for the next command."""
    house.conto("anna-1")
    assert terminate_writers(house) > 0
    deposit = deposit_order("anna-1", 1_00)
    (answer,) = house.service.handle_many([deposit], house.now) if many else (house.ask(deposit),)
    assert answer.refusal is None
