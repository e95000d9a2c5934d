"""A live table's outcome is judged again: by its entropy, and by what its rounds were told (G7)."""

import pytest

from games import registry
from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import sheet_stream
from ledger.replay import Judge
from tests.french_pit import FrenchPit, on
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

    assert ["the table's outcome decided the round, and nothing goes back"] == found


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
