"""Claims that no event stands behind: each was signed by the house, and each is found."""

import hashlib
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from tests.packages import Chain, Forgery

CLASSIC = "sheets/european-roulette-classic-1.json"
DAY = "2026-11-30"


def listed(change: Callable[[list[dict[str, Any]]], None]) -> Callable[[bytes], bytes]:
    """A change of the list of rule sheets."""

    def edit(content: bytes) -> bytes:
        document = orjson.loads(content)
        change(document["sheets"])
        return orjson.dumps(document)

    return edit


def earlier(sheets: list[dict[str, Any]]) -> None:
    """A sheet in force an hour before it was published."""
    sheets[0]["in_force_from"] = sheets[0]["in_force_from"].replace("T09", "T08")


def unpublished(sheets: list[dict[str, Any]]) -> None:
    """One that nobody plays, by a text that another one has."""
    sheets.append({**sheets[0], "file": sheets[0]["file"]})


@pytest.mark.parametrize("change", [earlier, unpublished, lambda sheets: sheets.pop()])
def test_g8_a_list_of_sheets_that_is_not_what_was_published_is_found(
    chain: Chain, monday: Forgery, change: Callable[[list[dict[str, Any]]], None]
):
    """Given a sheet in force too early, listed twice or left out, then its publication tells."""
    monday.edit("sheets.json", listed(change))
    monday.resign(chain.casino.key)

    assert {"sheets"} == chain.found(monday.path)


def test_g8_rounds_by_a_text_that_was_never_published_are_found(chain: Chain, monday: Forgery):
    """Given another text of a sheet, and rounds that all name it, then its publication tells."""
    before = (monday.path / CLASSIC).read_bytes()
    after = before.replace(b'"posta_max":100000', b'"posta_max":900000')
    old, new = (hashlib.sha256(text).hexdigest().encode() for text in (before, after))
    monday.edit(CLASSIC, lambda _: after)
    monday.edit("sheets.json", lambda content: content.replace(old, new))
    lines = [
        line if b'"name":"sheet-published"' in line else line.replace(old, new)
        for line in monday.events()
    ]
    monday.relog(lines, chain.casino.key)

    # The reports name the root of the log that was; a forger would sign them again too.
    assert {"sheets", "roots"} == chain.found(monday.path)


def test_g8_money_of_a_round_that_names_no_rules_is_found(chain: Chain, monday: Forgery):
    """Given bets, payouts and losses without rules to judge them by, then each is named."""
    lines = monday.events()
    for name in (b"bet-placed", b"payout-credited", b"round-settled", b"win-held"):
        at = next(n for n, line in enumerate(lines) if b'"name":"%s"' % name in line)
        document = orjson.loads(lines[at])
        del document["entry"]["event"]["rules"]
        changed = [*lines[:at], orjson.dumps(document) + b"\n", *lines[at + 1 :]]
        forged = Forgery.of(monday.path, monday.path.parent)
        forged.relog(changed, chain.casino.key)

        found = {(f.check, f.place) for f in chain.verify(forged.path, audits={}).findings}

        assert ("events", f"position {at}") in found, name


@pytest.mark.parametrize("ending", ["csv", "it.csv"])
def test_g6_columns_whose_names_were_swapped_are_found(chain: Chain, monday: Forgery, ending: str):
    """Given winnings under the name of turnover in a table, then it tells another story."""
    name = f"reports/game-performance-{DAY}.{ending}"

    def swapped(content: bytes) -> bytes:
        names = {b"turnover": b"winnings", b"winnings": b"turnover"}
        mark = b"," if ending == "csv" else b";"
        return b"\r\n".join(
            mark.join(names.get(cell, cell) for cell in line.split(mark))
            for line in content.split(b"\r\n")
        )

    monday.edit(name, swapped)
    monday.resign(chain.casino.key)

    assert {"reports"} == chain.found(monday.path)


@pytest.mark.parametrize("ending", ["csv", "it.csv"])
def test_g6_a_line_that_calls_itself_a_header_is_found(chain: Chain, monday: Forgery, ending: str):
    """Given one more line in a table, among the names of its columns, then it is named."""
    mark = "," if ending == "csv" else ";"
    line = mark.join(("sheets", "header", "deuces-wild", "9999.00")).encode()
    monday.edit(f"reports/duty-{DAY}.{ending}", lambda content: content + line + b"\r\n")
    monday.resign(chain.casino.key)

    assert {"reports"} == chain.found(monday.path)


