"""An evening at Deuces Wild whose figures are worked by hand, and the rounds that it is made of.

It begins at nine in Rome, and its last bet is at risk twenty to midnight at the latest.
Anna brings 100.00. Three of a kind for five coins of 0.25 brings 1.25, which she doubles to 2.50;
half of that pushes, and all of it is lost. A flush for one coin of 1.00 brings 3.00, of which half,
1.50, is doubled, and 4.50 are collected. Two coins of 0.50 lose. A deal of 1.25 is void. At last
three of a kind brings 1.25 again, and 0.62 of it are at risk when the day ends.
"""

from dataclasses import dataclass
from uuid import UUID

from tests.deuces_table import NOTHING, TRIPLE, entropy
from tests.workers.history import DEUCES, TO_BEAT, Casino

FLUSH = ["3s", "6s", "9s", "Js", "Ks"]
HIGHER, EQUAL, LOWER = "As", "Ks", "4s"
"""Picks that win, push and lose against the card to beat."""


@dataclass(frozen=True, slots=True)
class Evening:
    """The session and its rounds."""

    casino: Casino
    session: UUID
    lost: UUID
    collected: UUID
    void: UUID
    open: UUID


def evening_at(casino: Casino) -> Evening:
    """Play the evening."""
    casino.wait(hours=11)
    casino.player("anna")
    anna = casino.sit("anna", sheet=DEUCES)
    lost = casino.hand(anna, (5, "0.25"), TRIPLE, "5s", "7c")
    for picked in (HIGHER, EQUAL, LOWER):
        casino.wait(minutes=10)
        casino.double(anna, lost, picked, half=picked == EQUAL)
    casino.wait(minutes=20)
    collected = casino.hand(anna, (1, "1.00"), FLUSH)
    casino.wait(minutes=20)
    casino.double(anna, collected, HIGHER, half=True)
    casino.wait(minutes=20)
    casino.act(anna, collected, {"collect": True})
    casino.hand(anna, (2, "0.50"), NOTHING, *("4c", "6d", "8h", "Ts", "Qc"))
    casino.wait(minutes=20)
    void = casino.deal(anna, NOTHING, 5, "0.25")
    casino.void(anna, void)
    casino.wait(minutes=20)
    last = casino.hand(anna, (5, "0.25"), TRIPLE, "5s", "7c")
    casino.act(anna, last, {"double_up": {"half": True}}, entropy([TO_BEAT]))
    casino.seal()
    return Evening(casino, anna, lost, collected, void, last)
