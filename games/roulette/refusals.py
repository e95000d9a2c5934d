"""The refusal codes of all roulette, by precedence; published and never renamed.

The games of roulette share them, and each answers those that its rules know. They rank after the
ledger's `no-bet` and before its bounds on money (`insufficient-posta`).
"""

from enum import StrEnum


class RouletteCode(StrEnum):
    """Why the table takes no such bet."""

    BETS_CLOSED = "bets-closed"
    UNKNOWN_ACCOUNT = "unknown-account"
    OWN_LIMITS_NOT_OFFERED = "own-limits-not-offered"
    ILLEGAL_PLACEMENT = "illegal-placement"
    PLACEMENT_NOT_OFFERED = "placement-not-offered"
    ANNOUNCED_NOT_OFFERED = "announced-not-offered"
    DECLARED_AMOUNT_DIFFERS = "declared-amount-differs"
    NOT_ANOTHER_CHANCE = "not-another-chance"
    NOTHING_HELD = "nothing-held"
    NOTHING_TO_REPLAY = "nothing-to-replay"
    REPLAY_NOT_OFFERED = "replay-not-offered"
    NOT_A_SUM_OF_CHIPS = "not-a-sum-of-chips"
    POSITION_BELOW_MINIMUM = "position-below-minimum"
    POSITION_ABOVE_MAXIMUM = "position-above-maximum"
    GROUP_BELOW_MINIMUM = "group-below-minimum"
    GROUP_ABOVE_MAXIMUM = "group-above-maximum"
    TABLE_ABOVE_MAXIMUM = "table-above-maximum"
