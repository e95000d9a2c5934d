"""What the offline verifier proves of honest packages, and what it finds in forged ones (G5)."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from games import registry
from ledger.domain.postings import MOVING
from ledger.exports.verifier import Trust, verify
from ledger.exports.verifier.money import CONTO_MOVES, SESSION_MOVES
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from tests.packages import Chain, Forgery


def notes(chain: Chain) -> list[str]:
    """The notes of the book's checkpoints up to Tuesday's, oldest first."""
    last = orjson.loads((chain.tuesday / "manifest.json").read_bytes())["size"]
    text = "SELECT note FROM {book}.checkpoints WHERE size <= %s ORDER BY size"
    return [note for (note,) in chain.casino.rows(text, last)]


def test_g5_honest_packages_hold_and_nothing_is_taken_as_given(chain: Chain):
    """Given two days with the key, the chain and a witness, then all is proved."""
    first = chain.verify(chain.monday, witnesses=notes(chain)[:2])
    second = chain.verify(chain.tuesday, previous=chain.monday, witnesses=notes(chain)[2:])

    assert ((), ()) == (first.findings, second.findings)
    assert (0, first.size) == (first.first, second.first)
    assert (6, 7) == (len(first.proved), len(second.proved))
    assert ((), ()) == (first.taken, second.taken)


def test_a_package_alone_says_what_it_takes_as_given(chain: Chain):
    """Given nothing from elsewhere, then it agrees with itself, and says that this is all."""
    verdict = verify(chain.tuesday)

    assert verdict.holds
    told = " ".join(verdict.taken)
    assert "Self-consistent only" in told
    assert "No witness" in told
    assert "opening balances are taken as given" in told
    assert "1 rounds that began before" in told


def test_a_folder_that_is_no_package_is_found_and_not_raised(tmp_path: Path):
    """Given an empty folder, or one with a broken manifest, then a finding says so."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_bytes(b'{"format": 1}')

    for path in (tmp_path, tmp_path / "broken", tmp_path / "nowhere"):
        assert [("files", "manifest.json")] == [(f.check, f.place) for f in verify(path).findings]


@pytest.mark.parametrize("day", ["monday", "tuesday"])
def test_g5_one_changed_byte_of_any_file_is_found(chain: Chain, tmp_path: Path, day: str):
    """Given each file in turn with one random bit flipped, then it is found, even without a key."""
    dice, forged = random.Random(f"flip:{day}"), Forgery.of(getattr(chain, day), tmp_path)
    unseen = []
    for path in sorted(p for p in forged.path.rglob("*") if p.is_file()):
        original = path.read_bytes()
        for place in dice.sample(range(len(original)), min(len(original), 2)):
            flipped = bytearray(original)
            flipped[place] ^= 1 << dice.randrange(8)
            path.write_bytes(flipped)
            if verify(forged.path).holds:
                unseen.append((path.name, place))
        path.write_bytes(original)

    assert [] == unseen
    assert chain.verify(forged.path).holds


def test_g5_a_missing_and_an_added_file_are_found(chain: Chain, monday: Forgery):
    """Given a file that went and one that came, then both are named."""
    (monday.path / "closing.jsonl").unlink()
    (monday.path / "reports" / "note.txt").write_text("paid in full", encoding="utf-8")

    found = {(f.check, f.place) for f in chain.verify(monday.path).findings}

    assert {("files", "closing.jsonl"), ("files", "reports/note.txt")} <= found


def test_a_package_that_leads_elsewhere_is_not_read(chain: Chain, monday: Forgery):
    """Given a link in a package, or a sheet outside of it, then it is named and not followed."""
    outside = monday.path.with_suffix(".outside")
    (monday.path / "closing.jsonl").rename(outside)
    (monday.path / "closing.jsonl").symlink_to(outside)
    assert [("files", "closing.jsonl")] == [
        (f.check, f.place) for f in chain.verify(monday.path).findings
    ]

    (monday.path / "closing.jsonl").unlink()
    outside.rename(monday.path / "closing.jsonl")
    name = b"sheets/deuces-wild-1.json"
    monday.edit("sheets.json", lambda content: content.replace(name, b"../../../../dev/zero"))
    monday.resign(chain.casino.key)
    assert ("files", "sheets") in {(f.check, f.place) for f in chain.verify(monday.path).findings}


