"""The vault: one key per player, outside book and dumps, whose destruction erases (guarantee G10).

Each book has a vault of its own, so that who is erased in one is still known in the others.

Fields are encrypted with AES-SIV (RFC 5297): the same value under the same key gives the same
bytes, so that a repeated command is recognised without keeping any digest of the plain value, and
the conto, field and key are bound in, so that no field can be moved to another place.
"""

import base64
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from ledger.domain.events import ProtectedField, ProtectedText
from ledger.domain.ids import conto_stream
from ledger.domain.refusals import Fault
from ledger.files import sync_folder

_KEY_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}\.[0-9]+")

KEY_BYTES: Final = 64
"""AES-SIV with two keys of 256 bits."""


class VaultFault(Fault):
    """The vault cannot serve; nothing personal is in its message."""


@dataclass(frozen=True, slots=True)
class Vault:
    """A folder of key files that only its owner may read."""

    folder: Path

    def protect(
        self, player: str, values: Mapping[str, str], *, make: bool = True
    ) -> tuple[ProtectedField, ...]:
        """Encrypt a player's fields; without a key one is made, or no field is kept.

        A key that was destroyed is never made again: `VaultFault`.
        """
        name = self._key_name(player)
        if not make and not self._path(name).exists():
            return ()
        cipher = AESSIV(self._key(name, make=make))
        return tuple(_field(cipher, player, name, field, values[field]) for field in values)

    def reveal(self, player: str, fields: Iterable[ProtectedField]) -> dict[str, str] | None:
        """Decrypt a player's fields; None when the key was destroyed."""
        fields = tuple(fields)
        if not all(self._path(f.key).exists() for f in fields):
            return None
        return {f.name: self._decrypted(player, (f.key, f.name), f.ciphertext) for f in fields}

    def protect_text(self, player: str, place: str, text: str) -> ProtectedText:
        """Encrypt what is said about a player at a place, such as in a dispute.

        A key that was destroyed is never made again: `VaultFault`.
        """
        name = self._key_name(player)
        cipher = AESSIV(self._key(name, make=True))
        return ProtectedText(key=name, ciphertext=_encrypted(cipher, player, (name, place), text))

    def reveal_text(self, player: str, place: str, text: ProtectedText) -> str | None:
        """Decrypt what was said about a player; None when the key was destroyed."""
        if not self._path(text.key).exists():
            return None
        return self._decrypted(player, (text.key, place), text.ciphertext)

    def destroy(self, player: str) -> bool:
        """Destroy a player's key for good; whether there was one."""
        path = self._path(self._key_name(player))
        if not path.exists():
            return False
        with path.open("r+b") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            os.fsync(file.fileno())
            file.truncate(0)
        path.replace(_grave(path))
        sync_folder(self.folder)
        return True

    def _key_name(self, player: str) -> str:
        return f"{player}.1"

    def _path(self, name: str) -> Path:
        if _KEY_NAME.fullmatch(name) is None:
            raise VaultFault("This is no name of a key.")
        return self.folder / f"{name}.key"

    def _key(self, name: str, *, make: bool) -> bytes:
        path = self._path(name)
        if _grave(path).exists():
            raise VaultFault(f"The key {name} was destroyed; open a conto under another name.")
        if make and not path.exists():
            self._make(path)
        key = path.read_bytes()
        if len(key) != KEY_BYTES:
            raise VaultFault(
                f"The key file {path.name} is damaged; restore it from the vault's copy."
            )
        return key

    def _make(self, path: Path) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(f".{secrets.token_hex(8)}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass  # another process made the player's key first; that one counts
        finally:
            fresh.unlink()
        sync_folder(self.folder)

    def _decrypted(self, player: str, at: tuple[str, str], ciphertext: str) -> str:
        """The plain text of what is bound to a key and a place."""
        cipher = AESSIV(self._key(at[0], make=False))
        try:
            return cipher.decrypt(base64.b64decode(ciphertext), _bound(player, at)).decode()
        except InvalidTag as error:
            raise VaultFault(f"The text at {at[1]} does not belong to this key.") from error


def _field(cipher: AESSIV, player: str, key: str, name: Any, value: str) -> ProtectedField:
    ciphertext = _encrypted(cipher, player, (key, name), value)
    return ProtectedField(name=name, key=key, ciphertext=ciphertext)


def _encrypted(cipher: AESSIV, player: str, at: tuple[str, str], value: str) -> str:
    sealed = cipher.encrypt(value.encode(), _bound(player, at))
    return base64.b64encode(sealed).decode()


def _bound(player: str, at: tuple[str, str]) -> list[bytes]:
    """What a ciphertext belongs to: the conto, the key, and its place."""
    return [conto_stream(player).encode(), *(part.encode() for part in at)]


def _grave(path: Path) -> Path:
    """What stands for a key that was destroyed: an empty file."""
    return path.with_suffix(".destroyed")
