"""FairPlay series at the desk: prepared, spun, ended, told, and given up when their time is over.

Numbers exist in clear for a moment, while a series is prepared: they are drawn, written into the
secret string, sealed, and forgotten. Whatever step is cut off, the same command or the next run of
a duty goes on from what is on record (guarantees G3, G7, G10).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4, uuid5

import orjson
from pydantic import ValidationError

from games.roulette.fairplay import secret
from ledger.answers import Answer
from ledger.domain import commands as cmd, series as ser, session as ses
from ledger.domain.events import DrawRecorded, NumberTaken, RoundOpened, SeriesPrepared
from ledger.domain.ids import NAMESPACE, series_stream, session_stream
from ledger.domain.refusals import Code, Refusal
from ops.desk import Desk
from ops.series_keys import SeriesKeys
from workers.duties import DONE, KEPT

NUMBER_BYTES: Final = 16
"""The entropy of each number, so that all ciphertexts have one length."""
ACTOR: Final = "fairplay"
"""Who draws and expires: what the rules do is one command, whoever is there to send it."""

_REUSED: Final = Refusal(
    Code.COMMAND_CONFLICT, "This command id stands for another content; make a new id."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player asks for: how many numbers at which sheet, and what the string shall say."""

    player: str
    sheet: str
    numbers: int
    user_key: str | None = None
    """The player's key, of Latin letters and digits; None where there is none."""

    @property
    def alias(self) -> str:
        """The player's pseudonym in letters and digits."""
        return self.player.replace("-", "")


