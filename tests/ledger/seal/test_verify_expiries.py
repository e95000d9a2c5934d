"""Sessions that end by rule in a real book: honest ends verify, ends before their time are found.

Anna plans to play for an hour and sits at a wheel; her player may be away for twenty minutes (C1).
"""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest

from ledger.domain import commands as cmd, endings, events as ev, leaving, participation, session
from tests.force import edit
from tests.house import CLASSIC, House, deposit_order, euro, order

HOUR = timedelta(hours=1)
AWAY = timedelta(minutes=20)
UNTOLD = "ends by an exclusion that its save does not tell"


@pytest.fixture
def seat(house: House) -> UUID:
    """Anna's session of an hour with 50.00; all that came before is sealed."""
    house.conto("anna-1", 100_00)
    seat = uuid4()
    about = {"session": seat, "player": "anna-1", "sheet": CLASSIC, "channel": "web"}
    asked = house.do(cmd.RequestParticipation, **about, **euro(50_00), limit_seconds=3_600)
    yes = {"participation": asked.command, "ticket": "T-1", "count": 1, "total": 50_00}
    house.do(cmd.ValidateParticipation, session=seat, **yes)
    house.seal()
    return seat


def expire(house: House, session: UUID) -> None:
    """The rules end the session now."""
    house.do(cmd.ExpireSession, session=session)


def found(house: House) -> set[str]:
    """What the verifier finds of ends by rule, and of nothing else."""
    house.seal()
    findings = house.verify()
    assert {"expiries"} >= {finding.check for finding in findings}, findings
    return {finding.found for finding in findings}


def unguarded(monkeypatch) -> None:
    """The book's guard is taken away: a session expires whenever it is told to."""
    monkeypatch.setattr(endings, "to_expire", lambda state, _: leaving.expiry(state))


def end_of_time(house: House) -> datetime:
    """When Anna's planned hour is over."""
    return house.now + HOUR


def test_g9_an_honest_end_of_the_time_of_play_verifies(house, seat):
    """Given an hour that is over and nothing in play, when the session expires, then all holds."""
    house.later(hours=1)
    expire(house, seat)

    assert set() == found(house)


def test_g9_a_round_in_play_at_the_end_of_time_is_finished_by_rule_and_verifies(house, seat):
    """Given a bet that lies, when twenty minutes more are over, then the rules play it."""
    house.lay(seat)
    house.later(hours=1, minutes=20)
    expire(house, seat)

    assert set() == found(house)


def test_c1_an_honest_end_of_the_time_away_verifies_though_time_was_over_besides(house, seat):
    """Given a player who is away with a bet at the end of the hour, then either end is told."""
    house.lay(seat)
    house.later(minutes=50)
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    house.later(minutes=20)
    expire(house, seat)

    assert set() == found(house)


def test_c1_a_session_that_expired_before_its_time_is_found(house, seat, monkeypatch):
    """Given no guard, when the session expires a second early, then the verifier says so."""
    due = end_of_time(house)
    unguarded(monkeypatch)
    house.later(minutes=59, seconds=59)
    expire(house, seat)

    assert {f"expired before it was due, {due}"} == found(house)


def test_c1_a_player_who_was_given_no_time_to_come_back_is_found(house, seat, monkeypatch):
    """Given no guard, when the session expires a minute after the connection was lost."""
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    due = house.now + AWAY
    unguarded(monkeypatch)
    house.later(minutes=1)
    expire(house, seat)

    assert {f"expired before it was due, {due}"} == found(house)


def test_g9_a_round_that_was_taken_from_its_player_at_the_end_of_time_is_found(
    house, seat, monkeypatch
):
    """Given a bet that lies and no guard, when the session expires with the hour, then that."""
    over = end_of_time(house)
    house.lay(seat)
    told = ev.SessionExpired(due=over, cause="time-over")
    monkeypatch.setattr(endings, "to_expire", lambda *_: told)
    house.later(hours=1)
    expire(house, seat)

    assert {f"was due {over}, and by its events {over + AWAY}"} == found(house)


def test_c1_an_expiry_of_a_player_who_was_never_away_is_found(house, seat):
    """Given an honest end, when its cause and its close are changed to say away, then that."""
    due = end_of_time(house)
    house.later(hours=1)
    expire(house, seat)
    edit(house, "session-expired", lambda event: event.pop("cause"))
    edit(house, "session-closed", lambda event: event.update(reason="expired"))

    assert {f"was due {due}, and by its events None"} == found(house)


def test_g9_a_close_for_another_cause_than_was_told_is_found(house, seat):
    """Given an end of time, when its close says that the player did not come back, then that."""
    house.later(hours=1)
    expire(house, seat)
    edit(house, "session-closed", lambda event: event.update(reason="expired"))

    assert {"closed as expired, and told before is time-over"} == found(house)


