"""The real program as a process: what a clerk or a script sees of it, with a book of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

import psycopg

ROOT = Path(__file__).parent.parent
PROGRAM = (sys.executable, "-c", "from ops.cli import main; main()")
SHEET = "european-roulette-classic"
BOUND = 120
"""Seconds after which a command that does not end fails its test."""


def environment(home: Path, **settings: str) -> dict[str, str]:
    """The environment of a fresh shell, and the program's settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CONTOPOSTA_", "PG"))}
    kept.pop("DATABASE_URL", None)
    named = {f"CONTOPOSTA_{name}": value for name, value in settings.items()}
    return kept | {"PYTHONPATH": str(ROOT), "CONTOPOSTA_HOME": str(home)} | named


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        lines = self.out.splitlines()
        assert 1 == len(lines), self
        return json.loads(lines[0])

    @property
    def refusal(self) -> str | None:
        """The code of the refusal in the document; None when the command was accepted."""
        refusal = self.document["refusal"]
        return None if refusal is None else refusal["code"]


@dataclass(slots=True)
class Program:
    """A shell in which the program is run, each command as a process of its own."""

    home: Path
    forks: subprocess.Popen
    """A process of `tests.forks`, which needs no start for a command."""
    settings: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | bytes, stdin: bytes = b"", **settings: str) -> Ended:
        """Run one command from its first import; settings by name, such as `BOOK`."""
        done = subprocess.run(
            [*PROGRAM, *arguments],
            input=stdin,
            env=environment(self.home, **{**self.settings, **settings}),
            capture_output=True,
            timeout=BOUND,
            check=False,
            cwd=ROOT,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    def quick(self, *arguments: str, stdin: bytes = b"", **settings: str) -> Ended:
        """Run one command in a fork of a process that has imported everything."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "in").write_bytes(stdin)
            request = {
                "folder": folder,
                "arguments": arguments,
                "environment": environment(self.home, **{**self.settings, **settings}),
            }
            self.forks.stdin.write(json.dumps(request) + "\n")
            self.forks.stdin.flush()
            code = int(self.forks.stdout.readline())
            told = (Path(folder) / name for name in ("out", "err"))
            return Ended(code, *(path.read_text(encoding="utf-8") for path in told))

    def say(self, *arguments: str, **settings: str) -> Any:
        """The document that a command answers when it is done."""
        done = self.quick(*arguments, "--json", **settings)
        assert 0 == done.code, done
        return done.document


@dataclass(slots=True)
class Shop(Program):
    """A program with a migrated book in a server that is running, and a look into its tables."""

    conninfo: str = ""

    @property
    def book(self) -> str:
        """The book's schema."""
        return self.settings["BOOK"]

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of the book's tables, read by the superuser."""
        options = f"-c search_path={self.book}"
        with psycopg.connect(self.conninfo, options=options) as connection:
            return connection.execute(query, values or None).fetchall()

    def events(self) -> int:
        """How many events the book holds."""
        return self.rows("SELECT count(*) FROM events")[0][0]

    def player(self, name: str, euro: str = "100.00") -> str:
        """A player with a conto and money in it."""
        self.say("conto", "open", name)
        self.say("conto", "deposit", name, euro)
        return name

    def session(self, player: str, euro: str = "50.00", sheet: str = SHEET) -> str:
        """An open session of a player; its id."""
        return self.say("session", "open", player, sheet, euro)["session"]


def opened_shop(
    home: Path, forks: subprocess.Popen, conninfo: str, folder: Path, **settings: str
) -> Shop:
    """A book of its own in a running server, migrated by the program, files in a folder."""
    own = files_of(f"c_{token_hex(4)}", folder)
    shop = Shop(home, forks, own | settings, conninfo=conninfo)
    shop.say("migrate")
    return shop


def files_of(book: str, folder: Path) -> dict[str, str]:
    """The settings of a book whose files are in a folder."""
    return {
        "BOOK": book,
        "VAULT": str(folder / "vault"),
        "SERIES_KEYS": str(folder / "series"),
        "SIGNING_KEY": str(folder / "seal.key"),
        "REPORTS": str(folder / "reports"),
        "METRICS_DIR": str(folder / "metrics"),
    }


def simulated_shop(forks: subprocess.Popen, conninfo: str, folder: Path) -> Shop:
    """A book in a folder of its own, kept by a simulated clock: noon of 1 December 2026."""
    (folder / "clock").write_text(datetime(2026, 12, 1, 12, tzinfo=UTC).isoformat())
    return opened_shop(folder, forks, conninfo, folder, DATABASE_URL=conninfo, CLOCK="simulated")


@contextmanager
def forking(home: Path) -> Iterator[subprocess.Popen]:
    """A process that forks for each command, ended at the end."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.forks"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(home),
        cwd=ROOT,
        text=True,
    ) as process:
        yield process
        process.stdin.close()
