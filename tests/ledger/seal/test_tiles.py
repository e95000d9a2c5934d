"""The tree of tiles: its files by the examples of C2SP tlog-tiles, and what is proved from them."""

from uuid import UUID

import pytest
from hypothesis import given, strategies as st

from ledger.seal.merkle import Frontier, entry_bytes, entry_fields, leaf_hash, root_of
from ledger.seal.proofs import (
    consistency_proof,
    inclusion_proof,
    verify_consistency,
    verify_inclusion,
)
from ledger.seal.tiles import (
    TILE_WIDTH,
    Growth,
    Tile,
    TilesFault,
    TileTree,
    pack_bundle,
    tile_path,
    unpack_bundle,
)

ENTRIES = [b"entry %d" % number for number in range(70_000)]
LEAVES = [leaf_hash(entry) for entry in ENTRIES]
SIZES = (1, 2, 255, 256, 257, 511, 512, 700)
BIG = (65_535, 65_536, 65_537, 70_000)


def tiles_of(size: int) -> list[Tile]:
    """The tiles of the tree of the first entries, grown bundle by bundle."""
    growth, tiles, full = Growth(), [], size // TILE_WIDTH * TILE_WIDTH
    for start in range(0, full, TILE_WIDTH):
        stop = start + TILE_WIDTH
        tiles += growth.grow(ENTRIES[start:stop], LEAVES[start:stop])
    tiles += growth.edge(ENTRIES[full:size], LEAVES[full:size])
    return tiles


def files_of(size: int) -> dict[str, bytes]:
    """The files of a tree by their paths."""
    return {tile.path: tile.content for tile in tiles_of(size)}


def flipped(content: bytes, place: int) -> bytes:
    """The bytes with one bit of one byte changed."""
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.fixture(scope="module")
def large() -> dict[str, bytes]:
    """The files of the tree of 70,000 entries."""
    return files_of(70_000)


def test_the_path_of_a_tile_is_the_one_of_the_standard():
    """Given tlog-tiles' own example and the borders of three digits, then these paths."""
    assert "tile/0/x001/x234/067" == tile_path(0, 1_234_067)
    assert "tile/0/000" == tile_path(0, 0)
    assert "tile/63/999" == tile_path(63, 999)
    assert "tile/2/x001/000.p/1" == tile_path(2, 1000, 1)
    assert "tile/entries/x123/456.p/255" == tile_path("entries", 123_456, 255)


def test_a_tree_of_70000_has_the_tiles_that_the_standard_counts(large):
    """Given tlog-tiles' example of 70,000, then 273 full tiles and one of 112, and so upwards."""
    expected = [tile_path(0, index) for index in range(273)]
    expected += [tile_path(0, 273, 112), tile_path(1, 0), tile_path(1, 1, 17), tile_path(2, 0, 1)]
    expected += [tile_path("entries", index) for index in range(273)]
    expected += [tile_path("entries", 273, 112)]

    assert sorted(expected) == sorted(large)
    assert {8192} == {len(c) for p, c in large.items() if "entries" not in p and ".p/" not in p}


def test_a_tree_of_256_has_a_full_tile_and_one_of_width_1_above():
    """Given tlog-tiles' example of 256, then its root is the one hash of level 1."""
    files = files_of(256)

    assert {"tile/0/000", "tile/entries/000", "tile/1/000.p/1"} == set(files)
    assert root_of(LEAVES[:256]) == files["tile/1/000.p/1"]


def test_each_hash_of_a_tile_is_that_of_the_leaves_below_it(large):
    """Given every tile above the leaves, then MTH over its leaves by the recursive definition."""
    level_1 = large["tile/1/000"] + large["tile/1/001.p/17"]
    expected = [root_of(LEAVES[n * 256 : (n + 1) * 256]) for n in range(273)]

    assert b"".join(expected) == level_1
    assert root_of(LEAVES[:65_536]) == large["tile/2/000.p/1"]


def test_a_bundle_is_entries_behind_their_lengths():
    """Given entries of 0, 1 and 65,535 bytes, then each has two bytes of length before it."""
    longest = bytes(65_535)
    bundle = pack_bundle([b"", b"a", longest])

    assert b"\x00\x00" + b"\x00\x01a" + b"\xff\xff" + longest == bundle
    assert (b"", b"a", longest) == unpack_bundle(bundle)


def test_an_entry_that_16_bits_cannot_measure_is_no_part_of_a_bundle():
    """Given an entry of 65,536 bytes, when it is packed, then a fault names its length."""
    with pytest.raises(TilesFault, match="65536 bytes"):
        pack_bundle([bytes(65_536)])


@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_bundle_that_was_cut_is_not_read(cut):
    """Given a bundle that lost its end, when it is read, then it is an error and no entry."""
    with pytest.raises(ValueError, match="ends in the middle"):
        unpack_bundle(pack_bundle([b"abc"])[:cut])


