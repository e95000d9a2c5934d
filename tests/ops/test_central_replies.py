"""Replies of a central system that no honest one gives: a fault or unknown, never a guess (G9)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from uuid import UUID

import pytest

from ledger.central import (
    CentralFault,
    RightRequest,
    Unknown,
    Validated,
)
from ledger.domain.money import Currency
from ops.central.client import HttpCentral

WAIT_SECONDS = 30


@contextmanager
def answering(status: int, body: bytes, length: int | None = None) -> Iterator[HttpCentral]:
    """A client of a real server that gives one reply to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self):
            """Give the reply."""
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        with HttpCentral(f"http://127.0.0.1:{server.server_port}", WAIT_SECONDS) as client:
            yield client
        server.shutdown()
        thread.join()


ASK = RightRequest(UUID(int=50), UUID(int=1), "anna-1", "coin-flip", 5_000, Currency.EUR, "initial")
GOOD = {
    "outcome": "validated",
    "participation": str(ASK.participation),
    "amount": 5_000,
    "ticket": "T-1",
    "count": 2,
    "total": 6_000,
}


def test_a_good_reply_is_taken():
    """The replies below differ from this one in one thing."""
    with answering(200, json.dumps(GOOD).encode()) as client:
        assert client.request(ASK) == Validated("T-1", 2, 6_000)


@pytest.mark.parametrize(
    "change",
    [
        {"participation": str(UUID(int=51))},
        {"amount": 5_001},
        {"amount": 5_000.0},
        {"amount": "5000"},
        {"total": 4_999},
        {"count": 1},
        {"count": 0},
        {"count": True},
        {"ticket": ""},
        {"ticket": None},
        {"outcome": "perhaps"},
        {"outcome": "rejected"},
        {"note": "extra"},
    ],
    ids=str,
)
def test_a_reply_that_contradicts_the_request_or_itself_is_a_fault(change):
    """It is never read as yes or no."""
    with answering(200, json.dumps(GOOD | change).encode()) as client, pytest.raises(CentralFault):
        client.request(ASK)


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b""), (200, b"OK"), (200, b"[]"), (200, b"null"), (204, b""), (301, b""), (404, b"{}")],
)
def test_a_reply_that_cannot_be_read_is_a_fault(status, body):
    """Only a whole reply with status 200 is an answer."""
    with answering(status, body) as client, pytest.raises(CentralFault):
        client.request(ASK)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_an_error_of_the_server_is_unknown(status):
    """It may have acted before it failed."""
    with answering(status, json.dumps(GOOD).encode()) as client:
        assert client.request(ASK) == Unknown(f"status {status}")


def test_a_reply_that_breaks_off_is_unknown():
    """Half a reply is no reply."""
    with answering(200, json.dumps(GOOD).encode(), length=10_000) as client:
        assert client.request(ASK) == Unknown("RemoteProtocolError")
