"""The desk of the back office: the use cases that a clerk, a client program and the demo share.

Each is one or a few commands to the service; the money doors ask the central system in between, and
may be walked through again after any fault.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import takewhile
from typing import Any, ClassVar, Final
from uuid import UUID, uuid4, uuid5

from games import registry
from games.sheets import SheetFile
from ledger.answers import Answer
from ledger.central import CentralSystem, Unknown, request_of
from ledger.domain import (
    commands as cmd,
    conto,
    maintenance,
    session as ses,
    sheets,
    table as tab,
)
from ledger.domain.conto_limits import profile_of
from ledger.domain.days import day_of
from ledger.domain.events import (
    CommandAnswered,
    Details,
    ParticipationAnnulled,
    ParticipationRejected,
    ParticipationValidated,
    RoundEvent,
)
from ledger.domain.ids import (
    MAINTENANCE,
    NAMESPACE,
    command_stream,
    conto_stream,
    session_stream,
    sheet_stream,
    table_stream,
)
from ledger.domain.money import Currency
from ledger.domain.refusals import Code, Fault, Refusal
from ledger.domain.rules import Rules
from ledger.replay import state_at
from ledger.rights import Recorded, annul_right, settle_right
from ledger.service import Service
from ops.vault import Vault

Clock = Callable[[], datetime]
Door = tuple[Answer, Recorded[Answer] | Unknown | None]
"""The answer to a request, and what the central system said; None when it was not asked."""


ANSWERS: Final = (ParticipationValidated, ParticipationRejected, ParticipationAnnulled)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a participation right, and why where it was not validated."""

    WAITS: ClassVar[str] = "waits"

    word: str
    reason: str | None = None

    @property
    def is_no(self) -> bool:
        """Whether the money went back."""
        return self.reason is not None


class DeskFault(Fault):
    """A step that the desk takes on its own account was refused."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A new conto: its pseudonym, currency, and name, birth-date and nickname in clear."""

    player: str
    currency: Currency
    personal: Mapping[str, str]
    profile: str | None = None
    """By whose limits the conto begins, if any."""


