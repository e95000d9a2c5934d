"""What reports list one by one, made again: sessions, large wins, corrections, changes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final

from ledger.exports.verifier.days import day_of
from ledger.exports.verifier.log import Event, Found
from ledger.exports.verifier.money import CORRECTION, Balances, postings
from ledger.exports.verifier.tables import LINES, Cells, Table, control, money, percent, summed
from ledger.exports.verifier.totals import Key, Sums, add, by_currency, by_day

PLAYED: Final = (
    "funded_initial", "funded_further", "funded_bonus", "rounds", "bet", "won", "refunded",
    "void_rounds", "double_ups_staked", "double_ups_returned", "final_posta",
)  # fmt: skip
ENDED: Final = (
    "sheet", "session", "player", "channel", "opened", "closed", "reason_of_end", "currency",
)  # fmt: skip
_OPENED: Final = ENDED.index("opened")
WON: Final = (
    "staked", "refunded", "winnings", "stake_returned", "double_ups_staked", "double_ups_returned",
    "win",
)  # fmt: skip
DOORS: Final = (
    "funded", "journal_funded", "final_posta", "journal_final_posta", "left", "bets_less_returns",
)  # fmt: skip
CLOSED: Final = ("sessions", "funded", "bonus", "final_posta", "bets", "returns", "base")
LARGE: Final[Mapping[str, int]] = {"EUR": 1_000_00, "RUR": 100_000_00}
"""The least win that is large, in minor units."""
RATES: Final = (
    (date(2025, 1, 1), Fraction(255, 1000)),
    (date(2019, 1, 1), Fraction(1, 4)),
    (date(2011, 1, 1), Fraction(1, 5)),
)
"""The duty on games with cash winnings, and since when each rate holds, the newest first."""
SIGNIFICANT: Final = frozenset({
    "conto-suspended", "conto-reinstated", "conto-excluded", "exclusion-revoked", "conto-limit-set",
    "conto-closed", "account-type-set", "player-limits-set", "sheet-published",
    "maintenance-announced", "maintenance-ended", "table-opened", "table-limits-set",
    "table-suspended", "table-resumed", "table-closed", "table-round-voided",
    "feed-message-refused", "round-voided", CORRECTION, "signing-key-rotated",
    "personal-data-disclosed", "dispute-opened", "dispute-closed", "difference-found",
    "difference-assigned", "difference-resolved", "difference-cleared", "rtp-alert-raised",
    "rtp-alert-acknowledged", "player-forgotten",
})  # fmt: skip
"""Events that a regulator asks about."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session that is known from its first right on."""

    sheet: str
    player: str
    channel: str
    currency: str
    opened: str | None = None
    """When, as reports write it; None where the right was not validated."""
    figures: Counter[str] = field(default_factory=Counter)
    """Minor units and counts by the names in `PLAYED`."""


Sessions = dict[str, Session]
"""By the session's id."""


def copied(sessions: Sessions) -> Sessions:
    """How they are now, whatever comes."""
    return {name: replace(s, figures=s.figures.copy()) for name, s in sessions.items()}


