"""Two days of play whose records are worked by hand, and how records are released and read.

Anna pays in 1,000.00 and takes 100.00 to roulette. 1.00 on 17 and 5.00 on red while 17 falls, which
is black, bring 36.00; 1.00 on red is void. She is away from 10:05 to 10:08, loses 5.00 on red to
zero, and ends her session at 11:08: staked 12.00, refunded 1.00, won 36.00, so that the house lost
25.00 to her. Then she takes 50.00 out of her conto, in which 975.00 are left.

Bruno pays in 1,000.00, takes 100.00 to Deuces Wild and is given 7.00. At 23:30 three of a kind for
five coins of 0.25 brings 1.25; at 23:50 he stakes 1.00 more, which is in play at midnight: he has
1,006.00 and 1.00 staked then. The hand loses at 1:20, and at 1:30 his session ends, which is
after midnight in UTC too: staked 2.25, won 1.25.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from lxml import etree

from ledger.domain import commands as cmd
from ledger.domain.money import Currency
from tests.deuces_table import NOTHING, TRIPLE, entropy
from tests.workers.history import DEUCES, Casino, red, straight
from workers.regulators.authority import Period
from workers.regulators.profiles import read_profile
from workers.regulators.registry import named
from workers.regulators.release import Blocked, Order, Written, release

MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)
NEW_YEAR = datetime(2027, 1, 1, 9, tzinfo=UTC)
"""Every period of the story is over."""
PROFILE = b"""{
  "es": {"operator": "C001", "warehouse": "ALM01", "means": {"card": 1}, "devices": {"web": "PC"}},
  "nl": {"operator": "contoposta", "data_safe": "safe-1", "instruments": {"card": "CREDIT_CARD"}}
}"""
SCHEMAS = Path(__file__).parents[3] / "shared" / "regulator"
"""The authorities' own files, beside the clone; the repository holds none of them."""


@dataclass(frozen=True, slots=True)
class Days:
    """The book after both days, and the two sessions."""

    casino: Casino
    anna: UUID
    bruno: UUID


def two_days(database: str, folder: Path) -> Days:
    """A book of its own in which both days were played, at the new year."""
    casino = Casino(database, folder, book=f"d{uuid4().hex[:8]}")
    casino.player("anna")
    casino.player("bruno")
    anna = casino.sit("anna")
    bruno = casino.sit("bruno", sheet=DEUCES, channel="app")
    casino.send(cmd.GrantBonus, session=bruno, amount=700, currency=Currency.EUR, reason="welcome")
    casino.play(anna, 17, straight(17), red("5.00"))
    casino.void(anna, casino.open_round(anna, red("1.00")))
    casino.wait(minutes=5)
    casino.disconnect(anna)
    casino.wait(minutes=3)
    casino.send(cmd.ReconnectSession, session=anna)
    casino.play(anna, 0, red("5.00"))
    casino.wait(hours=1)
    casino.send(cmd.CloseSession, session=anna)
    paid = {"player": "anna", "amount": 5_000, "currency": Currency.EUR}
    casino.send(cmd.Withdraw, **paid, reference="out-1", channel="card")
    _night(casino, bruno)
    casino.now = NEW_YEAR
    casino.seal()
    return Days(casino, anna, bruno)


def _night(casino: Casino, bruno: UUID) -> None:
    """Bruno's two hands, the second one over midnight."""
    casino.now = datetime(2026, 11, 30, 22, 30, tzinfo=UTC)
    won = casino.hand(bruno, (5, "0.25"), TRIPLE, "5s", "7c")
    casino.act(bruno, won, {"collect": True})
    casino.wait(minutes=20)
    lost = casino.deal(bruno, NOTHING, 2, "0.50")
    casino.wait(minutes=90)
    fresh = entropy(("4c", "6d", "8h", "Ts", "Qc"), NOTHING)
    casino.act(bruno, lost, {"hold": []}, fresh)
    casino.wait(minutes=10)
    casino.send(cmd.CloseSession, session=bruno)


def order(casino: Casino, code: str, unit: str, first: date, **fields: Any) -> Order:
    """An order for the records of a period, into the casino's folder."""
    authority = named(code)
    period = Period(unit, first, authority.zone)
    profile = read_profile(authority, PROFILE)
    given = {"folder": casino.folder / code, "schemas": None, "profile": profile}
    return Order(period, **{**given, **fields})


def released(casino: Casino, code: str, unit: str, first: date, **fields: Any) -> Written:
    """What is released for a period; it must not be blocked."""
    done = release(casino.ports, named(code), order(casino, code, unit, first, **fields))
    assert isinstance(done, Written), done
    return done


def blocked(casino: Casino, code: str, unit: str, first: date, **fields: Any) -> set[str]:
    """The controls that block a release, which writes nothing."""
    before = sorted(casino.folder.rglob("*"))
    done = release(casino.ports, named(code), order(casino, code, unit, first, **fields))
    assert isinstance(done, Blocked), done
    assert before == sorted(casino.folder.rglob("*"))
    return {finding.check for finding in done.findings}


@contextmanager
def tampered(casino: Casino, table: str, statement: str) -> Iterator[None]:
    """Folded rows changed as only a fault or a forger could, and put back at the end."""
    options = f"-c search_path={casino.book}"
    with psycopg.connect(casino.conninfo, options=options, autocommit=True) as connection:
        connection.execute(f"CREATE TEMP TABLE kept AS TABLE {table}")
        connection.execute(statement)
        try:
            yield
        finally:
            connection.execute(f"TRUNCATE {table}")
            connection.execute(f"INSERT INTO {table} SELECT * FROM kept")


def schemas(code: str) -> Path:
    """The folder of an authority's schemas; the test is skipped where it is not there."""
    folder = SCHEMAS / code
    if not folder.is_dir():
        pytest.skip(f"the authority's schemas are not in {folder}: put them there to validate")
    return folder


def parsed(path: Path) -> Any:
    """The root of a document."""
    return etree.parse(path).getroot()


def texts(element: Any, *paths: str) -> tuple[str | None, ...]:
    """The texts at some paths below an element, whatever its namespace."""
    return tuple(element.findtext("/".join(f"{{*}}{n}" for n in p.split("/"))) for p in paths)


def totals(element: Any, *names: str) -> Mapping[str, str]:
    """The amounts of Spanish fields, by name: their totals where they have a breakdown."""
    found = {}
    for name in names:
        told = texts(element, f"{name}/Total/Linea/Cantidad", f"{name}/Linea/Cantidad")
        found[name] = told[0] or told[1] or texts(element, f"{name}/Total")[0]
    return found