@dataclass(frozen=True, slots=True)
class Bet:
    """The bets of a spin, and the number and offset that it is played with."""

    session: UUID
    series: UUID
    document: object
    """The player's document as it was decoded from JSON."""
    offset: int | None = None
    """None for the offset of the session's last spin."""
    client: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A number of a series that was taken, and what came of it."""

    place: int
    session: UUID
    round: UUID
    offset: int
    outcome: Any
    """The outcome as the game recorded it; None in a void round, and while it is not drawn."""


@dataclass(frozen=True, slots=True)
class FairPlay:
    """What a desk does with series; `entropy` is a source fit for cryptography."""

    desk: Desk
    keys: SeriesKeys
    entropy: Callable[[int], bytes]

    def prepare(self, wish: Wish, command_id: UUID) -> Answer | Refusal:
        """Draw, seal and commit to the numbers of a series.

        A command that was answered before is answered the same, and no other series is prepared.
        Raises `ValidationError` when the wish is for what no string or no command can hold.
        """
        before = self._answered(wish, command_id)
        if before is not None:
            return before
        series = uuid4()
        try:
            command = self._sealed(wish, series, command_id)
        except ValidationError:
            self.keys.destroy(series)
            raise
        answer = self.desk.handle(command)
        if answer.refusal is None:
            return answer
        self.keys.destroy(series)
        return self._answered(wish, command_id) or answer

    def _answered(self, wish: Wish, command_id: UUID) -> Answer | Refusal | None:
        """How the command was answered before, which cannot be made again to be sent again."""
        answer = self.desk.service.answered(command_id)
        if answer is None:
            return None
        return answer if _asks_for(answer, wish) else _REUSED

    def _sealed(self, wish: Wish, series: UUID, command_id: UUID) -> cmd.PrepareSeries:
        drawn = [self._number() for _ in range(wish.numbers)]
        text = secret.write(self._secret(wish, [number for _, number in drawn]))
        shown = secret.commit(text)
        assert shown.sha256 is not None
        sealed = self.keys.seal(series, [text.encode(), *(entropy for entropy, _ in drawn)])
        return cmd.PrepareSeries(
            **self.desk.head(command_id),
            series=series,
            player=wish.player,
            sheet=wish.sheet,
            alias=wish.alias,
            user_key=wish.user_key,
            md5=shown.md5,
            sha256=shown.sha256,
            numbers=sealed[1:],
            secret=sealed[0],
        )

    def _number(self) -> tuple[bytes, int]:
        """Fresh entropy, and the number that it is mapped to."""
        while True:
            entropy = self.entropy(NUMBER_BYTES)
            number = secret.number_of(entropy)
            if number is not None:
                return entropy, number

    def _secret(self, wish: Wish, numbers: Sequence[int]) -> secret.Secret:
        return secret.Secret(
            alias=wish.alias,
            prepared=self.desk.clock(),
            user_key=wish.user_key,
            server_key=secret.server_key(self.entropy(secret.KEY_BYTES)),
            numbers=tuple(numbers),
        )

    def spin(self, bet: Bet, command_id: UUID) -> Answer | Refusal:
        """Place bets on the next number, and in a save of its own draw it; the draw's answer.

        Given again, it goes on from where it was cut off. A `Refusal` of a malformed document
        writes nothing.
        """
        move = self.desk.move(bet.session, bet.document)
        if isinstance(move, Refusal):
            return move
        opened = self.desk.handle(
            cmd.OpenRound(
                **self.desk.head(command_id),
                session=bet.session,
                move=move,
                series=bet.series,
                offset=bet.offset,
                client=bet.client,
            )
        )
        return opened if opened.refusal else self.draw(bet.session, opened.command)

    def draw(self, session: UUID, round_id: UUID) -> Answer | Refusal:
        """Draw the number that a round has taken; a round that was drawn is answered as it was."""
        state = self.desk.session(session)
        if not isinstance(state, ses.Open) or not ses.is_in_play(state, round_id):
            return self._drawn(session, round_id)
        connected = ses.connected(state)
        move = self.desk.next_move(session, round_id)
        if isinstance(connected, Refusal):
            return connected
        if isinstance(move, Refusal):
            return move
        # A refused draw is on record under its id for ever: who came back draws by another one.
        name = f"draw:{round_id}:{state.since}"
        return self.desk.handle(
            cmd.ContinueRound(
                id=uuid5(NAMESPACE, name),
                actor=ACTOR,
                session=session,
                round=round_id,
                move=move,
            )
        )

    def _drawn(self, session: UUID, round_id: UUID) -> Answer | Refusal:
        """The answer to the command that drew in a round which has ended."""
        for entry in self.desk.service.history(session_stream(session)):
            if isinstance(entry.event, DrawRecorded) and entry.event.round == round_id:
                answer = self.desk.service.answered(entry.command)
                assert answer is not None
                return answer
        return Refusal(Code.ROUND_ENDED, "This round is void, or was never there; spin again.")

    def finish(self, session: UUID, round_id: UUID) -> str:
        """Draw in a round that took a number and stands still; one word for what came of it."""
        state = self.desk.session(session)
        if not isinstance(state, ses.Open) or not ses.is_in_play(state, round_id):
            return Code.ROUND_ENDED.value
        opened = ses.find_round(state, round_id).history[0]
        assert isinstance(opened, RoundOpened)
        if opened.series is None:
            return Code.SERIES_NOT_OFFERED.value
        answer = self.draw(session, round_id)
        return answer.code.value if isinstance(answer, Refusal) else answer.refusal or DONE

    def end(self, series: UUID, command_id: UUID) -> Answer:
        """End a series early."""
        return self.desk.handle(cmd.EndSeries(**self.desk.head(command_id), series=series))

    def reveal(self, series: UUID, command_id: UUID) -> Answer:
        """Tell the secret of a series that is over, whose keys have then nothing left to open."""
        command = cmd.RevealSeries(**self.desk.head(command_id), series=series)
        answer = self.desk.handle(command)
        if answer.refusal is None:
            self.keys.destroy(series)
        return answer

    def retire(self, series: UUID) -> str:
        """Expire a series that is due, and destroy keys that nothing needs any more.

        One word for what came of it. The event comes first: what is cut off in between is done by
        the next run. Keys without a series in the book are left: they may be another book's.
        """
        state = self.state(series)
        if isinstance(state, ser.Absent):
            return Code.UNKNOWN_SERIES.value
        if isinstance(state, ser.Series) and not state.revealed:
            if self.desk.clock() < state.due:
                return KEPT
            refusal = self._expire(state)
            if refusal is not None:
                return refusal
        self.keys.destroy(series)
        return DONE

    def _expire(self, state: ser.Series) -> str | None:
        """The code of the refusal; None when the series is expired."""
        about = [] if state.last is None else [session_stream(state.last.session)]
        sessions = {stream: self.desk.service.state(stream) for stream in about}
        in_play = ser.last_in_play(state, sessions)
        if in_play is not None:
            return in_play.code.value
        name = f"expire:{series_stream(state.id)}:{state.due.isoformat()}"
        command = cmd.ExpireSeries(id=uuid5(NAMESPACE, name), actor=ACTOR, series=state.id)
        return self.desk.handle(command).refusal

    def prepared(self, series: UUID) -> SeriesPrepared | None:
        """What was committed and shown of a series; None when there is none."""
        history = self.desk.service.history(series_stream(series))
        return next((e.event for e in history if isinstance(e.event, SeriesPrepared)), None)

    def played(self, series: UUID) -> tuple[Played, ...]:
        """The numbers of a series that were taken, in order, as the book has them."""
        history = self.desk.service.history
        taken = [
            e.event for e in history(series_stream(series)) if isinstance(e.event, NumberTaken)
        ]
        offsets: dict[UUID, int] = {}
        outcomes: dict[UUID, Any] = {}
        for session in dict.fromkeys(number.session for number in taken):
            for event in (entry.event for entry in history(session_stream(session))):
                if isinstance(event, RoundOpened) and event.series is not None:
                    offsets[event.round] = event.series.offset
                elif isinstance(event, DrawRecorded):
                    outcomes[event.round] = event.details
        return tuple(
            Played(n.place, n.session, n.round, offsets[n.round], outcomes.get(n.round))
            for n in taken
        )

    def state(self, series: UUID) -> ser.State:
        """A series' state as it is now."""
        state: ser.State = self.desk.service.state(series_stream(series))  # type: ignore[assignment]
        return state


def _asks_for(answer: Answer, wish: Wish) -> bool:
    """Whether an answered command prepared, or was refused, what is wished for."""
    if answer.answered.kind != cmd.PrepareSeries.KIND:
        return False
    fields = _fields(answer)
    if fields is None:
        return True
    wished = (wish.player, wish.sheet, wish.user_key, wish.numbers)
    told = (fields["player"], fields["sheet"], fields.get("user_key"), len(fields["numbers"]))
    return wished == told


def _fields(answer: Answer) -> Mapping[str, Any] | None:
    """What a command to prepare asked; None where a refused one was too long to be kept."""
    for entry in answer.entries:
        if isinstance(entry.event, SeriesPrepared):
            return entry.event.model_dump()
    asked = answer.answered.asked
    return None if asked is None else orjson.loads(asked)[1]
