"""Shoes held against chance: exact where they are small, by seeded simulation, and in a book.

A simulated shoe deals 208 of its cards, as one whose cutting card lies in the middle does.
"""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from games.blackjack.moves import BlackjackCard
from games.blackjack.watching import ranks
from games.cards import RANKS
from games.engine import Fall
from ledger.domain import commands as cmd
from tests.blackjack_pit import ENGINE, SHEET
from tests.workers.boxes import TABLE, Table
from workers.biases import RATIOS, SCALE, scaled
from workers.days import Days, day_of
from workers.log import connected, transaction
from workers.monitoring.looks import EVIDENCE
from workers.monitoring.standing import Outcomes, outcomes
from workers.monitoring.statistics import mixed
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.projections.shoes import told

FULL = np.full(13, 32)
DEALT = 208
READ = ENGINE.read_sheet(SHEET.text)


def evidence_of(cards, counts):
    """The evidence that a run of outcomes out of a small shoe holds."""
    left, sums = Counter(counts), Counter()
    for card in cards:
        total = left.total()
        fall = Fall("any", card, {name: Fraction(left[name], total) for name in counts})
        sums.update(told(fall))
        left[card] -= 1
    return Outcomes(Counter(cards), {}, tuple(sums.values())).evidence


@pytest.mark.parametrize("dealt", [1, 3, 5])
def test_evidence_of_a_shoe_is_a_martingale_under_chance(dealt):
    """Averaged over all orders of a shoe of 6 cards, after 1, 3 and 5 of them, it is 1.

    Each step is rounded down by less than a billionth, so that chance alone never gains.
    """
    counts = {"a": 3, "b": 2, "c": 1}
    orders = list(permutations("aaabbc"))
    mean = sum(math.exp(evidence_of(order[:dealt], counts)) for order in orders) / len(orders)

    assert 1 >= mean
    assert pytest.approx(1, abs=1e-8) == mean


def tables_of_logs():
    """What an outcome adds where it came and where not, by ratio, cards of it left, cards left."""
    came = np.zeros((len(RATIOS), 33, 417))
    away = np.zeros((len(RATIOS), 33, 417))
    for left in range(33):
        for total in range(416 - DEALT, 417):
            for at, (_, *both) in enumerate(scaled(Fraction(left, total))):
                came[at, left, total], away[at, left, total] = both
    return came / SCALE, away / SCALE


@pytest.fixture(scope="module")
def logs():
    """Looked up by all simulated shoes."""
    return tables_of_logs()


def dealt_shoes(dice, in_shoe, tables):
    """The ranks that one shoe deals at each of many tables; `in_shoe` is what is in it."""
    cards = np.repeat(np.arange(13), in_shoe)
    return dice.permuted(np.tile(cards, (tables, 1)), axis=1)[:, :DEALT]


def told_by(shoes, logs):
    """What the cards of shoes tell of every bias, beside what they should still hold."""
    came, away = logs
    tables, rows = len(shoes), np.arange(len(shoes))
    left, sums = np.tile(FULL, (tables, 1)), np.zeros((tables, len(RATIOS), 13))
    for total, fell in zip(range(416, 416 - DEALT, -1), shoes.T, strict=True):
        sums += away[:, left, total].transpose(1, 0, 2)
        sums[rows, :, fell] += (came - away)[:, left[rows, fell], total].T
        left[rows, fell] -= 1
    return sums


def first_alarms(seed, in_shoe, tables, shoes, logs):
    """After how many shoes each table first alarms, looked at after each; infinite where never."""
    dice = np.random.default_rng(seed)
    sums, found = np.zeros((tables, len(RATIOS), 13)), np.full(tables, np.inf)
    for number in range(1, shoes + 1):
        sums += told_by(dealt_shoes(dice, in_shoe, tables), logs)
        most = sums.max(axis=(1, 2), keepdims=True)
        value = most[:, 0, 0] + np.log(np.exp(sums - most).mean(axis=(1, 2)))
        found[np.isinf(found) & (value >= EVIDENCE["alarm"])] = number
    return found


def without_aces(missing):
    """A shoe from which so many aces are gone."""
    return FULL - np.eye(13, dtype=int)[RANKS.index("A")] * missing


