"""The demo: one simulated business day of a concession, with everything real but the clock.

It starts the embedded server and a Celery worker, plays, lets duties, projections and reports be
done by the worker, verifies, and ends what it started, also on Ctrl-C.
"""

import argparse
import fcntl
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import orjson
import psycopg
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ledger.domain import commands as cmd, session as ses
from ledger.domain.events import BetRefunded
from ledger.domain.money import format_amount
from ledger.domain.refusals import Fault, Refusal
from ledger.seal import sealer
from ledger.seal.verify import Verdict
from ops import bootstrap, clock, embedded
from ops.cluster import ClusterError
from ops.collector import look_seldom
from ops.desk import Desk
from ops.live_tables import is_live, simulate_live
from ops.migrate import MigrationError
from ops.processes import database_running, wait_for, worker_running
from ops.settings import Settings, SettingsError, load_settings
from ops.signing_keys import make_signing_key
from ops.simulation import Doubled, Outcome, Plan, buy, expect, simulate, sit_down
from ops.stopping import STOPS
from ops.workers import celery
from workers.app import BookCelery
from workers.days import ZONE, closes_at, day_of
from workers.projections.registry import PROJECTIONS
from workers.reports.periods import Unit, of_day
from workers.reports.profiles import PROFILES
from workers.reports.registry import REPORTS
from workers.tasks import PREFIX

ROME: Final = ZoneInfo(ZONE)
DAY_BEGINS: Final = 10
"""The hour, in Rome, at which each simulated day of play begins."""
PLANS: Final = (
    Plan("european-roulette-classic", players=6, rounds=250, seed=11),
    Plan("european-roulette-premium", players=5, rounds=160, seed=12),
    Plan("european-roulette-vip", players=5, rounds=100, seed=13),
    Plan("deuces-wild", players=4, rounds=50, seed=14),
    Plan("roulette-fairplay", players=3, rounds=30, seed=15),
    Plan("french-roulette", players=6, rounds=12, seed=16),
    Plan("live-blackjack", players=5, rounds=12, seed=17),
)
HAND: Final = {"coins": 5, "coin": "0.25"}

console = Console(highlight=False)


class DemoFault(Fault):
    """The demo could not go on."""


@dataclass(slots=True)
class Demo:
    """One run of the demo: settings, the desk, and the application whose worker is running."""

    settings: Settings
    desk: Desk
    worker: BookCelery
    plans: tuple[Plan, ...]
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    def advance(self, by: timedelta) -> None:
        """Let simulated time pass."""
        clock.set_simulated(self.settings, clock.simulated_now(self.settings) + by)

    def play(self) -> None:
        """The plans of all tables, a bar for each."""
        with _bar() as progress:
            for plan in self.plans:
                task = progress.add_task(plan.sheet, total=plan.players * plan.rounds)
                play = simulate_live if is_live(plan.sheet) else simulate
                self.outcomes[plan.sheet] = play(
                    self.desk, plan, partial(self._tick, progress, task)
                )

    def _tick(self, progress: Progress, task: Any, done: int) -> None:
        progress.advance(task, done)
        self.advance(timedelta(seconds=done))

    def bet_and_vanish(self) -> UUID:
        """A player tops up, bets, is cut off before the spin, and does not come back."""
        session = sit_down(self.desk, PLANS[0].sheet, "carla")
        buy(self.desk, PLANS[0].sheet, "carla", session)
        self._bet(session, {"bets": [{"chance": "red", "amount": "5.00"}]})
        self._cut_off(session)
        return session

    def win_and_vanish(self) -> tuple[UUID, int]:
        """A player of Deuces Wild plays on to a win, is cut off with it, and does not come back.

        Returns the session and the held win, in minor units.
        """
        session = sit_down(self.desk, PLANS[3].sheet, "fabio")
        while not (win := self._hand(session)):
            pass
        self._cut_off(session)
        return session, win

    def _hand(self, session: UUID) -> int:
        """Play a hand by the proposed hold; what it wins stays held."""
        dealt = self._bet(session, HAND)
        hold = {"hold": self.desk.screen(session, dealt)["proposed_hold"]}
        move = self.desk.further_move(session, dealt, hold)
        assert not isinstance(move, Refusal)
        head = self.desk.head()
        expect(self.desk.handle(cmd.ContinueRound(**head, session=session, round=dealt, move=move)))
        state = self.desk.session(session)
        return state.win_box if isinstance(state, ses.Open) else 0

    def _cut_off(self, session: UUID) -> None:
        head, at = self.desk.head(), self.desk.clock()
        expect(self.desk.handle(cmd.DisconnectSession(**head, session=session, at=at)))

    def expire(self, *sessions: UUID) -> list[ses.Closed]:
        """Let the worker find and end the sessions whose players did not come back."""
        self.advance(timedelta(minutes=20))

        def ended() -> list[ses.Closed] | None:
            self._send("seal")
            self._send("project", "sessions")
            self._send("expire_sessions")
            states = [self.desk.session(session) for session in sessions]
            closed = [state for state in states if isinstance(state, ses.Closed)]
            return closed if len(closed) == len(sessions) else None

        return wait_for(ended, "the expiry")

    def void(self) -> int:
        """Two players have bet when the wheel fails: both rounds are void, in one command.

        Returns what was refunded, in minor units.
        """
        refs = []
        for player in ("dario", "elena"):
            session = sit_down(self.desk, PLANS[1].sheet, player)
            bet = self._bet(session, {"bets": [{"numbers": [17], "amount": "1.00"}]})
            refs.append(cmd.RoundRef(session=session, round=bet))
        command = cmd.VoidRounds(
            **self.desk.head(), rounds=tuple(refs), reason="the wheel did not stop"
        )
        answer = expect(self.desk.handle(command))
        for ref in refs:
            expect(self.desk.handle(cmd.CloseSession(**self.desk.head(), session=ref.session)))
        return sum(e.event.amount for e in answer.entries if isinstance(e.event, BetRefunded))

    def _bet(self, session: UUID, document: object) -> UUID:
        move = self.desk.move(session, document)
        assert not isinstance(move, Refusal)
        command = cmd.OpenRound(**self.desk.head(), session=session, move=move)
        return expect(self.desk.handle(command)).command

    def midnight(self) -> date:
        """Let the business day end and its report fall due; the day that ended."""
        day = day_of(clock.simulated_now(self.settings))
        clock.set_simulated(self.settings, closes_at(day))
        return day

    def report(self, day: date) -> list[Path]:
        """Let the worker seal, project and report; the files that it wrote."""
        self._send("seal")
        self._send("report_days")
        for projection in PROJECTIONS:
            self._send("project", projection.name)
        wanted = [
            self.settings.reports / f"{kind.name}-{of_day(day).name}.{ending}"
            for kind in REPORTS
            if Unit.DAY in kind.due
            for ending in PROFILES
        ]

        def written() -> list[Path] | None:
            return wanted if all(path.exists() for path in wanted) else None

        return wait_for(written, "the reports")

    def _send(self, task: str, *arguments: str) -> None:
        self.worker.send_task(PREFIX + task, args=arguments)

    def verify(self) -> Verdict:
        """Recompute the whole book."""
        with bootstrap.connected(self.settings) as connection, _bar() as progress:
            last = sealer.latest(connection, self.settings.book)
            task = progress.add_task("verifying", total=last.size if last else None)
            verifier = bootstrap.verifier(self.settings, connection)
            verifier.progress = lambda done: progress.update(task, completed=done)
            return verifier.verify(bootstrap.trust(self.settings))


