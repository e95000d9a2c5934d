"""Timed duties: done twice they change nothing, and the book's refusals are normal outcomes."""

import re
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream, stream_key, table_stream
from ledger.domain.money import Currency
from ledger.domain.refusals import Code
from ledger.replay import state_at
from ops.vault import Vault
from tests.french_pit import on, read
from tests.workers.history import Casino, red, uid
from workers import duties
from workers.duties import ask_pending_rights, expire_sessions, take_snapshots
from workers.log import sql
from workers.project import project_all


def project(casino: Casino) -> None:
    """Seal and fold."""
    casino.seal()
    project_all(casino.ports)


@pytest.fixture
def away(casino: Casino) -> tuple[Casino, UUID]:
    """Anna lost her connection with a round in play."""
    session = casino.sit(casino.player("anna"))
    casino.open_round(session, red("2.00"))
    casino.disconnect(session)
    project(casino)
    return casino, session


def expiries(casino: Casino) -> int:
    """How many sessions expired."""
    return casino.rows("SELECT count(*) FROM {book}.events WHERE topic = 'session-expired'")[0][0]


def test_c1_a_session_expires_twenty_minutes_after_the_disconnection(away):
    """Not a moment earlier; the round that was accepted is played first, on zero here."""
    casino, _ = away
    casino.wait(minutes=19, seconds=59)
    assert {} == expire_sessions(casino.ports)
    casino.wait(seconds=1)
    assert {"done": 1} == expire_sessions(casino.ports)
    project(casino)

    assert [("closed", "expired", 9_800, 200)] == casino.rows(
        "SELECT state, reason, posta_out, bet FROM {book}.p_sessions"
    )
    assert {} == expire_sessions(casino.ports)


def test_c1_expiring_twice_is_one_expiry(away):
    """The projection is old the second time; the command is the same one and changes nothing."""
    casino, _ = away
    casino.wait(minutes=20)
    expire_sessions(casino.ports)
    expire_sessions(casino.ports)

    assert 1 == expiries(casino)


def at_a_table(casino: Casino) -> UUID:
    """Anna sits at a live table of French roulette; her session."""
    about = {"sheet": "french-roulette", "sheet_version": 1, "in_force_from": casino.now}
    casino.send(cmd.PublishSheet, text=registry.SHEETS["french-roulette"].text, **about)
    casino.send(
        cmd.OpenTable, table="roulette-1", sheet="french-roulette", seats_max=3, chief="maria"
    )
    session = casino.sit(casino.player("anna"), sheet="french-roulette")
    casino.send(cmd.TakeSeat, session=session, table="roulette-1")
    return session


def test_g9_an_expiry_during_a_tables_round_is_done_by_the_end_of_the_round(casino):
    """It came while the bet lay; the same duty comes again, and the void that waits ends it.

    No further round is opened, and no later duty is needed.
    """
    session = at_a_table(casino)
    casino.send(cmd.OpenTableRound, table="roulette-1")
    move = read({"bets": [on("red", 1_000)]})
    casino.send(cmd.OpenRound, session=session, move=move)
    casino.disconnect(session)
    casino.wait(minutes=20)
    project(casino)
    assert [{"done": 1}] * 2 == [expire_sessions(casino.ports) for _ in range(2)]

    void = {"reason": "the wheel broke", "refund": "next-round"}
    casino.send(cmd.VoidTableRound, table="roulette-1", **void)

    assert 1 == expiries(casino)
    project(casino)
    assert [("closed", "expired", 10_000)] == casino.rows(
        "SELECT state, reason, posta_out FROM {book}.p_sessions"
    )


def test_c1_a_player_who_came_back_is_not_expired(away):
    """The projection does not know it yet; the book refuses, and that is counted."""
    casino, session = away
    casino.wait(minutes=19)
    casino.send(cmd.ReconnectSession, session=session)
    casino.wait(minutes=1)

    assert {Code.SESSION_CONNECTED.value: 1} == expire_sessions(casino.ports)
    assert 0 == expiries(casino)


def test_c1_a_player_who_is_away_again_expires_by_the_later_time(away):
    """The refusal of the first expiry does not stand in the way of the second."""
    casino, session = away
    casino.wait(minutes=19)
    casino.send(cmd.ReconnectSession, session=session)
    casino.wait(minutes=1)
    expire_sessions(casino.ports)
    casino.disconnect(session)
    project(casino)
    casino.wait(minutes=20)

    assert {"done": 1} == expire_sessions(casino.ports)


def timed(casino: Casino, hours: int = 1) -> UUID:
    """Anna sits at a wheel, and limits her time of play of the day; her session."""
    session = casino.sit(casino.player("anna"))
    limit = {"limit": "time", "period": "day", "most": 3_600 * hours}
    casino.send(cmd.SetContoLimit, player="anna", **limit)
    return session


def ends(casino: Casino) -> list[tuple]:
    """How each session stands, and why it ended."""
    project(casino)
    return casino.rows("SELECT state, reason, plays_until FROM {book}.p_sessions")


