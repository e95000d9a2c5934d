"""Settings are judged at the start, by name, and their values stay unsaid."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.seal.notes import SigningKey
from ops.settings import SettingsError, load_settings


@pytest.fixture(autouse=True)
def _only_ours(monkeypatch, tmp_path):
    """Each test starts in an empty folder with none of our variables set."""
    for name in list(os.environ):
        if name.startswith("CONTOPOSTA_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def refusal() -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings()
    return str(caught.value)


def test_nothing_needs_to_be_set(tmp_path):
    """The defaults put everything into one folder below the working directory."""
    settings = load_settings()
    home = tmp_path / ".contoposta"
    assert home == settings.home
    assert home / "vault" / "contoposta" == settings.vault
    assert home / "keys" / "contoposta" / "seal.key" == settings.signing_key
    assert home / "reports" / "contoposta" == settings.reports
    assert (
        settings.database_url,
        settings.broker_url,
        settings.result_url,
    ) == (None, None, None)
    assert (settings.book, settings.origin) == ("contoposta", "contoposta.example/contoposta")
    assert (settings.clock, settings.log_level) == ("real", "info")


def test_defaults_follow_the_home_and_the_book(monkeypatch, tmp_path):
    """Who moves the home moves what lies in it, and the origin names the book."""
    monkeypatch.setenv("CONTOPOSTA_HOME", "elsewhere")
    monkeypatch.setenv("CONTOPOSTA_BOOK", "roulette_2")
    settings = load_settings()
    assert tmp_path / "elsewhere" / "vault" / "roulette_2" == settings.vault
    assert settings.origin == "contoposta.example/roulette_2"


def old_home(home: Path, origin: str = "contoposta.example/contoposta") -> bytes:
    """A home as it was when it was one book's alone: its key, and a player's."""
    key = SigningKey(origin, bytes(32)).secret_text().encode()
    for folder in (home / "keys", home / "vault"):
        folder.mkdir(parents=True)
    (home / "keys" / "seal.key").write_bytes(key)
    (home / "vault" / "anna-1.1.key").write_bytes(bytes(64))
    return key


def places(settings) -> list[Path]:
    """Where a book's own files are, below the home."""
    keys = (settings.signing_key, settings.vault, settings.series_keys)
    own = (*keys, settings.reports, settings.metrics_dir)
    return [path.relative_to(settings.home) for path in own]


def test_a_home_that_was_one_books_goes_on_as_it_is_and_another_book_has_its_own_places(
    monkeypatch, tmp_path
):
    """The old key says whose home it was; nothing is moved."""
    old_home(tmp_path / ".contoposta")
    old = ["keys/seal.key", "vault", "series", "reports", "metrics"]
    assert list(map(Path, old)) == places(load_settings())
    monkeypatch.setenv("CONTOPOSTA_BOOK", "second")
    expected = ["vault/second", "series/second", "reports/second", "metrics/second"]
    assert list(map(Path, ["keys/second/seal.key", *expected])) == places(load_settings())


@pytest.mark.parametrize("cut", [0, 20, 45])
def test_a_damaged_key_of_an_old_home_is_still_the_books(tmp_path, cut):
    """It is named as damaged; a new one in another place would not sign the same log."""
    home = tmp_path / ".contoposta"
    key = old_home(home)
    (home / "keys" / "seal.key").write_bytes(key[:cut])
    assert Path("keys/seal.key") == places(load_settings())[0]


@pytest.mark.parametrize("kept", ["anna-1.1.key", "anna-1.1.destroyed"])
def test_g10_keys_that_do_not_say_whose_they_are_are_not_guessed_about(monkeypatch, tmp_path, kept):
    """Given a vault of an old home without its signing key, then the start ends with what to do."""
    shared = tmp_path / ".contoposta" / "vault"
    shared.mkdir(parents=True)
    (shared / kept).write_bytes(bytes(64))
    assert refusal().startswith(f"The keys in {shared} do not say whose they are: move those of")
    monkeypatch.setenv("CONTOPOSTA_VAULT", str(shared))
    assert shared == load_settings().vault
    monkeypatch.delenv("CONTOPOSTA_VAULT")
    (shared / "contoposta").mkdir()
    (shared / kept).rename(shared / "contoposta" / kept)
    assert shared / "contoposta" == load_settings().vault


