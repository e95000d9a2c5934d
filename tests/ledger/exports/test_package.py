"""What an audit package holds, and that it comes to be whole or not at all (G4, G5, G6)."""

import hashlib
import subprocess
import sys
from base64 import b64decode
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import orjson
import psycopg
import pytest
from jsonschema import Draft202012Validator
from pymerkle import InmemoryTree

from games.registry import AUDITS, SHEETS
from ledger.domain import commands as cmd
from ledger.domain.refusals import Refusal
from ledger.domain.sheets import canonical
from ledger.exports.folder import TakenError, appearing
from ledger.exports.package import DamagedBook, Exported
from ledger.exports.previous import Previous, PreviousError, read_previous
from ledger.exports.verifier import Trust, verify
from ledger.seal.keys import KeyFault, sign_rotation
from ledger.seal.merkle import entry_bytes
from ledger.seal.notes import SigningKey
from ledger.seal.sealer import Sealer
from ops.exporting import Wanted, export_days
from tests.packages import MONDAY, TUESDAY, Chain, Forgery, export
from tests.workers.history import CLASSIC, Casino, red
from workers.closing import DutyCode

ROOT = Path(__file__).parents[3]


def lines(package: Path, name: str) -> list[dict[str, Any]]:
    """The documents of a file of lines."""
    return [orjson.loads(line) for line in (package / name).read_bytes().splitlines()]


def files(package: Path) -> dict[str, bytes]:
    """Every file by its path in the package."""
    paths = (p for p in package.rglob("*") if p.is_file())
    return {p.relative_to(package).as_posix(): p.read_bytes() for p in paths}


def stored(package: Path) -> list[tuple[UUID, int, str, bytes]]:
    """The rows of a package as an outsider reads its lines, by the README and without our code."""
    rows = []
    for line in (package / "events.jsonl").read_bytes().splitlines():
        told = orjson.loads(line)
        _, mark, rest = line.partition(b',"entry":')
        state = rest[:-1] if mark else b64decode(told["raw"])
        rows.append((UUID(told["key"]), told["version"], told["name"], state))
    return rows


def test_g5_events_are_the_stored_rows_byte_for_byte_and_give_the_signed_root(chain: Chain):
    """Given the lines, then they are the rows sealed, and an independent tree has their root."""
    sealed = chain.casino.rows(
        """SELECT e.originator_id, e.originator_version, e.topic, e.state
             FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
            ORDER BY s.position"""
    )
    rows = stored(chain.monday)
    tree = InmemoryTree(algorithm="sha256")
    for row in rows:
        tree.append_entry(entry_bytes(*row))

    assert [(a, b, c, bytes(d)) for a, b, c, d in sealed][: len(rows)] == rows
    manifest = orjson.loads((chain.monday / "manifest.json").read_bytes())
    assert manifest["root"] == tree.get_root().hex()
    assert manifest["size"] == len(rows)


def test_g1_the_journal_is_that_of_the_projection(chain: Chain):
    """Given Monday's package, then its lines are those that the workers folded, with balances."""
    names = (
        "position", "line", "stream", "event", "source", "target", "amount", "currency",
        "source_after", "target_after",
    )  # fmt: skip
    folded = chain.casino.rows(
        f"SELECT {', '.join(names)} FROM {{book}}.p_journal ORDER BY position, line"
    )
    told = [tuple(line[n] for n in names) for line in lines(chain.monday, "journal.jsonl")]

    assert told
    assert folded[: len(told)] == told


def test_g1_a_package_opens_with_what_the_days_before_came_to(chain: Chain):
    """Given Tuesday alone, then it opens as Monday closed, less what came to zero, in order."""
    opening, closing = lines(chain.tuesday, "opening.jsonl"), lines(chain.monday, "closing.jsonl")

    assert closing == opening
    assert 0 == sum(line["balance"] for line in opening)
    assert sorted(line["account"] for line in opening) == [line["account"] for line in opening]
    assert {"house:deuces-wild:bank", "player:anna:conto"} <= {x["account"] for x in opening}