def test_g9_a_close_by_rule_that_nothing_told_is_found(house, seat):
    """Given a session that its player closed, when its reason is changed to time, then that."""
    house.do(cmd.CloseSession, session=seat)
    edit(house, "session-closed", lambda event: event.update(reason="time-over"))

    assert {"closed as time-over, and told before is None"} == found(house)


def test_c1_an_exclusion_closes_sessions_and_verifies_and_one_that_was_not_is_found(house, seat):
    """Given an exclusion, then all holds; a close that only says so is found."""
    bruno = house.seat("bruno-2")
    house.do(cmd.ExcludePlayer, player="anna-1", until=house.now + HOUR)
    assert set() == found(house)
    house.do(cmd.CloseSession, session=bruno)
    edit(house, "session-closed", lambda event: event.update(reason="excluded"))

    assert {UNTOLD} == found(house)


@pytest.mark.parametrize("is_open", [True, False], ids=["closed", "barred"])
def test_c1_a_session_that_ends_by_the_exclusion_of_another_player_is_found(house, seat, is_open):
    """Given an exclusion that is changed to be another player's, then what it ended is found."""
    if not is_open:
        house.do(cmd.CloseSession, session=seat)
        house.request("anna-1", 50_00)
    house.do(cmd.ExcludePlayer, player="anna-1", until=house.now + HOUR)
    edit(house, "conto-excluded", lambda event: event.update(player="bruno-2"))

    assert {UNTOLD} == found(house)


def test_c1_a_connection_that_was_lost_before_the_session_opened_is_found(house, seat):
    """Given a lost connection, when its moment is put an hour back, then that."""
    lost = house.now - HOUR
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    edit(house, "session-disconnected", lambda event: event.update(at=lost.isoformat()))

    assert {f"lost its connection at {lost}, when that could not be"} == found(house)


def test_c1_a_player_who_came_back_too_late_is_found(house, seat, monkeypatch):
    """Given no guard, when the player comes back after exactly twenty minutes, then that."""
    until = house.now + AWAY
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    monkeypatch.setattr(participation, "away_until", lambda _: until + HOUR)
    house.later(minutes=20)
    house.do(cmd.ReconnectSession, session=seat)

    assert {f"came back, and may have until {until}"} == found(house)


def test_c1_a_player_who_comes_back_in_the_last_moment_verifies(house, seat):
    """Given nineteen minutes and 59 seconds, when the player is back and plays, then all holds."""
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    house.later(minutes=19, seconds=59)
    house.do(cmd.ReconnectSession, session=seat)
    house.lay(seat)

    assert set() == found(house)


def test_c1_a_round_that_begins_while_its_player_is_away_is_found(house, seat, monkeypatch):
    """Given no guard, when a bet lies while the player is disconnected, then that."""
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    monkeypatch.setattr(session, "connected", session.opened)
    house.lay(seat)

    assert {"a round begins while its player is away"} == found(house)


def test_g9_an_end_of_time_that_is_told_where_the_time_away_came_first_is_found(
    house, seat, monkeypatch
):
    """Given a player whose twenty minutes ended before the hour, when the hour is told, then it."""
    over = end_of_time(house)
    house.later(minutes=40)
    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    told = ev.SessionExpired(due=over, cause="time-over")
    monkeypatch.setattr(endings, "to_expire", lambda *_: told)
    house.later(minutes=20)
    expire(house, seat)

    assert {f"was due {over}, and by its events None"} == found(house)


def test_c1_an_exclusion_in_a_save_of_many_verifies(house, seat):
    """Given commands that are saved together, by which an exclusion may stand before its closes."""
    fields = {"player": "anna-1", "until": house.now + HOUR}
    others = [deposit_order(house.conto(name), 100) for name in ("bruno-2", "zeno-3")]
    answers = house.service.handle_many([*others, order(cmd.ExcludePlayer, **fields)], house.now)

    assert [None] * 3 == [answer.refusal for answer in answers]
    assert set() == found(house)


def test_g9_a_second_expiry_of_a_session_is_found(house, seat, monkeypatch):
    """Given no guard, when a session says twice that it expired, then that."""
    due = end_of_time(house)
    told = ev.SessionExpired(due=due, cause="time-over")
    stream = cmd.ExpireSession(id=uuid4(), actor="duty", session=seat)
    house.later(hours=1)

    def twice(*about, **_):
        return endings.end_session(about[0], about[1], (told, told), "time-over")

    monkeypatch.setattr(endings, "end_expired", twice)
    assert house.ask(stream).refusal is None

    assert {"expired a second time"} == found(house)
