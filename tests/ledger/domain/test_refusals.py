"""Every refusal is provoked somewhere, and commands are answered at most once (G3)."""

import ast
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import command_stream
from ledger.domain.refusals import Code
from tests.coin import ENGINES, coin_sheet
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, BRUNO, EUR, S1, S2, SESSION, coins, money, order, uid

HERE = Path(__file__).parent
PAYMENT = {"reference": "pay-1", "channel": "card"}
OPENING = order(cmd.OpenBook, 1, book="contoposta", clock="simulated")

PROVOKED = {
    Code.MALFORMED: "test_money::test_s6_what_is_no_plain_positive_decimal_is_refused",
    Code.COMMAND_CONFLICT: "test_refusals::test_g3_an_id_stands_for_one_content",
    Code.REFUNDED_BEFORE_PLACED: "test_refusals::test_s2_a_bet_that_was_refunded_before_is_refused",
    Code.BOOK_ALREADY_OPEN: "test_book::test_a_book_is_opened_once",
    Code.BOOK_NOT_OPEN: "test_refusals::test_nothing_is_written_into_a_book_that_is_not_open",
    Code.SIGNING_KEY_NOT_IN_FORCE: "test_signing::"
    "test_g6_nobody_rotates_from_a_key_that_is_not_in_force",
    Code.SIGNING_KEY_USED: "test_signing::test_g6_a_key_that_has_signed_never_comes_back",
    Code.UNKNOWN_SHEET: "test_sheets::test_no_session_begins_under_a_sheet_that_is_not_in_force",
    Code.SHEET_INVALID: "test_sheets::test_a_sheet_that_cannot_be_played_is_not_published",
    Code.SHEET_VERSION_TAKEN: "test_sheets::"
    "test_g8_versions_are_numbered_without_gaps_and_never_replaced",
    Code.SHEET_NOT_IN_FORCE: "test_sheets::"
    "test_no_session_begins_under_a_sheet_that_is_not_in_force",
    Code.UNKNOWN_NOTICE: "test_maintenance::test_a_notice_that_is_not_in_force_cannot_be_ended",
    Code.UNKNOWN_DIFFERENCE: "test_differences::"
    "test_nothing_is_decided_about_a_difference_that_was_never_found",
    Code.DIFFERENCE_OPEN: "test_differences::test_a_difference_is_found_once_while_it_is_open",
    Code.DIFFERENCE_CLOSED: "test_differences::test_what_is_closed_is_neither_assigned_nor_closed",
    Code.MAINTENANCE: "test_maintenance::test_c5_no_round_begins_during_maintenance",
    Code.SAME_APPROVER: "test_corrections::test_one_person_is_not_two_however_the_name_is_written",
    Code.NOTHING_TO_CORRECT: "test_corrections::test_only_what_was_accepted_can_be_corrected",
    Code.NO_SUCH_ACCOUNT: "test_corrections::test_a_bank_of_no_game_is_no_account",
    Code.UNDER_AGE: "test_conto_limits::test_the_profile_goes_by_the_age_and_nobody_under_18_plays",
    Code.UNKNOWN_ALERT: "test_alerts::test_only_an_alert_that_was_raised_is_acknowledged",
    Code.ALERT_ACKNOWLEDGED: "test_alerts::test_an_alert_has_one_finding_which_stands",
    Code.CONTO_ALREADY_OPEN: "test_conto::test_a_name_is_used_by_one_conto_for_ever",
    Code.UNKNOWN_CONTO: "test_conto::test_nothing_is_done_with_a_conto_that_is_not_open",
    Code.CONTO_CLOSED: "test_conto::test_nothing_is_done_with_a_conto_that_is_not_open",
    Code.CONTO_SUSPENDED: "test_conto::test_a_suspended_conto_neither_takes_nor_gives",
    Code.CONTO_NOT_SUSPENDED: "test_conto::test_a_suspension_is_recorded_and_lifted_with_reasons",
    Code.CONTO_EXCLUDED: "test_conto::test_an_excluded_player_deposits_nothing_until_the_moment",
    Code.CONTO_NOT_EXCLUDED: "test_exclusion::test_only_an_open_ended_exclusion_is_revoked",
    Code.PAYMENT_ALREADY_BOOKED: "test_conto::"
    "test_s1_a_payment_is_booked_once_whatever_the_commands_id",
    Code.CONTO_IN_USE: "test_conto::test_g9_a_conto_with_a_session_is_not_closed",
    Code.CONTO_NOT_EMPTY: "test_conto::test_a_conto_with_money_is_not_closed",
    Code.CONTO_NOT_CLOSED: "test_forgetting::test_g10_only_a_closed_conto_is_forgotten",
    Code.PLAYER_FORGOTTEN: "test_forgetting::test_g10_who_was_forgotten_is_not_forgotten_again",
    Code.RETENTION_RUNNING: "test_forgetting::test_g10_a_moment_earlier_the_records_are_kept",
    Code.DISPUTE_OPEN: "test_forgetting::test_g10_while_a_dispute_is_open_nothing_is_erased",
    Code.UNKNOWN_DISPUTE: "test_disputes::test_what_was_never_opened_is_unknown",
    Code.DISPUTE_CLOSED: "test_disputes::test_fr11_a_decision_is_final",
    Code.SESSION_ALREADY_OPEN: "test_participation::"
    "test_a_session_belongs_to_one_conto_and_one_sheet",
    Code.UNKNOWN_SESSION: "test_participation::test_an_unknown_session_is_refused_to_all",
    Code.SESSION_CLOSED: "test_participation::test_nothing_is_played_or_given_after_the_end",
    Code.SESSION_NOT_VALIDATED: "test_participation::"
    "test_c1_nothing_is_played_or_given_before_validation",
    Code.WRONG_CURRENCY: "test_conto::test_a_conto_is_kept_in_one_currency",
    Code.WRONG_GAME: "test_rounds::test_a_move_of_another_game_is_refused",
    Code.PARTICIPATION_PENDING: "test_participation::test_c1_no_further_right_while_one_waits",
    Code.UNKNOWN_PARTICIPATION: "test_participation::"
    "test_an_answer_to_another_right_changes_nothing",
    Code.PARTICIPATION_CONTRADICTED: "test_participation::test_a_right_is_answered_once",
    Code.SESSION_DISCONNECTED: "test_rounds::test_a_disconnected_player_does_not_bet",
    Code.SESSION_CONNECTED: "test_expiry::test_a_connected_session_does_not_expire",
    Code.NOT_YET_DUE: "test_expiry::"
    "test_c1_a_session_expires_twenty_minutes_after_the_disconnection",
    Code.TOO_LATE_TO_RECONNECT: "test_connection::"
    "test_c1_a_player_does_not_come_back_after_twenty_minutes",
    Code.SERIES_NOT_OFFERED: "test_series::test_a_game_without_series_takes_none",
    Code.UNKNOWN_SERIES: "test_series::test_a_series_belongs_to_its_player",
    Code.SERIES_ALREADY_PREPARED: "test_series::test_a_series_is_prepared_once",
    Code.SERIES_EXPIRED: "test_series::test_hw7_after_240_hours_nothing_is_played_or_told",
    Code.SERIES_ENDED: "test_series::test_hw6_a_series_that_is_over_is_not_played_on",
    Code.SERIES_IN_PLAY: "test_series::test_g10_nothing_is_told_while_a_number_is_to_be_drawn",
    Code.OFFSET_NOT_OFFERED: "test_series::test_hw6_an_offset_goes_with_a_series_and_a_client",
    Code.TIME_LIMIT_REACHED: "test_limits::test_no_round_begins_after_the_planned_time",
    Code.UNKNOWN_TABLE: "test_tables::test_a_table_is_opened_once_and_closed_between_rounds",
    Code.TABLE_ALREADY_OPEN: "test_tables::test_a_table_is_opened_once_and_closed_between_rounds",
    Code.TABLE_CLOSED: "test_tables::test_a_table_is_opened_once_and_closed_between_rounds",
    Code.TABLE_NOT_OFFERED: "test_tables::test_a_game_that_is_played_alone_has_no_table",
    Code.TABLE_SUSPENDED: "test_tables::"
    "test_a_station_fault_refunds_the_round_and_opens_none_until_it_is_resolved",
    Code.TABLE_NOT_SUSPENDED: "test_tables::"
    "test_a_station_fault_refunds_the_round_and_opens_none_until_it_is_resolved",
    Code.SEATED_ALREADY: "test_tables::test_seats_are_taken_once_and_by_their_own_game",
    Code.NOT_SEATED: "test_tables::test_seats_are_taken_once_and_by_their_own_game",
    Code.SEAT_TAKEN: "test_tables::test_seats_are_taken_once_and_by_their_own_game",
    Code.TABLE_IN_USE: "test_tables::test_a_table_is_opened_once_and_closed_between_rounds",
    Code.TABLE_TAKES_NO_BETS: "test_tables::"
    "test_fr8_no_bet_is_taken_before_the_opening_or_after_the_close",
    Code.TABLE_ROUND_IN_PLAY: "test_tables::test_fr9_no_round_opens_before_the_last_is_paid",
    Code.NO_TABLE_ROUND: "test_tables::test_the_steps_of_a_round_come_in_their_order",
    Code.BETS_NOT_CLOSED: "test_tables::test_the_steps_of_a_round_come_in_their_order",
    Code.SHOE_OUT: "test_dealing::"
    "test_bj1_a_shoe_whose_cutting_card_is_out_deals_to_the_end_of_the_round_only",
    Code.SEAT_IN_TURN: "test_dealing::test_a_seat_acts_in_its_own_turn_alone",
    Code.CARD_TO_COME: "test_dealing::test_s14_of_two_doubles_the_second_finds_the_turn_taken",
    Code.UNKNOWN_ROUND: "test_rounds::test_a_round_that_never_was_takes_no_move",
    Code.ROUND_ENDED: "test_rounds::test_a_round_that_has_ended_takes_no_move",
    Code.ROUND_DECIDED: "test_wins::test_g9_a_round_that_has_won_is_not_refunded",
    Code.ROUND_IN_PLAY: "test_connection::test_g9_no_session_ends_while_a_round_is_in_play",
    Code.UNKNOWN_BET: "test_refunds::test_a_command_that_bet_nothing_here_has_nothing_to_refund",
    Code.BET_ALREADY_REFUNDED: "test_refunds::"
    "test_s2_a_refund_that_comes_before_its_bet_leaves_a_tombstone",
    Code.NO_BET: "test_rounds::test_a_round_without_a_bet_is_refused",
    Code.RIGHT_BELOW_MINIMUM: "test_participation::"
    "test_c1_the_initial_right_is_at_least_the_minimum",
    Code.POSTA_ABOVE_MAXIMUM: "test_participation::"
    "test_c1_a_session_never_takes_more_than_the_maximum",
    Code.LOSS_LIMIT_REACHED: "test_limits::"
    "test_a_round_is_refused_whose_bets_could_lose_more_than_was_planned",
    Code.DEPOSIT_LIMIT_REACHED: "test_conto_limits::"
    "test_deposits_of_a_day_together_stay_within_the_limit",
    Code.SPEND_LIMIT_REACHED: "test_conto_limits::"
    "test_what_goes_to_the_posta_stays_within_the_limit_on_spend",
    Code.INSUFFICIENT_CONTO: "test_conto::test_g2_no_cent_more_than_the_balance_can_be_withdrawn",
    Code.INSUFFICIENT_POSTA: "test_rounds::test_g2_the_bets_of_a_round_are_paid_for_together",
    Code.AMOUNT_TOO_LARGE: "test_conto::test_a_conto_never_holds_more_than_the_largest_amount",
}


