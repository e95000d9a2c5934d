"""Limits of a conto on deposits, spend and time of play (account limits of the Italian concession).

Days are Rome's: in the winter of these tests its midnight is 23:00 UTC.
"""

from datetime import UTC, date, datetime, timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.conto_limits import COOLING_OFF, Limit, profile_of
from ledger.domain.refusals import Code, Refusal
from tests.coin import ENGINES, CoinToss
from tests.given import BEFORE, NOON, given, on
from tests.scenes import (
    ANNA,
    CONTO,
    EUR,
    RIGHT,
    RUR,
    S1,
    S2,
    SESSION,
    coins,
    conto,
    money,
    order,
    paid,
    published,
    returned,
    session,
    uid,
)

MOMENT = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MIDNIGHT = datetime(2026, 3, 2, 23, tzinfo=UTC)
"""The end of Monday, the second of March 2026, in Rome."""


def limited(limit, most, period="day", *, since=BEFORE, asked=None, **more):
    """A limit that was set."""
    return ev.ContoLimitSet(
        player=ANNA,
        limit=limit,
        period=period,
        most=most,
        asked=asked or since,
        in_force_from=since,
        **more,
    )


def under(limit, most, period="day"):
    """A conto of 1,000.00 with a limit, before anything counts."""
    return on(CONTO, *conto().events, limited(limit, most, period))


def ask(limit, most, period="day", number=100):
    """The player asks for a limit."""
    return order(cmd.SetContoLimit, number, player=ANNA, limit=limit, period=period, most=most)


def deposit(amount, number=60):
    """Money comes in; each time by a payment of its own."""
    payment = {"reference": f"pay-{number}", "channel": "card"}
    return order(cmd.Deposit, number, player=ANNA, **money(amount), **payment)


def buy(amount, session_id=S1, number=50):
    """A participation right."""
    return order(
        cmd.RequestParticipation,
        number,
        session=session_id,
        player=ANNA,
        sheet="coin-flip",
        **money(amount),
        channel="web",
    )


def validate(amount, session_id=S1, number=50):
    """The central system's yes."""
    yes = {"participation": uid(number), "ticket": "T-1", "count": 1, "total": amount}
    return order(cmd.ValidateParticipation, 101, session=session_id, **yes)


def accepted(when):
    """Whether a decision wrote something."""
    return isinstance(when.decision, tuple)


# --- setting -------------------------------------------------------------------------------------


def test_a_first_limit_is_in_force_at_once():
    """Nothing limited the conto before, so that any limit is stricter."""
    given(conto()).when(ask("deposit", 5_000)).then(
        on(CONTO, limited("deposit", 5_000, since=NOON))
    )


@pytest.mark.parametrize("most", [10_001, None], ids=["more", "none"])
def test_a_looser_limit_is_in_force_seven_days_after_it_was_asked_for(most):
    """Both moments are on record; until the last microsecond the old limit holds."""
    asked = given(under("deposit", 10_000)).when(ask("deposit", most))
    week = asked.then(
        on(CONTO, limited("deposit", most, asked=NOON, since=NOON + timedelta(hours=168)))
    )

    week.when(deposit(10_001), now=NOON + COOLING_OFF - MOMENT).then(Code.DEPOSIT_LIMIT_REACHED)
    assert accepted(week.when(deposit(10_001), now=NOON + COOLING_OFF))


def test_a_stricter_limit_is_in_force_at_once_and_what_waited_is_forgotten():
    """Asked for more, then for less: the less holds from now on, after the week too."""
    more = given(under("deposit", 10_000)).when(ask("deposit", 90_000)).given_now
    less = more.when(ask("deposit", 4_000, number=102)).given_now

    less.when(deposit(4_001)).then(Code.DEPOSIT_LIMIT_REACHED)
    less.when(deposit(4_001), now=NOON + 2 * COOLING_OFF).then(Code.DEPOSIT_LIMIT_REACHED)


def test_the_same_limit_asked_for_again_takes_a_looser_one_back():
    """It is no looser than what holds, so that it holds at once, and nothing waits."""
    more = given(under("spend", 10_000)).when(ask("spend", 90_000)).given_now
    back = more.when(ask("spend", 10_000, number=102)).given_now

    assert (Limit("spend", "day", 10_000, NOON),) == back.state(CONTO).limits


