"""The alerting rules for Prometheus, held against the page that they watch.

They are read by a reader of their own, for the few shapes of YAML that they are written in, and
fire as written: a comparison of one metric of the page with a number.
"""

import operator
import re
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from prometheus_client.core import CollectorRegistry, Metric

from tests.workers.history import CLASSIC, PREMIUM, Casino, red
from tests.workers.test_rtp import end_day, one_pocket
from workers.closing import close_day
from workers.days import last_over
from workers.metrics import TASKS, registry_for_scrape
from workers.monitoring.alerts import watch_returns
from workers.project import project_all
from workers.reconciliation.inside import reconcile_inside

FILE = Path(__file__).parents[2] / "ops" / "alerts" / "contoposta.rules.yml"
LINE = re.compile(r"^( *)(- )?(\w+):(?: (.+))?$")
SELECTED = re.compile(r"\b(contoposta_\w+)(?:\{(.*?)\})?")
LABEL = re.compile(r'(\w+)="([^"]*)"')
COMPARED = re.compile(r"^(contoposta_\w+)(?:\{.*?\})? (>|==) (\d+)$")
COMPARE = {">": operator.gt, "==": operator.eq}
KEYS = {"alert", "expr", "for", "severity", "summary", "description"}


def rules() -> list[dict[str, str]]:
    """The rules of the file; their labels and annotations stand among their own fields."""
    found: list[dict[str, str]] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        _, begins, name, value = LINE.match(line).groups()
        if begins and name == "alert":
            found.append({})
        if value is not None and found:
            assert ": " not in value, line
            assert " #" not in value, line
            assert name not in found[-1], line
            found[-1][name] = value
    return found


RULES = rules()


@dataclass(frozen=True, slots=True)
class Page:
    """The samples of a page."""

    metrics: tuple[Metric, ...]

    @property
    def samples(self) -> list[tuple[str, dict[str, str], float]]:
        """Each sample's name, labels and value."""
        return [(s.name, s.labels, s.value) for m in self.metrics for s in m.samples]

    def of(self, name: str, labels: dict[str, str]) -> list[tuple[dict[str, str], float]]:
        """The samples of a name that have some labels."""
        return [
            (own, value)
            for each, own, value in self.samples
            if each == name and labels.items() <= own.items()
        ]

    def firing(self) -> set[str]:
        """The alerts whose comparison holds now, however long it has."""
        found = set()
        for rule in RULES:
            compared = COMPARED.match(rule["expr"])
            if compared is not None:
                name, sign, bound = compared.groups()
                labels = dict(LABEL.findall(rule["expr"]))
                if any(COMPARE[sign](v, float(bound)) for _, v in self.of(name, labels)):
                    found.add(rule["alert"])
        return found


def page_of(casino: Casino) -> Page:
    """What a scrape shows of a casino's book, and what a worker would have counted of tasks."""
    registry: CollectorRegistry = registry_for_scrape(casino.folder, lambda: casino.ports)
    TASKS.labels("contoposta.report_days", "failure").inc(0)
    return Page((*registry.collect(), *TASKS.collect()))


@pytest.fixture(scope="module")
def troubled(database, tmp_path_factory):
    """Two wheels that stop at 17, a round in play for days, and workers that stand still.

    Twelve times in a row is a warning, twenty times an alarm. One day is closed, without any
    report, and others are not.
    """
    casino = Casino(database, tmp_path_factory.mktemp("trouble"), book=f"t{uuid4().hex[:8]}")
    one_pocket(casino, "anna", 20)
    other = casino.sit(casino.player("carla"), sheet=PREMIUM)
    for _ in range(12):
        casino.play(other, 17, red())
    casino.open_round(casino.sit(casino.player("bruno")), red())
    end_day(casino)
    watch_returns(casino.ports)
    casino.wait(days=2)
    casino.seal()
    reconcile_inside(casino.ports)
    casino.seal()
    project_all(casino.ports)
    casino.player("dora")
    casino.wait(minutes=2)
    return casino


def test_every_rule_has_what_a_person_needs():
    """Given the file, then each alert has a condition, a weight, and says what to do."""
    assert len(RULES) >= 10
    assert [] == [rule for rule in RULES if not KEYS - {"for"} <= set(rule) <= KEYS]
    assert len(RULES) == len({rule["alert"] for rule in RULES})
    assert {"critical", "warning"} == {rule["severity"] for rule in RULES}
    assert [] == [r["for"] for r in RULES if not re.fullmatch(r"\d+[mh]", r.get("for", "1m"))]


def test_every_metric_and_label_of_the_rules_is_on_the_page(troubled):
    """Given a book in trouble, then each selector finds a sample, and each text its labels.

    A task's outcome of failure is one that the worker counts; there is no other word for it.
    """
    page = page_of(troubled)
    for rule in RULES:
        selected = [
            (name, dict(LABEL.findall(labels))) for name, labels in SELECTED.findall(rule["expr"])
        ]
        assert selected, rule["alert"]
        shown = [page.of(name, labels) for name, labels in selected]
        assert all(shown), rule["alert"]
        told = set(re.findall(r"\$labels\.(\w+)", rule["summary"] + rule["description"]))
        told |= {w for by in re.findall(r"by \((.*?)\)", rule["expr"]) for w in by.split(", ")}
        assert told <= set(shown[0][0][0]), rule["alert"]


def test_a_book_in_which_all_is_well_fires_nothing_and_one_that_is_not_there_says_so(casino):
    """Given a round that was settled, sealed and folded, then none; without a database, one."""
    casino.play(casino.sit(casino.player("anna")), 17, red())
    casino.seal()
    project_all(casino.ports)
    well = page_of(casino).firing()
    casino.book = "never_migrated"

    assert (set(), {"ContopostaDatabaseDown"}) == (well, page_of(casino).firing())


def test_alerts_fire_for_a_book_in_trouble_and_count_what_waits(troubled):
    """Given all that can go wrong while the database answers, then each says so.

    Bruno's round is overdue, and a difference for that; one day is closed, two more are over. When
    they are closed, which seals what waits, none is told of any more, and their reports lack too.
    """
    page = page_of(troubled)

    assert {
        "ContopostaCheckpointMissing", "ContopostaRtpAlarm", "ContopostaRtpWarning",
        "ContopostaDifferencesOpen", "ContopostaRoundsOverdue", "ContopostaDayNotClosed",
        "ContopostaReportsLacking",
    } == page.firing()  # fmt: skip
    assert [({"sheet": CLASSIC}, 1.0)] == page.of("contoposta_rounds_overdue", {})
    assert [({"source": "inside"}, 1.0)] == page.of("contoposta_differences_open", {})
    assert [({}, 2.0)] == page.of("contoposta_days_unclosed", {})
    ((_, lacking),) = page.of("contoposta_reports_lacking", {})
    close_day(troubled.ports, last_over(troubled.now))
    after = page_of(troubled)
    cleared = {"ContopostaDayNotClosed", "ContopostaCheckpointMissing"}
    assert page.firing() - cleared == after.firing()
    assert after.of("contoposta_reports_lacking", {})[0][1] > lacking > 0
