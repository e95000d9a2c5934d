"""Timed duties: they command the book through a port, and doing one twice changes nothing (G3).

A duty's command has an id made from what it is about and when it was due, so that it is the same
command however often it is sent. What a projection shows may be old: the book decides, and its
refusals, such as that the player is back, are normal outcomes that are counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final
from uuid import UUID, uuid5

import structlog

from ledger.domain.commands import ExpireSession
from ledger.domain.endings import to_expire
from ledger.domain.events import PlayerForgotten
from ledger.domain.ids import (
    NAMESPACE,
    StreamName,
    conto_stream,
    session_stream,
    stream_key,
    table_stream,
)
from ledger.domain.refusals import Fault, Refusal
from ledger.store.reading import named
from workers.log import connected, sql, transaction
from workers.ports import Ports

ACTOR: Final = "timed-duty"
DONE: Final = "done"
"""The outcome of a command that was accepted; others are named by their refusal's code."""
KEPT: Final = "kept"
"""What came of a series whose time is not over."""

PATIENCE: Final = timedelta(minutes=1)
"""How long a right waits for its answer before the central system is asked again."""

UNSNAPPED_MAX: Final = 200
"""How many events a stream may have beyond its last snapshot before another is taken."""

STANDSTILL: Final = timedelta(minutes=2)
"""After so long a number that was taken is drawn for who has not come back to it."""

AT_ONCE: Final = 500
"""Most cases that are read at once."""

Outcomes = Mapping[str, int]

log = structlog.get_logger()


class DutyFault(Fault):
    """Some cases of a duty met a fault; the others were done, and these will be tried again."""


def expire_sessions(ports: Ports) -> Outcomes:
    """End the sessions whose players did not come back in time, or whose time of play is over.

    What a player may still finish, and a right that waits, is left for a later run (rulings C1).
    """

    def end(session: UUID) -> str:
        expired = to_expire(ports.state(session_stream(session)), ports.now())
        if isinstance(expired, Refusal):
            return expired.code.value
        return ports.handle(expiry(session, expired.due)).refusal or DONE

    return _each(((session,) for session, _ in _cases(ports, _DUE, ports.now())), end)


def expiry(session: UUID, due: datetime) -> ExpireSession:
    """The command that ends a session which was due at a moment."""
    name = f"expire:{session_stream(session)}:{due.isoformat()}"
    return ExpireSession(id=uuid5(NAMESPACE, name), actor=ACTOR, session=session)


def ask_pending_rights(ports: Ports) -> Outcomes:
    """Ask the central system again about rights that wait for their answer (rulings C1)."""
    return _each(_cases(ports, _WAITING, ports.now() - PATIENCE), ports.ask)


def finish_spins(ports: Ports) -> Outcomes:
    """Draw the numbers of FairPlay series that were taken and left undrawn (guarantee G9)."""
    return _each(_cases(ports, _TAKEN, ports.now() - STANDSTILL), ports.finish)


def expire_series(ports: Ports) -> Outcomes:
    """Expire the FairPlay series that are due, and destroy the keys that nothing needs (HW7).

    Of those whose keys are kept only those are read that the projection does not know to go on.
    """

    def look_at(series: UUID, goes_on: bool) -> str:  # noqa: FBT001 - the second of a case
        return KEPT if goes_on else ports.retire(series)

    return _each(_series(ports), look_at)


def _series(ports: Ports) -> Iterator[tuple[UUID, bool]]:
    """Series whose keys are kept, and whether the time of each surely goes on."""
    kept = iter(ports.series_kept())
    while page := list(islice(kept, AT_ONCE)):
        rows = _rows(ports, _GOING_ON, {"series": page, "now": ports.now()})
        going_on = {row[0] for row in rows}
        yield from ((series, series in going_on) for series in page)


def pass_turns(ports: Ports) -> Outcomes:
    """Let the rules act at live tables for seats whose time is over, or who are away (BJ8)."""
    return _each(_rows(ports, _TABLES, {}), ports.pass_turn)


def disconnect_idle(ports: Ports) -> Outcomes:
    """Disconnect players who sit at a live table and do nothing for too long (rulings BJ8)."""
    seated = ((session,) for session, _ in _cases(ports, _SEATED, ports.now()))
    return _each(seated, ports.disconnect_idle)


def erase_forgotten(ports: Ports) -> Outcomes:
    """Destroy the keys of players whose erasure is on record and was cut off (guarantee G10)."""
    with connected(ports) as connection, transaction(connection) as cursor:
        entries = named(cursor, ports.book, ports.codec, PlayerForgotten.NAME)
    players = [e.event.player for e in entries if isinstance(e.event, PlayerForgotten)]
    return {DONE: sum(map(ports.erase, players))}


def _each(cases: Iterable[tuple[Any, ...]], do: Callable[..., str]) -> Outcomes:
    """Do every case, whatever becomes of the others; count how they ended.

    Raises `DutyFault` at the end when some met a fault.
    """
    outcomes: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for case in cases:
        try:
            outcomes[do(*case)] += 1
        except Fault as fault:
            faults[type(fault).__name__] += 1
            log.warning("duty-case-failed", case=str(case[0]), why=str(fault))
    if faults:
        kinds = ", ".join(faults)
        raise DutyFault(f"{faults.total()} cases failed ({kinds}), {outcomes.total()} were done.")
    return outcomes


