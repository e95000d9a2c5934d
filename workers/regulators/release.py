"""Releasing records: close, fold, read, control, and only then write the files (guarantee G6).

A failing control blocks the release: nothing is written. What was released can be produced again,
and has the same bytes then; what was wrong in it is rectified by another edition, which names what
it replaces. Each step may be killed and done again.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from psycopg.types.json import Jsonb

from ledger.domain.refusals import Refusal
from ledger.files import write_whole
from ledger.replay import Finding
from workers.closing import Closing, close_day
from workers.log import Cursor, connected, holding, sql, transaction
from workers.ports import Connection, Ports
from workers.projections.base import Superseded, catch_up, find
from workers.projections.registry import named as projection_named
from workers.regulators.authority import Authority, Draft, File, Period, Profile, Release, Released
from workers.regulators.xml import Schemas, to_bytes
from workers.reports.files import ReportDiffers


class ReleaseCode(StrEnum):
    """Why records cannot be released; by precedence."""

    NOTHING_TO_RECTIFY = "nothing-to-rectify"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be released, for whom the operator is, and into which folder."""

    period: Period
    profile: Profile
    folder: Path
    schemas: Path | None
    """The folder of the authority's schemas; None where only our own controls are made."""
    rectifies: str | None = None
    """Why the newest edition is to be replaced; None where it is not."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """What controls found: no file was written."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a release, and its place."""

    paths: tuple[Path, ...]
    edition: int
    sequence: int


def release(ports: Ports, authority: Authority, order: Order) -> Written | Blocked | Refusal:
    """Release the records of a period, produce the newest edition again, or rectify it.

    Raises `SchemaError` for a schema that is not there, and a `Fault` when it should be tried
    again; `ReportDiffers` when what was released would have other bytes now.
    """
    closing = close_day(ports, order.period.closed_by)
    if isinstance(closing, Refusal):
        return closing
    projections = [projection_named(name) for name in authority.projections]
    catch_up(ports, projections, closing.checkpoint.size)
    turn = ("contoposta-release", f"{ports.book}:{authority.code}")
    # One release at a time for each authority: their sequence has neither gap nor fork.
    with connected(ports) as connection, holding(connection, turn):
        known = _register(connection, ports, authority)
        made = _place(known, order, closing)
        if isinstance(made, Refusal):
            return made
        files = _files(connection, ports, authority, (order, made))
        if isinstance(files, Blocked):
            return files
        _, packed = files
        _write(packed, order, known[made.sequence - 1 :])
        if made.sequence > len(known):
            row = _row(authority, order, made, files)
            connection.execute(sql(_ADD, ports.book), (*row, ports.now()))
    return Written(tuple(order.folder / f.name for f in packed), made.edition, made.sequence)


def _register(connection: Connection, ports: Ports, authority: Authority) -> tuple[Released, ...]:
    with transaction(connection) as cursor:
        cursor.execute(sql(_RELEASES, ports.book), (authority.code,))
        return tuple(Released(*row) for row in cursor.fetchall())


def _place(known: tuple[Released, ...], order: Order, closing: Closing) -> Release | Refusal:
    """Which release it is: a first one, a known one again, or one that rectifies."""
    newest = next((r for r in reversed(known) if r.period == order.period.name), None)
    if newest is None and order.rectifies is not None:
        return Refusal(
            ReleaseCode.NOTHING_TO_RECTIFY,
            f"Nothing was released for {order.period.name}; release it without --rectify.",
        )
    if newest is not None and order.rectifies is None:
        edition, sequence = newest.edition, newest.sequence
    else:
        edition, sequence = 1 if newest is None else newest.edition + 1, len(known) + 1
    earlier = known[: sequence - 1]
    return Release(order.period, closing.checkpoint, edition, sequence, earlier)


def _files(
    connection: Connection, ports: Ports, authority: Authority, wanted: tuple[Order, Release]
) -> tuple[Draft, tuple[File, ...]] | Blocked:
    """The draft and its files, or what blocks them."""
    order, made = wanted
    with transaction(connection, frozen=True) as cursor:
        _require_folded(cursor, ports, authority, made)
        figures = authority.read(cursor, ports, made)
    draft = authority.draft(figures, made, order.profile)
    files = tuple(File(d.name, to_bytes(d.root)) for d in draft.documents)
    findings = (
        *authority.chain(made, lambda name: _read(order.folder / name)),
        *draft.findings,
        *_misfits(draft, files, order.schemas),
    )
    return Blocked(findings) if findings else (draft, authority.pack(files, made, order.profile))


def _require_folded(cursor: Cursor, ports: Ports, authority: Authority, made: Release) -> None:
    """A rebuild may have put a generation in place meanwhile that has folded less."""
    for name in authority.projections:
        progress = find(cursor, ports.book, name)
        if progress is None or progress.position < made.checkpoint.size:
            raise Superseded(f"{name} was swapped while records were read; release them again.")


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _misfits(draft: Draft, files: tuple[File, ...], folder: Path | None) -> Iterator[Finding]:
    """Where documents do not meet the authority's schemas."""
    if folder is not None:
        schemas = Schemas(folder)
        for document, file in zip(draft.documents, files, strict=True):
            for fault in schemas.faults(document.schema, file.content):
                yield Finding("schema", file.name, fault)


def _digests(files: tuple[File, ...]) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.content).hexdigest() for file in files}


def _write(files: tuple[File, ...], order: Order, later: tuple[Released, ...]) -> None:
    """Write the files; nothing where the release, the first of `later`, had other bytes before."""
    if later and later[0].files != _digests(files):
        raise ReportDiffers(
            f"The records of {order.period.name} were released with other bytes before: "
            "rectify them, or give the profile that they were released with."
        )
    for file in files:
        write_whole(order.folder / file.name, file.content)


def _row(
    authority: Authority, order: Order, made: Release, what: tuple[Draft, tuple[File, ...]]
) -> tuple[Any, ...]:
    """The release as the register keeps it."""
    draft, files = what
    place = (authority.code, made.sequence, order.period.name, made.edition, order.rectifies)
    return (*place, made.checkpoint.size, Jsonb(_digests(files)), Jsonb(dict(draft.told)))


_RELEASES: Final = """
SELECT sequence, period, edition, files, told FROM {book}.p_releases
 WHERE authority = %s ORDER BY sequence
"""

_ADD: Final = """
INSERT INTO {book}.p_releases
       (authority, sequence, period, edition, reason, size, files, told, produced_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
