"""Many commands in one save: each decided and answered alone, as one by one (G3, G4)."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from hypothesis import HealthCheck, given, settings, strategies as st

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream, stream_key
from ledger.domain.money import Currency
from ledger.store.recorder import BookRecorder
from ops.migrate import migrate
from tests.house import (
    CLASSIC,
    MORNING,
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

PLAYERS = ("anna-1", "bruno-2")
WIN = {"numbers": [17], "amount": "1.00"}
SEATS = tuple(UUID(int=n) for n in (1, 2))
RIGHTS = tuple(UUID(int=n) for n in (3, 4))


def plan(kind: str, who: int, number: int) -> cmd.Command:
    """A command of a plan: the same for the same three, ids included."""
    command = UUID(int=1000 + number)
    player, seat, right = PLAYERS[who], SEATS[who], RIGHTS[who]
    buying = {"session": seat, "player": player, "sheet": CLASSIC, "channel": "web"}
    answer = {"session": seat, "participation": right, "ticket": "T-1", "count": 1}
    made = {
        "deposit": lambda: deposit_order(player, 20_00, command),
        "withdraw": lambda: withdraw_order(player, 30_00, command),
        "request": lambda: order(cmd.RequestParticipation, right, **buying, **euro(10_00)),
        "validate": lambda: order(cmd.ValidateParticipation, command, **answer, total=10_00),
        "play": lambda: play_order(seat, WIN, command=command),
        "open": lambda: order(cmd.OpenRound, command, session=seat, move=bets(RED)),
        "refund": lambda: order(
            cmd.RefundBets, command, session=seat, placed_by=UUID(int=999 + number), reason="late"
        ),
        "close": lambda: order(cmd.CloseSession, command, session=seat),
        "repeat": lambda: deposit_order(player, 20_00, UUID(int=1000)),
        "notice": lambda: order(
            cmd.AnnounceMaintenance,
            command,
            starts=MORNING,
            ends=MORNING + timedelta(microseconds=1),
            reason="cleaning",
        ),
    }
    return made[kind]()


STEPS = st.tuples(
    st.sampled_from(
        [
            "deposit",
            "withdraw",
            "request",
            "validate",
            "play",
            "play",
            "open",
            "refund",
            "close",
            "repeat",
            "notice",
        ]
    ),
    st.integers(0, 1),
)


def told(answer: Answer) -> tuple[Any, ...]:
    """What an answer tells, less the time at which it was recorded."""
    return (answer.command, answer.refusal, answer.message, answer.document()["events"])


def opened(house: House) -> None:
    """Two contos, one of them with an open session."""
    for player in PLAYERS:
        house.conto(player, 20_00)
    for kind in ("request", "validate"):
        assert house.ask(plan(kind, 0, 500)).refusal is None


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(STEPS, min_size=1, max_size=12))
def test_g3_a_batch_is_answered_as_its_commands_one_by_one(database, steps) -> None:
    """Two books, the same commands and entropy: one batch here, one by one there, no difference."""
    commands = [plan(kind, who, number) for number, (kind, who) in enumerate(steps)]
    one, many = fresh_book(database), fresh_book(database)
    with (
        at_house(database, one, entropy=seventeens) as singly,
        at_house(database, many, entropy=seventeens) as batch,
    ):
        for house in (singly, batch):
            house.open()
            opened(house)
        alone = [told(singly.ask(c)) for c in commands]
        together = [told(a) for a in batch.service.handle_many(commands, batch.now)]
        assert alone == together
        assert contents(singly) == contents(batch)


def fresh_book(database: str) -> str:
    """A migrated book for one example."""
    name = f"t_{uuid4().hex[:12]}"
    migrate(database, name)
    return name


def seventeens(size: int) -> bytes:
    """Entropy of which every byte decides for pocket 17."""
    return bytes([17]) * size


def contents(house: House) -> list[tuple[Any, ...]]:
    """What the streams of the plan hold."""
    streams = [*map(session_stream, SEATS), *map(conto_stream, PLAYERS)]
    return house.rows(
        """SELECT originator_id, originator_version, topic FROM events
            WHERE originator_id = ANY(%s) ORDER BY 1, 2""",
        [stream_key(s) for s in streams],
    )


def test_g4_a_batch_is_one_save(house: House) -> None:
    """All of its events stand in one transaction, refused commands' records too."""
    seat = house.seat()
    commands = [play_order(seat) for _ in range(5)] + [play_order(uuid4())]
    answers = house.service.handle_many(commands, house.now)
    assert [a.refusal for a in answers] == [None] * 5 + ["unknown-session"]
    saves = house.rows(
        """SELECT count(*), count(DISTINCT xid) FROM events
            WHERE convert_from(state, 'UTF8')::json->>'command' = ANY(%s)""",
        [str(c.id) for c in commands],
    )
    assert [(sum(len(a.entries) + 1 for a in answers), 1)] == saves