def source_of(place: str) -> str:
    """The source of a test function with its decorators."""
    module, _, name = place.partition("::")
    text = (HERE / f"{module}.py").read_text()
    tree = ast.parse(text)
    found = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    return "\n".join(ast.unparse(part) for part in (found, *found.decorator_list))


def test_every_refusal_of_the_ledger_is_provoked_by_a_test():
    """The list above is complete, and each test named there speaks of its code."""
    assert set(Code) == set(PROVOKED)
    for code, place in PROVOKED.items():
        assert f"Code.{code.name}" in source_of(place), place


def test_codes_are_published_words():
    """Small letters and hyphens, named after the member."""
    for code in Code:
        assert code.value == code.name.lower().replace("_", "-")


@pytest.fixture
def book():
    """A book with anna's conto of 100.00 and a session of 50.00."""
    made = MemoryBook(ENGINES, bytes)
    commands = (
        OPENING,
        order(
            cmd.PublishSheet,
            2,
            sheet="coin-flip",
            sheet_version=1,
            in_force_from=NOON,
            text=coin_sheet(),
        ),
        order(cmd.OpenConto, 3, player=ANNA, currency=EUR, personal=()),
        deposit(),
        order(
            cmd.RequestParticipation,
            5,
            session=S1,
            player=ANNA,
            sheet="coin-flip",
            **money(5_000),
            channel="web",
        ),
        order(
            cmd.ValidateParticipation,
            6,
            session=S1,
            participation=uid(5),
            ticket="T-1",
            count=1,
            total=5_000,
        ),
    )
    for command in commands:
        assert made.handle(command, NOON).refusal is None
    return made


