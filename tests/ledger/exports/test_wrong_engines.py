"""Given an engine that is wrong, then its book is sound in itself and its package betrays it.

The rounds go through the real service, are sealed, reported and exported by the same code that is
wrong; only the verifier's second method does not share the fault (G8).
"""

import hashlib
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from uuid import UUID, uuid4

import orjson
import pytest

from games import registry
from games.blackjack import settle as boxes, shoe
from games.cards import DECK
from games.deuces_wild import double_up
from games.engine import Payout
from games.roulette import payouts, round as colpo
from games.roulette.fairplay import round as spun
from games.roulette.french import prison, round as french
from ledger.domain import commands as cmd
from ledger.exports.verifier import Trust, Verdict, verify
from ledger.store.book import Store
from tests.deuces_table import TRIPLE
from tests.fairplay_desk import FairDesk, fair_desk
from tests.french_pit import on
from tests.house import CODEC, House
from tests.ledger.exports.test_live_cards import Evening
from tests.packages import MONDAY, TUESDAY, Forgery, export
from tests.workers.evening import EQUAL
from tests.workers.history import DEUCES, Casino, red, straight
from tests.workers.test_live_tables import bet, spin

EVEN = {"chance": "even", "amount": "5.00"}
PAYOUT, JUDGE = payouts.payout, double_up.judge
FATE, SHIFTED, DRAW, PAYS = prison.spin, spun.shifted, shoe.draw, boxes._pays


def zero_is_even(bet, pays, amount, pocket):
    """Zero wins for who bet on even (fault S7)."""
    is_even = bet.kind == "even" and pocket == 0
    return Payout(amount, amount) if is_even else PAYOUT(bet, pays, amount, pocket)


def pays_one_less(bet, pays, amount, pocket):
    """A straight pays 34 to 1."""
    return PAYOUT(bet, pays - (pays == 35), amount, pocket)


def equal_loses(sheet, shown, picked):
    """The house takes a push."""
    told = JUDGE(sheet, shown, picked)
    return "lost" if told == "pushed" else told


def freed_too_soon(terms, prisoner, pocket):
    """A win frees what is at the second level, as if it were at the first."""
    return FATE(terms, replace(prisoner, level=1) if pocket else prisoner, pocket)


def shifted_back(number, offset):
    """The offset is taken from the number."""
    return SHIFTED(number, -offset % 37).model_copy(update={"offset": offset})


def put_back(left, pool):
    """A card is drawn from a shoe that lacks none."""
    return DRAW(replace(left, gone=(0,) * len(DECK)), pool)


def six_to_five(rules, bet, outcome):
    """A Blackjack pays 6 to 5."""
    natural = outcome is boxes.Outcome.BLACKJACK
    return Fraction(6, 5) if natural else PAYS(rules, bet, outcome)


def roulette(casino: Casino, player: str) -> None:
    """A zero and a seventeen."""
    session = casino.sit(player)
    casino.play(session, 0, EVEN, red("5.00"))
    casino.play(session, 17, straight(17), EVEN)


def deuces(casino: Casino, player: str) -> None:
    """Three of a kind, doubled against an equal card."""
    session: UUID = casino.sit(player, sheet=DEUCES)
    casino.double(session, casino.hand(session, (5, "0.25"), TRIPLE, "5s", "7c"), EQUAL)


def publish(casino: Casino, sheet: str) -> None:
    """The packaged sheet of another game."""
    packaged = registry.SHEETS[sheet]
    told = {"sheet": sheet, "sheet_version": packaged.version, "text": packaged.text}
    casino.send(cmd.PublishSheet, **told, in_force_from=casino.now)


def at_table(casino: Casino, player: str, sheet: str, table: str) -> UUID:
    """A session with a seat at a live table of its own."""
    publish(casino, sheet)
    casino.send(cmd.OpenTable, table=table, sheet=sheet, seats_max=7, chief="maria")
    session = casino.sit(player, sheet=sheet)
    casino.send(cmd.TakeSeat, session=session, table=table)
    return session


def french_roulette(casino: Casino, player: str) -> None:
    """Two zeros, and a win for who left the stake in prison: it steps back one level."""
    session = at_table(casino, player, "french-roulette", "roulette-1")
    for pocket in (0, 0, 3):
        casino.send(cmd.OpenTableRound, table="roulette-1")
        if pocket == 0 and not casino.service.state(f"session:{session}").rounds:
            bet(casino, session, on("red", 1_000))
        spin(casino, "roulette-1", pocket)


def blackjack(casino: Casino, player: str) -> None:
    """Three cards drawn of a full shoe, each the eighth of those left; then a Blackjack."""
    evening = Evening(casino, at_table(casino, player, "live-blackjack", "blackjack-1"))
    evening.at(cmd.ShuffleShoe)
    evening.begin()
    evening.draw(3)
    evening.act("stand")
    evening.hear("Kc Ks")
    evening.at(cmd.SettleTableRound)
    evening.begin()
    evening.hear("Ac 5d Kd")
    evening.at(cmd.SettleTableRound)


