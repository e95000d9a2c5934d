"""Writers that meet: no overdraft, no lost command, no round under rules that are gone (G2, G8)."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from itertools import product
from typing import Any

import orjson
import psycopg
import pytest

from games import registry
from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.ids import MAINTENANCE, conto_stream, session_stream, sheet_stream, stream_key
from ledger.domain.sheets import canonical
from ledger.store.recorder import ANY_TIME, Admission, _columns
from tests.children import DONE, child
from tests.house import (
    CLASSIC,
    RED,
    House,
    at_house,
    bets,
    order,
    play_order,
    withdraw_order,
)
from tests.racing import PATIENCE_SECONDS, Turns, at_once


def withdrawals(count: int, amount: int = 1_00) -> list[cmd.Command]:
    """Payments out of anna's conto."""
    return [withdraw_order("anna-1", amount) for _ in range(count)]


def test_s5_twenty_parallel_transfers_of_threads_all_succeed(house: House) -> None:
    """Never "insufficient funds", never a fault: a thousand less twenty is 980.00."""
    house.conto("anna-1", 1000_00)
    with at_house(house.conninfo, house.book, pool_size=10) as other:
        services = [house.service, other.service]
        answers = at_once(
            *(
                lambda c=c, n=n: services[n % 2].handle(c, house.now)
                for n, c in enumerate(withdrawals(20))
            )
        )
    assert [a.refusal for a in answers] == [None] * 20
    assert house.service.state(conto_stream("anna-1")).balance == 980_00


def test_s5_twenty_parallel_transfers_of_processes_all_succeed(house: House) -> None:
    """Two processes of ten transfers each meet on one conto."""
    house.conto("anna-1", 1000_00)
    with ExitStack() as stack:
        commands = [withdrawals(10) for _ in range(2)]
        children = [stack.enter_context(child("ask", house, c, None)) for c in commands]
        for running in children:
            running.until(DONE)
    assert house.service.state(conto_stream("anna-1")).balance == 980_00
    assert [house.ask(c).refusal for some in commands for c in some] == [None] * 20


# --- every order of the steps of two writers -----------------------------------------------------


@contextmanager
def in_turns(house: House, order_of_steps: tuple[int, ...]) -> Iterator[list[House]]:
    """Two services whose reads and saves go on in the order given."""
    turns = Turns(order_of_steps)
    with ExitStack() as stack:
        houses = [stack.enter_context(at_house(house.conninfo, house.book)) for _ in range(2)]
        for who, writer in enumerate(houses):
            _gate(writer, turns, who)
        yield houses


def _gate(writer: House, turns: Turns, who: int) -> None:
    recorder, service = writer.store.recorder, writer.service
    for name in ("select_streams", "insert_events"):
        setattr(recorder, name, _waiting(getattr(recorder, name), lambda: turns.wait(who)))
    handle = service.handle

    def handle_and_leave(command: cmd.Command, now: Any) -> Answer:
        try:
            return handle(command, now)
        finally:
            turns.leave(who)

    service.handle = handle_and_leave  # type: ignore[method-assign]


def _waiting(method: Callable[..., Any], wait: Callable[[], None]) -> Callable[..., Any]:
    def waited(*args: Any, **kwargs: Any) -> Any:
        wait()
        return method(*args, **kwargs)

    return waited


def ask_in_turns(house: House, steps: tuple[int, ...], pair: list[cmd.Command]) -> list[Any]:
    """The refusals of two commands whose steps were taken in this order."""
    with in_turns(house, steps) as writers:
        return [
            a.refusal
            for a in at_once(
                *(lambda w=w, c=c: w.ask(c) for w, c in zip(writers, pair, strict=True))
            )
        ]


SCHEDULES = tuple(product((0, 1), repeat=5))


