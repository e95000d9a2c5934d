"""Wrong and missing settings are named at the start, and no secret is told."""

import shutil
from pathlib import Path

import pytest

SECRET = "s3cr3t"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOOK", "Bad Name"),
        ("CLOCK", "sundial"),
        ("HOME", "/dev/null/here"),
        ("DATABASE_URL", f"host=x password={SECRET} nonsense=1"),
        ("DATABASE_URL", f"postgresql://clerk:a@{SECRET}@nohost.invalid/book"),
        ("DATABASE_URL", f"postgresql://clerk:{SECRET}/b@nohost.invalid/book"),
        ("BROKER_URL", SECRET),
        ("CENTRAL_URL", "ftp://x"),
        ("LOG_LEVEL", "loud"),
        ("ORIGIN", "two words"),
    ],
)
def test_a_wrong_setting_ends_the_start_and_is_named_without_its_value(program, name, value):
    """Given one wrong setting, then exit 2, its name with what to give, and not what was given."""
    for command in (("migrate",), ("conto", "show", "anna-1")):
        done = program.quick(*command, **{name: value})

        assert (2, "") == (done.code, done.out), done
        assert f"CONTOPOSTA_{name} is wrong: give " in done.err
        assert SECRET not in done.err


def test_a_misspelt_setting_is_refused_with_its_likely_name(program):
    """Given a variable that no setting reads, then exit 2 and the name that was meant."""
    done = program.quick("status", "--json", CLOK="real")

    assert (2, "setting") == (done.code, done.document["error"]["code"])
    assert "did you mean CONTOPOSTA_CLOCK?" in done.document["error"]["message"]


def test_a_clock_that_is_not_the_books_is_refused_before_anything_is_written(shop):
    """Given a book kept by the real clock, when served by a simulated one, then refused."""
    before = shop.events()

    done = shop.quick("conto", "open", "anna-1", CLOCK="simulated")

    assert (2, before) == (done.code, shop.events())
    assert "CONTOPOSTA_CLOCK" in done.err or "simulated time" in done.err


def test_a_book_that_was_never_made_is_named_with_what_to_do(shop):
    """Given the name of another book, then a fault that says to migrate, and no book is made."""
    done = shop.quick("conto", "show", "anna-1", BOOK="never_made")

    assert (3, "") == (done.code, done.out)
    assert "contoposta migrate" in done.err
    told = shop.quick("status", "--json", BOOK="never_made").document
    assert (False, "there is no book never_made here yet; run: contoposta migrate") == (
        told["serving"],
        told["why"],
    )
    assert [(None,)] == shop.rows("SELECT to_regnamespace('never_made')")


def test_a_simulated_time_that_nobody_set_is_named_before_anything_is_made(shop):
    """Given a new book by a simulated clock without a time, when migrated, then nothing is made."""
    done = shop.quick("migrate", BOOK="never_made", CLOCK="simulated")

    assert (2, "") == (done.code, done.out)
    assert "simulated time" in done.err
    assert [(None,)] == shop.rows("SELECT to_regnamespace('never_made')")


def test_a_missing_damaged_or_foreign_signing_key_is_named_and_nothing_is_sealed(shop, tmp_path):
    """Given three keys that cannot sign this book, then exit 2 and what is wrong with each."""
    key = Path(shop.settings["SIGNING_KEY"])
    damaged, foreign = tmp_path / "damaged", tmp_path / "foreign"
    damaged.write_text(key.read_text()[:-9])
    shutil.copy(key, foreign)
    waiting = shop.say("status")["waiting"]

    told = [
        shop.quick("seal", SIGNING_KEY=str(tmp_path / "none")),
        shop.quick("seal", SIGNING_KEY=str(damaged)),
        shop.quick("seal", SIGNING_KEY=str(foreign), ORIGIN="elsewhere.example/book"),
    ]

    assert [2, 2, 2] == [done.code for done in told]
    words = ("is missing", "is damaged", "belongs to another origin")
    assert [True] * 3 == [w in done.err for w, done in zip(words, told, strict=True)]
    assert waiting == shop.say("status")["waiting"] > 0
    secret = key.read_text().split("+", 4)[-1].strip()  # base64 may hold a plus of its own
    assert len(secret) > 40
    assert not any(secret in done.err for done in told)


def test_a_database_that_cannot_be_reached_is_told_without_its_password(program):
    """Given a host that does not exist, then a fault, and no part of the password anywhere."""
    url = f"postgresql://clerk:{SECRET}@nohost.invalid/book"
    for command in ("migrate", "status"):
        done = program.quick(command, DATABASE_URL=url)

        assert SECRET not in done.out + done.err
        assert "nohost.invalid" in done.out + done.err


def test_g10_nothing_personal_stands_in_what_commands_write_or_log(shop):
    """Given a holder's data, when the log level is lowest, then only `conto show` tells them."""
    private = ("Gaia Costa", "1980-05-03", "gaiettina")
    fields = ("--name", private[0], "--birth-date", private[1], "--nickname", private[2])
    opened = shop.quick("conto", "open", "gaia", *fields, "--json", LOG_LEVEL="debug")
    again = shop.quick("conto", "open", "gaia", *fields, LOG_LEVEL="debug")
    stored = shop.rows("SELECT convert_from(state, 'UTF8') FROM events")

    told = opened.out + opened.err + again.out + again.err + str(stored)
    assert (0, 1) == (opened.code, again.code)
    assert [] == [word for word in private if word in told]
    assert {"name": private[0], "birth-date": private[1], "nickname": private[2]} == shop.say(
        "conto", "show", "gaia"
    )["holder"]
