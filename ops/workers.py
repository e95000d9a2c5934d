"""Wires the book to its workers: their ports, built where they are used, and their application."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

import psycopg

from games.registry import BY_ENGINE
from ledger.central import Unknown
from ledger.rights import Book, settle_pending
from ledger.seal.publishing import Busy
from ledger.seal.verify import Bite
from ledger.store.recorder import session_options
from ops import bootstrap, embedded
from ops.clock import clock_of
from ops.desk import Desk
from ops.pit import disconnect_idle, pass_turn
from ops.settings import Settings
from ops.signing_keys import check_signing_key, signing_key, signing_keys
from workers.app import BookCelery, Config, make_app, pgmq_options
from workers.duties import ACTOR, DONE
from workers.ports import Connection, Ports, Role

PGMQ: Final = "pgmq://localhost//"
"""The broker's URL where none is set; the database is named by a transport option."""

RANGE: Final = 200_000
"""Events that one task verifies: a minute of one core, where a task may take ten."""

NOT_WAITING: Final = "not-waiting"
UNKNOWN: Final = "unknown"


def ports(settings: Settings) -> Ports:
    """The ports of the book for one process."""
    desk = bootstrap.desk(settings, ACTOR)
    fairplay = bootstrap.fairplay(settings, desk)
    return Ports(
        book=settings.book,
        connect=lambda role: connected(settings, role),
        codec=bootstrap.codec(),
        now=clock_of(settings),
        handle=desk.handle,
        state=desk.service.state,
        seal=lambda: _seal(settings),
        ask=lambda session, participation: _ask(desk, session, participation),
        finish=fairplay.finish,
        series_kept=fairplay.keys.kept,
        retire=fairplay.retire,
        pass_turn=lambda table: pass_turn(desk, table) or DONE,
        disconnect_idle=lambda session: disconnect_idle(desk, session) or DONE,
        erase=desk.vault.destroy,
        snapshot=desk.service.take_snapshot,
        theory=theoretical_return,
        rules=BY_ENGINE.__getitem__,
        reports=settings.reports,
        verify=lambda carried: _verify(settings, carried),
        attest=lambda message: signing_key(settings).sign(message),
        is_attested=lambda message, signature: _is_attested(settings, message, signature),
        totals=desk.central.day_totals,
        authorities=settings.authorities,
        schemas=settings.schemas,
        statements=settings.statements,
        publish=None if settings.tiles is None else partial(_publish, settings, settings.tiles),
    )


@contextmanager
def connected(settings: Settings, role: Role) -> Iterator[Connection]:
    """A connection in one of the book's roles, for statements whose plans depend on their values.

    Ranges of positions are wide or narrow, so that one plan for all of them would be a bad one.
    """
    options = session_options(f"{settings.book}_{role}")
    options["options"] += " -c plan_cache_mode=force_custom_plan"
    conninfo = embedded.database_conninfo(settings)
    with psycopg.connect(conninfo, autocommit=True, **options) as connection:
        yield connection


def theoretical_return(engine: str, text: str, bet_kind: str | None) -> Fraction:
    """The return of a kind of bet, or without one the least of any that a sheet offers."""
    game = BY_ENGINE[engine]
    returns = game.returns(game.engine.read_sheet(text))
    return min(r.expected for r in returns if bet_kind in (None, r.kind))


def celery(settings: Settings) -> BookCelery:
    """The Celery application of the book."""
    # The transport of the queues would take this variable for its own and leave the book's server.
    os.environ.pop("DATABASE_URL", None)
    own = settings.broker_url is None
    conninfo = embedded.broker_conninfo(settings) if own else ""
    return make_app(
        Config(
            book=settings.book,
            broker=PGMQ if settings.broker_url is None else settings.broker_url.get_secret_value(),
            results=embedded.result_url(settings),
            transport_options=pgmq_options(conninfo) if own else {},
            wire=lambda: _sealing_ports(settings),
        )
    )


def _sealing_ports(settings: Settings) -> Ports:
    require_signing_key(settings)
    return ports(settings)


def require_signing_key(settings: Settings) -> None:
    """Any worker may be told to seal: raise `SettingsError` when it could not."""
    with bootstrap.connected(settings) as connection:
        check_signing_key(settings, connection)
    signing_keys(settings)


def _seal(settings: Settings) -> int:
    with bootstrap.connected(settings, "sealer") as connection:
        return bootstrap.sealer(settings).seal_all(connection)


def _verify(settings: Settings, carried: bytes | None) -> Bite:
    with bootstrap.connected(settings) as connection:
        verifier = bootstrap.verifier(settings, connection)
        return verifier.bite(bootstrap.trust(settings), carried, RANGE)


def _is_attested(settings: Settings, message: bytes, signature: bytes) -> bool:
    keys = signing_keys(settings)
    return any(key.verifying_key.vouches(message, signature) for key in keys)


def _publish(settings: Settings, folder: Path) -> int:
    with bootstrap.connected(settings) as connection, suppress(Busy):
        return bootstrap.publisher(settings, connection, folder).publish().entries
    return 0


def _ask(desk: Desk, session: UUID, participation: UUID) -> str:
    answer = settle_pending(session, participation, desk.central, Book(desk.session, desk.handle))
    if answer is None:
        return NOT_WAITING
    if isinstance(answer, Unknown):
        return UNKNOWN
    return answer.outcome.refusal or DONE
