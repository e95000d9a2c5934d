"""Disputes at the desk: what is said is encrypted before it is recorded, and read while it may be.

Texts stand under the player's key, bound to the dispute and to the command that recorded them, so
that the same command is the same content and none can be shown in another's place (G3, G10).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from ledger.answers import Answer
from ledger.domain import commands as cmd, dispute as dis, session as ses
from ledger.domain.events import (
    AnyEntry,
    CommandAnswered,
    Decided,
    DisputeClosed,
    DisputeEvent,
    DisputeNoted,
    DisputeOpened,
    ProtectedText,
    Side,
)
from ledger.domain.ids import command_stream, player_stream
from ledger.domain.refusals import Code, Refusal
from ops.desk import Desk
from ops.vault import Vault

UNKNOWN: Final = Refusal(Code.UNKNOWN_DISPUTE, "No such dispute; `contoposta dispute list` lists.")


@dataclass(frozen=True, slots=True)
class Saying:
    """What was said: by which part, through which channel, when if not now, and the words."""

    by: Side
    channel: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """How a dispute is decided, by whom and why."""

    decider: str
    decision: Decided
    reason: str


@dataclass(frozen=True, slots=True)
class Contact:
    """One step of a dispute, with what was said; `text` is None once the player is forgotten."""

    entry: AnyEntry
    event: DisputeEvent
    text: str | None

    @property
    def at(self) -> datetime:
        """When it was said."""
        return self.entry.played or self.entry.recorded

    @property
    def by(self) -> str:
        """Which part spoke; of a decision, who decided."""
        match self.event:
            case DisputeOpened(by=by) | DisputeNoted(by=by) | DisputeClosed(decider=by):
                return by
            case _:
                raise TypeError(f"nobody speaks in {self.event.NAME}")

    @property
    def channel(self) -> str | None:
        """Through which channel; None of a decision."""
        return getattr(self.event, "channel", None)

    @property
    def decision(self) -> Decided | None:
        """How it was decided; None of anything else."""
        return getattr(self.event, "decision", None)


@dataclass(frozen=True, slots=True)
class Disputes:
    """What a desk does with disputes."""

    desk: Desk

    def open(self, asked: UUID, claim: Saying, command_id: UUID) -> Answer | Refusal:
        """Open a dispute about a session or a round by its id."""
        about = self._about(asked)
        if isinstance(about, Refusal):
            return about
        player, session, round_id = about
        text = self._protected(player, (command_id, command_id), claim.text)
        if isinstance(text, Refusal):
            return text
        return self.desk.handle(
            cmd.OpenDispute(
                **self.desk.head(command_id),
                played=claim.at,
                player=player,
                session=session,
                round=round_id,
                by=claim.by,
                channel=claim.channel,
                claim=text,
            )
        )

    def add(self, dispute: UUID, said: Saying, command_id: UUID) -> Answer | Refusal:
        """Record a contact."""
        found = self._in(dispute, command_id, said.text)
        if isinstance(found, Refusal):
            return found
        player, text = found
        return self.desk.handle(
            cmd.AddToDispute(
                **self.desk.head(command_id),
                played=said.at,
                player=player,
                dispute=dispute,
                by=said.by,
                channel=said.channel,
                note=text,
            )
        )

    def close(self, dispute: UUID, made: Decision, command_id: UUID) -> Answer | Refusal:
        """Decide a dispute."""
        found = self._in(dispute, command_id, made.reason)
        if isinstance(found, Refusal):
            return found
        player, text = found
        return self.desk.handle(
            cmd.CloseDispute(
                **self.desk.head(command_id),
                player=player,
                dispute=dispute,
                decider=made.decider,
                decision=made.decision,
                reason=text,
            )
        )

    def forget(self, player: str, reason: str, command_id: UUID) -> Answer:
        """Forget a player: the event first, then the key; a duty does what is cut off between."""
        command = cmd.ForgetPlayer(**self.desk.head(command_id), player=player, reason=reason)
        answer = self.desk.handle(command)
        if answer.refusal is None:
            self.desk.vault.destroy(player)
        return answer

    def player_of(self, dispute: UUID) -> str | None:
        """Whose dispute it is; None when there is none of this id."""
        answer = _answer(self.desk, dispute)
        if answer is None or answer.kind != cmd.OpenDispute.KIND:
            return None
        return answer.about.partition(":")[2]

    def is_open(self, player: str, dispute: UUID) -> bool:
        """Whether a dispute of a player is not decided."""
        return dispute in self._state(player).open

    def course(self, player: str, dispute: UUID) -> tuple[Contact, ...]:
        """A dispute from its claim on, in order."""
        return course(self.desk.vault, self.desk.service.history(player_stream(player)), dispute)

    def _about(self, asked: UUID) -> tuple[str, UUID, UUID | None] | Refusal:
        """Whose session is disputed, which, and which round of it."""
        state = self.desk.session(asked)
        if not isinstance(state, ses.Absent):
            return state.terms.player, asked, None
        answer = _answer(self.desk, asked)
        kind, _, key = ("", "", "") if answer is None else answer.about.partition(":")
        found = self.desk.session(UUID(key)) if kind == "session" else ses.START
        if isinstance(found, ses.Absent):
            return Refusal(Code.UNKNOWN_SESSION, "No session and no round has this id; look it up.")
        return found.terms.player, UUID(key), asked

    def _in(
        self, dispute: UUID, command_id: UUID, text: str
    ) -> tuple[str, ProtectedText] | Refusal:
        """Whose dispute it is, and what is said in it, encrypted."""
        player = self.player_of(dispute)
        if player is None:
            return UNKNOWN
        protected = self._protected(player, (dispute, command_id), text)
        return protected if isinstance(protected, Refusal) else (player, protected)

    def _protected(self, player: str, at: tuple[UUID, UUID], text: str) -> ProtectedText | Refusal:
        if self._state(player).forgotten:
            return dis.FORGOTTEN
        return self.desk.vault.protect_text(player, _place(*at), text)

    def _state(self, player: str) -> dis.State:
        state: dis.State = self.desk.service.state(player_stream(player))  # type: ignore[assignment]
        return state


def course(vault: Vault, entries: Iterable[AnyEntry], dispute: UUID) -> tuple[Contact, ...]:
    """The steps of one dispute among the entries of its player's."""
    mine = [
        (entry, entry.event)
        for entry in entries
        if isinstance(entry.event, DisputeEvent) and entry.event.dispute == dispute
    ]
    return tuple(
        Contact(
            entry,
            event,
            vault.reveal_text(event.player, _place(dispute, entry.command), _text(event)),
        )
        for entry, event in mine
    )


def _text(event: DisputeEvent) -> ProtectedText:
    match event:
        case DisputeOpened(claim=text) | DisputeNoted(note=text) | DisputeClosed(reason=text):
            return text
        case _:
            raise TypeError(f"nothing is said by {event.NAME}")


def _place(dispute: UUID, command: UUID) -> str:
    """Where a text was said: in which dispute, by which command."""
    return f"dispute:{dispute}:{command}"


def _answer(desk: Desk, command: UUID) -> CommandAnswered | None:
    """The record of an accepted command; None when there is no such one."""
    told = (entry.event for entry in desk.service.history(command_stream(command)))
    yes = (e for e in told if isinstance(e, CommandAnswered) and e.refusal is None)
    return next(yes, None)
