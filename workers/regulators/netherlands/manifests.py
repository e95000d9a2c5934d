"""Batches and their manifests, each of which names the one before by its hash: a chain.

A batch is a ZIP archive of a day's documents, stored as they are, so that the same documents are
the same bytes whatever compresses elsewhere.
"""

import hashlib
import io
from collections.abc import Callable, Iterator
from typing import Any, Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from lxml import etree

from ledger.replay import Finding
from workers.regulators.authority import File, Release, Released
from workers.regulators.xml import maker, to_bytes

FIRST: Final = "0" * 64
"""What the first manifest has in place of the hash of one before."""
_MANIFEST: Final = ".manifest.xml"
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can hold: its members have none of their own."""
E: Final = maker()


def pack(files: tuple[File, ...], release: Release, profile: Any) -> tuple[File, ...]:
    """The batch of a release, and its manifest."""
    stem = f"nl-{release.stem}"
    batch = File(f"{stem}.zip", _archive(files))
    manifest = E.Manifest(
        E.Operator_ID(profile.operator),
        E.Data_Safe_ID(profile.data_safe),
        E.Sequence_Number(str(release.sequence)),
        E.Previous_Manifest_SHA256(_before(release.earlier)),
        E.Batch_File(batch.name),
        E.Batch_SHA256(hashlib.sha256(batch.content).hexdigest()),
    )
    return batch, File(f"{stem}{_MANIFEST}", to_bytes(manifest))


def _archive(files: tuple[File, ...]) -> bytes:
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        for file in files:
            archive.writestr(ZipInfo(file.name, _MOMENT), file.content)
    return content.getvalue()


def _manifest_of(released: Released) -> tuple[str, str]:
    """The name of a release's manifest, and its hash as registered."""
    (found,) = ((n, digest) for n, digest in released.files.items() if n.endswith(_MANIFEST))
    return found


def _before(earlier: tuple[Released, ...]) -> str:
    return _manifest_of(earlier[-1])[1] if earlier else FIRST


def chain(release: Release, content: Callable[[str], bytes | None]) -> tuple[Finding, ...]:
    """Where the chain of earlier manifests is broken: it must hold before it is gone on with."""
    return tuple(_breaks(release.earlier, content))


def _breaks(
    earlier: tuple[Released, ...], content: Callable[[str], bytes | None]
) -> Iterator[Finding]:
    previous = FIRST
    for released in earlier:
        name, registered = _manifest_of(released)
        text = content(name)
        if text is None:
            yield Finding(
                "manifest-chain",
                name,
                "it is missing: bring it back, or give its folder with --out",
            )
        elif hashlib.sha256(text).hexdigest() != registered:
            yield Finding("manifest-chain", name, "it is not the one that was released")
        else:
            yield from _links(name, text, (previous, released))
        previous = registered


def _links(name: str, text: bytes, known: tuple[str, Released]) -> Iterator[Finding]:
    """What a manifest says of its place and of its batch, beside what the register says."""
    previous, released = known
    root = etree.fromstring(text)
    batch = root.findtext("Batch_File")
    said = {
        "Sequence_Number": str(released.sequence),
        "Previous_Manifest_SHA256": previous,
        "Batch_SHA256": released.files.get(batch),
    }
    for tag, expected in said.items():
        if root.findtext(tag) != expected:
            yield Finding("manifest-chain", name, f"{tag} is not {expected}")
