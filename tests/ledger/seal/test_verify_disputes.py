"""What is on record of disputes and of forgotten players is what was asked and what may be (G10).

Anna disputes a round; eleven years after her conto was closed she is forgotten. Each forgery leaves
the records of what was saved as they are, or is made before they are sealed.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.seal.disputes import DisputeCheck
from tests.force import by_force, edit
from tests.house import House, withdraw_order

SAID = {"key": "anna-1.1", "ciphertext": "AAAA"}
TEXT = ev.ProtectedText(**SAID)
CLAIM = {"player": "anna-1", "by": "player", "channel": "mail", "claim": TEXT}
END = {"player": "anna-1", "decider": "maria", "decision": "dismissed", "reason": TEXT}
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def disputed(house: House) -> UUID:
    """A dispute of Anna about a round that she played, with a contact; all of it not yet sealed."""
    session = house.seat("anna-1", 50_00)
    house.seat("bruno-2", 50_00)
    played = house.play(session).command
    house.seal()
    dispute = house.do(cmd.OpenDispute, session=session, round=played, **CLAIM).command
    note = {"player": "anna-1", "dispute": dispute, "by": "house", "channel": "mail", "note": TEXT}
    house.do(cmd.AddToDispute, **note)
    house.do(cmd.CloseDispute, dispute=dispute, **END)
    return dispute


def forgotten(house: House, after_years: int) -> None:
    """Anna's conto is emptied and closed, and she is forgotten, where the service lets it be."""
    session = next(s for s, player in house.players.items() if player == "anna-1")
    house.do(cmd.CloseSession, session=session)
    left = house.service.state("conto:anna-1").balance
    assert house.ask(withdraw_order("anna-1", left)).refusal is None
    house.do(cmd.CloseConto, player="anna-1", reason="asked")
    house.later(days=366 * after_years)
    house.do(cmd.ForgetPlayer, player="anna-1", reason="time over")


def test_an_honest_dispute_and_an_honest_erasure_hold(house, disputed):
    """Given the whole story, when it is sealed, then verification finds nothing."""
    forgotten(house, 11)
    house.seal()

    assert () == house.verify()


FORGED: dict[str, tuple[str, Change]] = {
    "another claim": ("dispute-opened", lambda e: e["claim"].update(ciphertext="BBBB")),
    "another session": ("dispute-opened", lambda e: e.update(session=str(UUID(int=7)))),
    "another round": ("dispute-opened", lambda e: e.update(round=str(UUID(int=7)))),
    "another player": ("dispute-opened", lambda e: e.update(player="bruno-2")),
    "another dispute": ("dispute-noted", lambda e: e.update(dispute=str(UUID(int=7)))),
    "another speaker": ("dispute-noted", lambda e: e.update(by="player")),
    "another decider": ("dispute-closed", lambda e: e.update(decider="ada")),
    "another decision": ("dispute-closed", lambda e: e.update(decision="upheld")),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_what_was_changed_before_the_seal_is_found(house, disputed, forgery):
    """Given a dispute whose events were changed by force, then the check of disputes finds it."""
    topic, change = FORGED[forgery]
    edit(house, topic, change)
    house.seal()

    assert "disputes" in house.checks_that_find()


def test_fr11_a_contact_after_the_decision_is_found(house, disputed):
    """Given a decision that was put before a contact by force, then nothing may follow it."""
    rows = house.rows(
        """SELECT originator_id, originator_version, topic, state FROM events
            WHERE topic IN ('dispute-noted', 'dispute-closed') ORDER BY originator_version"""
    )
    (stream, noted, *_), (_, closed, *_) = rows
    for version, topic, state in ((closed, rows[0][2], rows[0][3]), (noted, *rows[1][2:])):
        swapped = bytes(state).replace(
            b'"version":%d' % (noted if version == closed else closed),
            b'"version":%d' % version,
        )
        by_force(
            house,
            "UPDATE events SET topic = %s, state = %s WHERE (originator_id, originator_version)"
            " = (%s, %s)",
            values=(topic, swapped, stream, version),
        )
    house.seal()

    found = {f.found for f in house.verify() if f.check == "disputes"}
    assert "no such dispute is open here, and a decision is final" in found


@pytest.fixture
def forged_erasure(house, disputed) -> House:
    """Anna was forgotten, all of it not yet sealed."""
    forgotten(house, 11)
    return house


def test_g10_an_erasure_under_another_name_is_found(forged_erasure):
    """Given an erasure that names another player than its conto, then it is found."""
    edit(forged_erasure, "player-forgotten", lambda e: e.update(player="bruno-2"))
    forged_erasure.seal()

    assert "disputes" in forged_erasure.checks_that_find()


def entries(house: House) -> list[ev.AnyEntry]:
    """All that a house has on record of Anna, in the order of the saves."""
    streams = ("conto:anna-1", "player:anna-1")
    found = [e for stream in streams for e in house.service.history(stream)]
    return sorted(found, key=lambda e: e.recorded)


def checked(house: House, told: list[ev.AnyEntry]) -> set[str]:
    """What the check finds in entries, those of commands left out."""
    check = DisputeCheck(house.service.history)
    return {f.found for at, entry in enumerate(told) for f in check.see(at, entry)}


def test_g10_an_erasure_before_its_time_or_in_a_dispute_is_found(forged_erasure):
    """Given an erasure recorded two years early, or before the decision, then each is found."""
    told = entries(forged_erasure)
    erased = told[-1]
    assert set() == checked(forged_erasure, told)

    early = erased.model_copy(update={"recorded": erased.recorded.replace(year=2034)})
    assert {"was forgotten before the time of the records was over"} == checked(
        forged_erasure, [*told[:-1], early]
    )
    undecided = [e for e in told if e.event.NAME != "dispute-closed"]
    assert {"was forgotten while a dispute was open"} == checked(forged_erasure, undecided)


def test_g10_what_comes_after_an_erasure_is_found(forged_erasure):
    """Given a claim after it, then it is found: no key was there for it."""
    told = entries(forged_erasure)
    (opened,) = [e for e in told if e.event.NAME == "dispute-opened"]

    assert {"comes after its player was forgotten"} == checked(forged_erasure, [*told, opened])


def test_a_record_without_its_event_is_found(house, disputed):
    """Given the record of a claim whose event is gone, then it asked for what is not there."""
    record = house.service.history(f"command:{disputed}")
    check = DisputeCheck(house.service.history)

    assert ["0 events were made by this command, not 1"] == [
        f.found for f in check.see(0, record[0])
    ]