def deposit(amount=10_000, number=4):
    """Money for anna."""
    return order(cmd.Deposit, number, player=ANNA, **money(amount), **PAYMENT)


def play(amount=100, number=70):
    """A round of anna's."""
    return order(cmd.PlayRound, number, session=S1, move=coins(("heads", amount)))


def test_nothing_is_written_into_a_book_that_is_not_open():
    """Its first event is its opening."""
    book = MemoryBook(ENGINES, bytes)

    assert book.handle(deposit(), NOON).refusal == Code.BOOK_NOT_OPEN
    assert book.entries == []
    assert book.handle(OPENING, NOON).refusal is None


def test_g3_an_accepted_command_is_answered_once(book):
    """The same id and content gives the same bytes, and nothing more is written."""
    first = book.handle(play(), NOON)
    length = len(book.entries)
    again = book.handle(play(), NOON.replace(hour=13))

    assert first.to_bytes() == again.to_bytes()
    assert length == len(book.entries)


def test_g3_a_refused_command_stays_refused(book):
    """Even when it would be accepted now."""
    refused = book.handle(play(10_000), NOON)
    bonus = order(cmd.GrantBonus, 80, session=S1, **money(50_000), reason="welcome")
    assert book.handle(bonus, NOON).refusal is None
    again = book.handle(play(10_000), NOON)

    assert refused.refusal == Code.INSUFFICIENT_POSTA
    assert refused.to_bytes() == again.to_bytes()


