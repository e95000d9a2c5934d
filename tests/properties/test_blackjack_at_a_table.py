"""A quote and a real table bring the same: boxes, cards and actions go one path to one result."""

from random import Random

from hypothesis import given, settings, strategies as st

from games.blackjack.quote import quote
from games.cards import DECK
from ledger.domain.decider import DealTo, Over
from tests.blackjack_oracle import Table
from tests.blackjack_pit import ENGINE, SHEET, BlackjackPit, findings
from tests.blackjack_table import FILE
from tests.properties.test_blackjack import TELLING, cents

BETS = st.lists(st.integers(1, 5_000), min_size=1, max_size=4)


def play(pit, script, shoe):
    """Deal the shoe at the table, each box doing what its script says and standing after it."""
    sheet = ENGINE.read_sheet(SHEET.text)
    cards = iter(shoe)
    pit.deal(next(cards))
    while not isinstance(waits := ENGINE.following(sheet, pit.table.round.dealing), Over):
        if isinstance(waits, DealTo):
            pit.deal(next(cards))
            continue
        left = script[waits.seat]
        answer = pit.act(left.pop(0) if left else "stand", waits.seat)
        assert answer.refusal is None, answer.message


def scripts(document):
    """The actions of each box by its seat, what opens its turn first."""
    opening = {"insurance": "insurance", "even_money": "even-money"}
    return {
        seat: [name for field, name in opening.items() if box[field]] + list(box["actions"])
        for seat, box in enumerate(document["boxes"], 1)
    }


@settings(deadline=None, max_examples=20)
@given(BETS, st.integers(0, 2**32 - 1).map(Random))
def test_a_table_brings_to_the_cent_what_the_quote_of_its_cards_says(bets, rng):
    """Given any bets, cards and legal play, then each posta has what its box is quoted."""
    shoe = rng.sample(TELLING, len(TELLING)) if rng.random() < 0.7 else rng.sample(DECK * 8, 200)
    document = Table(bets, shoe, rng.choice).play().document(shoe)
    quoted = quote(ENGINE, FILE.text, document)
    pit = BlackjackPit(len(bets))
    pit.begin(*(box["bet"] for box in document["boxes"]))

    play(pit, scripts(document), shoe)
    dealer = pit.table.round.dealing
    pit.settle()

    for seat, box in enumerate(quoted["boxes"], 1):
        brought = [*box["hands"], *[box["insurance"]] * (box["insurance"] is not None)]
        won = sum(cents(each["credited"]) - cents(each["staked"]) for each in brought)
        assert won == pit.won(seat), document
        assert () == pit.session(seat).rounds
    told = [step.details.card for step in dealer.steps if getattr(step, "seat", 0) is None]
    assert quoted["dealer"]["cards"] == told
    assert [] == findings(pit.book.entries)
    assert 0 == sum(pit.balances().values())