def test_the_home_stays_when_the_working_directory_changes(monkeypatch, tmp_path):
    """A relative folder is fixed when the settings are read."""
    monkeypatch.setenv("CONTOPOSTA_HOME", "here")
    settings = load_settings()
    monkeypatch.chdir("/")
    assert tmp_path / "here" == settings.home


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOOK", "Robert'); DROP"),
        ("BOOK", "a" * 42),
        ("DATABASE_URL", "hunter2"),
        ("DATABASE_URL", "mysql://hunter2@host/db"),
        ("BROKER_URL", "hunter2"),
        ("RESULT_URL", "hunter2://"),
        ("CENTRAL_URL", "ftp://hunter2"),
        ("ORIGIN", "two words"),
        ("CLOCK", "cuckoo"),
        ("LOG_LEVEL", "loud"),
        ("HOME", "/etc/passwd/home"),
        ("REPORTS", "/etc/passwd"),
    ],
)
def test_a_wrong_setting_is_named_with_what_to_give_and_its_value_is_not_repeated(
    monkeypatch, name, value
):
    """One sentence for one wrong setting, safe to show to anybody."""
    monkeypatch.setenv(f"CONTOPOSTA_{name}", value)
    said = refusal()
    assert said.startswith(f"CONTOPOSTA_{name} is wrong: give ")
    assert len(said.splitlines()) == 1
    assert value not in said
    assert "hunter2" not in said


def test_every_wrong_setting_is_named_at_once(monkeypatch):
    """The list is complete, so that one start is enough to correct all."""
    monkeypatch.setenv("CONTOPOSTA_CLOCK", "cuckoo")
    monkeypatch.setenv("CONTOPOSTA_BOOK", "9")
    monkeypatch.setenv("CONTOPOSTA_DATABSE_URL", "postgresql://hunter2@host/db")
    names = [line.split()[0] for line in refusal().splitlines()]
    assert names == ["CONTOPOSTA_DATABSE_URL", "CONTOPOSTA_BOOK", "CONTOPOSTA_CLOCK"]


def test_a_misspelt_setting_is_refused_with_the_nearest_name(monkeypatch):
    """A typing error would otherwise run silently on a default."""
    monkeypatch.setenv("CONTOPOSTA_DATABSE_URL", "postgresql://hunter2@host/db")
    unknown, advice = refusal().split(": ")
    assert unknown == "CONTOPOSTA_DATABSE_URL is no setting"
    assert advice == "unset it, or did you mean CONTOPOSTA_DATABASE_URL?"


def test_an_empty_variable_counts_as_unset(monkeypatch):
    """Compose files and shells pass empty variables for what is not set."""
    monkeypatch.setenv("CONTOPOSTA_DATABASE_URL", "")
    assert load_settings().database_url is None


@pytest.mark.parametrize(
    "text",
    ["postgresql://me:hunter2@host:5433/db?sslmode=require", "host=/run/pg dbname=db user=me"],
)
def test_the_database_is_a_libpq_string_of_either_form(monkeypatch, text):
    """Both forms are taken as they are, and neither is shown by printing the settings."""
    monkeypatch.setenv("CONTOPOSTA_DATABASE_URL", text)
    settings = load_settings()
    assert settings.database_url is not None
    assert text == settings.database_url.get_secret_value()
    assert text not in f"{settings} {settings!r} {settings.model_dump_json()}"


@pytest.mark.parametrize("switch", [["-O"], ["-OO"]])
def test_a_python_that_skips_assertions_is_refused(switch):
    """Under -O no invariant would be checked, so the process does not start."""
    root = Path(__file__).parents[2]
    code = "from ops.settings import load_settings, SettingsError\n"
    code += "try: load_settings()\nexcept SettingsError as e: print(e)"
    done = subprocess.run(
        [sys.executable, *switch, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    expected = "Python skips assertions: start it without -O and leave PYTHONOPTIMIZE unset.\n"
    assert expected == done.stdout
