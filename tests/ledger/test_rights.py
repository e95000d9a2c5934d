"""Participation rights through the central system's port: ask, record, and be safe to repeat (C1).

The book is one in memory that decides for real; the central system says what a test tells it to.
"""

from dataclasses import dataclass, field
from uuid import uuid5

import pytest

from ledger.central import (
    ACTOR,
    Annulled,
    CentralFault,
    Rejected,
    RightRequest,
    TooLate,
    Unknown,
    Validated,
    command_for,
    request_of,
)
from ledger.domain import commands as cmd, session as ses
from ledger.domain.conto import Conto
from ledger.domain.refusals import Code
from ledger.rights import Book, Recorded, annul_right, settle_pending, settle_right
from ops.central.local import InstantCentral
from tests.coin import ENGINES, coin_sheet
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import (
    ANNA,
    CONTO,
    EUR,
    FURTHER,
    RIGHT,
    S1,
    SESSION,
    closed,
    money,
    order,
    pending,
    uid,
)

YES = Validated("T-1", 1, 5_000)
ASK = RightRequest(RIGHT, S1, ANNA, "coin-flip", 5_000, EUR, "initial")
PAYMENT = {"reference": "pay-1", "channel": "card"}


@dataclass
class Central:
    """Gives its answers in order, the last one for ever; keeps what it was asked."""

    answers: list[object]
    asked: list[RightRequest] = field(default_factory=list)

    def request(self, ask):
        """The next answer, or a fault."""
        self.asked.append(ask)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, CentralFault):
            raise answer
        return answer

    def annul(self, ask, _):
        """The next answer."""
        return self.request(ask)


class Killed(BaseException):
    """The process ended here."""


def request(right=RIGHT, amount=5_000):
    """Anna buys a right; the command's id names it."""
    terms = {"session": S1, "player": ANNA, "sheet": "coin-flip", "channel": "web"}
    return cmd.RequestParticipation(id=right, actor=ANNA, **terms, **money(amount))


@pytest.fixture
def book():
    """A book in which anna's initial right of 50.00 waits, and 50.00 are left in her conto."""
    made = MemoryBook(ENGINES, bytes)
    sheet = {"sheet": "coin-flip", "sheet_version": 1, "in_force_from": NOON, "text": coin_sheet()}
    for command in (
        order(cmd.OpenBook, 1, book="contoposta", clock="simulated"),
        order(cmd.PublishSheet, 2, **sheet),
        order(cmd.OpenConto, 3, player=ANNA, currency=EUR, personal=()),
        order(cmd.Deposit, 4, player=ANNA, **money(10_000), **PAYMENT),
        request(),
    ):
        assert made.handle(command, NOON).refusal is None
    return made


@pytest.fixture
def handle(book):
    """The book's only writer, at noon."""
    return lambda command: book.handle(command, NOON)


def balance(book):
    """What anna's conto holds."""
    state = book.state(CONTO)
    assert isinstance(state, Conto)
    return state.balance


def test_c1_a_yes_becomes_the_initial_posta(book, handle):
    """The right is asked for as it stands in the book."""
    central = Central([YES])
    result = settle_right(ASK, central, handle)

    assert isinstance(result, Recorded)
    assert result.answer == YES
    assert result.outcome.refusal is None
    assert book.state(SESSION).posta == 5_000
    assert central.asked == [ASK]


def test_c1_a_no_gives_the_money_back(book, handle):
    """The session is over before it began."""
    settle_right(ASK, Central([Rejected("R-7")]), handle)

    assert book.state(SESSION).reason == "rejected"
    assert balance(book) == 10_000


def test_c1_while_the_answer_is_unknown_the_money_waits(book, handle):
    """Nothing is written and nothing concluded; the same id is asked again until there is one."""
    central = Central([Unknown("timeout"), Unknown("timeout"), YES])
    length = len(book.entries)

    assert settle_right(ASK, central, handle) == Unknown("timeout")
    assert settle_right(ASK, central, handle) == Unknown("timeout")
    assert length == len(book.entries)
    assert balance(book) == 5_000
    assert isinstance(book.state(SESSION), ses.Pending)

    settle_right(ASK, central, handle)

    assert book.state(SESSION).posta == 5_000
    assert {a.participation for a in central.asked} == {RIGHT}


def test_g3_settling_twice_is_one_command(book, handle):
    """The second answer is the first one, byte for byte."""
    first = settle_right(ASK, Central([YES]), handle)
    length = len(book.entries)
    second = settle_right(ASK, Central([YES]), handle)

    assert first.outcome.to_bytes() == second.outcome.to_bytes()
    assert length == len(book.entries)


