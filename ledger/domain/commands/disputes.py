"""Commands on a player's disputes, and the one that forgets a player."""

from uuid import UUID

from ledger.domain.commands.accounts import ContoCommand
from ledger.domain.events import Decided, ProtectedText, Side
from ledger.domain.ids import Sentence, Word


class OpenDispute(ContoCommand):
    """Record a claim about a session or a round; the dispute has this command's id."""

    KIND = "open-dispute"
    session: UUID
    round: UUID | None
    by: Side
    channel: Word
    claim: ProtectedText


class DisputeCommand(ContoCommand):
    """Base of the commands on an open dispute."""

    dispute: UUID


class AddToDispute(DisputeCommand):
    """Record a contact."""

    KIND = "add-to-dispute"
    by: Side
    channel: Word
    note: ProtectedText


class CloseDispute(DisputeCommand):
    """Decide a dispute, in the name of who decided."""

    KIND = "close-dispute"
    decider: Word
    decision: Decided
    reason: ProtectedText


class ForgetPlayer(ContoCommand):
    """Erase what is personal of a player whose conto is closed long enough (guarantee G10)."""

    KIND = "forget-player"
    reason: Sentence
