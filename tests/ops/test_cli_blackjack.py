"""`rtp --strategy` and `advise live-blackjack`, as people and machines ask for them."""

import json
from fractions import Fraction

import pytest

from games import registry

SHEET = "live-blackjack"
(DECLARED,) = (json.loads(s.text)["game"]["returns"] for s in registry.PACKAGED if s.sheet == SHEET)
PRINTED = ("rtp", SHEET, "--strategy", "printed")
ADVICE = '{"hand":["8h","8d"],"dealer":"6c","first":true}'


def test_c8_rtp_with_a_strategy_tells_return_bounds_edge_and_variants_and_keeps_them(program):
    """Given the printed strategy, then what the sheet declares, and what each rule is worth.

    Asked again for people the answer comes out of the file that the first one left.
    """
    first = program.quick(*PRINTED, "--json")
    (kept,) = (program.home / "studies").iterdir()
    number = kept.stat().st_ino
    told = program.quick(*PRINTED)

    found = first.document
    assert (0, True, DECLARED["printed"]["expected"]) == (
        first.code,
        found["agrees"],
        found["fraction"],
    )
    assert "99.2167" == found["percent"] == found["variants"][0]["percent"]
    bounds = Fraction(found["at_least"]), Fraction(found["at_most"])
    assert {Fraction(found["fraction"])} == {round(bound, 8) for bound in bounds}
    assert 0 < bounds[1] - bounds[0] <= Fraction(2, 10**9)
    assert 1 == sum(Fraction(row["fraction"]) for row in found["frequencies"])
    own, *others = found["variants"]
    edge = Fraction(own["staked"]) * (1 - Fraction(own["percent"]) / 100) * 100
    assert Fraction(own["house_edge"]) == pytest.approx(edge, abs=2e-4)
    worse = [v["rules"] for v in others if Fraction(v["house_edge"]) > Fraction(own["house_edge"])]
    assert ["dealer hits soft 17", "double on 10 and 11 only", "Blackjack pays 6 to 5"] == worse
    assert (0, number) == (told.code, kept.stat().st_ino)
    assert [] == [row["rules"] for row in found["variants"] if row["rules"] not in told.out]
    assert own["house_edge"] in told.out


def test_rtp_without_a_strategy_tells_what_the_sheet_declares_of_each(program):
    """Given no strategy, then both declared returns at once, as fractions."""
    rows = program.say("rtp", SHEET)["returns"]

    declared = {name: told["expected"] for name, told in DECLARED.items()}
    assert declared == {row["kind"]: row["fraction"] for row in rows}
    assert {"best", "printed"} == set(declared)


def test_advice_is_the_same_from_an_argument_and_a_line_and_people_get_a_table(program):
    """Given 8-8 against a 6, then one answer on either way; given a broken line, the next one's."""
    said = program.say("advise", SHEET, ADVICE)
    piped = program.quick("advise", SHEET, "-", stdin=f"{{\n{ADVICE}\n".encode())
    told = program.quick("advise", SHEET, ADVICE)

    broken, answered = (json.loads(line) for line in piped.out.splitlines())
    assert (0, "malformed") == (piped.code, broken["refusal"]["code"])
    assert said == answered
    assert ("split", "split") == (said["printed"], said["best"])
    rows = [line.split("│")[1].strip() for line in told.out.splitlines() if line.startswith("│")]
    assert ["split", "stand", "hit"] == rows


@pytest.mark.parametrize(
    ("arguments", "code", "refusal"),
    [
        (("rtp", SHEET, "--strategy", "poor"), 2, "malformed"),
        (("rtp", SHEET, "--strategy", ""), 2, "malformed"),
        (("rtp", SHEET, "--coins", "5"), 2, "malformed"),
        (("rtp", SHEET, "--strategy", "best", "--coins", "5"), 2, "malformed"),
        (("rtp", "deuces-wild", "--strategy", "best"), 2, "malformed"),
        (("rtp", "french-roulette", "--strategy", "best"), 2, "malformed"),
        (("advise", SHEET, ADVICE.replace('"8d"', '"Td","9d"')), 1, "hand-ended"),
        (("advise", SHEET, ADVICE.replace("8d", "8x")), 2, "malformed"),
    ],
    ids=range(8),
)
def test_s6_what_cannot_be_asked_of_blackjack_is_refused(program, arguments, code, refusal):
    """Given a strategy or a hand that cannot be, then its code and exit."""
    done = program.quick(*arguments, "--json")

    assert (code, refusal) == (done.code, done.refusal)
