"""What a clerk does for players at the command line: suspensions, exclusions, plans, bonuses."""

from datetime import datetime, timedelta

import pytest

from tests.program import SHEET, Ended, Shop

RED = '{"bets":[{"chance":"red","amount":"1.00"}]}'
MISS = '{"bets":[{"numbers":[17],"amount":"1.00"}]}'
NOBODY_ANSWERS = {"CENTRAL_URL": "http://127.0.0.1:9"}


def let_pass(shop: Shop, by: timedelta) -> None:
    """Let simulated time pass."""
    clock = shop.home / "clock"
    clock.write_text((datetime.fromisoformat(clock.read_text()) + by).isoformat())


def told(done: Ended) -> tuple[int, str | None]:
    """How a command ended, and the refusal's code."""
    return done.code, done.refusal


def bet_on_red(amount: str) -> str:
    """The document of one bet."""
    return RED.replace("1.00", amount)


def test_a_conto_is_suspended_and_reinstated_with_reasons(shop):
    """Given a conto with money, when suspended, then none moves until it is reinstated."""
    player = shop.player("anna-1")
    shop.say("conto", "suspend", player, "--reason", "two holders")
    assert "suspended" == shop.say("conto", "show", player)["state"]

    for move in (("conto", "withdraw", player, "1.00"), ("session", "open", player, SHEET, "5.00")):
        assert (1, "conto-suspended") == told(shop.quick(*move, "--json"))
    again = shop.quick("conto", "suspend", player, "--reason", "again", "--json")
    assert (1, "conto-suspended") == told(again)

    shop.say("conto", "reinstate", player, "--reason", "papers seen")
    assert "open" == shop.say("conto", "show", player)["state"]
    shop.say("conto", "withdraw", player, "1.00")
    again = shop.quick("conto", "reinstate", player, "--reason", "again", "--json")
    assert (1, "conto-not-suspended") == told(again)


def test_a_bonus_enters_the_posta_with_its_reason_up_to_the_maximum(shop):
    """Given 50.00 in a session, when 5.00 are given, then 55.00 are in it; 945.01 more are not."""
    session = shop.session(shop.player("bruno"))

    given = shop.say("session", "bonus", session, "5.00", "--reason", "welcome")
    more = shop.quick("session", "bonus", session, "945.01", "--reason", "much", "--json")

    assert ["posta-funded"] == [event["name"] for event in given["events"]]
    assert (1, "posta-above-maximum") == told(more)
    shown = shop.say("session", "show", session)
    assert ("55.00", "55.00") == (shown["credit"], shown["funded"])


def test_the_loss_and_the_time_that_a_player_plans_are_kept(timed_shop):
    """Given 20.00 and an hour, then a bet of 20.01 is refused, and after the hour every round."""
    shop = timed_shop
    shop.player("carla")
    plan = ("--limit-loss", "20.00", "--limit-minutes", "60", "--limit-idle-minutes", "5")
    session = shop.say("session", "open", "carla", SHEET, "50.00", *plan)["session"]
    shown = shop.say("session", "show", session)
    assert ("20.00", "2026-12-01T13:00:00+00:00") == (shown["limit_loss"], shown["plays_until"])
    assert 5 == shown["limit_idle_minutes"]

    over = shop.quick("play", session, bet_on_red("20.25"), "--json")
    assert (1, "loss-limit-reached") == told(over)
    opened = shop.say("round", "open", session, bet_on_red("20.00"))["command"]
    shop.say("session", "topup", session, "5.00", "--limit-loss", "500.00")
    assert "20.00" == shop.say("session", "show", session)["limit_loss"]
    let_pass(shop, timedelta(hours=1))
    shop.say("round", "finish", session, opened)

    late = shop.quick("play", session, RED, "--json")
    assert (1, "time-limit-reached") == told(late)
    shop.say("session", "close", session)


