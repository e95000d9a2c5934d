"""A sandbox of the central system: a process of its own with its own store, for tests and demos.

    python -m ops.central.sandbox --port 8250 --store rights.db --seed 7 --lose-rate 0.2

It is as unreliable as it is asked to be, and honest underneath: it may delay, refuse, handle a
message twice, or act and lose its reply, and still decides each right once. Every choice follows
from the seed, the participation and the number of the message about it, so a run can be repeated.
It listens on the machine's own address only, and prints its URL when it is ready.
"""

import argparse
import asyncio
import hashlib
import signal
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import uvicorn
from fastapi import FastAPI, Request, Response
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from ops.central.messages import AnnulmentBody, RightBody, Totals
from ops.central.store import Asked, ContentConflict, RightsStore

HOST: Final = "127.0.0.1"
REJECTION: Final = "SANDBOX-REJECTED"
_ROME: Final = ZoneInfo("Europe/Rome")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the sandbox misbehaves: rates from 0 to 1, a delay, amounts that are always refused."""

    seed: int = 0
    delay_ms: int = 0
    """Between the decision, which is durable by then, and its reply."""
    reject_rate: float = 0.0
    reject_amounts: tuple[int, ...] = ()
    lose_rate: float = 0.0
    """How often the connection is dropped after the decision, without a reply."""
    repeat_rate: float = 0.0
    """How often a message is handled twice, as if it had been delivered twice."""

    def happens(self, rate: float, kind: str, what: object) -> bool:
        """Whether something of this rate happens to a right or a message."""
        digest = hashlib.sha256(f"{self.seed}:{kind}:{what}".encode()).digest()
        return int.from_bytes(digest[:8]) < rate * 2**64

    def rejection(self, participation: UUID, amount: int) -> str | None:
        """The code of the refusal of a right, or None; the same for ever."""
        rejects = self.happens(self.reject_rate, "reject", participation)
        return REJECTION if rejects or amount in self.reject_amounts else None


class DroppableProtocol(H11Protocol):
    """uvicorn's protocol that lets a request drop its own connection."""

    @override
    def connection_made(self, transport: Any) -> None:
        """Hand the transport on to the requests of this connection."""
        self.app_state = {**self.app_state, "transport": transport}
        super().connection_made(transport)


class Sandbox:
    """The answers of one sandbox: a store, and how it misbehaves around it."""

    def __init__(self, store: RightsStore, behaviour: Behaviour) -> None:
        self._store = store
        self._behaviour = behaviour

    def request(self, asked: Asked) -> str:
        """Decide a request once, whatever happens around it."""

        def rejection() -> str | None:
            return self._behaviour.rejection(asked.participation, asked.body.amount)

        return self._store.request(asked, rejection)

    def annul(self, asked: Asked, body: AnnulmentBody) -> str:
        """Decide an annulment once."""
        return self._store.annul(asked, body)

    async def reply(
        self, request: Request, participation: UUID, act: Callable[[], str]
    ) -> Response:
        """Act, perhaps twice; then reply, perhaps late, perhaps never."""
        message = f"{participation}:{self._store.attempt(participation)}"
        try:
            text = act()
            if self._behaviour.happens(self._behaviour.repeat_rate, "repeat", message):
                text = act()
        except ContentConflict:
            return Response(status_code=409)
        await asyncio.sleep(self._behaviour.delay_ms / 1000)
        if self._behaviour.happens(self._behaviour.lose_rate, "lose", message):
            request.state.transport.abort()
        return Response(text, media_type="application/json")

    def totals(self, day: date) -> Totals:
        """What was validated on a day."""
        return Totals(day=day, totals=self._store.totals(day.isoformat()))


def create_app(sandbox: Sandbox) -> FastAPI:
    """The routes; see `ops.central.messages` for what they take and give."""
    app = FastAPI(title="Central system sandbox", openapi_url=None)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/totals")
    async def totals(day: date) -> Totals:
        return sandbox.totals(day)

    @app.put("/rights/{participation}")
    async def request(participation: UUID, body: RightBody, http: Request) -> Response:
        asked = Asked(participation, body, today())
        return await sandbox.reply(http, participation, lambda: sandbox.request(asked))

    @app.post("/rights/{participation}/annulment")
    async def annul(participation: UUID, body: AnnulmentBody, http: Request) -> Response:
        asked = Asked(participation, body.right, today())
        return await sandbox.reply(http, participation, lambda: sandbox.annul(asked, body))

    return app


def today() -> str:
    """The business day by this machine's clock, as `YYYY-MM-DD` in Europe/Rome."""
    return datetime.fromtimestamp(time.time(), _ROME).date().isoformat()


def rate(text: str) -> float:
    """Read a rate from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError
    return value


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m ops.central.sandbox", description=__doc__)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    made.add_argument("--port", type=int, required=True, help="0 takes a free one")
    made.add_argument("--store", type=Path, required=True, help="the SQLite file")
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--delay-ms", type=int, default=0)
    made.add_argument("--reject-rate", type=rate, default=0.0)
    made.add_argument("--reject-amounts", type=int, nargs="*", default=(), help="minor units")
    made.add_argument("--lose-rate", type=rate, default=0.0)
    made.add_argument("--repeat-rate", type=rate, default=0.0)
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until a signal ends the process."""
    given = vars(parser().parse_args(arguments))
    port, file = given.pop("port"), given.pop("store")
    given["reject_amounts"] = tuple(given["reject_amounts"])
    app = create_app(Sandbox(RightsStore(file), Behaviour(**given)))
    config = uvicorn.Config(app, http=DroppableProtocol, log_level="warning", access_log=False)
    with socket.create_server((HOST, port)) as listener:
        print(f"http://{HOST}:{listener.getsockname()[1]}", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a stack trace
    main()
