"""Reports and corrections at the command line, on books of their own."""

import csv
from datetime import timedelta
from pathlib import Path

import pytest

from tests.ops.test_cli_book import RED, let_pass
from tests.program import Shop

NAME = "game-performance-2026-12-01"


@pytest.fixture
def over(timed_shop: Shop) -> Shop:
    """A book in which anna played once on 1 December, and that day is over."""
    timed_shop.say("play", timed_shop.session(timed_shop.player("anna-1")), RED)
    timed_shop.say("seal")
    let_pass(timed_shop, timedelta(hours=12))
    return timed_shop


def test_a_report_of_each_period_and_the_list_of_kinds(over):
    """Given the first day of a month, then it is told, and life; month and year are not over."""
    assert [f"{NAME}.csv", f"{NAME}.it.csv", f"{NAME}.json", f"{NAME}.pdf"] == [
        Path(path).name for path in over.say("report", "game-performance")["files"]
    ]
    life = over.say("report", "duty", "--life")
    assert "duty-life-2026-12-01" == life["report"]
    for period in (("--month", "2026-12"), ("--year", "2026")):
        early = over.quick("report", "duty", *period, "--json")
        assert (1, "day-not-over") == (early.code, early.refusal)
    kinds = over.say("report", "kinds")
    assert {
        *("game-performance", "operator-liability", "player-sessions", "large-wins", "duty"),
        *("significant-events", "corrections", "differences", "rtp-monitoring"),
    } <= {k["kind"] for k in kinds}
    assert ["day", "month", "year", "life"] == kinds[0]["due"]


def test_a_report_is_sent_receipted_and_replaced_by_name(over):
    """Given a report, then the register tells each step, in the words that were typed."""
    over.say("report", "game-performance", "--day", "2026-12-01")
    early = over.quick("report", "receipt", NAME, "--text", "ok", "--json")
    assert (1, "not-sent") == (early.code, early.refusal)
    over.say("report", "sent", NAME, "--text", "by PEC", "--actor", "ada")
    over.say("report", "receipt", NAME, "--text", "scartato: n. 7")
    replaced = over.say("report", "replace", NAME, "--reason", "scartato")

    assert f"{NAME}-r2.pdf" == Path(replaced["files"][-1]).name
    first, second = over.say("report", "list")
    assert ("ada", "by PEC") == (first["sent"]["by"], first["sent"]["text"])
    assert "scartato: n. 7" == first["receipted"]["text"]
    assert ("scartato", None) == (first["replaced"]["text"], second["sent"])
    told = over.quick("report", "list").out
    assert "Register of reports" in told
    assert "scartato: n. 7" in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("duty", "--month", "2026-13"), "Give a month such as 2026-11."),
        (("duty", "--month", "2026-11-30"), "Give a month"),
        (("duty", "--year", "26"), "Give a year"),
        (("duty", "--year", "2026", "--life"), "Give one of --day"),
        (("sent", "duty", "--text", "x"), "Give a report's name"),
        (("sent", "tax-2026-11", "--text", "x"), "Give a report's name"),
        (("sent", "duty-2026-11", "--text", "a\nb"), "one line"),
        (("sent", "duty-2026-11", "--text", "x", "--actor", ""), "Give a word"),
        (("replace", "duty-2026-11", "--reason", "x", "--actor", "a\nb"), "Give a word"),
        (("dutty",), "duty"),
    ],
)
def test_what_names_no_report_is_wrong_input(shop, arguments, says):
    """Given a slip of the keyboard, then exit 2, and what to type."""
    done = shop.quick("report", *arguments)

    assert (2, "") == (done.code, done.out)
    assert says in done.err
    assert [(0,)] == shop.rows("SELECT count(*) FROM p_reports")


def test_a_correction_is_posted_shown_reported_and_verified(over):
    """Given a deposit booked twice, then what went back stands in the book and in its report."""
    twice = over.say("conto", "deposit", "anna-1", "30.00")
    line = ("--line", "player:anna-1:conto,world:payments,30.00")
    why = ("--code", "booked-twice", "--reason", "=paid once; see mail")
    both = ("--approver", "ada", "--approver", "bruno")
    posted = over.say("correction", "post", twice["command"], *why, *both, *line)

    shown = over.say("correction", "show", posted["command"])
    assert (twice["command"], ["ada", "bruno"]) == (shown["corrects"], shown["approvers"])
    assert [{"from": "player:anna-1:conto", "to": "world:payments", "amount": "30.00"}] == (
        shown["lines"]
    )
    assert "50.00" == over.say("conto", "show", "anna-1")["balance"]
    last = over.say("conto", "statement", "anna-1")["lines"][-1]
    assert ("conto-corrected", "-30.00", "50.00", f"correction {posted['command']}") == tuple(
        last[name] for name in ("movement", "amount", "balance", "reference")
    )
    let_pass(over, timedelta(days=1))
    italian = next(p for p in over.say("report", "corrections")["files"] if p.endswith(".it.csv"))
    rows = list(csv.reader(Path(italian).read_text("utf-8-sig").splitlines(), delimiter=";"))
    assert "'=paid once; see mail" in next(r for r in rows if r[:2] == ["corrections", "row"])
    over.say("seal")
    assert over.say("verify")["holds"]


BAD_CORRECTIONS = [
    (("--approver", "ada"), 2, "twice, with two names"),
    (("--approver", "ada", "--approver", "Ada"), 1, "same-approver"),
    (("--approver", "ada", "--approver", "b", "--line", "a,b,1.00"), 2, "two accounts"),
    (("--approver", "ada", "--approver", "b", "--line", "a,b"), 2, "12.50"),
    (("--approver", "ada", "--approver", "b", "--code", "oops"), 2, "booked-twice"),
]


@pytest.mark.parametrize(("changes", "code", "says"), BAD_CORRECTIONS)
def test_a_correction_that_is_wrong_says_why_and_moves_nothing(shop, changes, code, says):
    """Given one thing wrong, then its sentence, and no event of a correction."""
    player = f"anna-{BAD_CORRECTIONS.index((changes, code, says))}"
    command = shop.say("conto", "open", player)["command"]
    base = ("--line", f"world:payments,player:{player}:conto,30.00", "--reason", "x")
    options = (*base, *(() if "--code" in changes else ("--code", "ruling")), *changes)
    done = shop.quick("correction", "post", command, *options)

    assert code == done.code, done
    assert says in done.err
    assert [] == shop.rows("SELECT 1 FROM events WHERE topic = 'correction-posted'")


def test_a_correction_that_is_not_there_is_not_shown(shop):
    """Given an id of nothing, then a refusal."""
    done = shop.quick("correction", "show", "0b0e6f2e-5a43-4d0b-9a57-2f3c6f0a9b11", "--json")

    assert (1, "nothing-to-correct") == (done.code, done.refusal)
