"""The register of reports: produced, sent, receipted, replaced; nothing in it is overwritten."""

from datetime import UTC, date, datetime, timedelta

import orjson
import psycopg
import pytest

from ledger.domain.refusals import Refusal
from tests.workers.history import Casino, red
from workers.log import sql
from workers.reports import build
from workers.reports.build import build_report, replace_report, report_days
from workers.reports.editions import EditionCode, Note, note, registered
from workers.reports.periods import Unit, of_day
from workers.reports.registry import REPORTS, named

KIND = "operator-liability"
MONDAY = of_day(date(2026, 11, 30))
REPORT = f"{KIND}-2026-11-30"
TUESDAY = datetime(2026, 12, 1, 8, tzinfo=UTC)


@pytest.fixture
def casino(casino: Casino) -> Casino:
    """Anna lost 5.00 on Monday, which was reported on Tuesday morning."""
    casino.play(casino.sit(casino.player("anna")), 0, red("5.00"))
    casino.seal()
    casino.now = TUESDAY
    build_report(casino.ports, KIND, MONDAY)
    return casino


def noted(casino: Casino, text: str) -> Note:
    """What ada notes now."""
    return Note("ada", casino.now, text)


def test_what_became_of_a_report_stands_with_who_and_when_in_the_words_of_the_receipt(casino):
    """Given it was sent at eight and receipted an hour later, then the register says so."""
    sent = noted(casino, "by PEC")
    assert 1 == note(casino.ports, REPORT, "sent", sent)
    casino.wait(hours=1)
    receipt = noted(casino, "accettato, n. 4711 – Forlì")
    assert 1 == note(casino.ports, REPORT, "receipted", receipt)

    (edition,) = registered(casino.ports, REPORT)
    told = (edition.edition, edition.version, edition.produced_at)
    assert (1, named(KIND).version, TUESDAY) == told
    assert {"sent": sent, "receipted": receipt} == edition.steps
    assert tuple(f"{REPORT}.{ending}" for ending in ("csv", "it.csv", "json", "pdf")) == (
        edition.files
    )


def test_each_step_is_noted_once_and_a_receipt_comes_after_the_sending(casino):
    """Given a second time, or the wrong order, or no such report, then a code and no change."""
    first = noted(casino, "by PEC")

    assert EditionCode.NOT_SENT is note(casino.ports, REPORT, "receipted", first).code
    note(casino.ports, REPORT, "sent", first)
    again = note(casino.ports, REPORT, "sent", noted(casino, "by post"))
    assert EditionCode.ALREADY_SENT is again.code
    note(casino.ports, REPORT, "receipted", first)
    again = note(casino.ports, REPORT, "receipted", noted(casino, "again"))
    assert EditionCode.ALREADY_RECEIPTED is again.code
    unknown = note(casino.ports, "operator-liability-2026-12-01", "sent", first)
    assert EditionCode.UNKNOWN_REPORT is unknown.code
    assert {first} == set(registered(casino.ports)[0].steps.values())


def test_a_replacement_is_an_edition_of_its_own_that_says_what_it_replaces(casino):
    """Given a refused report, then the next edition's card names it, and its figures are as before.

    The first edition's files stay as they were; the second is sent and receipted by itself.
    """
    first = {p.name: p.read_bytes() for p in build_report(casino.ports, KIND, MONDAY)}
    note(casino.ports, REPORT, "sent", noted(casino, "by PEC"))
    reason = noted(casino, "refused: unreadable")
    paths = replace_report(casino.ports, KIND, MONDAY, reason)

    assert [f"{REPORT}-r2.{e}" for e in ("csv", "it.csv", "json", "pdf")] == [p.name for p in paths]
    folder = casino.folder / casino.book
    assert first == {name: (folder / name).read_bytes() for name in first}
    before, after = (orjson.loads((folder / f"{REPORT}{x}.json").read_bytes()) for x in ("", "-r2"))
    assert (1, "none") == (before["card"]["edition"], before["card"]["replaces"])
    assert (2, "edition 1") == (after["card"]["edition"], after["card"]["replaces"])
    assert before["sections"] == after["sections"]
    one, two = registered(casino.ports, REPORT)
    assert ({"sent", "replaced"}, reason) == (set(one.steps), one.steps["replaced"])
    assert {} == two.steps
    assert 2 == note(casino.ports, REPORT, "sent", noted(casino, "again by PEC"))


