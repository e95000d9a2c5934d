"""Packages made to mislead, stall or break their verifier: it answers, and says what is wrong."""

import os
import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import uuid4

import orjson
import pytest

from ledger.exports.layout import manifest_text
from ledger.exports.verifier import Trust, verify
from ledger.exports.verifier.files import DOCUMENT_MAX, document_of
from ledger.exports.verifier.verdict import FINDINGS_MAX, Findings
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from tests.packages import MONDAY, Chain, Edit, Forgery, export
from tests.workers.history import Casino, red

DEEP = b"[" * 900 + b"]" * 900
"""So deep that few who read JSON follow it."""


def told(chain: Chain, forged: Forgery) -> set[tuple[str, str, str]]:
    """Which check found what, and where."""
    return {(f.check, f.place, f.found) for f in chain.verify(forged.path).findings}


def replaced(line: bytes, before: bytes, after: bytes) -> bytes:
    """A line with something else in place of what it holds."""
    assert before in line, before
    return line.replace(before, after, 1)


Forge = Callable[[bytes], bytes]
BETS: dict[str, Forge] = {
    "twice": lambda x: replaced(x, b'"amount":', b'"amount":9,"amount":'),
    "fraction": lambda x: replaced(x, b'"amount":100', b'"amount":1e2'),
    "minus-zero": lambda x: replaced(x, b'"bet":1', b'"bet":-0'),
    "huge": lambda x: replaced(x, b'"bet":1', b'"bet":1' + b"0" * 5_000),
    "version": lambda x: replaced(x, b'"version":', b'"version":1' + b"0" * 18),
    "blank": lambda x: replaced(x, b'"entry":{', b'"entry":{ '),
    "appended": lambda x: replaced(x, b"}}\n", b'},"position":9}\n'),
    "deep": lambda x: replaced(x, b'"details":{', b'"details":{"a":%s,' % DEEP),
    "endless": lambda x: x[:-1] + b" " * 1_000_000 + b"\n",
}
"""Ways to write a bet that readers may not read alike, or that ask for much."""


@pytest.mark.parametrize("forge", BETS)
def test_g5_an_event_that_readers_may_differ_on_is_found_though_it_was_signed(
    chain: Chain, monday: Forgery, forge: str
):
    """Given a bet of 1.00 written in another way and a log signed anew, then it is named."""
    lines = monday.events()
    at = next(n for n, x in enumerate(lines) if b'"bet-placed"' in x and b'"amount":100,' in x)
    lines[at] = BETS[forge](lines[at])
    monday.edit("events.jsonl", lambda _: b"".join(lines))
    monday.resign(chain.casino.key)

    found = {place for check, place, _ in told(chain, monday) if check == "events"}

    assert {f"position {at}", f"line {at + 1}"} & found


def test_g5_documents_have_one_reading():
    """Given keys that stand twice, fractions, no numbers at all, or depth, then none is read."""
    for text in (
        b'{"size":1,"size":2}', b'{"a":[{"b":1,"b":1}]}', b"[1e2]", b"[1.0]", b"[-0]", b"[NaN]",
        b"[Infinity]", b"[" + b"9" * 5_000 + b"]", b'"\xff"', b"",
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"."):
            document_of(text)
    with pytest.raises(RecursionError):
        document_of(b"[" * 100_000)
    assert {"a": [10**30, -1, "1e2"]} == document_of(b'{"a":[%d,-1,"1e2"]}' % 10**30)


@pytest.mark.parametrize("name", ["manifest.json", "proofs.json", "sheets.json"])
@pytest.mark.parametrize(
    "edit",
    [
        lambda content: replaced(content, b"{", b'{"files":[],'),
        lambda content: replaced(content, b"{", b'{"a":1e2,'),
        lambda content: replaced(content, b"{", b'{"a":%s,' % (b"[" * 100_000 + b"]" * 100_000)),
    ],
    ids=["twice", "fraction", "deep"],
)
def test_g5_a_document_that_readers_may_differ_on_is_found(
    chain: Chain, monday: Forgery, name: str, edit: Edit
):
    """Given a key twice, a fraction or endless depth in a document, then it is not gone by."""
    twice = replaced((monday.path / name).read_bytes(), b"{", b'{"sheets":[],"range":{},')
    monday.edit(
        name, edit if name == "manifest.json" or b"files" not in edit(b"{") else lambda _: twice
    )
    if name != "manifest.json":
        monday.resign(chain.casino.key)

    assert "files" in chain.found(monday.path)


