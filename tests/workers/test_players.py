"""Players' money by day and concept, from two days worked by hand (guarantees G1, G6)."""

from datetime import UTC, datetime

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import (
    BetRefunded,
    CorrectionLine,
    FundsDeposited,
    FundsWithdrawn,
    PostaFunded,
    WinHeld,
)
from ledger.domain.money import Currency
from tests.workers.two_days import MONDAY, TUESDAY, Days, two_days
from workers.project import project_all
from workers.projections.players import HELD, OPEN, TO_HELD, TO_OPEN, Concept, concept_of
from workers.projections.rebuild import rebuild

MOVEMENTS = """
SELECT day, player, game, concept, amount FROM {book}.p_player_movements ORDER BY 1, 2, 3, 4
"""
CONNECTIONS = "SELECT session, at, state FROM {book}.p_connections ORDER BY position"
PAYMENTS = "SELECT player, way, channel, reference, amount FROM {book}.p_payments ORDER BY position"


@pytest.fixture(scope="module")
def days(database, tmp_path_factory) -> Days:
    """Both days, played and folded."""
    days = two_days(database, tmp_path_factory.mktemp("players"))
    project_all(days.casino.ports)
    return days


def test_each_days_movements_are_told_by_player_game_and_concept(days):
    """Given both days, then what was in play at midnight was staked on Monday and lost on Tuesday.

    Of anna's 12.00 the 1.00 on 17 came back with 35.00, the void 1.00 was refunded, 10.00 lost.
    """
    cards, wheel = "deuces-wild", "roulette"
    expected = [
        (MONDAY, "anna", "", "deposit", 100_000),
        (MONDAY, "anna", "", "withdrawal", 5_000),
        (MONDAY, "anna", wheel, "refund", 100),
        (MONDAY, "anna", wheel, "stake", 1_200),
        (MONDAY, "anna", wheel, "stake-lost", 1_000),
        (MONDAY, "anna", wheel, "stake-returned", 100),
        (MONDAY, "anna", wheel, "winnings", 3_500),
        (MONDAY, "bruno", "", "bonus", 700),
        (MONDAY, "bruno", "", "deposit", 100_000),
        (MONDAY, "bruno", cards, "stake", 225),
        (MONDAY, "bruno", cards, "stake-returned", 125),
        (TUESDAY, "bruno", cards, "stake-lost", 100),
    ]

    assert sorted(expected) == days.casino.rows(MOVEMENTS)


def test_g1_concepts_sum_up_to_what_the_accounts_hold(days):
    """Given every movement, then held and open money are those of the journal's balances."""
    moved = days.casino.rows("SELECT concept, amount FROM {book}.p_player_movements")
    balance = "SELECT account, balance FROM {book}.p_balances"
    balances = {tuple(row) for row in days.casino.rows(balance)}

    for signs, kinds in ((TO_HELD, HELD), (TO_OPEN, OPEN)):
        expected = sum(b for account, b in balances if account.rpartition(":")[2] in kinds)
        assert expected == sum(signs.get(Concept(c), 0) * amount for c, amount in moved)


def test_a_broken_connection_and_every_payment_are_kept_one_by_one(days):
    """Given anna's break and both players' payments, then each is a row of its own."""
    away, back = (datetime(2026, 11, 30, 9, minute, tzinfo=UTC) for minute in (5, 8))

    assert [(days.anna, away, "lost"), (days.anna, back, "back")] == days.casino.rows(CONNECTIONS)
    assert [
        ("anna", "deposit", "card", "pay-anna", 100_000),
        ("bruno", "deposit", "card", "pay-bruno", 100_000),
        ("anna", "withdrawal", "card", "out-1", 5_000),
    ] == days.casino.rows(PAYMENTS)


def test_g6_a_rebuild_folds_the_same_rows(days):
    """Given the folded rows, when the projection is rebuilt, then they are the same."""
    every = (MOVEMENTS, CONNECTIONS, PAYMENTS)
    before = [days.casino.rows(text) for text in every]

    rebuild(days.casino.ports, "players")

    assert before == [days.casino.rows(text) for text in every]


def test_a_correction_moves_the_contos_that_its_lines_name(casino):
    """Given 3.00 from anna to bruno and 2.00 back to anna, then each account has its own share.

    Anna: -3.00 + 2.00; bruno: +3.00, though the line leaves all contos together as they were.
    """
    casino.player("anna")
    casino.player("bruno")
    wrong = casino.send(cmd.SuspendConto, player="anna", reason="two holders").command
    lines = (
        CorrectionLine(source="player:anna:conto", target="player:bruno:conto", amount=300),
        CorrectionLine(source="world:payments", target="player:anna:conto", amount=200),
    )
    why = {"code": "wrong-player", "reason": "two holders", "approvers": ("ada", "bice")}
    casino.send(cmd.PostCorrection, corrects=wrong, **why, currency=Currency.EUR, lines=lines)
    casino.seal()
    project_all(casino.ports)

    assert [("anna", -100), ("bruno", 300)] == casino.rows(
        "SELECT player, amount FROM {book}.p_player_movements WHERE concept = 'other' ORDER BY 1"
    )


MOVES = {
    "a stake": (("bet-placed", "roulette", "posta", "stakes"), (Concept.STAKE, 1)),
    "a double-up": (("double-up-staked", "deuces-wild", "win", "stakes"), (Concept.STAKE, 1)),
    "a refund": ((BetRefunded.NAME, "roulette", "stakes", "posta"), (Concept.REFUND, 1)),
    "a stake that won": ((WinHeld.NAME, "r", "stakes", "win"), (Concept.STAKE_RETURNED, 1)),
    "a prisoner freed": (
        ("prisoner-released", "french-roulette", "prison", "posta"),
        (Concept.STAKE_RETURNED, 1),
    ),
    "a win": ((WinHeld.NAME, "roulette", "bank", "win"), (Concept.WINNINGS, 1)),
    "a stake that lost": (("round-settled", "r", "stakes", "bank"), (Concept.STAKE_LOST, 1)),
    "a stake imprisoned": (("stake-imprisoned", "r", "stakes", "prison"), None),
    "a transfer": (("funds-transferred-to-posta", "", "conto", "right"), None),
    "a deposit": ((FundsDeposited.NAME, "", "payments", "conto"), (Concept.DEPOSIT, 1)),
    "a withdrawal": ((FundsWithdrawn.NAME, "", "conto", "payments"), (Concept.WITHDRAWAL, 1)),
    "a bonus": ((PostaFunded.NAME, "", "bonus", "posta"), (Concept.BONUS, 1)),
    "what nothing names, in": (("something-else", "", "bank", "conto"), (Concept.OTHER, 1)),
    "what nothing names, out": (("something-else", "", "conto", "bank"), (Concept.OTHER, -1)),
}


@pytest.mark.parametrize(("move", "concept"), MOVES.values(), ids=MOVES)
def test_what_moves_money_has_one_concept(move, concept):
    """Given an event, its game and two kinds of accounts, then the concept and its sign."""
    assert concept == concept_of(*move)