def test_g3_a_refused_command_writes_its_record_only(book):
    """No event, no posting, no change of state."""
    length, before = len(book.entries), book.state(SESSION)
    book.handle(play(10_000), NOON)

    assert before == book.state(SESSION)
    assert [command_stream(uid(70))] == [e.stream for e in book.entries[length:]]


def test_g3_an_id_stands_for_one_content(book):
    """Other content under a used id is a conflict, and leaves the first answer as it was."""
    first = book.handle(play(), NOON)
    length = len(book.entries)

    assert book.handle(play(101), NOON).refusal == Code.COMMAND_CONFLICT
    assert length == len(book.entries)
    assert first.to_bytes() == book.handle(play(), NOON).to_bytes()


def test_s2_a_bet_that_was_refunded_before_is_refused(book):
    """The tombstone stands; refund and bet are both on record, and repeats change nothing."""
    refund = order(cmd.RefundBets, 71, session=S1, placed_by=uid(70), reason="lost answer")
    before = book.state(SESSION)
    answers = [book.handle(c, NOON) for c in (refund, play(), refund, play())]

    assert [a.refusal for a in answers] == [None, Code.REFUNDED_BEFORE_PLACED] * 2
    assert before == book.state(SESSION)
    assert [ev.CommandRevoked, ev.CommandAnswered] == [
        type(e) for e in book.events(command_stream(uid(70)))
    ]


