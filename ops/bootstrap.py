"""The composition root: the only place that knows every part and wires them together."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import psycopg

from games import registry
from ledger.central import CentralSystem
from ledger.domain.book import Opened
from ledger.domain.ids import BOOK, session_stream
from ledger.seal.publishing import Log, Publisher
from ledger.seal.sealer import Sealer
from ledger.seal.verify import Trust, Verifier
from ledger.service import Outside, Service
from ledger.store.book import Store
from ledger.store.codec import Codec
from ledger.store.recorder import session_options
from ops import clock
from ops.central.local import InstantCentral
from ops.desk import Desk
from ops.embedded import database_conninfo
from ops.fairplay import FairPlay
from ops.metered import MeteredService
from ops.series_keys import SeriesKeys
from ops.settings import Settings, SettingsError
from ops.signing_keys import signing_keys
from ops.vault import Vault

INSTANT: Final = "instant"
"""The setting that asks for the stand-in of the central system by name."""


@lru_cache
def codec() -> Codec:
    """The codec for the ledger's events and all games' details."""
    return Codec(registry.DETAILS)


def service(settings: Settings, pool_size: int = 8) -> Service:
    """The writing service of the book; built after any fork."""
    store = Store(database_conninfo(settings), settings.book, codec(), pool_size)
    outside = Outside(secrets.token_bytes, clock.pause, series_keys(settings).unseal)
    return MeteredService(store, registry.ENGINES, outside)


def central(settings: Settings, book: Service) -> CentralSystem:
    """The central system that is set, or the stand-in that validates at once.

    Raises `SettingsError` where nothing is set and the money may be real.
    """
    if settings.central_url not in (None, INSTANT):
        from ops.central.client import HttpCentral  # noqa: PLC0415 - HTTP is slow to import

        return HttpCentral(str(settings.central_url))
    if settings.central_url is None and settings.database_url and settings.clock == "real":
        raise SettingsError(
            "CONTOPOSTA_CENTRAL_URL is missing: give the central system's address, or the word "
            f"{INSTANT} to let every right be valid at once."
        )
    return InstantCentral(lambda session: (e.event for e in book.history(session_stream(session))))


def desk(settings: Settings, actor: str) -> Desk:
    """The back office's desk over the book; its clock must be the one that the book is kept by."""
    book = service(settings)
    _check_clock(settings, book)
    return Desk(book, central(settings, book), vault(settings), actor, clock.clock_of(settings))


def fairplay(settings: Settings, at: Desk) -> FairPlay:
    """The desk's part that has to do with FairPlay series."""
    return FairPlay(at, series_keys(settings), secrets.token_bytes)


def series_keys(settings: Settings) -> SeriesKeys:
    """The keys of FairPlay series."""
    return SeriesKeys(settings.series_keys)


def _check_clock(settings: Settings, book: Service) -> None:
    state = book.state(BOOK)
    if isinstance(state, Opened) and state.clock != settings.clock:
        raise SettingsError(
            f"CONTOPOSTA_CLOCK is {settings.clock}, but the book {state.book} is kept by a "
            f"{state.clock} clock: set it so, or name another book."
        )


@contextmanager
def connected(settings: Settings, role: str = "reader") -> Iterator[psycopg.Connection[Any]]:
    """A connection in one of the book's roles, each statement on its own."""
    options = session_options(f"{settings.book}_{role}")
    with psycopg.connect(database_conninfo(settings), autocommit=True, **options) as connection:
        yield connection


def sealer(settings: Settings) -> Sealer:
    """The sealer of the book with the signing keys at hand."""
    return Sealer(settings.book, settings.origin, *signing_keys(settings))


def publisher(settings: Settings, connection: psycopg.Connection[Any], folder: Path) -> Publisher:
    """The publisher of the sealed log into a folder."""
    return Publisher(Log(connection, settings.book), trust(settings), folder)


def verifier(settings: Settings, connection: psycopg.Connection[Any]) -> Verifier:
    """The verifier of the book."""
    return Verifier(connection, settings.book, codec(), registry.ENGINES, registry.SECRETS)


def trust(settings: Settings, kept: tuple[str, ...] = ()) -> Trust:
    """What the verifier trusts: the origin, verifying halves of the keys at hand, kept notes."""
    keys = tuple(key.verifying_key for key in signing_keys(settings))
    return Trust(settings.origin, keys, kept)


def vault(settings: Settings) -> Vault:
    """The vault of personal keys."""
    return Vault(settings.vault)