def test_c1_a_session_is_closed_when_its_time_of_play_is_over(casino):
    """Not a moment earlier; twice is one end, and the book verifies."""
    session = timed(casino)
    over = casino.now + timedelta(hours=1)
    assert [("open", None, over)] == ends(casino)
    casino.wait(minutes=59, seconds=59)
    assert {} == expire_sessions(casino.ports)
    casino.wait(seconds=1)

    assert [{"done": 1}] * 2 == [expire_sessions(casino.ports), again(casino, session)]
    assert [("closed", "time-over", None)] == ends(casino)
    assert 1 == expiries(casino)
    assert () == casino.verify()


def again(casino: Casino, session: UUID) -> dict[str, int]:
    """The duty is done once more by a worker that read the session before it ended."""
    seen = replace(casino.ports, state=lambda _: timed_open(casino, session))
    return dict(expire_sessions(seen))


def timed_open(casino: Casino, session: UUID) -> object:
    """The session as it was before its last two events."""
    stream = session_stream(session)
    history = casino.service.history(stream)
    return state_at(stream, history, len(history) - 2).state


def test_g9_a_round_in_play_at_the_end_of_time_is_left_to_its_player_and_then_played(casino):
    """Given a bet that lies, then the duty waits for twenty minutes, and plays it then.

    What it was told meanwhile does not stand in its way.
    """
    session = timed(casino)
    casino.open_round(session, red("2.00"))
    project(casino)
    casino.wait(hours=1)
    assert {Code.NOT_YET_DUE.value: 1} == expire_sessions(casino.ports)
    casino.wait(minutes=20)

    assert {"done": 1} == expire_sessions(casino.ports)
    assert [("closed", "time-over", None)] == ends(casino)
    assert () == casino.verify()


def test_c1_a_planned_time_ends_a_session_by_its_opening(casino):
    """Given a plan of half an hour and a right of a minute ago, then the half hour runs from now.

    A further right narrows it to ten minutes.
    """
    session = uid("planned")
    casino.player("anna")
    right = casino.request(session, "anna", 5_000, limit_seconds=1_800)
    casino.wait(minutes=1)
    casino.validate(session, right, 5_000)
    opened = casino.now
    assert [("open", None, opened + timedelta(minutes=30))] == ends(casino)
    further = casino.request(session, "anna", 500, limit_seconds=600)
    casino.validate(session, further, 5_500)

    assert [("open", None, opened + timedelta(minutes=10))] == ends(casino)
    casino.wait(minutes=10)
    assert {"done": 1} == expire_sessions(casino.ports)


def test_g9_the_end_of_time_during_a_tables_round_is_the_end_of_that_round(casino):
    """Given bets that are closed when the player's time to finish is over, then the wheel decides.

    The outcome pays her, and the same save ends her session.
    """
    session = at_a_table(casino)
    limit = {"limit": "time", "period": "day", "most": 3_600}
    casino.send(cmd.SetContoLimit, player="anna", **limit)
    casino.send(cmd.OpenTableRound, table="roulette-1")
    move = read({"bets": [on("red", 1_000)]})
    casino.send(cmd.OpenRound, session=session, move=move)
    casino.send(cmd.CloseBets, table="roulette-1")
    project(casino)
    casino.wait(hours=1, minutes=20)
    assert [{"done": 1}] * 2 == [expire_sessions(casino.ports) for _ in range(2)]
    casino.pocket = 1
    casino.send(cmd.DrawOutcome, table="roulette-1")
    casino.send(cmd.SettleTableRound, table="roulette-1")

    assert [("closed", "time-over", None)] == ends(casino)
    assert [(11_000,)] == casino.rows("SELECT posta_out FROM {book}.p_sessions")
    assert () == casino.verify()


def test_a_session_whose_right_waits_is_left_until_it_is_answered(casino):
    """Its expiry would be refused for ever under the same id; after the answer it goes through."""
    session = casino.sit(casino.player("anna"))
    further = casino.request(session, "anna", 5_000)
    casino.disconnect(session)
    project(casino)
    casino.wait(minutes=20)
    assert {} == expire_sessions(casino.ports)
    casino.validate(session, further, 5_000)
    project(casino)

    assert {"done": 1} == expire_sessions(casino.ports)


def test_c1_rights_that_wait_longer_than_a_minute_are_asked_about_again(casino):
    """Each by its session and participation; what the central system says is counted."""
    casino.player("anna")
    session = uid("waiting")
    right = casino.request(session, "anna", 5_000)
    project(casino)
    asked = []
    ports = replace(casino.ports, ask=lambda *about: asked.append(about) or "unknown")
    casino.wait(seconds=59)
    assert {} == ask_pending_rights(ports)
    casino.wait(seconds=1)

    assert {"unknown": 1} == ask_pending_rights(ports)
    assert [(session, right)] == asked


