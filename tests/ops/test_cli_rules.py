"""What the command line tells of rules without any book: quotes, returns, sheets, refusals."""

import json
from fractions import Fraction
from itertools import groupby

import pytest
from typer.testing import CliRunner

from games import registry
from games.sheets import read_file
from ledger.domain.refusals import Code
from ops.cli.app import app
from tests.program import SHEET

COMMANDS = [
    *("up", "down", "status", "migrate", "adopt", "play", "simulate", "quote", "advise", "sheets"),
    *("rtp", "refusals", "seal", "verify"),
    *("project", "rebuild", "duties", "worker", "beat", "metrics"),
    *("conto open", "conto deposit", "conto withdraw", "conto show", "conto statement"),
    *("conto suspend", "conto reinstate", "conto exclude"),
    *("session open", "session topup", "session bonus", "session show", "session disconnect"),
    *("session reconnect", "session annul", "session close"),
    *("round open", "round finish", "round void", "round refund"),
    "fairplay verify",
    *("correction post", "correction show"),
    *("maintenance announce", "maintenance end", "maintenance show"),
    *("report daily", "report kinds", "report list", "report sent", "report receipt"),
    *("report replace", "report duty", "report game-performance"),
    *("report es", "report nl"),
]
SERVICES = ("worker", "beat", "metrics")
"""They run until they are stopped and answer nothing."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(program, command):
    """Given `--help`, then an example of this very command, and `--json` where it answers."""
    done = program.quick(*command.split(), "--help")
    told = " ".join(done.out.split())

    assert 0 == done.code
    assert "Example:" in told
    assert f"contoposta {command}" in told.partition("Example:")[2]
    assert (command in SERVICES) != ("--json" in told)


def test_the_help_lists_every_command_and_a_misspelt_one_is_guessed(program):
    """Given the program alone, then all commands; given `verfy`, then the hint, and exit 2."""
    listed = program.quick("--help")
    wrong = program.quick("verfy")

    assert 0 == listed.code
    assert set() == {c.split()[0] for c in COMMANDS} - set(listed.out.split())
    assert (2, "") == (wrong.code, wrong.out)
    assert "Did you mean verify?" in wrong.err


def test_what_needs_no_book_makes_none_and_asks_for_no_setting(program):
    """Given an empty place, when rules are asked for, then no folder appears."""
    for command in (("sheets",), ("refusals",), ("rtp", SHEET)):
        assert 0 == program.quick(*command).code

    assert not program.home.exists()


def test_s9_quote_answers_thousands_of_lines_in_order_and_goes_on_after_malformed_ones(program):
    """Given each pocket in turn and every tenth line broken, then each line has its own answer."""
    lines, expected = [], []
    for number in range(3_700):
        pocket = number % 37
        if number % 10 == 9:
            lines.append(b'{"bets":[{"numbers":[17],"amount":1.00}],"outcome":17}')
            expected.append("malformed")
        else:
            bet = {"numbers": [17], "amount": "1.00"}
            lines.append(json.dumps({"bets": [bet], "outcome": pocket}).encode())
            expected.append("36.00" if pocket == 17 else "0.00")

    done = program.quick("quote", SHEET, stdin=b"\n".join(lines))

    answers = [json.loads(line) for line in done.out.splitlines()]
    told = [a["credited"] if a["accepted"] else a["refusal"]["code"] for a in answers]
    assert (0, "") == (done.code, done.err)
    assert expected == told


def test_a_quote_is_worked_as_the_rules_say_bet_by_bet(program):
    """Given straight, red and voisins with 17 drawn, then 36.00 on the straight and no more.

    Seventeen is black and outside of the voisins, which take nine chips of 1.00.
    """
    document = (
        b'{"bets":[{"numbers":[17],"amount":"1.00"},{"chance":"red","amount":"5.00"},'
        b'{"announced":"voisins","chip":"1.00"}],"outcome":17}'
    )

    answer = program.quick("quote", SHEET, stdin=document).document

    totals = ("staked", "winnings", "stake_returned", "credited")
    assert ["15.00", "35.00", "1.00", "36.00"] == [answer[name] for name in totals]
    assert ["36.00", *["0.00"] * 8] == [bet["credited"] for bet in answer["bets"]]


@pytest.mark.parametrize(
    "line",
    [b"", b"\xff", b"{", b"[" * 50_000, b'{"outcome":37}', b"x" * 300_000, b'"' + b"\\" * 9],
    ids=range(7),
)
def test_a_hostile_line_is_answered_and_the_next_one_is_judged(program, line):
    """Given a line that cannot be read, then one refusal, and the line after it has its answer."""
    good = b'{"bets":[{"chance":"red","amount":"1.00"}],"outcome":1}'

    done = program.quick("quote", SHEET, stdin=line + b"\n" + good)

    first, second = (json.loads(answer) for answer in done.out.splitlines())
    assert (0, False, "malformed") == (done.code, first["accepted"], first["refusal"]["code"])
    assert "2.00" == second["credited"]


def test_rtp_gives_the_exact_return_of_each_kind_of_bet(program):
    """Given one zero among 37 pockets, then every bet returns 36/37, and its own deviation.

    A straight's variance is (36^2)/37 - (36/37)^2, whose root is 5.837838.
    """
    returns = program.say("rtp", SHEET)["returns"]

    assert {"36/37"} == {row["fraction"] for row in returns}
    assert {"97.2973"} == {row["percent"] for row in returns}
    assert 15 == len(returns)
    straight = next(row["deviation"] for row in returns if row["kind"] == "straight")
    variance = Fraction(36 * 36, 37) - Fraction(36, 37) ** 2
    assert f"{float(variance) ** 0.5:.6f}" == straight


def test_s8_french_roulette_is_quoted_and_told_of_without_a_book(program):
    """Given a prison withdrawn at the first zero, then 5.00 of 10.00, and a return of 73/74."""
    document = b'{"prison":[{"chance":"red","amount":"10.00","level":1,"choice":"withdraw"}]}'

    answer = program.quick("quote", "french-roulette", stdin=document).document
    returns = {r["kind"]: r for r in program.say("rtp", "french-roulette")["returns"]}

    assert "5.00" == answer["prison"][0]["credited"]
    assert "73/74" == returns["simple-chance-withdrawn-at-1"]["fraction"]
    assert "98.6486" == returns["simple-chance-withdrawn-at-1"]["percent"]
    assert {"36/37"} == {r["fraction"] for k, r in returns.items() if "simple-chance" not in k}
    assert 13 == len(returns)


def test_live_blackjack_is_quoted_and_told_of_without_a_book(program):
    """Given 8-8 split against 21, a line that is none, and even money, then three answers."""
    split = b'{"boxes":[{"bet":"10.00","actions":["split"]}],'
    split += b'"shoe":["8h","6c","8d","3h","Tc","Ks","5d"]}'
    even = b'{"boxes":[{"bet":"10.00","even_money":true}],"shoe":["Ah","Ac","Kd"]}'
    lines = b"\n".join([split, b'{"boxes":', even])

    done = program.quick("quote", "live-blackjack", stdin=lines)
    answers = [json.loads(line) for line in done.out.splitlines()]

    assert [True, False, True] == [answer["accepted"] for answer in answers]
    assert [("20.00", "0.00"), ("10.00", "20.00")] == [
        (answer["staked"], answer["credited"]) for answer in (answers[0], answers[2])
    ]
    assert "malformed" == answers[1]["refusal"]["code"]
    returns = {r["kind"]: r for r in program.say("rtp", "live-blackjack")["returns"]}
    assert all(float(each["percent"]) >= 90 for each in returns.values())


@pytest.fixture
def revised(monkeypatch):
    """Classic has a second version, in which no chip of 0.25 is left."""
    first = registry.SHEETS[SHEET]
    document = json.loads(first.text) | {"version": 2}
    document["game"] |= {"chips": [50, 100, 500, 1000]}
    second = read_file(json.dumps(document).encode())
    monkeypatch.setattr(registry, "PACKAGED", (*registry.PACKAGED, second))


def asked(*arguments: str, stdin: bytes = b""):
    """The one JSON document that the program answers in this very process."""
    done = CliRunner().invoke(app, arguments, input=stdin)
    assert 0 == done.exit_code, done.output
    return json.loads(done.stdout)


def test_g8_a_quote_and_a_return_are_of_the_version_that_is_named_else_of_the_newest(revised):
    """Given 0.25 on red, then version 1 takes it and version 2, the newest, has no such chip."""
    bet = b'{"bets":[{"chance":"red","amount":"0.25"}],"outcome":1}'
    named = [("--version", "1"), ("--version", "2"), ()]

    quotes = [asked("quote", SHEET, *version, stdin=bet) for version in named]
    returns = [asked("rtp", SHEET, *version, "--json") for version in named]

    assert ["0.50", None, None] == [answer.get("credited") for answer in quotes]
    assert ["not-a-sum-of-chips"] * 2 == [a["refusal"]["code"] for a in quotes[1:]]
    assert [1, 2, 2] == [document["version"] for document in returns]


@pytest.mark.parametrize("command", ["quote", "rtp"])
def test_a_version_that_is_not_packaged_is_refused_with_those_that_are(program, command):
    """Given version 2 of a sheet that has one, then exit 2 and the versions that there are."""
    done = program.quick(command, SHEET, "--version", "2")

    assert (2, "") == (done.code, done.out)
    assert f"There is no such version of {SHEET}; there are: 1." in " ".join(done.err.split())


def test_sheets_are_listed(program):
    """Given the list, then all sheets with their hashes."""
    sheets = program.say("sheets")
    assert [s.sheet for s in registry.PACKAGED] == [s["sheet"] for s in sheets]
    assert {64} == {len(sheet["hash"]) for sheet in sheets}
    assert sheets[0]["hash"] in program.quick("sheets").out


def test_refusals_are_listed_by_precedence_with_whose_they_are(program):
    """Given the list, then the ledger's down to no-bet, the games', the ledger's on money."""
    rows = program.say("refusals")
    codes = [row["code"] for row in rows]
    owners = [owner for owner, _ in groupby(row["whose"] for row in rows)]

    assert [
        "ledger",
        "roulette, roulette-fairplay, french-roulette",
        "deuces-wild",
        "live-blackjack",
        "ledger",
    ] == owners
    assert [code.value for code in Code] == [r["code"] for r in rows if r["whose"] == "ledger"]
    assert ["bets-closed", "unknown-account"] == codes[codes.index("no-bet") + 1 :][:2]
    last = len(Code) - list(Code).index(Code.NO_BET) - 1
    assert "right-below-minimum" == codes[-last]
    assert len(codes) == len(set(codes))
    told = program.quick("refusals").out
    assert all(code in told for code in codes)