def test_asked_for_again_a_looser_limit_waits_anew():
    """The last wish counts, seven days from itself."""
    first = given(under("deposit", 100)).when(ask("deposit", 200)).given_now
    again = first.when(ask("deposit", 300, number=102), now=NOON + DAY).given_now

    again.when(deposit(101), now=NOON + COOLING_OFF + DAY - MOMENT).then(Code.DEPOSIT_LIMIT_REACHED)
    assert accepted(again.when(deposit(300), now=NOON + COOLING_OFF + DAY))


@pytest.mark.parametrize(("period", "most"), [("week", 60), ("month", 60), ("day", 86_400)])
def test_time_of_play_is_limited_per_day_to_less_than_a_day(period, most):
    """The concession knows no other limit on time."""
    given(conto()).when(ask("time", most, period)).then(Code.MALFORMED)


def test_limits_are_set_on_a_conto_that_is_open():
    """A player who is excluded may still set them."""
    given().when(ask("deposit", 1)).then(Code.UNKNOWN_CONTO)
    excluded = on(CONTO, ev.ContoExcluded(player=ANNA, until=NOON + DAY))

    assert accepted(given(conto(), excluded).when(ask("deposit", 1)))


# --- the first activation ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "deposits", "spend", "seconds"),
    [("it-standard", 20_000, 10_000, 10_800), ("it-young", 5_000, 5_000, 7_200)],
)
def test_a_conto_begins_with_the_limits_of_its_profile(profile, deposits, spend, seconds):
    """200.00 in, 100.00 spent and three hours a day; 50.00, 50.00 and two hours for the young."""
    command = order(cmd.OpenConto, player=ANNA, currency=EUR, personal=(), profile=profile)

    given().when(command).then(
        on(
            CONTO,
            ev.ContoOpened(player=ANNA, currency=EUR, personal=(), profile=profile),
            limited("deposit", deposits, since=NOON),
            limited("spend", spend, since=NOON),
            limited("time", seconds, since=NOON),
        )
    )


def test_a_profile_is_known_and_its_amounts_are_in_euro():
    """What is not is refused, before a name that is taken."""
    fields = {"player": ANNA, "personal": ()}
    unknown = order(cmd.OpenConto, **fields, currency=EUR, profile="it-old")
    roubles = order(cmd.OpenConto, **fields, currency=RUR, profile="it-young")

    given().when(unknown).then(Code.MALFORMED)
    given().when(roubles).then(Code.WRONG_CURRENCY)


@pytest.mark.parametrize(
    ("born", "expected"),
    [
        (date(2008, 3, 3), Code.UNDER_AGE),
        (date(2008, 3, 2), "it-young"),
        (date(2001, 3, 3), "it-young"),
        (date(2001, 3, 2), "it-standard"),
        (date(2008, 2, 29), "it-young"),
        (date(1950, 1, 1), "it-standard"),
    ],
)
def test_the_profile_goes_by_the_age_and_nobody_under_18_plays(born, expected):
    """On the second of March 2026; from the birthday on one is a year older."""
    found = profile_of(born, date(2026, 3, 2))

    assert expected == (found.code if isinstance(found, Refusal) else found)


# --- deposits ------------------------------------------------------------------------------------


def test_deposits_of_a_day_together_stay_within_the_limit():
    """60.00 and 40.00 fill 100.00; a payment out makes no room."""
    full = given(under("deposit", 10_000)).when(deposit(6_000)).given_now
    full.when(deposit(4_001, 61)).then(Code.DEPOSIT_LIMIT_REACHED)
    full = full.when(deposit(4_000, 61)).given_now
    out = order(cmd.Withdraw, 62, player=ANNA, **money(9_000), reference="out-1", channel="card")

    full.when(out).given_now.when(deposit(1, 63)).then(Code.DEPOSIT_LIMIT_REACHED)


@pytest.mark.parametrize(
    ("period", "start", "end"),
    [
        ("day", "2026-03-01T23:00:00", "2026-03-02T23:00:00"),
        ("week", "2026-03-01T23:00:00", "2026-03-08T23:00:00"),
        ("week", "2026-03-22T23:00:00", "2026-03-29T22:00:00"),
        ("month", "2026-02-28T23:00:00", "2026-03-31T22:00:00"),
        ("day", "2026-03-28T23:00:00", "2026-03-29T22:00:00"),
        ("day", "2026-10-24T22:00:00", "2026-10-25T23:00:00"),
        ("month", "2026-11-30T23:00:00", "2026-12-31T23:00:00"),
    ],
    ids=["day", "week", "week of the change", "month", "23 hours", "25 hours", "december"],
)
def test_a_period_begins_at_its_first_microsecond_in_rome_and_ends_before_the_next(
    period, start, end
):
    """The limit is full from the first moment to the last, and empty one moment later.

    Monday to Sunday; by the calendar; on the days of 23 and 25 hours too.
    """
    first, after = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (start, end))
    empty = given(under("deposit", 100, period))
    full = empty.when(deposit(100), now=first).given_now

    full.when(deposit(1, 61), now=after - MOMENT).then(Code.DEPOSIT_LIMIT_REACHED)
    assert accepted(full.when(deposit(100, 61), now=after))
    before = empty.when(deposit(100), now=first - MOMENT).given_now
    assert accepted(before.when(deposit(100, 61), now=first))


