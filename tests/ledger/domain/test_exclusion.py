"""An exclusion ends what the player has in play, in its own save (rulings FR1, G4, G9)."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.decider import NeedsDraw
from ledger.domain.refusals import Code
from tests.coin import ENGINES, CoinToss
from tests.given import NOON, given, on
from tests.scenes import (
    ANNA,
    CONTO,
    FURTHER,
    LOST,
    OPEN,
    OPEN_FOR_TWO,
    OPENED,
    OTHER_SESSION,
    PLAYING,
    RIGHT,
    ROUND,
    S1,
    S2,
    SESSION,
    TWO,
    WAITING,
    bet,
    closed,
    coins,
    conto,
    drawn,
    funded,
    money,
    order,
    paid,
    payout,
    pending,
    published,
    returned,
    round_opened,
    session,
    settled,
    uid,
    under,
    validated,
)

HEADS, TAILS = b"\x02", b"\x03"
WEEK = timedelta(days=7)
UNTIL = NOON + WEEK
EXCLUDED = ev.ContoExcluded(player=ANNA, until=UNTIL)
BARRED = ev.SessionBarred(until=UNTIL)
PAID_FURTHER = paid(1_000)


def exclude(until=UNTIL):
    """The player excludes himself."""
    return order(cmd.ExcludePlayer, player=ANNA, until=until)


def back(*returns):
    """The exclusion on the conto, and after it what came back."""
    return on(CONTO, EXCLUDED, *(event for change in returns for event in change.events))


def on_session(kind, **fields):
    """A command on anna's session."""
    return order(kind, 101, session=S1, **fields)


def play():
    """A round of 0.01 on heads."""
    return on_session(cmd.PlayRound, move=coins(("heads", 1)))


def validate(right=RIGHT, total=5_000, count=1):
    """The central system's yes."""
    yes = {"ticket": "T-1", "count": count, "total": total}
    return on_session(cmd.ValidateParticipation, participation=right, **yes)


def test_an_exclusion_of_a_player_who_does_not_play_is_recorded():
    """The conto alone is written."""
    given(conto(100)).when(exclude()).then(on(CONTO, EXCLUDED))


@pytest.mark.parametrize("connection", [(), (LOST,)], ids=["connected", "away"])
def test_g9_an_exclusion_closes_the_players_session_and_the_posta_goes_back(connection):
    """In the save of the exclusion; nobody waits for a player who is away."""
    given(*OPEN, *connection, engines=ENGINES).when(exclude()).then(
        on(SESSION, closed(5_000, "excluded")), back(returned(5_000))
    ).when(play()).then(Code.SESSION_CLOSED)


def test_g9_a_round_that_was_accepted_is_completed_before_an_exclusion_closes_the_session():
    """The rules make the toss, with entropy of its own; what it wins is in the final posta."""
    history = given(*OPEN, PLAYING, engines=ENGINES)

    history.when(exclude()).then(NeedsDraw(1))
    history.when(exclude(), entropy=HEADS).then(
        on(
            SESSION,
            drawn("02", "heads"),
            payout(1, 100, 100),
            settled(staked=100, winnings=100, stake_returned=100, bets=1),
            closed(5_100, "excluded"),
        ),
        back(returned(5_100)),
    )


def test_g9_every_session_of_the_player_is_ended_with_entropy_of_its_own():
    """Two sessions with a round each: the first byte is for the first, the second for the second.

    Of a conto of 1,000.00, 50.00 went to each; the first gives back 49.00, the second 50.30.
    """
    transfer = ev.FundsTransferredToPosta(player=ANNA, session=S2, **money(5_000))
    second = on(OTHER_SESSION, *session().events, round_opened(uid(71)))
    table = (on(CONTO, transfer), second, on(OTHER_SESSION, bet(1, "tails", 30, uid(71))))
    history = given(*OPEN, PLAYING, *table, engines=ENGINES)
    home = ev.FundsTransferredToConto(
        player=ANNA, session=S2, source="posta", **money(5_030), final=True
    )

    history.when(exclude(), entropy=TAILS).then(NeedsDraw(1))
    decided = history.when(exclude(), entropy=TAILS + TAILS)
    after = decided.then(
        on(
            SESSION,
            drawn("03", "tails"),
            settled(staked=100, stakes_lost=100, bets=1),
            closed(4_900, "excluded"),
        ),
        on(
            OTHER_SESSION,
            drawn("03", "tails", uid(71)),
            payout(1, 30, 30, uid(71)),
            settled(uid(71), staked=30, winnings=30, stake_returned=30, bets=1),
            closed(5_030, "excluded"),
        ),
        on(CONTO, EXCLUDED, returned(4_900).events[0], home),
    )

    assert (100_000 - 100 + 30, ()) == (after.state(CONTO).balance, after.state(CONTO).sessions)