def test_g9_an_exclusion_ends_the_session_and_holds_to_the_end_of_its_last_day(timed_shop):
    """Given a bet on 17, when excluded up to 31 December in Rome, then it is played and all ends.

    A loss leaves 49.00 of 50.00, a win 85.00; the day ends at 23:00 UTC, and a deposit comes then.
    """
    shop = timed_shop
    session = shop.session(shop.player("dario"))
    shop.say("round", "open", session, MISS)

    done = shop.quick("conto", "exclude", "dario", "--until", "2026-12-31")

    assert 0 == done.code
    assert "is excluded until 2026-12-31T23:00:00+00:00." in done.out
    assert f"Closed: session:{session}" in done.out
    ended = shop.say("session", "show", session)
    assert ("closed", "excluded") == (ended["state"], ended["reason"])
    assert ended["final_posta"] in {"49.00", "85.00"}
    conto = shop.say("conto", "show", "dario")
    assert ("excluded", []) == (conto["state"], conto["sessions"])
    assert float(conto["balance"]) == 50 + float(ended["final_posta"])
    assert (1, "session-closed") == told(shop.quick("play", session, RED, "--json"))
    shop.say("seal")
    assert shop.say("verify")["holds"]

    let_pass(shop, timedelta(days=30, hours=10, minutes=59))
    deposit = ("conto", "deposit", "dario", "5.00", "--json")
    assert (1, "conto-excluded") == told(shop.quick(*deposit))
    let_pass(shop, timedelta(minutes=1))
    assert (0, None) == told(shop.quick(*deposit))
    assert "open" == shop.say("conto", "show", "dario")["state"]


def test_c1_a_right_that_waits_at_an_exclusion_ends_its_session_when_it_is_answered(timed_shop):
    """Given a top-up without an answer, when excluded, then barred; with the answer all is back."""
    shop = timed_shop
    session = shop.session(shop.player("elena"))
    waiting = shop.say("session", "topup", session, "10.00", **NOBODY_ANSWERS)
    assert "waits" == waiting["right"]

    done = shop.quick("conto", "exclude", "elena", "--until", "2027-05-31T22:00:00Z")
    assert f"Closes when its right is answered: session:{session}" in done.out
    assert "barred" == shop.say("session", "show", session)["state"]
    bonus = ("session", "bonus", session, "1.00", "--reason", "welcome")
    for begins in (("play", session, RED), ("session", "topup", session, "5.00"), bonus):
        assert (1, "conto-excluded") == told(shop.quick(*begins, "--json"))

    let_pass(shop, timedelta(minutes=1))
    shop.say("seal")
    shop.say("project")
    assert {"done": 1} == shop.say("duties", "ask-pending-rights")["ask-pending-rights"]
    ended = shop.say("session", "show", session)
    assert ("excluded", "60.00") == (ended["reason"], ended["final_posta"])
    assert "100.00" == shop.say("conto", "show", "elena")["balance"]
    shop.say("seal")
    assert shop.say("verify")["holds"]


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        (("conto", "exclude", "anna-1"), "--until", "tomorrow"),
        (("conto", "exclude", "anna-1"), "--until", "2027-02-30"),
        (("conto", "exclude", "anna-1"), "--until", "2027-05-31T22:00:00"),
        (("conto", "exclude", "anna-1"), "--until", "9999-12-31"),
        (("session", "open", "anna-1", SHEET, "50.00"), "--limit-loss", "1e3"),
        (("session", "open", "anna-1", SHEET, "50.00"), "--limit-loss", "0"),
        (("session", "open", "anna-1", SHEET, "50.00"), "--limit-minutes", "0"),
        (("session", "open", "anna-1", SHEET, "50.00"), "--limit-minutes", "1.5"),
    ],
)
def test_an_option_that_cannot_be_read_is_named_and_nothing_is_written(
    shop, command, option, value
):
    """Given a day, moment, amount or time that is none, then exit 2 and the option's name."""
    before = shop.events()

    done = shop.quick(*command, option, value)

    assert (2, "", before) == (done.code, done.out, shop.events())
    assert option in done.err


def test_an_exclusion_that_is_over_or_shorter_is_refused_on_record(shop):
    """Given a day that is past, or one before the end that holds, then malformed, exit 1."""
    shop.player("fabio")
    past = shop.quick("conto", "exclude", "fabio", "--until", "2020-01-01", "--json")
    shop.say("conto", "exclude", "fabio", "--until", "2999-12-30")
    shorter = shop.quick("conto", "exclude", "fabio", "--until", "2999-12-29", "--json")

    assert [(1, "malformed")] * 2 == [told(past), told(shorter)]