def test_g2_in_any_order_of_their_steps_two_withdrawals_never_overdraw(house: House) -> None:
    """Sixty and sixty out of a hundred: one is paid, the other refused, in all orders."""
    for number, steps in enumerate(SCHEDULES):
        player = house.conto(f"player-{number}", 100_00)
        pair: list[cmd.Command] = [withdraw_order(player, 60_00) for _ in range(2)]
        refusals = ask_in_turns(house, steps, pair)
        assert sorted(map(str, refusals)) == ["None", "insufficient-conto"], steps
        assert house.service.state(conto_stream(player)).balance == 40_00
    house.seal()
    assert house.verify() == ()


def test_g9_in_any_order_of_their_steps_a_round_and_a_close_leave_nothing_behind(
    house: House,
) -> None:
    """Either the round is played before the close, or it is refused after it."""
    house.conto("anna-1", 1000_00)
    seen = set()
    for steps in SCHEDULES:
        seat = house.session("anna-1", 5_00)
        pair = [play_order(seat, RED), order(cmd.CloseSession, session=seat)]
        seen.add(tuple(ask_in_turns(house, steps, pair)))
    house.seal()
    assert (seen, house.verify()) == ({(None, None), ("session-closed", None)}, ())


def test_g4_in_any_order_of_their_steps_no_round_is_played_after_an_exclusion(
    house: House,
) -> None:
    """Either the round is played first, or its session is closed; no money stays behind."""
    seen = set()
    until = house.now + timedelta(days=30)
    for number, steps in enumerate(SCHEDULES):
        seat = house.seat(f"player-{number}", 5_00)
        exclusion = order(cmd.ExcludePlayer, player=f"player-{number}", until=until)
        seen.add(tuple(ask_in_turns(house, steps, [play_order(seat, RED), exclusion])))
        assert house.service.state(conto_stream(f"player-{number}")).sessions == ()
    house.seal()
    assert (seen, house.verify()) == ({(None, None), ("session-closed", None)}, ())


def test_s2_in_any_order_of_their_steps_a_bet_and_its_refund_leave_the_posta_whole(
    house: House,
) -> None:
    """A tombstone or a refund, never neither and never both."""
    seat = house.seat()
    seen = set()
    for steps in SCHEDULES:
        bet = order(cmd.OpenRound, session=seat, move=bets(RED))
        refund = order(cmd.RefundBets, session=seat, placed_by=bet.id, reason="late")
        seen.add(tuple(ask_in_turns(house, steps, [bet, refund])))
        assert house.service.state(session_stream(seat)).posta == 100_00
    assert seen == {(None, None), ("refunded-before-placed", None)}


# --- guards: what is read and not written --------------------------------------------------------


def second_sheet(house: House) -> cmd.Command:
    """The order to publish version two of the sheet, in force now."""
    sheet = orjson.loads(registry.SHEETS[CLASSIC].text)
    text = canonical(sheet | {"version": 2})
    named = {"sheet": CLASSIC, "sheet_version": 2}
    return order(cmd.PublishSheet, **named, in_force_from=house.now, text=text)


def notice(house: House) -> cmd.Command:
    """The order to announce maintenance from now on."""
    ends = house.now + timedelta(hours=1)
    return order(cmd.AnnounceMaintenance, starts=house.now, ends=ends, reason="cleaning")


def before_the_save(writer: House, meanwhile: Callable[[], object]) -> None:
    """Let something happen right before a writer's first save."""
    insert, happened = writer.store.recorder.insert_events, []

    def insert_after(*args: Any, **kwargs: Any) -> Any:
        if not happened:
            happened.append(True)
            meanwhile()
        return insert(*args, **kwargs)

    writer.store.recorder.insert_events = insert_after  # type: ignore[method-assign]


def test_g8_a_sheet_published_while_a_round_is_decided_is_the_rounds_sheet(house: House) -> None:
    """The save finds that the sheet moved, and the round is decided again by the new one."""
    seat = house.seat()
    with at_house(house.conninfo, house.book) as playing:
        before_the_save(playing, lambda: house.ask(second_sheet(house)))
        answer = playing.play(seat, RED)
    assert (answer.refusal, answer.entries[0].event.rules.version) == (None, 2)
    house.seal()
    assert house.verify() == ()


