"""Roulette for any bets: money is conserved, quote is play, and no document makes it fail."""

import json
from datetime import UTC, datetime

from hypothesis import given, settings, strategies as st

from games.documents import quote_lines
from games.roulette.bets import RouletteBets, Spin, parse
from games.roulette.layout import PLACEMENTS
from games.roulette.quote import quote
from ledger.domain import rounds, session as ses
from ledger.domain.decider import NeedsDraw
from ledger.domain.events import BetPlaced, BetRefunded, PayoutCredited, RoundSettled
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rules import Rules
from ledger.domain.sheets import Published
from ledger.domain.terms import Terms
from tests.roulette_table import CLASSIC, ENGINE, PREMIUM, ROUND, VIP, after, opened, with_bets

POSTA = 100_000
SMALLEST = {CLASSIC: 25, PREMIUM: 100, VIP: 500}
CHANCES = ["red", "black", "even", "odd", "low", "high"]


def amounts(smallest):
    """Texts of amounts that a family's chips make."""
    return st.integers(1, 40).map(lambda chips: format_amount(chips * smallest))


@st.composite
def lines(draw, smallest):
    """One bet that the table takes, written in any of the three ways."""
    amount = draw(amounts(smallest))
    numbers = st.sampled_from(PLACEMENTS).flatmap(lambda p: st.permutations(p.numbers))
    return draw(
        st.one_of(
            st.builds(lambda n: {"numbers": n, "amount": amount}, numbers),
            st.builds(lambda c: {"chance": c, "amount": amount}, st.sampled_from(CHANCES)),
            st.builds(
                lambda a: {"announced": a, "chip": amount},
                st.sampled_from(["voisins", "serie", "orphelins"]),
            ),
        )
    )


@st.composite
def tables(draw):
    """A sheet's text with some bets under it."""
    text = draw(st.sampled_from([CLASSIC, PREMIUM, VIP]))
    return text, draw(st.lists(lines(SMALLEST[text]), min_size=1, max_size=12))


