"""A live table's outcome is judged again: by its entropy, and by what its rounds were told (G7)."""

import pytest

from games import registry
from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import sheet_stream
from ledger.replay import Judge
from tests.french_pit import FrenchPit, on
from tests.french_table import MANUAL
from tests.ledger.domain.test_tables import HEADS, Pit
from tests.table_coin import TABLE_ENGINES


@pytest.fixture
def pit():
    """A round with a bet, whose outcome was drawn here: the byte 3 gives tails."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    pit.at(cmd.CloseBets)
    pit.pool = [b"\x03"]
    pit.do(cmd.DrawOutcome, table="coin-1")
    pit.do(cmd.SettleTableRound, table="coin-1")
    return pit


def judged(pit, forged=None):
    """What the judge finds where the events of this name show heads."""
    published = {p.ref: p for p in pit.book.state(sheet_stream("coin-flip")).versions}
    judge, heads = Judge(TABLE_ENGINES, published), {"details": HEADS, "shown": "heads"}
    entries = [
        e.model_copy(update={"event": e.event.model_copy(update=heads)})
        if e.event.NAME == forged
        else e
        for e in pit.book.entries
    ]
    return [finding.found for entry in entries for finding in judge.see(entry)]


def test_g7_a_tables_draw_on_record_is_found_good(pit):
    """Nothing was changed."""
    assert [] == judged(pit)


def test_g7_a_tables_outcome_that_its_entropy_does_not_give_is_found(pit):
    """And that the rounds were told another one."""
    expected = ["the entropy on record does not give this outcome"]
    assert [*expected, "not the outcome of the table's round"] == judged(pit, "outcome-recorded")


def test_g7_a_round_that_was_told_another_outcome_than_its_tables_is_found(pit):
    """Heads instead of tails."""
    assert "not the outcome of the table's round" in judged(pit, "outcome-told")


def test_fr1_a_stake_that_was_refunded_out_of_the_prison_is_found():
    """Zero imprisoned 10.00 on red; a refund would take it from the stakes of another round."""
    pit = FrenchPit()
    round_id = pit.imprisoned()
    pit.begin()
    pit.bet(on("odd", 1000))
    entries = pit.book.entries
    placed = next(e for e in entries if e.event.NAME == "bet-placed" and e.event.round == round_id)
    fields = dict(placed.event) | {"reason": "error"}
    del fields["details"]
    back = placed.model_copy(update={"event": ev.BetRefunded(**fields)})
    published = {p.ref: p for p in pit.book.state(sheet_stream("french-roulette")).versions}
    judge = Judge(registry.ENGINES, published)

    found = [f.found for entry in (*entries, back) for f in judge.see(entry)]

    decided = "the table's outcome decided the round, and nothing goes back"
    assert [decided, "more is refunded than bet 1 holds"] == found


def test_fr1_a_settlement_that_withdraws_for_a_player_who_stays_is_found():
    """By the rules a settlement withdraws for who is ended by it; anna's session goes on."""
    pit = FrenchPit()
    round_id = pit.imprisoned()
    settled = next(e for e in pit.book.entries if e.event.NAME == "table-round-settled")
    withdrawn = pit.move(round_id, prison=[{"bet": 1, "choice": "withdraw"}])
    head = {"command": settled.command, "recorded": settled.recorded}
    moved = [e.model_copy(update=head) for e in withdrawn.entries[1:]]
    at = pit.book.entries.index(settled)
    entries = [e for e in pit.book.entries if e.command != withdrawn.command]
    published = {p.ref: p for p in pit.book.state(sheet_stream("french-roulette")).versions}
    judge = Judge(registry.ENGINES, published)

    found = [f.found for e in (*entries[:at], *moved, *entries[at:]) for f in judge.see(e)]

    wrong = "a command settle-table-round plays for who is ended by it alone"
    assert [wrong] == found


def playing_on():
    """10.00 on red won and play on; 4 takes them."""
    pit = FrenchPit(MANUAL)
    pit.begin()
    pit.bet(on("red", 1000))
    pit.spin(3)
    pit.begin()
    pit.spin(4)
    assert [] == pit.findings()
    return pit


LEFT_OUT = "stakes that won do not play on as the sheet says"


def test_fr7_a_stake_that_was_left_out_of_the_tables_next_round_is_found():
    """It lay there when black came, and the book says that it did not."""
    pit = playing_on()
    pit.book.entries = [
        e for e in pit.book.entries if e.event.NAME not in {"table-round-joined", "stake-left"}
    ]

    assert LEFT_OUT in [f.found for f in pit.findings()]


@pytest.mark.parametrize("fields", [{"amount": 900}, {"left_as": 3}])
def test_fr7_a_stake_that_plays_on_as_another_bet_is_found(fields):
    """A part of it, or under another number."""
    pit = playing_on()
    pit.book.entries = [_with(e, "stake-left", **fields) for e in pit.book.entries]

    assert [f for f in pit.findings() if f.found.startswith("the sheet gives stake-left")]


def test_fr7_a_stake_that_was_set_aside_and_played_on_is_found():
    """The table's round says that it may not play on, and it does."""
    pit = playing_on()
    pit.book.entries = [_with(e, "table-round-joined", plays_on=False) for e in pit.book.entries]

    assert [f for f in pit.findings() if f.found.startswith("the sheet gives win-held")]


def test_fr7_a_stake_that_joined_a_round_of_the_table_too_late_is_found():
    """After the close it would see the ball roll."""
    pit = playing_on()
    joined = [e for e in pit.book.entries if e.event.NAME in {"table-round-joined", "stake-left"}]
    others = [e for e in pit.book.entries if e not in joined]
    close = max(at for at, e in enumerate(others) if e.event.NAME == "bets-closed")
    late = others[close].command
    moved = [e.model_copy(update={"command": late}) for e in joined]
    pit.book.entries = [*others[: close + 1], *moved, *others[close + 1 :]]

    assert {
        "made after the close without a leave",
        "joined a round of the table that its command did not open",
    } <= {f.found for f in pit.findings()}


def _with(entry, name, **fields):
    """An entry, changed where its event has a name."""
    if entry.event.NAME != name:
        return entry
    return entry.model_copy(update={"event": entry.event.model_copy(update=fields)})
