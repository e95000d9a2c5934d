"""The sealed log as tiles: written, checked, and proofs of one event from a tree of many leaves."""

import random
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.seal.notes import SigningKey
from ledger.seal.proofs import verify_inclusion
from ledger.seal.publishing import Log, Publisher
from ledger.seal.tile_check import TreeTrust, check_tiles
from ledger.seal.tiles import TILE_WIDTH, Growth, Tile, TileTree, folder
from ledger.seal.verify import Trust
from ops.benchmarks.concession import Side, connect
from ops.benchmarks.lines import Line, spread
from ops.benchmarks.sealing import key_of

PROOFS: Final = 500
"""Proofs that are made in a turn."""


def measure(conninfo: str, home: Path, side: Side, turns: int) -> list[Line]:
    """Publish what a side has sealed into fresh folders, and check each of them."""
    key = key_of(side)
    with closing(connect(conninfo, side.book, "reader")) as connection:
        log, trust = Log(connection, side.book), Trust(key.name, (key.verifying_key,))
        publishers = [Publisher(log, trust, home / f"tiles-{turn}") for turn in range(turns)]
        rates = [_turn(publisher, key) for publisher in publishers]
    written, checked = zip(*rates, strict=True)
    by = "one file a bundle and one a tile, each durable; the server's join"
    return [
        Line("publish as tiles", "events/s", spread(written), by),
        Line("check published tiles", "events/s", spread(checked), "SHA-256 and reading files"),
    ]


def _turn(publisher: Publisher, key: SigningKey) -> tuple[float, float]:
    """Events a second that were published, and then checked."""
    began = time.perf_counter()
    size = publisher.publish().size
    published = time.perf_counter()
    trust = TreeTrust((key.verifying_key,), key.name)
    verdict = check_tiles(folder(publisher.folder), trust)
    ended = time.perf_counter()
    assert verdict.holds, verdict
    return size / (published - began), size / (ended - published)


def prove(home: Path, leaves: int, turns: int) -> Line:
    """Make and judge proofs of inclusion in a tree of hashes that stand for events."""
    root = home / "leaves"
    _plant(root, leaves)
    dice, rates, hashes = random.Random(leaves), [], 0
    top = TileTree(folder(root), leaves).root()
    for _ in range(turns):
        tree, began = TileTree(folder(root), leaves), time.perf_counter()
        for index in dice.choices(range(leaves), k=PROOFS):
            proof = tree.inclusion(index)
            assert verify_inclusion(_leaf(index), index, leaves, proof, top)
            hashes = max(hashes, len(proof))
        rates.append(PROOFS / (time.perf_counter() - began))
    name = f"prove and judge one of {leaves:,} leaves"
    by = f"reading its tiles; a proof has {hashes} hashes, {32 * hashes:,} bytes"
    return Line(name, "proofs/s", spread(rates), by)


def _plant(root: Path, leaves: int) -> None:
    growth, full = Growth(), leaves // TILE_WIDTH * TILE_WIDTH
    for start in range(0, full, TILE_WIDTH):
        for tile in growth.grow_hashes([_leaf(start + n) for n in range(TILE_WIDTH)]):
            _put(root, tile)
    for tile in growth.edge_hashes([_leaf(n) for n in range(full, leaves)]):
        _put(root, tile)


def _leaf(index: int) -> bytes:
    return sha256(b"\x00%d" % index).digest()


def _put(root: Path, tile: Tile) -> None:
    path = root / tile.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(tile.content)