OUTCOMES = st.integers(0, 36)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
)
KEYS = st.sampled_from(["bets", "numbers", "amount", "chance", "announced", "chip", "outcome", ""])
JSON = st.recursive(
    SCALARS | st.sampled_from(["1.00", "red", "voisins"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def play(text, bets, outcome):
    """The session after a round that was played to its end as the book plays it."""
    move = ENGINE.parse({"bets": bets})
    view = opened(text, move)
    terms = Terms("anna", view.rules.sheet, Currency.EUR, POSTA, 1200)
    session = ses.evolve(ses.Open(terms, posta=POSTA, funded=POSTA), view.history[0])
    published = Published(view.rules, datetime(2026, 1, 1, tzinfo=UTC), "roulette/1", text)
    rules = Rules(ENGINE, published)
    start = rounds.Play(session, (), (bytes([outcome]),))
    placed = rounds.step(rules, start, ROUND, move)
    return placed if isinstance(placed, Refusal) else rounds.finish(rules, placed, ROUND)


@settings(deadline=None)
@given(tables(), OUTCOMES)
def test_g1_a_round_conserves_money_and_a_quote_tells_what_play_does(table, outcome):
    """Posta, stakes and payouts add up, and quote answers the very amounts that play books."""
    text, bets = table
    document = {"bets": bets, "outcome": outcome, "posta": format_amount(POSTA)}
    quoted = quote(ENGINE, text, document)
    played = play(text, bets, outcome)
    if isinstance(played, Refusal):
        assert {"code": played.code.value, "message": played.message} == quoted["refusal"]
        return
    placed = [e for e in played.events if isinstance(e, BetPlaced)]
    paid = [e for e in played.events if isinstance(e, PayoutCredited)]
    end = played.events[-1]
    credited = sum(e.winnings + e.stake_returned for e in paid)

    assert isinstance(end, RoundSettled)
    assert POSTA - sum(e.amount for e in placed) + credited == played.session.posta
    assert end.staked == end.stake_returned + end.stakes_lost
    assert played.session.rounds == ()
    assert [format_amount(end.staked), format_amount(credited)] == [
        quoted["staked"],
        quoted["credited"],
    ]
    by_bet = {e.bet: e.winnings + e.stake_returned for e in paid}
    assert [format_amount(by_bet.get(e.bet, 0)) for e in placed] == [
        bet["credited"] for bet in quoted["bets"]
    ]


def gives_back(placed, amount, bet):
    """The refund of a part of a bet."""
    common = {"round": ROUND, "game": "roulette", "rules": placed.rules}
    money = {"amount": amount, "currency": placed.currency}
    return BetRefunded(**common, bet=bet, **money, reason="chip fell")


@settings(deadline=None)
@given(tables(), OUTCOMES, st.data())
def test_g9_with_parts_refunded_a_round_is_the_round_of_the_rest(table, outcome, data):
    """Each bet pays as if only its rest had been placed, and the posta adds up to the cent."""
    text, bets = table
    view = with_bets(bets, text)
    placed = [e for e in view.history if isinstance(e, BetPlaced)]
    parts = {b.bet: data.draw(st.integers(0, b.amount), label=f"bet {b.bet}") for b in placed}
    refunds = tuple(gives_back(b, parts[b.bet], b.bet) for b in placed if parts[b.bet])
    rest = tuple(
        b.model_copy(update={"amount": b.amount - parts[b.bet]})
        for b in placed
        if b.amount > parts[b.bet]
    )
    terms = Terms("anna", view.rules.sheet, Currency.EUR, POSTA, 1200)
    session = ses.Open(terms, posta=POSTA, funded=POSTA)
    if not rest:
        assert ENGINE.decide(after(view, refunds), Spin(), bytes([outcome])).code == Code.NO_BET
        return
    events = ENGINE.decide(after(view, refunds), Spin(), bytes([outcome]))
    plain = ENGINE.decide(after(opened(text), rest), Spin(), bytes([outcome]))
    for event in (*view.history, *refunds, *events):
        session = ses.evolve(session, event)
    end, back = events[-1], sum(parts.values())

    assert plain[:-1] == events[:-1]
    assert (plain[-1].staked + back, plain[-1].stakes_lost, back) == (
        end.staked,
        end.stakes_lost,
        end.refunded,
    )
    assert POSTA - end.stakes_lost + end.winnings == session.posta
    assert end.staked == end.stake_returned + end.stakes_lost + end.refunded


@settings(deadline=None)
@given(tables(), OUTCOMES, st.randoms(use_true_random=False))
def test_the_order_of_bets_does_not_change_what_they_bring(table, outcome, random):
    """However the lines are shuffled, each position has the same sum and the same payout."""
    text, bets = table
    shuffled = random.sample(bets, len(bets))
    one, two = (quote(ENGINE, text, {"bets": b, "outcome": outcome}) for b in (bets, shuffled))

    assert sorted(one.pop("bets"), key=str) == sorted(two.pop("bets"), key=str)
    assert one == two


@settings(deadline=None)
@given(tables(), OUTCOMES)
def test_one_bet_is_placed_for_each_position_and_none_twice(table, outcome):
    """The bets on record are distinct positions, and their sum is what the lines stake."""
    text, bets = table
    chips = {"voisins": 9, "serie": 6, "orphelins": 5}
    staked = sum(
        int((bet.get("amount") or bet["chip"]).replace(".", ""))
        * chips.get(bet.get("announced"), 1)
        for bet in bets
    )
    answer = quote(ENGINE, text, {"bets": bets, "outcome": outcome})
    positions = [tuple(bet["numbers"]) for bet in answer["bets"]]

    assert len(positions) == len(set(positions))
    assert format_amount(staked) == answer["staked"]


@settings(deadline=None)
@given(tables(), tables(), st.binary(min_size=1, max_size=3))
def test_g7_whatever_is_bet_the_same_bytes_give_the_same_outcome(one, two, pool):
    """The draw's entropy and pocket do not depend on bets, amounts or family."""
    spun = [ENGINE.decide(with_bets(bets, text), Spin(), pool) for text, bets in (one, two)]
    first, second = (s if isinstance(s, NeedsDraw) else (s[0].entropy, s[0].details) for s in spun)

    assert first == second


@settings(deadline=None)
@given(JSON)
def test_s6_any_json_value_is_read_or_refused(document):
    """The parser answers a move or a refusal whatever it is given, alone or as the list of bets."""
    for value in (document, {"bets": document}, {"bets": [document]}):
        assert isinstance(parse(value), RouletteBets | Refusal)
        assert quote(ENGINE, CLASSIC, value)["accepted"] in (True, False)


@settings(deadline=None)
@given(st.lists(st.text(max_size=60) | JSON.map(json.dumps) | st.binary(max_size=20), max_size=8))
def test_s6_every_line_has_exactly_one_answer(texts):
    """Whatever the lines hold, as many answers come, each one JSON document."""
    answers = list(quote_lines(quote, ENGINE, CLASSIC, texts))

    assert len(texts) == len(answers)
    assert all("accepted" in json.loads(answer) for answer in answers)
