"""What the settlements of each business day sum up to, made again from the events."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from ledger.exports.verifier.days import day_of
from ledger.exports.verifier.log import Event, Found
from ledger.exports.verifier.verdict import Fields

PLAY: Final = (
    "rounds", "bets", "turnover", "winnings", "stake_returned", "returned", "refunded",
    "void_rounds", "void_bets", "void_refunded",
)  # fmt: skip
DOUBLED: Final = ("double_ups", "staked", "returned")
ALL_BETS: Final = (
    "base_turnover", "double_ups_staked", "turnover", "base_returned", "double_ups_returned",
    "returned", "ggr",
)  # fmt: skip
DEMO: Final = ("rounds", "staked", "credited")
BONUS: Final = ("bonuses", "amount")

Key = tuple[Any, ...]
"""Sheet, version, kind of bet or account type, currency: what a section sums by."""

Sums = dict[Key, list[int]]
"""Figures by key, in the order of the names above; money in minor units."""


def sums_of(names: tuple[str, ...]) -> Sums:
    """No sums yet, of figures with these names."""
    return defaultdict(lambda: [0] * len(names))


def add(sums: list[int], figures: Iterable[int]) -> None:
    """Add figures to sums, one by one."""
    sums[:] = [a + b for a, b in zip(sums, figures, strict=True)]


def by_currency(names: tuple[str, ...], sums: Sums) -> dict[str, list[int]]:
    """Sums together by currency, which is the last of each key."""
    together = sums_of(names)
    for key, figures in sums.items():
        add(together[key[-1],], figures)
    return {currency: figures for (currency,), figures in together.items()}


def by_day(names: tuple[str, ...]) -> dict[date, Sums]:
    """No sums yet, of any day."""
    return defaultdict(lambda: sums_of(names))


@dataclass(slots=True)
class Totals:
    """Rounds, double-ups, demo rounds and bonuses, by day and by what a section sums by."""

    play: dict[date, Sums] = field(default_factory=lambda: by_day(PLAY))
    doubled: dict[date, Sums] = field(default_factory=lambda: by_day(DOUBLED))
    demo: dict[date, Sums] = field(default_factory=lambda: by_day(DEMO))
    bonuses: dict[date, Sums] = field(default_factory=lambda: by_day(BONUS))

    def see(self, event: Event) -> Found:
        """Take in the next event; what it says is found by other checks."""
        count = _COUNTS.get(event.name)
        if count is not None:
            count(self, day_of(event.recorded), event.body)
        return iter(())

    def settled(self, day: date, body: Fields) -> None:
        """A round that counts."""
        sheet, staked = body["rules"], body["staked"] - body["refunded"]
        back = body["winnings"] + body["stake_returned"]
        paid = (body["winnings"], body["stake_returned"], back, body["refunded"])
        self._add_play(day, body, (1, body["bets"], staked, *paid, 0, 0, 0))
        doubled = body.get("double_ups")
        if doubled is not None:
            key = (sheet["sheet"], sheet["version"], body["currency"])
            figures = (doubled["count"], doubled["staked"], doubled["returned"])
            add(self.doubled[day][key], figures)

    def voided(self, day: date, body: Fields) -> None:
        """A round that does not count."""
        self._add_play(day, body, (0, 0, 0, 0, 0, 0, 0, 1, body["bets"], body["refunded"]))

    def _add_play(self, day: date, body: Fields, figures: Iterable[int]) -> None:
        sheet = body["rules"]
        key = (sheet["sheet"], sheet["version"], body.get("bet_kind"), body["currency"])
        add(self.play[day][key], figures)

    def shown(self, day: date, body: Fields) -> None:
        """A round with demo chips, which are no money."""
        sheet = body["rules"]
        key = (sheet["sheet"], sheet["version"], body.get("account"), "demo")
        add(self.demo[day][key], (1, body["staked"], body["credited"]))

    def funded(self, day: date, body: Fields) -> None:
        """Money of the house, where it is that."""
        if body["transfer"] == "bonus":
            add(self.bonuses[day][(body["currency"],)], (1, body["amount"]))

    def all_bets(self, day: date) -> Sums:
        """Base game and double-ups together, by sheet, version and currency."""
        sums = sums_of(ALL_BETS)
        for (sheet, version, _, currency), figures in self.play[day].items():
            told = dict(zip(PLAY, figures, strict=True))
            add(sums[sheet, version, currency], _all_bets(told["turnover"], told["returned"]))
        for key, (_, staked, returned) in self.doubled[day].items():
            add(sums[key], _doubled(staked, returned))
        return sums


def _all_bets(staked: int, returned: int) -> tuple[int, ...]:
    return (staked, 0, staked, returned, 0, returned, staked - returned)


def _doubled(staked: int, returned: int) -> tuple[int, ...]:
    return (0, staked, staked, 0, returned, returned, staked - returned)


_COUNTS: Final = {
    "round-settled": Totals.settled,
    "round-voided": Totals.voided,
    "demo-round-played": Totals.shown,
    "posta-funded": Totals.funded,
}
