"""Between entries and bytes: a closed table of names, strict reading, upcasting (G5)."""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import UUID

import orjson
import pytest
from eventsourcing.persistence import StoredEvent
from pydantic import ValidationError

from ledger.domain import events as ev
from ledger.domain.ids import conto_stream
from ledger.domain.money import AMOUNT_MAX, Currency
from ledger.seal.merkle import entry_bytes
from ledger.seal.tiles import ENTRY_MAX, pack_bundle, unpack_bundle
from ledger.store.codec import (
    STATE_MAX,
    BookMapper,
    Codec,
    CorruptEntry,
    EntryTooLarge,
    recorded_at,
)
from ledger.store.recorder import ANY_TIME
from tests.house import CODEC, MORNING, RED, SEVENTEEN, House, bets

SETTLED = ev.RoundSettled(
    round=UUID(int=9),
    game="deuces-wild",
    rules=ev.SheetRef(sheet="a-sheet", version=1, hash="0" * 64),
    currency=Currency.EUR,
    staked=100,
    winnings=0,
    stake_returned=100,
    stakes_lost=0,
    refunded=0,
    bets=1,
)
HEADER = ev.Header(recorded=MORNING, played=None, command=UUID(int=7), actor="desk-1")
STREAM = conto_stream("anna-1")


def deposited(**changes: Any) -> ev.FundsDeposited:
    """Ten euro by card."""
    fields = {"player": "anna-1", "amount": 1000, "currency": Currency.EUR}
    return ev.FundsDeposited(**(fields | {"reference": "pay-1", "channel": "card"} | changes))


def entry(event: ev.Event | None = None, version: int = 2) -> ev.AnyEntry:
    """An event at a place in anna's conto."""
    return ev.make_entry(STREAM, version, HEADER, event or deposited())


def row(codec: Codec = CODEC, **changes: Any) -> StoredEvent:
    """The stored row of the deposit, with its document's top level changed."""
    stored = codec.encode(entry())
    return replace(stored, state=orjson.dumps(orjson.loads(stored.state) | changes))


def with_event(**changes: Any) -> StoredEvent:
    """The stored row of the deposit, with fields of the event itself changed."""
    body = orjson.loads(CODEC.encode(entry()).state)["event"]
    return row(event=body | changes)


def test_what_is_written_is_read_again_with_the_class_version_first() -> None:
    """Bytes and back give the same entry, and the first field tells the class version."""
    stored = CODEC.encode(entry())
    assert CODEC.decode(stored) == entry()
    assert stored.state.startswith(b'{"v":1,"stream":"conto:anna-1","version":2,"recorded":')
    assert recorded_at(stored.state) == MORNING


@pytest.mark.parametrize(
    ("event", "recorded"),
    [
        pytest.param(deposited(), MORNING, id="a whole second, nothing played before"),
        pytest.param(deposited(amount=AMOUNT_MAX), MORNING.replace(microsecond=7), id="a fraction"),
        pytest.param(
            ev.ContoSuspended(player="anna-1", reason='Así: "50 €" \\ 赌\u2028'),
            MORNING,
            id="a text in any script, with what JSON escapes",
        ),
        pytest.param(
            ev.RoundOpened(
                round=UUID(int=9),
                game="roulette",
                rules=ev.SheetRef(sheet="a-sheet", version=1, hash="0" * 64),
                currency=Currency.EUR,
                move=bets(SEVENTEEN, RED, {"announced": "voisins", "chip": "1.00"}),
            ),
            MORNING,
            id="a game's details, with tuples in them",
        ),
        pytest.param(SETTLED, MORNING, id="absent fields that are left out"),
        pytest.param(
            SETTLED.model_copy(
                update={"double_ups": ev.DoubleUps(count=1, staked=100, returned=0)}
            ),
            MORNING,
            id="and the same where they are there",
        ),
    ],
)
def test_g5_the_bytes_on_disk_are_those_of_the_models_own_writing(event, recorded) -> None:
    """The codec's writer is a quicker one: it must write what the models say, to the byte."""
    header = HEADER.model_copy(update={"recorded": recorded, "played": recorded})
    made = ev.make_entry(STREAM, 2, header, event)

    assert made.model_dump_json().encode() == CODEC.encode(made).state
    assert made == CODEC.decode(CODEC.encode(made))


