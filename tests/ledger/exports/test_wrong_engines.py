"""Given an engine that is wrong, then its book is sound in itself and its package betrays it.

The rounds go through the real service, are sealed, reported and exported by the same code that is
wrong; only the verifier's second method does not share the fault (G8).
"""

from pathlib import Path
from uuid import UUID, uuid4

import pytest

from games import registry
from games.deuces_wild import double_up
from games.engine import Payout
from games.roulette import payouts, round as colpo
from ledger.exports.verifier import Trust, verify
from tests.deuces_table import TRIPLE
from tests.packages import MONDAY, export
from tests.workers.evening import EQUAL
from tests.workers.history import DEUCES, Casino, red, straight

EVEN = {"chance": "even", "amount": "5.00"}
PAYOUT, JUDGE = payouts.payout, double_up.judge


def zero_is_even(bet, pays, amount, pocket):
    """Zero wins for who bet on even (fault S7)."""
    is_even = bet.kind == "even" and pocket == 0
    return Payout(amount, amount) if is_even else PAYOUT(bet, pays, amount, pocket)


def pays_one_less(bet, pays, amount, pocket):
    """A straight pays 34 to 1."""
    return PAYOUT(bet, pays - (pays == 35), amount, pocket)


def equal_loses(sheet, shown, picked):
    """The house takes a push."""
    told = JUDGE(sheet, shown, picked)
    return "lost" if told == "pushed" else told


def roulette(casino: Casino, player: str) -> None:
    """A zero and a seventeen."""
    session = casino.sit(player)
    casino.play(session, 0, EVEN, red("5.00"))
    casino.play(session, 17, straight(17), EVEN)


def deuces(casino: Casino, player: str) -> None:
    """Three of a kind, doubled against an equal card."""
    session: UUID = casino.sit(player, sheet=DEUCES)
    casino.double(session, casino.hand(session, (5, "0.25"), TRIPLE, "5s", "7c"), EQUAL)


RULES = {
    "zero is even": (colpo, "payout", zero_is_even, roulette),
    "a straight at 34": (colpo, "payout", pays_one_less, roulette),
    "equal loses": (double_up, "judge", equal_loses, deuces),
}
"""Where the rule stands, the rule as it is played, and who plays; one round of theirs is wrong."""


@pytest.mark.parametrize("rule", RULES)
def test_g8_a_fault_of_an_engine_is_found_in_what_it_exported(
    database: str, tmp_path: Path, monkeypatch, rule: str
):
    """Given an engine with one rule wrong, when its day is verified, then its round is named."""
    module, name, played, play = RULES[rule]
    monkeypatch.setattr(module, name, played)
    casino = Casino(database, tmp_path, book=f"z{uuid4().hex[:8]}")
    play(casino, casino.player("anna"))
    casino.seal()
    casino.wait(days=1)
    export(casino, tmp_path / "package", (MONDAY, MONDAY), None)

    trust = Trust(keys=(casino.key.verifying_key,), audits=registry.AUDITS)
    verdict = verify(tmp_path / "package", trust)

    assert {"rounds"} == {f.check for f in verdict.findings}
    assert 1 == len({f.found.partition(":")[0] for f in verdict.findings})
