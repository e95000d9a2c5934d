"""`key show` and `key rotate`, and what every process says of a key that is not the book's."""

import shutil
from pathlib import Path

import pytest

from ledger.seal.notes import SigningKey, is_signed
from ledger.seal.sealer import Sealer
from ops import signing_keys
from ops.settings import Settings
from tests.program import Shop


def file_of(shop: Shop) -> Path:
    """Where the book's signing key is."""
    return Path(shop.settings["SIGNING_KEY"])


def key_of(shop: Shop) -> SigningKey:
    """The book's signing key."""
    return SigningKey.parse(file_of(shop).read_text().strip())


def secret_of(path: Path) -> str:
    """What nobody may see of a key."""
    return path.read_text().split("+", 4)[-1].strip()  # base64 may hold a plus of its own


def other_key(shop: Shop, path: Path) -> Path:
    """A well-formed key of the book's name that is not the book's."""
    path.write_text(SigningKey(key_of(shop).name, bytes(32)).secret_text() + "\n")
    return path


def test_g6_a_key_is_rotated_and_everything_goes_on(timed_shop):
    """Given a rotation, then the file has the new key, and old and new checkpoints verify."""
    shop = timed_shop
    shop.say("seal")
    old, secret = key_of(shop), secret_of(file_of(shop))
    done = shop.quick("key", "rotate", "--reason", "yearly", "--actor", "ada", "--json")
    new = key_of(shop)
    (note,) = shop.rows("SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1")[0]
    shop.player("anna-1")
    shop.say("seal")

    assert (old.verifying_key.text(), new.verifying_key.text()) == (
        done.document["before"],
        done.document["key"],
    )
    assert is_signed(note, old.verifying_key)
    assert is_signed(note, new.verifying_key)
    assert shop.say("verify")["holds"]
    assert {"key": new.verifying_key.text(), "before": [old.verifying_key.text()]}.items() <= (
        shop.say("key", "show").items()
    )
    assert not [s for s in (secret, secret_of(file_of(shop))) if s in done.out + done.err]
    assert 0o600 == file_of(shop).stat().st_mode & 0o777
    assert ["seal.key"] == [p.name for p in file_of(shop).parent.glob("seal.key*")]
    assert [("ada",)] == shop.rows(
        "SELECT convert_from(state, 'UTF8')::json->>'actor' FROM events "
        "WHERE topic = 'signing-key-rotated'"
    )


@pytest.mark.parametrize("point", ["recorded", "sealed"])
def test_g6_a_rotation_that_was_cut_short_is_gone_on_with(timed_shop, point, monkeypatch):
    """Given an end after the record or after the seal, then sealing goes on, and so does rotate."""
    shop = timed_shop
    shop.say("seal")
    old = key_of(shop)
    settings = shop_settings(shop)
    monkeypatch.setattr(*CUTS[point])
    with pytest.raises(KeyboardInterrupt):
        cut_short(shop, settings)
    monkeypatch.undo()
    shop.player("anna-1")
    sealed = shop.say("seal")["sealed"]
    done = shop.say("key", "rotate", "--reason", "again")
    shop.player("bruno-2")
    shop.say("seal")

    assert sealed > 0
    assert old.verifying_key.text() == done["before"]
    assert key_of(shop).verifying_key.text() == done["key"]
    assert [(1,)] == shop.rows("SELECT count(*) FROM events WHERE topic = 'signing-key-rotated'")
    assert shop.say("verify")["holds"]


def interrupted(*_: object) -> None:
    """What Ctrl-C does."""
    raise KeyboardInterrupt


CUTS = {
    "recorded": (Sealer, "seal_all", interrupted),
    "sealed": (signing_keys, "_require_sealed", interrupted),
}


def shop_settings(shop: Shop) -> Settings:
    """The settings of a shop."""
    named = {name.lower(): value for name, value in shop.settings.items()}
    return Settings(home=shop.home, **named)