def test_a_line_without_an_end_is_read_in_parts(chain: Chain, monday: Forgery):
    """Given a line longer than any may be, then it is no event, and memory stays what it was."""
    monday.edit("events.jsonl", lambda content: content + b" " * 500_000)
    monday.resign(chain.casino.key)

    lines = {f.place for f in chain.verify(monday.path).findings if f.check == "events"}

    assert 3 == len(lines)


def test_g5_a_package_under_another_key_is_found(chain: Chain, monday: Forgery):
    """Given a forger's own key in the package, then only who asks no key of it is content."""
    forger = SigningKey(chain.casino.key.name, b"f" * 32)
    lines = monday.events()
    monday.relog(lines, forger)
    monday.resign(forger, keys=[forger.verifying_key.text()])

    assert "signature" in chain.found(monday.path)
    assert "signature" not in {f.check for f in verify(monday.path).findings}


def test_g5_a_package_of_another_log_is_found(chain: Chain):
    """Given the origin that is expected, then a sound package of another one is refused."""
    verdict = chain.verify(chain.monday, origin="example.org/other")

    assert [("signature", "manifest.json")] == [(f.check, f.place) for f in verdict.findings]


def without(lines: list[bytes]) -> list[bytes]:
    """One event removed, of a session's stream."""
    place = next(n for n, line in enumerate(lines) if b'"name":"bet-placed"' in line)
    return lines[:place] + lines[place + 1 :]


def swapped(lines: list[bytes]) -> list[bytes]:
    """Two events of one stream in the other order."""
    place = next(n for n, line in enumerate(lines) if b'"name":"bet-placed"' in line)
    return [*lines[: place - 1], lines[place], lines[place - 1], *lines[place + 1 :]]


def added(lines: list[bytes]) -> list[bytes]:
    """The same payout once more."""
    place = next(n for n, line in enumerate(lines) if b'"name":"payout-credited"' in line)
    return [*lines[: place + 1], *lines[place:]]


def changed(lines: list[bytes]) -> list[bytes]:
    """A payout of ten times as much."""
    place = next(n for n, line in enumerate(lines) if b'"name":"payout-credited"' in line)
    richer = lines[place].replace(b'"winnings":3500', b'"winnings":35000')
    assert richer != lines[place]
    return [*lines[:place], richer, *lines[place + 1 :]]


