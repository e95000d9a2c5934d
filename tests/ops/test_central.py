"""The central system's client against a real sandbox process, real kills and real bad replies.

Each sandbox is a process of its own with its own store; what it forgets and what it keeps after
SIGKILL is what is tested (rulings C1, G9).
"""

import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx
import pytest

from ledger.central import (
    Annulled,
    CentralFault,
    Rejected,
    RightRequest,
    TooLate,
    Unknown,
    Validated,
    request_of,
)
from ledger.domain import session as ses
from ledger.domain.ids import session_stream
from ledger.domain.money import Currency
from ledger.rights import settle_right
from ops.central.client import HttpCentral
from ops.central.messages import Total

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 30
EUR, RUR = Currency.EUR, Currency.RUR


class Process:
    """A sandbox process over a store, and a client of it."""

    def __init__(self, store: Path, *options: str, timeout: float = WAIT_SECONDS) -> None:
        command = [sys.executable, "-m", "ops.central.sandbox", "--port", "0", "--store", store]
        self._process = subprocess.Popen(
            [*command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self.url = self._process.stdout.readline().strip()
        self.client = HttpCentral(self.url, timeout)

    def kill(self) -> None:
        """End it without a warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """End it if it still runs."""
        self.kill()
        self._process.stdout.close()
        self.client.close()

    def counted(self) -> list[Total]:
        """The valid rights of yesterday, today and tomorrow, so that midnight is no matter."""
        today = datetime.fromtimestamp(time.time(), ZoneInfo("Europe/Rome")).date()
        days = [(today + timedelta(days=d)).isoformat() for d in (-1, 0, 1)]
        return [total for day in days for total in self.client.totals(day).totals]


@pytest.fixture
def start(tmp_path):
    """Start sandboxes over this test's store; all are ended at the end."""
    started = []

    def run(*options, timeout=WAIT_SECONDS, store="rights.db"):
        started.append(Process(tmp_path / store, *options, timeout=timeout))
        return started[-1]

    yield run
    for process in started:
        process.close()


def right(amount=5_000, session=None, **fields):
    """A request for a new right."""
    common = {"player": "anna-1", "sheet": "coin-flip", "currency": EUR, "purchase": "initial"}
    return RightRequest(uuid4(), session or uuid4(), amount=amount, **(common | fields))


def wait_until(condition):
    """Look again until something holds; a test that waits for ever fails."""
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_c1_a_yes_tells_the_sessions_running_count_and_total(start):
    """Rights of another session do not count; each has a ticket of its own."""
    client, session = start().client, uuid4()
    first = client.request(right(5_000, session))
    other = client.request(right(700))
    second = client.request(right(1_000, session, purchase="further"))

    assert [(a.count, a.total) for a in (first, other, second)] == [
        (1, 5_000),
        (1, 700),
        (2, 6_000),
    ]
    assert len({first.ticket, other.ticket, second.ticket}) == 3


def test_g3_the_same_right_is_answered_the_same_for_ever(start):
    """Also after a kill; it is counted once."""
    ask, sandbox = right(), start()
    first = sandbox.client.request(ask)
    again = sandbox.client.request(ask)
    sandbox.kill()
    later = start()

    assert first == again == later.client.request(ask)
    assert later.counted() == [Total(currency=EUR, count=1, amount=5_000, sessions=1)]


def test_g3_a_right_known_with_another_content_is_a_fault(start):
    """In a request and in an annulment; the first content stands."""
    sandbox, ask = start(), right()
    first = sandbox.client.request(ask)
    changed = replace(ask, amount=5_001)

    with pytest.raises(CentralFault, match="another content"):
        sandbox.client.request(changed)
    with pytest.raises(CentralFault, match="another content"):
        sandbox.client.annul(changed, "no answer")
    assert first == sandbox.client.request(ask)


def test_c1_a_no_has_a_code_and_stands(start):
    """Amounts that the sandbox is told to refuse are refused for ever, others are not."""
    sandbox, ask = start("--reject-amounts", "1300", "1700"), right(1_700)

    assert sandbox.client.request(ask) == Rejected("SANDBOX-REJECTED")
    assert isinstance(sandbox.client.request(right(1_500)), Validated)
    sandbox.kill()
    assert start().client.request(ask) == Rejected("SANDBOX-REJECTED")


def test_the_same_seed_rejects_the_same_rights(start):
    """A run can be repeated; a rate of a half refuses some and not others."""
    options, asks = ("--seed", "7", "--reject-rate", "0.5"), [right() for _ in range(32)]
    first, second = start(*options, store="a.db"), start(*options, store="b.db")
    kinds = [[type(s.client.request(ask)) for ask in asks] for s in (first, second)]

    assert kinds[0] == kinds[1]
    assert {Validated, Rejected} == set(kinds[0])


def test_c1_a_reply_that_is_lost_after_the_act_is_unknown_and_then_the_same(start):
    """The sandbox acts, drops the connection, and is killed; asked again it counted once."""
    lossy, ask = start("--lose-rate", "1"), right()

    assert isinstance(lossy.client.request(ask), Unknown)
    assert isinstance(lossy.client.request(ask), Unknown)
    lossy.kill()
    sandbox = start()
    answer = sandbox.client.request(ask)

    assert answer == Validated("SANDBOX-000000000001", 1, 5_000)
    assert sandbox.counted() == [Total(currency=EUR, count=1, amount=5_000, sessions=1)]


def test_c1_a_sandbox_killed_between_act_and_reply_acted_once(start):
    """It is killed while its decision is durable and its reply still waits."""
    slow, ask = start("--delay-ms", "60000"), right()
    with ThreadPoolExecutor(1) as caller:
        asked = caller.submit(slow.client.request, ask)
        wait_until(slow.counted)
        slow.kill()
        heard = asked.result()
    sandbox = start()

    assert isinstance(heard, Unknown)
    assert sandbox.client.request(ask) == Validated("SANDBOX-000000000001", 1, 5_000)
    assert sandbox.counted() == [Total(currency=EUR, count=1, amount=5_000, sessions=1)]


def test_c1_no_answer_in_time_is_unknown(start):
    """The sandbox has decided, and the client cannot know it."""
    slow = start("--delay-ms", "60000", timeout=0.2)

    assert slow.client.request(right()) == Unknown("ReadTimeout")


def test_c1_nobody_there_is_unknown(start):
    """A refused connection says nothing about what happened before."""
    sandbox = start()
    sandbox.kill()

    assert sandbox.client.request(right()) == Unknown("ConnectError")
    assert sandbox.client.annul(right(), "no answer") == Unknown("ConnectError")
    assert sandbox.client.totals("2026-03-02") == Unknown("ConnectError")


def test_g3_a_message_that_is_delivered_twice_is_counted_once(start):
    """The sandbox handles each message twice and gives one answer."""
    sandbox, session = start("--repeat-rate", "1"), uuid4()
    answers = [sandbox.client.request(right(1_000, session)) for _ in range(3)]

    assert [(a.count, a.total) for a in answers] == [(1, 1_000), (2, 2_000), (3, 3_000)]
    assert sandbox.counted() == [Total(currency=EUR, count=3, amount=3_000, sessions=1)]


def test_c1_a_right_can_be_annulled_before_it_is_asked_for(start):
    """The late request finds the annulment, with its first reason, and counts nothing."""
    sandbox, ask = start(), right()

    assert sandbox.client.annul(ask, "no answer") == Annulled("no answer")
    assert sandbox.client.annul(ask, "another reason") == Annulled("no answer")
    assert sandbox.client.request(ask) == Annulled("no answer")
    assert sandbox.counted() == []


def test_c1_an_annulment_after_the_decision_is_too_late(start):
    """A yes stands with its ticket, a no stands with its code."""
    sandbox = start("--reject-amounts", "1300")
    valid, refused = right(), right(1_300)
    yes = sandbox.client.request(valid)
    sandbox.client.request(refused)

    assert sandbox.client.annul(valid, "no answer") == TooLate(yes)
    assert sandbox.client.annul(refused, "no answer") == Rejected("SANDBOX-REJECTED")
    assert sandbox.client.request(valid) == yes


def test_totals_are_by_currency_and_empty_on_a_day_without_rights(start):
    """Only valid rights count."""
    sandbox = start("--reject-amounts", "1300")
    for ask in (right(1_000), right(2_000), right(1_300), right(400, currency=RUR)):
        sandbox.client.request(ask)

    assert sandbox.counted() == [
        Total(currency=EUR, count=2, amount=3_000, sessions=2),
        Total(currency=RUR, count=1, amount=400, sessions=1),
    ]
    assert sandbox.client.totals("2001-01-01").totals == ()


def test_the_sandbox_is_healthy_and_reached_from_this_machine_alone(start):
    """It listens on 127.0.0.1, not on another address of the same machine."""
    url = httpx.URL(start().url)

    assert httpx.get(f"{url}/health", trust_env=False).json() == {"status": "ok"}
    assert url.host == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", url.port), 1)


@pytest.mark.parametrize("option", [("--lose-rate", "1.5"), ("--reject-rate", "some"), ()])
def test_a_wrong_option_ends_the_start(option, tmp_path):
    """A rate is from 0 to 1, and a store must be named."""
    store = ("--store", str(tmp_path / "rights.db")) if option else ()
    command = [sys.executable, "-m", "ops.central.sandbox", "--port", "0", *store, *option]

    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 2


CHILD = """
import os, signal, sys
from uuid import UUID
from ledger.domain.ids import session_stream
from ledger.central import request_of
from ledger.rights import settle_right
from ops.central.client import HttpCentral
from tests.house import at_house

conninfo, book, url, session, when = sys.argv[1:]

def handle(command):
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    house.ask(command)
    os.kill(os.getpid(), signal.SIGKILL)

with at_house(conninfo, book) as house, HttpCentral(url) as central:
    state = house.service.state(session_stream(UUID(session)))
    settle_right(request_of(UUID(session), state), central, handle)
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_g9_a_desk_killed_around_the_recording_loses_and_doubles_nothing(start, house, when):
    """The process that heard the yes dies before or after the book has recorded it."""
    sandbox = start("--repeat-rate", "1")
    house.conto("anna-1", 5_000)
    session = house.request("anna-1", 5_000)
    waiting = house.service.state(session_stream(session))
    ask = request_of(session, waiting)
    arguments = [house.conninfo, house.book, sandbox.url, str(session), when]
    child = subprocess.run([sys.executable, "-c", CHILD, *arguments], cwd=ROOT, check=False)
    result = settle_right(ask, sandbox.client, house.ask)
    again = settle_right(ask, sandbox.client, house.ask)
    state = house.service.state(session_stream(session))

    assert child.returncode == -signal.SIGKILL
    assert isinstance(waiting, ses.Pending)
    assert result.outcome.refusal is None
    assert result.outcome.to_bytes() == again.outcome.to_bytes()
    assert (state.posta, state.funded) == (5_000, 5_000)
    assert sandbox.counted() == [Total(currency=EUR, count=1, amount=5_000, sessions=1)]
    house.seal()
    assert house.verify() == ()