@dataclass(slots=True)
class Lists:
    """Collects what is listed, by the business day."""

    balances: Balances
    """Those of the books, before the event that is seen."""
    sessions: Sessions
    """Those that have not ended; at first those that are known where the package begins."""
    begun_before: set[str] = field(default_factory=set)
    """Sessions that were not seen to begin."""
    incomplete: set[date] = field(default_factory=set)
    """Days on which one of them ended."""
    ended: dict[date, Sums] = field(default_factory=lambda: by_day(PLAYED))
    wins: dict[date, Sums] = field(default_factory=lambda: by_day(WON))
    winners: dict[date, dict[Key, Cells]] = field(default_factory=lambda: defaultdict(dict))
    """The player of each large win whose session is known."""
    corrected: dict[date, dict[Key, Cells]] = field(default_factory=lambda: defaultdict(dict))
    moved: dict[date, Sums] = field(default_factory=lambda: by_day(("amount",)))
    """What corrections moved, line by line."""
    significant: dict[date, dict[Key, Cells]] = field(default_factory=lambda: defaultdict(dict))

    def see(self, event: Event) -> Found:
        """Take in the next event; what it says is found by other checks."""
        day = day_of(event.recorded)
        if event.name in SIGNIFICANT:
            line = ("row", _instant(event), event.position, event.name, event.stream)
            self.significant[day][line] = (event.entry["actor"],)
        if event.name == CORRECTION:
            self._corrected(day, event)
        if event.stream.startswith("session:"):
            self._of_a_session(day, event, event.stream.partition(":")[2])
        return iter(())

    def _of_a_session(self, day: date, event: Event, name: str) -> None:
        body, session = event.body, self.sessions.get(name)
        if session is None and body.get("purchase") == "initial":
            told = (body[key] for key in ("sheet", "player", "channel", "currency"))
            session = self.sessions[name] = Session(*told)
        if session is None:
            self.begun_before.add(name)
        if event.name == "round-settled":
            self._large(day, event, name)
        if session is not None and event.name == "session-opened":
            self.sessions[name] = replace(session, opened=_instant(event))
        if session is not None:
            session.figures.update(_figures(event))
        if event.name == "session-closed":
            self._closed(day, event, name)

    def _closed(self, day: date, event: Event, name: str) -> None:
        session = self.sessions.pop(name, None)
        if session is None:
            self.incomplete.add(day)
            return
        session.figures["final_posta"] = event.body["final_posta"]
        told = (session.sheet, name, session.player, session.channel, session.opened)
        key = (*told, _instant(event), event.body["reason"], session.currency)
        add(self.ended[day][key], (session.figures[name] for name in PLAYED))

    def _large(self, day: date, event: Event, name: str) -> None:
        """A round that won so much beyond its stake."""
        body, told = event.body, _settled(event)
        doubled = told["double_ups_returned"] - told["double_ups_staked"]
        won = body["winnings"] + doubled
        if won < LARGE[body["currency"]]:
            return
        rules, currency = body["rules"], body["currency"]
        place = (_instant(event), body["round"], name)
        known = {**body, **told, "win": won}
        key = (rules["sheet"], rules["version"], *place, currency)
        add(self.wins[day][key], (known[name] for name in WON))
        if name in self.sessions:
            self.winners[day]["row", *place] = (self.sessions[name].player,)

    def _corrected(self, day: date, event: Event) -> None:
        body, name = event.body, event.stream.partition(":")[2]
        words = (body["corrects"], body["code"], body["reason"], " and ".join(body["approvers"]))
        self.corrected[day]["row", _instant(event), name, *words] = (event.entry["actor"],)
        after = dict(self.balances)
        for number, (source, target, amount, currency) in enumerate(postings(event), 1):
            told: list[str] = []
            for account, change in ((source, -amount), (target, amount)):
                before = after.get((account, currency), 0)
                after[account, currency] = before + change
                told += (money(before), money(before + change))
            key = (body["code"], name, number, source, target, *told, currency)
            add(self.moved[day][key], (amount,))

    # --- the tables ------------------------------------------------------------------------------

    def ended_on(self, day: date) -> Iterator[Table]:
        """Each session that ended, and what they come to."""
        is_whole = day not in self.incomplete
        kinds = LINES if is_whole else ("row",)
        table = summed("ended", ENDED, PLAYED, self.ended[day])
        yield replace(table, kinds=kinds, sums=False, skips=self.begun_before)
        if is_whole:
            lines = {
                currency: [f["funded"]] * 2
                + [f["final_posta"]] * 2
                + [f["funded"] - f["final_posta"], f["base"]]
                for currency, f in self._closed_on(day).items()
            }
            yield control(DOORS, lines)

    def _closed_on(self, day: date) -> dict[str, Counter[str]]:
        """What the sessions that ended on a day come to, by currency.

        One whose first right was rejected never was a session.
        """
        sums: dict[str, Counter[str]] = defaultdict(Counter)
        opened = (item for item in self.ended[day].items() if item[0][_OPENED] is not None)
        for key, figures in opened:
            told = dict(zip(PLAYED, figures, strict=True))
            funded = sum(told[f"funded_{how}"] for how in ("initial", "further", "bonus"))
            bets = told["bet"] + told["double_ups_staked"]
            returns = told["won"] + told["double_ups_returned"]
            closed = (1, funded, told["funded_bonus"], told["final_posta"], bets, returns)
            sums[key[-1]].update(dict(zip(CLOSED, (*closed, bets - returns), strict=True)))
        return sums

    def duty_of(self, day: date) -> Iterator[Table]:
        """What the sessions that ended owe the state."""
        if day in self.incomplete:
            return
        sums = self._closed_on(day)
        days: Sums = {
            (day.isoformat(), currency): [figures[name] for name in CLOSED]
            for currency, figures in sums.items()
        }
        table = summed("days", ("closed_on", "currency"), CLOSED, days, counts=("sessions",))
        yield replace(table, kinds=("row", "total"))
        since, rate = next((r for r in RATES if r[0] <= day), (date.min, Fraction(0)))
        place = (since.isoformat(), percent(rate))
        lines: dict[Key, Cells] = {}
        for currency, figures in sums.items():
            duty = int(max(figures["base"], 0) * rate + Fraction(1, 2))
            cells = (money(figures["base"]), money(duty))
            lines["row", *place, currency] = lines["total", None, None, currency] = cells
        keys = ("rate_since", "rate_percent", "currency")
        yield Table("duty", keys, ("base", "duty"), lines)

    def wins_on(self, day: date) -> Iterator[Table]:
        """Each large win, and what the house kept of those rounds."""
        keys = ("sheet", "sheet_version", "ended", "round", "session", "currency")
        yield summed("wins", keys, WON, self.wins[day])
        winners = Table("wins", keys[2:5], ("player",), self.winners[day], ("row",))
        yield replace(winners, skips=self.begun_before)
        kept: Counter[str] = Counter()
        for key, figures in self.wins[day].items():
            told = dict(zip(WON, figures, strict=True))
            lost = told["staked"] - told["refunded"] - told["stake_returned"]
            kept[key[-1]] += lost - told["win"]
        yield control(("ggr", "journal_ggr"), {c: (ggr, ggr) for c, ggr in kept.items()})

    def corrections_on(self, day: date) -> Iterator[Table]:
        """Each correction, and each line that it moved."""
        keys = ("recorded", "correction", "corrects", "code", "reason", "approvers")
        yield Table("corrections", keys, ("actor",), self.corrected[day])
        moved = ("code", "correction", "number", "source", "target", "source_before",
                 "source_after", "target_before", "target_after", "currency")  # fmt: skip
        yield summed("lines", moved, ("amount",), self.moved[day])
        sums = by_currency(("amount",), self.moved[day])
        yield control(("amount", "journal_amount"), {c: told * 2 for c, told in sums.items()})

    def significant_on(self, day: date) -> Iterator[Table]:
        """Each significant event, and how many there were of each name."""
        keys = ("recorded", "position", "event", "subject")
        yield Table("events", keys, ("actor",), self.significant[day], ("row",), repeats=True)
        counts = Counter(name for _, _, _, name, _ in self.significant[day])
        lines: dict[Key, Cells] = {("row", name): (count,) for name, count in counts.items()}
        if counts:
            lines["total", None] = (counts.total(),)
        yield Table("counts", ("event",), ("events",), lines)