FORGERIES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], set[str]]] = {
    "removed": (without, {"streams", "saves", "journal"}),
    "swapped": (swapped, {"streams"}),
    "added": (added, {"streams", "saves", "journal"}),
    "changed": (changed, {"journal", "closing"}),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_g5_an_event_removed_swapped_added_or_changed_is_found(
    chain: Chain, monday: Forgery, forgery: str
):
    """Given the house's own hand and a log signed anew, then the events betray it themselves."""
    forge, checks = FORGERIES[forgery]

    monday.relog(forge(monday.events()), chain.casino.key)

    assert checks <= chain.found(monday.path)
    assert "signature" not in chain.found(monday.path)


@pytest.mark.parametrize("forgery", FORGERIES)
def test_g5_without_the_key_a_change_of_the_events_is_found_by_the_root(
    chain: Chain, monday: Forgery, forgery: str
):
    """Given a forger with no key who leaves the signed checkpoint, then the root is another."""
    forge, _ = FORGERIES[forgery]

    monday.edit("events.jsonl", lambda _: b"".join(forge(monday.events())))

    assert {"files", "roots"} <= chain.found(monday.path)


def last_save(lines: list[bytes]) -> list[bytes]:
    """The events without those of the last save."""
    command = orjson.loads(lines[-1])["entry"]["command"].encode()
    return [line for line in lines if command not in line]


def test_g5_a_tail_that_was_cut_off_is_found_by_a_witness(chain: Chain, monday: Forgery):
    """Given a shorter log under the house's key, then a witness's checkpoint knows of more."""
    monday.relog(last_save(monday.events()), chain.casino.key)

    assert "cut" not in {
        f.check for f in chain.verify(monday.path).findings if f.place.startswith("witness")
    }
    witness = [n for n in notes(chain) if f"\n{chain.verify(chain.monday).size}\n" in n]
    found = chain.verify(monday.path, witnesses=tuple(witness)).findings
    assert ("cut", "witness 1") in {(f.check, f.place) for f in found}


def test_g5_a_fork_that_was_signed_again_is_found_by_a_witness_and_by_the_child(
    chain: Chain, monday: Forgery
):
    """Given another history of the same size under the same key, then an older word differs."""
    forged = monday.relog(changed(monday.events()), chain.casino.key)
    kept = next(n for n in notes(chain) if f"\n{forged.size}\n" in n)

    witnessed = chain.verify(monday.path, witnesses=(kept,)).findings
    assert ("roots", "position") in {(f.check, f.place.split()[0]) for f in witnessed}
    child = chain.verify(chain.tuesday, previous=monday.path).findings
    assert ("chain", "manifest.json") in {(f.check, f.place) for f in child}


def test_g5_a_consistency_proof_of_another_log_is_found(chain: Chain, tuesday: Forgery):
    """Given a proof whose nodes or old root were changed and signed, then the chain breaks."""
    for field in ("old_root", "hashes"):

        def other(content: bytes, field: str = field) -> bytes:
            document = orjson.loads(content)
            proof = document["consistency"]
            value = proof[field]
            proof[field] = [*value, "00" * 32] if isinstance(value, list) else "00" * 32
            return orjson.dumps(document)

        tuesday.edit("proofs.json", other)
        tuesday.resign(chain.casino.key)
        assert "chain" in chain.found(tuesday.path)


def test_g5_a_manifest_that_is_not_the_childs_of_the_previous_is_found(
    chain: Chain, tuesday: Forgery
):
    """Given a package that names another parent, or none, then the parent tells."""
    for named in ("00" * 32, None):
        tuesday.resign(chain.casino.key, previous=named)
        assert "chain" in chain.found(tuesday.path, previous=chain.monday)


def test_g1_opening_balances_that_do_not_follow_are_found_by_the_previous_package(
    chain: Chain, tuesday: Forgery
):
    """Given a cent moved between two accounts at the opening, then the parent knows better."""

    def moved(content: bytes) -> bytes:
        lines = [orjson.loads(line) for line in content.splitlines()]
        lines[0]["balance"] += 1
        lines[1]["balance"] -= 1
        return b"".join(orjson.dumps(line) + b"\n" for line in lines)

    tuesday.edit("opening.jsonl", moved)
    tuesday.resign(chain.casino.key)

    assert "opening" in chain.found(tuesday.path, previous=chain.monday)


def test_g1_opening_balances_that_are_not_zero_together_are_found(chain: Chain, tuesday: Forgery):
    """Given a cent from nowhere, then no previous package is needed to see it."""

    def richer(content: bytes) -> bytes:
        first, rest = content.split(b"\n", 1)
        document = orjson.loads(first)
        document["balance"] += 1
        return orjson.dumps(document) + b"\n" + rest

    tuesday.edit("opening.jsonl", richer)
    tuesday.resign(chain.casino.key)

    assert "opening" in chain.found(tuesday.path)


def test_g2_a_player_who_opens_below_zero_is_found(chain: Chain, tuesday: Forgery):
    """Given a debt in a player's conto, balanced elsewhere, then no sum can hide it."""

    def owing(content: bytes) -> bytes:
        lines = [orjson.loads(line) for line in content.splitlines()]
        conto = next(x for x in lines if x["account"].startswith("player:"))
        lines[0]["balance"] += conto["balance"] + 1
        conto["balance"] = -1
        return b"".join(orjson.dumps(line) + b"\n" for line in lines)

    tuesday.edit("opening.jsonl", owing)
    tuesday.resign(chain.casino.key)

    assert "overdraft" in chain.found(tuesday.path)


def test_g8_an_event_of_a_round_in_another_session_is_found(chain: Chain, monday: Forgery):
    """Given a settlement moved into another player's stream, then the round is not of it."""
    sessions = sorted(
        {orjson.loads(x)["entry"]["stream"] for x in monday.events() if b'"bet-placed"' in x}
    )
    assert 2 == len(sessions)
    one, other = (s.encode() for s in sessions)

    def moved(lines: list[bytes]) -> list[bytes]:
        place = max(n for n, x in enumerate(lines) if b'"round-settled"' in x)
        line = lines[place]
        swapped = line.replace(one, other) if one in line else line.replace(other, one)
        return [*lines[:place], swapped, *lines[place + 1 :]]

    monday.relog(moved(monday.events()), chain.casino.key)

    assert {"rounds", "streams", "saves"} <= chain.found(monday.path)


def journal(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    """A change of the journal's lines."""
    return lambda content: b"".join(change(content.splitlines(keepends=True)))


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:3] + lines[4:],
        lambda lines: [*lines[:3], lines[3], *lines[3:]],
        lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [line.replace(b"house:bonus", b"house:deuces:bank") for line in lines],
    ],
    ids=["removed", "twice", "swapped", "appended", "other-account"],
)
def test_g1_a_journal_that_does_not_follow_from_the_events_is_found(
    chain: Chain, monday: Forgery, change: Any
):
    """Given the house's own hand in the journal, then the events tell otherwise."""
    monday.edit("journal.jsonl", journal(change))
    monday.resign(chain.casino.key)

    assert {"journal"} == chain.found(monday.path)


