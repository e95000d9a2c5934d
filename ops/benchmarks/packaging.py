"""Events a second of one process: a package of the whole book exported, and verified offline."""

import time
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from games import registry
from ledger.exports.package import Exported
from ledger.exports.verifier import Trust, verify
from ops import clock
from ops.benchmarks.concession import Side
from ops.benchmarks.lines import Line, Spread
from ops.benchmarks.sealing import key_of
from ops.exporting import Wanted, export_days
from ops.settings import Settings
from ops.workers import ports
from workers.closing import days_due

LATER = timedelta(days=2)
"""After so long every day of the run is due, and an empty one besides."""


def measure(conninfo: str, home: Path, side: Side) -> list[Line]:
    """Export whatever a side has sealed, once, and verify it; its days are closed after that."""
    key, target = key_of(side), home / "package"
    path = home / "bench.key"
    path.write_text(key.secret_text(), encoding="utf-8")
    settings = Settings(
        home=home,
        database_url=SecretStr(conninfo),
        book=side.book,
        clock="simulated",
        origin=key.name,
        signing_key=path,
    )
    clock.set_simulated(settings, clock.now() + LATER)
    wired = ports(settings)
    days = days_due(wired)
    began = time.perf_counter()
    exported = export_days(wired, (key,), Wanted(days[0], days[-1], target))
    wrote = time.perf_counter() - began
    assert isinstance(exported, Exported), exported
    began = time.perf_counter()
    verdict = verify(target, Trust((key.verifying_key,), audits=registry.AUDITS))
    read = time.perf_counter() - began
    assert verdict.holds, verdict.findings
    return [
        _line("export a package", exported.size / wrote, "reports; then reading what moves money"),
        _line("verify a package", exported.size / read, "hashes and postings; a half is audits"),
    ]


def _line(name: str, rate: float, by: str) -> Line:
    return Line(name, "events/s", Spread(rate, rate, rate), by)
