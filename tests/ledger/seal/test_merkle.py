"""The Merkle tree of the sealed log: hashes, frontier and the bytes that a row is sealed by."""

from hashlib import sha256
from uuid import UUID

import pytest
from hypothesis import given, strategies as st

from ledger.seal.merkle import (
    EMPTY_ROOT,
    MAX_SIZE,
    Frontier,
    entry_bytes,
    leaf_hash,
    node_hash,
    root_of,
    split_point,
)

# The eight entries and the roots of their first 1..8 that Certificate Transparency publishes.
ENTRIES = [
    bytes.fromhex(entry)
    for entry in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [sha256(b"\x00" + number.to_bytes(2, "big")).digest() for number in range(131)]
HASHES = st.binary(min_size=32, max_size=32)


def by_hand(*parts):
    """A node written out: nested pairs of leaves, hashed by the standard library alone."""
    left, right = (by_hand(*part) if isinstance(part, tuple) else part for part in parts)
    return sha256(b"\x01" + left + right).digest()


def test_g5_an_empty_log_has_the_hash_of_nothing_as_its_root():
    """RFC 6962 section 2.1: the root of an empty list is the hash of an empty string."""
    expected = bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    assert (expected, expected, expected) == (EMPTY_ROOT, root_of([]), Frontier().root())


def test_g5_the_published_roots_of_one_to_eight_entries_are_reached_in_three_ways():
    """The trees are drawn here by hand, as frontier and by the recursive definition."""
    a, b, c, d, e, f, g, h = (sha256(b"\x00" + entry).digest() for entry in ENTRIES)
    drawn = [
        a,
        by_hand(a, b),
        by_hand((a, b), c),
        by_hand((a, b), (c, d)),
        by_hand(((a, b), (c, d)), e),
        by_hand(((a, b), (c, d)), (e, f)),
        by_hand(((a, b), (c, d)), ((e, f), g)),
        by_hand(((a, b), (c, d)), ((e, f), (g, h))),
    ]
    leaves = [leaf_hash(entry) for entry in ENTRIES]
    assert [root.hex() for root in drawn] == ROOTS
    assert drawn == [root_of(leaves[:size]) for size in range(1, 9)]
    assert drawn == [Frontier().extend(leaves[:size]).root() for size in range(1, 9)]


def test_g5_an_inner_node_never_passes_for_a_leaf():
    """The prefixes 0x00 and 0x01 keep the two kinds of hashes apart."""
    left, right = LEAVES[:2]
    assert sha256(b"\x01" + left + right).digest() == node_hash(left, right)
    assert node_hash(left, right) != leaf_hash(left + right)


@pytest.mark.parametrize(
    ("size", "expected"), [(2, 1), (3, 2), (4, 2), (5, 4), (8, 4), (9, 8), (64, 32), (65, 64)]
)
def test_g5_a_tree_is_split_at_the_largest_power_of_two_below_its_size(size, expected):
    """RFC 6962 section 2.1: k < n <= 2k."""
    assert expected == split_point(size)


def test_g5_a_row_is_sealed_by_its_four_fields_each_behind_its_length():
    """The layout is written out byte by byte."""
    expected = bytes.fromhex(
        "0000001000112233445566778899aabbccddeeff00000008000000000000010200000003c3a9610000000200ff"
    )
    originator = UUID("00112233-4455-6677-8899-aabbccddeeff")
    assert expected == entry_bytes(originator, 258, "éa", b"\x00\xff")


def test_g5_a_row_with_a_version_below_zero_is_hashed_and_so_found():
    """A row put in by force may hold any bigint; it must not stop the verifier."""
    expected = bytes.fromhex("ffffffffffffffff")
    assert expected == entry_bytes(UUID(int=0), -1, "", b"")[24:32]


@given(
    one=st.tuples(st.text("ab", max_size=3), st.binary(max_size=3)),
    other=st.tuples(st.text("ab", max_size=3), st.binary(max_size=3)),
)
def test_g5_two_different_rows_never_have_the_same_bytes(one, other):
    """No part of a topic can pass for a part of the state, nor the other way round."""
    sealed_one, sealed_other = (entry_bytes(UUID(int=1), 1, *row) for row in (one, other))
    assert (one == other) == (sealed_one == sealed_other)


def test_g5_the_frontier_names_the_recursive_root_at_every_size():
    """Sizes 0 to 130 cross seven powers of two; one leaf is appended at a time."""
    frontier = Frontier()
    for size in range(131):
        assert (size, root_of(LEAVES[:size])) == (frontier.size, frontier.root())
        if size < 130:
            frontier = frontier.append(LEAVES[size])


def test_g5_it_does_not_matter_into_which_batches_the_leaves_fell():
    """Every way to reach up to 130 leaves in two batches gives the same frontier."""
    for size in range(131):
        whole = Frontier().extend(LEAVES[:size])
        for cut in range(size + 1):
            assert whole == Frontier().extend(LEAVES[:cut]).extend(LEAVES[cut:size])


def test_g5_the_peaks_are_the_roots_of_the_complete_subtrees_largest_first():
    """Eleven leaves are eight, two and one."""
    expected = (root_of(LEAVES[:8]), root_of(LEAVES[8:10]), LEAVES[10])
    assert expected == Frontier().extend(LEAVES[:11]).peaks


def test_g5_extending_leaves_the_callers_list_alone():
    """The rows above are built in lists of their own."""
    leaves = LEAVES[:5]
    Frontier().append(LEAVES[5]).extend(leaves)
    assert LEAVES[:5] == leaves


@pytest.mark.parametrize("leaf", [b"", b"\x00" * 31, b"\x00" * 33])
def test_g5_what_is_no_leaf_hash_is_not_appended(leaf):
    """A leaf is a hash of 32 bytes, not the row."""
    with pytest.raises(ValueError, match="32 bytes"):
        Frontier().extend([LEAVES[0], leaf])


@given(leaves=st.lists(HASHES, max_size=70))
def test_g5_a_stored_frontier_comes_back_as_it_was(leaves):
    """Its bytes are the size in eight bytes and the peaks."""
    frontier = Frontier().extend(leaves)
    stored = frontier.to_bytes()
    assert len(leaves).to_bytes(8, "big") + b"".join(frontier.peaks) == stored
    assert frontier == Frontier.from_bytes(stored)


@given(data=st.binary(max_size=120) | st.integers(0, 3).map(lambda n: n.to_bytes(8, "big")))
def test_g5_whatever_is_read_as_a_frontier_is_written_back_the_same(data):
    """Reading either refuses or loses nothing."""
    try:
        frontier = Frontier.from_bytes(data)
    except ValueError:
        return
    assert data == frontier.to_bytes()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "at least 8 bytes"),
        (b"\x00" * 7, "at least 8 bytes"),
        (b"\x00" * 8 + LEAVES[0], "0 peaks, not 1"),
        ((1).to_bytes(8, "big"), "1 peaks, not 0"),
        ((3).to_bytes(8, "big") + LEAVES[0], "2 peaks, not 1"),
        ((1).to_bytes(8, "big") + LEAVES[0][:31], "32 bytes"),
        ((1).to_bytes(8, "big") + LEAVES[0] + b"\x00", "1 peaks, not 2"),
        (b"\x80" + b"\x00" * 7 + LEAVES[0], "lies in"),
    ],
)
def test_g5_a_damaged_frontier_is_refused(data, sentence):
    """Each way in which size and peaks can fail to fit together has its sentence."""
    with pytest.raises(ValueError, match=sentence):
        Frontier.from_bytes(data)


def test_g5_a_frontier_has_no_negative_size_and_none_beyond_a_bigint():
    """The largest size is that of a PostgreSQL bigint."""
    assert Frontier(MAX_SIZE, (LEAVES[0],) * 63).size == 9_223_372_036_854_775_807
    for size in (-1, MAX_SIZE + 1):
        with pytest.raises(ValueError, match="lies in"):
            Frontier(size)
