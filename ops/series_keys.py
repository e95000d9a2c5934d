"""The keys of FairPlay series: one for each number, outside book and dumps (guarantees G7, G10).

Each number of a series, and its secret string, is encrypted with AES-GCM (NIST SP 800-38D) under a
key of its own, so that one can be opened without the others; series and place are bound in, so that
none can stand for another. When the file of a series is destroyed, what was not played is gone.
"""

import base64
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ledger.domain.events import Sealed
from ledger.domain.refusals import Fault
from ledger.files import sync_folder

KEY_BYTES: Final = 32
NONCE: Final = bytes(12)
"""Each key encrypts one thing once, so that its nonce need not differ."""

SUFFIX: Final = ".series"


class SeriesKeysFault(Fault):
    """The keys of a series cannot serve; nothing secret is in its message."""


@dataclass(frozen=True, slots=True)
class SeriesKeys:
    """A folder with a key file for each series, which only its owner may read."""

    folder: Path

    def seal(self, series: UUID, plain: Sequence[bytes]) -> tuple[Sealed, ...]:
        """Make the keys of a series and encrypt what belongs to it, in order from place 0."""
        keys = [secrets.token_bytes(KEY_BYTES) for _ in plain]
        self._write(self._path(series), b"".join(keys))
        return tuple(
            Sealed(series=series, place=place, ciphertext=_encrypt(key, series, place, text))
            for place, (key, text) in enumerate(zip(keys, plain, strict=True))
        )

    def unseal(self, sealed: Sealed) -> bytes:
        """Open one sealed thing; raise `SeriesKeysFault` when its key is gone or another's."""
        try:
            with _usable(sealed.series):
                keys = self._path(sealed.series).read_bytes()
        except FileNotFoundError as error:
            raise SeriesKeysFault(
                f"The keys of the series {sealed.series} are not in {self.folder}; "
                "restore them from the vault's copy."
            ) from error
        key = keys[sealed.place * KEY_BYTES :][:KEY_BYTES]
        try:
            return AESGCM(key).decrypt(
                NONCE, base64.b64decode(sealed.ciphertext), _bound(sealed.series, sealed.place)
            )
        except (InvalidTag, ValueError) as error:
            raise SeriesKeysFault(
                f"The key file of the series {sealed.series} is damaged; restore it."
            ) from error

    def destroy(self, series: UUID) -> bool:
        """Destroy the keys of a series for good; whether there were any."""
        path = self._path(series)
        try:
            with _usable(series), path.open("r+b") as file:
                file.write(bytes(path.stat().st_size))
                file.flush()
                os.fsync(file.fileno())
        except FileNotFoundError:
            return False
        path.unlink(missing_ok=True)
        sync_folder(self.folder)
        return True

    def kept(self) -> Iterator[UUID]:
        """The series whose keys are here; other files in the folder are none of them."""
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            series = _series_of(path)
            if series is not None and self._path(series) == path:
                yield series

    def _path(self, series: UUID) -> Path:
        return self.folder / f"{series}{SUFFIX}"

    def _write(self, path: Path, content: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(self.folder)


@contextmanager
def _usable(series: UUID) -> Iterator[None]:
    """Tell of a key file that is there and cannot be used as a fault, so that others go on."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SeriesKeysFault(
            f"The key file of the series {series} cannot be used: {error.strerror}."
        ) from error


def _series_of(path: Path) -> UUID | None:
    try:
        return UUID(path.stem)
    except ValueError:
        return None


def _encrypt(key: bytes, series: UUID, place: int, text: bytes) -> str:
    sealed = AESGCM(key).encrypt(NONCE, text, _bound(series, place))
    return base64.b64encode(sealed).decode()


def _bound(series: UUID, place: int) -> bytes:
    return f"{series}:{place}".encode()
