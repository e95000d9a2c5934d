"""Forged books that `verify` finds: beyond a conto's limits, or under ones not in force yet."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.conto_limits import COOLING_OFF
from ledger.seal.limits import LimitCheck
from tests.coin import ENGINES, coin_sheet
from tests.force import edit
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, EUR, S1, S2, coins, money, order, uid

HOUR = timedelta(hours=1)


class Shop:
    """Anna's conto, under limits of 100.00 paid in, 50.00 spent and two hours a day."""

    def __init__(self):
        self.book, self.number = MemoryBook(ENGINES, bytes), 200
        self.do(cmd.OpenBook, book="contoposta", clock="simulated")
        sheet = {"sheet": "coin-flip", "sheet_version": 1, "text": coin_sheet()}
        self.do(cmd.PublishSheet, **sheet, in_force_from=NOON)
        self.do(cmd.OpenConto, player=ANNA, currency=EUR, personal=())
        for limit, most in (("deposit", 10_000), ("spend", 5_000), ("time", 7_200)):
            self.limit(limit, most)

    def do(self, kind, now=NOON, **fields):
        """Something that is accepted."""
        self.number += 1
        answer = self.book.handle(order(kind, self.number, **fields), now)
        assert answer.refusal is None, answer.message

    def limit(self, limit, most, now=NOON):
        """A limit a day."""
        self.do(cmd.SetContoLimit, now, player=ANNA, limit=limit, period="day", most=most)

    def deposit(self, amount, now=NOON):
        """Money comes in."""
        payment = {"reference": f"pay-{self.number}", "channel": "card"}
        self.do(cmd.Deposit, now, player=ANNA, **money(amount), **payment)

    def sit(self, amount, session=S1, now=NOON):
        """A session is opened."""
        bought = {"session": session, "player": ANNA, "sheet": "coin-flip", "channel": "web"}
        self.do(cmd.RequestParticipation, now, **bought, **money(amount))
        yes = {"participation": uid(self.number), "ticket": "T-1", "count": 1, "total": amount}
        self.do(cmd.ValidateParticipation, now, session=session, **yes)

    def play(self, now):
        """A round that is left open."""
        self.do(cmd.OpenRound, now, session=S1, move=coins(("heads", 100)))


def found(entries):
    """What the check finds, in its own words."""
    check = LimitCheck()
    findings = [f for entry in entries for f in check.see(0, entry)]
    return [f.found for f in (*findings, *check.end())]


def forged(shop, kind, which=-1, *, recorded=None, **fields):
    """The entries with one event of a kind changed, the last or the one named."""
    entries = list(shop.book.entries)
    at = [i for i, e in enumerate(entries) if isinstance(e.event, kind)][which]
    header = {} if recorded is None else {"recorded": recorded}
    event = entries[at].event.model_copy(update=fields)
    entries[at] = entries[at].model_copy(update={"event": event, **header})
    return entries


@pytest.fixture(scope="module")
def shop():
    """A day within its limits, an increase that waited, a stricter time, and the day after."""
    shop = Shop()
    shop.deposit(6_000)
    shop.deposit(4_000)
    shop.sit(5_000)
    shop.play(NOON + HOUR)
    shop.limit("time", 5_400, NOON + HOUR)
    shop.limit("deposit", 20_000, NOON + HOUR)
    later = NOON + HOUR + COOLING_OFF
    shop.deposit(20_000, later)
    shop.sit(500, S2, later)
    assert [] == found(shop.book.entries)
    return shop


def test_a_deposit_beyond_the_limit_is_found(shop):
    """60.00 and 40.01 of 100.00."""
    told = "accepted against the conto: The deposit limit of the day leaves 40.00 until"

    (finding,) = found(forged(shop, ev.FundsDeposited, 1, amount=4_001))
    assert finding.startswith(told)


def test_a_deposit_under_a_limit_that_was_not_in_force_yet_is_found(shop):
    """One microsecond before the seven days are over."""
    early = NOON + HOUR + COOLING_OFF - timedelta(microseconds=1)

    (finding,) = found(forged(shop, ev.FundsDeposited, recorded=early))
    assert "leaves 100.00 until 2026-03-09T13:00:00+00:00" in finding


def test_a_transfer_beyond_the_limit_is_found(shop):
    """50.01 of 50.00."""
    (finding,) = found(forged(shop, ev.FundsTransferredToPosta, 0, amount=5_001))

    assert finding.startswith(
        "accepted against the conto: The spend limit of the day leaves 50.00 until"
    )


def test_a_looser_limit_in_force_before_its_time_is_found(shop):
    """At once, or six days after; the limit that waits is deposits of 200.00."""
    for early in (timedelta(hours=1), timedelta(days=6)):
        entries = forged(shop, ev.ContoLimitSet, in_force_from=NOON + early)

        assert any("and not from 2026-03-09 13:00:00+00:00" in each for each in found(entries))


