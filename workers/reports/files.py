"""Report files, written whole or not at all, and the register of when each was first produced."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.domain.refusals import Fault
from ledger.files import write_whole
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.editions import Edition


class ReportDiffers(Fault):
    """A report that was produced before would have other bytes now: somebody must look."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a report: its name and bytes, and of which edition it is."""

    name: str
    content: bytes
    edition: Edition

    @property
    def digest(self) -> bytes:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.content).digest()


def produce(cursor: Cursor, ports: Ports, file: File) -> Path:
    """Write a file and register it; raise `ReportDiffers`, writing nothing, when it changed."""
    edition = file.edition
    version = edition.kind.version
    known = cursor.execute(sql(_KNOWN, ports.book), (file.name, version)).fetchone()
    if known is not None and bytes(known[0]) != file.digest:
        raise ReportDiffers(f"{file.name} was produced with other bytes before.")
    path = ports.reports / file.name
    write_whole(path, file.content)
    built = (edition.kind.name, edition.closing.day, edition.closing.checkpoint.size)
    values = (file.name, version, *built, file.digest, ports.now())
    cursor.execute(sql(_REGISTER, ports.book), (*values, edition.report, edition.number))
    return path


_KNOWN: Final = "SELECT sha256 FROM {book}.p_reports WHERE file = %s AND report_version = %s"

_REGISTER: Final = """
INSERT INTO {book}.p_reports
       (file, report_version, kind, day, size, sha256, produced_at, report, edition)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