@pytest.mark.parametrize("outside", ["../stolen.json", "/dev/zero", "sheets/../../stolen.json"])
def test_a_manifest_that_lists_what_lies_outside_is_found_and_nothing_is_read_there(
    chain: Chain, monday: Forgery, outside: str
):
    """Given a listed sheet beyond the folder, or one without an end, then it is named."""
    name = b"sheets/deuces-wild-1.json"
    shutil.copy(monday.path / name.decode(), monday.path.parent / "stolen.json")
    (monday.path / name.decode()).unlink()
    files = [f for f in monday.manifest["files"] if f["path"] != name.decode()]
    monday.edit("sheets.json", lambda content: content.replace(name, outside.encode()))
    monday.resign(chain.casino.key, files=files)
    listed = {"path": outside, "sha256": "00" * 32, "size": 0}
    document = monday.manifest | {"files": [*monday.manifest["files"], listed]}
    sign(chain, monday, orjson.dumps(document))

    found = {(check, place) for check, place, _ in told(chain, monday)}

    assert {("files", outside), ("files", "sheets")} <= found


def sign(chain: Chain, forged: Forgery, manifest: bytes) -> None:
    """Put these bytes for the manifest, and the house's signature over them."""
    (forged.path / "manifest.json").write_bytes(manifest)
    note = sign_note(manifest_text(chain.casino.key.name, manifest), chain.casino.key)
    (forged.path / "manifest.note").write_text(note, encoding="utf-8")


def test_a_folder_that_a_link_leads_to_is_not_read(chain: Chain, monday: Forgery):
    """Given reports behind a link to a folder, then the link is named and nothing is read."""
    (monday.path / "reports").rename(monday.path.parent / "elsewhere")
    (monday.path / "reports").symlink_to(monday.path.parent / "elsewhere")

    assert {("files", "reports")} == {(c, p) for c, p, _ in told(chain, monday)}


def test_a_pipe_in_a_package_is_not_waited_for(chain: Chain, monday: Forgery):
    """Given a pipe where a note should be, then it is named and nothing is read."""
    (monday.path / "manifest.note").unlink()
    os.mkfifo(monday.path / "manifest.note")

    assert {("files", "manifest.note")} == {(c, p) for c, p, _ in told(chain, monday)}


def test_a_second_file_of_the_same_name_in_other_letters_is_found(chain: Chain, monday: Forgery):
    """Given `Closing.jsonl` beside `closing.jsonl`, listed and signed, then they are one name."""
    shutil.copy(monday.path / "closing.jsonl", monday.path / "Closing.jsonl")
    monday.resign(chain.casino.key, files=[*monday.manifest["files"], {"path": "Closing.jsonl"}])

    assert {("files", "closing.jsonl", "is listed 2 times, in one case or another")} == told(
        chain, monday
    )


def test_a_file_that_is_listed_twice_is_found(chain: Chain, monday: Forgery):
    """Given one file under two hashes, then neither list is believed."""
    listed = {"path": "closing.jsonl", "sha256": "00" * 32, "size": 1}
    document = monday.manifest | {"files": [listed, *monday.manifest["files"]]}
    sign(chain, monday, orjson.dumps(document))

    assert {"closing.jsonl"} == {place for _, place, _ in told(chain, monday)}


@pytest.mark.parametrize("name", ["manifest.json", "manifest.note", "checkpoints/9.note"])
def test_a_file_without_an_end_is_not_read_whole(chain: Chain, monday: Forgery, name: str):
    """Given a file of a terabyte, most of it a hole, then it is named and memory is not filled."""
    with (monday.path / name).open("ab") as file:
        file.truncate(1 << 40)

    assert "files" in chain.found(monday.path)
    assert DOCUMENT_MAX < 1 << 40


def test_g6_reports_that_were_swapped_are_found(chain: Chain, monday: Forgery):
    """Given another day's report, or another kind's, under a day's name, then it is found."""
    ends = ("json", "csv", "it.csv")
    for kind, other, package in (
        ("duty", "duty-2026-12-01", chain.tuesday),
        ("large-wins", "duty-2026-11-30", chain.monday),
    ):
        for end in ends:
            source = package / "reports" / f"{other}.{end}"
            shutil.copy(source, monday.path / "reports" / f"{kind}-2026-11-30.{end}")
    monday.resign(chain.casino.key)

    places = {place for check, place, _ in told(chain, monday) if check == "reports"}

    assert {"reports/duty-2026-11-30", "reports/large-wins-2026-11-30.json"} <= places