def test_a_batch_of_nothing_is_answered_by_nothing(house: House) -> None:
    """No command, no save."""
    before = house.count()
    assert (house.service.handle_many([], house.now), house.count()) == ((), before)


def test_a_batch_may_open_the_book_it_writes_in(database, book) -> None:
    """A later command of a batch sees what an earlier one drafted, the opening too."""
    with at_house(database, book) as house:
        opening = order(cmd.OpenBook, book="b", clock="simulated")
        conto = order(cmd.OpenConto, player="anna-1", currency=Currency.EUR, personal=())
        early = house.ask(conto)
        answers = house.service.handle_many([opening, conto], house.now)
    assert early.refusal == "book-not-open"
    assert [a.refusal for a in answers] == [None, None]


def meddle(house: House, monkeypatch, command: cmd.Command, times: int) -> list[Answer]:
    """Let another service answer a command right before each of the next saves of many."""
    insert, meddled = BookRecorder.insert_many, []

    def insert_after_others(self, stored, admission):
        if len(meddled) < times:
            fresh = command.model_copy(update={"id": command.id if not meddled else uuid4()})
            with at_house(house.conninfo, house.book) as other:
                meddled.append(other.ask(fresh))
        return insert(self, stored, admission)

    monkeypatch.setattr(BookRecorder, "insert_many", insert_after_others)
    return meddled


def test_g3_a_command_that_others_answered_meanwhile_is_not_done_again(
    house: House, monkeypatch
) -> None:
    """One of a batch was answered elsewhere while the batch was decided: its answer is given."""
    seat = house.seat()
    shared, own = bonus_order(seat, 1_00), play_order(seat)
    meddled = meddle(house, monkeypatch, shared, times=1)
    answers = house.service.handle_many([own, shared], house.now)
    assert answers[1].to_bytes() == meddled[0].to_bytes()
    assert house.rows("SELECT count(*) FROM events WHERE topic = 'posta-funded'") == [(2,)]


def test_g7_entropy_is_kept_when_a_batch_is_decided_again_and_when_it_falls_apart(
    house: House, monkeypatch
) -> None:
    """Others are first on every try: one draw is made, whatever is decided again."""
    seat = house.seat()
    asked = []

    def entropy(size: int) -> bytes:
        asked.append(size)
        return seventeens(size)

    bonus = bonus_order(seat, 1_00)
    meddled = meddle(house, monkeypatch, bonus, times=10)
    with at_house(house.conninfo, house.book, entropy=entropy, waiting=lambda _: None) as own:
        (answer,) = own.service.handle_many([play_order(seat)], own.now)
    assert (answer.refusal, len(asked)) == (None, 1)
    assert len(meddled) == 3


def test_g7_entropy_is_kept_when_a_conflict_runs_the_decision_again(
    house: House, monkeypatch
) -> None:
    """The loser of a race plays the outcome that was drawn for it, not a better one."""
    seat = house.seat()
    asked, insert = [], BookRecorder.insert_events

    def entropy(size: int) -> bytes:
        asked.append(size)
        return seventeens(size)

    def insert_after_others(self, stored, **admission):
        if self is own.store.recorder and len(asked) == 1 and house.later(seconds=1) < late:
            house.ask(bonus_order(seat, 1_00))
        return insert(self, stored, **admission)

    late = house.now + timedelta(seconds=5)
    with at_house(house.conninfo, house.book, entropy=entropy, waiting=lambda _: None) as own:
        monkeypatch.setattr(BookRecorder, "insert_events", insert_after_others)
        answer = own.play(seat, WIN)
    assert (answer.refusal, len(asked)) == (None, 1)
    assert house.service.state(session_stream(seat)).posta == 100_00 + 4 * 1_00 + 35_00


def test_two_services_whose_batches_share_streams_both_get_through(house: House) -> None:
    """Opposite orders of the same streams neither deadlock nor lose a command."""
    for player in PLAYERS:
        house.conto(player)

    def batch(players: tuple[str, ...]) -> list[cmd.Command]:
        return [deposit_order(p, 1) for p in players * 5]

    with at_house(house.conninfo, house.book) as other:
        for _ in range(10):
            there, back = batch(PLAYERS), batch(PLAYERS[::-1])
            at_once(
                lambda b=there: house.service.handle_many(b, house.now),
                lambda b=back: other.service.handle_many(b, house.now),
            )
    balances = [house.service.state(conto_stream(p)).balance for p in PLAYERS]
    assert balances == [100, 100]
