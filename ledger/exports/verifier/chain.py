"""Who else says what the log was: checkpoints, witnesses, reports, and the package before."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from ledger.exports.layout import MANIFEST, PROOFS
from ledger.exports.verifier.files import UNREADABLE, Package, checkpoint_of
from ledger.exports.verifier.log import Log
from ledger.exports.verifier.reports import Told
from ledger.exports.verifier.verdict import Findings
from ledger.seal.proofs import verify_consistency


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody's word for the log: at a size it had a root."""

    who: str
    size: int
    root: bytes
    closes: date | None = None
    """The business day that was closed there, where it says so."""


def known(
    package: Package, witnesses: Iterable[str], told: Iterable[Told], findings: Findings
) -> Iterator[Known]:
    """Everyone who has a word for the log, as far as a trusted key vouches for it."""
    yield Known(MANIFEST, package.size, package.root)
    signed = list(package.checkpoints(findings))
    for checkpoint in signed:
        yield Known(f"checkpoint {checkpoint.size}", checkpoint.size, checkpoint.root)
    sizes = {checkpoint.size for checkpoint in signed}
    if package.size not in sizes:
        findings.add("signature", MANIFEST, "no signed checkpoint is of its end")
    for number, note in enumerate(witnesses, 1):
        witnessed = checkpoint_of(note, package, f"witness {number}", findings)
        if witnessed is not None:
            yield Known(f"witness {number}", witnessed.size, witnessed.root)
    for report in told:
        try:
            size, root = report.card["checkpoint_size"], report.card["checkpoint_root"]
            if sizes and size not in sizes:
                findings.add("reports", report.name, f"no signed checkpoint here is of {size}")
            day = date.fromisoformat(report.card["last_day"])
            yield Known(report.name, int(size), bytes.fromhex(root), day)
        except UNREADABLE:
            findings.add("reports", report.name, "names no checkpoint")


def expect(log: Log, word: Known, size: int, findings: Findings) -> bool:
    """Let the log be held against a word; whether it lies where the package can tell.

    `size` is that of the package. A word for more events than it has says that its end was cut off.
    """
    if word.size > size:
        found = f"knows {word.size} events, and the package ends at {size}"
        findings.add("cut", word.who, found)
    elif word.size >= log.size:
        log.roots[word.size].append((word.who, word.root))
    return word.size >= log.size


def hold_chain(
    package: Package, before: Package | None, proofs: Mapping[str, Any], findings: Findings
) -> Known | None:
    """Hold the package against the one before; what its proof shows the log to have grown from."""
    named = package.previous
    if before is not None and named != hashlib.sha256(before.content).hexdigest():
        findings.add("chain", MANIFEST, "is not the child of the previous package")
    proof = proofs.get("consistency")
    if proof is None:
        if named is not None:
            findings.add("chain", PROOFS, "does not show that the log follows the previous one")
        return None
    old = Known(PROOFS, proof["old_size"], bytes.fromhex(proof["old_root"]))
    hashes = [bytes.fromhex(node) for node in proof["hashes"]]
    if not verify_consistency(old.size, old.root, package.size, package.root, hashes):
        findings.add("chain", PROOFS, "the log did not grow out of the previous one")
        return None
    if before is not None and (old.size, old.root) != (before.size, before.root):
        findings.add("chain", PROOFS, "is about another log than the previous package's")
    return old
