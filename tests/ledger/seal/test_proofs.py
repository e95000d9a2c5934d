"""Proofs of inclusion and consistency, by the RFC's own example and by exhaustion up to 64 leaves.

A proof binds a root, not a size: trees whose sizes differ only to the right of a path share that
path. A wrong size is therefore tried as it can occur, with the root that its checkpoint holds.
"""

from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from ledger.seal.merkle import EMPTY_ROOT, Frontier, leaf_hash, node_hash, root_of
from ledger.seal.proofs import (
    consistency_proof,
    growth_proof,
    inclusion_proof,
    verify_consistency,
    verify_inclusion,
)
from tests.ledger.seal.test_merkle import ENTRIES

LARGEST = 64
LEAVES = [sha256(b"\x00" + number.to_bytes(2, "big")).digest() for number in range(LARGEST + 1)]
ROOTS = [root_of(LEAVES[:size]) for size in range(LARGEST + 2)]
CASES = [(size, index) for size in range(1, LARGEST + 1) for index in range(size)]


def flipped(data, place):
    """The bytes with one bit of one byte changed."""
    place %= len(data)
    return data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]


def spoiled(proof, place):
    """Every proof that differs by one hash, one exchange, one loss or one addition."""
    for at, part in enumerate(proof):
        yield (*proof[:at], flipped(part, place), *proof[at + 1 :])
        yield (*proof[:at], part[:-1], *proof[at + 1 :])
        yield (*proof[:at], *proof[at + 1 :])
        yield (*proof[:at], part, *proof[at:])
    for at, (one, other) in enumerate(pairwise(proof)):
        yield (*proof[:at], other, one, *proof[at + 2 :])
    yield (*proof, LEAVES[-1])
    yield (LEAVES[-1], *proof)


@pytest.fixture(scope="module")
def seven():
    """The nodes of the RFC's example of seven leaves, named as it names them."""
    a, b, c, d, e, f, j = LEAVES[:7]
    g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
    k, last = node_hash(g, h), node_hash(i, j)
    return {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g, "h": h, "i": i, "j": j} | {
        "k": k,
        "l": last,
    }


@pytest.mark.parametrize(("index", "expected"), [(0, "bhl"), (3, "cgl"), (4, "fjk"), (6, "ik")])
def test_g5_inclusion_in_seven_leaves_is_shown_as_the_rfc_draws_it(seven, index, expected):
    """RFC 6962 section 2.1.3, audit paths of d0, d3, d4 and d6."""
    assert tuple(seven[name] for name in expected) == inclusion_proof(LEAVES[:7], index)


@pytest.mark.parametrize(("old_size", "expected"), [(3, "cdgl"), (4, "l"), (6, "ijk")])
def test_g5_consistency_with_seven_leaves_is_shown_as_the_rfc_draws_it(seven, old_size, expected):
    """RFC 6962 section 2.1.3, the proofs from hash0, hash1 and hash2."""
    assert tuple(seven[name] for name in expected) == consistency_proof(LEAVES[:7], old_size)


# The proofs that Certificate Transparency publishes for its eight entries, by the first 4 bytes.
KNOWN_INCLUSION = {
    (0, 1): "",
    (0, 8): "96a296d2 5f083f0a 6b47aaf2",
    (5, 8): "bc1a0643 ca854ea1 d37ee418",
    (2, 3): "fac54203",
    (1, 5): "6e340b9c 5f083f0a bc1a0643",
}
KNOWN_GROWTH = {
    (1, 1): "",
    (1, 8): "96a296d2 5f083f0a 6b47aaf2",
    (6, 8): "0ebc5d34 ca854ea1 d37ee418",
    (2, 5): "5f083f0a bc1a0643",
}


@pytest.mark.parametrize(("asked", "expected"), KNOWN_INCLUSION.items())
def test_g5_the_published_proofs_of_inclusion_are_made(asked, expected):
    """Given an index and a size of the published tree, then the published path."""
    index, size = asked
    leaves = [leaf_hash(entry) for entry in ENTRIES[:size]]

    assert expected == " ".join(part.hex()[:8] for part in inclusion_proof(leaves, index))


@pytest.mark.parametrize(("asked", "expected"), KNOWN_GROWTH.items())
def test_g5_the_published_proofs_of_growth_are_made(asked, expected):
    """Given two sizes of the published tree, then the published path."""
    old, size = asked
    leaves = [leaf_hash(entry) for entry in ENTRIES[:size]]

    assert expected == " ".join(part.hex()[:8] for part in consistency_proof(leaves, old))


def test_g5_every_leaf_of_every_tree_is_proved_and_no_changed_proof_is():
    """Sizes 1 to 64, all indices; each hash, order and length of the proof changed once."""
    for size, index in CASES:
        leaf, root, proof = LEAVES[index], ROOTS[size], inclusion_proof(LEAVES[:size], index)
        place = size + index
        assert verify_inclusion(leaf, index, size, proof, root)
        assert not verify_inclusion(flipped(leaf, place), index, size, proof, root)
        assert not verify_inclusion(leaf, index, size, proof, flipped(root, place))
        assert not any(
            verify_inclusion(leaf, index, size, changed, root) for changed in spoiled(proof, place)
        )