def test_g6_the_newest_edition_is_built_again_with_the_same_bytes(casino):
    """Given two editions, then asking for the report gives the second, byte for byte."""
    replaced = replace_report(casino.ports, KIND, MONDAY, noted(casino, "asked"))
    bytes_of = [path.read_bytes() for path in replaced]

    again = build_report(casino.ports, KIND, MONDAY)
    assert (replaced, bytes_of) == (again, [path.read_bytes() for path in again])


def test_what_was_never_produced_is_not_replaced(casino):
    """Given another kind of report, then nothing is there to be replaced."""
    refusal = replace_report(casino.ports, "duty", MONDAY, noted(casino, "asked"))

    assert EditionCode.UNKNOWN_REPORT is refusal.code


def test_two_replacements_at_once_are_one(casino, monkeypatch):
    """Given another was quicker while the files were made, then a refusal, and one next edition."""
    files, others = build._files, []

    def slow(ports, edition):
        made = files(ports, edition)
        if not others:
            others.append(None)
            replace_report(ports, KIND, MONDAY, noted(casino, "quicker"))
        return made

    monkeypatch.setattr(build, "_files", slow)
    refusal = replace_report(casino.ports, KIND, MONDAY, noted(casino, "slower"))

    assert EditionCode.REPORT_REPLACED is refusal.code
    assert [1, 2] == [each.edition for each in registered(casino.ports, REPORT)]


def test_a_new_version_of_a_report_replaces_what_stands_only_when_it_is_asked_to(
    casino, monkeypatch
):
    """Given another version of the kind, then what was produced stands until it is replaced."""
    newer = tuple(
        type(k)(**{n: getattr(k, n) for n in k.__slots__} | {"version": k.version + 1})
        for k in REPORTS
    )
    monkeypatch.setattr(build, "named", lambda name: {k.name: k for k in newer}[name])

    outdated = build_report(casino.ports, KIND, MONDAY)
    assert EditionCode.REPORT_OUTDATED is outdated.code
    paths = replace_report(casino.ports, KIND, MONDAY, noted(casino, "a new version"))
    card = orjson.loads(paths[2].read_bytes())["card"]
    assert (named(KIND).version + 1, 2) == (card["report_version"], card["edition"])
    assert not isinstance(build_report(casino.ports, KIND, MONDAY), Refusal)


def test_what_is_due_is_produced_once_by_the_calendar(casino):
    """Given a month's end and the day after, then days, the month and life to date, and no year.

    Four files for each kind that is due; what was produced by hand is not produced again.
    """
    casino.now += timedelta(days=1)
    over = (Unit.DAY, Unit.DAY, Unit.MONTH, Unit.LIFE)

    due = [f"{kind.name} {unit}" for kind in REPORTS for unit in over if unit in kind.due]
    assert 4 * (len(due) - 1) == len(report_days(casino.ports))
    assert () == report_days(casino.ports)
    names = {each.report for each in registered(casino.ports)}
    assert {"duty-2026-11-30", "duty-2026-12-01", "duty-2026-11"} == {
        name for name in names if name.startswith("duty")
    }
    assert "game-performance-life-2026-11-30" in names


@pytest.mark.parametrize("table", ["p_reports", "p_report_steps"])
@pytest.mark.parametrize("change", ["DELETE FROM", "UPDATE", "TRUNCATE"])
def test_g5_the_register_is_only_added_to_whoever_asks(casino, table, change):
    """Given the superuser himself, then the trigger refuses."""
    note(casino.ports, REPORT, "sent", noted(casino, "by PEC"))
    text = f"{change} {{book}}.{table}" + (" SET report = ''" if change == "UPDATE" else "")

    with (
        psycopg.connect(casino.conninfo) as superuser,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="only ever added"),
    ):
        superuser.execute(sql(text, casino.book))
