"""RegistroOtrosJuegos: each session that ended, in parts where its player was away in between.

All parts of a session carry its id and are told on the day on which it ended; a part in which
nothing was bet has no record, for the model asks for sessions with movements.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID

from ledger.domain.events import ParticipationRequested
from ledger.domain.ids import StreamName, session_stream
from ledger.domain.money import format_amount
from ledger.domain.terms import Limits
from workers.log import Cursor, entries_before, first_entries, sql
from workers.ports import Ports
from workers.regulators.authority import Period
from workers.regulators.reading import Ended, Played, ended
from workers.regulators.spain.players import UNKNOWN
from workers.regulators.spain.vocabulary import (
    ROULETTE,
    E,
    Head,
    chunks,
    game_type,
    moment,
    money,
    nothing,
    record,
    text,
    yes,
)

READ: Final = 1_000
"""Sessions whose first events are read at once."""
LONGEST: Final = 100 * 3600 - 1
"""The longest time in seconds that DuracionLimite can say."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A session with its plan and its breaks."""

    ended: Ended
    limit_loss: int
    """The planned loss, or without one the most that its posta could ever hold; minor units."""
    limit_seconds: int | None
    breaks: tuple[tuple[datetime, datetime], ...]
    """When the connection was lost, and when the player was back."""


def read_sittings(cursor: Cursor, ports: Ports, period: Period) -> tuple[Sitting, ...]:
    """The sessions that ended in the period."""
    found = ended(cursor, ports, period.begins, period.ends)
    return tuple(s for part in chunks(found, READ) for s in _sittings(cursor, ports, part))


def _sittings(cursor: Cursor, ports: Ports, sessions: Sequence[Ended]) -> Iterator[Sitting]:
    streams = [session_stream(s.session) for s in sessions]
    first = {e.stream: e.event for e in first_entries(cursor, ports.book, ports.codec, streams)}
    plans = _plans(cursor, ports, streams)
    breaks = _breaks(cursor, ports, [s.session for s in sessions])
    for session, stream in zip(sessions, streams, strict=True):
        request, plan = cast("ParticipationRequested", first[stream]), plans[stream]
        loss = request.posta_max if plan.loss is None else plan.loss
        yield Sitting(session, loss, plan.seconds, tuple(breaks.get(session.session, ())))


def _plans(cursor: Cursor, ports: Ports, streams: Sequence[StreamName]) -> Mapping[str, Limits]:
    """What each session was played by at its end: every right may narrow the plan."""
    places = [(stream, _AFTER_ALL) for stream in streams]
    plans: dict[str, Limits] = defaultdict(Limits)
    for entry in entries_before(cursor, ports, places, (ParticipationRequested.NAME,)):
        right = cast("ParticipationRequested", entry.event)
        asked = Limits(right.limit_loss, right.limit_seconds)
        plans[entry.stream] = plans[entry.stream].narrowed(asked)
    return plans


_AFTER_ALL: Final = 2**31
"""A version that no stream reaches."""


def _breaks(
    cursor: Cursor, ports: Ports, sessions: list[UUID]
) -> dict[UUID, list[tuple[datetime, datetime]]]:
    """Breaks after which the player came back; one that lasted is the session's end."""
    lost: dict[UUID, datetime] = {}
    found: dict[UUID, list[tuple[datetime, datetime]]] = {}
    for session, at, state in cursor.execute(sql(_CONNECTIONS, ports.book), (sessions,)):
        if state == "lost":
            lost[session] = at
        else:
            found.setdefault(session, []).append((lost[session], at))
    return found


def other_games(head: Head, sitting: Sitting, devices: Mapping[str, str]) -> list[Any]:
    """The records of a session, one for each part in which something was bet."""
    parts = sitting.ended.parts
    return [
        record(
            head,
            "OtrosJuegos",
            f"{sitting.ended.session}-{number}",
            _game(head, sitting, part),
            _player(head, sitting, part, devices),
        )
        for number, part in enumerate(parts, 1)
    ]


def _game(head: Head, sitting: Sitting, part: Played) -> Any:
    kind, sheet = game_type(part.game), sitting.ended.sheet
    variant = [text("Variante", "Francesa")] if kind == ROULETTE else []
    tables = [] if part.tables is None else [text("MesaId", part.tables)]
    return E.Juego(
        text("JuegoId", sheet),
        text("JuegoDesc", sheet),
        text("TipoJuego", kind),
        text("FechaInicio", moment(part.first, head.release)),
        text("FechaFin", moment(part.last, head.release)),
        money("Participacion", -part.stake),
        money("ParticipacionDevolucion", part.refunded),
        money("Premios", part.returned),
        nothing("Botes"),
        *variant,
        text("VarianteComercial", sheet),
        yes("JuegoEnVivo", is_so=part.tables is not None),
        *tables,
        text("PartidasJugadas", part.rounds),
    )


def _player(head: Head, sitting: Sitting, part: Played, devices: Mapping[str, str]) -> Any:
    session = sitting.ended
    return E.Jugador(
        text("JugadorId", session.player),
        _session(head, sitting, part),
        text("IP", UNKNOWN),
        text("Dispositivo", devices.get(session.channel, "OT")),
        text("IdDispositivo", UNKNOWN),
    )


def _session(head: Head, sitting: Sitting, part: Played) -> Any:
    session, breaks, release = sitting.ended, sitting.breaks, head.release
    begins = session.opened_at if part.part == 0 else breaks[part.part - 1][1]
    is_last = part is session.parts[-1]
    ends = session.closed_at if is_last else breaks[part.part][0]
    return E.Sesion(
        text("SesionId", session.session),
        text("FechaInicioSesion", moment(begins, release)),
        text("FechaFinSesion", moment(ends, release)),
        text("FechaInicioPrimerJuego", moment(part.first, release)),
        text("FechaFinUltimoJuego", moment(part.last, release)),
        E.PlanificacionSesion(
            text("DuracionLimite", _duration(sitting.limit_seconds or 0)),
            text("GastoLimite", format_amount(sitting.limit_loss)),
            yes("PeriodoExclusion", is_so=False),
        ),
        yes("SesionCompleta", is_so=is_last),
        yes("SesionNueva", is_so=release.edition == 1),
        text("MotivoFinSesion", _why(sitting) if is_last else "Conexion"),
    )


def _duration(seconds: int) -> str:
    """Hours, minutes and seconds as six digits; zeros where no time was planned."""
    minutes, rest = divmod(min(seconds, LONGEST), 60)
    return f"{minutes // 60:02d}{minutes % 60:02d}{rest:02d}"


def _why(sitting: Sitting) -> str:
    """Why the session ended: a plan that was used up comes before the player's own word."""
    session = sitting.ended
    if session.reason in ("expired", "operator"):
        return "Conexion"
    seconds = (session.closed_at - session.opened_at).total_seconds()
    is_planned = sitting.limit_seconds is not None and seconds >= sitting.limit_seconds
    is_over = is_planned or session.reason == "time-over"
    return "Limite" if is_over or session.taken >= sitting.limit_loss else "Usuario"


_CONNECTIONS: Final = """
SELECT session, at, state FROM {book}.p_connections
 WHERE session = ANY(%s::uuid[]) ORDER BY session, position
"""
