"""Quote of French roulette: rounds, prisoners, limits, excess and replays (FR1-FR6, S6-S9)."""

from itertools import product

import pytest

from games.roulette.french.quote import quote
from tests.french_table import CHANCES, COVERED, ENGINE, FRENCH, ask, code_of, with_game

RED = {"chance": "red", "amount": "10.00"}
TABLE = {"min": "1.00", "max": "100.00"}


def prisoner(**changes):
    """10.00 imprisoned on red at the first level, and left there."""
    return {"chance": "red", "amount": "10.00", "level": 1, "choice": "leave"} | changes


def fate(outcome=0, **changes):
    """What becomes of one prisoner."""
    (told,) = ask(prison=[prisoner(**changes)], outcome=outcome)["prison"]
    return told


# --- rounds --------------------------------------------------------------------------------------


def test_the_answer_tells_each_bet_with_its_names_and_the_totals():
    """Given a split, red and a dozen with 17, then 18.00 on the split, 3.00 on the dozen."""
    bets = [
        {"numbers": [20, 17], "amount": "1.00"},
        RED,
        {"numbers": list(range(13, 25)), "amount": "1.00"},
    ]
    nothing = {"refunded": "0.00"}

    assert {
        "accepted": True,
        "staked": "12.00",
        "winnings": "19.00",
        "stake_returned": "2.00",
        "credited": "21.00",
        "refunded": "0.00",
        "bets": [
            {"kind": "split", "numbers": [17, 20], "amount": "1.00", "result": "won",
             "name": {"it": "cavallo 17-20", "fr": "cheval 17-20"}, "credited": "18.00"} | nothing,
            {"kind": "red", "numbers": sorted(COVERED["red"]), "amount": "10.00", "result": "lost",
             "name": {"it": "rosso", "fr": "rouge"}, "credited": "0.00"} | nothing,
            {"kind": "dozen", "numbers": list(range(13, 25)), "amount": "1.00", "result": "won",
             "name": {"it": "dozzina di mezzo", "fr": "douze milieu"}, "credited": "3.00"}
            | nothing,
        ],
        "prison": [],
    } == ask(bets=bets, outcome=17)  # fmt: skip


@pytest.mark.parametrize("chance", CHANCES)
def test_fr1_a_new_bet_on_a_simple_chance_is_imprisoned_by_zero(chance):
    """Given each chance and zero, then level 1, nothing credited and nothing lost yet."""
    answer = ask(bets=[{"chance": chance, "amount": "10.00"}], outcome=0)
    (bet,) = answer["bets"]

    assert ("imprisoned", 1, "0.00") == (bet["result"], bet["level"], bet["credited"])
    assert ("10.00", "0.00") == (answer["staked"], answer["credited"])


def test_s8_only_zero_imprisons_and_only_simple_chances():
    """Given 10.00 on red, then 4 brings 0.00 and 3 brings 20.00; a column loses on 0."""
    column = {"numbers": list(range(1, 37, 3)), "amount": "10.00"}

    assert ["0.00", "20.00"] == [ask(bets=[RED], outcome=n)["credited"] for n in (4, 3)]
    lost = ask(bets=[column], outcome=0)
    assert ("lost", "0.00") == (lost["bets"][0]["result"], lost["credited"])


def test_s7_zero_takes_dozens_and_columns_and_gives_no_chance_a_win():
    """Given all twelve outside bets and zero, then six are lost, six imprisoned, none paid."""
    outside = [list(range(first, first + 12)) for first in (1, 13, 25)]
    outside += [list(range(first, 37, 3)) for first in (1, 2, 3)]
    bets = [{"numbers": numbers, "amount": "5.00"} for numbers in outside]
    bets += [{"chance": chance, "amount": "5.00"} for chance in CHANCES]
    answer = ask(bets=bets, outcome=0)

    assert ["lost"] * 6 + ["imprisoned"] * 6 == [bet["result"] for bet in answer["bets"]]
    assert ("60.00", "0.00") == (answer["staked"], answer["credited"])


