"""Corrections in a real book: a sound one verifies, and every forged one is found (G1, G3, G5).

Anna's 100.00 were deposited once and booked twice; 100.00 go back to the payments.
"""

from uuid import UUID, uuid4

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import CorrectionLine
from ledger.domain.ids import command_stream, conto_stream, correction_stream, stream_key
from ledger.domain.money import Currency
from tests.force import by_force, edit
from tests.house import House, deposit_order, order

PLAYER, WORLD = "player:anna-1:conto", "world:payments"


@pytest.fixture
def twice(house: House) -> UUID:
    """The id of the command that booked the deposit again; all so far is sealed."""
    house.conto("anna-1", 100_00)
    again = house.ask(deposit_order("anna-1", 100_00))
    house.seal()
    return again.command


def correction_of(corrects: UUID) -> cmd.PostCorrection:
    """A correction of 100.00."""
    line = CorrectionLine(source=PLAYER, target=WORLD, amount=100_00)
    fields = {"code": "booked-twice", "reason": "paid once", "approvers": ("ada", "bruno")}
    fields |= {"corrects": corrects, "lines": (line,), "currency": Currency.EUR}
    return order(cmd.PostCorrection, **fields)


def test_g5_a_correction_verifies_and_the_same_command_is_posted_once(house: House, twice: UUID):
    """Given it twice, then one event, 100.00 in the conto, and nothing to find."""
    command = correction_of(twice)

    assert house.ask(command).to_bytes() == house.ask(command).to_bytes()
    house.seal()
    assert 100_00 == house.service.state(conto_stream("anna-1")).balance
    assert [(1,)] == house.rows("SELECT count(*) FROM events WHERE topic = 'correction-posted'")
    assert () == house.verify()


def corrected(house: House, corrects: UUID) -> UUID:
    """The id of a correction that was posted."""
    answer = house.ask(correction_of(corrects))
    assert answer.refusal is None, answer.message
    return answer.command


FORGED = [
    ("correction-posted", {"corrects": str(uuid4())}),
    ("correction-posted", {"approvers": ["ada", "ADA"]}),
    ("correction-posted", {"code": "ruling"}),
    ("correction-posted", {"reason": "as agreed"}),
    (
        "correction-posted",
        {"lines": [{"source": PLAYER, "target": "house:bonus", "amount": 100_00}]},
    ),
    ("conto-corrected", {"debited": 50_00}),
    ("conto-corrected", {"credited": 1}),
    ("conto-corrected", {"correction": str(uuid4())}),
]


@pytest.mark.parametrize(("topic", "changes"), FORGED)
def test_g5_a_correction_that_says_something_else_is_found(house, twice, topic, changes):
    """Given one field changed before it was sealed, then verify names the correction."""
    correction = corrected(house, twice)
    edit(house, topic, lambda event: event.update(changes))
    house.seal()

    found = [f.place for f in house.verify() if f.check == "corrections"]
    assert {command_stream(correction)} == set(found)


def test_g5_a_correction_of_what_was_refused_or_comes_later_is_found(house: House, twice: UUID):
    """Given the deposit's record turned into a refusal, then nothing was there to be corrected."""
    correction = corrected(house, twice)
    house.seal()
    by_force(
        house,
        """UPDATE events SET state = convert_to(regexp_replace(convert_from(state, 'UTF8'),
                  '"written":\\[[^\\]]*\\]', '"written":[]'), 'UTF8')
            WHERE originator_id = %s""",
        values=(stream_key(command_stream(twice)),),
    )

    found = {(f.check, f.place) for f in house.verify()}
    assert ("corrections", command_stream(correction)) in found


def test_g5_a_conto_corrected_by_a_command_of_another_kind_is_found(house: House, twice: UUID):
    """Given the correction's own event moved away from its stream, then it is missed there."""
    correction = corrected(house, twice)
    edit(house, "command-answered", lambda event: event.update(kind="deposit"), "post-correction")
    house.seal()

    found = {f.place for f in house.verify() if f.check == "corrections"}
    assert {command_stream(correction)} == found
    assert house.service.history(correction_stream(correction))
