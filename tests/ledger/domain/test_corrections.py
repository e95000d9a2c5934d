"""Corrections: linked to what was wrong, approved by two, and never an overdraft (G1, G2)."""

import pytest
from pydantic import ValidationError

from ledger.domain import commands as cmd, events as ev
from ledger.domain.correction import Posted
from ledger.domain.ids import conto_stream, correction_stream
from ledger.domain.money import AMOUNT_MAX
from ledger.domain.refusals import Code
from tests.coin import ENGINES
from tests.given import given, on
from tests.scenes import ANNA, BRUNO, CONTO, EUR, RUR, answered, conto, order, uid

WRONG = uid(41)
"""The command that is corrected."""
MINE = correction_stream(uid(100))
DONE = answered(WRONG, "deposit", CONTO)
PLAYER, OTHER = "player:anna-1:conto", "player:bruno-2:conto"
BANK, WORLD = "house:coin:bank", "world:payments"


def line(source, target, amount):
    """One amount that is moved."""
    return ev.CorrectionLine(source=source, target=target, amount=amount)


def correction(*lines, approvers=("ada", "bruno"), currency=EUR, corrects=WRONG):
    """The command that posts these lines."""
    why = {"code": "booked-twice", "reason": "the payment came once"}
    fields = {"corrects": corrects, "approvers": approvers, "currency": currency}
    return order(cmd.PostCorrection, lines=lines, **fields, **why)


def posted(command):
    """The event that the command asks for."""
    names = ("corrects", "code", "reason", "approvers", "currency", "lines")
    return ev.CorrectionPosted(**{name: getattr(command, name) for name in names})


def corrected(player, debited, credited):
    """What a correction did to a conto."""
    amounts = {"debited": debited, "credited": credited, "currency": EUR}
    return ev.ContoCorrected(player=player, correction=uid(100), **amounts)


def test_a_correction_stands_in_its_own_stream_and_in_that_of_the_conto():
    """Given 10.00 booked twice, when taken back, then 10.00 less, and the link to the command."""
    command = correction(line(PLAYER, WORLD, 1_000))

    after = (
        given(conto(2_000), DONE, engines=ENGINES)
        .when(command)
        .then(on(MINE, posted(command)), on(CONTO, corrected(ANNA, 1_000, 0)))
    )
    assert Posted(posted(command)) == after.state(MINE)
    assert 1_000 == after.state(CONTO).balance


def test_money_that_reached_the_wrong_player_goes_to_the_right_one_in_one_save():
    """Given two contos, then both are told in the order of the lines (G4)."""
    command = correction(line(PLAYER, OTHER, 700), line(OTHER, BANK, 50))

    after = (
        given(conto(700), conto(100, BRUNO), DONE, engines=ENGINES)
        .when(command)
        .then(
            on(MINE, posted(command)),
            on(CONTO, corrected(ANNA, 700, 0)),
            on(conto_stream(BRUNO), corrected(BRUNO, 50, 700)),
        )
    )
    assert (0, 750) == tuple(after.state(conto_stream(p)).balance for p in (ANNA, BRUNO))


def test_between_contra_accounts_no_conto_is_touched():
    """Given a payment of the house in the wrong account, then its correction stands alone."""
    command = correction(line("state:duty", WORLD, 5))

    given(DONE, engines=ENGINES).when(command).then(on(MINE, posted(command)))


@pytest.mark.parametrize(
    "lines",
    [
        (line(PLAYER, WORLD, 1_001),),
        (line(PLAYER, WORLD, 1_001), line(WORLD, PLAYER, 5_000)),
        (line(PLAYER, WORLD, 600), line(PLAYER, BANK, 401)),
    ],
)
def test_g2_no_line_takes_more_than_the_conto_holds_at_its_turn(lines):
    """Given 10.00, then a cent more is refused, whatever a later line would bring."""
    given(conto(1_000), DONE, engines=ENGINES).when(correction(*lines)).then(
        Code.INSUFFICIENT_CONTO
    )


