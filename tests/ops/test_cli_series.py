"""FairPlay series and account types at the command line: from the preparation to the reveal."""

import json
from datetime import datetime, timedelta
from uuid import uuid4

import pytest

SHEET = "roulette-fairplay"
RED = '{"bets":[{"chance":"red","amount":"50.00"}]}'
OWN = '{"positions":{"straight":{"min":"1.00","max":"80.00"}}}'
WHY = ("--reason", "asked by the player")


@pytest.fixture
def anna(timed_shop):
    """A VIP player with 50,000 roubles, in a book of its own."""
    timed_shop.say("conto", "open", "anna-1", "--currency", "RUR")
    timed_shop.say("conto", "deposit", "anna-1", "50000.00", "--currency", "RUR")
    timed_shop.say("conto", "account", "anna-1", "VIP", *WHY)
    return "anna-1"


def prepared(shop, numbers=5):
    """A series that was prepared: its id."""
    told = shop.say("fairplay", "prepare", "anna-1", "--numbers", str(numbers), "--key", "mykey7")
    return told["events"][0]["event"]["series"]


def spin(shop, session, series, *options):
    """A spin of 50.00 on red; the outcome as the draw recorded it."""
    told = shop.say("fairplay", "spin", session, series, RED, *options)
    (drawn,) = [e["event"] for e in told["events"] if e["name"] == "draw-recorded"]
    return drawn["details"]


def test_hw6_a_series_is_prepared_played_revealed_and_verified(timed_shop, anna):
    """What was shown first is what the string has in the end; a repeat is answered the same."""
    shop = timed_shop
    session, series = shop.session(anna, "10000.00", SHEET), prepared(shop)
    shown = shop.say("fairplay", "show", series)
    came = [spin(shop, session, series)]
    command = ("--id", str(uuid4()), "--offset", "30", "--client", "2D")
    came += [spin(shop, session, series, *command) for _ in range(2)][:1]
    came += [spin(shop, session, series, "--client", "2D") for _ in range(3)]
    after = shop.say("fairplay", "show", series)
    secret = shop.quick("fairplay", "reveal", series).out.strip()
    numbers = [int(n) for n in secret.partition("-START-")[2].partition("-END-")[0].split("-")]
    hashes = ("--md5", shown["md5"], "--sha256", shown["sha256"])
    proof = shop.say("fairplay", "verify", secret, "--series", series, *hashes)

    assert (("open", 1, None), []) == (
        (shown["state"], shown["next_place"], shown["secret"]),
        shown["spins"],
    )
    assert "2026-12-11T12:00:00+00:00" == shown["due"]
    assert [0, 30, 30, 30, 30] == [c["offset"] for c in came]
    assert numbers == [c["number"] for c in came] == [s["number"] for s in after["spins"]]
    assert [(c["number"] + c["offset"]) % 37 for c in came] == [c["pocket"] for c in came]
    assert ("over", None, 30) == (after["state"], after["next_place"], after["offset"])
    assert 30 == shop.say("session", "show", session)["offset"]
    assert secret == shop.say("fairplay", "show", series)["secret"]
    proved = {s["about"] for s in proof["statements"] if s["standing"] == "proved"}
    assert (True, {"spins", "record"}) == (proof["holds"], proved & {"spins", "record"})
    shop.say("seal")
    assert shop.say("verify")["holds"]


def test_hw6_what_a_player_noted_is_held_against_the_book(timed_shop, anna):
    """Given five spins, then offsets and outcomes must be the book's; an empty place may be any."""
    shop = timed_shop
    session, series = shop.session(anna, "10000.00", SHEET), prepared(shop)
    came = [spin(shop, session, series, "--offset", "30", "--client", "2D") for _ in range(5)]
    about = (shop.quick("fairplay", "reveal", series).out.strip(), "--series", series)
    noted = ("--offsets", "30,30,30,30,30", "--outcomes")
    pockets = [str(each["pocket"]) for each in came]
    other = [*pockets[:4], str((came[4]["pocket"] + 1) % 37)]
    for outcomes, code, standing in (
        (pockets, 0, "proved"),
        (["", *pockets[1:]], 0, "proved"),
        (other, 4, "failed"),
    ):
        done = shop.quick("fairplay", "verify", *about, *noted, ",".join(outcomes), "--json")
        (told,) = [s for s in done.document["statements"] if s["about"] == "noted"]
        assert (code, standing) == (done.code, told["standing"])
    short = shop.quick("fairplay", "verify", *about, "--offsets", "30,30")
    assert (4, True) == (short.code, "noted 2 spins, and the book has 5" in short.out)


