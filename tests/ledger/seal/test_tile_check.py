"""A tree of tiles is checked by its files alone, and no change of it is missed (G5, G6)."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from ledger.seal.merkle import root_of
from ledger.seal.notes import Checkpoint, SigningKey, VerifyingKey, sign_note
from ledger.seal.tile_check import TilesVerdict, TreeTrust, check_tiles
from tests.ledger.seal.test_tiles import LEAVES, files_of, flipped

KEY = SigningKey("libro.example/rome", bytes(range(32)))
OTHER = SigningKey("libro.example/rome", bytes(32))
SIZE = 600


def note_of(size: int, key: SigningKey = KEY, root: bytes | None = None) -> str:
    """The signed note of the tree of the first entries."""
    return sign_note(Checkpoint(key.name, size, root or root_of(LEAVES[:size])).text(), key)


def signed(size: int = SIZE) -> dict[str, bytes]:
    """The files of a published tree."""
    return files_of(size) | {"checkpoint": note_of(size).encode()}


def check(files: Mapping[str, bytes], *kept: str, key: VerifyingKey | None = None) -> TilesVerdict:
    """What is found in a tree when the log's key is trusted."""
    trust = TreeTrust((key or KEY.verifying_key,), KEY.name, kept)
    return check_tiles(files.get, trust)


def found(verdict: TilesVerdict) -> set[tuple[str, str]]:
    """Which checks found something, and where."""
    return {(f.check, f.place) for f in verdict.findings}


@pytest.mark.parametrize("size", [1, 255, 256, 257, SIZE, 65_536 + 300])
def test_g6_an_honest_tree_holds_and_is_vouched_for(size):
    """Given trees beside the borders of tiles and levels, then nothing is found."""
    verdict = check(signed(size), note_of(1), note_of(size))

    assert (True, True, size, root_of(LEAVES[:size]), 2) == (
        verdict.holds,
        verdict.vouched,
        verdict.size,
        verdict.root,
        verdict.kept,
    )


def test_g5_one_byte_changed_anywhere_is_found():
    """Given a byte of each tile, bundle and note changed in turn, then the tree never holds."""
    files = signed()
    for path, content in files.items():
        for place in {*range(0, len(content), 997), 1, len(content) // 2, len(content) - 1}:
            verdict = check(files | {path: flipped(content, place)})
            assert not verdict.holds, (path, place)
            assert verdict.findings


def test_g5_a_file_that_is_missing_is_found():
    """Given a tree without one of its files, then it does not hold."""
    files = signed()
    for path in files:
        assert not check({p: c for p, c in files.items() if p != path}).holds, path


def test_g5_an_entry_that_was_swapped_removed_or_added_is_found():
    """Given bundles with other entries, each well formed, then the bundle is named."""
    files = signed()
    parts = files["tile/entries/000"]
    first, second = parts[:9], parts[9:18]  # 2 bytes of length, then "entry 0" and "entry 1"
    assert (b"\x00\x07entry 0", b"\x00\x07entry 1") == (first, second)
    for changed in (second + first + parts[18:], parts[9:], first + parts):
        assert ("entries", "bundle 0") in found(check(files | {"tile/entries/000": changed}))


def test_g5_a_tile_above_the_leaves_that_lies_is_named():
    """Given a wrong hash in the second place of level 1, then tile and place are told."""
    files = signed()
    files["tile/1/000.p/2"] = flipped(files["tile/1/000.p/2"], 40)
    (finding,) = check(files).findings

    assert ("tiles", "tile/1/000.p/2", "hash 1 is another") == (
        finding.check,
        finding.place,
        finding.found,
    )


def test_g5_a_partial_tile_of_an_older_checkpoint_is_held_against_the_newest():
    """Given the partial tiles of two checkpoints, when an older one is changed, it is named."""
    files = files_of(560) | signed()
    assert check(files).holds
    for path in ("tile/0/002.p/48", "tile/entries/002.p/48"):
        assert {("tiles", path)} == found(check(files | {path: flipped(files[path], 3)}))


def test_g5_a_cut_tail_is_found_by_a_note_that_was_kept():
    """Given a shorter tree with its true checkpoint, then only the witness's note shows the cut."""
    assert check(signed(300)).holds
    assert {("kept", "kept note 1")} == found(check(signed(300), note_of(SIZE)))


def test_g5_a_fork_that_the_log_signed_is_found_by_a_note_that_was_kept():
    """Given a checkpoint that was signed over another past, then the tree is not its own."""
    kept = note_of(256, root=bytes(32))

    assert {("kept", "kept note 1")} == found(check(signed(), kept))


def test_g5_a_tree_that_another_key_signed_is_found():
    """Given a tree signed by a key of the same name, then its signature is the finding."""
    assert {("signature", "checkpoint")} == found(check(signed(), key=OTHER.verifying_key))


def test_g6_without_a_key_a_tree_is_only_consistent_with_itself():
    """Given no key, when an honest tree is checked, then it holds and nobody vouches for it."""
    verdict = check_tiles(signed().get, TreeTrust())

    assert (True, False) == (verdict.holds, verdict.vouched)


def test_g6_a_tree_of_another_log_is_not_the_one_asked_for():
    """Given another origin than the checkpoint's, then that is the finding."""
    trust = TreeTrust((KEY.verifying_key,), "libro.example/milan", (note_of(5),))

    assert {("origin", "checkpoint"), ("kept", "kept note 1")} == found(
        check_tiles(signed().get, trust)
    )


def test_each_bundle_is_told_as_it_is_read():
    """Given a tree of three bundles, then the progress grows to its size."""
    seen = []
    check_tiles(signed().get, TreeTrust(), seen.append)

    assert [256, 512, SIZE] == seen
    assert all(a < b for a, b in pairwise(seen))
