"""A golden deal: what a round of Live Blackjack wrote on its first day is read and judged as then.

Seat 1 insures 8-8 against an ace and splits to 18 and 20; seat 2 takes even money; the dealer makes
17: 10.00 won on each hand less the insurance of 5.00, and 10.00 for the Blackjack (G5, G8).
"""

from pathlib import Path

import orjson
import pytest
from eventsourcing.persistence import StoredEvent

from games import registry
from ledger.domain import events as ev
from ledger.domain.ids import stream_key
from ledger.store.codec import Codec
from tests.blackjack_pit import PUBLISHED, SHEET_REF, findings
from tests.scenes import uid

CODEC = Codec(registry.DETAILS)
GOLDEN = Path(__file__).parents[2] / "golden" / "live-blackjack-deal.jsonl"
NO_HASH = "0" * 64
"""In the place of the sheet's hash, which is another test's."""


@pytest.fixture(scope="module")
def rows():
    """The rows as they stand on disk."""
    lines = [orjson.loads(line) for line in GOLDEN.read_bytes().splitlines()]
    rows = []
    for line in lines:
        text = line["state"].replace(NO_HASH, SHEET_REF.hash)
        told = orjson.loads(text)
        key = stream_key(told["stream"])
        rows.append(StoredEvent(key, told["version"], line["topic"], text.encode()))
    return rows


def test_g5_a_deal_on_disk_is_read_and_written_to_the_byte(rows):
    """Every event of the table and of both sessions."""
    assert rows == [CODEC.encode(CODEC.decode(row)) for row in rows]
    assert {"shoe-shuffled", "dealing-begun", "card-dealt", "turn-taken", "box-decided"} <= {
        row.topic for row in rows
    }


def test_g8_a_deal_on_disk_is_judged_as_on_its_first_day(rows):
    """No judgement differs, and the money is what the rules make by hand."""
    entries = [CODEC.decode(row) for row in rows]

    assert PUBLISHED.ref == next(e.event.rules for e in entries if hasattr(e.event, "rules"))
    assert [] == findings(entries)
    ended = {e.stream: e.event for e in entries if isinstance(e.event, ev.RoundSettled)}
    figures = {name: (e.staked, e.winnings, e.stake_returned) for name, e in ended.items()}
    assert {
        f"session:{uid(1)}": (25_00, 20_00, 20_00),
        f"session:{uid(2)}": (10_00, 10_00, 10_00),
    } == figures
