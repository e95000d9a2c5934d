"""Where money may be real, nobody says yes to every right unless that was asked for by name."""

import subprocess
import sys

import pytest

from ops import bootstrap
from ops.central.client import HttpCentral
from ops.central.local import InstantCentral
from ops.settings import Settings, SettingsError
from tests.program import environment

DATABASE = "host=/nowhere dbname=book"


class NoBook:
    """A book that is not asked anything."""


def central(tmp_path, **given):
    """The central system that these settings choose."""
    return bootstrap.central(Settings(home=tmp_path, **given), NoBook())


def test_a_real_clock_over_a_database_that_is_set_needs_a_central_system(tmp_path):
    """Given none, then the start ends and the setting is named."""
    with pytest.raises(SettingsError, match="CONTOPOSTA_CENTRAL_URL is missing"):
        central(tmp_path, database_url=DATABASE)


def test_the_stand_in_is_used_when_it_is_asked_for_or_no_money_can_be_real(tmp_path):
    """Given the word instant, a simulated clock, or the embedded server, then it validates."""
    chosen = [
        central(tmp_path, database_url=DATABASE, central_url="instant"),
        central(tmp_path, database_url=DATABASE, clock="simulated"),
        central(tmp_path),
    ]

    assert [InstantCentral] * 3 == [type(one) for one in chosen]


def test_an_address_is_the_central_system(tmp_path):
    """Given an address, then it is asked, whatever the database."""
    found = central(tmp_path, database_url=DATABASE, central_url="http://127.0.0.1:9")

    assert HttpCentral is type(found)
    found.close()


def test_nothing_of_http_is_imported_where_no_address_is_set(tmp_path):
    """Given no address, when a process wires the book and all commands, then without HTTP."""
    code = "import sys, ops.bootstrap, ops.workers, ops.cli.book, ops.cli.contos, ops.cli.services"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print('psycopg' in sys.modules, 'httpx' in sys.modules)"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )

    assert "True False\n" == done.stdout