def test_a_refusal_tells_what_is_left_and_until_when():
    """Of 100.00 a day 70.00 are used; a looser limit that waits comes after the day's end."""
    used = given(under("deposit", 10_000)).when(deposit(7_000)).given_now
    refusal = used.when(deposit(3_001, 61)).decision

    assert (
        "The deposit limit of the day leaves 30.00 until 2026-03-02T23:00:00+00:00."
        == refusal.message
    )


def test_a_refusal_names_the_moment_of_a_looser_limit_that_comes_sooner_than_the_period_ends():
    """A month has weeks to go when the seven days are over."""
    used = given(under("deposit", 100, "month")).when(ask("deposit", 200, "month")).given_now

    assert used.when(deposit(101)).decision.message.endswith("until 2026-03-09T12:00:00+00:00.")


def test_what_was_paid_in_before_a_limit_counts_towards_it():
    """100.00 came this morning; with a limit of 100.00 nothing more comes today."""
    day = given(conto(10_000)).when(ask("deposit", 10_000)).given_now

    day.when(deposit(1)).then(Code.DEPOSIT_LIMIT_REACHED)
    assert accepted(day.when(deposit(10_000), now=MIDNIGHT))


def test_a_conto_without_limits_takes_what_it_took():
    """Those that were opened before there were limits stay as they were."""
    assert accepted(given(conto()).when(deposit(10**12)))


# --- spend ---------------------------------------------------------------------------------------


def spending(most, period="day"):
    """A conto of 1,000.00 with a limit on spend."""
    return (conto(100_000), on(CONTO, limited("spend", most, period)), published())


def test_what_goes_to_the_posta_stays_within_the_limit_on_spend():
    """50.00 went to a session; 50.00 more may follow, to this one or another."""
    played = given(*spending(10_000), paid(), session(), engines=ENGINES)

    played.when(buy(5_001)).then(Code.SPEND_LIMIT_REACHED)
    played.when(buy(5_001, S2)).then(Code.SPEND_LIMIT_REACHED)
    assert accepted(played.when(buy(5_000, S2)))


@pytest.mark.parametrize(
    ("back", "most"), [(0, 5_000), (2_000, 7_000), (5_000, 10_000), (9_000, 10_000)]
)
def test_what_comes_back_was_not_spent_and_a_win_makes_no_room(back, most):
    """Of 50.00 that went to a session so much came back; the limit is 100.00."""
    over = given(*spending(10_000), paid(), returned(back), engines=ENGINES)

    over.when(buy(most + 1, S2)).then(Code.SPEND_LIMIT_REACHED)
    assert accepted(over.when(buy(most, S2)))


def test_what_comes_back_counts_for_the_day_on_which_it_went():
    """50.00 before midnight, 30.00 after it, and 40.00 back: the later 30.00 are made up first."""
    day = given(*spending(10_000, "week"), on(CONTO, limited("spend", 10_000)), engines=ENGINES)
    evening = day.when(buy(5_000), now=MIDNIGHT - HOUR).given_now
    opened = evening.when(validate(5_000), now=MIDNIGHT - HOUR).given_now
    night = opened.when(buy(3_000, number=51), now=MIDNIGHT).given_now
    played = night.when(validate(8_000, number=51), now=MIDNIGHT).given_now
    bet = order(cmd.PlayRound, 70, session=S1, move=coins(("heads", 4_000)))
    lost = played.when(bet, now=MIDNIGHT, entropy=b"\x03").given_now
    home = lost.when(order(cmd.CloseSession, 102, session=S1), now=MIDNIGHT).given_now

    home.when(buy(6_001, S2, 52), now=MIDNIGHT).then(Code.SPEND_LIMIT_REACHED)
    assert accepted(home.when(buy(6_000, S2, 52), now=MIDNIGHT))
    yesterdays = home.state(CONTO).tally.outlays
    assert [4_000] == [s.amount for s in yesterdays]