def test_g1_every_event_that_moves_money_is_in_the_verifiers_own_table():
    """Given the book's list of moving events, then the second table has each of them, no other."""
    assert sorted(MOVING) == sorted({**CONTO_MOVES, **SESSION_MOVES})


def cents_more(name: str) -> Callable[[dict[str, Any]], None]:
    """A change of the first money in a section."""

    def change(document: dict[str, Any]) -> None:
        section = next(s for s in document["sections"] if s["name"] == name)
        for line in section["lines"]:
            cell = next((k for k, v in line.items() if isinstance(v, str) and v[-3:-2] == "."), "")
            if cell:
                line[cell] = f"{float(line[cell]) + 1:.2f}"
                return
        raise AssertionError(name)

    return change


@pytest.mark.parametrize(
    ("report", "section"),
    [
        *(
            ("daily-performance", name)
            for name in (
                "sheets", "double-ups", "all-bets", "control", "last-30-days", "to-date", "bonuses",
            )
        ),
        *(("operator-liability", name) for name in ("liability", "contra", "control")),
    ],
)  # fmt: skip
def test_g6_a_report_that_does_not_follow_from_its_events_is_found(
    chain: Chain, monday: Forgery, report: str, section: str
):
    """Given one figure changed in every rendering's document, then the events tell otherwise."""
    name = f"reports/{report}-2026-11-30.json"

    def change(content: bytes) -> bytes:
        document = orjson.loads(content)
        cents_more(section)(document)
        return orjson.dumps(document)

    monday.edit(name, change)
    monday.resign(chain.casino.key)

    found = [f for f in chain.verify(monday.path).findings if f.found.startswith(f"{section}:")]
    assert [("reports", name)] == [(f.check, f.place) for f in found]


@pytest.mark.parametrize("ending", ["csv", "it.csv"])
def test_g6_a_rendering_that_tells_something_else_than_its_document_is_found(
    chain: Chain, monday: Forgery, ending: str
):
    """Given one figure changed in a table for people, then it is not what the machine reads."""
    separator = b"." if ending == "csv" else b","
    name = f"reports/daily-performance-2026-11-30.{ending}"
    monday.edit(name, lambda content: content.replace(b"35%s00" % separator, b"36%s00" % separator))
    monday.resign(chain.casino.key)

    assert {"reports"} == chain.found(monday.path)


def test_g6_a_report_of_another_checkpoint_is_found(chain: Chain, monday: Forgery):
    """Given a card that names another root, then the log at that size has not that root."""
    root = monday.manifest["root"].encode()
    name = "reports/operator-liability-2026-11-30.json"
    monday.edit(name, lambda content: content.replace(root, b"00" * 32))
    monday.resign(chain.casino.key)

    assert {"roots", "reports"} == chain.found(monday.path)


