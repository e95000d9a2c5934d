"""The gaming account: what comes in and goes out, and why it may not (G2)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import payment_stream
from ledger.domain.money import AMOUNT_MAX
from ledger.domain.refusals import Code
from tests.given import NOON, given, on
from tests.scenes import (
    ANNA,
    BRUNO,
    CONTO,
    EUR,
    RUR,
    conto,
    money,
    order,
    paid,
    published,
    returned,
    session,
)

WEEK = timedelta(days=7)
PAYMENT = {"reference": "pay-2", "channel": "card"}
SUSPENDED = on(CONTO, ev.ContoSuspended(player=ANNA, reason="doubt"))
REINSTATED = on(CONTO, ev.ContoReinstated(player=ANNA, reason="cleared"))
EXCLUDED = on(CONTO, ev.ContoExcluded(player=ANNA, until=NOON + WEEK))
CLOSED = on(CONTO, ev.ContoClosed(player=ANNA, reason="asked"))


def opening():
    """The command that opens anna's conto."""
    return order(cmd.OpenConto, player=ANNA, currency=EUR, personal=())


def deposit(amount=100, currency=EUR, number=100, **changes):
    """Money comes in."""
    payment = {"player": ANNA} | PAYMENT | changes
    return order(cmd.Deposit, number, **money(amount, currency), **payment)


def withdraw(amount=100, currency=EUR, number=100, **changes):
    """Money goes out."""
    payment = {"player": ANNA} | PAYMENT | changes
    return order(cmd.Withdraw, number, **money(amount, currency), **payment)


def booked(way, player=ANNA, channel="card", reference="pay-2"):
    """A payment's reference was used, for money that came in or went out."""
    event = ev.PaymentBooked(player=player, channel=channel, reference=reference)
    return on(payment_stream(way, channel, reference), event)


def reasoned(kind):
    """A command with a reason."""
    return order(kind, player=ANNA, reason="asked")


def exclude(until):
    """The player excludes himself."""
    return order(cmd.ExcludePlayer, player=ANNA, until=until)


def test_a_conto_is_opened_with_its_protected_fields():
    """What is personal comes in already encrypted and is kept as it came (G10)."""
    field = ev.ProtectedField(name="nickname", key="k1", ciphertext="AAAABBBB")
    command = order(cmd.OpenConto, player=ANNA, currency=EUR, personal=(field,))

    given().when(command).then(
        on(CONTO, ev.ContoOpened(player=ANNA, currency=EUR, personal=(field,)))
    )


@pytest.mark.parametrize("history", [(conto(),), (conto(), CLOSED)])
def test_a_name_is_used_by_one_conto_for_ever(history):
    """Neither an open nor a closed conto is opened again."""
    given(*history).when(opening()).then(Code.CONTO_ALREADY_OPEN)


def test_a_deposit_is_recorded_with_its_payment():
    """Reference and channel tell where the money came from."""
    given(conto()).when(deposit(250)).then(
        on(CONTO, ev.FundsDeposited(player=ANNA, **money(250), **PAYMENT)), booked("deposit")
    )


def test_g2_the_whole_balance_can_be_withdrawn():
    """Down to zero is allowed."""
    given(conto(250)).when(withdraw(250)).then(
        on(CONTO, ev.FundsWithdrawn(player=ANNA, **money(250), **PAYMENT)), booked("withdraw")
    )


def test_s1_a_payment_is_booked_once_whatever_the_commands_id():
    """A provider's message that comes again under another id, amount or player moves nothing."""
    history = given(conto(1_000), conto(0, BRUNO))
    came, went = (history.when(c).given_now for c in (deposit(250), withdraw(250)))

    for again in (deposit(250, number=101), deposit(1, number=101, player=BRUNO)):
        came.when(again).then(Code.PAYMENT_ALREADY_BOOKED)
    went.when(withdraw(250, number=101)).then(Code.PAYMENT_ALREADY_BOOKED)
    assert [1_250, 750] == [g.state(CONTO).balance for g in (came, went)]


