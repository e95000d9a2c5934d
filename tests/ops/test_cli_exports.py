"""Packages at the command line: exported by a house, verified by who has no house (G5, G6, G10)."""

import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import orjson
import pytest

from ledger.seal.notes import SigningKey
from ops.vault import Vault
from tests.program import Shop, simulated_shop

RED = '{"bets":[{"chance":"red","amount":"5.00"}]}'
DAY = "2026-12-01"


def let_pass(shop: Shop, by: timedelta) -> None:
    """Let simulated time pass."""
    clock = shop.home / "clock"
    clock.write_text((datetime.fromisoformat(clock.read_text()) + by).isoformat())


@pytest.fixture(scope="module")
def closed(forks: subprocess.Popen, cluster: str, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """A shop in which Anna played and Carla came on 1 December; it is noon of the next day."""
    shop = simulated_shop(forks, cluster, tmp_path_factory.mktemp("closed"))
    shop.say("conto", "open", "anna-1", "--name", "Anna Bianchi", "--nickname", "Anna B")
    shop.say("conto", "open", "carla-3", "--name", "Carla Rossi")
    shop.say("conto", "deposit", "anna-1", "100.00")
    session = shop.session("anna-1")
    for _ in range(3):
        shop.say("play", session, RED)
    shop.say("seal")
    let_pass(shop, timedelta(days=1))
    return shop


def published(shop: Shop) -> tuple[str, ...]:
    """The options by which the house's key and origin are trusted, as it publishes them."""
    text = Path(shop.settings["SIGNING_KEY"]).read_text(encoding="utf-8").strip()
    key = SigningKey.parse(text).verifying_key
    return ("--key", key.text(), "--origin", key.name)


def test_g6_what_a_house_exports_is_verified_where_no_house_is(closed, program, tmp_path):
    """Given two packages, when verified without database or settings, then all is proved."""
    first, second = tmp_path / "first", tmp_path / "second"
    done = closed.say("export", "--from", DAY, "--to", DAY, "--out", str(first))
    let_pass(closed, timedelta(days=1))
    manifest = str(first / "manifest.json")
    days = ("--from", "2026-12-02", "--to", "2026-12-02")
    closed.say("export", *days, "--out", str(second), "--previous", manifest)
    closed.player("bruno")
    sealed = tmp_path / "sealed.json"
    sealed.write_text(closed.quick("seal", "--json").out)

    key = published(closed)
    verdict = program.say("verify", str(first), *key, DATABASE_URL="nonsense")
    after = program.say("verify", str(second), *key, "--previous", str(first))

    assert (True, 0, done["size"], done["root"]) == tuple(
        verdict[name] for name in ("holds", "first", "size", "root")
    )
    assert (True, []) == (after["holds"], after["findings"])
    assert any("grew out of" in sentence for sentence in after["proved"])
    person = program.quick("verify", str(first))
    assert 0 == person.code
    assert "Self-consistent only" in person.out
    assert "The package holds." in person.out
    later = program.quick("verify", str(first), *key, "--witness", str(sealed), "--json")
    assert (4, "cut") == (later.code, later.document["findings"][0]["check"])


def test_g5_a_package_that_was_changed_ends_with_4_and_says_where(closed, program, tmp_path):
    """Given one figure of the journal changed, then the file is named, to people and machines."""
    package = tmp_path / "package"
    closed.say("export", "--from", DAY, "--to", DAY, "--out", str(package))
    journal = package / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"amount":500', b'"amount":600'))

    done = program.quick("verify", str(package), "--json")
    person = program.quick("verify", str(package))

    assert (4, 4) == (done.code, person.code)
    assert {"files", "journal"} == {f["check"] for f in done.document["findings"]}
    assert "journal.jsonl" in person.out
    assert "findings." in person.out


def test_g10_personal_data_leaves_by_right_alone_and_is_on_record_before(closed, tmp_path):
    """Given an installation that may disclose, then names are in one file, and the book knows."""
    days = ("--from", DAY, "--to", DAY)
    asked = ("--with-personal-data", "--recipient", "the regulator", "--reason", "inspection 7")
    plain, named = tmp_path / "plain", tmp_path / "named"
    refused = closed.quick("export", *days, *asked, "--out", str(named), "--json")
    assert (2, "setting") == (refused.code, refused.document["error"]["code"])
    assert not named.exists()
    assert [] == disclosures(closed)

    closed.say("export", *days, "--out", str(plain))
    closed.say("export", *days, *asked, "--out", str(named), DISCLOSURE="on-record")

    content = {p: p.read_bytes() for p in plain.rglob("*") if p.is_file()}
    assert [] == [p for p, data in content.items() if b"Bianchi" in data or b"Anna B" in data]
    told = [orjson.loads(x) for x in (named / "personal.jsonl").read_bytes().splitlines()]
    assert [
        ("anna-1", {"name": "Anna Bianchi", "nickname": "Anna B"}),
        ("carla-3", {"name": "Carla Rossi"}),
    ] == [(line["player"], line["personal"]) for line in told]
    ((recipient, reason, root),) = disclosures(closed)
    assert ("the regulator", "inspection 7") == (recipient, reason)
    assert orjson.loads((named / "manifest.json").read_bytes())["root"] == root
    assert closed.say("seal")["sealed"]
    assert closed.say("verify")["holds"]


def disclosures(shop: Shop) -> list[tuple]:
    """For whom, why and of which checkpoint personal data left the book, as it has it on record."""
    rows = shop.rows("SELECT state FROM events WHERE topic = 'personal-data-disclosed'")
    events = [orjson.loads(bytes(state))["event"] for (state,) in rows]
    return [tuple(e[name] for name in ("recipient", "reason", "root")) for e in events]


def test_g10_an_erased_player_is_a_pseudonym_in_later_packages(closed, tmp_path):
    """Given Carla's key destroyed, then the package says nothing of her, and holds."""
    assert Vault(Path(closed.settings["VAULT"])).destroy("carla-3")
    asked = ("--with-personal-data", "--recipient", "the regulator", "--reason", "inspection 7")
    package = tmp_path / "package"

    days = ("--from", DAY, "--to", DAY)
    closed.say("export", *days, *asked, "--out", str(package), DISCLOSURE="on-record")

    told = [orjson.loads(x) for x in (package / "personal.jsonl").read_bytes().splitlines()]
    assert {"player": "carla-3", "personal": None} == told[1]
    assert closed.say("verify", str(package))["holds"]


def test_an_export_that_may_not_be_says_what_to_do_and_writes_nothing(closed, program, tmp_path):
    """Given wrong input, then exit code 2, and 1 where a day is not over; no folder comes to be."""
    out = str(tmp_path / "out")
    taken = tmp_path / "taken"
    taken.mkdir()
    nonsense = tmp_path / "nonsense.json"
    nonsense.write_text("{}")
    day = ("--from", DAY, "--to", DAY)
    cases = [
        (2, "exchange --from and --to", ("--from", "2026-12-02", "--to", DAY, "--out", out)),
        (2, "name a new folder", (*day, "--out", str(taken))),
        (2, "give its manifest.json", (*day, "--out", out, "--previous", str(nonsense))),
        (2, "cannot be read", (*day, "--out", out, "--previous", str(tmp_path / "none"))),
        (2, "--with-personal-data", (*day, "--out", out, "--recipient", "me", "--reason", "so")),
        (2, "--recipient and --reason", (*day, "--out", out, "--with-personal-data")),
        (2, "such as 2026-11-30", ("--from", "yesterday", "--to", DAY, "--out", out)),
        (1, "can be closed from", ("--from", DAY, "--to", "2026-12-31", "--out", out)),
        (1, "begins on", ("--from", "2026-11-01", "--to", DAY, "--out", out)),
    ]
    for code, says, arguments in cases:
        done = closed.quick("export", *arguments)
        assert (code, True) == (done.code, says in done.err), (done, says)
    assert not Path(out).exists()
    assert [] == list(taken.iterdir())
    for says, arguments in (
        ("as the house publishes it", (str(taken), "--key", "x")),
        ("Name the folder", ("--origin", "x")),
        ("as --witness", (str(taken), "--kept", str(note(closed, tmp_path)))),
        ("does not exist", (out,)),
    ):
        done = program.quick("verify", *arguments)
        assert (2, True) == (done.code, says in done.err), (done, says)


def note(shop: Shop, folder: Path) -> Path:
    """A file with the newest checkpoint."""
    path = folder / "note.json"
    path.write_text(shop.quick("seal", "--json").out)
    return path


def test_a_package_is_verified_wherever_it_is_copied(closed, program, tmp_path):
    """Given a copy elsewhere, then it holds there, for nothing in it names a place."""
    package, copy = tmp_path / "package", tmp_path / "elsewhere" / "copy"
    closed.say("export", "--from", DAY, "--to", DAY, "--out", str(package))
    shutil.copytree(package, copy)

    assert program.say("verify", str(copy))["holds"]