def test_hw6_a_string_that_is_not_the_books_fails_against_its_series(timed_shop, anna):
    """Another string of the same form: exit code 4, and the hashes of the book are what fails."""
    shop = timed_shop
    series = prepared(shop)
    shop.say("fairplay", "end", series)
    other = shop.say("fairplay", "reveal", series)["events"][0]["event"]["secret"]
    second = prepared(shop)
    done = shop.quick("fairplay", "verify", other, "--series", second, "--json")
    unknown = shop.quick("fairplay", "verify", other, "--series", str(uuid4()), "--json")

    assert 4 == done.code
    standings = {s["about"]: s["standing"] for s in done.document["statements"]}
    assert ["failed", "failed"] == [standings["md5"], standings["sha-256"]]
    assert (1, "unknown-series") == (unknown.code, unknown.refusal)


def test_hw7_a_series_expires_by_the_duty_after_240_hours(timed_shop, anna):
    """An hour before nothing is due; then it is expired and its key file is gone."""
    shop = timed_shop
    series = prepared(shop)
    clock = shop.home / "clock"
    noon = datetime.fromisoformat(clock.read_text())
    clock.write_text((noon + timedelta(hours=239)).isoformat())
    early = shop.say("duties", "expire-series")
    clock.write_text((noon + timedelta(hours=240)).isoformat())
    due = shop.say("duties", "expire-series")

    assert [{"expire-series": {"kept": 1}}, {"expire-series": {"done": 1}}] == [early, due]
    assert "expired" == shop.say("fairplay", "show", series)["state"]
    assert (1, "series-expired") == told(shop.quick("fairplay", "reveal", series, "--json"))
    assert [] == list((shop.home / "series").iterdir())


def told(done):
    """How a command ended, and the refusal's code."""
    return done.code, done.refusal


def test_hw4_account_type_and_own_limits_are_set_with_a_reason(timed_shop, anna):
    """They hold from the next session on, stand in what is shown, and can be taken back."""
    shop = timed_shop
    before = shop.session(anna, "1000.00", SHEET)
    shop.say("conto", "limits", anna, SHEET, OWN, *WHY)
    after = shop.session(anna, "1000.00", SHEET)
    straight = '{"bets":[{"numbers":[17],"amount":"80.00"}]}'
    conto = shop.say("conto", "show", anna)

    assert "VIP" == conto["account"]
    assert json.loads(OWN) == json.loads(conto["own_limits"][SHEET])
    assert [None, json.loads(OWN)] == [
        own and json.loads(own)
        for own in (shop.say("session", "show", s)["own_limits"] for s in (before, after))
    ]
    assert (1, "position-above-maximum") == told(shop.quick("play", before, straight, "--json"))
    assert shop.quick("play", after, straight, "--json").refusal is None
    shop.say("conto", "limits", anna, SHEET, "none", *WHY)
    assert {} == shop.say("conto", "show", anna)["own_limits"]


def test_s6_what_is_no_account_type_limit_or_key_is_refused_with_what_to_give(timed_shop, anna):
    """Wrong input ends with 2, and nothing is written."""
    shop = timed_shop
    events = shop.events()
    tries = [
        (("conto", "account", anna, "GOLD", *WHY), "LITE, RESPECT, VIP"),
        (("conto", "limits", anna, SHEET, '{"tables":{}}', *WHY), "limits"),
        (("conto", "limits", anna, "deuces-wild", OWN, *WHY), "limits of their own"),
        (("fairplay", "prepare", anna, "--numbers", "4"), "greater than or equal to 5"),
        (("fairplay", "prepare", anna, "--key", "NotAssigned"), "NotAssigned"),
        (("fairplay", "prepare", anna, "--key", "ключ"), "Latin letters"),
        (("fairplay", "verify", "x"), "--series"),
    ]
    ends = [(shop.quick(*words), part) for words, part in tries]

    assert [2] * len(tries) == [done.code for done, _ in ends]
    assert [] == [(part, done.err) for done, part in ends if part not in done.err]
    assert events == shop.events()


def test_hw5_a_demo_round_is_told_in_demo_chips(timed_shop, anna):
    """The credit stands still."""
    shop = timed_shop
    session = shop.session(anna, "1000.00", SHEET)
    done = shop.quick("play", session, RED, "--demo")

    assert 0 == done.code
    assert "in demo chips staked 50.00" in done.out
    assert "1000.00" == shop.say("session", "show", session)["credit"]
