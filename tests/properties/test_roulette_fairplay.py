"""Roulette by account type for any bets: quote is play, money is conserved, nothing fails."""

import json
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings, strategies as st

from games.documents import quote_lines
from games.roulette.fairplay.bets import FairPlayBets, FairPlaySpin, parse
from games.roulette.fairplay.limits import OwnLimits, read_own
from games.roulette.fairplay.quote import quote
from games.roulette.layout import PLACEMENTS, Kind
from ledger.domain import rounds, session as ses
from ledger.domain.events import BetPlaced, PayoutCredited, RoundSettled
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Refusal
from ledger.domain.rules import Rules
from ledger.domain.sheets import Published
from tests.fairplay_table import ACCOUNTS, ENGINE, FAIRPLAY, ask, opened
from tests.roulette_table import ROUND

POSTA = 500_000
AMOUNTS = st.one_of(
    st.sampled_from(["1.00", "5.00", "10.00", "20.00", "50.00"]),
    st.integers(1, 6000).map(format_amount),
)
SECTORS = {"zero-spiel": 4, "voisins": 9, "orphelins": 5, "serie": 6}
OFFERED = [p for p in PLACEMENTS if p.kind is not Kind.FIRST_FOUR]
NUMBERS = st.integers(0, 36)


@st.composite
def lines(draw):
    """One bet written in any of the four ways."""
    amount = draw(AMOUNTS)
    numbers = st.sampled_from(OFFERED).flatmap(lambda p: st.permutations(p.numbers))
    return draw(
        st.one_of(
            st.builds(lambda n: {"numbers": n, "amount": amount}, numbers),
            st.builds(lambda n: {"neighbours": n, "chip": amount}, NUMBERS),
            st.builds(lambda a: {"announced": a, "chip": amount}, st.sampled_from(list(SECTORS))),
        )
    )


TABLES = st.lists(lines(), max_size=6)


def play(bets, account, number, offset):
    """The session after a round with a series' number, as the book's own steps play it."""
    move = parse({"bets": bets})
    view = opened(move, account, offset=offset)
    terms = ses.Terms("anna", view.rules.sheet, Currency.RUR, POSTA, 1200)
    session = ses.evolve(ses.Open(terms, posta=POSTA, funded=POSTA), view.history[0])
    published = Published(view.rules, datetime(2026, 1, 1, tzinfo=UTC), "-", FAIRPLAY)
    rules = Rules(ENGINE, published)
    start = rounds.Play(session, (), (bytes([number]),))
    placed = rounds.step(rules, start, ROUND, move)
    return placed if isinstance(placed, Refusal) else rounds.finish(rules, placed, ROUND)


@settings(deadline=None)
@given(TABLES, st.sampled_from(ACCOUNTS), NUMBERS, NUMBERS)
def test_g1_a_quote_tells_what_play_does_with_the_same_number_and_offset(
    bets, account, number, offset
):
    """Posta, stakes and payouts add up, and quote answers the very amounts or the very refusal."""
    quoted = ask(account=account, bets=bets, series_number=number, offset=offset, posta="5000.00")
    played = play(bets, account, number, offset)
    if isinstance(played, Refusal):
        assert {"code": played.code.value, "message": played.message} == quoted["refusal"]
        return
    placed = [e for e in played.events if isinstance(e, BetPlaced)]
    paid = [e for e in played.events if isinstance(e, PayoutCredited)]
    credited = sum(e.winnings + e.stake_returned for e in paid)
    end = played.events[-1]

    assert isinstance(end, RoundSettled)
    assert POSTA - sum(e.amount for e in placed) + credited == played.session.posta
    assert end.staked == end.stake_returned + end.stakes_lost
    assert [format_amount(end.staked), format_amount(credited)] == [
        quoted["staked"],
        quoted["credited"],
    ]
    assert len(placed) == len({e.details.numbers for e in placed}) == len(quoted["bets"])


@settings(deadline=None)
@given(TABLES, TABLES, st.sampled_from(ACCOUNTS), st.binary(min_size=1, max_size=3))
def test_g7_whatever_is_bet_the_same_bytes_give_the_same_outcome(one, two, account, pool):
    """The draw's entropy and pocket do not depend on bets, amounts or account type."""
    drawn = []
    for bets in (one, two):
        move = parse({"bets": bets})
        view = opened(move, account)
        placed = ENGINE.decide(view, move, None)
        if isinstance(placed, tuple):
            view = replace(view, history=(*view.history, *placed))
        spun = ENGINE.decide(view, FairPlaySpin(), pool)
        drawn.append((spun[0].entropy, spun[0].details) if isinstance(spun, tuple) else spun)

    assert drawn[0] == drawn[1]


@settings(deadline=None)
@given(st.sampled_from(list(SECTORS)), st.integers(1, 20_000), NUMBERS)
def test_c2_a_divided_stake_is_credited_within_half_a_kopeck_of_its_exact_share(
    name, stake, pocket
):
    """What one kopeck on each part would bring, times the stake, over the number of parts."""
    loose = {row: {"min": "0.01", "max": "9999999"} for row in ("straight", "split", "street")}
    limits = {
        "positions": loose | {"corner": loose["split"]},
        "groups": {"inside": {"min": "0.01", "max": "9999999"}},
    }
    whole = {"account": "VIP", "outcome": pocket, "limits": limits}
    one = ask(**whole, bets=[{"announced": name, "chip": "0.01"}])
    answer = ask(**whole, bets=[{"announced": name, "stake": format_amount(stake)}])
    exact = int(one["credited"].replace(".", "")) * stake
    credited, returned, won = (
        int(answer[key].replace(".", "")) for key in ("credited", "stake_returned", "winnings")
    )

    assert -SECTORS[name] <= 2 * (exact - credited * SECTORS[name]) < SECTORS[name]
    assert credited == returned + won
    assert 0 <= returned <= stake
    assert won >= 0


KEYS = st.sampled_from(
    [
        *("bets", "account", "limits", "posta", "outcome", "series_number", "offset", "demo"),
        *("numbers", "amount", "chance", "announced", "neighbours", "chip", "stake"),
        *("positions", "groups", "straight", "inside", "min", "max", ""),
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
)
JSON = st.recursive(
    SCALARS | st.sampled_from(["1.00", "red", "voisins", "VIP"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(JSON)
def test_s6_any_json_value_is_read_or_refused(document):
    """As a move, as own limits, and in every place of a quote."""
    good = {"account": "VIP", "bets": [], "outcome": 1}
    assert isinstance(parse(document), FairPlayBets | Refusal)
    assert isinstance(read_own(document), OwnLimits | Refusal)
    for value in (document, *(good | {key: document} for key in (*good, "limits", "posta"))):
        assert quote(ENGINE, FAIRPLAY, value)["accepted"] in (True, False)


@settings(deadline=None)
@given(st.lists(st.text(max_size=60) | JSON.map(json.dumps) | st.binary(max_size=20), max_size=8))
def test_s6_every_line_has_exactly_one_answer(texts):
    """Whatever the lines hold, as many answers come, each one JSON document."""
    answers = list(quote_lines(quote, ENGINE, FAIRPLAY, texts))

    assert len(texts) == len(answers)
    assert all("accepted" in json.loads(answer) for answer in answers)