def cut_short(shop: Shop, settings: Settings) -> None:
    """Rotate in this process."""
    from ops import bootstrap  # noqa: PLC0415 - it shares metrics where the folder is set first

    desk = bootstrap.desk(settings, "ada")
    with bootstrap.connected(settings, "sealer") as connection:
        signing_keys.rotate(settings, desk, connection, "yearly")


def test_g10_a_key_from_the_environment_signs_and_is_rotated_by_who_set_it(timed_shop, tmp_path):
    """Given the key's text in a variable and no file, then it signs, and its successor is told."""
    shop = timed_shop
    text = file_of(shop).read_text()
    given = {"SIGNING_KEY": str(tmp_path / "keys" / "seal.key"), "SIGNING_KEY_TEXT": text}
    shop.say("seal", **given)
    done = shop.say("key", "rotate", "--reason", "yearly", **given)
    successor = Path(done["file"])
    shop.say("conto", "open", "anna-1", **given)
    before = shop.say("seal", **given)["sealed"]  # by the successor, which is at hand
    given["SIGNING_KEY_TEXT"] = successor.read_text()
    again = shop.say("key", "rotate", "--reason", "the year after", **given)

    assert before > 0
    assert "CONTOPOSTA_SIGNING_KEY_TEXT" in done["now"]
    assert done["key"] == again["before"] != again["key"]
    assert shop.say("verify", **given)["holds"]


def test_g10_a_damaged_key_in_the_environment_is_named_and_never_shown(shop):
    """Given a text that is no key, then exit code 2, the variable's name and nothing of it."""
    done = shop.quick("seal", SIGNING_KEY_TEXT="PRIVATE+KEY+secret-words")

    assert (2, "") == (done.code, done.out)
    assert "CONTOPOSTA_SIGNING_KEY_TEXT is damaged" in done.err
    assert "secret-words" not in done.err


@pytest.mark.parametrize(
    "command",
    [
        ("seal",),
        ("key", "show"),
        ("key", "rotate", "--reason", "yearly"),
        ("conto", "open", "nobody-1"),
        ("migrate",),
        ("worker",),
    ],
)
def test_a_wrong_key_is_told_at_the_start_and_nothing_is_written(shop, tmp_path, command):
    """Given another key of the same name, then exit code 2 whatever is begun, and no event."""
    shop.say("seal")
    before, wrong = shop.events(), other_key(shop, tmp_path / "wrong")
    done = shop.quick(*command, SIGNING_KEY=str(wrong))

    assert (2, "") == (done.code, done.out)
    assert "is not this book's" in done.err
    assert "restore that one" in done.err
    assert (before, [wrong]) == (shop.events(), list(tmp_path.iterdir()))


@pytest.mark.parametrize(
    "command", [("seal",), ("conto", "open", "nobody-1"), ("migrate",), ("worker",)]
)
def test_a_lost_key_is_told_at_the_start_and_no_other_is_made(shop, tmp_path, command):
    """Given a sealed book whose key is gone, then exit code 2, and no key takes its place."""
    shop.say("seal")
    before, lost = shop.events(), tmp_path / "lost"
    done = shop.quick(*command, SIGNING_KEY=str(lost))

    assert (2, "") == (done.code, done.out)
    assert f"The signing key {lost} is missing" in done.err
    assert "restore it." in done.err
    assert (before, False) == (shop.events(), lost.exists())


def test_a_service_on_a_machine_without_the_key_serves(timed_shop, tmp_path):
    """Given a database that is set and no key, then a clerk's command is done: it signs nothing."""
    timed_shop.say("seal")
    none = str(tmp_path / "none")

    assert (
        "conto-opened"
        == timed_shop.say("conto", "open", "anna-1", SIGNING_KEY=none)["events"][0]["name"]
    )
    assert 2 == timed_shop.quick("worker", SIGNING_KEY=none).code


def test_a_key_that_was_copied_is_as_good(shop, tmp_path):
    """Given the right key in another place, then it signs."""
    copied = shutil.copy(file_of(shop), tmp_path / "copy")

    assert 0 == shop.quick("seal", SIGNING_KEY=str(copied)).code
