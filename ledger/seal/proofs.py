"""Proofs that a row is in the sealed log and that the log was only ever appended to (G5, G6).

Proofs are made by the definitions of RFC 6962 sections 2.1.1 and 2.1.2 and judged as RFC 9162
sections 2.1.3.2 and 2.1.4.2 say. Leaves, roots and the parts of a proof are 32-byte hashes. A size
and its root belong together and must come from one checkpoint: a proof binds the root, and the
checkpoint's signature binds the size to it. Pure.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, starmap
from typing import Final, Protocol

from ledger.seal.merkle import EMPTY_ROOT, HASH_SIZE, Frontier, node_hash, root_of, split_point

_AT_ONCE: Final = 1 << 12
"""Leaves that are held at a time where a tree is read from its end."""


class Roots(Protocol):
    """Where the hashes of a tree come from: its leaves in memory, or its tiles."""

    def __call__(self, first: int, stop: int) -> bytes:
        """The root over the leaves from `first` up to, not including, `stop` (MTH of RFC 6962)."""


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The siblings from the leaf at `index` (from 0) up to the root (RFC 6962 section 2.1.1).

    `IndexError` if there is no such leaf.
    """
    return prove_inclusion(_over(leaves), index, len(leaves))


def prove_inclusion(roots: Roots, index: int, size: int) -> tuple[bytes, ...]:
    """`inclusion_proof` in a tree of `size` leaves that need not be in memory."""
    if not 0 <= index < size:
        raise IndexError(f"There is no leaf {index} in a tree of {size}.")
    return tuple(starmap(roots, _path(index, 0, size)))


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Whether `proof` shows that `leaf` is the one at `index` in the tree of this size and root.

    The leaf must be computed by the one who verifies, from the entry. RFC 9162 section 2.1.3.2.
    """
    if not 0 <= index < size or not _are_hashes((leaf, root, *proof)):
        return False
    sides = _sides(index, size - 1)
    return len(sides) == len(proof) and root == _climb(leaf, sides, proof)


def consistency_proof(leaves: Sequence[bytes], old_size: int) -> tuple[bytes, ...]:
    """The nodes that show that the first `old_size` leaves are unchanged (RFC 6962 section 2.1.2).

    Empty if the old tree is empty or is the whole one. `IndexError` if it is larger.
    """
    return prove_consistency(_over(leaves), old_size, len(leaves))


def prove_consistency(roots: Roots, old_size: int, size: int) -> tuple[bytes, ...]:
    """`consistency_proof` in a tree of `size` leaves that need not be in memory."""
    if not 0 <= old_size <= size:
        raise IndexError(f"A tree of {size} leaves never had {old_size}.")
    return tuple(starmap(roots, _subproof(old_size, 0, size))) if old_size else ()


def growth_proof(old: Frontier, new_size: int, leaves: Iterable[bytes]) -> tuple[bytes, ...]:
    """The same proof from the old tree's frontier and the leaves that came after it, in order.

    Holds a few thousand leaves at a time, however many came. `ValueError` if the new tree is
    smaller, or if there are fewer leaves than it has more.
    """
    if old.size > new_size:
        raise ValueError(f"A tree of {new_size} leaves never had {old.size}.")
    if old.size in {0, new_size}:
        return ()
    spans, rest = list(_subproof(old.size, 0, new_size)), iter(leaves)
    nodes = {span: _span_root(rest, span) for span in sorted(spans) if span[0] >= old.size}
    kept = dict(zip(_peak_spans(old.size), old.peaks, strict=True))
    return tuple((nodes | kept)[span] for span in spans)


def verify_consistency(
    old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether `proof` shows that the new tree is the old one with leaves appended.

    RFC 9162 section 2.1.4.2; besides, a tree follows itself and any tree follows the empty one,
    both by an empty proof alone.
    """
    if not 0 <= old_size <= new_size or not _are_hashes((old_root, new_root, *proof)):
        return False
    if old_size == new_size:
        return not proof and old_root == new_root
    if old_size == 0:
        return not proof and old_root == EMPTY_ROOT
    return _grows((old_size, old_root), (new_size, new_root), proof)


