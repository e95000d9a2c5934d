"""`rtp --coins` and `advise`: what best play is worth, as people and machines ask for it."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest

from games import registry
from ops import studies
from tests.program import SHEET, environment

DEUCES = "deuces-wild"
GAME = json.loads(registry.SHEETS[DEUCES].text)["game"]
RTP = ("rtp", DEUCES, "--coins", "5")
HAND = ["2h", "9d", "4c", "Kh", "9s"]
ADVICE = json.dumps({"coins": 5, "coin": "0.25", "hand": HAND})


def test_c8_rtp_with_coins_tells_the_exact_return_and_every_frequency_and_keeps_them(program):
    """Given five coins, then the frequencies and the pay table make the return and the deviation.

    Asked again the answer is the same, byte for byte, out of the file that the first one left.
    """
    first = program.quick(*RTP, "--json")
    (kept,) = (program.home / "studies").iterdir()
    number = kept.stat().st_ino
    again, told = program.quick(*RTP, "--json"), program.quick(*RTP)

    found = first.document
    chances = {row["category"]: Fraction(row["fraction"]) for row in found["frequencies"]}
    paid = {each: Fraction(GAME["pays"].get(each, [0] * 5)[4], 5) for each in chances}
    mean = sum(chances[each] * paid[each] for each in chances)
    variance = sum(chances[each] * (paid[each] - mean) ** 2 for each in chances)
    assert (0, "", 1, 11) == (first.code, first.err, sum(chances.values()), len(chances))
    assert (Fraction(GAME["returns"]["5"]), "98.9131") == (mean, found["percent"])
    assert [mean, variance] == [Fraction(found[name]) for name in ("fraction", "variance")]
    assert f"{float(variance) ** 0.5:.6f}" == found["deviation"]
    assert found["agrees"] is True
    assert (first.out, number) == (again.out, kept.stat().st_ino)
    assert (0, True, True) == (
        told.code,
        found["fraction"] in told.out,
        "natural-royal" in told.out,
    )


def test_c8_a_sheet_that_declares_otherwise_ends_with_4_whether_or_not_it_can_be_kept(tmp_path):
    """Given 99/100 declared for five coins and no folder for studies, then what was found, and 4.

    The frequencies do not depend on what is declared.
    """
    (tmp_path / "studies").write_bytes(b"")
    script = """
import json
from games import registry
from games.sheets import read_file
document = json.loads(registry.SHEETS["deuces-wild"].text)
document["game"]["returns"]["5"] = "99/100"
registry.PACKAGED = (read_file(json.dumps(document).encode()),)
from ops.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, *RTP, "--json"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    found = json.loads(done.stdout)

    assert (4, False) == (done.returncode, found["agrees"])
    assert ("99/100", GAME["returns"]["5"]) == (found["declared"]["fraction"], found["fraction"])
    assert "is not kept" in done.stderr
    assert ["studies"] == [path.name for path in tmp_path.iterdir()]


def test_a_kept_study_that_disagrees_is_told_to_people_as_the_fresh_one_is(program):
    """Given a study on disk that does not agree, then its figures, the warning, and exit 4."""
    figures = {"fraction": "1/2", "variance": "1/4"}
    document = {
        "sheet": DEUCES,
        "version": 1,
        "kind": "4-coins",
        "percent": "50.0000",
        "deviation": "0.500000",
        **figures,
        "declared": figures,
        "agrees": False,
        "variants": [],
        "frequencies": [{"category": "x", "fraction": "0/1", "percent": "0", "one_in": None}],
    }
    key = studies.key_of(registry.SHEETS[DEUCES], {"coins": "4"})
    studies.keep(program.home / "studies", key, document)

    done = program.quick("rtp", DEUCES, "--coins", "4")

    assert (4, True) == (done.code, "50.0000" in done.out)
    assert "declares otherwise" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "refusal"),
    [
        (("rtp", DEUCES, "--coins", "6"), 1, "coins-not-offered"),
        (("rtp", DEUCES, "--coins", "0"), 2, "malformed"),
        (("rtp", DEUCES, "--coins", "five"), 2, "malformed"),
        (("rtp", DEUCES, "--coins", ""), 2, "malformed"),
        (("rtp", DEUCES, "--coins", "\udcff"), 2, "malformed"),
        (("rtp", SHEET, "--coins", "5"), 2, "malformed"),
        (("rtp", "deuces", "--coins", "5"), 2, "malformed"),
        (("rtp", DEUCES, "--coins", "5", "--version", "2"), 2, "malformed"),
        (("advise", DEUCES, ADVICE, "--version", "2"), 2, "malformed"),
        (("advise", DEUCES, ADVICE.replace("5,", "6,")), 1, "coins-not-offered"),
        (("advise", DEUCES, ADVICE.replace("0.25", "0.3")), 1, "coin-not-offered"),
        (("advise", DEUCES, ADVICE.replace("9d", "9s")), 2, "malformed"),
        (("advise", DEUCES, '{"coins":5'), 2, "malformed"),
        (("advise", DEUCES, "@no-such-file"), 2, "malformed"),
        (("advise", DEUCES), 2, "malformed"),
        (("advise", SHEET, '{"bets":[]}'), 2, "malformed"),
    ],
    ids=range(16),
)
def test_s6_what_cannot_be_asked_is_refused_with_its_code_and_nothing_is_kept(
    program, tmp_path, arguments, code, refusal
):
    """Given coins, a hand or a game that cannot be, then code and exit, for machines and people."""
    machine = program.quick(*arguments, "--json", HOME=str(tmp_path / "home"))
    person = program.quick(*arguments, HOME=str(tmp_path / "home"))

    assert (code, refusal, False) == (machine.code, machine.refusal, machine.document["accepted"])
    assert (code, "", True) == (person.code, person.out, refusal in person.err)
    assert [] == list(tmp_path.iterdir())


def test_advice_is_the_same_from_an_argument_and_a_line_and_a_bad_line_stops_nothing(program):
    """Given one hand in two places, then one answer; given a broken line, then the next one's.

    Held with the deuce, the pair of nines is three of a kind already: five coins, and often more.
    """
    lines = f"{{\n{ADVICE}\n".encode()

    said = program.say("advise", DEUCES, ADVICE)
    piped = program.quick("advise", DEUCES, "-", stdin=lines)

    broken, answered = (json.loads(line) for line in piped.out.splitlines())
    assert (0, "malformed") == (piped.code, broken["refusal"]["code"])
    assert said == answered
    assert [1, 2, 5] == said["best_hold"] == said["proposed_hold"]


def test_people_get_a_row_for_each_of_the_32_holds_the_best_one_first(program, tmp_path):
    """Given a hand in a file, then a table in falling order that says its unit."""
    (tmp_path / "hand.json").write_text(ADVICE)
    done = program.quick("advise", DEUCES, f"@{tmp_path / 'hand.json'}")
    rows = [line.split("│") for line in done.out.splitlines() if line.startswith("│")]

    assert (0, 32) == (done.code, len(rows))
    values = [Fraction(row[3].strip()) for row in rows]
    assert sorted(values, reverse=True) == values
    assert ("1, 2, 5", "2h, 9d, 9s") == (rows[0][1].strip(), rows[0][2].strip())
    assert "coins paid on average for all coins played" in done.out