def test_fr7_where_winnings_are_collected_the_quote_tells_what_is_held_and_what_plays_on():
    """On 3 red and 3 itself win: 10.00 and 36.00 are held, and the 10.00 on red play on."""
    manual = with_game(collecting={"mode": "manual", "rounds": {"red": 3}})
    bets = [{"numbers": [3], "amount": "1.00"}, {"chance": "red", "amount": "10.00"}]

    answer = ask(manual, bets=bets, outcome=3)

    assert ("56.00", "46.00", "10.00") == (answer["credited"], answer["held"], answer["left"])
    assert set(answer) - set(ask(bets=bets, outcome=3)) == {"held", "left"}


@pytest.mark.parametrize(
    "numbers",
    [[3, 4], [0, 4], [12, 16], [1, 36], [5, 5], [36, 37], list(range(1, 10)), [0, 1, 3],
     [2, 3, 4, 5, 6, 7]],
)  # fmt: skip
def test_s9_numbers_that_are_no_placement_are_refused(numbers):
    """Given each, beside a good bet, then neither is turned into another bet."""
    bets = [RED, {"numbers": numbers, "amount": "1.00"}]

    assert "illegal-placement" == code_of(bets=bets, outcome=17)


@pytest.mark.parametrize(
    "bets",
    [
        [{"chance": "red", "amount": "60.00"}, {"chance": "red", "amount": "60.00"}],
        [{"numbers": [17, 20], "amount": "60.00"}, {"announced": "orphelins", "chip": "41.00"}],
        [{"announced": "voisins", "chip": "51.00"}],
        [{"announced": "sector", "number": 17, "chip": "60.00"},
         {"announced": "final", "digits": [7], "chip": "60.00"}],
    ],
)  # fmt: skip
def test_s7_the_maximum_holds_for_the_sum_on_a_position_however_it_came(bets):
    """Given 100.00 at most, then twice 60.00 is too much, in two lines, calls or chips of one."""
    assert "position-above-maximum" == code_of(bets=bets, limits=TABLE, outcome=0)


def test_fr3_the_sheets_limits_hold_where_a_table_has_none():
    """Given no limits, then 1.00 to 1,000.00 a position."""
    for amount, accepted in (("0.99", 0), ("1.00", 1), ("1000.00", 1), ("1000.01", 0)):
        bet = {"chance": "red", "amount": amount}

        assert bool(accepted) is ask(bets=[bet], outcome=4)["accepted"]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [(3, ("200.00", "100.00", "won")), (4, ("0.00", "0.00", "lost")),
     (0, ("0.00", "0.00", "imprisoned"))],
)  # fmt: skip
def test_fr3_a_standing_excess_is_refunded_whatever_comes(outcome, expected):
    """Given 150.00 on red where 100.00 is the most, then 50.00 goes back and 100.00 is settled."""
    bet = {"chance": "red", "amount": "150.00"}
    answer = ask(bets=[bet], limits=TABLE, force=True, outcome=outcome)
    (told,) = answer["bets"]

    assert expected == (answer["credited"], answer["winnings"], told["result"])
    assert ("150.00", "50.00", "50.00") == (
        answer["staked"],
        answer["refunded"],
        told["refunded"],
    )


def test_fr3_what_is_forced_is_imprisoned_only_up_to_the_maximum():
    """Given the prisoner that zero makes of 150.00, then 50.00 is all that can be withdrawn."""
    held = {"chance": "red", "amount": "100.00", "level": 1, "choice": "withdraw"}

    assert "50.00" == ask(prison=[held])["prison"][0]["credited"]


def test_g2_bets_beyond_the_posta_are_refused():
    """Given 10.00, then a posta of 9.99 does not cover it, and prisoners are paid for already."""
    assert "insufficient-posta" == code_of(bets=[RED], outcome=1, posta="9.99")
    assert ask(bets=[RED], prison=[prisoner()], outcome=1, posta="10.00")["accepted"]