def test_a_package_names_its_parent_and_its_files(chain: Chain):
    """Given two packages, then the second names the first one's manifest and each of its files."""
    manifest = orjson.loads((chain.tuesday / "manifest.json").read_bytes())
    content = files(chain.tuesday)

    parent = (chain.monday / "manifest.json").read_bytes()
    assert hashlib.sha256(parent).hexdigest() == manifest["previous"]
    assert sorted({*content} - {"manifest.json", "manifest.note"}) == [
        f["path"] for f in manifest["files"]
    ]
    assert [(hashlib.sha256(content[f["path"]]).hexdigest(), len(content[f["path"]]))
            for f in manifest["files"]] == [
        (f["sha256"], f["size"]) for f in manifest["files"]
    ]  # fmt: skip
    assert {"first": "2026-12-01", "last": "2026-12-01"} == manifest["days"]
    assert 9 * 4 == sum(f["path"].startswith("reports/") for f in manifest["files"])


def test_the_schemas_of_a_package_describe_every_event_in_it(chain: Chain):
    """Given the JSON Schemas, then each stored entry is as they say, and one field more is not."""
    schemas = orjson.loads((chain.monday / "schemas.json").read_bytes())
    definitions = schemas["$defs"]

    for line in lines(chain.monday, "events.jsonl"):
        schema = {**schemas["events"][line["name"]], "$defs": definitions}
        validator = Draft202012Validator(schema)
        assert [] == [e.message for e in validator.iter_errors(line["entry"])]
        assert not validator.is_valid({**line["entry"], "more": 1})


def test_g8_every_published_sheet_is_there_with_its_text(chain: Chain):
    """Given the list of sheets, then each file's bytes have the hash that rounds name."""
    sheets = orjson.loads((chain.tuesday / "sheets.json").read_bytes())["sheets"]
    named = {
        line["entry"]["event"]["rules"]["hash"]
        for line in lines(chain.tuesday, "events.jsonl")
        if "rules" in line["entry"]["event"]
    }

    hashes = {s["sheet_hash"] for s in sheets}
    assert named <= hashes
    assert hashes == {
        hashlib.sha256((chain.tuesday / s["file"]).read_bytes()).hexdigest() for s in sheets
    }


def test_g6_the_same_checkpoint_gives_the_same_bytes_whatever_came_later(
    chain: Chain, tmp_path: Path
):
    """Given more play since, when Tuesday is exported again, then every byte is the same."""
    casino = chain.casino
    casino.player(f"p{uuid4().hex[:8]}")
    casino.seal()

    export(casino, tmp_path / "again", (TUESDAY, TUESDAY), chain.monday)

    assert files(chain.tuesday) == files(tmp_path / "again")


def test_both_days_together_are_one_package(chain: Chain, tmp_path: Path):
    """Given both days in one export, then it begins with the book and has the reports of both."""
    done = export(chain.casino, tmp_path / "both", (MONDAY, TUESDAY), None)

    verdict = chain.verify(tmp_path / "both")
    assert (0, (), done.size) == (verdict.first, verdict.findings, verdict.size)
    assert 2 * 9 * 4 == len(list((tmp_path / "both" / "reports").iterdir()))


def test_a_day_that_is_not_over_is_refused_and_nothing_is_written(chain: Chain, tmp_path: Path):
    """Given today, then the refusal says when it can be closed."""
    today = chain.casino.now.date()
    wanted = Wanted(MONDAY, today, tmp_path / "early")

    refusal = export_days(chain.casino.ports, (chain.casino.key,), wanted)

    assert isinstance(refusal, Refusal)
    assert DutyCode.DAY_NOT_OVER == refusal.code
    assert [] == list(tmp_path.iterdir())