def test_g5_no_leaf_is_proved_at_another_place_or_in_another_tree():
    """Sizes 1 to 64, all indices against all others, and against every other size with its root."""
    for size, index in CASES:
        leaf, proof = LEAVES[index], inclusion_proof(LEAVES[:size], index)
        for other in {*range(-1, size + 2)} - {index}:
            assert not verify_inclusion(leaf, other, size, proof, ROOTS[size])
        for other in {*range(LARGEST + 2)} - {size}:
            assert not verify_inclusion(leaf, index, other, proof, ROOTS[other])


def test_g5_every_tree_is_proved_to_grow_and_no_changed_proof_is():
    """New sizes 1 to 64, all old sizes; each hash, order and length of the proof changed once."""
    for new, old in [*CASES, *((size, size) for size in range(LARGEST + 1))]:
        proof, place = consistency_proof(LEAVES[:new], old), new + old
        assert verify_consistency(old, ROOTS[old], new, ROOTS[new], proof)
        assert not verify_consistency(old, flipped(ROOTS[old], place), new, ROOTS[new], proof)
        assert not any(
            verify_consistency(old, ROOTS[old], new, ROOTS[new], changed)
            for changed in spoiled(proof, place)
        )
        if old:
            assert not verify_consistency(old, ROOTS[old], new, flipped(ROOTS[new], place), proof)


def test_g5_no_growth_is_proved_between_other_sizes():
    """Both sizes against all others, the new one with its root, the old one with either root."""
    for new, old in ((new, old) for new, old in CASES if old):
        proof = consistency_proof(LEAVES[:new], old)
        for other in {*range(-1, new + 2)} - {old}:
            assert not verify_consistency(other, ROOTS[old], new, ROOTS[new], proof)
            assert not verify_consistency(other, ROOTS[max(other, 0)], new, ROOTS[new], proof)
        for other in {*range(LARGEST + 2)} - {new}:
            assert not verify_consistency(old, ROOTS[old], other, ROOTS[other], proof)


def test_g5_a_rewritten_past_is_never_consistent():
    """A tree whose first leaf was changed follows no earlier checkpoint, with its own proof."""
    forged = [flipped(LEAVES[0], 0), *LEAVES[1:LARGEST]]
    for new in range(1, LARGEST + 1):
        root = root_of(forged[:new])
        for old in range(1, new + 1):
            proof = consistency_proof(forged[:new], old)
            assert not verify_consistency(old, ROOTS[old], new, root, proof)


def test_g5_every_tree_follows_the_empty_one_by_an_empty_proof():
    """There is nothing that it could contradict, but the old root must be the empty one."""
    assert consistency_proof(LEAVES[:5], 0) == ()
    assert verify_consistency(0, EMPTY_ROOT, 5, ROOTS[5], ())
    assert not verify_consistency(0, ROOTS[1], 5, ROOTS[5], ())
    assert not verify_consistency(0, EMPTY_ROOT, 5, ROOTS[5], (LEAVES[0],))


@pytest.mark.parametrize(("size", "index"), [(0, 0), (5, 5), (5, -1)])
def test_g5_a_leaf_that_is_not_there_has_no_proof(size, index):
    """Indices run from 0 to one less than the size."""
    with pytest.raises(IndexError, match=f"no leaf {index} in a tree of {size}"):
        inclusion_proof(LEAVES[:size], index)


@pytest.mark.parametrize("old_size", [-1, 6])
def test_g5_a_tree_that_never_was_has_no_proof(old_size):
    """Old sizes run from 0 to the size."""
    with pytest.raises(IndexError, match=f"of 5 leaves never had {old_size}"):
        consistency_proof(LEAVES[:5], old_size)


@given(size=st.integers(1, 2**63 - 1), index=st.integers(0, 2**63 - 1), proof=st.lists(st.binary()))
def test_g5_a_verifier_answers_whatever_it_is_shown(size, index, proof):
    """Sizes up to a bigint's and proofs of any bytes are judged, never an error."""
    assert not verify_inclusion(LEAVES[0], index, size, (*proof, b""), ROOTS[1])
    assert not verify_consistency(size, ROOTS[1], index, ROOTS[2], (*proof, b""))


def test_g5_growth_is_shown_from_the_right_edge_as_from_all_leaves():
    """Given every pair of sizes, then frontier and later leaves give the RFC's proof."""
    for size in range(LARGEST + 1):
        for old in range(size + 1):
            edge, later = Frontier().extend(LEAVES[:old]), iter(LEAVES[old:size])
            assert consistency_proof(LEAVES[:size], old) == growth_proof(edge, size, later)


def test_g5_growth_is_not_shown_of_a_tree_that_shrank_or_of_missing_leaves():
    """Given a smaller tree, or leaves that end too early, then there is no proof."""
    edge = Frontier().extend(LEAVES[:5])
    with pytest.raises(ValueError, match="never had 5"):
        growth_proof(edge, 4, iter(()))
    with pytest.raises(ValueError, match="from 7 on are missing"):
        growth_proof(edge, 9, iter(LEAVES[5:7]))