# --- prisoners -----------------------------------------------------------------------------------

LEFT = {
    (1, "wins"): ("freed", 0, "10.00", "0.00"),
    (2, "wins"): ("stepped-back", 1, "0.00", "0.00"),
    (3, "wins"): ("stepped-back", 2, "0.00", "0.00"),
    (1, "loses"): ("lost", 0, "0.00", "10.00"),
    (2, "loses"): ("lost", 0, "0.00", "10.00"),
    (3, "loses"): ("lost", 0, "0.00", "10.00"),
    (1, "zero"): ("imprisoned", 2, "0.00", "0.00"),
    (2, "zero"): ("imprisoned", 3, "0.00", "0.00"),
    (3, "zero"): ("divided", 0, "0.63", "9.37"),
}
WITHDRAWN = {1: ("5.00", "5.00"), 2: ("2.50", "7.50"), 3: ("1.25", "8.75")}


@pytest.mark.parametrize(("level", "pocket"), list(product((1, 2, 3), range(37))))
def test_fr1_prisoners_fare_by_level_choice_and_pocket(level, pocket):
    """Given 10.00 on red, then it is left, moved to odd, or withdrawn, at every pocket."""
    for choice, chance in (("leave", "red"), ("move", "odd")):
        to = {"to": "odd"} if choice == "move" else {}
        told = fate(pocket, level=level, choice=choice, **to)
        what = "zero" if pocket == 0 else "wins" if pocket in COVERED[chance] else "loses"

        assert (chance, "10.00", *LEFT[level, what]) == (
            told["chance"], told["amount"], told["result"], told["level"], told["credited"],
            told["to_bank"],
        )  # fmt: skip
    told = fate(pocket, level=level, choice="withdraw")

    assert ("withdrawn", 0, *WITHDRAWN[level]) == (
        told["result"], told["level"], told["credited"], told["to_bank"]
    )  # fmt: skip


def test_s8_a_prison_withdrawn_at_the_first_zero_brings_5_of_10():
    """Given 10.00 on red and zero, when it is withdrawn, then no outcome is needed for it."""
    answer = ask(prison=[prisoner(choice="withdraw")])

    assert {
        "chance": "red",
        "amount": "10.00",
        "result": "withdrawn",
        "level": 0,
        "credited": "5.00",
        "to_bank": "5.00",
    } == answer["prison"][0]
    assert ([], "0.00") == (answer["bets"], answer["staked"])


def test_fr1_prisoners_are_apart_from_the_bets_of_the_round():
    """Given a new bet on red beside a prisoner there, then 1 pays the one and frees the other.

    The totals are the bets' alone, as an imprisoned stake was turnover in its own round.
    """
    answer = ask(bets=[RED], prison=[prisoner(), prisoner(level=3)], outcome=1)

    assert ("10.00", "20.00") == (answer["staked"], answer["credited"])
    assert [("freed", "10.00"), ("stepped-back", "0.00")] == [
        (told["result"], told["credited"]) for told in answer["prison"]
    ]


def test_fr1_a_prisoner_may_be_larger_or_smaller_than_the_limits():
    """Given limits that changed, then an imprisoned stake outlives them."""
    held = prisoner(amount="5000.01")

    assert "5000.01" == ask(prison=[held], limits=TABLE, outcome=1)["prison"][0]["credited"]
    assert "0.01" == fate(1, amount="0.01")["credited"]


def test_fr1_a_prisoner_moves_to_another_chance_only():
    """Given a move to where it lies, then it is refused, and the refusal names the prisoner."""
    held = [prisoner(), prisoner(choice="move", to="red")]
    answer = ask(prison=held, outcome=1)

    assert "not-another-chance" == answer["refusal"]["code"]
    assert answer["refusal"]["message"].startswith("Prisoner 2: ")