def test_a_reference_is_one_payment_in_its_direction_and_channel():
    """The same word may name a payment out, or one of another provider."""
    history = given(conto(1_000)).when(deposit(250)).given_now

    history.when(withdraw(250, number=101)).then(
        on(CONTO, ev.FundsWithdrawn(player=ANNA, **money(250), **PAYMENT)), booked("withdraw")
    )
    history.when(deposit(250, number=101, channel="bank")).then(
        on(
            CONTO,
            ev.FundsDeposited(player=ANNA, **money(250), reference="pay-2", channel="bank"),
        ),
        booked("deposit", channel="bank"),
    )


@pytest.mark.parametrize("mark", ["/", ":", " ", "-"])
def test_two_payments_whose_words_read_alike_together_are_two(mark):
    """Channel `card/a` with `b` is not channel `card` with `a/b`, whatever parts the words."""
    streams = {
        payment_stream("deposit", f"card{mark}a", "b"),
        payment_stream("deposit", "card", f"a{mark}b"),
    }

    assert len(streams) == 2


def test_a_payment_that_was_refused_can_still_be_booked():
    """The reference is used up by money that moved, not by the attempt."""
    history = given(conto(100), SUSPENDED)

    history.when(deposit()).then(Code.CONTO_SUSPENDED).when(
        reasoned(cmd.ReinstateConto)
    ).given_now.when(deposit(number=101)).then(
        on(CONTO, ev.FundsDeposited(player=ANNA, **money(100), **PAYMENT)), booked("deposit")
    )


def test_a_payment_that_is_booked_is_named_before_the_amounts():
    """Refusals are answered by their published order: the conto first, the money last."""
    history = given(conto(AMOUNT_MAX), booked("deposit"), booked("withdraw"))

    history.when(deposit(1)).then(Code.PAYMENT_ALREADY_BOOKED)
    history.when(deposit(1, RUR)).then(Code.WRONG_CURRENCY)
    given(conto(1), booked("withdraw")).when(withdraw(2)).then(Code.PAYMENT_ALREADY_BOOKED)


def test_g2_no_cent_more_than_the_balance_can_be_withdrawn():
    """One cent below zero is refused."""
    given(conto(250)).when(withdraw(251)).then(Code.INSUFFICIENT_CONTO)


def test_g2_a_balance_counts_everything_that_came_and_went():
    """250 in, 100 out to a session, 30 back from it: 180."""
    history = (conto(250), paid(100), returned(30))

    given(*history).when(withdraw(181)).then(Code.INSUFFICIENT_CONTO)
    assert isinstance(given(*history).when(withdraw(180)).decision, tuple)


def test_a_conto_never_holds_more_than_the_largest_amount():
    """Sums stay inside the database's integers."""
    given(conto(AMOUNT_MAX)).when(deposit(1)).then(Code.AMOUNT_TOO_LARGE)


@pytest.mark.parametrize("command", [deposit(), withdraw(), exclude(NOON + WEEK)])
@pytest.mark.parametrize(
    ("history", "code"),
    [((), Code.UNKNOWN_CONTO), ((conto(), CLOSED), Code.CONTO_CLOSED)],
)
def test_nothing_is_done_with_a_conto_that_is_not_open(command, history, code):
    """Unknown and closed are told apart."""
    given(*history).when(command).then(code)


@pytest.mark.parametrize("kind", [cmd.SuspendConto, cmd.ReinstateConto, cmd.CloseConto])
@pytest.mark.parametrize(
    ("history", "code"),
    [((), Code.UNKNOWN_CONTO), ((conto(), CLOSED), Code.CONTO_CLOSED)],
)
def test_no_state_is_changed_of_a_conto_that_is_not_open(kind, history, code):
    """Unknown and closed are told apart."""
    given(*history).when(reasoned(kind)).then(code)


@pytest.mark.parametrize("command", [deposit(currency=RUR), withdraw(currency=RUR)])
def test_a_conto_is_kept_in_one_currency(command):
    """Another currency is refused both ways."""
    given(conto(100)).when(command).then(Code.WRONG_CURRENCY)