def desk_of(casino: Casino) -> FairDesk:
    """A desk with FairPlay series over the casino's book."""
    store = Store(casino.conninfo, casino.book, CODEC, pool_size=2)
    house = House(casino.conninfo, casino.book, casino.service, store, casino.key, casino.now)
    return fair_desk(house, casino.folder)


def fairplay(casino: Casino, player: str) -> None:
    """A number of a series that is moved on by thirty, and one that is not."""
    publish(casino, "roulette-fairplay")
    desk = desk_of(casino)
    session = desk.sit(desk.player(f"{player}-2"))
    series = desk.prepare(f"{player}-2")
    desk.spin(session, series, offset=30)
    desk.spin(session, series, offset=0)


RULES = {
    "zero is even": (colpo, "payout", zero_is_even, roulette),
    "a straight at 34": (colpo, "payout", pays_one_less, roulette),
    "equal loses": (double_up, "judge", equal_loses, deuces),
    "freed too soon": (french, "spin", freed_too_soon, french_roulette),
    "shifted back": (spun, "shifted", shifted_back, fairplay),
    "a card put back": (shoe, "draw", put_back, blackjack),
    "a Blackjack at 6 to 5": (boxes, "_pays", six_to_five, blackjack),
}
"""Where the rule stands, the rule as it is played, and who plays; one round of theirs is wrong."""


@pytest.mark.parametrize("rule", RULES)
def test_g8_a_fault_of_an_engine_is_found_in_what_it_exported(
    database: str, tmp_path: Path, monkeypatch, rule: str
):
    """Given an engine with one rule wrong, when its day is verified, then its round is named."""
    module, name, played, play = RULES[rule]
    monkeypatch.setattr(module, name, played)
    casino = Casino(database, tmp_path, book=f"z{uuid4().hex[:8]}")
    play(casino, casino.player("anna"))
    casino.seal()
    casino.wait(days=1)
    export(casino, tmp_path / "package", (MONDAY, MONDAY), None)

    trust = Trust(keys=(casino.key.verifying_key,), audits=registry.AUDITS)
    verdict = verify(tmp_path / "package", trust)

    assert {"rounds"} == {f.check for f in verdict.findings}
    assert 1 == len({f.found.partition(":")[0] for f in verdict.findings})


@pytest.fixture(scope="module")
def series_days(database: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Casino, Path]:
    """One number of a series on Monday; the other four and its secret on Tuesday; the packages."""
    folder = tmp_path_factory.mktemp("series")
    casino = Casino(database, folder, book=f"z{uuid4().hex[:8]}")
    publish(casino, "roulette-fairplay")
    desk = desk_of(casino)
    session = desk.sit(desk.player("anna"))
    series = desk.prepare("anna")
    desk.spin(session, series, offset=30)
    casino.seal()
    casino.wait(days=1)
    desk.house.now += timedelta(days=1)
    export(casino, folder / "monday", (MONDAY, MONDAY), None)
    for _ in range(4):
        desk.spin(session, series)
    desk.reveal(series)
    casino.seal()
    casino.wait(days=1)
    export(casino, folder / "tuesday", (TUESDAY, TUESDAY), folder / "monday")
    export(casino, folder / "both", (MONDAY, TUESDAY), None)
    return casino, folder


def judged(casino: Casino, package: Path, previous: Path | None = None) -> Verdict:
    """With the casino's key, and the second methods."""
    keys = (casino.key.verifying_key,)
    return verify(package, Trust(keys=keys, audits=registry.AUDITS, previous=previous))


def test_g7_a_series_that_is_played_over_two_days_holds(series_days):
    """Given numbers of a series on Monday and Tuesday, and its secret told, then both days hold."""
    casino, folder = series_days

    second = judged(casino, folder / "tuesday", folder / "monday")
    alone = judged(casino, folder / "tuesday")

    assert ((), 4) == (second.findings, second.rounds)
    assert () == judged(casino, folder / "both").findings
    assert () == alone.findings
    assert "Not judged: the secrets of 1 series prepared before." in alone.taken
    assert not any("secrets" in taken for taken in second.taken)


def test_g7_a_secret_that_was_not_committed_or_played_is_found(series_days, tmp_path: Path):
    """Given another number in a secret, committed to as well or not, then it is not the one."""
    casino, folder = series_days
    forged = Forgery.of(folder / "both", tmp_path)
    lines = forged.events()
    at = next(n for n, line in enumerate(lines) if b'"series-revealed"' in line)
    secret = orjson.loads(lines[at])["entry"]["event"]["secret"].encode()
    other = secret.replace(b"-START-12-", b"-START-13-")
    lines[at] = lines[at].replace(secret, other)
    forged.relog(lines, casino.key)
    uncommitted = judged(casino, forged.path).findings
    for name in ("md5", "sha256"):
        old, new = (hashlib.new(name, text).hexdigest().encode() for text in (secret, other))
        lines = [line.replace(old, new) for line in lines]
    forged.relog(lines, casino.key)
    committed = judged(casino, forged.path).findings

    found = [{f.found for f in each if f.check == "series"} for each in (uncommitted, committed)]
    unplayed = "number 1 of the secret is another one than was drawn"
    assert [{"the secret is another one than was committed", unplayed}, {unplayed}] == found
