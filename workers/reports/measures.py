"""What daily game performance tells: figures that add up, and the returns that derive from them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from workers.reports.table import Cell, Column, Kind, Measures

_MONEY: Final = ("turnover", "winnings", "stake_returned", "returned", "refunded")
_VOID: Final = (Column("void_rounds", Kind.COUNT), Column("void_bets", Kind.COUNT))
_ACTUAL: Final = (
    Column("rtp_numerator", Kind.COUNT),
    Column("rtp_denominator", Kind.COUNT),
    Column("rtp_percent", Kind.PERCENT),
)
THEORY: Final = (
    Column("theoretical_numerator", Kind.COUNT),
    Column("theoretical_denominator", Kind.COUNT),
    Column("theoretical_percent", Kind.PERCENT),
)
CURRENCY: Final = Column("currency", Kind.TEXT)
TIES: Final = Column("ties", Kind.TEXT)
SHEET: Final = Column("sheet", Kind.TEXT)
SHEET_VERSION: Final = Column("sheet_version", Kind.COUNT)
BET_KIND: Final = Column("bet_kind", Kind.TEXT)
ACCOUNT: Final = Column("account", Kind.TEXT)
LIVE_TABLE: Final = Column("live_table", Kind.TEXT)


def agree(holds: bool) -> str:  # noqa: FBT001 - it is what is told
    """Whether figures that must agree do, as a report says it."""
    return "yes" if holds else "no"


def exact(ratio: Fraction | None) -> tuple[Cell, ...]:
    """A ratio as its exact pair and as a percentage; nothing where there is none."""
    return (None, None, None) if ratio is None else (ratio.numerator, ratio.denominator, ratio)


def actual(figures: Mapping[str, int]) -> Fraction | None:
    """Actual return: winnings and returned stakes of turnover; None without turnover."""
    returned = figures["winnings"] + figures["stake_returned"]
    return Fraction(returned, figures["turnover"]) if figures["turnover"] else None


def _play(figures: Mapping[str, int]) -> tuple[Cell, ...]:
    returned = figures["winnings"] + figures["stake_returned"]
    known = {**figures, "returned": returned}
    head = (figures["rounds"], figures["bets"], *(known[name] for name in _MONEY))
    void = (figures["void_rounds"], figures["void_bets"], figures["void_refunded"])
    return (*head, *void, *exact(actual(figures)))


PLAY: Final = Measures(
    columns=(
        Column("rounds", Kind.COUNT),
        Column("bets", Kind.COUNT),
        *(Column(name, Kind.MONEY) for name in _MONEY),
        *_VOID,
        Column("void_refunded", Kind.MONEY),
        *_ACTUAL,
    ),
    names=(
        "rounds", "bets", "turnover", "winnings", "stake_returned", "refunded",
        "void_rounds", "void_bets", "void_refunded",
    ),
    show=_play,
)  # fmt: skip

SEATED: Final = Measures(
    (*PLAY.columns, Column("drop", Kind.MONEY)),
    (*PLAY.names, "drop"),
    lambda figures: (*_play(figures), figures["drop"]),
)
"""Play at a live table, and what rights brought there."""

BONUS: Final = Measures(
    (Column("bonuses", Kind.COUNT), Column("amount", Kind.MONEY)),
    ("bonuses", "amount"),
    lambda figures: (figures["bonuses"], figures["amount"]),
)
DEMO: Final = Measures(
    (
        Column("rounds", Kind.COUNT),
        Column("staked", Kind.MONEY),
        Column("credited", Kind.MONEY),
    ),
    ("rounds", "staked", "credited"),
    lambda figures: (figures["rounds"], figures["staked"], figures["credited"]),
)
"""Demo rounds: chips are written like money and are none."""
DEMO_CHIPS: Final = "demo"
"""What stands for a currency where chips are counted."""
HELD: Final = Measures(
    (
        Column("rounds", Kind.COUNT),
        Column("stakes_held", Kind.MONEY),
        Column("wins_held", Kind.MONEY),
    ),
    ("rounds", "stakes_held", "wins_held"),
    lambda figures: (figures["rounds"], figures["stakes_held"], figures["wins_held"]),
)


def _doubled(figures: Mapping[str, int]) -> tuple[Cell, ...]:
    staked, returned = figures["double_ups_staked"], figures["double_ups_returned"]
    ratio = Fraction(returned, staked) if staked else None
    return (figures["double_ups"], staked, returned, *exact(ratio))


DOUBLED: Final = Measures(
    (
        Column("double_ups", Kind.COUNT),
        Column("staked", Kind.MONEY),
        Column("returned", Kind.MONEY),
        *_ACTUAL,
    ),
    ("double_ups", "double_ups_staked", "double_ups_returned"),
    _doubled,
)

_TOTALS: Final = (
    "base_turnover", "double_ups_staked", "turnover", "base_returned", "double_ups_returned",
    "returned", "ggr",
)  # fmt: skip


def all_bets(figures: Mapping[str, int]) -> dict[str, int]:
    """Base game and double-ups together, by the names of the columns; amounts in minor units."""
    staked = (figures["turnover"], figures["double_ups_staked"])
    returned = (
        figures["winnings"] + figures["stake_returned"],
        figures["double_ups_returned"],
    )
    kept = sum(staked) - sum(returned)
    amounts = (*staked, sum(staked), *returned, sum(returned), kept)
    return dict(zip(_TOTALS, amounts, strict=True))


ALL_BETS: Final = Measures(
    tuple(Column(name, Kind.MONEY) for name in _TOTALS),
    ("turnover", "winnings", "stake_returned", "double_ups_staked", "double_ups_returned"),
    lambda figures: tuple(all_bets(figures).values()),
)
"""All bets, those of the base game and the double-ups; `ggr` is what the house kept of them."""