def _cases(ports: Ports, text: str, until: datetime) -> Iterator[tuple[Any, Any]]:
    """A page of cases after another, each once, so that cases that stay cannot starve others."""
    after: tuple[datetime, UUID] = (datetime.min.replace(tzinfo=UTC), UUID(int=0))
    while page := _rows(ports, text, {"until": until, "at": after[0], "session": after[1]}):
        yield from ((session, subject) for session, subject, _ in page)
        after = (page[-1][2], page[-1][0])


def take_snapshots(ports: Ports) -> Outcomes:
    """Snapshot long streams of open sessions, their contos and their tables; drop replaced ones."""
    outcomes = Counter({"taken": 0, "not-now": 0})
    for streams in _long_streams(ports):
        outcomes.update("taken" if ports.snapshot(stream) else "not-now" for stream in streams)
    with connected(ports) as connection:
        dropped = connection.execute(sql(_DROP, ports.book)).rowcount
    return {**outcomes, "dropped": dropped}


def _long_streams(ports: Ports) -> Iterator[list[StreamName]]:
    """Of a page of open sessions after another, the streams that are long."""
    after = UUID(int=0)
    while page := _rows(ports, _OPEN, {"after": after}):
        after = page[-1][0]
        names = [session_stream(session) for session, _, _ in page]
        names += sorted({conto_stream(player) for _, player, _ in page})
        names += sorted({table_stream(at) for _, _, at in page if at is not None})
        keys = {stream_key(name): name for name in names}
        found = _rows(ports, _LONG, {"keys": list(keys), "more": UNSNAPPED_MAX})
        yield [keys[row[0]] for row in found]


def _rows(ports: Ports, text: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connected(ports) as connection, transaction(connection) as cursor:
        cursor.execute(sql(text, ports.book), {**values, "limit": AT_ONCE})
        return cursor.fetchall()


# A refused command stays refused under its id, so that nothing is commanded that is not due in the
# session's own state; a session whose right still waits is left until the right is answered.
_DUE: Final = """
SELECT session, NULL, least(due_at, plays_until) FROM {book}.p_sessions
 WHERE least(due_at, plays_until) <= %(until)s AND state = 'open' AND right_id IS NULL
   AND (least(due_at, plays_until), session) > (%(at)s, %(session)s)
 ORDER BY least(due_at, plays_until), session LIMIT %(limit)s
"""

_WAITING: Final = """
SELECT session, right_id, right_since FROM {book}.p_sessions
 WHERE right_since <= %(until)s AND right_id IS NOT NULL
   AND (right_since, session) > (%(at)s, %(session)s)
 ORDER BY right_since, session LIMIT %(limit)s
"""

_TAKEN: Final = """
SELECT session, round, opened_at FROM {book}.p_rounds
 WHERE opened_at <= %(until)s AND series IS NOT NULL AND ended_at IS NULL
   AND (opened_at, session) > (%(at)s, %(session)s)
 ORDER BY opened_at, session LIMIT %(limit)s
"""

# Only an open session sits at a table; said here, it spares a look at all that ever were.
# All of them: tables that wait for nothing stay in it, and none may keep a turn from being passed.
_TABLES: Final = """
SELECT DISTINCT live_table FROM {book}.p_sessions
 WHERE state = 'open' AND live_table IS NOT NULL ORDER BY live_table
"""

_SEATED: Final = """
SELECT session, seat, opened_at FROM {book}.p_sessions
 WHERE state = 'open' AND live_table IS NOT NULL AND disconnected_at IS NULL
   AND opened_at <= %(until)s AND (opened_at, session) > (%(at)s, %(session)s)
 ORDER BY opened_at, session LIMIT %(limit)s
"""

_OPEN: Final = """
SELECT session, player, live_table FROM {book}.p_sessions
 WHERE state = 'open' AND session > %(after)s ORDER BY session LIMIT %(limit)s
"""

_GOING_ON: Final = """
SELECT series FROM {book}.p_series WHERE series = ANY(%(series)s::uuid[]) AND due_at > %(now)s
"""

_LONG: Final = """
SELECT k.stream
  FROM unnest(%(keys)s::uuid[]) AS k(stream)
 CROSS JOIN LATERAL (SELECT max(e.originator_version) AS version FROM {book}.events e
                      WHERE e.originator_id = k.stream) AS now
  LEFT JOIN LATERAL (SELECT max(s.originator_version) AS version FROM {book}.snapshots s
                      WHERE s.originator_id = k.stream) AS kept ON true
 WHERE now.version - coalesce(kept.version, 0) >= %(more)s
"""

_DROP: Final = """
DELETE FROM {book}.snapshots old USING {book}.snapshots newer
 WHERE newer.originator_id = old.originator_id
   AND newer.originator_version > old.originator_version
"""