@pytest.mark.parametrize(
    "changes",
    [
        {"chance": "dozen"},
        {"chance": ["red"]},
        {"chance": None},
        {"amount": 10},
        {"amount": "1e1"},
        {"amount": "0.00"},
        {"level": 0},
        {"level": 4},
        {"level": True},
        {"level": "1"},
        {"level": 1.0},
        {"choice": "stay"},
        {"choice": None},
        {"choice": ["leave"]},
        {"choice": "move"},
        {"choice": "leave", "to": "odd"},
        {"choice": "move", "to": "zero"},
        {"choice": "move", "to": None},
        {"choice": "move", "to": ["odd"]},
        {"colour": "red"},
    ],
    ids=str,
)
def test_s6_a_prisoner_that_cannot_be_read_is_malformed(changes):
    """Given a wrong type, level, choice or field, then nothing is guessed."""
    assert "malformed" == code_of(prison=[prisoner(**changes)], outcome=1)


@pytest.mark.parametrize("prison", [None, {}, "red", [None], [[]], [prisoner()] * 501])
def test_s6_prison_is_a_list_of_stakes(prison):
    """Given anything else, or more than can be, then malformed."""
    assert "malformed" == code_of(prison=prison, outcome=1)


# --- documents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [None, 1, True, "x", [], [{}], {}, {"outcome": 17}, {"x": 1}])
def test_s6_what_is_no_document_is_refused(document):
    """Never an exception; an outcome alone has no bet."""
    answer = quote(ENGINE, FRENCH, document)

    assert ("no-bet" if document == {"outcome": 17} else "malformed") == answer["refusal"]["code"]


def test_er5_a_round_without_a_bet_and_without_a_prisoner_is_refused():
    """Given empty lists, then there is nothing to judge."""
    assert "no-bet" == code_of(bets=[], outcome=1)
    assert "no-bet" == code_of(bets=[], prison=[])


@pytest.mark.parametrize("outcome", [None, True, False, -1, 37, 17.0, "17", [17], 10**40])
def test_s6_an_outcome_is_a_whole_number_from_0_to_36(outcome):
    """Given anything else, then malformed, also where none would be needed."""
    assert "malformed" == code_of(bets=[RED], outcome=outcome)
    assert "malformed" == code_of(prison=[prisoner(choice="withdraw")], outcome=outcome)


def test_s6_an_outcome_is_left_out_only_where_nothing_waits_for_it():
    """Given a bet, or a prisoner that stays, then it must be told."""
    assert "malformed" == code_of(bets=[RED])
    assert "malformed" == code_of(prison=[prisoner(choice="withdraw"), prisoner()])


@pytest.mark.parametrize(
    "fields",
    [
        {"force": 1},
        {"force": "true"},
        {"force": None},
        {"limits": None},
        {"limits": {"max": "100.00"}},
        {"limits": {"min": "1.00", "max": 100}},
        {"limits": {"min": "2.00", "max": "1.99"}},
        {"limits": TABLE | {"mid": "50.00"}},
        {"posta": 10},
        {"seats": 30},
    ],
    ids=str,
)
def test_s6_the_fields_beside_the_bets_are_read_as_strictly(fields):
    """Given a wrong type, half a range, a range upside down or an unknown field, then malformed."""
    assert "malformed" == code_of(bets=[RED], outcome=1, **fields)


def test_of_several_refusals_the_first_by_precedence_is_answered():
    """Given a bad move, a bet beyond the maximum and a foreign bet, then their codes' order."""
    moved, much = prisoner(choice="move", to="red"), {"chance": "red", "amount": "100.01"}
    foreign = {"announced": "tiers", "chip": "1.00"}
    asked = {"prison": [moved], "limits": TABLE, "outcome": 1}

    assert "announced-not-offered" == code_of(bets=[much, foreign], **asked)
    assert "not-another-chance" == code_of(bets=[much], **asked)
    assert "position-above-maximum" == code_of(bets=[much], limits=TABLE, outcome=1)


# --- replays -------------------------------------------------------------------------------------

SERIE = {"announced": "serie", "chip": "1.00", "outcome": 5}


