"""Audit packages of a small casino, and forgeries of them by whoever has a key and much time."""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import orjson

from games import registry
from ledger.domain import commands as cmd
from ledger.domain.money import Currency
from ledger.exports.layout import MANIFEST, MANIFEST_NOTE, manifest_text
from ledger.exports.package import Exported
from ledger.exports.previous import read_previous
from ledger.exports.verifier import Trust, Verdict, verify
from ledger.exports.verifier.log import read_event
from ledger.seal.merkle import Frontier
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from ops.exporting import Wanted, export_days
from tests.workers.evening import HIGHER, evening_at
from tests.workers.history import Casino, red, straight

MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)
Edit = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Chain:
    """A casino with two exported days, the second day's package after the first one's."""

    casino: Casino
    monday: Path
    tuesday: Path
    anna: UUID
    """Her session at Deuces Wild, with a double-up at risk over midnight."""

    def verify(self, path: Path, **trust: Any) -> Verdict:
        """Verify a package with the casino's key from outside, and every game's second method."""
        keys, given = (self.casino.key.verifying_key,), {"audits": registry.AUDITS} | trust
        return verify(path, Trust(keys=keys, **given))

    def found(self, path: Path, **trust: Any) -> set[str]:
        """The checks that find something."""
        return {finding.check for finding in self.verify(path, **trust).findings}


def export(casino: Casino, target: Path, days: tuple[date, date], after: Path | None) -> Exported:
    """Export days that are over."""
    previous = None if after is None else read_previous((after / MANIFEST).read_bytes())
    done = export_days(casino.ports, (casino.key,), Wanted(*days, target, previous))
    assert isinstance(done, Exported), done
    return done


def chain_at(database: str, folder: Path) -> Chain:
    """Monday evening at Deuces Wild and at roulette; Tuesday ends what was in play; Wednesday."""
    casino = Casino(database, folder, book=f"x{uuid4().hex[:8]}")
    evening = evening_at(casino)
    bruno = casino.sit(casino.player("bruno"), channel="app")
    casino.send(cmd.GrantBonus, session=bruno, amount=700, currency=Currency.EUR, reason="welcome")
    casino.play(bruno, 17, straight(17), red("5.00"))
    casino.void(bruno, casino.open_round(bruno, red("1.00")))
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    casino.seal()
    export(casino, folder / "monday", (MONDAY, MONDAY), None)
    casino.pick(evening.session, evening.open, HIGHER)
    casino.act(evening.session, evening.open, {"collect": True})
    casino.send(cmd.CloseSession, session=evening.session)
    casino.play(bruno, 0, straight(17), red("5.00"))
    casino.now = datetime(2026, 12, 2, 9, tzinfo=UTC)
    casino.seal()
    export(casino, folder / "tuesday", (TUESDAY, TUESDAY), folder / "monday")
    return Chain(casino, folder / "monday", folder / "tuesday", evening.session)


@dataclass(frozen=True, slots=True)
class Days:
    """A casino, and the packages of its two days."""

    casino: Casino
    monday: Path
    tuesday: Path

    def verify(self, path: Path, previous: Path | None = None) -> Verdict:
        """With the casino's key, and the second methods."""
        keys = (self.casino.key.verifying_key,)
        return verify(path, Trust(keys=keys, audits=registry.AUDITS, previous=previous))

    def found(self, path: Path, previous: Path | None = None) -> str:
        """What is found wrong with rounds."""
        findings = self.verify(path, previous).findings
        return "\n".join(f.found for f in findings if f.check == "rounds")


@dataclass(frozen=True, slots=True)
class Forgery:
    """A copy of a package that is changed, and then made to agree with itself."""

    path: Path

    @classmethod
    def of(cls, package: Path, folder: Path) -> "Forgery":
        """A fresh copy."""
        return cls(Path(shutil.copytree(package, folder / f"forged-{uuid4().hex[:8]}")))

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest as it is now."""
        return orjson.loads((self.path / MANIFEST).read_bytes())

    def edit(self, name: str, change: Edit) -> None:
        """Change a file; a change that changes nothing is no forgery."""
        before = (self.path / name).read_bytes()
        after = change(before)
        assert before != after, name
        (self.path / name).write_bytes(after)

    def events(self) -> list[bytes]:
        """The lines of its events."""
        return (self.path / "events.jsonl").read_bytes().splitlines(keepends=True)

    def resign(self, key: SigningKey, **changes: Any) -> None:
        """List every file as it is now, and sign the list."""
        document = self.manifest | changes
        listed = [self._listed(f["path"]) for f in document["files"]]
        content = orjson.dumps({**document, "files": [f for f in listed if f]})
        (self.path / MANIFEST).write_bytes(content)
        note = sign_note(manifest_text(document["origin"], content), key)
        (self.path / MANIFEST_NOTE).write_text(note, encoding="utf-8")

    def _listed(self, name: str) -> dict[str, Any] | None:
        path = self.path / name
        if not path.exists():
            return None
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        return {"path": name, "sha256": digest, "size": len(content)}

    def relog(self, lines: list[bytes], key: SigningKey) -> Checkpoint:
        """Take these lines for the events, and sign a log that ends with them anew.

        Positions are counted again; reports, journal and the rest stay as they were.
        """
        manifest = self.manifest
        assert manifest["first"] == 0, "a forger who begins with the book needs no proof"
        renumbered = [_at(place, line) for place, line in enumerate(lines)]
        (self.path / "events.jsonl").write_bytes(b"".join(renumbered))
        tree = Frontier().extend([read_event(line).leaf for line in renumbered])
        signed = Checkpoint(manifest["origin"], tree.size, tree.root())
        for old in (self.path / "checkpoints").iterdir():
            old.unlink()
        name = f"checkpoints/{tree.size}.note"
        (self.path / name).write_text(sign_note(signed.text(), key), encoding="utf-8")
        files = [f for f in manifest["files"] if not f["path"].startswith("checkpoints/")]
        self.resign(key, size=tree.size, root=tree.root().hex(), files=[*files, {"path": name}])
        return signed


def _at(position: int, line: bytes) -> bytes:
    """A line that says another position."""
    _, comma, rest = line.partition(b",")
    return b'{"position":%d%s%s' % (position, comma, rest)