def _bar() -> Progress:
    columns = (TextColumn("  {task.description:<28}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console)


def say(sentence: str) -> None:
    """One line of the story."""
    console.print(f"[bold cyan]·[/] {escape(sentence)}", soft_wrap=True)


def begin_day(settings: Settings) -> None:
    """Set the clock to ten in the morning of the next day that has not begun."""
    try:
        last = clock.simulated_now(settings)
    except SettingsError:
        last = clock.now()
    begins = last.astimezone(ROME).replace(hour=DAY_BEGINS, minute=0, second=0, microsecond=0)
    clock.set_simulated(settings, begins if begins >= last else begins + timedelta(days=1))


def run(settings: Settings, plans: tuple[Plan, ...]) -> None:
    """Start everything, tell the story, end everything."""
    began = time.monotonic()
    with database_running(settings):
        begin_day(settings)
        make_signing_key(settings)
        desk = bootstrap.desk(settings, "demo")
        desk.open_book(settings.book, settings.clock)
        desk.publish_packaged()
        say("PostgreSQL is up, the book is open, the rule sheets are published.")
        with worker_running(settings):
            tell(Demo(settings, desk, celery(settings), plans))
    console.print(f"[dim]{time.monotonic() - began:.0f} s; everything is stopped again.[/]")


def tell(demo: Demo) -> None:
    """Play a business day, let it be reported and verified, and print the account of it."""
    now: datetime = demo.desk.clock()
    say(f"It is {now.astimezone(ROME):%d %B %Y, %H:%M} in Rome. Players sit down.")
    demo.play()
    say(doubled(demo.outcomes[PLANS[3].sheet].double_ups))
    carla = demo.bet_and_vanish()
    fabio, win = demo.win_and_vanish()
    with console.status("The worker looks for sessions that are due ..."):
        hers, his = (format_amount(ended.final_posta) for ended in demo.expire(carla, fabio))
    say(
        "Carla topped up, was cut off with 5.00 on red and did not come back in 20 minutes: "
        f"her round was played, and {hers} went to her conto."
    )
    say(
        f"Fabio was cut off at Deuces Wild with a win of {format_amount(win)} that waited for his "
        f"word: it was held, collected for him after 20 minutes, and {his} went to his conto."
    )
    say(f"The wheel failed with two players at it: {format_amount(demo.void())} were refunded.")
    day = demo.midnight()
    with console.status("The worker seals, projects and reports the day ..."):
        paths = demo.report(day)
    account(demo, paths, demo.verify())


def doubled(told: Doubled) -> str:
    """The double-ups of the day in a sentence."""
    staked, returned = format_amount(told.staked), format_amount(told.returned)
    return f"Wins were doubled up {told.count} times: {staked} at risk, {returned} returned."


def account(demo: Demo, paths: list[Path], verdict: Verdict) -> None:
    """Print what happened, for a person; raise `DemoFault` when the book does not hold."""
    performance = next(p for p in paths if p.match("*performance*.json"))
    console.print(_day(orjson.loads(performance.read_bytes()), demo.outcomes))
    say(
        f"Verified: {verdict.events} events, {verdict.checkpoints} checkpoints, {verdict.rounds} "
        f"rounds judged again. {'The book holds.' if verdict.holds else 'IT DOES NOT HOLD.'}"
    )
    say("Reports of the day, built by Celery from the sealed log, as PDF, JSON and twice CSV:")
    for path in (path for path in paths if path.suffix == ".pdf"):
        console.print(f"    {os.path.relpath(path)}", soft_wrap=True, markup=False)
    console.print(NEXT)
    if not verdict.holds:
        raise DemoFault(f"The book does not hold: {verdict.findings[0]}")


def _day(report: dict[str, Any], outcomes: dict[str, Outcome]) -> Table:
    """The day as the report tells it, with what never became an event: the refused bets."""
    table = Table(title="The day at the tables, from the report", title_justify="left")
    table.add_column("sheet", no_wrap=True)
    for name in ("rounds", "turnover", "RTP %", "theory", "refused"):
        table.add_column(name, justify="right", no_wrap=True)
    lines = next(s["lines"] for s in report["sections"] if s["name"] == "sheets")
    for line in (x for x in lines if x["line"] == "subtotal"):
        refused = sum(outcomes[line["sheet"]].refused.values())
        told = (str(line[name]) for name in ("rounds", "turnover", "rtp_percent"))
        table.add_row(line["sheet"], *told, _theory(lines, line["sheet"]), str(refused))
    return table


def _theory(lines: list[dict[str, Any]], sheet: str) -> str:
    """The theoretical returns of a sheet's kinds of bets, each once, one below the other."""
    rows = (x for x in lines if x["line"] == "row" and x["sheet"] == sheet)
    return "\n".join(sorted({row["theoretical_percent"] for row in rows}))


NEXT: Final = """
What to try next:
    export PATH=$PWD/.venv/bin:$PATH CONTOPOSTA_HOME=.contoposta/demo \\
           CONTOPOSTA_BOOK=demo CONTOPOSTA_CLOCK=simulated
    contoposta up
    contoposta conto statement player-1
    contoposta rtp european-roulette-vip
    contoposta verify
    contoposta down
and ./ops/demo again: it carries on with the next day.
"""


def throw_away(settings: Settings) -> None:
    """Remove what an earlier demo left in its folder, and nothing else that may be there."""
    embedded.down(settings)
    for name in LEFT:
        shutil.rmtree(settings.home / name, ignore_errors=True)
    (settings.home / "clock").unlink(missing_ok=True)


LEFT: Final = ("postgres", "postgres.new", "vault", "series", "keys", "reports", "metrics")


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """One demo at a time in a folder; the kernel gives the lock back when its holder dies."""
    settings.home.mkdir(parents=True, exist_ok=True)
    with (settings.home / "demo.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DemoFault("Another demo is running here; let it end first.") from None
        yield


def perform(chosen: argparse.Namespace) -> None:
    """The demo as it was asked for."""
    settings = load_settings()
    if settings.clock != "simulated":
        raise DemoFault("The demo lets time pass quickly; start it by ./ops/demo.")
    plans = tuple(replace(plan, rounds=min(plan.rounds, chosen.rounds)) for plan in PLANS)
    with alone(settings):
        if chosen.fresh:
            throw_away(settings)
        run(settings, plans)


def _rounds(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("give a whole number from 1 upwards")
    return int(text)


def arguments() -> argparse.Namespace:
    """What the demo is asked for."""
    parser = argparse.ArgumentParser(
        prog="ops/demo", description="Show the book at work.", epilog="Example: ./ops/demo --fresh"
    )
    parser.add_argument("--fresh", action="store_true", help="throw the demo's data away first")
    most = max(plan.rounds for plan in PLANS)
    help_ = "a shorter day: at most so many rounds for each player"
    parser.add_argument("--rounds", type=_rounds, metavar="N", default=most, help=help_)
    return parser.parse_args()


def main() -> None:
    """Run the demo; Ctrl-C, TERM and a closed terminal end everything that was started."""
    chosen = arguments()
    look_seldom()
    for number in STOPS:
        signal.signal(number, signal.default_int_handler)
    try:
        perform(chosen)
    except KeyboardInterrupt:
        console.print("\nStopped; no process is left running. The data stay for the next run.")
        sys.exit(130)
    except (Fault, SettingsError, ClusterError, MigrationError, psycopg.Error, OSError) as error:
        console.print(str(error), style="red", markup=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
