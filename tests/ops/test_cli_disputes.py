"""Disputes, their files and erasure as a clerk types them; what they do is tested at the desk."""

import json
from datetime import datetime
from pathlib import Path
from uuid import UUID

import pytest

from tests.program import Shop

CLAIM = "Ho puntato 17, non 27. Zoë Forlì"
BETS = '{"bets":[{"numbers":[17],"amount":"1.00"},{"chance":"red","amount":"5.00"}]}'
CLOSE = ("--decider", "maria", "--decision", "dismissed", "--reason", "i colpi seguono le regole")


def test_fr11_a_dispute_from_its_claim_to_its_file(shop: Shop, tmp_path: Path):
    """Given a round, then claim, answer and decision are told, and a folder holds all of it."""
    session = shop.session(shop.player("anna-1"))
    round_id = shop.say("play", session, BETS)["command"]
    (tmp_path / "claim").write_text(f"{CLAIM}\n", encoding="utf-8")
    claim = ("--by", "player", "--channel", "mail", "--claim", f"@{tmp_path / 'claim'}")
    dispute = shop.say("dispute", "open", round_id, *claim)["command"]
    shop.say("dispute", "add", dispute, "--by", "house", "--note", "we look into it")
    shop.say("dispute", "close", dispute, *CLOSE)
    shop.say("seal")

    human = shop.quick("dispute", "show", dispute)
    told = shop.say("dispute", "show", dispute)
    listed = shop.say("dispute", "list", "anna-1")
    pack = ("dispute", "pack", dispute, "--out", str(tmp_path / "out"))
    folder = Path(shop.say(*pack)["folder"])
    taken = shop.quick(*pack)

    assert (0, True) == (human.code, CLAIM in human.out)
    assert (session, round_id, "closed") == tuple(told[n] for n in ("session", "round", "state"))
    assert [(CLAIM, "player"), ("we look into it", "house"), (CLOSE[-1], "maria")] == [
        (contact["text"], contact["by"]) for contact in told["contacts"]
    ]
    assert [dispute] == [row["dispute"] for row in listed]
    assert {"dispute.pdf", "README.txt", "SHA256SUMS"} < {p.name for p in folder.iterdir()}
    assert (2, True) == (taken.code, "another folder" in taken.err)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("open", str(UUID(int=5)), "--claim", "x"), 1, "unknown-session"),
        (("open", str(UUID(int=5)), "--claim", "a\x07b"), 2, "one line"),
        (("open", str(UUID(int=5)), "--claim", "x", "--by", "me"), 2, "representative"),
        (("add", str(UUID(int=5)), "--note", "x"), 1, "unknown-dispute"),
        (("close", str(UUID(int=5)), *CLOSE[:3], "won", *CLOSE[4:]), 2, "partly-upheld"),
        (("show", str(UUID(int=5))), 1, "unknown-dispute"),
        (("show", "five"), 2, "--help"),
        (("pack", str(UUID(int=5)), "--out", "/nonexistent"), 1, "unknown-dispute"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_do(shop, arguments, code, said):
    """Given an unknown id, a wrong word or an odd text, then nothing is written."""
    before = shop.events()

    done = shop.quick("dispute", *arguments)

    assert (code, "", before) == (done.code, done.out, shop.events())
    assert said in done.err


def test_g10_a_player_is_forgotten_when_the_time_of_the_records_is_over(timed_shop):
    """Given a conto that was closed, then each refusal says from when, and then it is done."""
    shop = timed_shop
    shop.say("conto", "open", "anna-1", "--name", "Zoë Forlì")
    forget = ("player", "forget", "anna-1", "--reason", "ten years are over")
    early = shop.quick(*forget)
    shop.say("conto", "close", "anna-1", "--reason", "asked")
    running = shop.quick(*forget)
    shown = shop.say("conto", "show", "anna-1")
    clock = shop.home / "clock"
    clock.write_text(datetime.fromisoformat(shown["kept_until"]).isoformat())

    done = shop.quick(*forget, "--json")

    assert [1, 1] == [early.code, running.code]
    assert "conto-not-closed" in early.err
    assert "2036-12-01" in running.err
    assert (0, ["player-forgotten"]) == (
        done.code,
        [event["name"] for event in json.loads(done.out)["events"]],
    )
    assert ("closed", {"name": "Zoë Forlì"}) == (shown["state"], shown["holder"])
    after = shop.say("conto", "show", "anna-1")
    assert ("closed", "erased") == (after["state"], after["holder"])
    assert {"erase-forgotten": {"done": 0}} == shop.say("duties", "erase-forgotten")
