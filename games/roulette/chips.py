"""Chips: a bet's amount is a sum of the chips of its family (European Roulette rules, "Fiches")."""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from types import MappingProxyType

from ledger.domain.money import format_amount


@dataclass(frozen=True, slots=True)
class Chips:
    """The values of a family's chips in minor units, ascending, and the amounts they can make."""

    values: tuple[int, ...]
    least: Mapping[int, int]
    """For each remainder by the smallest chip, the least amount that leaves it."""

    def make(self, amount: int) -> bool:
        """Whether some chips add up to exactly this amount."""
        start = self.least.get(amount % self.values[0])
        return start is not None and 0 < amount >= start

    def listed(self) -> str:
        """The values as a person reads them."""
        return ", ".join(map(format_amount, self.values))


def chips_of(values: tuple[int, ...]) -> Chips:
    """The chips of these values; from the least amounts on, the smallest chip fills any gap."""
    smallest, *others = values
    least = {0: 0}
    queue = [0]
    while queue:
        amount = heappop(queue)
        for following in (amount + chip for chip in others):
            if following < least.get(following % smallest, following + 1):
                least[following % smallest] = following
                heappush(queue, following)
    return Chips(values, MappingProxyType(least))
