"""No number is known before it is drawn, and no secret before it is told (G7, G10, S10).

The test draws all entropy of the house itself, so that it knows what nobody may read, and looks for
it wherever anything is answered, kept, shown, counted, logged or complained of.
"""

import base64
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_bytes
from typing import Any
from uuid import UUID, uuid4

import pytest
from prometheus_client import REGISTRY, generate_latest
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from games.registry import BY_ENGINE
from games.roulette.fairplay.secret import number_of, read
from ledger.domain import commands as cmd
from ledger.domain.ids import series_stream, session_stream
from ledger.domain.refusals import Fault
from ledger.seal.verify import Bite
from ops.cluster import binary
from ops.fairplay import Wish
from ops.workers import theoretical_return
from tests.fairplay_desk import RED, SHEET, FairDesk, fair_desk, pocket
from tests.games.roulette.fairplay.test_attack import LENGTH, SERIES, hits
from tests.house import CODEC
from workers.metrics import registry_for_scrape
from workers.ports import Ports
from workers.project import project_all

NUMBERS = 7


@dataclass
class Spy:
    """A desk whose entropy is known, and all that was said."""

    at: FairDesk
    drawn: list[bytes]
    told: list[str] = field(default_factory=list)
    series: UUID = field(default_factory=uuid4)

    def prepare(self) -> None:
        """Prepare a series for anna-1."""
        self.drawn.clear()
        answer = self.at.fairplay.prepare(Wish("anna-1", SHEET, NUMBERS, "mykey7"), uuid4())
        self.told.append(answer.to_bytes().decode())
        self.series = answer.entries[0].event.series

    @property
    def entropy(self) -> list[bytes]:
        """What each number was mapped from, in order."""
        return self.drawn[:NUMBERS]

    @property
    def numbers(self) -> list[int]:
        """The numbers."""
        return [number_of(entropy) for entropy in self.entropy]

    @property
    def key(self) -> str:
        """The house's key in the secret string."""
        return self.drawn[NUMBERS].hex()

    def secrets(self, played: int) -> dict[str, list[bytes]]:
        """What nobody may read when so many numbers were drawn, in the forms that it might have.

        Of a number that was drawn, one byte is on record and the others were never used.
        """
        left = [f"{number:02}" for number in self.numbers[played:]]
        whole = [f"{number:02}" for number in self.numbers]
        found = {
            "key": _forms(bytes.fromhex(self.key)),
            "start": [b"-SRVKEY-", b"-START-"],
            "sequence": _sequences(whole) + _sequences(left),
        }
        for place, entropy in enumerate(self.entropy, 1):
            found[f"entropy {place}"] = _forms(entropy[1:] if place <= played else entropy)
        path = self.at.fairplay.keys.folder / f"{self.series}.series"
        keys = path.read_bytes()
        return found | {f"seal {at}": _forms(keys[at : at + 32]) for at in range(0, len(keys), 32)}


def _forms(secret: bytes) -> list[bytes]:
    """Bytes as they are, in hexadecimal of either case, in base64, and as Python prints them."""
    text = base64.b64encode(secret)[: len(secret) * 4 // 3 - 1]
    return [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        text,
        repr(secret).encode(),
    ]


def _sequences(numbers: list[str]) -> list[bytes]:
    """Numbers in a row as a string, a list or a tuple would have them."""
    plain = [str(int(number)) for number in numbers]
    return [glue.join(row).encode() for row in (numbers, plain) for glue in ("-", ",", ", ", " ")]


def everything(spy: Spy, server_log: Path) -> Iterator[bytes]:
    """All that a thief could carry away from the book's machine, and all that was said."""
    house = spy.at.house
    with house.as_superuser() as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = %s", (house.book,)
        ).fetchall()
        assert len(tables) > 10
        for schema, table in tables:
            query = SQL("SELECT t::text FROM {}.{} t").format(Identifier(schema), Identifier(table))
            for (row,) in connection.execute(query):
                yield row.encode()
    with house.connected() as connection:
        states = connection.execute(f"SELECT state FROM {house.book}.events").fetchall()
        yield from (bytes(state) for (state,) in states)
    yield subprocess.run(
        [binary("pg_dump"), "--dbname", house.conninfo, f"--schema={house.book}"],
        capture_output=True,
        check=True,
        timeout=120,
        env={"PATH": os.defpath},
    ).stdout
    yield server_log.read_bytes()
    yield generate_latest(REGISTRY)
    yield generate_latest(registry_for_scrape(house_folder(spy), lambda: ports(spy)))
    yield "\n".join(spy.told).encode()