@pytest.mark.parametrize("size", [*SIZES, *BIG])
def test_g6_the_root_is_read_back_from_the_tiles(size):
    """Given the tiles of a tree, then root, frontier, leaves and entries are those it grew from."""
    tree = TileTree(files_of(size).get, size)

    assert Frontier().extend(LEAVES[:size]) == tree.frontier()
    assert root_of(LEAVES[:size]) == tree.root()
    assert LEAVES[:size] == list(tree.leaves())
    assert ENTRIES[size // 2 : size] == list(tree.entries(size // 2))


def test_g5_each_leaf_is_proved_from_tiles_alone():
    """Given leaves of trees beside the borders of tiles, then the proof by definition."""
    for size in SIZES:
        tree = TileTree(files_of(size).get, size)
        for index in {*range(0, size, 23), *range(250, min(size, 260)), size - 1}:
            proof = tree.inclusion(index)
            assert inclusion_proof(LEAVES[:size], index) == proof
            assert verify_inclusion(LEAVES[index], index, size, proof, tree.root())


def test_g5_growth_is_proved_from_tiles_alone():
    """Given older sizes of trees beside the borders of tiles, then the proof by definition."""
    for size in SIZES:
        tree = TileTree(files_of(size).get, size)
        for old in {*range(1, size, 23), *range(250, min(size, 260)), size}:
            assert consistency_proof(LEAVES[:size], old) == tree.consistency(old)


def test_g5_proofs_over_three_levels_of_tiles_verify(large):
    """Given 70,000 leaves, then proofs at the borders of tiles, in it and its past, verify."""
    tree = TileTree(large.get, 70_000)
    for size in BIG:
        root = root_of(LEAVES[:size])
        assert root == tree.root(size)
        for index in (0, 255, 256, 65_534, size - 1):
            proof = tree.inclusion(index, size)
            assert verify_inclusion(LEAVES[index], index, size, proof, root)
        proof = tree.consistency(size)
        assert verify_consistency(size, root, 70_000, tree.root(), proof)


def test_a_full_tile_stands_in_for_the_partial_one_that_gave_way(large):
    """Given a checkpoint of 300 and the tiles of 70,000 alone, then the older tree is read."""
    tree = TileTree(large.get, 300)

    assert root_of(LEAVES[:300]) == tree.root()
    assert ENTRIES[:300] == list(tree.entries())


@pytest.mark.parametrize(
    ("path", "change", "said"),
    [
        ("tile/0/001.p/44", None, "tile/0/001.p/44 is missing"),
        ("tile/0/001.p/44", b"\x00", "has 1409 bytes, not 1408"),
        ("tile/entries/001.p/44", b"\x00\x00", "has 45 entries, not 44"),
        ("tile/entries/001.p/44", b"\x00", "ends in the middle"),
        ("tile/entries/000", None, "tile/entries/000 is missing"),
    ],
)
def test_a_file_that_lacks_or_has_too_much_is_named(path, change, said):
    """Given a tree of 300 with one file cut or grown, when it is read, then the fault names it."""
    files = files_of(300)
    files[path] = files[path] + change if change else files.pop(path)[:0]
    if change is None:
        del files[path]

    with pytest.raises(TilesFault, match=said):
        list(TileTree(files.get, 300).entries())


def test_an_entry_that_its_leaf_hash_does_not_cover_is_named():
    """Given one changed byte in a bundle, when entries are read, then its path is told."""
    files = files_of(300)
    files["tile/entries/000"] = files["tile/entries/000"].replace(b"entry 7", b"entry 8", 1)

    with pytest.raises(TilesFault, match="tile/entries/000 holds other entries than tile/0/000"):
        list(TileTree(files.get, 300).entries())


@pytest.mark.parametrize("ask", [lambda t: t.root(301), lambda t: t.inclusion(300)])
def test_what_the_tree_does_not_have_is_an_index_error(ask):
    """Given a tree of 300, when more is asked for, then it is refused as an index."""
    with pytest.raises(IndexError, match="300"):
        ask(TileTree(files_of(300).get, 300))


@given(
    st.uuids(), st.integers(-(2**63), 2**63 - 1), st.text("-aé", max_size=9), st.binary(max_size=9)
)
def test_g5_an_entry_has_one_reading(stream, version, topic, state):
    """Given the four fields of a row, then its bytes say them, and no changed byte is read so."""
    entry = entry_bytes(stream, version, topic, state)

    assert (stream, version, topic, state) == entry_fields(entry)
    assert isinstance(entry_fields(entry)[0], UUID)


@pytest.mark.parametrize("spoiled", [b"", b"\x00" * 40, b"\x00\x00\x00\x0f"])
def test_g5_bytes_that_are_no_entry_are_not_read(spoiled):
    """Given bytes with a wrong length before a field, when they are read, then it is an error."""
    with pytest.raises(ValueError, match="no entry"):
        entry_fields(spoiled)
    with pytest.raises(ValueError, match="no entry"):
        entry_fields(entry_bytes(UUID(int=1), 1, "a", b"b") + b"c")