@pytest.mark.parametrize("recorded", [False, True], ids=["before", "after"])
def test_g9_a_process_that_dies_around_the_recording_loses_and_doubles_nothing(
    book, handle, recorded
):
    """Killed before or after its answer was recorded, the next call leaves one validation."""

    def dying(command):
        if recorded:
            handle(command)
        raise Killed

    with pytest.raises(Killed):
        settle_right(ASK, Central([YES]), dying)
    result = settle_right(ASK, Central([YES]), handle)

    assert result.outcome.refusal is None
    names = [event.NAME for event in book.events(SESSION)]
    assert 1 == names.count("participation-validated") == names.count("posta-funded")


def test_a_fault_of_the_central_system_concludes_nothing(book, handle):
    """It is raised to whoever asked, and the right waits."""
    length = len(book.entries)

    with pytest.raises(CentralFault):
        settle_right(ASK, Central([CentralFault("another right")]), handle)
    assert length == len(book.entries)


def test_c1_an_annulled_right_gives_the_money_back(book, handle):
    """With the reason that the central system has on record."""
    annul_right(ASK, "no answer", Central([Annulled("player left")]), handle)

    assert book.state(SESSION).reason == "annulled"
    assert book.events(SESSION)[1].reason == "player left"
    assert balance(book) == 10_000


def test_c1_an_annulment_that_is_too_late_records_the_validation(book, handle):
    """The first word about a right stands."""
    annul_right(ASK, "no answer", Central([TooLate(YES)]), handle)

    assert book.state(SESSION).posta == 5_000


def test_an_answer_that_the_book_contradicts_is_reported_and_moves_nothing(book, handle):
    """The book heard no, the central system says yes: a person must look."""
    settle_right(ASK, Central([Rejected("R-7")]), handle)
    result = settle_right(ASK, Central([YES]), handle)

    assert result.outcome.refusal == Code.PARTICIPATION_CONTRADICTED
    assert balance(book) == 10_000


def test_c1_a_further_right_is_settled_as_the_first(book, handle):
    """It adds to the posta; its request says that it is a further one."""
    settle_right(ASK, Central([YES]), handle)
    handle(request(FURTHER, 1_000))
    ask = request_of(S1, book.state(SESSION))

    assert ask == RightRequest(FURTHER, S1, ANNA, "coin-flip", 1_000, EUR, "further")
    settle_right(ask, Central([Validated("T-2", 2, 6_000)]), handle)
    assert book.state(SESSION).posta == 6_000


def test_a_duty_settles_the_right_that_waits(book, handle):
    """It knows session and participation only, and does nothing where nothing waits."""
    central = Central([YES])
    place = Book(lambda session: book.state(f"session:{session}"), handle)

    assert settle_pending(S1, FURTHER, central, place) is None
    assert settle_pending(uid(2), RIGHT, central, place) is None
    assert central.asked == []
    assert settle_pending(S1, RIGHT, central, place).answer == YES
    assert settle_pending(S1, RIGHT, central, place) is None


def test_nothing_is_asked_where_no_right_waits():
    """Neither before a session nor after its end."""
    over = ses.evolve(ses.evolve(ses.START, pending().events[0]), closed(0, "rejected"))

    assert request_of(S1, ses.START) is None
    assert request_of(S1, over) is None


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (YES, cmd.ValidateParticipation),
        (TooLate(YES), cmd.ValidateParticipation),
        (Rejected("R-7"), cmd.RejectParticipation),
        (Annulled("no answer"), cmd.AnnulParticipation),
    ],
)
def test_g3_an_answer_is_one_command_whoever_asked(answer, kind):
    """The id derives from the participation and the kind; the actor is the central system."""
    command = command_for(answer, ASK)

    assert isinstance(command, kind)
    assert command.id == uuid5(RIGHT, kind.KIND)
    assert (command.actor, command.session, command.participation) == (ACTOR, S1, RIGHT)


def test_no_answer_is_no_command():
    """From `Unknown` nothing follows."""
    assert command_for(Unknown("timeout"), ASK) is None


def test_the_stand_in_validates_at_once_and_counts_on_from_the_book(book, handle):
    """A new one, as in another process, gives the answer on record and the next count."""

    def stand_in():
        return InstantCentral(lambda session: book.events(f"session:{session}"))

    first = stand_in().request(ASK)
    settle_right(ASK, stand_in(), handle)
    handle(request(FURTHER, 1_000))
    further = request_of(S1, book.state(SESSION))
    second = settle_right(further, stand_in(), handle).answer

    assert (first.count, first.total) == (1, 5_000)
    assert (second.count, second.total) == (2, 6_000)
    assert first == stand_in().request(ASK)
    assert first.ticket != second.ticket
    assert TooLate(second) == stand_in().annul(further, "no answer")
