"""What `verify` looks at in the entries of live tables, without a database."""

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.domain.decider import Engine
from ledger.domain.events import AnyEntry
from ledger.replay import Finding, Judge
from ledger.seal.outcomes import OutcomeCheck
from ledger.seal.payments import PaymentCheck
from ledger.seal.seats import SeatCheck


def found_at_tables(
    entries: Iterable[AnyEntry], engines: Mapping[str, Engine], published: Mapping[Any, Any]
) -> list[Finding]:
    """All that the judge and the checks of tables find in entries."""
    judge = Judge(engines, published)
    checks = (OutcomeCheck(), SeatCheck(), PaymentCheck(engines, published))
    found: list[Finding] = []
    for entry in entries:
        found += judge.see(entry)
        for check in checks:
            found += check.see(0, entry)
    return [*found, *judge.end(), *(f for check in checks for f in check.end())]