def test_g4_a_folder_comes_to_be_whole_or_not_at_all(tmp_path: Path):
    """Given work that ends in the middle, or a place that is taken, then nothing is left of it."""
    target = tmp_path / "package"

    def fails() -> None:
        with appearing(target) as folder:
            folder.put("a/b", b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert [] == list(tmp_path.iterdir())
    target.mkdir()
    with pytest.raises(TakenError), appearing(target):
        pass
    assert [target] == list(tmp_path.iterdir())
    assert [] == list(target.iterdir())


HALF = """
import sys, time
from pathlib import Path
from ledger.exports.folder import appearing
with appearing(Path(sys.argv[1])) as folder:
    folder.put("events.jsonl", b"half")
    print("there", flush=True)
    time.sleep(600)
"""


def test_g4_what_a_killed_export_left_goes_and_what_another_makes_stays(tmp_path: Path):
    """Given a process at work, then another leaves its files alone; once it is killed they go."""
    target = tmp_path / "package"
    command = [sys.executable, "-c", HALF, str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={"PYTHONPATH": str(ROOT)}) as child:
        assert b"there\n" == child.stdout.readline()
        (making,) = tmp_path.iterdir()
        with appearing(target):
            assert b"half" == (making / "events.jsonl").read_bytes()
        target.rmdir()
        child.kill()

    assert [making] == list(tmp_path.iterdir())
    mine = tmp_path / ".package.of-mine"
    mine.mkdir()
    with appearing(target) as folder:
        folder.put("events.jsonl", b"whole")
    assert {mine, target} == set(tmp_path.iterdir())
    assert b"whole" == (target / "events.jsonl").read_bytes()


def test_a_place_that_was_taken_meanwhile_is_left_as_it_is(tmp_path: Path):
    """Given another export that was quicker, then its package stays and ours goes."""
    target = tmp_path / "package"

    def late() -> None:
        with appearing(target) as folder:
            folder.put("a", b"ours")
            target.mkdir()
            (target / "a").write_bytes(b"theirs")

    with pytest.raises(TakenError, match="meanwhile"):
        late()

    assert {"package": b"theirs"} == {p.name: (p / "a").read_bytes() for p in tmp_path.iterdir()}


@pytest.fixture
def day(database: str, tmp_path: Path) -> Casino:
    """A casino with a little play on Monday, sealed; Tuesday morning."""
    casino = Casino(database, tmp_path, book=f"y{uuid4().hex[:8]}")
    casino.play(casino.sit(casino.player("anna")), 17, red("5.00"))
    casino.seal()
    casino.wait(days=1)
    return casino


def by_force(casino: Casino, statement: str, *values: Any) -> None:
    """Change a sealed row with the guards taken away."""
    with psycopg.connect(casino.conninfo, autocommit=True) as superuser:
        superuser.execute(f"ALTER TABLE {casino.book}.events DISABLE TRIGGER USER")
        done = superuser.execute(statement.replace("{book}", casino.book), values or None)
        assert done.rowcount > 0


def exported(casino: Casino, target: Path) -> Path:
    """Monday's package."""
    export(casino, target, (MONDAY, MONDAY), None)
    return target


def test_g5_a_row_that_was_changed_by_force_is_never_exported(day: Casino, tmp_path: Path):
    """Given a record that tells something else now, then the export stops and leaves nothing."""
    by_force(
        day,
        """UPDATE {book}.events SET state = convert_to(replace(
             convert_from(state, 'UTF8'), 'play-round', 'play_round'), 'UTF8')
            WHERE topic = 'command-answered'""",
    )

    with pytest.raises(DamagedBook, match="contoposta verify"):
        exported(day, tmp_path / "package")
    assert not (tmp_path / "package").exists()


def test_g5_a_moving_event_that_cannot_be_read_is_never_exported(day: Casino, tmp_path: Path):
    """Given a deposit whose bytes are no event since its report, then the export names the row."""
    exported(day, tmp_path / "before")
    by_force(day, "UPDATE {book}.events SET state = '{{}}' WHERE topic = 'funds-deposited'")

    with pytest.raises(DamagedBook, match="funds-deposited"):
        exported(day, tmp_path / "package")


def test_g5_a_poisoned_row_is_exported_as_it_is_and_found(day: Casino, tmp_path: Path):
    """Given a sealed row that is no JSON, then its leaf hash recomputes, and verifying names it."""
    with day.connect("writer") as connection:
        connection.execute(
            f"""INSERT INTO {day.book}.events
                       (originator_id, originator_version, topic, state, ord)
                VALUES (gen_random_uuid(), 1, 'no-name', '\\xff0a00', 0)"""
        )
    day.seal()

    package = exported(day, tmp_path / "package")

    assert b"\xff\x0a\x00" == stored(package)[-1][3]
    verdict = verify(package, Trust(keys=(day.key.verifying_key,)))
    place = f"position {verdict.size - 1}"
    assert {("events", place)} == {(f.check, f.place) for f in verdict.findings}


def test_only_a_package_of_the_same_book_and_no_later_one_can_be_the_previous(
    chain: Chain, day: Casino, tmp_path: Path
):
    """Given another book's manifest, a later one, or one of a root that never was: refused."""
    (tmp_path / "forged").mkdir()
    forged = Forgery.of(chain.monday, tmp_path)
    forged.resign(chain.casino.key, root="00" * 32)
    cases = (
        (day, chain.monday, MONDAY, "another book"),
        (chain.casino, chain.tuesday, MONDAY, "ends later"),
        (chain.casino, forged.path, TUESDAY, "this book has not"),
    )
    for casino, previous, on, why in cases:
        with pytest.raises(PreviousError, match=why):
            export(casino, tmp_path / "package", (on, on), previous)
    for nonsense in (b"", b"[]", b"{}", b'{"format":"contoposta-export/1","size":"x"}'):
        with pytest.raises(PreviousError):
            read_previous(nonsense)
    assert not (tmp_path / "package").exists()


def test_an_empty_day_is_a_package_too(day: Casino, tmp_path: Path):
    """Given a day on which nothing happened, then its package holds and follows the one before."""
    monday = exported(day, tmp_path / "monday")
    day.wait(days=1)

    done = export(day, tmp_path / "tuesday", (TUESDAY, TUESDAY), monday)

    assert done.first == done.size
    trust = Trust(keys=(day.key.verifying_key,), previous=monday)
    assert () == verify(tmp_path / "tuesday", trust).findings


def test_an_event_after_midnight_that_the_closing_had_to_seal_is_in_both_packages(
    day: Casino, tmp_path: Path
):
    """Given play in the minutes between midnight and the closing, then each day has its own."""
    anna = day.sit("anna")
    day.now = day.now.replace(day=30, hour=23, minute=2)
    day.play(anna, 17, red("5.00"))
    day.seal()
    day.now += timedelta(minutes=10)
    day.play(anna, 0, red("5.00"))
    monday = exported(day, tmp_path / "monday")
    day.now += timedelta(days=1)

    export(day, tmp_path / "tuesday", (TUESDAY, TUESDAY), monday)

    trust = Trust(keys=(day.key.verifying_key,), previous=monday)
    verdict = verify(tmp_path / "tuesday", trust)
    assert () == verdict.findings
    assert verdict.first < orjson.loads((monday / "manifest.json").read_bytes())["size"]


def test_a_round_that_is_in_play_for_days_is_never_taken_for_a_forged_one(
    day: Casino, tmp_path: Path
):
    """Given a round of Monday that ends on Wednesday, then each package holds with its parent."""
    day.wait(days=-1)
    session = day.sit("anna")
    played = day.open_round(session, red("5.00"))
    day.seal()
    day.wait(days=1)
    monday = after = exported(day, tmp_path / "monday")
    for date, name in ((TUESDAY, "tuesday"), (TUESDAY + timedelta(days=1), "wednesday")):
        if name == "wednesday":
            day.void(session, played)
        day.player(name)
        day.seal()
        day.wait(days=1)
        export(day, tmp_path / name, (date, date), after)
        after = tmp_path / name

    keys = (day.key.verifying_key,)
    second = verify(tmp_path / "tuesday", Trust(keys=keys, previous=monday))
    third = verify(after, Trust(keys=keys, previous=tmp_path / "tuesday"))
    assert ((), ()) == (second.findings, third.findings)
    assert 0 < second.first < third.first
    assert [] == [t for t in second.taken if "before" in t]
    assert 2 == sum("verify it after its own" in t or "1 rounds that" in t for t in third.taken)


def test_g8_rounds_go_by_the_version_in_force_and_no_other(day: Casino, tmp_path: Path):
    """Given a second version within the day, then rounds before and after hold; a lie does not."""
    day.now -= timedelta(days=1)
    session = day.sit("anna")
    day.play(session, 17, red("5.00"))
    text = orjson.loads(SHEETS[CLASSIC].text) | {"version": 2}
    day.send(
        cmd.PublishSheet,
        sheet=CLASSIC,
        sheet_version=2,
        in_force_from=day.now + timedelta(minutes=5),
        text=canonical(text),
    )
    day.wait(minutes=10)
    day.play(session, 17, red("5.00"))
    day.seal()
    day.wait(days=1)
    package = exported(day, tmp_path / "package")
    trust = Trust(keys=(day.key.verifying_key,), audits=AUDITS)
    assert (3, ()) == (verify(package, trust).rounds, verify(package, trust).findings)

    forged = Forgery.of(package, tmp_path)
    forged.edit("sheets.json", lambda content: content.replace(b"T09:05", b"T09:30"))
    forged.resign(day.key)
    assert {"sheets"} == {f.check for f in verify(forged.path, trust).findings}


def test_g6_a_package_is_verified_by_any_key_of_the_chain_that_signed_the_log(
    day: Casino, tmp_path: Path
):
    """Given a key that was followed by another on Tuesday, then who trusts either is content."""
    old, new, stranger = (SigningKey(day.key.name, bytes([seed]) * 32) for seed in b"kns")
    monday = exported(day, tmp_path / "monday")
    keys = {"old_key": old.verifying_key.text(), "new_key": new.verifying_key.text()}
    signature = sign_rotation(old, new.verifying_key)
    day.send(cmd.RotateSigningKey, **keys, signature=signature, reason="its year is over")
    sealer = Sealer(day.book, old.name, old, new)
    with day.connect("sealer") as connection:
        sealer.seal_all(connection)
    day.player("bruno")
    with day.connect("sealer") as connection:
        sealer.seal_all(connection)
    day.wait(days=1)
    wanted = Wanted(TUESDAY, TUESDAY, tmp_path / "tuesday", previous_of(monday))

    assert isinstance(export_days(day.ports, (new,), wanted), Exported)

    def found(path: Path, key: SigningKey) -> set[str]:
        trust = Trust(keys=(key.verifying_key,), previous=monday)
        return {f.check for f in verify(path, trust).findings}

    tuesday = tmp_path / "tuesday"
    assert (set(), {"signature"}) == (found(tuesday, old), found(tuesday, stranger))
    assert set() == {f.check for f in verify(tuesday, Trust((new.verifying_key,))).findings}
    forged = Forgery.of(tuesday, tmp_path)
    forged.resign(new, rotations=[{**keys, "signature": sign_rotation(new, new.verifying_key)}])
    assert "signature" in found(forged.path, old)
    forged.resign(new, rotations=[])
    assert {"signature"} == {
        f.check for f in verify(forged.path, Trust((new.verifying_key,))).findings
    }


def test_g6_a_package_is_signed_by_the_key_of_its_checkpoint_or_not_at_all(
    day: Casino, tmp_path: Path
):
    """Given two keys at hand, then the one that sealed signs; given another's alone, none does."""
    other = SigningKey(day.key.name, b"o" * 32)
    wanted = Wanted(MONDAY, MONDAY, tmp_path / "package")

    with pytest.raises(KeyFault):
        export_days(day.ports, (other,), wanted)
    assert not wanted.target.exists()
    export_days(day.ports, (other, day.key), wanted)
    assert () == verify(wanted.target, Trust((day.key.verifying_key,))).findings


def previous_of(package: Path) -> Previous:
    """What the next package says of one."""
    return read_previous((package / "manifest.json").read_bytes())
