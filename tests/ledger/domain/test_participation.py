"""The doors between conto and session: rights, bonuses, disconnection, the end (rulings C1)."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.coin import ENGINES
from tests.given import NOON, given, on
from tests.scenes import (
    ANNA,
    BRUNO,
    CONTO,
    EUR,
    FURTHER,
    LOST,
    OPEN,
    OPENED,
    RIGHT,
    RUR,
    S1,
    SESSION,
    WAITING,
    closed,
    coins,
    conto,
    funded,
    money,
    order,
    paid,
    pending,
    published,
    requested,
    returned,
    uid,
    validated,
)

MINUTES = timedelta(minutes=1)
SUSPENDED = on(CONTO, ev.ContoSuspended(player=ANNA, reason="doubt"))
EXCLUDED = on(CONTO, ev.ContoExcluded(player=ANNA, until=NOON + MINUTES))


def request(amount=5_000, right=RIGHT, player=ANNA, currency=EUR, sheet="coin-flip"):
    """The command that buys a right; its id names the right."""
    return cmd.RequestParticipation(
        id=right,
        actor=player,
        session=S1,
        player=player,
        sheet=sheet,
        **money(amount, currency),
        channel="web",
    )


def validate(right=RIGHT, total=5_000, count=1):
    """The central system's yes."""
    yes = {"ticket": "T-1", "count": count, "total": total}
    return order(cmd.ValidateParticipation, session=S1, participation=right, **yes)


def reject(right=RIGHT):
    """The central system's no."""
    return order(cmd.RejectParticipation, session=S1, participation=right, reason="R-7")


def annul(right=RIGHT):
    """The request was taken back."""
    return order(cmd.AnnulParticipation, session=S1, participation=right, reason="no answer")


def on_session(kind, **fields):
    """A command on anna's session."""
    return order(kind, session=S1, **fields)


def bonus(amount, currency=EUR):
    """The house gives money."""
    return on_session(cmd.GrantBonus, **money(amount, currency), reason="welcome")


def given_bonus(amount):
    """The house gave money, and said why."""
    return on(SESSION, funded(amount, "bonus", "welcome"))


def test_c1_the_first_right_takes_the_money_and_waits():
    """The conto pays in the same save that records the request, with the day's terms."""
    given(conto(5_000), published()).when(request()).then(paid(), pending())


def test_c1_the_planned_limits_of_the_session_are_recorded():
    """Loss in minor units and times in seconds, as the player set them."""
    plan = {"limit_loss": 2_000, "limit_seconds": 3_600, "limit_idle_seconds": 300}
    command = request().model_copy(update=plan)
    expected = requested(5_000).model_copy(update=plan)

    given(conto(5_000), published()).when(command).then(paid(), on(SESSION, expected))


def test_c1_the_initial_right_is_at_least_the_minimum():
    """5.00 is enough, 4.99 is not."""
    history = given(conto(5_000), published())

    history.when(request(499)).then(Code.RIGHT_BELOW_MINIMUM)
    history.when(request(500)).then(paid(500), pending(500))


def test_c1_a_session_never_takes_more_than_the_maximum():
    """1,000.00 is the most, whatever the conto holds."""
    history = given(conto(200_000), published())

    history.when(request(100_001)).then(Code.POSTA_ABOVE_MAXIMUM)
    history.when(request(100_000)).then(paid(100_000), pending(100_000))


def test_g2_a_right_is_bought_with_money_that_is_there():
    """One cent too few is refused."""
    given(conto(4_999), published()).when(request()).then(Code.INSUFFICIENT_CONTO)


@pytest.mark.parametrize(
    ("history", "code"),
    [
        ((), Code.UNKNOWN_CONTO),
        ((conto(5_000), SUSPENDED), Code.CONTO_SUSPENDED),
        ((conto(5_000), EXCLUDED), Code.CONTO_EXCLUDED),
    ],
)
def test_a_right_is_bought_by_a_conto_at_liberty(history, code):
    """The state of the conto is answered before any fault of the amount."""
    given(published(), *history).when(request(1)).then(code)


def test_a_right_is_bought_in_the_currency_of_the_sheet():
    """A sheet in euro is not played in roubles."""
    given(conto(5_000, currency=RUR), published()).when(request(currency=RUR)).then(
        Code.WRONG_CURRENCY
    )