def test_g8_a_sheet_that_is_not_the_one_that_was_published_is_found(chain: Chain, monday: Forgery):
    """Given a sheet that pays more, then no round names it, and its list does not either."""
    name = "sheets/european-roulette-classic-1.json"
    monday.edit(name, lambda content: content.replace(b'"straight":35', b'"straight":36'))
    monday.resign(chain.casino.key)

    assert {"sheets", "rounds"} == chain.found(monday.path)


def test_g8_rounds_of_an_engine_without_a_second_method_are_told_as_not_judged(chain: Chain):
    """Given no method for roulette, then its two rounds are named as not judged, and it holds."""
    audits = {name: audit for name, audit in registry.AUDITS.items() if name != "roulette/1"}

    verdict = chain.verify(chain.monday, witnesses=notes(chain)[:2], audits=audits)

    assert verdict.holds
    assert ("Not judged: 2 rounds by roulette/1, for which no second method was given.",) == (
        verdict.taken
    )


def test_each_round_is_handed_whole_and_in_order_to_the_method_of_its_engine(chain: Chain):
    """Given a method that only counts, then it sees each round from its opening to its end."""
    seen: list[tuple[str, str]] = []

    def audit(sheet: bytes, events: Any) -> list[str]:
        rounds = {e["event"]["round"] for e in events}
        assert 1 == len(rounds), rounds
        seen.append((orjson.loads(sheet)["sheet"], f"{events[0]['name']} .. {events[-1]['name']}"))
        return ["is odd"] if len(seen) == 1 else []

    audits = {"roulette/1": audit, "deuces-wild/1": audit}
    verdict = chain.verify(chain.monday, audits=audits)

    assert 7 == verdict.rounds == len(seen)
    assert [("rounds", 1)] == [(f.check, f.found.count("is odd")) for f in verdict.findings]
    ends = sorted({how for _, how in seen})
    assert [
        "round-opened .. draw-recorded",
        "round-opened .. round-settled",
        "round-opened .. round-voided",
    ] == ends


def test_a_round_over_midnight_is_judged_whole_where_the_previous_package_is_given(chain: Chain):
    """Given Monday's package, then the round that Tuesday ends is seen from its opening."""
    seen: list[str] = []

    def audit(_: bytes, events: Any) -> list[str]:
        seen.append(events[0]["name"])
        return []

    audits = {"roulette/1": audit, "deuces-wild/1": audit}
    alone = chain.verify(chain.tuesday, audits=audits)
    after = chain.verify(chain.tuesday, audits=audits, previous=chain.monday)

    assert (1, 2) == (alone.rounds, after.rounds)
    assert {"round-opened"} == set(seen)


def test_a_method_that_fails_is_a_finding(chain: Chain):
    """Given a method that cannot read what it gets, then the round is found."""

    def audit(_: bytes, __: Any) -> list[str]:
        raise ValueError("odd")

    verdict = chain.verify(chain.monday, audits={"roulette/1": audit})

    assert {"rounds"} == {f.check for f in verdict.findings}
    assert 2 == len(verdict.findings)


def test_a_witness_of_an_earlier_time_is_said_to_lie_before(chain: Chain):
    """Given a checkpoint from before the package, then nothing is concluded from it."""
    verdict = chain.verify(chain.tuesday, witnesses=notes(chain)[:1])

    assert verdict.holds
    assert any("witness 1" in taken for taken in verdict.taken)


def test_a_witness_at_the_end_of_the_previous_package_is_held_against_the_proof(chain: Chain):
    """Given another root of the size that the proof begins at, then it is found."""
    size = orjson.loads((chain.tuesday / "proofs.json").read_bytes())["consistency"]["old_size"]
    other = Checkpoint(chain.casino.key.name, size, bytes(32)).text()
    witness = sign_note(other, chain.casino.key)

    assert "roots" in chain.found(chain.tuesday, witnesses=(witness,))


def test_a_note_of_somebody_else_is_no_witness(chain: Chain):
    """Given a note by an unknown key, or of another log, then it is named."""
    stranger = SigningKey("example.org/other", b"s" * 32)
    text = Checkpoint("example.org/other", 3, bytes(32)).text()

    for key in (stranger, chain.casino.key):
        assert {"signature"} == chain.found(chain.monday, witnesses=(sign_note(text, key),))


