"""Each round at a live table is told the table's own outcome, and no bet comes after it (G7)."""

import pytest

from games.roulette.wheel import outcome
from ledger.domain import commands as cmd, events as ev
from ledger.seal.outcomes import OutcomeCheck
from tests.french_pit import TABLE, FrenchPit, on


@pytest.fixture(scope="module")
def entries():
    """A round that is paid, one that imprisons, one that is void, and one in play."""
    pit = FrenchPit()
    for pocket in (17, 0, 4):
        pit.begin()
        pit.bet(on([17], 100))
        pit.bet(on("red", 1000), number=2)
        pit.spin(pocket)
    pit.begin()
    pit.bet(on([17], 100))
    pit.at(cmd.VoidTableRound, reason="the wheel broke")
    pit.begin()
    pit.bet(on([17], 100))
    return tuple(pit.book.entries)


def found(entries):
    """What the check finds in entries."""
    check = OutcomeCheck()
    return [f.found for e in entries for f in check.see(0, e)] + [f.found for f in check.end()]


def changed(entries, kind, **fields):
    """The entries with the first event of a kind changed."""
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, kind))
    event = entries[at].event.model_copy(update=fields)
    forged = entries[at].model_copy(update={"event": event})
    return (*entries[:at], forged, *entries[at + 1 :])


def test_g7_what_the_service_writes_agrees(entries):
    """Paid, imprisoned, void and in play."""
    assert [] == found(entries)


@pytest.mark.parametrize("fields", [{"details": outcome(18)}, {"shown": "18"}])
def test_g7_a_round_that_was_told_another_number_is_found(entries, fields):
    """The number or what the screen shows of it."""
    assert ["told another outcome than the table's"] == found(
        changed(entries, ev.OutcomeTold, **fields)
    )


def test_g7_a_number_that_was_changed_at_the_table_is_found_at_every_round(entries):
    """Two sessions bet there."""
    wrong = "told another outcome than the table's"

    assert [wrong] * 2 == found(changed(entries, ev.OutcomeRecorded, details=outcome(18)))


def test_g7_a_second_outcome_of_a_round_is_found(entries):
    """The table's rounds have one each."""
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.OutcomeRecorded))

    twice = (*entries[: at + 1], entries[at], *entries[at + 1 :])

    assert ["the table's round had an outcome already"] == found(twice)


def test_g7_a_message_that_told_of_another_round_is_found(entries):
    """It counted for the first round of the table, and names the second."""
    first = next(e.event for e in entries if isinstance(e.event, ev.OutcomeRecorded))
    named = changed(entries, ev.OutcomeRecorded, feed=first.feed.model_copy(update={"round": 1}))
    wrong = changed(entries, ev.OutcomeRecorded, feed=first.feed.model_copy(update={"round": 2}))

    assert [] == found(named)
    assert ["the feed told it of another round of the table"] == found(wrong)


def test_fr3_a_round_that_was_voided_after_its_outcome_is_found(entries):
    """The outcome came before the void: who won would have been robbed of it."""
    void = next(e for e in entries if isinstance(e.event, ev.TableRoundVoided))
    number = next(e for e in entries if isinstance(e.event, ev.OutcomeRecorded))
    event = number.event.model_copy(update={"round": void.event.round})
    known = number.model_copy(update={"event": event})
    at = entries.index(void)

    forged = (*entries[:at], known, *entries[at:])

    assert ["void after its outcome was recorded"] == found(forged)


def test_g9_a_round_that_is_settled_without_an_outcome_is_found(entries):
    """Its number is gone: two sessions were told one that is nowhere on record."""
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.OutcomeRecorded))

    without = (*entries[:at], *entries[at + 1 :])

    assert "settled without an outcome" in found(without)


def test_fr8_a_bet_that_stands_after_the_outcome_is_found(entries):
    """Moved behind it, it was told the outcome before it was there and is told none after."""
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.RoundOpened))
    end = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.OutcomeRecorded))

    late = (*entries[:at], *entries[at + 1 : end + 1], entries[at], *entries[end + 1 :])

    assert ["made after the table's outcome was recorded"] == found(late)


def test_g9_a_round_that_is_paid_without_one_of_its_bets_is_found(entries):
    """The outcome was told to one session only."""
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.OutcomeTold))
    left = entries[at].event.round

    assert [f"the round {left} was not told the outcome"] == found(
        (*entries[:at], *entries[at + 1 :])
    )


def of(entries, answer):
    """The entries without those of a command, and those of the command."""
    mine = [e for e in entries if e.command == answer.command]
    return [e for e in entries if e.command != answer.command], mine


def test_fr1_a_prisoner_that_was_spared_a_number_is_found():
    """Black came, and the red in prison was told nothing of it."""
    pit = FrenchPit()
    round_id = pit.imprisoned()
    pit.begin()
    others, mine = of(pit.book.entries, pit.spin(4))

    spared = [e for e in mine if getattr(e.event, "round", None) != round_id]

    assert [f"the round {round_id} was not told the outcome"] == found((*others, *spared))


def test_fr1_a_prisoner_that_was_told_a_number_twice_is_found():
    """A second zero, told twice, would be a third."""
    pit = FrenchPit()
    pit.imprisoned()
    pit.begin()
    others, mine = of(pit.book.entries, pit.spin(0))
    assert "outcome-told" == mine[0].event.NAME

    assert ["told the table's outcome again"] == found((*others, mine[0], *mine))


def test_fr1_a_prisoner_that_was_withdrawn_while_the_ball_rolled_is_found():
    """The move says that it was made between two rounds of the table, and stands in one."""
    pit = FrenchPit()
    round_id = pit.imprisoned()
    withdrawn = pit.move(round_id, prison=[{"bet": 1, "choice": "withdraw"}])
    pit.begin()
    pit.hear(4)
    others, mine = of(pit.book.entries, withdrawn)

    wrong = "made in a round of the table that it does not name"

    assert [] == found(pit.book.entries)
    assert [wrong] == found((*others, *mine))


def test_fr8_a_bet_after_the_close_without_a_leave_is_found():
    """Between the close and the number; with the chief's leave it may stand there."""
    pit = FrenchPit()
    pit.begin()
    bet = pit.bet(on([17], 100))
    pit.at(cmd.CloseBets)
    late = pit.bet(on([18], 100), number=2, leave="maria")
    others, mine = of(pit.book.entries, bet)

    assert [] == found(pit.book.entries)
    assert ["made after the close without a leave"] == found((*others, *mine))
    assert late.refusal is None


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"limits": None}, ["names other limits than the table's round"]),
        ({"table": "roulette-2"}, ["the table plays no such round"]),
    ],
)
def test_fr3_a_bet_under_limits_or_at_a_table_that_are_not_its_own_is_found(entries, fields, wrong):
    """The bet names the table's round, and the limits that hold there."""
    opened = next(e.event for e in entries if isinstance(e.event, ev.RoundOpened))
    assert TABLE == opened.table.table

    forged = changed(entries, ev.RoundOpened, table=opened.table.model_copy(update=fields))

    assert wrong == found(forged)[:1]
