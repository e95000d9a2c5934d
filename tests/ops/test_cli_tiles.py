"""`tiles publish` and `tiles check`: what who serves the log and who mirrors it type."""

import shutil
from pathlib import Path

import pytest

from ledger.seal.notes import SigningKey


def key_of(shop) -> SigningKey:
    """The book's signing key."""
    return SigningKey.parse(Path(shop.settings["SIGNING_KEY"]).read_text().strip())


@pytest.fixture
def published(shop, tmp_path) -> Path:
    """The sealed log of a shop in a folder."""
    shop.say("seal")
    shop.say("tiles", "publish", "--out", str(tmp_path / "tiles"))
    return tmp_path / "tiles"


def test_g6_a_log_is_published_and_a_mirror_of_it_is_checked_with_the_key_alone(
    shop, published, tmp_path
):
    """Given a mirror on a machine without settings, then its root is the one that seal told."""
    mirror = shutil.copytree(published, tmp_path / "mirror")
    key = key_of(shop).verifying_key.text()
    (tmp_path / "kept").write_text(sealed := shop.say("seal")["note"])
    told = shop.quick(
        *("tiles", "check", str(mirror), "--key", key, "--witness", str(tmp_path / "kept")),
        "--json",
        BOOK="Not A Book",
    ).document

    assert sealed == (published / "checkpoint").read_text()
    assert (True, True, shop.events(), 1, []) == tuple(
        told[name] for name in ("holds", "vouched", "size", "kept", "findings")
    )
    assert shop.say("status")["root"] == told["root"]
    assert f"contoposta.example/{shop.book}" == told["origin"]


def test_publishing_again_writes_what_is_new_alone(shop, published):
    """Given a player more, when published by the setting, then the new events and no other."""
    before = shop.events()
    shop.player("nino")
    shop.say("seal")
    told = [shop.say("tiles", "publish", TILES=str(published)) for _ in range(2)]

    assert [shop.events() - before, 0] == [each["entries"] for each in told]
    assert [shop.events()] * 2 == [each["size"] for each in told]


def test_g5_a_changed_byte_ends_with_four(shop, published):
    """Given one changed byte in the entries, then exit code 4 and the file's name."""
    bundle = next(p for p in published.rglob("*") if p.is_file() and "entries" in p.parts)
    bundle.write_bytes(bundle.read_bytes()[:-1] + b"?")
    done = shop.quick("tiles", "check", str(published))

    assert 4 == done.code
    assert "tile/entries/000" in done.out
    assert "1 findings." in done.out


def test_without_a_key_the_check_says_what_it_is_worth(shop, published):
    """Given an honest tree and no key, then it is self-consistent only."""
    done = shop.quick("tiles", "check", str(published))

    assert 0 == done.code
    assert "Self-consistent only" in done.out


def test_g5_a_log_that_does_not_go_on_from_the_folder_is_refused(shop, published):
    """Given a folder that is longer than the log, then exit code 3, and it stays as it is."""
    checkpoint = published / "checkpoint"
    note = checkpoint.read_text().replace(f"\n{shop.events()}\n", f"\n{shop.events() + 1}\n")
    checkpoint.write_text(note)
    done = shop.quick("tiles", "publish", "--out", str(published))

    assert 3 == done.code
    assert "tile" in done.err
    assert note == checkpoint.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("publish",), "Give a folder with --out, or set CONTOPOSTA_TILES"),
        (("publish", "--out", "FILE"), "is a file"),
        (("check", "NONE"), "does not exist"),
        (("check", "DIR", "--key", "x+y+z"), "as contoposta key show prints it"),
        (("check", "DIR", "--witness", "FILE"), "holds no signed checkpoint"),
    ],
)
def test_wrong_input_ends_with_two(shop, tmp_path, arguments, said):
    """Given no folder, a file in its place, a wrong key or note, then what to give is told."""
    (tmp_path / "file").write_text("x")
    places = {"FILE": tmp_path / "file", "NONE": tmp_path / "none", "DIR": tmp_path}
    done = shop.quick("tiles", *(str(places.get(a, a)) for a in arguments))

    assert (2, "") == (done.code, done.out)
    assert said in " ".join(done.err.split())


def test_a_note_is_only_worth_something_with_a_key(shop, published):
    """Given a witness's note and no key, then exit code 2."""
    done = shop.quick(
        "tiles", "check", str(published), "--witness", str(published / "checkpoint"), "--json"
    )

    assert (2, "malformed") == (done.code, done.refusal)
