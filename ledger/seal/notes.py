"""Signed notes and checkpoints: how the state of the sealed log is named and vouched for (G6).

The formats are those of C2SP: signed-note (Ed25519 signatures, type 0x01), tlog-checkpoint, and
of tlog-cosignature what a witness signs with Ed25519 (type 0x04).
Reading is strict: each note has one way to be written, so that any changed byte is refused. Pure:
a key is made from random bytes that are handed in.
"""

import re
import struct
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.seal.merkle import HASH_SIZE, MAX_SIZE

MAX_NOTE_SIZE: Final = 1_000_000  # bytes; signed-note asks for some limit above 16 signatures
KEY_SIZE: Final = 32
KEY_HASH_SIZE: Final = 4

_ED25519: Final = b"\x01"
_COSIGNER: Final = b"\x04"
_TIME: Final = struct.Struct(">Q")
_CHECKPOINT_LINES: Final = 3  # origin, size and root; more are extensions
_PRIVATE: Final = "PRIVATE+KEY+"
_NO_NAME: Final = re.compile(r"[\s+\x00-\x1f\ud800-\udfff]")
_NO_TEXT: Final = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")
_SIGNATURE: Final = re.compile(r"\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}")


class NoteError(ValueError):
    """A key, note or checkpoint that is malformed or not vouched for; never holds secret bytes."""


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A name and the 32-byte Ed25519 public key that speaks for it."""

    name: str
    public: bytes
    is_cosigner: bool = False
    """Whether it is a witness's, whose signatures tell a time (tlog-cosignature, Ed25519)."""

    def __post_init__(self) -> None:
        _require_name(self.name)
        _require_key_size(self.public)

    @property
    def key_hash(self) -> bytes:
        """The 4 bytes that tell keys of one name apart (signed-note, Ed25519 signatures)."""
        material = self.name.encode() + b"\n" + self._kind + self.public
        return sha256(material).digest()[:KEY_HASH_SIZE]

    @property
    def _kind(self) -> bytes:
        return _COSIGNER if self.is_cosigner else _ED25519

    def text(self) -> str:
        """The form in which the key is handed out: name, hash in hex, base64 of type and key."""
        return f"{self.name}+{self.key_hash.hex()}+{_base64(self._kind + self.public)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """What `text` wrote; `NoteError` if it is anything else."""
        name, key_hash, kind, public = _parse_key(text)
        key = cls(name, public, is_cosigner=kind == _COSIGNER)
        _require_key_hash(key, key_hash)
        return key

    def vouches(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature over the message was made with this key (RFC 8032)."""
        if self.is_cosigner:
            if len(signature) < _TIME.size:
                return False
            (seconds,) = _TIME.unpack_from(signature)
            message = b"cosignature/v1\ntime %d\n%b" % (seconds, message)
            signature = signature[_TIME.size :]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A name and its 32 secret random bytes; they are shown by `secret_text` alone."""

    name: str
    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _require_name(self.name)
        _require_key_size(self.seed)

    @property
    def verifying_key(self) -> VerifyingKey:
        """The public half, for those who verify."""
        public = Ed25519PrivateKey.from_private_bytes(self.seed).public_key()
        return VerifyingKey(self.name, public.public_bytes_raw())

    def secret_text(self) -> str:
        """The form in which the key is kept in its file. It holds the secret."""
        key_hash = self.verifying_key.key_hash.hex()
        return f"{_PRIVATE}{self.name}+{key_hash}+{_base64(_ED25519 + self.seed)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """What `secret_text` wrote; `NoteError` if it is anything else."""
        if not text.startswith(_PRIVATE):
            raise NoteError(f"A private key begins with {_PRIVATE!r}.")
        name, key_hash, kind, seed = _parse_key(text.removeprefix(_PRIVATE))
        if kind != _ED25519:
            raise NoteError("A checkpoint is signed with an Ed25519 key, not with a witness's.")
        key = cls(name, seed)
        _require_key_hash(key.verifying_key, key_hash)
        return key

    def sign(self, message: bytes) -> bytes:
        """The 64-byte Ed25519 signature over the message (RFC 8032)."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(message)


def owner_of(secret: bytes) -> str | None:
    """The name in a private key's text, also where the rest is damaged; None if it has none."""
    head, _, rest = secret.partition(_PRIVATE.encode())
    name, plus, _ = rest.partition(b"+")
    return name.decode(errors="replace") if plus and not head else None


def sign_note(text: str, *keys: SigningKey) -> str:
    """The note: the text, an empty line and each key's signature; `NoteError` if it is no text."""
    _require_text(text)
    return f"{text}\n{''.join(_signature_line(text, key) for key in keys)}"


def _signature_line(text: str, key: SigningKey) -> str:
    signature = key.verifying_key.key_hash + key.sign(text.encode())
    return f"\u2014 {key.name} {_base64(signature)}\n"


