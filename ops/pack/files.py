"""The files of a dispute's folder: PDF, the same as text and JSON, rules, proofs, how to check.

The same evidence gives the same bytes (G6). A folder is there whole or not at all.
"""

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import orjson

from ledger.exports.folder import appearing
from ledger.seal.notes import Checkpoint, parse_checkpoint, text_of
from ops.pack.evidence import Evidence, Proof
from ops.pack.pages import Revealed, both, pages, rules
from ops.story.document import document
from ops.story.pages import pages as story_pages
from ops.story.plain import plain
from ops.story.tongue import ENGLISH, TONGUES

SUMS: Final = "SHA256SUMS"
"""The list of all other files with their digests, as `sha256sum --check` reads it."""


def contents(found: Revealed) -> dict[str, bytes]:
    """Every file of the folder by its name."""
    evidence = found.evidence
    made = {
        "dispute.pdf": _printed(found),
        "story.json": _json(document(evidence.story, ENGLISH)),
        "proofs.json": _json(_proofs(evidence)),
        "checkpoint.txt": evidence.checkpoint.note.encode(),
        "verifying-key.txt": f"{evidence.key.text()}\n".encode(),
        "README.txt": _readme(),
        **{
            f"story.{language}.txt": plain(story_pages(evidence.story, tongue)).encode()
            for language, tongue in TONGUES.items()
        },
        **{f"rules.{p.ref.sheet}.v{p.ref.version}.json": p.text.encode() for p in rules(evidence)},
    }
    return made | {SUMS: _sums(made)}


def write_folder(out: Path, name: str, made: dict[str, bytes]) -> Path:
    """Put a folder that is not there yet in its place in one step; its path."""
    target = out / name
    with appearing(target) as folder:
        for file, content in made.items():
            folder.put(file, content)
    return target


def _printed(found: Revealed) -> bytes:
    from workers.reports.pdf import Paper, pdf  # noqa: PLC0415 - few commands print, all wait

    checkpoint = found.evidence.checkpoint
    paper = Paper(
        f"{both('dispute')} {found.evidence.opened.dispute}",
        "it",
        mark=both("replay"),
        foot=f"checkpoint {checkpoint.size} {checkpoint.root.hex()}",
    )
    return pdf(paper, pages(found))


def _proofs(evidence: Evidence) -> dict[str, Any]:
    named: Checkpoint = parse_checkpoint(text_of(evidence.checkpoint.note))
    return {
        "origin": named.origin,
        "size": named.size,
        "root": named.root.hex(),
        "events": [_proof(proof) for proof in evidence.proofs],
    }


def _proof(proof: Proof) -> dict[str, Any]:
    row, entry = proof.row, proof.row.entry
    return {
        "position": row.position,
        "stream": entry.stream,
        "stream_id": str(entry.originator_id),
        "version": entry.version,
        "name": entry.event.NAME,
        "state": row.state.decode(),
        "leaf": row.leaf.hex(),
        "path": [node.hex() for node in proof.path],
    }


def _json(value: object) -> bytes:
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(value, option=options)


def _readme() -> bytes:
    """How to check the folder, in both languages."""
    folder = files("ops.pack")
    return b"\n".join((folder / f"check.{language}.md").read_bytes() for language in TONGUES)


def _sums(made: dict[str, bytes]) -> bytes:
    lines = (f"{hashlib.sha256(made[name]).hexdigest()}  {name}\n" for name in sorted(made))
    return "".join(lines).encode()
