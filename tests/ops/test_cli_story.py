"""The program from its first import, in a place of its own: the story of the README, and faults."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from tests.program import BOUND, PROGRAM, ROOT, SHEET, Ended, Program, environment

RED = '{"bets":[{"chance":"red","amount":"1.00"}]}'


@pytest.fixture
def place(forks: subprocess.Popen) -> Iterator[Program]:
    """An empty data folder with a short path; its server is stopped whatever happens."""
    folder = Path(tempfile.mkdtemp(prefix="contoposta-story-"))
    program = Program(folder / "home", forks)
    yield program
    program.quick("down")
    shutil.rmtree(folder)


def lines_of_the_readme() -> list[str]:
    """The commands under "At work", without their comments."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## At work\n")[2]
    block = re.match(r"\n((?:    .*\n)+)", text)[1]
    return [re.sub(r"\s{2,}#.*", "", line).strip() for line in block.splitlines()]


def in_a_shell(place: Program, line: str) -> Ended:
    """A line as a person types it, in a shell that finds the program by its name."""
    folder = place.home.parent / "bin"
    folder.mkdir(exist_ok=True)
    script = folder / "contoposta"
    script.write_text(f"#!/bin/sh\nexec {PROGRAM[0]} {PROGRAM[1]} '{PROGRAM[2]}' \"$@\"\n")
    script.chmod(0o755)
    shell = environment(place.home)
    shell["PATH"] = f"{folder}:{shell['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        env=shell,
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
        cwd=ROOT,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def serving(home: Path) -> list[int]:
    """The processes that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd().startswith(str(home)):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def test_the_story_of_the_readme_works_as_it_is_written(place):
    """Given an empty folder, when each line is typed in turn, then all are done, and none runs on.

    A report is refused until its day is over, whatever day it is.
    """
    session = "SESSION"
    commands = [line for line in lines_of_the_readme() if line.startswith("contoposta")]
    assert {"up", "migrate", "play", "verify", "down"} <= {c.split()[1] for c in commands} | {
        part.split()[1] for c in commands for part in c.split(" && ")
    }

    for line in commands:
        done = in_a_shell(place, line.replace("SESSION", session))
        if "report daily" in line and done.code:
            assert (1, True) == (done.code, "-day): " in done.err or "not-over" in done.err), done
        else:
            assert 0 == done.code, (line, done)
        if "session open" in line:
            session = re.search(r"Session ([0-9a-f-]{36})", done.out)[1]

    assert [] == serving(place.home)


def opened(place: Program) -> str:
    """A book from nothing, with each step missing told on the way; an open session of 50.00."""
    before = place("status", "--json")
    assert (0, False) == (before.code, before.document["serving"])
    early = place("conto", "open", "anna-1", "--json")
    assert (3, "fault") == (early.code, early.document["error"]["code"])
    place.say("up")
    unmade = place.quick("conto", "open", "anna-1")
    assert (3, True) == (unmade.code, "contoposta migrate" in unmade.err)
    place.say("migrate")
    place.say("conto", "open", "anna-1", "--id", early.document["error"]["command"])
    place.say("conto", "deposit", "anna-1", "100.00")
    return place.say("session", "open", "anna-1", SHEET, "50.00")["session"]


def test_g4_a_database_that_is_down_reveals_nothing_and_the_same_id_works_afterwards(place):
    """Given a bet while the database is down, then a fault and no outcome; then it plays, once."""
    session = opened(place)
    bet = ("play", session, RED, "--id", str(uuid4()))
    assert {"stopped": True} == place.say("down")

    down = place(*bet)
    assert (3, "") == (down.code, down.out)
    assert "contoposta up" in down.err
    assert not re.search("outcome|wins|credited|Traceback", down.err)
    for command in ("seal", "verify", "project", "duties"):
        ended = place.quick(command)
        assert (3, "", True) == (ended.code, ended.out, "contoposta up" in ended.err), ended

    place.say("up")
    assert "50.00" == place.say("session", "show", session)["credit"]
    first, again = place.quick(*bet, "--json"), place.quick(*bet, "--json")
    assert (0, first.out) == (again.code, again.out)
    names = [event["name"] for event in json.loads(first.out)["events"]]
    assert ("round-opened", "round-settled") == (names[0], names[-1])
    assert place.say("session", "show", session)["credit"] in {"49.00", "51.00"}
    assert place.say("seal")["size"] == place.say("verify")["events"]
