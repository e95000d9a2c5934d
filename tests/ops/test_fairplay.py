"""FairPlay series at the desk, over a real book and real key files (G3, G7, G9, G10)."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from pydantic import ValidationError

from games.roulette.fairplay.secret import commit, read
from ledger.domain import commands as cmd
from ledger.domain.ids import series_stream, session_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.series import Expired
from ops.fairplay import Wish
from tests.fairplay_desk import SHEET, SPUN, FairDesk, fair_desk, pocket, prepared
from tests.racing import at_once

HOURS = timedelta(hours=240)


@pytest.fixture
def at(house, tmp_path) -> FairDesk:
    """A desk with a VIP player, anna-1."""
    made = fair_desk(house, tmp_path)
    made.player("anna-1")
    return made


@pytest.fixture
def session(at):
    """Anna sits at the table with 10,000.00."""
    return at.sit("anna-1")


@pytest.fixture
def series(at):
    """Anna has prepared the series of the rules' example, with a key of hers."""
    return at.prepare("anna-1", key="mykey7")


def topics(at):
    """The names of the events of the series and of rounds, by how many there are."""
    found = at.house.rows(
        """SELECT topic, count(*) FROM events WHERE topic LIKE 'series-%' OR topic = 'number-taken'
            OR topic = 'draw-recorded' GROUP BY 1"""
    )
    return dict(found)


# --- from the preparation to the reveal ----------------------------------------------------------


def test_hw6_a_series_is_played_with_offsets_and_told_as_the_rules_work_it_out(at, session, series):
    """Numbers 12, 7, 22, 3, 27 and offsets 0, 30, 5, 15, 36 bring 12, 0, 27, 18, 26.

    The string that is told then is the one that was committed, and its keys are gone.
    """
    shown = at.fairplay.state(series)
    offsets = (None, 30, 5, 15, 36)
    came = [pocket(at.spin(session, series, offset=offset)) for offset in offsets]
    text = at.reveal(series)
    told = read(text).secret

    assert [12, 0, 27, 18, 26] == came
    assert (SPUN, "anna1", "mykey7") == (told.numbers, told.alias, told.user_key)
    assert "20260302090000" == f"{told.prepared:%Y%m%d%H%M%S}"
    assert len(told.server_key) == 32
    assert (shown.md5, shown.sha256) == (commit(text).md5, commit(text).sha256)
    assert [] == at.kept
    at.house.seal()
    assert () == at.house.verify()


def test_hw6_a_series_is_resumed_in_another_session_and_ended_early(at, session, series):
    """The offset is zero again there; what was not played is told too."""
    first = at.spin(session, series, offset=30)
    at.do(cmd.CloseSession, session=session)
    second = at.spin(at.sit("anna-1"), series)
    ended = at.fairplay.end(series, uuid4())

    assert [42 - 37, 7] == [pocket(first), pocket(second)]
    assert (None, 3) == (ended.refusal, ended.entries[0].event.unplayed)
    assert SPUN == read(at.reveal(series)).secret.numbers


def test_hw5_a_spin_without_a_bet_takes_a_number(at, session, series):
    """It is recorded as such, and the next spin has the second number."""
    bet = at.fairplay.desk.move(session, {"bets": []})
    opened = at.do(cmd.OpenRound, session=session, move=bet, series=series)
    empty = at.fairplay.draw(session, opened.command)

    assert [12, 7] == [pocket(empty), pocket(at.spin(session, series))]
    assert 0 == empty.entries[-1].event.staked


def test_hw4_without_an_account_type_no_spin_is_taken(at):
    """Bruno's conto has none: the refusal says who sets it, and no number is used up."""
    at.player("bruno-1", account=None)
    session, series = at.sit("bruno-1"), at.prepare("bruno-1")
    answer = at.spin(session, series)

    assert "unknown-account" == answer.refusal
    assert "on the conto" in answer.message
    assert 0 == at.fairplay.state(series).taken


def test_hw4_a_round_is_judged_by_the_account_type_and_the_own_limits_of_its_session(at):
    """LITE takes 50.00 on red and no more; own limits of a VIP take 80.00 on a straight."""
    at.player("bruno-1", account="LITE")
    lite, more = at.sit("bruno-1"), {"chance": "red", "amount": "50.01"}
    own = at.desk.own_limits(SHEET, {"positions": {"straight": {"min": "1.00", "max": "80.00"}}})
    reason = "asked by the player, decided by the floor manager"
    at.do(cmd.SetPlayerLimits, player="anna-1", sheet=SHEET, limits=own, reason=reason)
    straight = {"bets": [{"numbers": [17], "amount": "80.00"}]}

    assert "position-above-maximum" == at.desk.play(lite, {"bets": [more]}).refusal
    assert at.desk.play(lite, {"bets": [more | {"amount": "50.00"}]}).refusal is None
    assert "position-above-maximum" == at.desk.play(lite, straight).refusal
    assert at.desk.play(at.sit("anna-1"), straight).refusal is None
    assert Code.MALFORMED == at.desk.own_limits(SHEET, {"tables": {}}).code
    assert Code.MALFORMED == at.desk.own_limits("deuces-wild", {}).code
    at.house.seal()
    assert () == at.house.verify()


