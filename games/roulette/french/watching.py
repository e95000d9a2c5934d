"""What French roulette shows of chance alone: the pockets, and what a pocket makes of a round.

A stake in prison is held at its worth, which its player may have at any time. So each spin has an
exact expectation, whatever was chosen before it: the sums over spins depart from those of their
expectations by chance alone, under every policy in prison.
"""

from collections import Counter
from typing import Final

from games.engine import Exposure, Watch
from games.roulette.french.positions import Position, settle
from games.roulette.french.prison import Prisoner, Terms, spin, worth
from games.roulette.french.round import excess
from games.roulette.french.sheet import Sheet
from games.roulette.french.table import Table, limits_of, table_of
from games.roulette.rtp import Pays
from games.roulette.watching import POCKET, chances, outcomes
from games.roulette.wheel import POCKETS, ZERO
from ledger.domain.decider import RoundView

Brings = Counter[int]
"""Minor units by pocket."""


def exposure(view: RoundView) -> Exposure | None:
    """What the table's next pocket decides: bets that lie, or what was imprisoned of them."""
    table, sheet = table_of(view), view.sheet
    lying = _positions(sheet, table)
    brings: Brings = Counter()
    if table.told:
        for prisoner in table.prisoners.values():
            _add_prisoner(brings, sheet.prison, prisoner)
    else:
        for position in lying:
            _add_position(brings, sheet.pays, sheet.prison, position)
    if not (table.prisoners if table.told else lying):
        return None
    named = {str(pocket): amount for pocket, amount in brings.items() if amount}
    return Exposure(sum(p.counted for p in lying), again=bool(table.told), brings=named)


def _positions(sheet: Sheet, table: Table) -> list[Position]:
    """What counts of each bet; what stands beyond the maximum goes back whatever comes (FR3)."""
    over = excess(table, limits_of(sheet, table).max)
    found = [Position(b.placement, b.amount, over.get(n, 0)) for n, b in table.bets.items()]
    return [position for position in found if position.counted]


def _add_position(brings: Brings, pays: Pays, terms: Terms, position: Position) -> None:
    for pocket in {*position.bet.numbers, ZERO}:
        settled = settle(pays, position, pocket)
        held = 0 if settled.held is None else worth(terms, settled.held)
        brings[pocket] += settled.payout.credited + held


def _add_prisoner(brings: Brings, terms: Terms, prisoner: Prisoner) -> None:
    before = worth(terms, prisoner)
    for pocket in POCKETS:
        fate = spin(terms, prisoner, pocket)
        held = 0 if fate.held is None else worth(terms, fate.held)
        brings[pocket] += fate.credited + held - before


WATCH: Final = Watch(
    chances=chances,
    outcomes=outcomes,
    table_draw=POCKET,
    exposure=exposure,
    ways=len(POCKETS),
)
