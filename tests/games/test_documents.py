"""Documents from outside are read strictly, line by line (fault S6)."""

import json

import pytest

from games.documents import TEXT_MAX, quote_lines, read_json
from games.roulette.quote import quote
from ledger.domain.refusals import Code, Refusal
from tests.roulette_table import CLASSIC, ENGINE

UNREADABLE = [
    "",
    "{",
    "nil",
    '{"a": 1, "a": 1}',
    '{"a": {"b": 1, "b": 2}}',
    "NaN",
    "[Infinity]",
    "[-Infinity]",
    "[1] [2]",
    "9" * 5000,
    "[" * 50_000,
    " " * (TEXT_MAX + 1),
    b"\xff\xfe",
    "'a'",
]


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_s6_what_is_no_strict_json_is_malformed(text):
    """Each is refused as a value; none raises and none is guessed at."""
    answer = read_json(text)

    assert isinstance(answer, Refusal)
    assert answer.code == Code.MALFORMED


def test_s6_a_strict_document_is_read_as_it_is():
    """Text and bytes in UTF-8 alike."""
    assert read_json('{"a": [1, "è", null]}') == {"a": [1, "è", None]}
    assert read_json('{"a": [1, "è", null]}'.encode()) == {"a": [1, "è", None]}


def test_each_line_has_its_answer_in_order_and_a_malformed_one_stops_nothing():
    """Good, malformed, empty, refused, good: five lines, five answers."""
    good = '{"bets": [{"numbers": [5], "amount": "1.00"}], "outcome": 5}\n'
    refused = '{"bets": [{"numbers": [5, 7], "amount": "1.00"}], "outcome": 5}\n'
    answers = [
        json.loads(answer)
        for answer in quote_lines(quote, ENGINE, CLASSIC, [good, "{\n", "\n", refused, good])
    ]

    assert [a["accepted"] for a in answers] == [True, False, False, False, True]
    assert [a["refusal"]["code"] for a in answers if not a["accepted"]] == [
        "malformed",
        "malformed",
        "illegal-placement",
    ]
