"""Live Blackjack for any cards and any play: as a second judge has it, and no cent is lost."""

import json
from random import Random

from hypothesis import given, settings, strategies as st

from games.blackjack.quote import quote
from games.blackjack.refusals import BlackjackCode
from games.blackjack.round import Dealt, DealTo, Took, begin, evolve
from games.blackjack.settle import settle
from games.blackjack.shoe import draw, shoe_of
from games.blackjack.turns import Over, Turn, following, refusal_of
from games.cards import DECK
from games.documents import quote_lines
from ledger.domain.refusals import Code
from tests.blackjack_oracle import Table
from tests.blackjack_table import ENGINE, FILE, RULES

BETS = st.lists(st.integers(1, 10_000), min_size=1, max_size=7)
SEEDS = st.integers(0, 2**32 - 1).map(Random)
TELLING = [card for card in DECK if card[0] in "A8TK"] * 6
TELLING += [card for card in DECK if card[0] in "2345678"] * 2
"""Cards of which Blackjacks, pairs and insurances come often."""


def cents(text):
    """An amount of an answer in minor units."""
    return int(text.replace(".", ""))


def played(bets, rng, cards):
    """A round as the second judge deals it, each choice made by chance, and its document."""
    shoe = rng.sample(cards, len(cards))
    round_ = Table(bets, shoe, rng.choice).play()
    return round_, round_.document(shoe)


@settings(deadline=None, max_examples=300)
@given(BETS, SEEDS, st.sampled_from([TELLING, DECK * 8]))
def test_every_round_is_judged_as_a_second_judge_does(bets, rng, cards):
    """Given any bets, shoe and legal play, then the same cards to the same hands, and money."""
    told, document = played(bets, rng, cards)
    answer = quote(ENGINE, FILE.text, document)

    assert answer["accepted"], (answer, document)
    assert told.hands == [[hand["cards"] for hand in b["hands"]] for b in answer["boxes"]]
    assert told.dealer == answer["dealer"]["cards"]
    for at, each in enumerate(answer["boxes"]):
        bets_of = [*each["hands"], *[each["insurance"]] * (each["insurance"] is not None)]
        money = [sum(cents(bet[name]) for bet in bets_of) for name in ("staked", "credited")]
        assert told.money(at) == tuple(money)


@settings(deadline=None, max_examples=200)
@given(BETS, SEEDS)
def test_g1_what_is_staked_is_lost_or_returned(bets, rng):
    """Given any round, then each hand's stake comes back whole or not at all, and sums agree."""
    answer = quote(ENGINE, FILE.text, played(bets, rng, TELLING)[1])
    hands = [hand for each in answer["boxes"] for hand in each["hands"]]
    every = [*hands, *(each["insurance"] for each in answer["boxes"] if each["insurance"])]

    for bet in every:
        lost = cents(bet["staked"]) * (bet["outcome"] in {"lost", "bust"})
        assert cents(bet["staked"]) == lost + cents(bet["stake_returned"])
    for name in ("staked", "winnings", "stake_returned", "credited"):
        assert cents(answer[name]) == sum(cents(bet[name]) for bet in every)
    assert cents(answer["credited"]) == cents(answer["winnings"]) + cents(answer["stake_returned"])


@settings(deadline=None, max_examples=60)
@given(BETS, SEEDS)
def test_a_decided_bet_stays_decided_and_at_the_end_all_are(bets, rng):
    """Given cards drawn from a shoe and any play, then settlements are only ever added to.

    Each card that left the shoe lies in one hand.
    """
    state, came, before = begin(dict(enumerate(bets, 1))), [], set()
    while not isinstance(waits := following(RULES, state), Over):
        if isinstance(waits, DealTo):
            came.append(draw(shoe_of(8, came), rng.randbytes(32)).card)
            state = evolve(state, Dealt(came[-1], waits))
        else:
            assert isinstance(waits, Turn)
            action = rng.choice(waits.allowed)
            assert refusal_of(RULES, state, waits.box, action) is None
            state = evolve(state, Took(waits.box, waits.hand, action))
        decided = set(settle(RULES, state))
        assert before <= decided
        before = decided
    staked = sum(each.bet.amount for each in before)
    hands = [hand for box in state.boxes for hand in box.hands]
    insured = sum(box.bet // 2 for box in state.boxes if box.insured)

    assert insured + sum(h.stake * (2 if h.doubled else 1) for h in hands) == staked
    assert len({s.bet for s in before}) == len(before)
    assert sorted(came) == sorted([*state.dealer, *(card for hand in hands for card in hand.cards)])


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
WORDS = st.sampled_from(["hit", "stand", "double", "split"])
DOCUMENTS = st.fixed_dictionaries(
    {
        "boxes": st.lists(
            st.fixed_dictionaries(
                {"bet": st.sampled_from(["10.00", "0.01", "0.00"])},
                optional={
                    "actions": st.lists(WORDS, max_size=4) | ANYTHING,
                    "insurance": st.booleans(),
                    "even_money": st.booleans(),
                },
            ),
            max_size=3,
        ),
        "shoe": st.lists(st.sampled_from(TELLING), min_size=8, max_size=30) | ANYTHING,
    }
)


@settings(deadline=None, max_examples=200)
@given(DOCUMENTS | ANYTHING)
def test_s6_any_document_is_answered(document):
    """Given any document, then a round that adds up or a refusal with a published code."""
    (line,) = quote_lines(quote, ENGINE, FILE.text, [json.dumps(document)])
    answer = json.loads(line)

    if answer["accepted"]:
        assert cents(answer["staked"]) >= sum(cents(each["bet"]) for each in answer["boxes"])
    else:
        assert answer["refusal"]["code"] in {*Code, *BlackjackCode}
