"""Live Blackjack's own refusal codes, by precedence (rulings BJ2 to BJ6).

They rank after the ledger's `no-bet` and before its bounds on money (`insufficient-posta`).
"""

from enum import StrEnum


class BlackjackCode(StrEnum):
    """Why the table takes no such bet, card or action."""

    CARD_NOT_IN_SHOE = "card-not-in-shoe"
    BET_BELOW_MINIMUM = "bet-below-minimum"
    BET_ABOVE_MAXIMUM = "bet-above-maximum"
    NOT_IN_TURN = "not-in-turn"
    HAND_ENDED = "hand-ended"
    INSURANCE_NOT_OFFERED = "insurance-not-offered"
    EVEN_MONEY_NOT_OFFERED = "even-money-not-offered"
    DOUBLE_NOT_OFFERED = "double-not-offered"
    SPLIT_NOT_OFFERED = "split-not-offered"
