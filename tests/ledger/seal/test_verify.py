"""A change of the sealed log made by force is found by the check that is made for it (G5, G6).

Whoever changes a row here first takes the guards away, as only the owner can.
"""

import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from ledger.seal.verify import Trust, Verifier
from tests.force import by_force
from tests.house import CODEC, House, at_house


@pytest.fixture
def played(house: House) -> House:
    """A book with three sealed stretches, of two sessions that played and of one that closed."""
    seats = [house.seat(player) for player in ("anna-1", "bruno-2", "carla-3")]
    for seat in seats:
        for _ in range(3):
            house.play(seat)
        house.seal()
    house.do(cmd.CloseSession, session=seats[2])
    house.seal()
    assert house.verify() == ()
    return house


ROW = """(originator_id, originator_version) =
    (SELECT originator_id, originator_version FROM sealed WHERE position = 20)"""
LAST = "size = (SELECT max(size) FROM checkpoints)"
FORGED: dict[str, tuple[set[str], tuple[str, ...]]] = {
    "a changed state": (
        {"rows", "roots", "checkpoints"},
        (f"UPDATE events SET state = set_byte(state, 40, 65) WHERE {ROW}",),
    ),
    "a changed name": (
        {"rows", "roots", "checkpoints"},
        (f"UPDATE events SET topic = topic || 'x' WHERE {ROW}",),
    ),
    "a row removed": ({"rows", "saves"}, (f"DELETE FROM events WHERE {ROW}",)),
    "a row added below the seal": (
        {"rows", "streams"},
        (
            """INSERT INTO events (originator_id, originator_version, topic, state, xid, ord)
               SELECT gen_random_uuid(), 7, topic, state, xid, ord + 1000 FROM events LIMIT 1""",
        ),
    ),
    "a row moved to another save": ({"rows"}, (f"UPDATE events SET ord = ord + 1000 WHERE {ROW}",)),
    "a sealed leaf changed": (
        {"rows"},
        ("UPDATE sealed SET leaf = sha256(leaf) WHERE position = 20",),
    ),
    "a position removed": (
        {"positions", "rows"},
        ("DELETE FROM sealed WHERE position = 20",),
    ),
    "a position moved to the end": (
        {"positions"},
        ("UPDATE sealed SET position = 1000000 WHERE position = 20",),
    ),
    "two positions of a stream swapped": (
        {"positions", "roots", "streams"},
        (
            """UPDATE sealed SET position = position + 1000000 WHERE position IN (
                   SELECT position FROM sealed WHERE originator_id = (
                       SELECT originator_id FROM sealed GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
                    ORDER BY position LIMIT 2)""",
            """UPDATE sealed SET position = (
                   SELECT sum(position) FROM sealed WHERE position > 999999) - position - 1000000
                WHERE position > 999999""",
        ),
    ),
    "a position that no checkpoint covers": (
        {"positions", "rows"},
        (
            """INSERT INTO sealed
               SELECT (SELECT max(position) + 1 FROM sealed), gen_random_uuid(), 1, sha256('x'),
                      epoch, xid, ord + 1 FROM checkpoints ORDER BY size DESC LIMIT 1""",
        ),
    ),
    "a checkpoint with another root": (
        {"signature", "roots"},
        (f"UPDATE checkpoints SET root = sha256(root) WHERE {LAST}",),
    ),
    "a checkpoint with another frontier": (
        {"checkpoints"},
        (
            """UPDATE checkpoints SET frontier = substr(frontier, 1, 8) || sha256('x')
                   || substr(frontier, 41)""",
        ),
    ),
    "a checkpoint that ends elsewhere": (
        {"checkpoints"},
        (f"UPDATE checkpoints SET ord = ord + 1 WHERE {LAST}",),
    ),
    "a checkpoint with another time": (
        {"checkpoints"},
        ("UPDATE checkpoints SET last_recorded = last_recorded - interval '1 day'",),
    ),
    "a checkpoint of a larger size": (
        {"signature", "positions"},
        (f"UPDATE checkpoints SET size = size + 1000000 WHERE {LAST}",),
    ),
    "the last checkpoint removed": (
        {"positions"},
        (f"DELETE FROM checkpoints WHERE {LAST}",),
    ),
    "a signature changed": (
        {"signature"},
        ("UPDATE checkpoints SET note = replace(note, 'example.org', 'example.com')",),
    ),
}


@pytest.mark.parametrize("change", FORGED)
def test_g5_a_change_made_by_force_is_found_by_its_checks(played: House, change: str) -> None:
    """Whatever is changed in the log, its order or its checkpoints, the right checks name it."""
    checks, statements = FORGED[change]
    by_force(played, *statements)
    assert checks <= played.checks_that_find()


def test_g5_two_states_swapped_between_rows_are_found(played: House) -> None:
    """Each row's state says where it belongs, and its leaf hash does too."""
    a, b = played.rows(
        "SELECT originator_id, originator_version, state FROM events"
        " WHERE topic = 'payout-credited' OR topic = 'round-settled' LIMIT 2"
    )
    change = "UPDATE events SET state = %s WHERE (originator_id, originator_version) = (%s, %s)"
    by_force(played, change, values=(b[2], a[0], a[1]))
    by_force(played, change, values=(a[2], b[0], b[1]))
    assert {"rows", "roots"} <= played.checks_that_find()


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER refuse_change ON events",
        "DROP TRIGGER check_save ON events",
        "ALTER TABLE sealed DISABLE TRIGGER refuse_change",
        "ALTER TABLE checkpoints ENABLE TRIGGER refuse_change",
        "ALTER TABLE lineage ENABLE REPLICA TRIGGER refuse_change",
        "DROP TRIGGER refuse_change ON day_closings",
    ],
)
def test_g5_a_guard_that_was_dropped_or_weakened_is_found(house: House, statement: str) -> None:
    """A trigger that does not always fire is as good as none."""
    with house.as_superuser() as connection:
        connection.execute(statement)
    assert house.checks_that_find() == {"triggers"}


