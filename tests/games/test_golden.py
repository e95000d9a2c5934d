"""Golden rounds of every published sheet version, worked by hand; they stay tests for ever (G8)."""

import json
from pathlib import Path

import pytest

from games.registry import BY_ENGINE, PACKAGED

GOLDEN = Path(__file__).parents[1] / "golden"
ROUNDS = [
    json.loads(line)
    for name in ("european-roulette", "roulette-fairplay", "french-roulette", "live-blackjack")
    for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines()
]
TEXTS = {(sheet.sheet, sheet.version): sheet for sheet in PACKAGED}


@pytest.mark.parametrize("golden", ROUNDS, ids=[golden["why"] for golden in ROUNDS])
def test_g8_a_golden_round_is_judged_as_on_its_first_day(golden):
    """The sheet version that the round names gives the answer worked by hand."""
    sheet = TEXTS[golden["sheet"], golden["version"]]
    game = BY_ENGINE[sheet.engine]
    answer = game.quote(game.engine, sheet.text, golden["document"])
    if "refusal" in golden:
        assert golden["refusal"] == answer["refusal"]["code"]
    else:
        assert {"accepted": True, **golden["answer"]} == answer


def test_g8_every_packaged_version_has_golden_rounds():
    """A version without them could change unnoticed; Deuces Wild's are all its deals (S15)."""
    others = {key for key, sheet in TEXTS.items() if sheet.sheet != "deuces-wild"}

    assert others == {(golden["sheet"], golden["version"]) for golden in ROUNDS}