SESSIONS: Final = "player-sessions"
LISTED: Final[Mapping[str, Callable[[Lists, date], Iterator[Table]]]] = {
    SESSIONS: Lists.ended_on,
    "duty": Lists.duty_of,
    "large-wins": Lists.wins_on,
    "corrections": Lists.corrections_on,
    "significant-events": Lists.significant_on,
}
"""The tables of a day that follow, by the kind of report."""


def _figures(event: Event) -> dict[str, int]:
    """What an event adds to the figures of its session."""
    body = event.body
    match event.name:
        case "posta-funded":
            return {f"funded_{body['transfer']}": body["amount"]}
        case "round-voided":
            return {"void_rounds": 1, "refunded": body["refunded"]}
        case "round-settled":
            bet, won = body["staked"] - body["refunded"], body["winnings"] + body["stake_returned"]
            told = {"rounds": 1, "bet": bet, "won": won, "refunded": body["refunded"]}
            return told | _settled(event)
        case _:
            return {}


def _settled(event: Event) -> dict[str, int]:
    """What double-ups staked and returned in a round."""
    doubled: Any = event.body.get("double_ups") or {"staked": 0, "returned": 0}
    return {f"double_ups_{name}": doubled[name] for name in ("staked", "returned")}


def _instant(event: Event) -> str:
    """When an event was recorded, as reports write it."""
    return datetime.fromisoformat(event.recorded).isoformat()