# --- once, and after any cut ---------------------------------------------------------------------


def test_g3_a_preparation_given_twice_is_one_series(at):
    """The same bytes are answered, and no second set of keys is made."""
    wish, command = Wish("anna-1", SHEET, 5, "mykey7"), uuid4()
    first, again = (at.fairplay.prepare(wish, command) for _ in range(2))

    assert first.to_bytes() == again.to_bytes()
    assert [prepared(first).series] == at.kept
    assert {"series-prepared": 1} == topics(at)


@pytest.mark.parametrize(
    "other",
    [
        Wish("anna-1", SHEET, 6, "mykey7"),
        Wish("anna-1", SHEET, 5, "mykey8"),
        Wish("anna-1", SHEET, 5),
        Wish("bruno-1", SHEET, 5, "mykey7"),
    ],
)
def test_g3_an_id_of_a_preparation_stands_for_one_wish(at, other):
    """Another one under the same id is refused and prepares nothing."""
    command = uuid4()
    at.fairplay.prepare(Wish("anna-1", SHEET, 5, "mykey7"), command)
    refusal = at.fairplay.prepare(other, command)

    assert isinstance(refusal, Refusal)
    assert Code.COMMAND_CONFLICT == refusal.code
    assert 1 == len(at.kept)


def test_g3_a_preparation_that_two_programs_make_at_once_is_one_series(at, tmp_path):
    """Who comes second is answered what the first one was, and takes its own keys away."""
    other = fair_desk(at.house, tmp_path)
    for _ in range(5):
        command, before = uuid4(), len(at.kept)
        answers = at_once(
            *(
                partial(desk.fairplay.prepare, Wish("anna-1", SHEET, 5), command)
                for desk in (at, other)
            )
        )

        assert 1 == len({answer.to_bytes() for answer in answers})
        assert before + 1 == len(at.kept)
    assert {"series-prepared": 5} == topics(at)


@pytest.mark.parametrize(
    "wish", [Wish("anna-1", "No Sheet", 5), Wish("anna-1", SHEET, 4), Wish("anna-1", SHEET, 5, "")]
)
def test_g10_of_a_preparation_that_no_command_can_hold_no_key_is_left(at, wish):
    """It is an error of who asks, and says nothing of what was drawn."""
    with pytest.raises(ValidationError):
        at.fairplay.prepare(wish, uuid4())
    assert ([], {}) == (at.kept, topics(at))


@pytest.mark.parametrize("numbers", [5, 50])
def test_g10_of_a_preparation_that_is_refused_no_key_is_left(at, numbers):
    """The conto is suspended; given again under the same id it is refused the same."""
    at.do(cmd.SuspendConto, player="anna-1", reason="two holders")
    wish, command = Wish("anna-1", SHEET, numbers), uuid4()
    first = at.fairplay.prepare(wish, command)
    at.do(cmd.ReinstateConto, player="anna-1", reason="papers seen")
    again = at.fairplay.prepare(wish, command)

    assert Code.CONTO_SUSPENDED == first.refusal
    assert (first.to_bytes(), []) == (again.to_bytes(), at.kept)


def test_g3_a_game_without_series_prepares_none(at):
    """The ledger says so, and no key is left."""
    answer = at.fairplay.prepare(Wish("anna-1", "european-roulette-classic", 5), uuid4())

    assert (Code.SERIES_NOT_OFFERED, []) == (answer.refusal, at.kept)


def test_g3_a_spin_cut_off_between_its_saves_goes_on_from_there(at, session, series):
    """Given again under the same id it draws, and given once more it is answered the same."""
    command = uuid4()
    at.lay(session, series, command)
    first, again = (at.spin(session, series, command=command) for _ in range(2))

    assert 12 == pocket(first)
    assert first.to_bytes() == again.to_bytes()
    assert (1, 1) == (topics(at)["number-taken"], topics(at)["draw-recorded"])


def test_g9_a_spin_that_stands_still_is_finished_once(at, session, series):
    """By the duty, and the player's own command is answered with that draw."""
    command = uuid4()
    round_id = at.lay(session, series, command)

    assert ["done", "round-ended"] == [at.fairplay.finish(session, round_id) for _ in range(2)]
    assert 12 == pocket(at.spin(session, series, command=command))
    assert 1 == topics(at)["draw-recorded"]