def tombstone(book, number=70, session=S1):
    """A refund of a bet that has not come."""
    refund = order(cmd.RefundBets, 71, session=session, placed_by=uid(number), reason="lost answer")
    assert book.handle(refund, NOON).refusal is None


@pytest.mark.parametrize(
    "bet",
    [
        order(cmd.PlayRound, 70, session=S1, move=coins(("heads", 100))),
        order(cmd.OpenRound, 70, session=S1, move=coins(("heads", 100))),
        order(cmd.ContinueRound, 70, session=S1, round=uid(60), move=coins(("heads", 100))),
    ],
    ids=lambda bet: bet.KIND,
)
def test_s2_a_tombstone_is_for_every_way_to_bet(book, bet):
    """A round played, a round opened, and a further bet in an open one."""
    book.handle(order(cmd.OpenRound, 60, session=S1, move=coins(("tails", 1))), NOON)
    tombstone(book)

    assert book.handle(bet, NOON).refusal == Code.REFUNDED_BEFORE_PLACED


@pytest.mark.parametrize(
    "command",
    [
        order(cmd.Deposit, 70, player=ANNA, **money(1), reference="pay-9", channel="card"),
        order(cmd.GrantBonus, 70, session=S1, **money(1), reason="welcome"),
        order(cmd.CloseSession, 70, session=S1),
        order(cmd.OpenConto, 70, player=BRUNO, currency=EUR, personal=()),
    ],
    ids=lambda command: command.KIND,
)
def test_s2_a_tombstone_keeps_nothing_but_bets_from_being_done(book, command):
    """Whoever knows the id of a payment or of an answer to come cannot have it refused."""
    tombstone(book)
    answer = book.handle(command, NOON)

    assert answer.refusal is None
    assert answer.to_bytes() == book.handle(command, NOON).to_bytes()


def test_s2_a_tombstone_does_not_keep_the_central_systems_answer_away(book):
    """The id of the answer follows from the right's, and so can be known before it comes."""
    right = order(cmd.RequestParticipation, 72, session=S1, player=ANNA, sheet="coin-flip",
                  **money(500), channel="web")  # fmt: skip
    yes = order(cmd.ValidateParticipation, 70, session=S1, participation=uid(72),
                ticket="T-2", count=2, total=5_500)  # fmt: skip
    assert book.handle(right, NOON).refusal is None
    tombstone(book)

    assert book.handle(yes, NOON).refusal is None
    assert book.state(SESSION).posta == 5_500


def test_s2_a_tombstone_is_for_a_bet_of_its_own_session(book):
    """A bet of another session under the same id is played."""
    other = order(cmd.RequestParticipation, 72, session=S2, player=ANNA, sheet="coin-flip",
                  **money(500), channel="web")  # fmt: skip
    assert book.handle(other, NOON).refusal is None
    tombstone(book, session=S2)

    assert book.handle(play(), NOON).refusal is None


def test_nothing_was_played_later_than_now(book):
    """A time of play in the future is malformed, whatever the command; nothing is written."""
    length = len(book.entries)
    future = play().model_copy(update={"played": NOON + timedelta(microseconds=1)})
    now = play(number=72).model_copy(update={"played": NOON})

    assert book.handle(future, NOON).refusal == Code.MALFORMED
    assert length == len(book.entries)
    assert book.handle(now, NOON).refusal is None
    assert book.handle(future, NOON + timedelta(microseconds=1)).refusal is None