def test_the_mapper_of_the_library_reads_and_writes_by_the_codec() -> None:
    """The library's mapper keeps no transcoder of its own."""
    mapper = BookMapper(CODEC)
    assert mapper.to_domain_event(mapper.to_stored_event(entry())) == entry()


def test_g5_a_name_outside_the_table_is_never_imported(tmp_path, monkeypatch) -> None:
    """A row that names a module runs nothing of it: names are looked up in a closed table."""
    (tmp_path / "trap_of_a_topic.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for topic in ("trap_of_a_topic:Event", "trap_of_a_topic", "os:system", ""):
        with pytest.raises(CorruptEntry):
            BookMapper(CODEC).to_domain_event(replace(row(), topic=topic))
    assert "trap_of_a_topic" not in sys.modules


def test_g5_states_swapped_between_two_rows_are_found() -> None:
    """A state says where it belongs: another stream or version is refused."""
    first, second = CODEC.encode(entry(version=2)), CODEC.encode(entry(version=3))
    elsewhere = replace(first, originator_id=UUID(int=1))
    for swapped in (replace(first, state=second.state), elsewhere):
        with pytest.raises(CorruptEntry, match="another stream or version"):
            CODEC.decode(swapped)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(row(more=1), id="a field too many in the entry"),
        pytest.param(with_event(more=1), id="a field too many in the event"),
        pytest.param(with_event(amount=10.0), id="a fraction for an amount"),
        pytest.param(with_event(amount=True), id="a truth value for an amount"),
        pytest.param(with_event(amount="1000"), id="a text for an amount"),
        pytest.param(with_event(amount=AMOUNT_MAX + 1), id="an amount above the largest"),
        pytest.param(with_event(amount=0), id="an amount of nothing"),
        pytest.param(with_event(player="Anna Rossi"), id="a name that is no pseudonym"),
        pytest.param(with_event(channel="a\0b"), id="a NUL"),
        pytest.param(row(recorded="2026-03-02T09:00:00"), id="a time without an offset"),
        pytest.param(row(recorded="2026-03-02T10:00:00+01:00"), id="a time in another offset"),
        pytest.param(row(recorded=1772442000), id="a number for a time"),
        pytest.param(row(v=2), id="a newer class version than the code knows"),
        pytest.param(row(v=0), id="a class version that never was"),
        pytest.param(row(v="1"), id="a text for a class version"),
        pytest.param(row(v=None), id="no class version"),
        pytest.param(row(event=[]), id="a list for an event"),
        pytest.param(replace(row(), state=b"[1]"), id="a list for an entry"),
        pytest.param(replace(row(), state=b"\xff\x00"), id="no JSON"),
        pytest.param(replace(row(), state=b""), id="no bytes"),
        pytest.param(
            replace(row(), state=row().state.replace(b"1000", b"NaN")), id="a NaN for an amount"
        ),
        pytest.param(
            replace(row(), state=row().state.replace(b"1000", b"1" * 400)), id="a huge integer"
        ),
        pytest.param(
            replace(row(), state=row().state.replace(b'"card"', b'"\\ud800"')),
            id="a lone surrogate",
        ),
    ],
)
def test_g5_a_row_that_is_not_what_it_says_is_refused(bad: StoredEvent) -> None:
    """Reading is strict: what the code would not have written is a corrupt entry, never a guess."""
    with pytest.raises(CorruptEntry):
        CODEC.decode(bad)


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": 10**400},
        {"amount": float("nan")},
        {"amount": 10.0},
        {"channel": "a\0b"},
        {"channel": "\ud800"},
        {"channel": "a\nb"},
        {"reference": "x" * 121},
    ],
)
def test_no_event_can_be_made_of_what_could_not_be_read_again(fields: dict[str, Any]) -> None:
    """The traps of JSON are refused before anything is written."""
    with pytest.raises(ValidationError):
        deposited(**fields)


@pytest.mark.parametrize(
    "recorded",
    [
        datetime(2026, 3, 2, 9),  # noqa: DTZ001 - the fault under test
        datetime.fromisoformat("2026-03-02T09:00:00+01:00"),
        "2026-03-02T09:00:00Z",
    ],
)
def test_no_entry_can_be_made_at_a_time_that_is_not_utc(recorded: Any) -> None:
    """A naive time, another offset and a text are refused."""
    with pytest.raises(ValidationError):
        ev.Header(recorded=recorded, played=None, command=UUID(int=7), actor="desk-1")