def test_g9_every_round_of_the_session_is_completed():
    """Two rounds in play, two draws, then the end."""
    second = on(SESSION, round_opened(uid(71)), bet(1, "tails", 30, uid(71)))
    both = (under(PLAYING, **TWO), under(second, **TWO))
    decided = given(*OPEN_FOR_TWO, *both, engines=ENGINES).when(exclude(), entropy=TAILS + HEADS)
    names = [event.NAME for event in decided.decision[0].events]

    assert ["draw-recorded", "round-settled"] * 2 + ["session-closed"] == names


def test_an_exclusion_leaves_sessions_that_are_over_alone():
    """Their conto has forgotten them."""
    over = (on(SESSION, closed(5_000)), returned(5_000))

    given(*OPEN, *over, engines=ENGINES).when(exclude()).then(on(CONTO, EXCLUDED))


# --- while a right waits -------------------------------------------------------------------------


def test_c1_a_first_right_that_waits_is_barred_and_its_yes_gives_all_back():
    """The money came into the posta by the central system's word, and leaves it at once."""
    given(conto(100_000), published(), paid(), pending()).when(exclude()).then(
        on(SESSION, BARRED), on(CONTO, EXCLUDED)
    ).when(validate()).then(
        on(SESSION, validated(5_000), OPENED, funded(5_000), closed(5_000, "excluded")),
        returned(5_000),
    )


def test_c1_a_first_right_that_waits_is_barred_and_its_no_gives_all_back():
    """As to anybody else."""
    no = on_session(cmd.RejectParticipation, participation=RIGHT, reason="R-7")
    rejected = ev.ParticipationRejected(participation=RIGHT, reason="R-7")

    given(conto(100_000), published(), paid(), pending(), on(SESSION, BARRED)).when(no).then(
        on(SESSION, rejected, closed(0, "rejected")), returned(5_000, "right")
    )


def test_c1_a_further_right_that_waits_keeps_the_session_until_its_answer():
    """The round ends at once; the yes brings 10.00 more, and 59.00 go back."""
    history = given(*OPEN, PLAYING, PAID_FURTHER, WAITING, engines=ENGINES)

    history.when(exclude(), entropy=TAILS).then(
        on(
            SESSION,
            drawn("03", "tails"),
            settled(staked=100, stakes_lost=100, bets=1),
            BARRED,
        ),
        on(CONTO, EXCLUDED),
    ).when(validate(FURTHER, 6_000, 2)).then(
        on(
            SESSION,
            validated(6_000, FURTHER, 2),
            funded(1_000, "further"),
            closed(5_900, "excluded"),
        ),
        returned(5_900),
    )


@pytest.mark.parametrize("kind", [cmd.RejectParticipation, cmd.AnnulParticipation])
def test_c1_a_further_right_that_is_not_valid_ends_a_barred_session_too(kind):
    """Right and posta come back in one save, the posta as the last."""
    told = {
        cmd.RejectParticipation: ev.ParticipationRejected,
        cmd.AnnulParticipation: ev.ParticipationAnnulled,
    }[kind]
    history = given(*OPEN, PAID_FURTHER, WAITING, on(SESSION, BARRED))
    both = returned(1_000, "right", final=False).events + returned(5_000).events

    history.when(on_session(kind, participation=FURTHER, reason="R-7")).then(
        on(SESSION, told(participation=FURTHER, reason="R-7"), closed(5_000, "excluded")),
        on(CONTO, *both),
    )


NOTHING_NEW = [
    play(),
    on_session(cmd.OpenRound, move=coins(("heads", 1))),
    on_session(cmd.ContinueRound, round=ROUND, move=CoinToss()),
    on_session(cmd.GrantBonus, **money(1), reason="welcome"),
    on_session(
        cmd.RequestParticipation, player=ANNA, sheet="coin-flip", **money(500), channel="web"
    ),
]


@pytest.mark.parametrize("command", NOTHING_NEW, ids=lambda command: command.KIND)
@pytest.mark.parametrize("later", [timedelta(0), 2 * WEEK], ids=["excluded", "over"])
def test_nothing_begins_in_a_session_that_is_barred(command, later):
    """Nor after the exclusion's end: the session is to end, whenever its right is answered."""
    barred = (on(CONTO, EXCLUDED), on(SESSION, BARRED))
    further = given(*OPEN, PAID_FURTHER, WAITING, *barred, engines=ENGINES)
    first = given(conto(100_000), published(), paid(), pending(), *barred, engines=ENGINES)

    for history in (further, first):
        history.when(command, now=NOON + later).then(Code.CONTO_EXCLUDED)


