"""Settings are judged at the start, by name, and their values stay unsaid."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert home / "vault" == settings.vault
    assert home / "keys" / "seal.key" == settings.signing_key
    assert home / "reports" == settings.reports
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
    assert tmp_path / "elsewhere" / "vault" == settings.vault
    assert settings.origin == "contoposta.example/roulette_2"


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