def open_note(note: str | bytes, keys: Iterable[VerifyingKey]) -> str:
    """The text of a note that at least one of these keys vouches for.

    Well-formed signatures by other keys are ignored. `NoteError` if the note is malformed, a known
    key's signature is wrong, or none is by a known key.
    """
    text, lines = _split(_decoded(note))
    known = tuple(keys)
    verdicts = [_judge(text.encode(), line, known) for line in lines]
    if False in verdicts:
        raise NoteError("A signature that names a known key is wrong.")
    if True not in verdicts:
        raise NoteError("No known key has signed this note.")
    return text


def is_signed(note: str | bytes, key: VerifyingKey) -> bool:
    """Whether a key vouches for a note, whoever else does; False also if it is malformed."""
    try:
        open_note(note, (key,))
    except NoteError:
        return False
    return True


def text_of(note: str | bytes) -> str:
    """The text of a note, whoever vouches for it; `NoteError` if the note is malformed."""
    text, lines = _split(_decoded(note))
    for line in lines:
        _judge(text.encode(), line, ())
    return text


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log: its origin (a name), size in leaves and 32-byte root (tlog-checkpoint).

    `extensions` are further lines, opaque here. `NoteError` if a field is out of its range.
    """

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.size <= MAX_SIZE:
            raise NoteError(f"A checkpoint's size lies in 0..{MAX_SIZE}.")
        if len(self.root) != HASH_SIZE:
            raise NoteError(f"A checkpoint's root has {HASH_SIZE} bytes.")
        for line in (self.origin, *self.extensions):
            if not line or "\n" in line or _NO_TEXT.search(line):
                raise NoteError("An origin or extension is one line of text and not empty.")

    def text(self) -> str:
        """The note text of the checkpoint, each line with its newline."""
        lines = (self.origin, str(self.size), _base64(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that `Checkpoint.text` wrote; `NoteError` if it is anything else.

    The text must come out of `open_note`; whether the origin is the expected one is for the caller.
    """
    *lines, rest = text.split("\n")
    if rest or len(lines) < _CHECKPOINT_LINES:
        raise NoteError("A checkpoint has at least three lines, each ended by a newline.")
    origin, size, root, *extensions = lines
    if not _NUMBER.fullmatch(size):
        raise NoteError("A checkpoint's second line is its size in decimal digits.")
    return Checkpoint(origin, int(size), _unbase64(root), tuple(extensions))


def _judge(message: bytes, line: str, known: tuple[VerifyingKey, ...]) -> bool | None:
    """Whether the signature on this line holds; None if it is by no known key."""
    match = _SIGNATURE.fullmatch(line)
    if match is None:
        raise NoteError("A signature line is a dash, the key's name and the signature.")
    name, blob = match[1], _unbase64(match[2])
    _require_name(name)
    key_hash, signature = blob[:KEY_HASH_SIZE], blob[KEY_HASH_SIZE:]
    if not signature:
        raise NoteError("A signature is longer than its key's hash.")
    signers = [key for key in known if (key.name, key.key_hash) == (name, key_hash)]
    return any(key.vouches(message, signature) for key in signers) if signers else None


def _split(note: str) -> tuple[str, list[str]]:
    """The text and the signature lines of a note; the last empty line stands between them."""
    text, empty_line, signatures = note.rpartition("\n\n")
    if not empty_line or not signatures.endswith("\n"):
        raise NoteError("A note is a text, an empty line and signature lines.")
    text += "\n"
    _require_text(text)
    return text, signatures.removesuffix("\n").split("\n")


def _decoded(note: str | bytes) -> str:
    """The note as characters, if it is UTF-8 and no longer than is allowed."""
    try:
        data = note.encode() if isinstance(note, str) else note
        text = data.decode()
    except UnicodeError:
        raise NoteError("A note is UTF-8.") from None
    if len(data) > MAX_NOTE_SIZE:
        raise NoteError(f"A note has at most {MAX_NOTE_SIZE} bytes.")
    return text


def _parse_key(text: str) -> tuple[str, str, bytes, bytes]:
    """Name, hash in hex, kind and 32 bytes of a key, public or secret; no error shows any of it."""
    name, _, rest = text.partition("+")
    key_hash, _, encoded = rest.partition("+")
    blob = _unbase64(encoded)
    if blob[:1] not in {_ED25519, _COSIGNER}:
        raise NoteError("A key is a name, a hash and an Ed25519 key, with a plus between them.")
    return name, key_hash, blob[:1], blob[1:]


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _unbase64(text: str) -> bytes:
    """The bytes of a base64 text (RFC 4648 section 4) in its one canonical spelling."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        data = b""
    if not data or _base64(data) != text:
        raise NoteError("What should be base64 is not.")
    return data


def _require_name(name: str) -> None:
    if not name or _NO_NAME.search(name):
        raise NoteError("A key's name is not empty and has no space, plus or control character.")


def _require_key_size(key: bytes) -> None:
    if len(key) != KEY_SIZE:
        raise NoteError(f"An Ed25519 key has {KEY_SIZE} bytes.")


def _require_key_hash(key: VerifyingKey, key_hash: str) -> None:
    if key.key_hash.hex() != key_hash:
        raise NoteError("The key's hash does not belong to its name and key.")


def _require_text(text: str) -> None:
    if not text.endswith("\n") or _NO_TEXT.search(text):
        raise NoteError("A note's text ends in a newline and has no other control character.")