def house_folder(spy: Spy) -> Path:
    """The folder beside the keys."""
    return spy.at.fairplay.keys.folder.parent


def ports(spy: Spy) -> Ports:
    """The workers' ports over the spied desk."""
    at = spy.at
    return Ports(
        book=at.house.book,
        connect=at.house.connected,
        codec=CODEC,
        now=lambda: at.house.now,
        handle=at.desk.handle,
        state=at.desk.service.state,
        seal=lambda: 0,
        ask=lambda *_: "unknown",
        finish=at.fairplay.finish,
        series_kept=at.fairplay.keys.kept,
        retire=at.fairplay.retire,
        pass_turn=lambda _: "unknown",
        disconnect_idle=lambda _: "unknown",
        erase=at.desk.vault.destroy,
        snapshot=at.desk.service.take_snapshot,
        theory=theoretical_return,
        verify=lambda _: Bite(None, None),
        attest=bytes,
        is_attested=lambda *_: False,
        totals=lambda _: (),
        rules=BY_ENGINE.__getitem__,
        reports=house_folder(spy) / "reports",
    )


def traces(spy: Spy, texts: Iterator[bytes], played: int) -> set[str]:
    """Which secrets stand in any of some texts."""
    secrets = spy.secrets(played)
    return {
        name
        for text in texts
        for name, forms in secrets.items()
        if any(form in text for form in forms)
    }


@pytest.fixture
def spy(house, tmp_path) -> Spy:
    """A desk at which every draw is known, with a VIP player."""
    at = fair_desk(house, tmp_path)
    drawn: list[bytes] = []

    def entropy(size: int) -> bytes:
        drawn.append(token_bytes(size))
        return drawn[-1]

    object.__setattr__(at.fairplay, "entropy", entropy)
    at.player("anna-1")
    return Spy(at, drawn)


def ask_too_much(spy: Spy, session: UUID) -> None:
    """All that could make the house say too much: refused, cut off, and dry runs."""
    at, series = spy.at, spy.series
    for answer in (
        at.fairplay.reveal(series, uuid4()),
        at.spin(session, series, RED | {"amount": "1.00"}),
        at.spin(session, series, RED, offset=99),
        at.spin(session, uuid4(), RED),
        at.fairplay.prepare(Wish("bruno-1", SHEET, NUMBERS), uuid4()),
    ):
        spy.told += [answer.to_bytes().decode(), str(answer.message)]
        assert answer.refusal is not None
    for kind in (cmd.RevealSeries, cmd.EndSeries, cmd.ExpireSeries):
        asked = kind(**at.desk.head(), series=series)
        spy.told.append(repr(at.desk.service.dry_run(asked, at.house.now)))
    spy.told += [repr(at.desk.session(session)), repr(at.fairplay.state(series))]
    spy.told += [repr(at.fairplay.played(series)), repr(at.fairplay.prepared(series))]
    spy.told += [at.fairplay.retire(series), repr(at.fairplay)]


def lose_the_keys(spy: Spy, session: UUID) -> None:
    """Draw while the key file is damaged, and while it is gone; then put it back."""
    at, series = spy.at, spy.series
    command = uuid4()
    at.lay(session, series, command)
    path = at.fairplay.keys.folder / f"{series}.series"
    whole = path.read_bytes()
    for damaged in (whole[::-1], whole[:40], None):
        path.unlink()
        if damaged is not None:
            path.write_bytes(damaged)
        with pytest.raises(Fault) as fault:
            at.spin(session, series, command=command)
        spy.told += [str(fault.value), repr(fault.value.__cause__)]
        path.touch()
    path.write_bytes(whole)
    answer = at.spin(session, series, command=command)
    spy.told.append(answer.to_bytes().decode())


