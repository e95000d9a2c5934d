"""French roulette for any bets and any run of numbers: no cent is lost, and no document fails."""

import json

from hypothesis import given, settings, strategies as st

from games.documents import quote_lines
from games.roulette.french.prison import Fate, imprison, move, spin, withdraw, worth
from games.roulette.french.quote import quote
from games.roulette.layout import PLACEMENTS
from ledger.domain.money import format_amount
from tests.french_table import CHANCES, COVERED, ENGINE, FRENCH, SHEET, ask

NAMES = ("voisins", "serie", "orphelins", "nassa", "zero-spiel")
POCKETS = st.integers(0, 36)
AMOUNTS = st.integers(100, 20_000).map(format_amount)
LINES = st.one_of(
    st.builds(
        lambda placement, amount: {"numbers": list(placement.numbers), "amount": amount},
        st.sampled_from(PLACEMENTS),
        AMOUNTS,
    ),
    st.builds(lambda c, a: {"chance": c, "amount": a}, st.sampled_from(CHANCES), AMOUNTS),
    st.builds(lambda n, a: {"announced": n, "chip": a}, st.sampled_from(NAMES), AMOUNTS),
    st.builds(lambda n, a: {"announced": "sector", "number": n, "chip": a}, POCKETS, AMOUNTS),
    st.builds(
        lambda d, a: {"announced": "final", "digits": list(d), "chip": a},
        st.sampled_from(list(SHEET.finals)),
        AMOUNTS,
    ),
)


def cents(text):
    """An amount of an answer in minor units."""
    return int(text.replace(".", ""))


@settings(deadline=None)
@given(st.lists(LINES, min_size=1, max_size=12), POCKETS, st.integers(100, 10_000))
def test_g1_what_is_staked_is_returned_lost_imprisoned_or_refunded(bets, pocket, most):
    """Given any bets, all let stand, then each cent of each has one end, by the printed table."""
    limits = {"min": "1.00", "max": format_amount(most)}
    answer = ask(bets=bets, outcome=pocket, limits=limits, force=True)
    returned = 0
    for bet in answer["bets"]:
        counted = min(cents(bet["amount"]), most)
        if pocket in bet["numbers"]:
            expected = ("won", 36 // len(bet["numbers"]) * counted)
            returned += counted
        elif pocket == 0 and len(bet["numbers"]) == 18:
            expected = ("imprisoned", 0)
        else:
            expected = ("lost", 0)

        assert expected == (bet["result"], cents(bet["credited"]))
        assert cents(bet["amount"]) - counted == cents(bet["refunded"])
    for name in ("credited", "refunded"):
        assert sum(cents(bet[name]) for bet in answer["bets"]) == cents(answer[name])
    assert sum(cents(bet["amount"]) for bet in answer["bets"]) == cents(answer["staked"])
    assert returned == cents(answer["stake_returned"])
    assert cents(answer["credited"]) - returned == cents(answer["winnings"])


@given(
    st.integers(1, 10**13),
    st.sampled_from(CHANCES),
    st.lists(st.tuples(st.sampled_from(["leave", "withdraw", *CHANCES]), st.integers(0, 36))),
)
def test_fr1_an_imprisoned_stake_is_never_worth_more_than_half_and_ends_once(stake, chance, run):
    """Given any run of choices and numbers, then the stake is whole until it ends, and then split.

    Its level is told by its wins and zeros alone: it never leaves 1 to 3.
    """
    held, level, fate = imprison(stake, chance), 1, None
    for choice, pocket in run:
        if choice == "withdraw":
            fate = withdraw(SHEET.prison, held)
            break
        if choice not in ("leave", held.chance):
            held = move(held, choice)
        fate = spin(SHEET.prison, held, pocket)
        level += 1 if pocket == 0 else -1 if pocket in COVERED[held.chance] else 0
        if fate.held is None:
            break
        held = fate.held

        assert (stake, level) == (held.stake, held.level)
        assert 0 <= 2 * worth(SHEET.prison, held) <= stake + 1
    if fate is not None and fate.held is None:
        assert stake == fate.credited + fate.to_bank
        assert min(fate.credited, fate.to_bank) >= 0
    elif fate is not None:
        assert Fate(fate.result, held, 0, 0) == fate


KEYS = st.sampled_from(
    [
        *("bets", "prison", "outcome", "posta", "limits", "force", "replay", "announced", "chip"),
        *("number", "digits", "numbers", "amount", "chance", "level", "choice", "to", "min", "max"),
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
)
WORDS = st.sampled_from(["1.00", "red", "serie", "final", "sector", "again", "move", "leave"])
JSON = st.recursive(
    SCALARS | WORDS | st.integers(0, 4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, JSON, max_size=6) | JSON)
def test_s6_no_document_makes_the_quote_fail(document):
    """Given any JSON, then one answer: accepted, or a refusal with a code and a sentence."""
    (answer,) = map(json.loads, quote_lines(quote, ENGINE, FRENCH, [json.dumps(document)]))

    if answer["accepted"]:
        assert "credited" in answer
    else:
        assert {"code", "message"} == set(answer["refusal"])
