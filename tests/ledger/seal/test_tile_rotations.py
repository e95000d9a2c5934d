"""Tiles are checked over rotations of the signing key with any one key from outside (G5, G6)."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from games import registry
from ledger.domain.events import Header, SigningKeyRotated, make_entry
from ledger.domain.ids import SIGNING_KEY
from ledger.seal.keys import sign_rotation
from ledger.seal.merkle import entry_bytes, leaf_hash, root_of
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from ledger.seal.tile_check import TilesVerdict, TreeTrust, check_tiles
from ledger.seal.tiles import Growth
from ledger.store.codec import Codec

FIRST, SECOND, THIRD, THIEF = (SigningKey("libro.example/rome", bytes([n]) * 32) for n in range(4))
HEADER = Header(
    recorded=datetime(2026, 11, 30, tzinfo=UTC), played=None, command=UUID(int=1), actor="ada"
)


def rotation(version: int, old: SigningKey, new: SigningKey, by: SigningKey) -> bytes:
    """The sealed bytes of a rotation that a key has signed."""
    event = SigningKeyRotated(
        old_key=old.verifying_key.text(),
        new_key=new.verifying_key.text(),
        signature=sign_rotation(by, new.verifying_key),
        reason="yearly",
    )
    row = Codec(registry.DETAILS).encode(make_entry(SIGNING_KEY, version, HEADER, event))
    return entry_bytes(row.originator_id, row.originator_version, row.topic, row.state)


def entries(*rotations: bytes) -> list[bytes]:
    """Six hundred entries, with rotations at positions 100, 200, 300 and so on."""
    log = [b"entry %d" % n for n in range(600)]
    for number, entry in enumerate(rotations, 1):
        log[100 * number] = entry
    return log


HONEST = entries(rotation(1, FIRST, SECOND, FIRST), rotation(2, SECOND, THIRD, SECOND))


def note(log: list[bytes], size: int, *keys: SigningKey) -> str:
    """The checkpoint of the first entries, signed by these keys."""
    root = root_of([leaf_hash(entry) for entry in log[:size]])
    return sign_note(Checkpoint(FIRST.name, size, root).text(), *keys)


def check(log: list[bytes], checkpoint: str, trusted: SigningKey, *kept: str) -> TilesVerdict:
    """What a check of the log's tiles with one key from outside finds."""
    growth, leaves, tiles = Growth(), [leaf_hash(entry) for entry in log], []
    for at in (0, 256):
        tiles += growth.grow(log[at : at + 256], leaves[at : at + 256])
    tiles += growth.edge(log[512:], leaves[512:])
    files = {tile.path: tile.content for tile in tiles} | {"checkpoint": checkpoint.encode()}
    return check_tiles(files.get, TreeTrust((trusted.verifying_key,), FIRST.name, kept))


def found(verdict: TilesVerdict) -> list[tuple[str, str]]:
    """Which checks found something, and where."""
    return [(finding.check, finding.place) for finding in verdict.findings]


@pytest.mark.parametrize("trusted", [FIRST, SECOND, THIRD], ids=["first", "second", "third"])
def test_g6_one_key_of_the_chain_is_enough_and_older_notes_are_vouched_for(trusted):
    """Given two rotations and any one key, then the newest note and each older one are believed."""
    kept = (note(HONEST, 90, FIRST), note(HONEST, 150, SECOND), note(HONEST, 400, THIRD))

    verdict = check(HONEST, note(HONEST, 600, THIRD), trusted, *kept)

    assert ([], True, 3) == (found(verdict), verdict.vouched, verdict.kept)


def test_g6_the_checkpoint_that_covers_a_rotation_has_both_signatures():
    """Given the newest checkpoint by old and new key, then who trusts either is content."""
    for trusted in (SECOND, THIRD):
        assert [] == found(check(HONEST, note(HONEST, 600, SECOND, THIRD), trusted))


def test_g5_a_retired_key_vouches_for_no_newer_tree():
    """Given a tree that the second key signed after the third followed it, then it is found."""
    for trusted in (FIRST, SECOND, THIRD):
        verdict = check(HONEST, note(HONEST, 600, SECOND), trusted)
        assert ([("signature", "checkpoint")], False) == (found(verdict), verdict.vouched)


def test_g5_nobody_names_a_successor_but_who_holds_the_key():
    """Given a rotation by the thief's own hand, of another key, or none, then no key follows."""
    for forged in (
        rotation(1, FIRST, THIEF, THIEF),
        rotation(1, THIRD, THIEF, THIRD),
        entry_bytes(UUID(int=0), 1, "signing-key-rotated", b"{}"),
        b"signing-key-rotated",
    ):
        log = entries(forged)
        verdict = check(log, note(log, 600, THIEF), FIRST)
        assert [("signature", "checkpoint")] == found(verdict)
        assert [] == found(check(log, note(log, 600, FIRST), FIRST))


def test_g5_a_retired_key_names_no_second_successor():
    """Given a rotation by the first key after the second followed it, then it changes nothing."""
    log = entries(rotation(1, FIRST, SECOND, FIRST), rotation(2, FIRST, THIEF, FIRST))

    assert [] == found(check(log, note(log, 600, SECOND), FIRST))
    assert [("signature", "checkpoint")] == found(check(log, note(log, 600, THIEF), FIRST))