def test_the_simulated_shoe_tells_what_the_product_tells(logs):
    """Given the same 208 cards, then the same sums by the product's own functions."""
    cards = [int(n) for n in np.random.default_rng(8).permutation(np.repeat(np.arange(13), 32))]
    dealt = [BlackjackCard(card=f"{RANKS[n]}c") for n in cards[:DEALT]]
    sums = Counter()
    for fall in ranks(READ, dealt):
        sums.update(told(fall))
    (simulated,) = told_by(np.array([cards[:DEALT]]), logs)

    for at, ratio in enumerate(RATIOS):
        for n, rank in enumerate(RANKS):
            expected = sums["rank", rank, str(ratio)] / SCALE
            assert pytest.approx(expected, abs=1e-9) == simulated[at, n]


def test_fair_shoes_raise_an_alarm_no_more_often_than_the_level_says(logs):
    """Of 300 seeded tables with 60 shoes each, at most 1 % should: 3, and 8 with 99 % certainty."""
    alarms = np.isfinite(first_alarms(52, FULL, 300, 60, logs))

    assert 8 >= alarms.sum()


@pytest.mark.parametrize(("missing", "most"), [(16, 6), (8, 20)])
def test_shoes_without_some_aces_are_found_within_a_stated_number(missing, most, logs):
    """Of 100 seeded tables 95 at least: 16 of 32 aces missing within 6 shoes, 8 within 20."""
    found = first_alarms(416, without_aces(missing), 100, most, logs)

    assert 95 <= np.isfinite(found).sum()


def played(casino):
    """A table with two shoes: a void round of eight cards is in the first, three are in the next.

    The third shoe is in play, and is not counted yet.
    """
    table = Table(casino)
    for cards in ("Ah Ad 9c", "Kh 9s 8c"):
        table.begin("anna")
        table.deal(cards)
        casino.send(cmd.VoidTableRound, **TABLE, reason="cards misread")
        casino.send(cmd.ShuffleShoe, **TABLE)
    casino.seal()
    project_all(casino.ports)
    return casino


def test_a_shoe_is_counted_when_the_next_one_is_shuffled(casino):
    """Two aces and a nine in the first shoe; a king, a nine and an eight in the second."""
    played(casino)
    text = "SELECT draw, outcome, times FROM {book}.p_outcomes ORDER BY draw, outcome"
    rows = casino.rows(text)

    assert [
        ("first-card", "Ah", 1), ("first-card", "Kh", 1),
        ("rank", "8", 1), ("rank", "9", 2), ("rank", "A", 2), ("rank", "K", 1),
    ] == rows  # fmt: skip
    rebuild(casino.ports, "rtp")
    assert rows == casino.rows(text)


def test_what_six_cards_tell_is_worked_out_by_hand(casino):
    """An ace of 32 in 416 and one of 31 in 415 are each twice as likely at twice as often.

    The other four are (1 - 2p) / (1 - p) times as likely, where p is 30 in 414 after two aces, then
    32 in 416, 415 and 414 in the fresh shoe. Each of six steps is rounded down by a billionth.
    """
    played(casino)
    shares = (Fraction(30, 414), Fraction(32, 416), Fraction(32, 415), Fraction(32, 414))
    likelier = 4 * math.prod(float((1 - 2 * p) / (1 - p)) for p in shares)
    query = "SELECT billionths FROM {book}.p_evidence WHERE outcome = 'A' AND ratio = '2.0'"
    ((billionths,),) = casino.rows(query)

    assert 0 <= math.log(likelier) * SCALE - billionths < 6 + 0.01
    days = Days(day_of(casino.now), day_of(casino.now))
    with connected(casino.ports, "reader") as link, transaction(link, frozen=True) as cursor:
        found = {key[3]: fell for key, fell in outcomes(cursor, casino.ports, days).items()}
    rank, first = found["rank"], found["first-card"]
    assert (6, 52, None) == (rank.total, len(rank.told), rank.tested)
    assert mixed(each / SCALE for each in rank.told) == rank.evidence
    assert 51 == first.tested.freedom
