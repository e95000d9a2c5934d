"""Reconciliation at the command line: what is found ends with 4, has an owner, and is closed."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ops.statements import packaged
from tests.program import Shop

SAMPLES = Path(__file__).parents[1] / "statements"
HEAD = "balance_transaction_id,created_utc,currency,gross,reporting_category,payment_intent_id\n"
FIRST_OF_DECEMBER = ("--from", "2026-12-01", "--to", "2026-12-01")


def line(reference: str, gross: str, at: str = "2026-12-01 10:00:00") -> str:
    """A charge on a card statement."""
    return f"t,{at},eur,{gross},charge,{reference}\n"


def statement(folder: Path, *lines: str) -> str:
    """A card statement in a file; its path."""
    path = folder / "statement.csv"
    path.write_text(HEAD + "".join(lines))
    return str(path)


def deposit(shop: Shop, player: str, amount: str, reference: str, channel: str = "card") -> None:
    """A payment in."""
    named = ("--reference", reference, "--channel", channel)
    shop.say("conto", "deposit", player, amount, *named)


def reconcile(shop: Shop, path: str, *options: str, mapping: str = "stripe") -> tuple[int, dict]:
    """How a run ends, and its document."""
    done = shop.quick("reconcile", "statement", path, "--mapping", mapping, *options, "--json")
    return done.code, done.document


def let_pass(shop: Shop, **time: float) -> None:
    """Let simulated time pass."""
    clock = shop.home / "clock"
    moment = datetime.fromisoformat(clock.read_text()) + timedelta(**time)
    clock.write_text(moment.isoformat())


@pytest.fixture
def till(timed_shop: Shop) -> Shop:
    """At noon of 1 December: anna has paid in 100.00, 50.00 and 20.00 by card."""
    timed_shop.say("conto", "open", "anna-1")
    for reference, amount in (("pi-1", "100.00"), ("pi-2", "50.00"), ("pi-3", "20.00")):
        deposit(timed_shop, "anna-1", amount, reference)
    return timed_shop


def test_a_statement_is_reconciled_assigned_carried_and_closed(till, tmp_path):
    """Given four lines of which one agrees, then three differ, once, until each is closed."""
    path = statement(tmp_path, line("pi-1", "100.00"), line("pi-2", "55.00"), line("pi-9", "7.00"))

    code, document = reconcile(till, path)
    assert (4, 1) == (code, document.get("agree")), document
    assert [
        ("amount", "deposit pi-2", "50.00", "55.00"),
        ("missing-here", "deposit pi-9", None, "7.00"),
        ("timing", "deposit pi-3", "20.00", None),
    ] == sorted((d["kind"], d["subject"], d["here"], d["there"]) for d in document["found"])
    events = till.events()
    code, again = reconcile(till, path)
    assert (0, [], 3, 0) == (code, again["found"], again["standing"], again["cleared"])
    assert events == till.events()

    ids = {d["kind"]: d["difference"] for d in document["found"]}
    till.say("reconcile", "assign", ids["missing-here"], "ada")
    till.say("reconcile", "resolve", ids["amount"], "--reason", "booked wrongly, corrected")
    let_pass(till, days=3)
    listed = {d["kind"]: (d["owner"], d["age_days"]) for d in till.say("reconcile", "list")}
    assert {"missing-here": ("ada", 3), "timing": (None, 3)} == listed

    late = statement(tmp_path, line("pi-3", "20.00", "2026-12-02 09:00:00"))
    code, next_day = reconcile(till, late)
    assert (0, 1, 1) == (code, next_day["cleared"], next_day["standing"])
    assert ["missing-here"] == [d["kind"] for d in till.say("reconcile", "list")]
    till.say("seal")
    assert till.say("verify")["holds"]


def test_statements_that_are_put_into_a_folder_are_taken_in_and_listed(till, tmp_path):
    """Given one whose line agrees and one with another amount, the second of a day later."""
    card = tmp_path / "card"
    card.mkdir()
    (card / "mapping.json").write_bytes(packaged("stripe"))
    setting = {"STATEMENTS": str(tmp_path)}
    let_pass(till, hours=1)
    for name, gross in (("a.csv", "100.00"), ("b.csv", "99.00")):
        Path(statement(tmp_path, line("pi-1", gross))).rename(card / name)
        till.say("duties", "take-statements", **setting)
        let_pass(till, days=1)

    listed = till.say("reconcile", "statements", **setting)
    assert [("b.csv", "card", 1, 0), ("a.csv", "card", 1, 1)] == [
        (s["name"], s["channel"], s["lines"], s["agreeing"]) for s in listed
    ]
    assert ["2026-12-01"] * 2 == [s["first_day"] for s in listed]
    people = till.quick("reconcile", "statements", **setting)
    assert (0, True) == (people.code, "a.csv" in people.out)


def test_what_is_found_again_after_it_was_resolved_is_a_new_difference(till, tmp_path):
    """Its number is the next one, and it has no owner."""
    path = statement(tmp_path, line("pi-9", "7.00"))
    (first, *_) = [d for d in reconcile(till, path)[1]["found"] if d["kind"] == "missing-here"]
    till.say("reconcile", "assign", first["difference"], "ada")
    till.say("reconcile", "resolve", first["difference"], "--reason", "not ours")
    code, document = reconcile(till, path)

    (again,) = document["found"]
    assert (4, first["difference"], 2, None) == (
        code, again["difference"], again["occurrence"], again["owner"],
    )  # fmt: skip


def test_a_packaged_layout_with_comma_mark_and_time_zones_agrees_with_the_book(till):
    """Given the same payments in the book, then nothing of its days is missing there."""
    till.say("conto", "open", "bruno-2")
    deposit(till, "bruno-2", "1100.00", "8AB10001", "paypal")
    days = ("--from", "2026-10-25", "--to", "2026-12-01")
    code, document = reconcile(till, str(SAMPLES / "paypal-it.csv"), *days, mapping="paypal-it")

    assert (4, 4, 1) == (code, document["lines"], document["agree"])
    assert ["8AB10002", "8AB10003", "8AB10004"] == sorted(
        d["subject"].split()[1] for d in document["found"]
    )


def test_lines_that_cannot_be_read_write_nothing(shop, tmp_path):
    """Each is told with its number, and no difference is found in the others."""
    events = shop.events()
    path = statement(tmp_path, line("pi-9", "7.00"), line("pi-1", '"7,00"'), "t,x\n")
    done = shop.quick("reconcile", "statement", path, "--mapping", "stripe", "--json")

    assert (2, "malformed") == (done.code, done.refusal)
    message = done.document["refusal"]["message"]
    assert "line 3: '7,00' is no amount" in message
    assert "line 4: 2 cells, and the header has 6" in message
    assert events == shop.events()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--mapping", "stripes"), "The file stripes cannot be read"),
        (("--mapping", "stripe"), "has no lines: give its days"),
        (("--mapping", "stripe", "--from", "2026-12-02", "--to", "2026-12-01"), "not after"),
    ],
)
def test_what_a_run_lacks_is_told(shop, tmp_path, options, told):
    """Wrong input ends with 2."""
    done = shop.quick("reconcile", "statement", statement(tmp_path), *options)

    assert (2, True) == (done.code, told in done.err), done.err


def test_days_that_do_not_hold_the_lines_are_refused(shop, tmp_path):
    """Else what is beyond them would be compared with nothing."""
    path = statement(tmp_path, line("pi-1", "100.00", "2026-11-30 10:00:00"))
    done = shop.quick("reconcile", "statement", path, "--mapping", "stripe", *FIRST_OF_DECEMBER)

    assert (2, True) == (done.code, "beyond the days" in done.err)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([line("pi-1", "100.00", "2027-11-12 10:00:00")], ("--mapping", "stripe")),
        ([], ("--mapping", "stripe", "--from", "2026-12-01", "--to", "2026-12-02")),
    ],
    ids=["line", "period"],
)
def test_a_day_that_has_not_begun_is_not_compared(till, tmp_path, lines, words):
    """Given noon of 1 December, then a payment is not missing from a statement of days to come."""
    events = till.events()
    done = till.quick("reconcile", "statement", statement(tmp_path, *lines), *words)
    asked = till.quick("reconcile", "central", "2026-12-02")

    assert (2, True) == (done.code, "has not begun" in done.err), done
    assert (2, True) == (asked.code, "has not begun" in asked.err), asked
    assert events == till.events()


def test_an_empty_statement_of_a_day_lacks_every_payment(till, tmp_path):
    """Given three payments at noon, then they are expected on the next one."""
    code, document = reconcile(till, statement(tmp_path), *FIRST_OF_DECEMBER)

    assert (4, ["timing"] * 3) == (code, [d["kind"] for d in document["found"]])


def test_a_difference_that_never_was_is_neither_assigned_nor_resolved(shop):
    """Both are refused."""
    nobody = "00000000-0000-0000-0000-000000000001"
    for words in (("assign", nobody, "ada"), ("resolve", nobody, "--reason", "why not")):
        done = shop.quick("reconcile", *words, "--json")
        assert (1, "unknown-difference") == (done.code, done.refusal)


@pytest.mark.parametrize(
    "words", [("assign", " "), ("assign", "ada "), ("resolve", "--reason", " ")]
)
def test_nobody_and_nothing_said_are_neither_an_owner_nor_a_reason(shop, words):
    """Blanks alone would stand on record as a name, or as why a difference was closed."""
    what, *rest = words
    done = shop.quick("reconcile", what, "00000000-0000-0000-0000-000000000001", *rest, "--json")

    assert (2, "malformed") == (done.code, done.refusal)


def totals(folder: Path, **eur: int) -> str:
    """What the central system says of 1 December, in a file."""
    path = folder / "totals.json"
    path.write_text(json.dumps({"day": "2026-12-01", "totals": [{"currency": "EUR", **eur}]}))
    return str(path)


def test_the_book_agrees_with_itself_and_with_the_central_system(till, tmp_path):
    """Given one right of 50.00, then totals that say so agree, and others end with 4."""
    till.session("anna-1", "50.00")
    agrees = totals(tmp_path, count=1, amount=5_000, sessions=1)
    told = till.say("reconcile", "central", "--file", agrees)
    assert ("2026-12-01", []) == (told["day"], told["found"])
    assert (7, []) == (
        (told := till.say("reconcile", "inside"))["checks"], told["found"],
    )  # fmt: skip

    differs = totals(tmp_path, count=2, amount=5_000, sessions=1)
    done = till.quick("reconcile", "central", "--file", differs, "--json")
    assert (4, ["rights"]) == (done.code, [d["kind"] for d in done.document["found"]])


def test_totals_that_cannot_be_had_are_told(shop, tmp_path):
    """The stand-in keeps none; a file of another day, or of nothing, is no answer."""
    path = totals(tmp_path, count=1, amount=5_000, sessions=1)
    nothing = tmp_path / "nothing.json"
    nothing.write_text("{}")
    asked = shop.quick("reconcile", "central")
    other = shop.quick("reconcile", "central", "2026-11-30", "--file", path)
    empty = shop.quick("reconcile", "central", "--file", str(nothing))
    twice = json.loads(Path(path).read_text())
    twice["totals"] *= 2
    nothing.write_text(json.dumps(twice))
    doubled = shop.quick("reconcile", "central", "--file", str(nothing))

    assert (3, True) == (asked.code, "the stand-in keeps no totals" in asked.err)
    assert (2, True) == (other.code, "the totals of 2026-12-01, not of 2026-11-30" in other.err)
    assert (2, True) == (empty.code, "wrong at day, totals" in empty.err)
    assert (2, True) == (doubled.code, "wrong at totals" in doubled.err)