@pytest.mark.parametrize("command", [deposit(), withdraw(), reasoned(cmd.SuspendConto)])
def test_a_suspended_conto_neither_takes_nor_gives(command):
    """Nor is it suspended twice."""
    given(conto(100), SUSPENDED).when(command).then(Code.CONTO_SUSPENDED)


def test_a_suspension_is_recorded_and_lifted_with_reasons():
    """After it is lifted the conto is as before."""
    given(conto(100)).when(reasoned(cmd.SuspendConto)).then(
        on(CONTO, ev.ContoSuspended(player=ANNA, reason="asked"))
    ).when(reasoned(cmd.ReinstateConto)).then(
        on(CONTO, ev.ContoReinstated(player=ANNA, reason="asked"))
    ).when(reasoned(cmd.ReinstateConto)).then(Code.CONTO_NOT_SUSPENDED)


def test_a_conto_that_was_reinstated_takes_money():
    """The suspension is over."""
    decided = given(conto(), SUSPENDED, REINSTATED).when(deposit())

    assert isinstance(decided.decision, tuple)


def test_an_excluded_player_deposits_nothing_until_the_moment():
    """The exclusion holds up to, not including, its end."""
    history = given(conto(100), EXCLUDED)

    history.when(deposit(), now=NOON + WEEK - timedelta(microseconds=1)).then(Code.CONTO_EXCLUDED)
    assert isinstance(history.when(deposit(), now=NOON + WEEK).decision, tuple)


def test_an_excluded_player_can_take_his_money_out():
    """Exclusion keeps money from coming in, never from going out."""
    decided = given(conto(100), EXCLUDED).when(withdraw())

    assert isinstance(decided.decision, tuple)


def test_a_suspension_is_named_before_an_exclusion_and_a_wrong_currency():
    """Refusals are answered by their published order."""
    given(conto(100), EXCLUDED, SUSPENDED).when(deposit(currency=RUR)).then(Code.CONTO_SUSPENDED)
    given(conto(100), EXCLUDED).when(deposit(currency=RUR)).then(Code.CONTO_EXCLUDED)


def test_an_exclusion_can_be_made_longer():
    """A later end replaces the earlier one."""
    given(conto(), EXCLUDED).when(exclude(NOON + 2 * WEEK)).then(
        on(CONTO, ev.ContoExcluded(player=ANNA, until=NOON + 2 * WEEK))
    )


@pytest.mark.parametrize("until", [NOON, NOON + WEEK])
def test_an_exclusion_is_never_past_and_never_made_shorter(until):
    """Neither now, nor the end that already holds, is a new end."""
    given(conto(), EXCLUDED).when(exclude(until)).then(Code.MALFORMED)


def test_an_exclusion_of_nobody_in_the_past_is_malformed_first():
    """Refusals are answered by their published order."""
    given().when(exclude(NOON)).then(Code.MALFORMED)


def test_an_empty_conto_is_closed_for_good():
    """With the reason on record."""
    emptied = on(CONTO, ev.FundsWithdrawn(player=ANNA, **money(100), **PAYMENT))

    given(conto(100), emptied).when(reasoned(cmd.CloseConto)).then(CLOSED)


def test_a_conto_with_money_is_not_closed():
    """Its holder withdraws first."""
    given(conto(1)).when(reasoned(cmd.CloseConto)).then(Code.CONTO_NOT_EMPTY)


def test_g9_a_conto_with_a_session_is_not_closed():
    """Something may still come back to it, even where its balance is zero."""
    history = (conto(5_000), paid(5_000), session(5_000), published())

    given(*history).when(reasoned(cmd.CloseConto)).then(Code.CONTO_IN_USE)


def test_g9_a_conto_is_free_again_once_its_session_gave_all_back():
    """The final transfer ends the tie, a further right that came back does not."""
    waiting = given(conto(5_000), paid(5_000), returned(1_000, "right", final=False))
    over = given(conto(5_000), paid(5_000), returned(0))

    waiting.when(reasoned(cmd.CloseConto)).then(Code.CONTO_IN_USE)
    over.when(reasoned(cmd.CloseConto)).then(CLOSED)
