"""The verifier of audit packages: offline, and without the book's own code.

    verdict = verify(Path("november"), Trust(keys=(VerifyingKey.parse(text),)))

It imports nothing of the domain, the store, the games and the database; a contract holds that.
Read `walk` first: it reads the events once and lets every check see each. What proves the book is
in `files`, `log`, `money`, `rounds`, `series` and `chain`; what its reports tell is in `totals`,
`lists`, `tables` and `reports`.
"""

from ledger.exports.verifier.verdict import Audit, Finding, Trust, Verdict
from ledger.exports.verifier.walk import verify

__all__ = ["Audit", "Finding", "Trust", "Verdict", "verify"]