def test_an_entry_beyond_the_bound_is_refused_before_it_reaches_the_database() -> None:
    """65,000 bytes hold; one more does not."""
    fields = {"sheet": "a-sheet", "sheet_version": 1, "sheet_hash": "0" * 64, "engine": "coin/1"}
    bare = ev.SheetPublished(**fields, in_force_from=MORNING, text="{}")
    room = STATE_MAX - len(CODEC.encode(entry(bare)).state)
    filling = "\u20ac" * (room // 3) + "x" * (room % 3)
    full = bare.model_copy(update={"text": "{}" + filling})
    assert len(CODEC.encode(entry(full)).state) == STATE_MAX
    with pytest.raises(EntryTooLarge, match="65000 bytes, not 65001: ask for less"):
        CODEC.encode(entry(full.model_copy(update={"text": full.text + "x"})))


def test_g6_every_entry_that_is_written_has_room_in_a_log_of_tiles() -> None:
    """The largest entry of the longest name is sealed by fewer bytes than 16 bits can measure."""
    longest = max(CODEC.names, key=len)
    sealed = entry_bytes(UUID(int=2**128 - 1), 2**63 - 1, longest, bytes(STATE_MAX))
    assert len(sealed) <= ENTRY_MAX == 2**16 - 1
    assert unpack_bundle(pack_bundle([sealed])) == (sealed,)


def test_g4_an_entry_beyond_the_bound_takes_the_whole_save_with_it(house: House) -> None:
    """A save of two entries, of which the second is too large, is a fault and writes nothing."""
    before, large = house.count(), "\u20ac" * 30_000
    fields = {"sheet": "a-sheet", "sheet_version": 1, "sheet_hash": "0" * 64, "engine": "coin/1"}
    sheet = ev.SheetPublished(**fields, in_force_from=MORNING, text=large)
    with pytest.raises(EntryTooLarge, match="sheet-published"):
        house.store.save([entry(deposited()), entry(sheet)], ANY_TIME)
    assert house.count() == before


# --- an older class version ----------------------------------------------------------------------


class Noted(ev.Event):
    """A note, whose third class version holds two fields."""

    NAME = "test-noted"
    VERSION: ClassVar[int] = 3
    title: str
    lines: int


def _to_two(body: dict[str, Any]) -> dict[str, Any]:
    return {"title": body["text"]}


def _to_three(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "lines": 1}


NOTES = Codec((), (Noted,), {("test-noted", 1): _to_two, ("test-noted", 2): _to_three})


def noted(version: int, body: dict[str, Any]) -> StoredEvent:
    """A row that was written by an older class."""
    stored = NOTES.encode(entry(Noted(title="x", lines=1)))
    document = orjson.loads(stored.state) | {"v": version, "event": body}
    return replace(stored, state=orjson.dumps(document))


@pytest.mark.parametrize(
    ("version", "body"),
    [(1, {"text": "seat 4"}), (2, {"title": "seat 4"}), (3, {"title": "seat 4", "lines": 1})],
)
def test_an_older_class_version_is_brought_up_step_by_step(version: int, body: Any) -> None:
    """Versions one, two and three of an event read as the same one."""
    read = NOTES.decode(noted(version, body))
    assert (3, Noted(title="seat 4", lines=1)) == (read.v, read.event)


@pytest.mark.parametrize(
    ("version", "body"),
    [(1, {"title": "seat 4"}), (2, {"title": "x", "lines": 1, "more": 2}), (4, {"title": "x"})],
)
def test_an_older_class_version_is_still_read_strictly(version: int, body: Any) -> None:
    """What an upcaster makes is validated like anything else."""
    with pytest.raises(CorruptEntry):
        NOTES.decode(noted(version, body))


def test_the_time_of_a_stored_entry_is_read_in_utc() -> None:
    """The seal's time is aware."""
    assert recorded_at(row().state).utcoffset() == MORNING.utcoffset()
    assert recorded_at(row().state) == datetime(2026, 3, 2, 9, tzinfo=UTC)