def test_g2_what_an_earlier_line_brought_may_be_taken_by_a_later_one():
    """Given 10.00 and 50.00 more by the first line, then 60.00 may go."""
    command = correction(line(WORLD, PLAYER, 5_000), line(PLAYER, BANK, 6_000))

    after = given(conto(1_000), DONE, engines=ENGINES).when(command).given_now
    assert 0 == after.state(CONTO).balance


@pytest.mark.parametrize(
    "approvers",
    [("ada", "ada"), ("ada", "Ada"), ("ada", " ada "), ("ada b", "ada  B"), ("ada", " ")],
)
def test_one_person_is_not_two_however_the_name_is_written(approvers):
    """Given one name twice, or a name and a blank, then no correction."""
    command = correction(line(WORLD, PLAYER, 1), approvers=approvers)

    given(conto(), DONE, engines=ENGINES).when(command).then(Code.SAME_APPROVER)


def test_only_what_was_accepted_can_be_corrected():
    """Given no command of this id, or a refused one, or the correction itself, then a refusal."""
    refused = answered(WRONG, "deposit", CONTO, refusal="conto-suspended", written=())

    for before in ((), (refused,)):
        given(conto(), *before, engines=ENGINES).when(correction(line(WORLD, PLAYER, 1))).then(
            Code.NOTHING_TO_CORRECT
        )
    itself = correction(line(WORLD, PLAYER, 1), corrects=uid(100))
    given(conto(), DONE, engines=ENGINES).when(itself).then(Code.NOTHING_TO_CORRECT)


def test_a_bank_of_no_game_is_no_account():
    """Given a misspelt game, then no account is made up."""
    command = correction(line("house:coins:bank", PLAYER, 1))

    given(conto(), DONE, engines=ENGINES).when(command).then(Code.NO_SUCH_ACCOUNT)


def test_a_correction_reaches_open_contos_of_its_currency_alone():
    """Given no conto, a closed one, or one in roubles, then a refusal."""
    command = correction(line(WORLD, PLAYER, 1))
    closed = on(CONTO, ev.ContoClosed(player=ANNA, reason="asked"))

    given(DONE, engines=ENGINES).when(command).then(Code.UNKNOWN_CONTO)
    given(conto(), closed, DONE, engines=ENGINES).when(command).then(Code.CONTO_CLOSED)
    given(conto(currency=RUR), DONE, engines=ENGINES).when(command).then(Code.WRONG_CURRENCY)


def test_a_suspended_conto_can_be_corrected():
    """Given a suspension while the matter is looked into, then it can still be set right."""
    suspended = on(CONTO, ev.ContoSuspended(player=ANNA, reason="looked into"))
    command = correction(line(PLAYER, WORLD, 100))

    after = given(conto(100), suspended, DONE, engines=ENGINES).when(command).given_now
    corrected = after.state(CONTO)
    assert (0, True) == (corrected.balance, corrected.suspended)


def test_a_conto_never_holds_more_than_can_be_counted():
    """Given a full conto, then not a cent more."""
    command = correction(line(WORLD, PLAYER, 1))

    given(conto(AMOUNT_MAX), DONE, engines=ENGINES).when(command).then(Code.AMOUNT_TOO_LARGE)


@pytest.mark.parametrize(
    "fields",
    [
        {"source": PLAYER, "target": PLAYER, "amount": 1},
        {"source": PLAYER, "target": WORLD, "amount": 0},
        {"source": f"session:{uid(1)}:posta", "target": PLAYER, "amount": 1},
        {"source": "player:anna-1:posta", "target": WORLD, "amount": 1},
        {"source": "house::bank", "target": WORLD, "amount": 1},
    ],
)
def test_g1_a_line_moves_something_between_two_accounts_that_may_be_corrected(fields):
    """The accounts of a session are not: its own rules give back what is in them (G9)."""
    with pytest.raises(ValidationError):
        ev.CorrectionLine(**fields)