@dataclass(frozen=True, slots=True)
class Desk:
    """One clerk or program at work on one book."""

    service: Service
    central: CentralSystem
    vault: Vault
    actor: str
    clock: Clock

    def handle(self, command: cmd.Command) -> Answer:
        """Hand a command to the service now."""
        return self.service.handle(command, self.clock())

    def head(self, command_id: UUID | None = None) -> dict[str, Any]:
        """The fields that every command has; a new id when none is given."""
        return {"id": command_id or uuid4(), "actor": self.actor}

    def open_book(self, book: str, clock: str) -> Answer:
        """Open the book; done twice it is the same command."""
        return self.handle(
            cmd.OpenBook(
                id=uuid5(NAMESPACE, f"open:{book}"),
                actor="migrate",
                book=book,
                clock="real" if clock == "real" else "simulated",
            )
        )

    def publish_packaged(self) -> tuple[str, ...]:
        """Publish the packaged sheet versions that the book does not have; return their names.

        Raises `DeskFault` before anything is published when a version that the book has is packaged
        with another text: rounds are judged by what was published, and players read what is packed.
        """
        fresh = [sheet for sheet in registry.PACKAGED if not self._is_published(sheet)]
        for sheet in fresh:
            answer = self._publish(sheet)
            if answer.refusal is not None:
                raise DeskFault(f"{sheet.sheet} was not published: {answer.message}")
        return tuple(f"{sheet.sheet} version {sheet.version}" for sheet in fresh)

    def _is_published(self, sheet: SheetFile) -> bool:
        versions = self._sheet(sheet.sheet).versions
        if len(versions) < sheet.version:
            return False
        if versions[sheet.version - 1].ref.hash != sheets.text_hash(sheet.text):
            raise DeskFault(
                f"{sheet.sheet} version {sheet.version} is packaged with another text than was "
                "published; restore its file, and give what is new a version of its own."
            )
        return True

    def _publish(self, sheet: SheetFile) -> Answer:
        now = self.clock()
        command = cmd.PublishSheet(
            **self.head(),
            sheet=sheet.sheet,
            sheet_version=sheet.version,
            in_force_from=now,
            text=sheet.text,
        )
        return self.service.handle(command, now)

    def open_conto(self, opening: Opening, command_id: UUID | None = None) -> Answer:
        """Open a conto with its holder's data encrypted; the key is made for a new conto alone."""
        fresh = isinstance(self.conto(opening.player), conto.Absent)
        fields = self.vault.protect(opening.player, opening.personal, make=fresh)
        command = cmd.OpenConto(
            **self.head(command_id),
            player=opening.player,
            currency=opening.currency,
            personal=fields,
            profile=opening.profile,
        )
        return self.handle(command)

    def profile(self, born: date, command_id: UUID) -> str | Refusal:
        """The profile for a player's age today, or on the day when the command was answered."""
        asked = self._answered_at(command_id) or self.clock()
        return profile_of(born, day_of(asked))

    def buy_right(self, request: cmd.RequestParticipation) -> Door:
        """Buy a participation right and ask the central system to validate it."""
        answer = self.handle(request)
        return answer, None if answer.refusal else self.ask_again(request.session)

    def ask_again(self, session: UUID) -> Recorded[Answer] | Unknown | None:
        """Ask about the right that waits in a session; None when none waits."""
        ask = request_of(session, self.session(session))
        return None if ask is None else settle_right(ask, self.central, self.handle)

    def fate(self, session: UUID, participation: UUID) -> Fate:
        """What became of a right of a session, from the book: the same whenever it is asked."""
        events = (entry.event for entry in self.service.history(session_stream(session)))
        answers = (e for e in events if isinstance(e, ANSWERS) and e.participation == participation)
        match next(answers, None):
            case ParticipationValidated():
                return Fate("validated")
            case ParticipationRejected(reason=why):
                return Fate("rejected", why)
            case ParticipationAnnulled(reason=why):
                return Fate("annulled", why)
            case _:
                return Fate(Fate.WAITS)

    def annul(self, session: UUID, reason: str) -> Recorded[Answer] | Unknown | None:
        """Take the waiting right of a session back; None when none waits."""
        ask = request_of(session, self.session(session))
        return None if ask is None else annul_right(ask, reason, self.central, self.handle)

    def session(self, session: UUID) -> ses.State:
        """A session's state as it is now."""
        state: ses.State = self.service.state(session_stream(session))  # type: ignore[assignment]
        return state

    def conto(self, player: str) -> conto.State:
        """A conto's state as it is now."""
        state: conto.State = self.service.state(conto_stream(player))  # type: ignore[assignment]
        return state

    def maintenance(self) -> maintenance.State:
        """The notices of maintenance as they are now."""
        state: maintenance.State = self.service.state(MAINTENANCE)  # type: ignore[assignment]
        return state

    def disconnect(self, session: UUID, at: datetime | None, command_id: UUID) -> Answer:
        """Record a lost connection; without a moment it is the command's own, on a repeat too."""
        now = self.clock()
        command = cmd.DisconnectSession(
            **self.head(command_id),
            session=session,
            at=at or self._answered_at(command_id) or now,
        )
        return self.service.handle(command, now)

    def _answered_at(self, command_id: UUID) -> datetime | None:
        record = self.service.history(command_stream(command_id))
        return next((e.recorded for e in record if isinstance(e.event, CommandAnswered)), None)

    def move(self, session: UUID, document: object) -> Details | Refusal:
        """Read a player's document as the opening move of a round of the session's game.

        Whether the session may play is the service's word, so that its refusal is on record.
        """
        state = self.session(session)
        if isinstance(state, ses.Absent):
            return Refusal(Code.UNKNOWN_SESSION, "No such session; open one first.")
        published = self.in_force(state.terms.sheet)
        if isinstance(published, Refusal):
            return published
        return registry.ENGINES[published.engine].parse(document)

    def next_move(
        self, session: UUID, round_id: UUID, command_id: UUID | None = None
    ) -> Details | Refusal:
        """The move that the rules make next in an open round; for a repeat, the one they made.

        Of a round that has ended it is one of its end: the service refuses it, on record.
        """
        found = self._session_before(session, command_id)
        if not isinstance(found, ses.Open) or not ses.is_in_play(found, round_id):
            found = self._session_at_end_of(round_id, session)
        state = ses.opened(found)
        if isinstance(state, Refusal):
            return state
        if not ses.is_in_play(state, round_id):
            return Refusal(Code.UNKNOWN_ROUND, "This session has no such round in play.")
        rules = self._rules(state, round_id)
        return rules.engine.next_move(rules.view(state, round_id))

    def _session_at_end_of(self, round_id: UUID, session: UUID) -> ses.State:
        """The session as the last event of a round found it; as it is now without that round."""
        stream = session_stream(session)
        entries = self.service.history(stream)
        mine = [
            e.version
            for e in entries
            if isinstance(e.event, RoundEvent) and e.event.round == round_id
        ]
        state: ses.State = state_at(stream, entries, mine[-1] - 1 if mine else None).state
        return state

    def _rules(self, session: ses.Open, round_id: UUID) -> Rules:
        """The rules of a round in play."""
        ref = ses.find_round(session, round_id).rules
        published = sheets.version_of(self._sheet(ref.sheet), ref)
        return Rules(registry.ENGINES[published.engine], published)

    def further_move(self, session: UUID, round_id: UUID, document: object) -> Details | Refusal:
        """Read a player's document as a move of an open round, under the rules of that round.

        Whether the round is in play is the service's word, so that its refusal is on record.
        """
        state = self.session(session)
        if isinstance(state, ses.Open) and ses.is_in_play(state, round_id):
            return self._rules(state, round_id).engine.parse(document)
        return self.move(session, document)

    def screen(self, session: UUID, round_id: UUID) -> dict[str, Any]:
        """What the player sees of a round; nothing when it is not in play (rulings C7)."""
        state = self.session(session)
        if not isinstance(state, ses.Open) or not ses.is_in_play(state, round_id):
            return {}
        rules = self._rules(state, round_id)
        game = registry.BY_ENGINE[rules.published.engine]
        seen = game.screen(rules.view(state, round_id))
        return seen | ({} if state.table is None else self.cards(state.table))

    def _session_before(self, session: UUID, command_id: UUID | None) -> ses.State:
        """The session as a command found it that was answered before; else as it is now."""
        stream = session_stream(session)
        told = None if command_id is None else self._answered_at(command_id)
        if told is None:
            return self.session(session)
        entries = self.service.history(stream)
        before = takewhile(lambda e: e.command != command_id and e.recorded <= told, entries)
        state: ses.State = state_at(stream, before).state
        return state

    def play(
        self, session: UUID, document: object, command_id: UUID | None = None
    ) -> Answer | Refusal:
        """Play one round to its end; a `Refusal` for a malformed document writes nothing."""
        move = self.move(session, document)
        if isinstance(move, Refusal):
            return move
        return self.handle(cmd.PlayRound(**self.head(command_id), session=session, move=move))

    def play_demo(
        self, session: UUID, document: object, command_id: UUID | None = None
    ) -> Answer | Refusal:
        """Play one round with demo chips; a `Refusal` for a malformed document writes nothing."""
        move = self.move(session, document)
        if isinstance(move, Refusal):
            return move
        return self.handle(cmd.PlayDemo(**self.head(command_id), session=session, move=move))

    def table(self, table: str) -> tab.State:
        """A live table's state as it is now."""
        state: tab.State = self.service.state(table_stream(table))  # type: ignore[assignment]
        return state

    def cards(self, table: str) -> dict[str, Any]:
        """What all see of the deal at a table; nothing where no cards lie."""
        found = self.table(table)
        round_ = found.round if isinstance(found, tab.Table) else None
        if round_ is None or round_.dealing is None:
            return {}
        published = sheets.version_of(self._sheet(round_.rules.sheet), round_.rules)
        game = registry.BY_ENGINE[published.engine]
        return game.cards(game.engine.read_sheet(published.text), round_.dealing)

    def own_limits(self, sheet: str, document: object) -> str | Refusal:
        """A player's own limits at a sheet, read by its game, as the text that the book keeps."""
        published = self.in_force(sheet)
        if isinstance(published, Refusal):
            return published
        read = registry.BY_ENGINE[published.engine].own_limits
        if read is None:
            return Refusal(Code.MALFORMED, f"At {sheet} no player has limits of their own.")
        return read(document)

    def in_force(self, sheet: str) -> sheets.Published | Refusal:
        """The version of a sheet that is in force now, or why there is none."""
        return sheets.in_force(self._sheet(sheet), self.clock())

    def _sheet(self, sheet: str) -> sheets.State:
        state: sheets.State = self.service.state(sheet_stream(sheet))  # type: ignore[assignment]
        return state
