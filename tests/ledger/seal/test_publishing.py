"""Publishing the sealed log as tiles: whole at every moment, never a rewritten past (G5, G6)."""

import fcntl
import os
from pathlib import Path

import pytest

from ledger.seal.merkle import leaf_hash
from ledger.seal.notes import Checkpoint, SigningKey, open_note, parse_checkpoint, sign_note
from ledger.seal.publishing import Busy, HistoryRewritten, Log, Published, Publisher
from ledger.seal.tiles import CHECKPOINT, TILE_WIDTH, TilesFault, TileTree, folder
from ledger.seal.verify import Trust
from tests.children import DONE, child
from tests.force import by_force
from tests.house import House, play_order


def publish(house: House, out: Path, trust: Trust | None = None) -> Published:
    """Publish what is sealed."""
    with house.connected() as connection:
        return Publisher(Log(connection, house.book), trust or house.trust, out).publish()


def played(house: House, seat, events: int) -> int:
    """Play until the book has so many events at least, and seal; how many it has."""
    while house.count() < events:
        house.service.handle_many([play_order(seat) for _ in range(20)], house.now)
    sealed = house.seal()
    assert sealed is not None
    return sealed.size


def checkpoint_in(house: House, out: Path) -> Checkpoint:
    """The checkpoint that a folder shows, signed by the house."""
    return parse_checkpoint(open_note((out / CHECKPOINT).read_bytes(), house.trust.keys))


def tree_in(house: House, out: Path) -> TileTree:
    """The tree that a folder shows; its root is the signed one."""
    checkpoint = checkpoint_in(house, out)
    tree = TileTree(folder(out), checkpoint.size)
    assert checkpoint.root == tree.root()
    return tree


def leaves_of(house: House) -> list[bytes]:
    """The leaf hashes of the sealed log."""
    return [bytes(leaf) for (leaf,) in house.rows("SELECT leaf FROM sealed ORDER BY position")]


def paths_in(out: Path) -> list[str]:
    """Every file of a folder."""
    return sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file())


def contents_of(out: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path: (out / path).read_bytes() for path in paths_in(out)}


@pytest.fixture
def seat(house: House):
    """A player who has sat down with much money."""
    return house.seat(posta=1_000_00)


def test_g6_what_is_published_is_what_is_sealed(house: House, seat, tmp_path: Path) -> None:
    """Given 600 events, when they are published, then tree, entries and leaves are the log's."""
    size = played(house, seat, 600)
    published = publish(house, tmp_path)
    tree = tree_in(house, tmp_path)

    assert (size, size, len(paths_in(tmp_path))) == (
        published.size,
        published.entries,
        published.files,
    )
    assert leaves_of(house) == list(tree.leaves()) == [leaf_hash(e) for e in tree.entries()]


def test_g6_published_step_by_step_or_at_once_the_tiles_are_the_same(
    house: House, seat, tmp_path: Path
) -> None:
    """Given checkpoints across the borders of tiles, then each way ends in the same bytes."""
    stepwise, at_once = tmp_path / "stepwise", tmp_path / "at-once"
    for events in (100, 200, 256, 400, 530, 700):
        size = played(house, seat, events)
        publish(house, stepwise)
        assert size == tree_in(house, stepwise).size
    publish(house, at_once)

    assert contents_of(at_once) == contents_of(stepwise)


def test_partial_tiles_of_each_checkpoint_stay_until_the_full_one_is_there(
    house: House, seat, tmp_path: Path
) -> None:
    """Given two checkpoints in one tile and one beyond it, then only the last has partial tiles."""
    sizes = []
    for events in (100, 150):
        sizes.append(played(house, seat, events))
        publish(house, tmp_path)
    within = {p for p in paths_in(tmp_path) if p.startswith("tile/0/")}
    size = played(house, seat, 300)
    publish(house, tmp_path)

    assert {f"tile/0/000.p/{s}" for s in sizes} == within
    assert ["checkpoint", "tile/0/000", f"tile/0/001.p/{size - TILE_WIDTH}", "tile/1/000.p/1"] == [
        path for path in paths_in(tmp_path) if "entries" not in path
    ]
    assert not list(tmp_path.rglob("000.p/[2-9]*"))


def test_a_log_that_was_published_is_not_written_again(house: House, seat, tmp_path: Path) -> None:
    """Given nothing new, when it is published again, then no file is touched.

    A witness's line that stands in the checkpoint stays there.
    """
    played(house, seat, 100)
    publish(house, tmp_path)
    witnessed = (tmp_path / CHECKPOINT).read_text() + "\u2014 witness.example/w1 d2l0bmVzc2Vk\n"
    (tmp_path / CHECKPOINT).write_text(witnessed)
    before = {p: (tmp_path / p).stat().st_mtime_ns for p in paths_in(tmp_path)}
    again = publish(house, tmp_path)

    assert (0, 0) == (again.entries, again.files)
    assert before == {p: (tmp_path / p).stat().st_mtime_ns for p in paths_in(tmp_path)}


