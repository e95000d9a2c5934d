"""The reports: what a day's performance and liability tell must follow from the events.

Sums are made again from settlements and postings, and each table is held against the document for
machines. What needs days before the package, or what a sheet promises, is left out. Of other kinds
of reports it is held that their renderings in CSV say what their documents say, and that they name
the log; for what they tell, and for what is printed, the manifest's signature alone speaks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from ledger.exports.layout import REPORT_FOLDER
from ledger.exports.verifier.files import UNREADABLE, Package
from ledger.exports.verifier.lists import LISTED, SESSIONS, Lists
from ledger.exports.verifier.money import Balances, Flows, kind_of
from ledger.exports.verifier.tables import Table, control, csv_differences, summed, totals
from ledger.exports.verifier.totals import (
    ALL_BETS,
    BONUS,
    DEMO,
    DOUBLED,
    PLAY,
    Sums,
    Totals,
    add,
    by_currency,
    sums_of,
)
from ledger.exports.verifier.verdict import Fields, Findings

PERFORMANCE: Final = "game-performance"
LIABILITY: Final = "operator-liability"
KINDS: Final = (PERFORMANCE, LIABILITY, *LISTED)
"""Reports that follow from the events; each day has them."""
OWED: Final = ("conto", "posta", "prison", "right", "stakes", "win")
"""Kinds of accounts whose money is the players'."""
HELD: Final = ("right", "posta", "stakes", "prison", "win")
"""Those of sessions."""
BALANCES: Final = ("opening", "debited", "credited", "closing")
BY_SHEET: Final = ("sheet", "sheet_version", "currency")
MONTH: Final = timedelta(days=29)


@dataclass(frozen=True, slots=True)
class Told:
    """A report as its document for machines tells it."""

    name: str
    card: Fields
    sections: Mapping[str, list[Fields]]


Reported = dict[tuple[str, date], Told]
"""By the kind of report and the business day."""


def read_reports(package: Package, findings: Findings) -> Reported:
    """The reports of every day; what is missing, or not the same in CSV, is found."""
    told: Reported = {}
    for day in package.days:
        for kind in _kinds(package, day):
            name = f"{REPORT_FOLDER}/{kind}-{day.isoformat()}"
            try:
                document = package.json(f"{name}.json")
                sections = {s["name"]: s["lines"] for s in document["sections"]}
                if len(sections) != len(document["sections"]):
                    findings.add("reports", name, "has a section twice")
                told[kind, day] = Told(f"{name}.json", document["card"], sections)
                tables = [package.whole(f"{name}.{e}") for e in ("csv", "it.csv")]
                for what in csv_differences(document, *tables):
                    findings.add("reports", name, what)
                card = document["card"]
                if {card["first_day"], card["last_day"]} != {day.isoformat()}:
                    findings.add("reports", name, "is of another day")
            except UNREADABLE as error:
                findings.add("reports", name, f"cannot be read: {type(error).__name__}")
    return told


def _kinds(package: Package, day: date) -> list[str]:
    """The kinds that must be there, and those that are."""
    ending = f"-{day.isoformat()}"
    found = (package.path / REPORT_FOLDER).glob(f"*{ending}.*")
    return sorted({*KINDS, *(path.name.partition(ending)[0] for path in found)})


@dataclass(frozen=True, slots=True)
class Reports:
    """Holds reports against sums that were made again."""

    told: Reported
    totals: Totals
    lists: Lists
    flows: Flows
    opening: Balances
    whole: bool
    """Whether the package begins with the book, so that sums over more than a day are known too."""

    def hold(self, findings: Findings) -> None:
        """Compare every figure that follows from the events."""
        for (kind, day), told in self.told.items():
            try:
                for table in self._tables(kind, day):
                    for what in table.differences(told.sections[table.name]):
                        findings.add("reports", told.name, f"{table.name}: {what}")
            except UNREADABLE as error:
                findings.add("reports", told.name, f"cannot be read: {type(error).__name__}")

    def _tables(self, kind: str, day: date) -> Iterator[Table]:
        """What the tables of a report must tell, as far as it follows."""
        if kind == PERFORMANCE:
            yield from self._performance(day)
        if kind == LIABILITY:
            yield from self._liability(day)
        if kind == SESSIONS:
            yield totals("open", HELD, self._held(day))
        if kind in LISTED:
            yield from LISTED[kind](self.lists, day)

    def _held(self, day: date) -> Sums:
        """What all sessions' accounts hold at a day's end, by currency."""
        sums = sums_of(HELD)
        for (kind, currency), figures in self._balances(day).items():
            if kind in HELD:
                add(sums[currency,], (figures[-1] * (kind == name) for name in HELD))
        return sums

    def _performance(self, day: date) -> Iterator[Table]:
        play, bets = self.totals.play, self.totals.all_bets(day)
        periods = {"sheets": day}
        if self.whole:
            periods |= {"last-30-days": day - MONTH, "to-date": date.min}
        for name, since in periods.items():
            sums = _over(play, since, day)
            yield summed(name, ("sheet", "sheet_version", "bet_kind", "currency"), PLAY, sums)
        for name in ("accounts", "levels", "channels"):
            yield totals(name, PLAY, play[day])
        yield summed("double-ups", BY_SHEET, DOUBLED, self.totals.doubled[day])
        yield summed("all-bets", BY_SHEET, ALL_BETS, bets)
        yield _control(bets)
        yield totals("bonuses", BONUS, self.totals.bonuses[day])
        keys = ("sheet", "sheet_version", "account", "currency")
        yield summed("demo-rounds", keys, DEMO, self.totals.demo[day])

    def _balances(self, day: date) -> Sums:
        """What came and went on a day, by kind of account and currency."""
        sums = sums_of(BALANCES)
        for (account, currency), balance in self.opening.items():
            add(sums[kind_of(account), currency], (balance, 0, 0, balance))
        for (on, kind, currency), (out, came) in self.flows.items():
            if on < day:
                add(sums[kind, currency], (came - out, 0, 0, came - out))
            elif on == day:
                add(sums[kind, currency], (0, out, came, came - out))
        return sums

    def _liability(self, day: date) -> Iterator[Table]:
        sums = self._balances(day)
        for name, is_owed in (("liability", True), ("contra", False)):
            part = {key: figures for key, figures in sums.items() if (key[0] in OWED) is is_owed}
            table = summed(name, ("account", "currency"), BALANCES, part)
            lines = {key: cells for key, cells in table.lines.items() if key[0] != "subtotal"}
            yield Table(name, table.keys, table.columns, lines)
        yield _moved(sums)


def _over(days: Mapping[date, Sums], first: date, last: date) -> Sums:
    """Sums of play over several days."""
    together = sums_of(PLAY)
    for day, sums in days.items():
        if first <= day <= last:
            for key, figures in sums.items():
                add(together[key], figures)
    return together


def _control(bets: Sums) -> Table:
    """All bets, and that the journal's lines come to the same."""
    together = by_currency(ALL_BETS, bets)
    told = {c: dict(zip(ALL_BETS, figures, strict=True)) for c, figures in together.items()}
    lines = {c: [f["turnover"]] * 2 + [f["ggr"]] * 2 for c, f in told.items()}
    return control(("turnover", "journal_turnover", "ggr", "journal_ggr"), lines)


def _moved(balances: Sums) -> Table:
    """All accounts together are zero, and the journal's lines move what came in."""
    together = by_currency(BALANCES, balances)
    lines = {c: (closing, came, came) for c, (_, _, came, closing) in together.items()}
    return control(("all_accounts", "moved", "journal_lines"), lines)