def _grows(old: tuple[int, bytes], new: tuple[int, bytes], proof: Sequence[bytes]) -> bool:
    """Whether the proof leads from the last complete subtree of `old` to both roots.

    For a power of two that subtree is the whole old tree, whose root the proof leaves out.
    """
    (old_size, old_root), (new_size, new_root) = old, new
    nodes = (old_root, *proof) if old_size.bit_count() == 1 else tuple(proof)
    height = (old_size & -old_size).bit_length() - 1
    sides = _sides(old_size - 1 >> height, new_size - 1 >> height)
    if len(nodes) != len(sides) + 1:
        return False
    start, rest = nodes[0], nodes[1:]
    lefts = [sibling for is_left, sibling in zip(sides, rest, strict=True) if is_left]
    return old_root == _climb(start, [True] * len(lefts), lefts) and new_root == _climb(
        start, sides, rest
    )


def _over(leaves: Sequence[bytes]) -> Roots:
    return lambda first, stop: root_of(leaves[first:stop])


def _path(index: int, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """The leaves under each part of PATH(m, D[n]) of RFC 6962 section 2.1.1."""
    if stop - first > 1:
        middle = first + split_point(stop - first)
        if index < middle:
            yield from _path(index, first, middle)
            yield middle, stop
        else:
            yield from _path(index, middle, stop)
            yield first, middle


def _subproof(
    old_stop: int, first: int, stop: int, *, known: bool = True
) -> Iterator[tuple[int, int]]:
    """The leaves under each part of SUBPROOF(m, D[n], b) of RFC 6962 section 2.1.2.

    `known` is b: the subtree that ends with the old tree is the old tree itself.
    """
    if old_stop == stop:
        if not known:
            yield first, stop
        return
    middle = first + split_point(stop - first)
    if old_stop <= middle:
        yield from _subproof(old_stop, first, middle, known=known)
        yield middle, stop
    else:
        yield from _subproof(old_stop, middle, stop, known=False)
        yield first, middle


_Span = tuple[int, int]
"""A subtree by its first leaf and the first one after it."""


def _peak_spans(size: int) -> Iterator[_Span]:
    """The complete subtrees that a tree is made of, largest first, as its frontier has them."""
    first = 0
    for level in reversed(range(size.bit_length())):
        if size >> level & 1:
            yield first, first + (1 << level)
            first += 1 << level


def _span_root(leaves: Iterator[bytes], span: _Span) -> bytes:
    """The root over the next leaves, as many as a subtree has."""
    grown, wanted = Frontier(), span[1] - span[0]
    while some := tuple(islice(leaves, min(_AT_ONCE, wanted - grown.size))):
        grown = grown.extend(some)
    if grown.size != wanted:
        raise ValueError(f"The leaves from {span[0] + grown.size} on are missing.")
    return grown.root()


def _sides(index: int, last: int) -> list[bool]:
    """On which side each sibling stands, from node `index` of a row ending at `last`: True is left.

    The last node of a row, if it has no left sibling, has none at all and rises as it is.
    """
    sides = []
    while last:
        if index & 1 or index < last:
            sides.append(bool(index & 1))
        index, last = index >> 1, last >> 1
    return sides


def _climb(start: bytes, sides: Iterable[bool], siblings: Iterable[bytes]) -> bytes:
    """The hash reached from `start` through its siblings, each on its side."""
    node = start
    for is_left, sibling in zip(sides, siblings, strict=True):
        node = node_hash(sibling, node) if is_left else node_hash(node, sibling)
    return node


def _are_hashes(parts: Iterable[bytes]) -> bool:
    return all(len(part) == HASH_SIZE for part in parts)
