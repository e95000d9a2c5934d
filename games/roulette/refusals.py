"""The refusal codes of roulette, by precedence; published and never renamed.

They rank after the ledger's `no-bet` and before its bounds on money (`insufficient-posta`).
"""

from enum import StrEnum


class RouletteCode(StrEnum):
    """Why the table takes no such bet."""

    BETS_CLOSED = "bets-closed"
    ILLEGAL_PLACEMENT = "illegal-placement"
    PLACEMENT_NOT_OFFERED = "placement-not-offered"
    ANNOUNCED_NOT_OFFERED = "announced-not-offered"
    NOT_A_SUM_OF_CHIPS = "not-a-sum-of-chips"
    POSITION_BELOW_MINIMUM = "position-below-minimum"
    POSITION_ABOVE_MAXIMUM = "position-above-maximum"
    TABLE_ABOVE_MAXIMUM = "table-above-maximum"
