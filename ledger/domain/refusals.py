"""The three kinds of no: a refusal is a value, a fault is an exception, an assert marks a bug.

A refusal tells the player or clerk what may not be, and what to do instead. Its codes are
stable, published, and listed here by precedence: where several hold, the first is answered.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Code(StrEnum):
    """Refusal codes of the ledger itself, in order of precedence; never renamed or reused."""

    MALFORMED = "malformed"
    COMMAND_CONFLICT = "command-conflict"
    REFUNDED_BEFORE_PLACED = "refunded-before-placed"
    BOOK_ALREADY_OPEN = "book-already-open"
    BOOK_NOT_OPEN = "book-not-open"
    SIGNING_KEY_NOT_IN_FORCE = "signing-key-not-in-force"
    SIGNING_KEY_USED = "signing-key-used"
    UNKNOWN_SHEET = "unknown-sheet"
    SHEET_INVALID = "sheet-invalid"
    SHEET_VERSION_TAKEN = "sheet-version-taken"
    SHEET_NOT_IN_FORCE = "sheet-not-in-force"
    UNKNOWN_NOTICE = "unknown-notice"
    UNKNOWN_DIFFERENCE = "unknown-difference"
    DIFFERENCE_OPEN = "difference-open"
    DIFFERENCE_CLOSED = "difference-closed"
    MAINTENANCE = "maintenance"
    SAME_APPROVER = "same-approver"
    NOTHING_TO_CORRECT = "nothing-to-correct"
    NO_SUCH_ACCOUNT = "no-such-account"
    UNDER_AGE = "under-age"
    UNKNOWN_ALERT = "unknown-alert"
    ALERT_ACKNOWLEDGED = "alert-acknowledged"
    CONTO_ALREADY_OPEN = "conto-already-open"
    UNKNOWN_CONTO = "unknown-conto"
    CONTO_CLOSED = "conto-closed"
    CONTO_SUSPENDED = "conto-suspended"
    CONTO_NOT_SUSPENDED = "conto-not-suspended"
    CONTO_EXCLUDED = "conto-excluded"
    CONTO_NOT_EXCLUDED = "conto-not-excluded"
    PAYMENT_ALREADY_BOOKED = "payment-already-booked"
    CONTO_IN_USE = "conto-in-use"
    CONTO_NOT_EMPTY = "conto-not-empty"
    CONTO_NOT_CLOSED = "conto-not-closed"
    PLAYER_FORGOTTEN = "player-forgotten"
    RETENTION_RUNNING = "retention-running"
    DISPUTE_OPEN = "dispute-open"
    UNKNOWN_DISPUTE = "unknown-dispute"
    DISPUTE_CLOSED = "dispute-closed"
    SESSION_ALREADY_OPEN = "session-already-open"
    UNKNOWN_SESSION = "unknown-session"
    SESSION_CLOSED = "session-closed"
    SESSION_NOT_VALIDATED = "session-not-validated"
    WRONG_CURRENCY = "wrong-currency"
    WRONG_GAME = "wrong-game"
    PARTICIPATION_PENDING = "participation-pending"
    UNKNOWN_PARTICIPATION = "unknown-participation"
    PARTICIPATION_CONTRADICTED = "participation-contradicted"
    SESSION_DISCONNECTED = "session-disconnected"
    SESSION_CONNECTED = "session-connected"
    NOT_YET_DUE = "not-yet-due"
    TOO_LATE_TO_RECONNECT = "too-late-to-reconnect"
    SERIES_NOT_OFFERED = "series-not-offered"
    UNKNOWN_SERIES = "unknown-series"
    SERIES_ALREADY_PREPARED = "series-already-prepared"
    SERIES_EXPIRED = "series-expired"
    SERIES_ENDED = "series-ended"
    SERIES_IN_PLAY = "series-in-play"
    OFFSET_NOT_OFFERED = "offset-not-offered"
    TIME_LIMIT_REACHED = "time-limit-reached"
    UNKNOWN_TABLE = "unknown-table"
    TABLE_ALREADY_OPEN = "table-already-open"
    TABLE_CLOSED = "table-closed"
    TABLE_NOT_OFFERED = "table-not-offered"
    TABLE_SUSPENDED = "table-suspended"
    TABLE_NOT_SUSPENDED = "table-not-suspended"
    SEATED_ALREADY = "seated-already"
    NOT_SEATED = "not-seated"
    SEAT_TAKEN = "seat-taken"
    TABLE_IN_USE = "table-in-use"
    TABLE_TAKES_NO_BETS = "table-takes-no-bets"
    TABLE_ROUND_IN_PLAY = "table-round-in-play"
    NO_TABLE_ROUND = "no-table-round"
    BETS_NOT_CLOSED = "bets-not-closed"
    SHOE_OUT = "shoe-out"
    SEAT_IN_TURN = "seat-in-turn"
    CARD_TO_COME = "card-to-come"
    UNKNOWN_ROUND = "unknown-round"
    ROUND_ENDED = "round-ended"
    ROUND_DECIDED = "round-decided"
    ROUND_IN_PLAY = "round-in-play"
    UNKNOWN_BET = "unknown-bet"
    BET_ALREADY_REFUNDED = "bet-already-refunded"
    NO_BET = "no-bet"
    RIGHT_BELOW_MINIMUM = "right-below-minimum"
    POSTA_ABOVE_MAXIMUM = "posta-above-maximum"
    LOSS_LIMIT_REACHED = "loss-limit-reached"
    DEPOSIT_LIMIT_REACHED = "deposit-limit-reached"
    SPEND_LIMIT_REACHED = "spend-limit-reached"
    INSUFFICIENT_CONTO = "insufficient-conto"
    INSUFFICIENT_POSTA = "insufficient-posta"
    AMOUNT_TOO_LARGE = "amount-too-large"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One no: a published code and a sentence that says what to do. Nothing was changed."""

    code: StrEnum
    """A member of `Code`, or of a game's own ordered codes."""
    message: str
    """One sentence in English for the person who asked; it never holds a secret."""


class Fault(Exception):  # noqa: N818 - the third kind of no has a name of its own
    """The infrastructure failed: nothing was decided, and the same command may be sent again."""


class ClockFault(Fault):
    """The clock stands before a day that is already reported; nothing may be recorded then."""


class ConflictFault(Fault):
    """Others wrote first on every try; the bounded retries inside are used up."""


NOTHING_WRITTEN: Final = "Nothing was written."