def test_an_exclusion_that_is_made_longer_leaves_a_barred_session_barred():
    """Once is enough, and its right is still waited for."""
    barred = (on(CONTO, EXCLUDED), on(SESSION, BARRED))

    given(*OPEN, PAID_FURTHER, WAITING, *barred, engines=ENGINES).when(exclude(UNTIL + WEEK)).then(
        on(CONTO, ev.ContoExcluded(player=ANNA, until=UNTIL + WEEK))
    )


def test_a_barred_session_may_lose_its_connection_and_find_it():
    """What happens to the line is recorded as in any other session."""
    history = given(*OPEN, PAID_FURTHER, WAITING, on(SESSION, BARRED))

    history.when(on_session(cmd.DisconnectSession, at=NOON)).then(LOST).when(
        on_session(cmd.ReconnectSession)
    ).then(on(SESSION, ev.SessionReconnected()))


@pytest.mark.parametrize("until", [NOON, UNTIL])
def test_an_exclusion_that_is_refused_ends_nothing(until):
    """One in the past, or one that is no longer than the last."""
    given(*OPEN, on(CONTO, EXCLUDED), engines=ENGINES).when(exclude(until)).then(Code.MALFORMED)


# --- without an end ------------------------------------------------------------------------------

HALF_A_YEAR = datetime(2026, 9, 2, 11, tzinfo=UTC)
"""Six months after noon of the second of March in UTC: 13:00 in Rome then and now."""
MOMENT = timedelta(microseconds=1)


def revoke():
    """The player revokes the exclusion."""
    return order(cmd.RevokeExclusion, 102, player=ANNA)


def deposit():
    """A payment in."""
    return order(cmd.Deposit, 103, player=ANNA, **money(1), reference="pay-9", channel="card")


def test_an_open_ended_exclusion_ends_sessions_and_holds_until_it_is_revoked():
    """In ten years still; money may be taken out."""
    excluded = given(*OPEN, engines=ENGINES).when(exclude(None))
    ended = excluded.then(
        on(SESSION, closed(5_000, "excluded")),
        on(CONTO, ev.ContoExcluded(player=ANNA, until=None), *returned(5_000).events),
    )

    late = NOON + 520 * WEEK
    ended.when(deposit(), now=late).then(Code.CONTO_EXCLUDED)
    out = order(cmd.Withdraw, 104, player=ANNA, **money(1), reference="out", channel="card")
    assert isinstance(ended.when(out, now=late).decision, tuple)


def test_an_open_ended_exclusion_is_revoked_after_six_months_and_ends_a_week_later():
    """To the microsecond, by Rome's clocks."""
    history = given(conto(100)).when(exclude(None)).given_now
    until = HALF_A_YEAR + WEEK

    history.when(revoke(), now=HALF_A_YEAR - MOMENT).then(Code.NOT_YET_DUE)
    revoked = history.when(revoke(), now=HALF_A_YEAR).then(
        on(CONTO, ev.ExclusionRevoked(player=ANNA, until=until))
    )
    revoked.when(deposit(), now=until - MOMENT).then(Code.CONTO_EXCLUDED)
    assert isinstance(revoked.when(deposit(), now=until).decision, tuple)
    revoked.when(revoke(), now=HALF_A_YEAR).then(Code.CONTO_NOT_EXCLUDED)


def test_only_an_open_ended_exclusion_is_revoked():
    """One with an end just ends; without one there is nothing to revoke."""
    given(conto(100)).when(revoke()).then(Code.CONTO_NOT_EXCLUDED)
    given(conto(100)).when(exclude()).given_now.when(revoke()).then(Code.CONTO_NOT_EXCLUDED)


def test_an_exclusion_is_never_made_shorter_by_another():
    """An open-ended one follows one with an end, not the other way round, nor itself."""
    bounded = given(conto(100)).when(exclude()).given_now
    without = bounded.when(exclude(None)).given_now

    assert without.state(CONTO).excluded_since == NOON
    without.when(exclude(UNTIL + WEEK)).then(Code.MALFORMED)
    without.when(exclude(None)).then(Code.MALFORMED)


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        ("2026-08-31T10:00:00", "2027-02-28T11:00:00"),
        ("2027-08-31T10:00:00", "2028-02-29T11:00:00"),
        ("2026-12-31T22:59:59", "2027-06-30T21:59:59"),
        ("2026-12-31T23:00:00", "2027-06-30T22:00:00"),
    ],
    ids=["short month", "leap year", "old year in rome", "new year in rome"],
)
def test_six_months_are_by_romes_calendar(since, expected):
    """The same time of the clocks on the same day of the month, or on its last."""
    start, due = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (since, expected))
    history = given(conto(100)).when(exclude(None), now=start).given_now

    history.when(revoke(), now=due - MOMENT).then(Code.NOT_YET_DUE)
    assert isinstance(history.when(revoke(), now=due).decision, tuple)