def test_c5_maintenance_announced_while_a_round_is_decided_refuses_it(house: House) -> None:
    """No round slips through between the reading of the notices and the save."""
    seat = house.seat()
    with at_house(house.conninfo, house.book) as playing:
        before_the_save(playing, lambda: house.ask(notice(house)))
        assert playing.play(seat, RED).refusal == "maintenance"
    assert house.service.state(session_stream(seat)).posta == 100_00


@contextmanager
def uncommitted(house: House, command: cmd.Command) -> Iterator[psycopg.Connection[Any]]:
    """The save of a command, made and not yet committed by a connection of its own."""
    with psycopg.connect(house.conninfo) as connection:
        connection.execute(f"SET LOCAL ROLE {house.book}_writer")

        def insert(stored: Any, admission: Admission = ANY_TIME) -> None:
            parameters = (*admission.parameters(), *_columns(stored))
            connection.execute(house.store.recorder._insert, parameters, binary=True)

        with at_house(house.conninfo, house.book) as writing:
            writing.store.recorder.insert_events = insert  # type: ignore[method-assign]
            assert writing.ask(command).refusal is None
            yield connection
            connection.rollback()


def wait_for_waiting(house: House) -> None:
    """Wait until a save of the book waits for an advisory lock."""
    query = """SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
                WHERE NOT l.granted AND l.locktype = 'advisory' AND a.application_name = %s"""
    for _ in range(PATIENCE_SECONDS * 100):
        if house.rows(query + " AND pg_sleep(0.01) IS NOT NULL", f"{house.book}_writer")[0][0]:
            return
    raise AssertionError("nobody waits")


@pytest.mark.parametrize(
    ("change", "commits", "expected"),
    [
        (second_sheet, True, (None, 2)),
        (second_sheet, False, (None, 1)),
        (notice, True, ("maintenance", None)),
        (notice, False, (None, 1)),
    ],
)
def test_g8_a_save_waits_for_a_change_under_way_of_what_it_was_decided_on(
    house: House, change, commits, expected
) -> None:
    """The writer of a guarded stream holds it alone: the round goes by what it commits or not."""
    seat = house.seat()
    with ThreadPoolExecutor(1) as pool, uncommitted(house, change(house)) as writing:
        playing = pool.submit(house.play, seat, RED)
        wait_for_waiting(house)
        assert not playing.done()
        if commits:
            writing.commit()
        else:
            writing.rollback()
        answer = playing.result(timeout=PATIENCE_SECONDS)
    version = answer.entries[0].event.rules.version if answer.entries else None
    assert (answer.refusal, version) == expected


@pytest.mark.parametrize(
    ("change", "stream"), [(second_sheet, sheet_stream(CLASSIC)), (notice, MAINTENANCE)]
)
def test_writers_of_guarded_streams_lock_exclusively_and_readers_share(
    house: House, change, stream
) -> None:
    """The lock of the stream is held alone by its writer; two rounds hold it together."""
    seats = [house.seat(player) for player in ("anna-1", "bruno-2")]
    key = "hashtext(%s)", "hashtext(%s)"
    query = f"""SELECT mode, count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND (classid, objid) = (({key[0]})::bit(32)::int8::oid, ({key[1]})::bit(32)::int8::oid)
        GROUP BY 1"""
    names = (house.book, str(stream_key(stream)))
    with uncommitted(house, change(house)):
        assert house.rows(query, *names) == [("ExclusiveLock", 1)]
    with uncommitted(house, play_order(seats[0])), uncommitted(house, play_order(seats[1])):
        assert house.rows(query, *names) == [("ShareLock", 2)]


def test_two_notices_at_once_have_two_numbers(house: House) -> None:
    """Both are announced; neither is lost to the other."""
    with at_house(house.conninfo, house.book) as other:
        answers = at_once(lambda: house.ask(notice(house)), lambda: other.ask(notice(house)))
    assert sorted(a.entries[0].event.notice for a in answers) == [1, 2]