def test_snapshots_are_taken_of_long_streams_once_and_replace_older_ones(casino, monkeypatch):
    """A session of eleven events is snapshotted at ten; its conto of three is not."""
    monkeypatch.setattr(duties, "UNSNAPPED_MAX", 10)
    session = casino.sit(casino.player("anna"))
    casino.play(session, 0, red())
    casino.play(session, 0, red())
    project(casino)
    nothing = {"taken": 0, "not-now": 0, "dropped": 0}

    assert nothing | {"taken": 1} == take_snapshots(casino.ports)
    assert nothing == take_snapshots(casino.ports)
    for _ in range(3):
        casino.play(session, 0, red())
    project(casino)
    assert nothing | {"taken": 1, "dropped": 1} == take_snapshots(casino.ports)
    assert [(1,)] == casino.rows("SELECT count(*) FROM {book}.snapshots")
    before = casino.service.state(session_stream(session))
    again = Casino(casino.conninfo, casino.folder, casino.now, book=casino.book)
    assert before == again.service.state(session_stream(session))
    assert casino.service.state(conto_stream("anna")).balance == 90_000


def test_streams_of_every_page_are_snapshotted(casino, monkeypatch):
    """Given three open sessions and pages of one, then each long stream is taken once.

    Bruno has two of them, and his conto has more than three events.
    """
    monkeypatch.setattr(duties, "AT_ONCE", 1)
    monkeypatch.setattr(duties, "UNSNAPPED_MAX", 4)
    anna, bruno = casino.player("anna"), casino.player("bruno")
    for session in (casino.sit(anna), casino.sit(bruno), casino.sit(bruno)):
        casino.play(session, 0, red())
    project(casino)

    assert {"taken": 4, "not-now": 0, "dropped": 0} == take_snapshots(casino.ports)
    assert {"taken": 0, "not-now": 0, "dropped": 0} == take_snapshots(casino.ports)


def test_a_session_with_a_round_in_play_is_not_snapshotted(casino, monkeypatch):
    """It is counted as not now."""
    monkeypatch.setattr(duties, "UNSNAPPED_MAX", 5)
    session = casino.sit(casino.player("anna"))
    casino.open_round(session, red())
    project(casino)

    assert {"taken": 0, "not-now": 1, "dropped": 0} == take_snapshots(casino.ports)


def test_a_tables_long_stream_is_snapshotted_between_its_rounds(casino, monkeypatch):
    """A table of three events, with one player and no bet yet; the same again in a round."""
    monkeypatch.setattr(duties, "UNSNAPPED_MAX", 2)
    at_a_table(casino)
    project(casino)
    before = take_snapshots(casino.ports)
    casino.send(cmd.OpenTableRound, table="roulette-1")
    casino.send(cmd.CloseBets, table="roulette-1")
    project(casino)

    tables = "SELECT originator_version FROM {book}.snapshots WHERE originator_id = '{key}'"
    key = str(stream_key(table_stream("roulette-1")))
    assert [(2,)] == casino.rows(tables.replace("{key}", key))
    assert 0 == before["not-now"]
    assert 1 == take_snapshots(casino.ports)["not-now"]


def test_an_expiry_is_named_by_its_session_and_due_time(casino):
    """The same case is the same command, whoever sends it and when."""
    session, due = uid("s"), casino.now
    first, again = duties.expiry(session, due), duties.expiry(session, due)

    assert first == again
    assert first.id != duties.expiry(session, due + timedelta(seconds=1)).id


def test_g10_an_erasure_that_was_cut_off_is_finished_once(casino, tmp_path):
    """The event stands and the key is still there; another player's key is left alone."""
    vault = Vault(tmp_path / "vault")
    for player in ("anna", "bruno"):
        vault.protect(player, {"name": player})
    casino.send(cmd.OpenConto, player="anna", currency=Currency.EUR, personal=())
    casino.send(cmd.CloseConto, player="anna", reason="asked")
    casino.wait(days=3653)
    casino.send(cmd.ForgetPlayer, player="anna", reason="ten years are over")
    ports = replace(casino.ports, erase=vault.destroy)

    outcomes = [duties.erase_forgotten(ports), duties.erase_forgotten(ports)]

    assert [{"done": 1}, {"done": 0}] == outcomes
    assert ["anna.1.destroyed", "bruno.1.key"] == sorted(p.name for p in vault.folder.iterdir())


@pytest.mark.parametrize("text", [duties._TABLES, duties._SEATED], ids=["tables", "seated"])
def test_duties_that_come_every_few_seconds_look_at_sessions_in_play_alone(casino: Casino, text):
    """Given any book, then who sits at tables is found by an index of open sessions."""
    project(casino)
    values = {"until": casino.now, "at": casino.now, "session": UUID(int=0), "limit": 1}
    with casino.connect("worker") as connection:
        connection.execute("SET enable_seqscan = off")
        plan = connection.execute(sql("EXPLAIN " + text, casino.book), values).fetchall()

    assert re.search(r"p_sessions_(open|due) on p_sessions_rows", str(plan))
