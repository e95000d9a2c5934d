"""The composition root: the only place that knows every part and wires them together."""

import os
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
from ledger.seal.notes import NoteError, SigningKey
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
    """The sealer of the book with its signing key."""
    return Sealer(settings.book, settings.origin, signing_key(settings))


def publisher(settings: Settings, connection: psycopg.Connection[Any], folder: Path) -> Publisher:
    """The publisher of the sealed log into a folder."""
    return Publisher(Log(connection, settings.book), trust(settings), folder)


def verifier(settings: Settings, connection: psycopg.Connection[Any]) -> Verifier:
    """The verifier of the book."""
    return Verifier(connection, settings.book, codec(), registry.ENGINES, registry.SECRETS)


def trust(settings: Settings, kept: tuple[str, ...] = ()) -> Trust:
    """What the verifier trusts: the origin, the verifying half of the signing key, kept notes."""
    return Trust(settings.origin, (signing_key(settings).verifying_key,), kept)


def vault(settings: Settings) -> Vault:
    """The vault of personal keys."""
    return Vault(settings.vault)


def signing_key(settings: Settings) -> SigningKey:
    """The key that signs checkpoints; raise `SettingsError` when it is missing or damaged."""
    path = settings.signing_key
    if not path.is_file():
        raise SettingsError(f"The signing key {path} is missing; restore it, or run: migrate.")
    try:
        key = SigningKey.parse(path.read_text(encoding="utf-8").strip())
    except (NoteError, UnicodeDecodeError) as error:
        raise SettingsError(f"The signing key {path} is damaged; restore it.") from error
    if key.verifying_key.name != settings.origin:
        raise SettingsError(f"The signing key {path} belongs to another origin.")
    return key


def make_signing_key(settings: Settings) -> bool:
    """Make the book's signing key if there is none yet; whether it was made."""
    path: Path = settings.signing_key
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = SigningKey(settings.origin, secrets.token_bytes(32)).secret_text()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text + "\n")
    return True