def test_an_unsealed_book_has_nothing_to_publish(house: House, tmp_path: Path) -> None:
    """Given events and no checkpoint, when it is published, then the fault says what to do."""
    with pytest.raises(TilesFault, match="run: contoposta seal"):
        publish(house, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_of_other_things_is_not_filled(house: House, tmp_path: Path) -> None:
    """Given a folder with a file of somebody's, when it is given, then it stays as it is."""
    house.seal()
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(TilesFault, match=r"holds letter; give an empty folder"):
        publish(house, tmp_path)
    assert ["letter"] == paths_in(tmp_path)


def test_the_tiles_of_another_log_are_not_gone_on_with(house: House, seat, tmp_path: Path) -> None:
    """Given a folder that names another origin, then the fault names that."""
    other = SigningKey("elsewhere.example/book", bytes(32))
    (tmp_path / CHECKPOINT).write_text(
        sign_note(Checkpoint(other.name, 1, bytes(32)).text(), other)
    )
    house.seal()
    with pytest.raises(TilesFault, match=r"holds the log elsewhere\.example/book"):
        publish(house, tmp_path)


def test_a_checkpoint_that_no_trusted_key_signed_is_not_published(
    house: House, tmp_path: Path
) -> None:
    """Given another key than the one that sealed, when it is published, then nothing is."""
    house.seal()
    other = SigningKey(house.key.name, bytes(32))
    with pytest.raises(TilesFault, match="No known key"):
        publish(house, tmp_path / "out", Trust(other.name, (other.verifying_key,)))
    assert not (tmp_path / "out").exists()


# --- a rewritten past -----------------------------------------------------------------------------


def resealed(house: House) -> None:
    """Seal the whole book anew after what was done to it by force."""
    by_force(house, "DELETE FROM checkpoints; DELETE FROM sealed")
    house.seal()


@pytest.mark.parametrize("position", [0, 255, 256, 299])
def test_g5_a_rewritten_event_is_refused_and_its_place_named(
    house: House, seat, tmp_path: Path, position: int
) -> None:
    """Given a published log, when an old event is changed and all is sealed anew, then refused."""
    played(house, seat, 300)
    publish(house, tmp_path)
    before = contents_of(tmp_path)
    stream, version = house.rows(
        "SELECT originator_id, originator_version FROM sealed WHERE position = %s", position
    )[0]
    change = "UPDATE events SET state = state || '\\x20' WHERE (originator_id, originator_version)"
    by_force(house, f"{change} = ('{stream}', {version})")
    played(house, seat, 350)
    resealed(house)

    with pytest.raises(HistoryRewritten, match=f"differs at position {position} "):
        publish(house, tmp_path)
    assert before == contents_of(tmp_path)


def test_g5_a_log_whose_end_was_cut_off_is_refused(house: House, seat, tmp_path: Path) -> None:
    """Given a published log, when its last events are gone and it is sealed, then refused."""
    size = played(house, seat, 300)
    publish(house, tmp_path)
    before = contents_of(tmp_path)
    by_force(
        house,
        """DELETE FROM events WHERE (originator_id, originator_version) IN
           (SELECT originator_id, originator_version FROM sealed WHERE position >= 290)""",
    )
    resealed(house)

    with pytest.raises(HistoryRewritten, match=f"checkpoint of {size} events, the log only 290"):
        publish(house, tmp_path)
    assert before == contents_of(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE events SET state = '{}'", "position 0 was changed"),
        ("DELETE FROM events", "position 0 is gone"),
    ],
)
def test_g5_an_event_that_is_not_what_was_sealed_is_never_published(
    house: House, tmp_path: Path, change: str, said: str
) -> None:
    """Given sealed events that were changed or deleted, then no checkpoint is published."""
    house.seal()
    by_force(house, change)

    with pytest.raises(TilesFault, match=said):
        publish(house, tmp_path)
    assert [] == paths_in(tmp_path)


def test_g5_a_damaged_tile_is_found_before_the_log_goes_on(
    house: House, seat, tmp_path: Path
) -> None:
    """Given a published tile with another byte, when more is published, then the fault says so."""
    size = played(house, seat, 100)
    publish(house, tmp_path)
    tile = tmp_path / f"tile/0/000.p/{size}"
    tile.write_bytes(bytes(32) + tile.read_bytes()[32:])
    played(house, seat, 200)

    with pytest.raises(TilesFault, match="do not give the root of its checkpoint"):
        publish(house, tmp_path)
    assert size == checkpoint_in(house, tmp_path).size


def test_g5_a_damaged_bundle_is_found_before_the_log_goes_on(
    house: House, seat, tmp_path: Path
) -> None:
    """Given a published bundle with another byte, when more is published, then it is named."""
    size = played(house, seat, 100)
    publish(house, tmp_path)
    bundle = tmp_path / f"tile/entries/000.p/{size}"
    bundle.write_bytes(bundle.read_bytes()[:-1] + b"?")
    played(house, seat, 200)

    with pytest.raises(HistoryRewritten, match=f"{bundle} was published with other bytes"):
        publish(house, tmp_path)


# --- stopped and started --------------------------------------------------------------------------


def test_one_publishes_into_a_folder_at_a_time(house: House, tmp_path: Path) -> None:
    """Given a process that holds the folder, when another comes, then it is told to try again."""
    house.seal()
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(Busy, match="try again"):
        publish(house, tmp_path)
    os.close(descriptor)

    assert publish(house, tmp_path).size == house.count()


def test_g6_killed_at_any_step_the_tree_is_whole_and_the_next_publisher_goes_on(
    house: House, seat, tmp_path: Path
) -> None:
    """Given kill -9 before each step on the disk, then a reader sees the old or the new tree.

    The publisher that comes next ends with the same files as one that was never killed.
    """
    start, killed, whole = tmp_path / "start", tmp_path / "killed", tmp_path / "whole"
    old = played(house, seat, 150)
    publish(house, start)
    played(house, seat, 270)
    new = played(house, seat, 300)
    publish(house, whole)
    with child("publish_and_die", house, start, killed) as publisher:
        publisher.until(DONE)

    seen = []
    with house.connected() as connection:
        for out in sorted(killed.iterdir()):
            tree = tree_in(house, out)
            seen.append(tree.size)
            assert tree.size == len(list(tree.entries()))
            Publisher(Log(connection, house.book), house.trust, out).publish()
            assert contents_of(whole) == contents_of(out)
    assert [old, new] == sorted(set(seen))
    assert len(seen) > 30