def test_g5_a_checkpoint_signed_by_another_key_is_found(played: House) -> None:
    """A forger who recomputes the whole log still lacks the key."""
    forger = SigningKey(played.key.name, b"f" * 32)
    text = played.rows("SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1")[0][0]
    forged = sign_note(text.split("\n\n")[0] + "\n", forger)
    change = "UPDATE checkpoints SET note = %s WHERE size = (SELECT max(size) FROM checkpoints)"
    by_force(played, change, values=(forged,))
    assert played.checks_that_find() == {"signature"}


def test_g5_a_book_of_another_origin_is_refused(played: House) -> None:
    """A whole log that is sound but not the one asked for is named as such."""
    other = Trust("example.org/other", played.trust.keys)
    with played.connected() as connection:
        found = Verifier(connection, played.book, CODEC, registry.ENGINES).verify(other).findings
    assert {(f.check, f.found) for f in found} == {("signature", "names another log")}


def found_with(house: House, *kept: str) -> set[str]:
    """The checks that find something when these notes were kept outside of the book."""
    trust = Trust(house.trust.origin, house.trust.keys, kept)
    with house.connected() as connection:
        verifier = Verifier(connection, house.book, CODEC, registry.ENGINES)
        return {finding.check for finding in verifier.verify(trust).findings}


def test_g5_an_end_that_was_cut_off_is_found_by_a_note_kept_outside(played: House) -> None:
    """A log cut at an older checkpoint is sound in itself; what a report names shows the loss."""
    notes = [note for (note,) in played.rows("SELECT note FROM checkpoints ORDER BY size")]
    assert found_with(played, *notes) == set()
    cut = "(SELECT size FROM checkpoints ORDER BY size DESC OFFSET 1 LIMIT 1)"
    by_force(
        played,
        f"""DELETE FROM events USING sealed s WHERE s.position >= {cut}
               AND (s.originator_id, s.originator_version)
                   = (events.originator_id, events.originator_version)""",
        f"DELETE FROM sealed WHERE position >= {cut}",
        f"DELETE FROM checkpoints WHERE size > {cut}",
    )
    assert (found_with(played), found_with(played, notes[-2])) == (set(), set())
    assert found_with(played, notes[-1]) == {"kept"}


def test_g5_a_history_written_anew_is_found_by_a_note_kept_outside(house: House) -> None:
    """Another log of the same size under the same key is not the one that was signed before."""
    house.conto("anna-1")
    first = house.seal()
    assert first is not None
    text = Checkpoint(house.key.name, first.size, bytes(32)).text()
    assert found_with(house, sign_note(text, house.key)) == {"kept"}


def test_g5_two_kept_notes_of_one_size_and_two_roots_are_found(house: House) -> None:
    """Whoever signed both showed two logs to two people; the order of the papers is no matter."""
    house.conto("anna-1")
    first = house.seal()
    assert first is not None
    other = sign_note(Checkpoint(house.key.name, first.size, bytes(32)).text(), house.key)
    assert found_with(house, first.note, first.note) == set()
    assert found_with(house, first.note, other) == found_with(house, other, first.note) == {"kept"}


@pytest.mark.parametrize("note", ["", "no note", "example.org\n1\nAAAA\n\n- x AAAA\n"])
def test_a_kept_note_that_is_not_one_of_this_log_is_named(house: House, note: str) -> None:
    """Whoever hands in a wrong paper is told so."""
    house.seal()
    text = Checkpoint("example.org/other", 1, bytes(32)).text()
    assert found_with(house, note) == {"signature"}
    assert found_with(house, sign_note(text, house.key)) == {"signature"}


def test_verification_reads_one_snapshot_while_others_write_and_seal(played: House) -> None:
    """What is sealed while it reads is neither a gap nor a row without a checkpoint."""
    seat = played.seat("dora-4")

    def go_on(_: int) -> None:
        played.play(seat)
        played.seal()

    with played.connected() as connection:
        verifier = Verifier(connection, played.book, CODEC, registry.ENGINES, progress=go_on)
        verdict = verifier.verify(played.trust)
    assert verdict.findings == ()
    assert verdict.size < played.count("sealed")


def test_a_row_that_cannot_be_read_is_sealed_and_named(house: House) -> None:
    """A poisoned row does not stop the seal for everybody; verification names it."""
    house.conto("anna-1")
    with house.connected("writer") as connection:
        connection.execute(f"""
            INSERT INTO {house.book}.events
                   (originator_id, originator_version, topic, state, ord)
            VALUES (gen_random_uuid(), 1, 'no-name', '\\xff', 0)""")
    house.seal()
    assert house.count("sealed") == house.count()
    assert house.checks_that_find() == {"rows"}


def test_an_empty_book_verifies(database, book) -> None:
    """Nothing recorded, nothing wrong."""
    with at_house(database, book) as house:
        verdict = house.verdict()
    assert (verdict.size, verdict.checkpoints, verdict.findings) == (0, 0, ())