def test_hw4_quote_judges_documents_by_the_account_type_that_is_asked_for(program):
    """Given 8.00 on a straight, then RESPECT takes it, LITE does not, and a document's own holds.

    Neighbours of 17 with 50.00 divided among them bring 360.00 at 25.
    """
    bet = {"numbers": [17], "amount": "8.00"}
    neighbours = {"neighbours": 17, "stake": "50.00"}
    documents = [
        {"bets": [bet], "series_number": 24, "offset": 30},
        {"account": "LITE", "bets": [bet], "outcome": 17},
        {"account": "VIP", "bets": [neighbours], "outcome": 25},
        [],
    ]
    stdin = "\n".join(map(json.dumps, documents)).encode()

    answers = [
        [json.loads(line) for line in program.quick(*asked, stdin=stdin).out.splitlines()]
        for asked in (
            ("quote", "roulette-fairplay", "--account", "RESPECT"),
            ("quote", "roulette-fairplay"),
        )
    ]

    told = [[a.get("credited") or a["refusal"]["code"] for a in each] for each in answers]
    assert [
        ["288.00", "position-above-maximum", "360.00", "malformed"],
        ["unknown-account", "position-above-maximum", "360.00", "malformed"],
    ] == told


@pytest.mark.parametrize(
    ("sheet", "account", "why"),
    [
        ("roulette-fairplay", "GOLD", "its account types are LITE, RESPECT, VIP"),
        (SHEET, "VIP", "it has no account types"),
    ],
)
def test_hw4_an_account_type_that_a_sheet_does_not_know_is_wrong_input(
    program, sheet, account, why
):
    """Given it as an option, then exit 2 and what the sheet knows, before any document is read."""
    done = program.quick("quote", sheet, "--account", account, stdin=b"{}")

    assert (2, "") == (done.code, done.out)
    assert why in " ".join(done.err.split())