def test_g6_a_line_of_a_kind_that_no_report_has_is_found(chain: Chain, monday: Forgery):
    """Given a total told once more as a remark, in every rendering, then it is no line of those."""
    name = f"reports/game-performance-{DAY}"
    document = orjson.loads((monday.path / f"{name}.json").read_bytes())
    lines = next(s for s in document["sections"] if s["name"] == "all-bets")["lines"]
    lines.append({**lines[-1], "line": "remark"})
    monday.edit(f"{name}.json", lambda _: orjson.dumps(document))
    for ending, mark in (("csv", b","), ("it.csv", b";")):
        total = b"all-bets%stotal%s" % (mark, mark)

        def told_again(content: bytes, total: bytes = total) -> bytes:
            before, _, rest = content.partition(total)
            line, end, after = rest.partition(b"\r\n")
            remark = total.replace(b"total", b"remark")
            return before + total + line + end + remark + line + end + after

        monday.edit(f"{name}.{ending}", told_again)
    monday.resign(chain.casino.key)

    assert {"reports"} == chain.found(monday.path)


def test_g6_a_section_that_stands_twice_is_found(chain: Chain, monday: Forgery):
    """Given a false section before the right one of its name, then no reader is left to choose."""
    name = f"reports/large-wins-{DAY}.json"
    document = orjson.loads((monday.path / name).read_bytes())
    document["sections"].insert(0, document["sections"][0])
    monday.edit(name, lambda _: orjson.dumps(document))
    monday.resign(chain.casino.key)

    found = {f.found for f in chain.verify(monday.path).findings}

    assert "has a section twice" in found


@pytest.mark.parametrize(
    "kind", ["player-sessions", "duty", "large-wins", "corrections", "significant-events"]
)
def test_g6_a_report_that_was_left_out_is_found(chain: Chain, monday: Forgery, kind: str):
    """Given a day without one of the reports that follow from its events, then it is missed."""
    for path in (monday.path / "reports").glob(f"{kind}-{DAY}.*"):
        path.unlink()
    monday.resign(chain.casino.key)

    assert {"reports"} == chain.found(monday.path)


@pytest.mark.parametrize("size", [1, 5])
def test_g6_a_report_of_a_checkpoint_that_did_not_close_its_day_is_found(
    chain: Chain, tuesday: Forgery, size: int
):
    """Given a card that names a size before the package, then nobody can say that it is right."""
    name = "reports/duty-2026-12-01"
    document = orjson.loads((tuesday.path / f"{name}.json").read_bytes())
    whole = document["card"]["checkpoint_size"]
    for ending in ("json", "csv", "it.csv"):
        mark = {"json": b": ", "csv": b",", "it.csv": b";"}[ending]
        tuesday.edit(
            f"{name}.{ending}",
            lambda content, mark=mark: content.replace(
                b"%s%d" % (mark, whole), b"%s%d" % (mark, size)
            ),
        )
    tuesday.resign(chain.casino.key)

    assert {"reports"} == chain.found(tuesday.path)


def redated(forged: Forgery, at: int, before: bytes, after: bytes) -> None:
    """Another day for when an event was recorded."""
    lines = forged.events()
    lines[at] = lines[at].replace(b'"recorded":"' + before, b'"recorded":"' + after, 1)
    forged.edit("events.jsonl", lambda _: b"".join(lines))


def test_g6_an_event_that_was_moved_to_a_closed_day_is_found(chain: Chain, tuesday: Forgery):
    """Given a round of Tuesday that is told of Monday, then no day's report would have it."""
    at = next(n for n, line in enumerate(tuesday.events()) if b'"round-settled"' in line)
    redated(tuesday, at, b"2026-12-01", b"2026-11-30")

    found = {(f.check, f.place) for f in chain.verify(tuesday.path, previous=chain.monday).findings}

    assert ("days", f"position {tuesday.manifest['first'] + at}") in found


def test_g6_an_event_that_lies_between_two_packages_is_found(chain: Chain, monday: Forgery):
    """Given an event of Tuesday that Monday's package has and Tuesday's has not, it is named."""
    redated(monday, 9, b"2026-11-30", b"2026-12-01")

    found = {(f.check, f.place) for f in chain.verify(chain.tuesday, previous=monday.path).findings}

    assert ("days", "previous package, position 9") in found