def test_a_right_is_bought_in_the_currency_of_the_conto():
    """A conto in roubles does not pay in euro."""
    given(conto(5_000, currency=RUR), published()).when(request()).then(Code.WRONG_CURRENCY)


def test_c1_no_further_right_while_one_waits():
    """First its answer, then the next."""
    given(*OPEN, WAITING).when(request(500, uid(52))).then(Code.PARTICIPATION_PENDING)


def test_c1_no_further_right_before_the_session_is_valid():
    """The initial right waits still."""
    given(conto(9_000), published(), paid(), pending()).when(request(500, FURTHER)).then(
        Code.SESSION_NOT_VALIDATED
    )


def test_c1_a_further_right_may_be_small():
    """The minimum is the initial right's alone."""
    given(*OPEN).when(request(1, FURTHER)).then(
        paid(1), on(SESSION, requested(1, FURTHER, "further"))
    )


def test_c1_initial_and_further_rights_and_bonuses_count_together():
    """50.00 and 20.00 of bonus leave room for 930.00."""
    history = given(*OPEN, given_bonus(2_000))

    history.when(request(93_001, FURTHER)).then(Code.POSTA_ABOVE_MAXIMUM)
    history.when(request(93_000, FURTHER)).then(
        paid(93_000), on(SESSION, requested(93_000, FURTHER, "further"))
    )


@pytest.mark.parametrize(
    "command", [request(500, FURTHER, player=BRUNO), request(500, FURTHER, sheet="coin-toss")]
)
def test_a_session_belongs_to_one_conto_and_one_sheet(command):
    """Nobody else pays into it, and it does not change its game."""
    given(*OPEN, conto(5_000, BRUNO)).when(command).then(Code.SESSION_ALREADY_OPEN)


def test_a_further_right_is_bought_in_the_currency_of_the_conto():
    """A session has one currency."""
    given(*OPEN).when(request(500, FURTHER, currency=RUR)).then(Code.WRONG_CURRENCY)


def test_a_further_right_needs_a_conto_at_liberty_and_a_connected_player():
    """The conto is looked at first, then the session."""
    given(*OPEN, LOST).when(request(500, FURTHER)).then(Code.SESSION_DISCONNECTED)
    given(*OPEN, LOST, SUSPENDED).when(request(500, FURTHER)).then(Code.CONTO_SUSPENDED)


def test_a_right_that_waits_is_named_before_the_lost_connection():
    """Refusals are answered by their published order."""
    given(*OPEN, WAITING, LOST).when(request(500, uid(52))).then(Code.PARTICIPATION_PENDING)


def test_a_closed_session_takes_no_right():
    """A new session has a new id."""
    given(*OPEN, on(SESSION, closed(5_000))).when(request(500, FURTHER)).then(Code.SESSION_CLOSED)


def test_c1_the_yes_opens_the_session_and_funds_the_posta():
    """The right becomes the initial posta."""
    given(pending()).when(validate()).then(
        on(SESSION, validated(5_000), OPENED, funded(5_000)),
    )


def test_c1_the_yes_to_a_further_right_adds_to_the_posta():
    """The session is not opened again."""
    given(*OPEN, WAITING).when(validate(FURTHER, 6_000, 2)).then(
        on(SESSION, validated(6_000, FURTHER, 2), funded(1_000, "further"))
    )


def test_c1_the_no_to_the_first_right_ends_the_session_and_gives_back():
    """The money returns in the same save."""
    given(conto(5_000), paid(), pending()).when(reject()).then(
        on(
            SESSION,
            ev.ParticipationRejected(participation=RIGHT, reason="R-7"),
            closed(0, "rejected"),
        ),
        returned(5_000, "right"),
    )


def test_c1_an_annulled_first_right_ends_the_session_and_gives_back():
    """As a rejection does, with its own reason."""
    given(conto(5_000), paid(), pending()).when(annul()).then(
        on(
            SESSION,
            ev.ParticipationAnnulled(participation=RIGHT, reason="no answer"),
            closed(0, "annulled"),
        ),
        returned(5_000, "right"),
    )