def test_no_field_of_a_manifest_can_stop_the_verifier(chain: Chain, monday: Forgery):
    """Given each field gone, nothing or nonsense, and signed, then it is found and not raised."""
    original = (monday.path / "manifest.json").read_bytes()
    nothing = [("previous", None), ("rotations", []), ("keys", [])]
    for field in orjson.loads(original):
        for value in (None, [], {"a": []}, "x", -1):
            (monday.path / "manifest.json").write_bytes(original)
            if field == "files":
                monday.edit(
                    "manifest.json",
                    lambda c, v=value: orjson.dumps({**orjson.loads(c), "files": v}),
                )
            else:
                monday.resign(chain.casino.key, **{field: value})
            held = chain.verify(monday.path).holds
            is_right = field == "generated_at" or (field, value) in nothing
            assert held is is_right, (field, value)


def altered(line: bytes, path: tuple[Any, ...], value: Any) -> bytes:
    """An event's line in which one value of the entry is another."""
    head, mark, rest = line.partition(b',"entry":')
    place = entry = orjson.loads(rest[:-2])
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return head + mark + orjson.dumps(entry) + b"}\n"


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where everything inside of a value is."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for step, each in inside:
        yield (*path, step)
        if isinstance(each, dict | list):
            yield from paths(each, (*path, step))


MONEY = ("amount", "winnings", "stake_returned", "at_risk", "returned", "to_bank", "stakes_lost")


def test_g1_a_cent_more_in_any_event_that_moves_money_is_found(chain: Chain, monday: Forgery):
    """Given each amount of each moving event in turn, and a log signed anew, then it is found."""
    lines, tried = monday.events(), 0
    original = (monday.path / "manifest.json").read_bytes()
    for number, line in enumerate(lines):
        told = orjson.loads(line)
        if told["name"] not in MOVING:
            continue
        for field in sorted(set(MONEY) & told["entry"]["event"].keys()):
            (monday.path / "manifest.json").write_bytes(original)
            more = altered(line, ("event", field), lambda amount: amount + 1)
            monday.relog([*lines[:number], more, *lines[number + 1 :]], chain.casino.key)
            tried += 1
            assert {"journal", "events", "rounds"} & chain.found(monday.path), (told["name"], field)
    assert 30 < tried


def test_whatever_an_entry_says_the_verifier_answers(chain: Chain, monday: Forgery):
    """Given a value of any entry replaced by nonsense, then there is a verdict and no error."""
    dice, lines = random.Random(11), monday.events()
    nonsense = (None, -1, [], {}, "x", 10**18, True, 1.5, [[]], {"a": None}, "2026-13-45", "")
    original = (monday.path / "manifest.json").read_bytes()
    heads = 0
    for number in dice.choices(range(len(lines)), k=80):
        (monday.path / "manifest.json").write_bytes(original)
        path = dice.choice(list(paths(orjson.loads(lines[number])["entry"])))
        other = altered(lines[number], path, dice.choice(nonsense))
        monday.relog([*lines[:number], other, *lines[number + 1 :]], chain.casino.key)
        checks = chain.found(monday.path)
        if path[0] in {"stream", "version", "command"}:
            heads += 1
            assert {"events", "streams", "saves"} & checks, path
    assert heads


def test_nothing_in_a_package_is_raised(chain: Chain, tmp_path: Path):
    """Given any file replaced by nonsense that is well signed, then there are only findings."""
    nonsense = (b"", b"\xff\xfe", b"[]", b'{"a":{}}\n', b"1e999")
    for path in sorted(p for p in chain.monday.rglob("*") if p.is_file()):
        forged = Forgery.of(chain.monday, tmp_path)
        name = path.relative_to(chain.monday).as_posix()
        for content in nonsense:
            if content == path.read_bytes():
                continue
            (forged.path / name).write_bytes(content)
            if not name.startswith("manifest"):
                forged.resign(chain.casino.key)
            verdict = verify(forged.path, Trust(keys=(chain.casino.key.verifying_key,)))
            assert verdict.holds is (name in {"README.md", "schemas.json"}), (name, content)