def test_a_right_that_was_rejected_was_not_spent():
    """The money is back, and so is the room."""
    asked = given(*spending(5_000), engines=ENGINES).when(buy(5_000)).given_now
    no = {"participation": RIGHT, "reason": "no"}
    back = asked.when(order(cmd.RejectParticipation, 102, session=S1, **no)).given_now

    assert accepted(back.when(buy(5_000, S2, 51)))


def test_a_bonus_is_not_spent():
    """It is the house's money."""
    bonus = order(cmd.GrantBonus, 80, session=S1, **money(500), reason="welcome")
    played = given(*spending(5_000), paid(), session(), engines=ENGINES)

    assert accepted(played.when(bonus))


# --- time of play --------------------------------------------------------------------------------


def timed(seconds):
    """A conto of 1,000.00 with a limit on the time of play."""
    return given(conto(100_000), on(CONTO, limited("time", seconds)), published(), engines=ENGINES)


def play(session_id=S1, number=70):
    """A round."""
    return order(cmd.OpenRound, number, session=session_id, move=coins(("heads", 100)))


def sits(history, at, session_id=S1, number=50):
    """A session that is bought and opened at a moment."""
    bought = history.when(buy(500, session_id, number), now=at).given_now
    return bought.when(validate(500, session_id, number), now=at).given_now


def leaves(history, at, session_id=S1):
    """The session is closed."""
    return history.when(order(cmd.CloseSession, 103, session=session_id), now=at).given_now


def over_at(history, moment, session_id=S1):
    """Rounds begin until a moment, and not from it on."""
    history.when(play(session_id), now=moment).then(Code.TIME_LIMIT_REACHED)
    return accepted(history.when(play(session_id), now=moment - MOMENT))


def test_no_round_begins_after_the_days_time_of_play():
    """An hour from noon; no money follows either, and the session can be closed."""
    seat = sits(timed(3_600), NOON)

    assert over_at(seat, NOON + HOUR)
    seat.when(buy(500, number=51), now=NOON + HOUR).then(Code.TIME_LIMIT_REACHED)
    assert accepted(seat.when(order(cmd.CloseSession, session=S1), now=NOON + HOUR))


def test_a_round_in_play_is_completed_after_the_days_time_of_play():
    """Its toss needs no time."""
    table = sits(timed(3_600), NOON).when(play(), now=NOON + HOUR - MOMENT).given_now
    finish = order(cmd.ContinueRound, 104, session=S1, round=uid(70), move=CoinToss())
    tossed = table.when(finish, now=NOON + 2 * HOUR, entropy=b"\x03")

    assert "round-settled" == tossed.decision[0].events[-1].NAME


def test_what_is_left_of_the_day_is_left_for_the_next_session():
    """Of an hour twenty minutes are played; the next session has forty, and the third none."""
    day = leaves(sits(timed(3_600), NOON), NOON + HOUR / 3)
    again = sits(day, NOON + 2 * HOUR, S2, 51)
    end = NOON + 2 * HOUR + 2 * HOUR / 3

    assert over_at(again, end, S2)
    used = leaves(again, end, S2)
    used.when(buy(500, uid(3), 52), now=end).then(Code.TIME_LIMIT_REACHED)
    used.when(buy(500, uid(3), 52), now=MIDNIGHT - MOMENT).then(Code.TIME_LIMIT_REACHED)
    assert accepted(used.when(buy(500, uid(3), 52), now=MIDNIGHT))


def test_sessions_that_overlap_take_their_time_once():
    """Two sessions side by side for an hour and a half: an hour of two, then another half."""
    both = sits(sits(timed(2 * 3_600), NOON), NOON + HOUR / 2, S2, 51)

    assert over_at(both, NOON + 2 * HOUR)
    assert over_at(both, NOON + 2 * HOUR, S2)
    left = leaves(leaves(both, NOON + HOUR), NOON + 1.5 * HOUR, S2)
    assert over_at(sits(left, NOON + 5 * HOUR, uid(3), 52), NOON + 5.5 * HOUR, uid(3))