@pytest.mark.parametrize(
    ("command", "event"),
    [
        (reject(FURTHER), ev.ParticipationRejected(participation=FURTHER, reason="R-7")),
        (annul(FURTHER), ev.ParticipationAnnulled(participation=FURTHER, reason="no answer")),
    ],
)
def test_c1_a_further_right_that_is_not_valid_comes_back_and_play_goes_on(command, event):
    """The session stays open; the conto expects more from it."""
    given(*OPEN, paid(1_000), WAITING).when(command).then(
        on(SESSION, event), returned(1_000, "right", final=False)
    ).when(bonus(100)).then(given_bonus(100))


@pytest.mark.parametrize("command", [validate(), reject(), annul()])
def test_a_right_is_answered_once(command):
    """A second word about it contradicts the first, in an open session and in a closed one."""
    given(*OPEN).when(command).then(Code.PARTICIPATION_CONTRADICTED)
    given(*OPEN, on(SESSION, closed(0))).when(command).then(Code.PARTICIPATION_CONTRADICTED)


@pytest.mark.parametrize("command", [validate(uid(59)), reject(uid(59)), annul(uid(59))])
def test_an_answer_to_another_right_changes_nothing(command):
    """The right that waits goes on waiting."""
    given(pending()).when(command).then(Code.UNKNOWN_PARTICIPATION)


@pytest.mark.parametrize(
    "command",
    [
        validate(),
        reject(),
        annul(),
        bonus(1),
        on_session(cmd.DisconnectSession, at=NOON),
        on_session(cmd.ReconnectSession),
        on_session(cmd.CloseSession),
        on_session(cmd.ExpireSession),
        on_session(cmd.PlayRound, move=coins(("heads", 1))),
    ],
    ids=lambda command: command.KIND,
)
def test_an_unknown_session_is_refused_to_all(command):
    """Nothing is made up for an id that nobody opened."""
    given(engines=ENGINES).when(command).then(Code.UNKNOWN_SESSION)


NOT_BEFORE_VALIDATION = [
    bonus(1),
    on_session(cmd.DisconnectSession, at=NOON),
    on_session(cmd.ReconnectSession),
    on_session(cmd.CloseSession),
    on_session(cmd.ExpireSession),
    on_session(cmd.PlayRound, move=coins(("heads", 1))),
    on_session(cmd.OpenRound, move=coins(("heads", 1))),
    on_session(cmd.ContinueRound, round=uid(70), move=coins(("heads", 1))),
]


@pytest.mark.parametrize("command", NOT_BEFORE_VALIDATION, ids=lambda command: command.KIND)
def test_c1_nothing_is_played_or_given_before_validation(command):
    """The posta does not exist yet."""
    given(pending(), published(), engines=ENGINES).when(command).then(Code.SESSION_NOT_VALIDATED)


@pytest.mark.parametrize("command", NOT_BEFORE_VALIDATION, ids=lambda command: command.KIND)
def test_nothing_is_played_or_given_after_the_end(command):
    """A closed session stays closed."""
    history = (*OPEN, on(SESSION, closed(5_000)))

    given(*history, engines=ENGINES).when(command).then(Code.SESSION_CLOSED)


def test_c1_a_bonus_counts_towards_the_maximum():
    """With the right that waits: 50.00 and 10.00 leave room for 940.00."""
    given(*OPEN, WAITING).when(bonus(94_001)).then(Code.POSTA_ABOVE_MAXIMUM)
    given(*OPEN, WAITING).when(bonus(94_000)).then(given_bonus(94_000))


def test_a_bonus_does_not_answer_a_right_that_waits():
    """The right still waits after it."""
    given(*OPEN, WAITING).when(bonus(100)).then(given_bonus(100)).when(
        validate(FURTHER, 6_000, 2)
    ).then(on(SESSION, validated(6_000, FURTHER, 2), funded(1_000, "further")))


def test_a_bonus_is_recorded_with_its_reason():
    """The house says why it gives; a right that is paid for needs no reason."""
    given(*OPEN).when(bonus(100)).then(
        on(
            SESSION,
            ev.PostaFunded(amount=100, currency=EUR, transfer="bonus", reason="welcome"),
        )
    )
    assert funded(5_000).reason is None


def test_a_bonus_without_a_reason_is_no_command():
    """Nobody gives the house's money away without saying why."""
    with pytest.raises(ValidationError):
        on_session(cmd.GrantBonus, **money(100))


def test_a_bonus_is_given_in_the_currency_of_the_session():
    """Not in another."""
    given(*OPEN).when(bonus(1, RUR)).then(Code.WRONG_CURRENCY)