def test_a_limit_that_was_asked_for_at_another_time_is_found(shop):
    """A day before it is recorded."""
    entries = forged(shop, ev.ContoLimitSet, asked=NOON - timedelta(days=1))

    assert any(each.startswith("asked for 2026-03-01 12:00") for each in found(entries))


@pytest.mark.parametrize("kind", [ev.FundsTransferredToPosta, ev.ParticipationRequested])
def test_a_session_that_is_told_a_later_end_of_its_time_is_found(shop, kind):
    """By its conto alone, or by itself alone."""
    late = NOON + 9 * HOUR

    assert "its time of play is not over as its conto says" in found(
        forged(shop, kind, 0, time_over=late)
    )


def test_both_told_a_later_end_of_the_time_are_found(shop):
    """They agree with each other, and not with the limit of two hours."""
    late = NOON + 9 * HOUR
    entries = [
        e.model_copy(update={"event": e.event.model_copy(update={"time_over": late})})
        if e.event.NAME in {"funds-transferred-to-posta", "participation-requested"}
        and e.recorded == NOON
        else e
        for e in shop.book.entries
    ]

    assert (
        "the time of play is over 2026-03-02 14:00:00+00:00, and not 2026-03-02 21:00:00+00:00"
        in found(entries)
    )


def test_a_session_that_was_not_told_of_a_stricter_time_is_found(shop):
    """Its event is gone."""
    entries = [e for e in shop.book.entries if e.event.NAME != "session-time-limited"]

    assert ["its time of play is not over as its conto says"] == found(entries)


def test_a_round_that_begins_after_the_time_of_play_is_found(shop):
    """At the moment when two hours are over."""
    entries = forged(shop, ev.RoundOpened, recorded=NOON + 2 * HOUR)

    assert ["begun after the time of play was over, 2026-03-02 14:00:00+00:00"] == found(entries)


def test_a_session_that_begins_without_time_left_is_found(shop):
    """Told that it is over when it begins."""
    third = NOON + 5 * HOUR
    entries = [
        e.model_copy(
            update={"recorded": third, "event": e.event.model_copy(update={"time_over": third})}
        )
        if e.event.NAME in {"funds-transferred-to-posta", "participation-requested"}
        and getattr(e.event, "session", S2) == S2
        and e.recorded > NOON
        else e
        for e in shop.book.entries
    ]

    assert any("No time of play is left" in each for each in found(entries))


def test_verify_looks_at_limits(house):
    """Given a deposit of 60.00 under a limit of 100.00, when it is forged to 100.01, then found."""
    house.conto("anna-1")
    house.do(cmd.SetContoLimit, player="anna-1", limit="deposit", period="day", most=10_000)
    house.deposit("anna-1", 6_000)
    edit(house, "funds-deposited", lambda deposited: deposited.update(amount=10_001))
    house.seal()

    assert {"limits"} == house.checks_that_find()


def test_what_an_excluded_player_begins_is_found(shop):
    """The exclusion stands before the last deposit and the last session."""
    excluded = ev.ContoExcluded(player=ANNA, until=None)
    entries = list(shop.book.entries)
    at = next(i for i, e in enumerate(entries) if e.recorded > NOON + HOUR)
    made = next(e for e in entries if isinstance(e.event, ev.FundsDeposited))
    ban = made.model_copy(update={"event": excluded})

    told = "accepted against the conto: The player is excluded until revoking it."
    assert [told, told] == found([*entries[:at], ban, *entries[at:]])


@pytest.mark.parametrize("early", [timedelta(days=183), timedelta(days=190)])
def test_an_exclusion_revoked_too_early_or_ending_too_early_is_found(early):
    """Revoked after 184 days, on the second of September, and over on the ninth."""
    shop = Shop()
    shop.do(cmd.ExcludePlayer, player=ANNA, until=None)
    shop.do(cmd.RevokeExclusion, NOON + timedelta(days=184), player=ANNA)
    assert [] == found(shop.book.entries)

    when = NOON + early
    revoked = early < timedelta(days=184)
    changes = {"recorded": when, "until": when + timedelta(days=7)} if revoked else {"until": when}
    (finding,) = found(forged(shop, ev.ExclusionRevoked, **changes))
    assert ("could not be" in finding) == revoked


def test_events_of_contos_elsewhere_are_left_to_other_checks(shop):
    """A deposit in a session's stream, or before its conto: this check goes on to the end."""
    entries = shop.book.entries
    paid = next(e for e in entries if isinstance(e.event, ev.FundsDeposited))
    lost = paid.model_copy(update={"stream": f"session:{S1}"})

    assert [] == found([paid, lost, *entries])