def test_g9_the_spin_of_a_player_who_is_away_waits_for_the_return_or_the_expiry(
    at, session, series
):
    """Away it is left; back, it is drawn, though it was asked for before."""
    round_id = at.lay(session, series)
    at.do(cmd.DisconnectSession, session=session, at=at.house.now)
    away = at.fairplay.finish(session, round_id)
    at.house.later(minutes=1)
    at.do(cmd.ReconnectSession, session=session)

    assert [Code.SESSION_DISCONNECTED.value, "done"] == [
        away,
        at.fairplay.finish(session, round_id),
    ]


def test_g9_at_expiry_the_number_that_was_taken_is_drawn(at, session, series):
    """The spin's command is then answered with what the expiry brought."""
    command = uuid4()
    at.lay(session, series, command, offset=30)
    at.do(cmd.DisconnectSession, session=session, at=at.house.now)
    at.house.later(minutes=20)
    at.do(cmd.ExpireSession, session=session)

    assert (12 + 30) % 37 == pocket(at.spin(session, series, command=command, offset=30))
    assert 1 == topics(at)["draw-recorded"]


def test_a_spin_that_was_voided_is_not_drawn(at, session, series):
    """Its stake is back and its number used up; the refusal says to spin again."""
    command = uuid4()
    round_id = at.lay(session, series, command)
    ref = cmd.RoundRef(session=session, round=round_id)
    at.do(cmd.VoidRounds, rounds=(ref,), reason="the wheel stopped")
    refusal = at.fairplay.draw(session, round_id)

    assert Code.ROUND_ENDED == refusal.code
    assert 7 == pocket(at.spin(session, series))


# --- the end of its time -------------------------------------------------------------------------


def test_hw7_after_240_hours_a_series_expires_and_its_keys_are_destroyed(at, session, series):
    """A moment before it is kept; afterwards nothing opens it, and the log verifies as before."""
    at.spin(session, series)
    at.house.later(hours=240, microseconds=-1)
    before = at.fairplay.retire(series)
    at.house.later(microseconds=1)
    after = at.fairplay.retire(series)

    assert ["kept", "done"] == [before, after]
    assert ([], True) == (at.kept, isinstance(at.fairplay.state(series), Expired))
    assert Code.SERIES_EXPIRED == at.fairplay.reveal(series, uuid4()).refusal
    at.house.seal()
    assert () == at.house.verify()


def test_g10_an_expiry_cut_off_before_the_keys_are_destroyed_is_mended(at, series, monkeypatch):
    """The event is there and the keys are too; the next run destroys them and writes nothing."""
    at.house.later(hours=240)
    monkeypatch.setattr(type(at.fairplay.keys), "destroy", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        at.fairplay.retire(series)
    monkeypatch.undo()
    events = at.house.count()

    assert [series] == at.kept
    assert "done" == at.fairplay.retire(series)
    assert ([], events) == (at.kept, at.house.count())


def test_g10_a_reveal_cut_off_before_the_keys_are_destroyed_is_mended(at, series):
    """The secret is in the log in clear, so that nothing needs the keys any more."""
    at.fairplay.end(series, uuid4())
    at.do(cmd.RevealSeries, series=series)

    assert [series] == at.kept
    assert "done" == at.fairplay.retire(series)
    assert [] == at.kept


def test_g9_a_series_is_not_expired_under_open_bets_and_is_as_soon_as_they_are_drawn(
    at, session, series
):
    """The first run refuses, which does not stand in the way of the second."""
    round_id = at.lay(session, series)
    at.house.later(hours=240)
    waits = at.fairplay.retire(series)
    at.fairplay.finish(session, round_id)

    assert [Code.SERIES_IN_PLAY.value, "done"] == [waits, at.fairplay.retire(series)]


def test_g10_keys_whose_series_the_book_does_not_have_are_left(at):
    """They may be another book's, or of a preparation that is being written."""
    other = uuid4()
    at.fairplay.keys.seal(other, [b"x"])

    assert Code.UNKNOWN_SERIES.value == at.fairplay.retire(other)
    assert [other] == at.kept


# --- demo ----------------------------------------------------------------------------------------


def test_hw5_a_demo_round_moves_no_money_and_takes_no_number(at, session, series):
    """It is one event; posta, series and the time of the series stand still."""
    before = at.house.service.state(session_stream(session))
    answer = at.desk.play_demo(session, {"bets": [{"chance": "red", "amount": "1500.00"}]})

    assert ["demo-round-played"] == [e.event.NAME for e in answer.entries]
    assert before == at.house.service.state(session_stream(session))
    assert 1 == len(at.desk.service.history(series_stream(series)))
    assert Code.MALFORMED == at.desk.play_demo(session, {"bets": [], "demo": True}).code
