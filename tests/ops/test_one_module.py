"""A report more, or an authority more, is one module and its name in a registry: nothing else.

Both are added to a copy of the packages, and asked for by its own command line, on a real book.
"""

import json
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from tests.ops.test_cli_book import RED, let_pass
from tests.program import BOUND, PROGRAM, ROOT, Shop, environment, simulated_shop
from tests.workers.two_days import parsed, texts

REPORT = '''"""How many players ended a session."""

from workers.log import sql
from workers.reports.periods import Unit
from workers.reports.table import Column, Kind, listing

KIND, TITLE, VERSION, FILTERS = "headcount", "Headcount", 1, "none"
PROJECTIONS, PERIOD, DUE = ("sessions",), ("players",), (Unit.DAY,)
COLUMNS = (Column("sheet", Kind.TEXT), Column("players", Kind.COUNT))
QUERY = """SELECT sheet, count(DISTINCT player)::int FROM {book}.p_sessions
            WHERE closed_at >= %s AND closed_at < %s GROUP BY sheet"""


def sections(cursor, ports, period):
    ends = (period.days.begins, period.days.ends)
    return (listing("players", COLUMNS, cursor.execute(sql(QUERY, ports.book), ends).fetchall()),)
'''

AUTHORITY = '''"""An authority that asks how many sessions ended."""

from workers.log import sql
from workers.regulators.authority import Authority, Document, Draft, Profile, alone, unchained
from workers.regulators.xml import maker

E = maker()
QUERY = """SELECT count(*)::int FROM {book}.p_sessions
            WHERE closed_at >= %s AND closed_at < %s"""


def read(cursor, ports, release):
    ends = (release.period.begins, release.period.ends)
    return cursor.execute(sql(QUERY, ports.book), ends).fetchone()[0]


def draft(ended, release, profile):
    name = f"at-{release.stem}.xml"
    return Draft((Document(name, E.Ended(E.Sessions(str(ended))), "ended.xsd"),), (), {})


ATLANTIS = Authority("at", "Atlantis", "UTC", ("day",), Profile, ("sessions",), read, draft,
                     alone, unchained)
'''


@pytest.fixture(scope="module")
def over(forks, cluster, tmp_path_factory) -> Shop:
    """A book in which anna's session ended on 1 December, and that day is over."""
    shop = simulated_shop(forks, cluster, tmp_path_factory.mktemp("over"))
    session = shop.session(shop.player("anna-1"))
    shop.say("play", session, RED)
    shop.say("session", "close", session)
    shop.say("seal")
    let_pass(shop, timedelta(hours=36))
    return shop


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the packages."""
    folder, unwanted = tmp_path_factory.mktemp("copy"), shutil.ignore_patterns("__pycache__")
    for package in ("ledger", "games", "workers", "ops"):
        shutil.copytree(ROOT / package, folder / package, ignore=unwanted)
    return folder


def named(registry: Path, before: str, name: str) -> None:
    """Put a name before another one wherever a registry has a line for that one alone."""
    lines = registry.read_text().splitlines(keepends=True)
    assert any(line.strip() == before for line in lines)
    registry.write_text("".join(_with(line, before, name) for line in lines))


def _with(line: str, before: str, name: str) -> str:
    return line.replace(before, name) + line if line.strip() == before else line


def asked(over: Shop, copy: Path, *arguments: str, **settings: str) -> list[Path]:
    """The files that the copy's command line produces."""
    env = environment(over.home, **{**over.settings, **settings}) | {"PYTHONPATH": str(copy)}
    command = [*PROGRAM, *arguments, "--json"]
    done = subprocess.run(
        command, env=env, cwd=copy, capture_output=True, timeout=BOUND, check=False
    )
    assert 0 == done.returncode, done
    return [Path(path) for path in json.loads(done.stdout)["files"]]


def test_a_report_more_is_one_module_and_its_name_in_the_registry(over, copy):
    """Given the module, when its report is asked for, then it is told in every form."""
    (copy / "workers/reports/headcount.py").write_text(REPORT)
    named(copy / "workers/reports/registry.py", "large_wins,", "headcount,")

    files = asked(over, copy, "report", "headcount", "--day", "2026-12-01")

    endings = ("csv", "it.csv", "json", "pdf")
    assert [f"headcount-2026-12-01.{e}" for e in endings] == [path.name for path in files]
    document = json.loads(files[2].read_bytes())
    assert ("Headcount", "Activity") == (document["card"]["title"], document["card"]["activity"])
    assert [("european-roulette-classic", 1)] == [
        (line["sheet"], line["players"]) for line in document["sections"][0]["lines"]
    ]


def test_an_authority_more_is_one_module_and_its_name_in_the_registry(over, copy, tmp_path):
    """Given the module, when its records are asked for, then they are released."""
    (copy / "workers/regulators/atlantis.py").write_text(AUTHORITY)
    registry = copy / "workers/regulators/registry.py"
    named(registry, "SPAIN,", "ATLANTIS,")
    registry.write_text("from workers.regulators.atlantis import ATLANTIS\n" + registry.read_text())
    profile = tmp_path / "authorities.json"
    profile.write_text('{"at": {}}')

    (file,) = asked(over, copy, "report", "at", "--day", "2026-12-01", AUTHORITIES=str(profile))

    assert ("at-2026-12-01.xml", ("1",)) == (file.name, texts(parsed(file), "Sessions"))