def test_g5_checkpoints_of_another_log_or_size_are_found(chain: Chain, monday: Forgery):
    """Given a note of another origin by the house's key, and one under another size's name."""
    size = monday.manifest["size"]
    key = chain.casino.key
    other = Checkpoint("example.org/other", size, bytes.fromhex(monday.manifest["root"]))
    (monday.path / "checkpoints" / "7.note").write_text(sign_note(other.text(), key))
    shutil.copy(monday.path / f"checkpoints/{size}.note", monday.path / "checkpoints/8.note")
    more = [{"path": f"checkpoints/{n}.note"} for n in (7, 8)]
    monday.resign(key, files=[*monday.manifest["files"], *more])

    assert {
        ("signature", "7.note", "is of the log example.org/other"),
        ("signature", "8.note", f"is of {size} events"),
    } == told(chain, monday)


def test_a_save_that_names_more_than_there_can_be_is_found(chain: Chain, monday: Forgery):
    """Given runs of versions that cancel each other out in a sum, then no list is made of them."""
    lines = monday.events()
    at = next(n for n, line in enumerate(lines) if b'"written":[{' in line)
    run = orjson.loads(lines[at])["entry"]["event"]["written"][0]
    more = [{**run, "first": 1, "last": 10**15}, {**run, "first": 10**15, "last": 1}]
    lines[at] = replaced(lines[at], b'"written":[', b'"written":[%s,' % orjson.dumps(more)[1:-1])
    monday.relog(lines, chain.casino.key)

    assert ("events", f"position {at}") in {(c, p) for c, p, _ in told(chain, monday)}


def test_a_round_without_its_rules_hash_is_found_though_it_never_ends(
    chain: Chain, monday: Forgery
):
    """Given the round over midnight without the hash of its sheet, then there is a verdict."""
    lines = monday.events()
    at = max(n for n, line in enumerate(lines) if b'"name":"round-opened"' in line)
    document = orjson.loads(lines[at])
    del document["entry"]["event"]["rules"]["hash"]
    lines[at] = orjson.dumps(document) + b"\n"
    monday.relog(lines, chain.casino.key)

    assert "events" in chain.found(monday.path)


def test_a_table_that_no_reader_of_tables_takes_is_found(chain: Chain, monday: Forgery):
    """Given a cell of half a megabyte, then it is no table and no error."""
    name = "reports/duty-2026-11-30.csv"
    monday.edit(name, lambda content: content + b"x" * 500_000)
    monday.resign(chain.casino.key)

    assert {"reports"} == chain.found(monday.path)


def test_nothing_is_proved_by_a_check_whose_findings_were_only_counted():
    """Given a thousand findings of one check, then the next one's still counts as found."""
    findings = Findings()
    for _ in range(FINDINGS_MAX):
        findings.add("journal", "here", "is wrong")
    findings.add("rounds", "there", "is wrong too")

    assert ({"journal", "rounds"}, 1) == (findings.failed, findings.more)


def test_a_day_without_an_event_is_a_package_of_its_own(database: str, tmp_path: Path):
    """Given nothing at all on Tuesday, then its package is empty, holds, and proves the chain."""
    casino = Casino(database, tmp_path, book=f"q{uuid4().hex[:8]}")
    casino.play(casino.sit(casino.player("anna")), 17, red("5.00"))
    casino.now = datetime(2026, 12, 3, 9, tzinfo=UTC)
    casino.seal()
    export(casino, tmp_path / "monday", (MONDAY, MONDAY), None)
    days = (date(2026, 12, 1), date(2026, 12, 2))
    export(casino, tmp_path / "quiet", days, tmp_path / "monday")

    trust = Trust(keys=(casino.key.verifying_key,), previous=tmp_path / "monday")
    verdict = verify(tmp_path / "quiet", trust)

    assert ((), verdict.first) == (verdict.findings, verdict.size)
    assert any("grew out of" in said for said in verdict.proved)
    stranger = SigningKey(casino.key.name, b"s" * 32)
    forged = Forgery.of(tmp_path / "quiet", tmp_path)
    forged.edit("journal.jsonl", lambda _: b"{}\n")
    forged.resign(stranger)
    found = verify(forged.path, trust).findings
    assert {"journal", "signature"} <= {f.check for f in found}