def test_g10_nothing_tells_a_number_before_it_is_drawn_or_the_secret_before_the_reveal(
    spy: Spy, home: Path, caplog
) -> None:
    """Given a series in play, with faults and refusals in between, then no secret is anywhere.

    After the reveal the same search finds the string, and still none of the seals.
    """
    caplog.set_level(0)
    log = home / "postgres" / "server.log"
    with capture_logs() as logs:
        spy.prepare()
        session = spy.at.sit("anna-1")
        assert set() == traces(spy, everything(spy, log), 0)
        ask_too_much(spy, session)
        spy.told.append(spy.at.spin(session, spy.series, RED).to_bytes().decode())
        lose_the_keys(spy, session)
        fold(spy, session)
        spy.told += [str(logs), caplog.text]
        assert set() == traces(spy, everything(spy, log), 2)
    spy.at.fairplay.end(spy.series, uuid4())
    known = spy.secrets(2)
    keys = (spy.at.fairplay.keys.folder / f"{spy.series}.series").read_bytes()
    assert {f"seal {n * 32}" for n in range(NUMBERS + 1)} == traces(spy, iter([keys]), 2)
    spy.told.append(spy.at.reveal(spy.series))
    text = b"\n".join(everything(spy, log))
    found = {name for name, forms in known.items() if any(form in text for form in forms)}

    assert {"key", "start", "sequence"} == found


def fold(spy: Spy, session: UUID) -> None:
    """Projections and snapshots of all that there is."""
    spy.at.house.seal()
    project_all(ports(spy))
    for stream in (session_stream(session), series_stream(spy.series)):
        with suppress(Fault):
            spy.at.desk.service.take_snapshot(stream)


def test_g7_bets_are_durable_before_their_number_is_opened(spy: Spy, monkeypatch) -> None:
    """At each opening the round and its bets stand in the table, committed, and no draw does."""
    seen = []
    keys = type(spy.at.fairplay.keys)
    opens = keys.unseal

    def opening(self: Any, sealed: Any) -> bytes:
        house = spy.at.house
        topics = ("number-taken", "bet-placed", "draw-recorded")
        count = "SELECT count(*) FROM events WHERE topic = %s"
        seen.append([sealed.place, *(house.rows(count, topic)[0][0] for topic in topics)])
        return opens(self, sealed)

    spy.prepare()
    session = spy.at.sit("anna-1")
    monkeypatch.setattr(keys, "unseal", opening)
    came = [pocket(spy.at.spin(session, spy.series, RED)) for _ in range(3)]

    assert spy.numbers[:3] == came
    assert [[1, 1, 1, 0], [2, 2, 2, 1], [3, 3, 3, 2]] == seen


def test_s10_no_formula_predicts_the_numbers_of_really_prepared_series(house, tmp_path) -> None:
    """20 series of 50 from the desk with the system's own dice, all that is public as seeds.

    Series ids and ciphertexts are among them. Of 1,000 numbers chance hits 27 in each turn with a
    deviation of 5.1; the luckiest of some 60,000 ways may lie near 27 + 4.6 * 5.1 = 51.
    """
    at = fair_desk(house, tmp_path)
    told, public = [], {}
    for number in range(SERIES):
        player = at.player(f"anna-{number}")
        answer = at.fairplay.prepare(Wish(player, SHEET, LENGTH, f"mykey{number}"), uuid4())
        event = answer.entries[0].event
        ciphers = [base64.b64decode(s.ciphertext) for s in (event.secret, *event.numbers[:2])]
        public[event.alias] = [event.series.bytes, str(event.series).encode(), *ciphers]
        assert at.fairplay.end(event.series, uuid4()).refusal is None
        told.append(read(at.reveal(event.series)).secret)
        house.later(seconds=61)
    best = hits(told, public)

    assert SERIES * LENGTH == sum(len(secret.numbers) for secret in told)
    assert len(best) > 900
    assert max(best.values()) < 65
