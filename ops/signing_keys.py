"""The signing key at hand: from a file or the environment, and how another one takes its place.

While a key is rotated its successor lies beside it; whoever seals has both at hand and signs with
the one that is in force by the book's record, so that the rotation may be cut short anywhere.
"""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid5

import psycopg

from ledger.answers import Answer
from ledger.domain import commands as cmd, signing
from ledger.domain.ids import NAMESPACE, SIGNING_KEY
from ledger.domain.refusals import Fault
from ledger.files import fill, sync_folder
from ledger.seal.keys import KeyChain, KeyFault, in_force, sign_rotation
from ledger.seal.notes import NoteError, SigningKey, VerifyingKey
from ledger.seal.sealer import Sealer, lag, latest
from ops.desk import Desk
from ops.settings import PREFIX, Settings, SettingsError

KEY_MODE: Final = 0o600
TEXT: Final = f"{PREFIX}SIGNING_KEY_TEXT"


def signing_keys(settings: Settings) -> tuple[SigningKey, ...]:
    """The signing key and, while it is rotated, its successor.

    Raises `SettingsError` when the key is missing, damaged, or another log's.
    """
    successor = successor_path(settings)
    if successor.is_file():
        return signing_key(settings), _from_file(settings, successor)
    return (signing_key(settings),)


def signing_key(settings: Settings) -> SigningKey:
    """The key that is set; raises `SettingsError` as `signing_keys` does."""
    if settings.signing_key_text is None:
        return _from_file(settings, settings.signing_key)
    return _read(settings, settings.signing_key_text.get_secret_value(), TEXT)


def successor_path(settings: Settings) -> Path:
    """Where the key lies that will follow."""
    return settings.signing_key.with_name(f"{settings.signing_key.name}.next")


def _from_file(settings: Settings, path: Path) -> SigningKey:
    if not path.is_file():
        raise SettingsError(
            f"The signing key {path} is missing: restore it, or run migrate for a new book."
        )
    try:
        return _read(settings, path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError:
        raise SettingsError(f"The signing key {path} is damaged; restore it.") from None


def _read(settings: Settings, text: str, place: str) -> SigningKey:
    try:
        key = SigningKey.parse(text.strip())
    except NoteError:
        raise SettingsError(f"The signing key {place} is damaged; restore it.") from None
    if key.name != settings.origin:
        raise SettingsError(f"The signing key {place} belongs to another origin.")
    return key


def check_signing_key(settings: Settings, connection: psycopg.Connection[Any]) -> None:
    """A key at hand must be the one that signs the book; raises `SettingsError` when it is not.

    A service that has none signs nothing, and may be without; where the server is embedded, the
    whole book is in one place, and a key that is not there is lost.
    """
    last = latest(connection, settings.book)
    if last is None or (settings.database_url is not None and not _is_set(settings)):
        return
    if not _is_set(settings):
        raise SettingsError(
            f"The signing key {settings.signing_key} is missing, and the book was sealed with it: "
            "restore it."
        )
    chain = KeyChain.read(connection, settings.book)
    try:
        in_force(chain, last.size, last.note, signing_keys(settings))
    except KeyFault as fault:
        raise SettingsError(f"{_place(settings)}: {fault}") from None


def _is_set(settings: Settings) -> bool:
    return settings.signing_key_text is not None or settings.signing_key.exists()


def _place(settings: Settings) -> str:
    return str(settings.signing_key) if settings.signing_key_text is None else TEXT


def make_signing_key(settings: Settings) -> bool:
    """Make the book's signing key if there is none yet; whether it was made."""
    if _is_set(settings):
        return False
    _make(settings, settings.signing_key)
    return True


def _make(settings: Settings, path: Path) -> SigningKey:
    """Make a key in a file that is not there; whole or not at all."""
    key = SigningKey(settings.origin, secrets.token_bytes(32))
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, KEY_MODE)
    fill(descriptor, f"{key.secret_text()}\n".encode(), KEY_MODE)
    try:
        os.link(fresh, path)
    except FileExistsError:
        key = _from_file(settings, path)  # another process made one first; that one counts
    finally:
        fresh.unlink()
    sync_folder(path.parent)
    return key


@dataclass(frozen=True, slots=True)
class Rotated:
    """A rotation that is done: who followed whom, and whether a file took the other's place."""

    old: VerifyingKey
    new: VerifyingKey
    file: Path
    """Where the new key is."""


class RotationWaits(Fault):
    """The rotation is on record and not sealed yet; nothing is lost, and it can be gone on with."""


def rotate(
    settings: Settings, desk: Desk, connection: psycopg.Connection[Any], reason: str
) -> Rotated | Answer:
    """Have a new key follow the one at hand; or the answer that refuses it.

    Cut short anywhere, it is gone on with when it is asked for again. The old key's file is gone in
    the end; one that came from the environment is replaced by who set it.
    """
    check_signing_key(settings, connection)
    old, *rest = signing_keys(settings)
    successor = successor_path(settings)
    if rest == [old]:  # it came from the environment, and has its successor's text by now
        successor.unlink()
        rest = []
    new = rest[0] if rest else _make(settings, successor)
    refused = _record(desk, old, new.verifying_key, reason)
    if refused is not None:
        successor.unlink()
        return refused
    Sealer(settings.book, settings.origin, old, new).seal_all(connection)
    _require_sealed(settings, connection, new.verifying_key)
    if settings.signing_key_text is None:
        successor.replace(settings.signing_key)
        sync_folder(successor.parent)
        successor = settings.signing_key
    return Rotated(old.verifying_key, new.verifying_key, successor)


def _record(desk: Desk, old: SigningKey, new: VerifyingKey, reason: str) -> Answer | None:
    """Record the rotation unless it is; the answer when it is refused."""
    state = desk.service.state(SIGNING_KEY)
    if isinstance(state, signing.State) and state.in_force == new.text():
        return None
    command = cmd.RotateSigningKey(
        **desk.head(uuid5(NAMESPACE, f"rotate:{new.text()}")),
        old_key=old.verifying_key.text(),
        new_key=new.text(),
        signature=sign_rotation(old, new),
        reason=reason,
    )
    answer = desk.handle(command)
    return None if answer.refusal is None else answer


def _require_sealed(
    settings: Settings, connection: psycopg.Connection[Any], new: VerifyingKey
) -> None:
    chain = KeyChain.read(connection, settings.book)
    if not chain.rotations or chain.rotations[-1].new != new:
        held_by = lag(connection, settings.book).blocker or "another sealer"
        raise RotationWaits(
            f"The rotation is on record and waits for its seal, held back by {held_by}; "
            "run: contoposta key rotate again."
        )
