"""A player's limits at the command line: set, looked up, kept, and those that the law gives.

The clock of the shop stands at noon of Tuesday, the first of December 2026, 13:00 in Rome.
"""

from datetime import timedelta

import pytest

from tests.ops.test_cli_protection import let_pass, told

ITALY = {"ACCOUNT_LIMITS": "italy"}
ASKED = ("limit", "period", "most", "used", "left", "until")
OPEN = ("conto", "open", "anna-1", "--birth-date")


def test_limits_are_set_shown_and_kept(timed_shop):
    """Given 120.00 a week, 30.00 to spend and an hour a day, then nothing passes them."""
    shop = timed_shop
    shop.player("anna-1")
    for limit in (("deposit", "120.00", "--period", "week"), ("spend", "30.00"), ("time", "60")):
        shop.say("conto", "limit", "anna-1", *limit)
    session = shop.session("anna-1", "20.00")
    let_pass(shop, timedelta(minutes=15))

    over = shop.quick("conto", "deposit", "anna-1", "20.01")
    assert 1 == over.code
    assert "leaves 20.00 until 2026-12-06T23:00:00+00:00" in over.err
    assert (1, "spend-limit-reached") == told(
        shop.quick("session", "topup", session, "10.01", "--json")
    )
    assert "2026-12-01T13:00:00+00:00" == shop.say("session", "show", session)["plays_until"]
    shown = shop.say("conto", "allowance", "anna-1")["limits"]
    assert [
        ("deposit", "week", "120.00", "100.00", "20.00", "2026-12-06T23:00:00+00:00"),
        ("spend", "day", "30.00", "20.00", "10.00", "2026-12-01T23:00:00+00:00"),
        ("time", "day", "1:00:00", "0:15:00", "0:45:00", "2026-12-01T23:00:00+00:00"),
    ] == [tuple(map(line.get, ASKED)) for line in shown]
    shop.say("seal")
    assert shop.say("verify")["holds"]


def test_a_looser_limit_waits_seven_days_and_people_are_told(timed_shop):
    """Given 30.00 a day, when 50.00 are asked for, then they come on the eighth at noon."""
    shop = timed_shop
    shop.player("anna-1")
    at_once = shop.quick("conto", "limit", "anna-1", "deposit", "30.00")
    later = shop.quick("conto", "limit", "anna-1", "deposit", "none")

    assert "anna-1, deposit of a day: 30.00, at once." == at_once.out.strip()
    assert (
        "anna-1, deposit of a day: no limit, from 2026-12-08T12:00:00+00:00." == later.out.strip()
    )
    (line,) = shop.say("conto", "allowance", "anna-1")["limits"]
    assert ("none", "2026-12-08T12:00:00+00:00") == (line["then"], line["from"])
    assert "30.00" in shop.quick("conto", "allowance", "anna-1").out
    let_pass(shop, timedelta(days=7))
    shop.say("conto", "deposit", "anna-1", "500.00")
    assert [] == shop.say("conto", "allowance", "anna-1")["limits"]


@pytest.mark.parametrize(
    ("born", "mosts"),
    [
        ("2001-12-02", ["50.00", "50.00", "2:00:00"]),
        ("2001-12-01", ["200.00", "100.00", "3:00:00"]),
    ],
)
def test_under_the_law_a_conto_begins_with_limits_by_its_holders_age(timed_shop, born, mosts):
    """Given Italian limits, then from the 25th birthday on they are wider; the age is not told."""
    shop = timed_shop
    shop.say(*OPEN, born, **ITALY)

    limits = shop.say("conto", "allowance", "anna-1")["limits"]
    assert mosts == [line["most"] for line in limits]
    assert [] == [e for e in shop.rows("SELECT state FROM events") if born.encode() in e[0]]


def test_under_the_law_nobody_under_18_has_a_conto(timed_shop):
    """Given Italian limits, then a minor is refused, and nothing is written."""
    shop = timed_shop
    before = shop.events()

    minor = shop.quick(*OPEN, "2008-12-02", "--json", **ITALY)
    assert (1, "under-age") == told(minor)
    unknown = shop.quick("conto", "open", "anna-1", **ITALY)
    assert (2, True) == (unknown.code, "Give --birth-date" in unknown.err)
    assert before == shop.events()
    assert not (shop.home / "vault" / "anna-1.key").exists()


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("time", "0"),
        ("time", "1440"),
        ("time", "1.5"),
        ("time", "-5"),
        ("deposit", "0"),
        ("deposit", "1e3"),
        ("spend", "10,00"),
        ("luck", "10.00"),
    ],
)
def test_what_is_no_limit_is_wrong_input(program, kind, most):
    """Given a text that cannot be read, then the answer says what to give, and nothing is asked."""
    done = program.quick("conto", "limit", "anna-1", kind, "--", most)

    assert 2 == done.code
    assert "ive " in done.err or "not one of" in done.err or "rite " in done.err


def test_an_open_ended_exclusion_is_revoked_after_six_months(timed_shop):
    """Given one of the first of December, then it is revoked from June on, and ends in a week."""
    shop = timed_shop
    shop.player("anna-1")
    assert 2 == shop.quick("conto", "exclude", "anna-1").code
    done = shop.quick("conto", "exclude", "anna-1", "--open-ended")
    assert "anna-1 is excluded until it is revoked." == done.out.strip()
    shown = shop.say("conto", "show", "anna-1")
    assert ("excluded", "2026-12-01T12:00:00+00:00") == (shown["state"], shown["excluded_since"])

    early = shop.quick("conto", "revoke", "anna-1")
    assert (1, True) == (early.code, "from 2027-06-01T11:00:00+00:00 on" in early.err)
    let_pass(shop, timedelta(days=182))
    revoked = shop.quick("conto", "revoke", "anna-1")
    assert "ends 2027-06-08T12:00:00+00:00." in revoked.out
    let_pass(shop, timedelta(days=7))
    assert "open" == shop.say("conto", "show", "anna-1")["state"]
    shop.say("seal")
    assert shop.say("verify")["holds"]