@pytest.mark.parametrize(
    ("opened", "seconds", "ends"),
    [
        ("2026-03-02T22:30:00", 3_600, "2026-03-03T00:00:00"),
        ("2026-03-02T22:00:00", 3_600, "2026-03-03T00:00:00"),
        ("2026-03-02T21:59:59", 3_600, "2026-03-02T22:59:59"),
        ("2026-03-29T00:30:00", 3 * 3_600, "2026-03-29T03:30:00"),
        ("2026-03-28T23:00:00", 86_399, "2026-03-30T21:59:59"),
        ("2026-10-24T22:00:00", 86_399, "2026-10-25T21:59:59"),
    ],
    ids=[
        "over midnight",
        "to midnight",
        "just before",
        "clocks forward",
        "23 hours",
        "25 hours",
    ],
)
def test_time_over_midnight_is_the_next_days(opened, seconds, ends):
    """A session that reaches midnight goes on by the time of the day that begins.

    An hour is an hour when clocks change; a day of 23 hours does not hold 23:59:59, and the
    session goes on into the next, which has as much.
    """
    start, end = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (opened, ends))

    assert over_at(sits(timed(seconds), start), end)


def test_the_time_before_midnight_is_not_the_next_days():
    """Played from 23:30 to 00:15 in Rome, of an hour: 45 minutes are left of the new day."""
    night = leaves(sits(timed(3_600), MIDNIGHT - HOUR / 2), MIDNIGHT + HOUR / 4)

    assert over_at(sits(night, MIDNIGHT + 9 * HOUR, S2, 51), MIDNIGHT + 9.75 * HOUR, S2)


def test_a_session_left_open_when_its_time_is_over_takes_no_more():
    """It was over at 13:00 and is closed the next day at noon: the next day is whole."""
    late = leaves(sits(timed(3_600), NOON), NOON + DAY)

    assert over_at(sits(late, NOON + DAY, S2, 51), NOON + DAY + HOUR, S2)


def test_a_right_that_was_rejected_took_no_time():
    """Nothing was played while the central system thought about it."""
    asked = timed(3_600).when(buy(500)).given_now
    no = {"participation": RIGHT, "reason": "no"}
    reject = order(cmd.RejectParticipation, 102, session=S1, **no)
    later = asked.when(reject, now=NOON + HOUR).given_now

    assert over_at(sits(later, NOON + HOUR, S2, 51), NOON + 2 * HOUR, S2)


def test_a_stricter_time_of_play_is_told_at_once_to_what_is_played():
    """An hour in, of three; with two hours one is left; the session is told in the same save."""
    seat = sits(timed(3 * 3_600), NOON)
    over = NOON + 2 * HOUR
    stricter = seat.when(ask("time", 2 * 3_600), now=NOON + HOUR).then(
        on(CONTO, limited("time", 7_200, since=NOON + HOUR, time_over=over)),
        on(SESSION, ev.SessionTimeLimited(time_over=over)),
    )

    assert over_at(stricter, over)


def test_a_time_of_play_that_is_used_up_ends_play_now():
    """An hour in; with half an hour a day no further round begins."""
    seat = sits(timed(3 * 3_600), NOON)
    stricter = seat.when(ask("time", 1_800), now=NOON + HOUR).given_now

    stricter.when(play(), now=NOON + HOUR).then(Code.TIME_LIMIT_REACHED)
    used = leaves(stricter, NOON + HOUR)
    used.when(buy(500, S2, 51), now=NOON + HOUR).then(Code.TIME_LIMIT_REACHED)


def test_a_first_limit_on_time_reaches_a_session_that_had_none():
    """Half an hour in, of an hour."""
    free = given(conto(100_000), published(), engines=ENGINES)
    seat = sits(free, NOON).when(ask("time", 3_600), now=NOON + HOUR / 2).given_now

    assert over_at(seat, NOON + HOUR)


def test_a_session_goes_on_into_a_looser_time_of_play():
    """Asked for seven days ago, in force at 13:00: a session that is open then has it."""
    asked = timed(2 * 3_600).when(ask("time", 3 * 3_600), now=NOON + HOUR).given_now
    week = NOON + COOLING_OFF

    assert over_at(sits(asked, week), week + 3 * HOUR)
    assert over_at(sits(asked, week - 2 * HOUR), week)


def test_a_looser_time_of_play_taken_back_ends_a_session_as_before():
    """The session counted on three hours from 13:00 on; by its player's word there are two."""
    asked = timed(2 * 3_600).when(ask("time", 3 * 3_600), now=NOON + HOUR).given_now
    week = NOON + COOLING_OFF
    back = sits(asked, week).when(ask("time", 2 * 3_600, number=105), now=week).given_now

    assert over_at(back, week + 2 * HOUR)


def test_the_plan_of_a_session_holds_within_the_time_of_the_day():
    """The sooner of the two ends it."""
    plan = {"limit_seconds": 1_800}
    short = timed(3_600).when(buy(500).model_copy(update=plan)).given_now
    seat = short.when(validate(500)).given_now

    assert over_at(seat, NOON + HOUR / 2)