@pytest.mark.parametrize(
    ("replay", "following", "cash"),
    [
        ("again", ("1.00", "6.00", "6.00"), "12.00"),
        ("complete", ("1.00", "6.00", "5.00"), "12.00"),
        ("whole", ("3.00", "18.00", "17.00"), "0.00"),
    ],
)
def test_fr6_the_serie_on_5_is_replayed_in_three_ways(replay, following, cash):
    """Given six chips of which one wins 17 and stays, then what lies again and what is left."""
    assert {
        "accepted": True,
        "name": {"it": "serie 5-8", "fr": "tiers du cylindre"},
        "credited": "18.00",
        "next": dict(zip(("chip", "staked", "from_payout"), following, strict=True)),
        "cash": cash,
    } == ask(**SERIE, replay=replay)


@pytest.mark.parametrize(
    ("call", "credited", "staked"),
    [
        ({"announced": "sector", "number": 17, "outcome": 34}, "72.00", "10.00"),
        ({"announced": "final", "digits": [8, 9], "outcome": 18}, "72.00", "8.00"),
        ({"announced": "final", "digits": [8, 9], "outcome": 8}, "36.00", "8.00"),
        ({"announced": "nassa", "outcome": 0}, "36.00", "10.00"),
    ],
)
def test_fr6_every_call_that_won_is_replayed_again(call, credited, staked):
    """Given chips of 2.00, then 36 units for a straight and 18 for a split, and the same laid."""
    answer = ask(**call, chip="2.00", replay="again")

    assert (credited, staked) == (answer["credited"], answer["next"]["staked"])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"outcome": 17}, "nothing-to-replay"),
        ({"announced": "nassa", "outcome": 0, "replay": "whole"}, "replay-not-offered"),
        ({"announced": "tiers"}, "announced-not-offered"),
        ({"announced": "final", "digits": [3, 4]}, "announced-not-offered"),
        ({"announced": "sector", "number": 37}, "illegal-placement"),
        ({"announced": "sector"}, "announced-not-offered"),
        ({"chip": "0.50"}, "position-below-minimum"),
        ({"chip": "1000.01"}, "position-above-maximum"),
        ({"chip": "99999999999.00", "limits": {"min": "1.00", "max": "99999999999.00"}},
         "amount-too-large"),
        ({"replay": "twice"}, "malformed"),
        ({"replay": None}, "malformed"),
        ({"replay": ["again"]}, "malformed"),
        ({"outcome": 37}, "malformed"),
        ({"chip": 1}, "malformed"),
        ({"limits": {}}, "malformed"),
        ({"posta": "10.00"}, "malformed"),
        ({"bets": []}, "malformed"),
        ({"announced": "sector", "number": 17, "digits": [1]}, "malformed"),
    ],
    ids=str,
)  # fmt: skip
def test_fr6_a_replay_that_cannot_be_is_refused_with_its_code(changes, code):
    """Given a number that is not covered, another bet, a chip beyond limits or a wrong field."""
    assert code == code_of(**SERIE | {"replay": "again"} | changes)


def test_fr6_a_replay_needs_its_call():
    """Given a chip and a replay without a name, then malformed."""
    assert "malformed" == code_of(chip="1.00", outcome=5, replay="again")


def test_fr6_the_chips_of_a_replay_are_bets_within_the_limits():
    """Given 100.00 at most, then a serie of 33.33 triples within it, and one of 34.00 beyond.

    The voisins lay two chips on two positions: 25.00 doubles to 100.00 there, 25.01 to too much.
    """
    whole = {"outcome": 5, "replay": "whole", "limits": TABLE}

    assert ask(announced="serie", chip="33.33", **whole)["accepted"]
    refused = ask(announced="serie", chip="34.00", **whole)["refusal"]
    assert "position-above-maximum" == refused["code"]
    assert refused["message"].startswith("The replay: ")
    whole["outcome"] = 4
    assert ask(announced="voisins", chip="25.00", **whole)["accepted"]
    assert "position-above-maximum" == code_of(announced="voisins", chip="25.01", **whole)
