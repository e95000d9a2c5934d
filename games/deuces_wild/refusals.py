"""Deuces Wild's own refusal codes, by precedence (rulings DW3 to DW6).

They rank after the ledger's `no-bet` and before its bounds on money (`insufficient-posta`).
"""

from enum import StrEnum


class DeucesCode(StrEnum):
    """Why the game takes no such move."""

    CARDS_DEALT = "cards-dealt"
    COINS_NOT_OFFERED = "coins-not-offered"
    COIN_NOT_OFFERED = "coin-not-offered"
    CARDS_REPLACED = "cards-replaced"
    NO_SUCH_CARD = "no-such-card"
    CARD_HELD_TWICE = "card-held-twice"
    NO_WIN = "no-win"
    DOUBLE_UP_IN_PLAY = "double-up-in-play"
    NO_DOUBLE_UP = "no-double-up"
    DOUBLE_UPS_USED = "double-ups-used"
    DOUBLE_UP_ABOVE_LIMIT = "double-up-above-limit"
    NO_HALF = "no-half"
    NO_SUCH_PICK = "no-such-pick"
