"""Proofs hold in an independent implementation of RFC 9162, and its proofs hold here (G5).

`pymerkle` counts leaves from one, and begins its paths with the leaf that they start at.
"""

from hashlib import sha256

import pytest
from pymerkle import (
    ConsistencyProof,
    InclusionProof,
    InmemoryTree,
    InvalidProof,
    verify_consistency as judge_consistency,
    verify_inclusion as judge_inclusion,
)

from ledger.seal.merkle import Frontier, leaf_hash, node_hash
from ledger.seal.proofs import verify_consistency, verify_inclusion
from ledger.seal.tiles import TileTree
from tests.ledger.seal.test_tiles import ENTRIES, LEAVES, files_of

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 255, 256, 257, 300)


@pytest.fixture(scope="module")
def theirs() -> InmemoryTree:
    """Their tree of the first 300 entries."""
    tree = InmemoryTree(algorithm="sha256")
    for entry in ENTRIES[:300]:
        tree.append_entry(entry)
    return tree


def some(stop: int) -> list[int]:
    """Numbers below a bound: all of few, else those at the ends and some between."""
    return sorted({*range(min(stop, 9)), *range(0, stop, 37), stop - 1})


def as_the_rfc_says(proof: ConsistencyProof) -> list[bytes]:
    """Their proof of growth in the form of RFC 9162 section 2.1.4.

    Where the old tree ends between two subtrees they begin with a leaf of the right one and climb
    to its root, which the RFC gives at once and after the left one; and they repeat the old root.
    """
    first = proof.subset.index(1)
    start, rest = proof.path[first], proof.path[first + 1 :]
    between = proof.path[:first]
    if between:
        node = between[0]
        for bit, digest in zip(proof.rule, between[1:], strict=False):
            node = node_hash(digest, node) if bit else node_hash(node, digest)
        rest = [node, *rest]
    return rest if sum(proof.subset) == 1 else [start, *rest]


def test_leaves_and_roots_are_the_same(theirs):
    """Given the same entries, then leaf hashes and the roots of all sizes agree."""
    frontier = Frontier()
    for size in range(1, 301):
        frontier = frontier.append(LEAVES[size - 1])
        assert frontier.root() == theirs.get_root(size)
    assert [theirs.get_leaf(n) for n in range(1, 301)] == [leaf_hash(e) for e in ENTRIES[:300]]


def test_g5_their_proofs_of_inclusion_verify_here(theirs):
    """Given leaves of many sizes, when they prove one, then we accept it, and no other leaf."""
    for size in SIZES:
        root = theirs.get_root(size)
        for index in some(size):
            base, *path = theirs.prove_inclusion(index + 1, size).path
            assert LEAVES[index] == base
            assert verify_inclusion(base, index, size, path, root)
            assert not verify_inclusion(LEAVES[-1], index, size, path, root)


def test_g5_our_proofs_of_inclusion_verify_there(theirs):
    """Given leaves of many sizes, when tiles prove one, then they accept it, and no other leaf."""
    for size in SIZES:
        tree = TileTree(files_of(size).get, size)
        for index in some(size):
            shape = theirs.prove_inclusion(index + 1, size).rule
            ours = InclusionProof(
                "sha256",
                security=True,
                size=size,
                index=index + 1,
                rule=shape,
                path=[LEAVES[index], *tree.inclusion(index)],
            )
            judge_inclusion(LEAVES[index], tree.root(), ours, index=index + 1, size=size)
            with pytest.raises(InvalidProof):
                judge_inclusion(LEAVES[-1], tree.root(), ours, index=index + 1, size=size)


def test_g5_their_proofs_of_growth_verify_here_and_are_ours(theirs):
    """Given pairs of sizes, when they prove growth, then it is our proof, and no other past's."""
    for size in SIZES:
        tree = TileTree(files_of(size).get, size)
        for old in some(size)[1:]:
            proof = as_the_rfc_says(theirs.prove_consistency(old, size))
            roots = theirs.get_root(old), size, theirs.get_root(size)
            assert proof == list(tree.consistency(old))
            assert verify_consistency(old, *roots, proof)
            assert not verify_consistency(old, sha256(b"").digest(), *roots[1:], proof)


def test_g5_our_roots_are_judged_there_to_grow_from_each_other(theirs):
    """Given pairs of roots from tiles, then they find the later one to follow, and no other."""
    for size in SIZES:
        tree = TileTree(files_of(size).get, size)
        for old in some(size)[1:]:
            proof = theirs.prove_consistency(old, size)
            told = {"prior_size": old, "later_size": size}
            judge_consistency(tree.root(old), tree.root(), proof, **told)
            with pytest.raises(InvalidProof):
                judge_consistency(LEAVES[-1], tree.root(), proof, **told)
