"""Held wins and double-ups in a real book: a sound one verifies, forgeries are found (G1, G2, G7).

Anna bets five coins of 1.00 and holds three of a kind, which brings 5.00. She doubles half of it,
2.50, against the king of diamonds, picks the four of spades and loses; 2.50 are collected.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import orjson
import pytest

from games import registry
from ledger.domain import commands as cmd, refunds
from ledger.domain.events import BetRefunded, RoundVoided, WinCollected
from ledger.domain.ids import session_stream, stream_key
from ledger.domain.rounds import common_of
from ledger.domain.session import find_round
from tests.deuces_table import TRIPLE, entropy
from tests.force import by_force, edit
from tests.house import CODEC, House, opened_house

ENGINE = registry.ENGINES["deuces-wild/1"]
SHEET = "deuces-wild"
SHOWN = "Kd"
FOUR = ["4s", "3c", "Ks", "As"]
PUSHED, WON = 3, 4
"""Which of the four face-down cards is how good; the first one loses."""
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def coming() -> list[bytes]:
    """What is drawn next; nothing else is."""
    return []


@pytest.fixture
def house(database: str, book: str, coming: list[bytes]) -> Iterator[House]:
    """A house whose cards fall as the test says."""
    with opened_house(database, book, entropy=lambda _: coming.pop(0)) as opened:
        yield opened


@pytest.fixture
def seat(house: House) -> UUID:
    """Anna's session with 100.00; all that came before is sealed."""
    house.conto("anna-1", 200_00)
    session = house.session("anna-1", 100_00, SHEET)
    house.seal()
    return session


def won_hand(house: House, seat: UUID, coming: list[bytes]) -> UUID:
    """Deal three of a kind for 5.00 and hold it; the id of its round."""
    coming += [entropy(TRIPLE), entropy(["5s", "7c"], TRIPLE)]
    deal = ENGINE.parse({"coins": 5, "coin": "1.00"})
    laid = house.do(cmd.OpenRound, session=seat, move=deal).command
    move(house, seat, laid, {"hold": [1, 2, 3]})
    return laid


def move(house: House, seat: UUID, laid: UUID, document: dict[str, Any]) -> None:
    """Make a move that must be accepted."""
    house.do(cmd.ContinueRound, session=seat, round=laid, move=ENGINE.parse(document))


def double(house: House, seat: UUID, laid: UUID, coming: list[bytes], *, half: bool) -> None:
    """Put the win, or half of it, at risk against the king."""
    coming.append(entropy([SHOWN]))
    move(house, seat, laid, {"double_up": {"half": half}})


def pick(house: House, seat: UUID, laid: UUID, coming: list[bytes], number: int = 1) -> None:
    """Pick one of the four cards."""
    coming.append(entropy(FOUR, [SHOWN]))
    move(house, seat, laid, {"pick": number})


@pytest.fixture
def lost(house: House, seat: UUID, coming: list[bytes]) -> House:
    """The round of the story, not yet sealed."""
    laid = won_hand(house, seat, coming)
    double(house, seat, laid, coming, half=True)
    pick(house, seat, laid, coming)
    return house


def test_g1_g9_a_book_with_held_wins_double_ups_and_an_expiry_verifies(
    house: House, seat: UUID, coming: list[bytes]
) -> None:
    """Won, pushed, lost, collected, and one in play that expiry decides; nothing is left over."""
    first = won_hand(house, seat, coming)
    for number in (WON, PUSHED, WON):
        double(house, seat, first, coming, half=number == PUSHED)
        pick(house, seat, first, coming, number)
    move(house, seat, first, {"collect": True})
    last = won_hand(house, seat, coming)
    double(house, seat, last, coming, half=True)
    house.seal()
    assert house.verify() == ()

    house.do(cmd.DisconnectSession, session=seat, at=house.now)
    house.later(minutes=20)
    coming.append(entropy(FOUR, [SHOWN]))
    house.do(cmd.ExpireSession, session=seat)
    house.seal()
    verdict = house.verdict()
    assert (verdict.findings, verdict.rounds) == ((), 2)
    assert house.service.state(session_stream(seat)).final_posta == 100_00 + 15_00 - 2_50


FORGED: dict[str, dict[tuple[str, str], Change]] = {
    "a loss told as a win": {
        ("double-up-resolved", ""): lambda e: e.update(outcome="won", returned=500),
        ("win-collected", ""): lambda e: e.update(amount=750),
        ("round-settled", ""): lambda e: e["double_ups"].update(returned=500),
    },
    "a loss that returns what was at risk": {
        ("double-up-resolved", ""): lambda e: e.update(returned=250),
        ("win-collected", ""): lambda e: e.update(amount=500),
        ("round-settled", ""): lambda e: e["double_ups"].update(returned=250),
    },
    "a lower card to beat": {
        ("draw-recorded", "deuces-shown"): lambda e: e["details"].update(card="3c"),
    },
    "a lower card to beat with the entropy that gives it": {
        ("draw-recorded", "deuces-shown"): lambda e: (
            e["details"].update(card="3c"),
            e.update(entropy=entropy(["3c"]).hex()),
        ),
    },
    "another pick than the player made": {
        ("draw-recorded", "deuces-four"): lambda e: e["details"].update(picked=WON),
    },
    "other cards face down": {
        ("draw-recorded", "deuces-four"): lambda e: e["details"].update(cards=FOUR[::-1]),
    },
    "another hold proposed": {
        ("draw-recorded", "deuces-dealt"): lambda e: e["details"].update(proposed_hold=[1, 2]),
    },
    "another hand told": {
        ("draw-recorded", "deuces-final"): lambda e: e["details"].update(category="straight"),
    },
    "less at risk than half": {
        ("double-up-staked", ""): lambda e: e.update(at_risk=249, kept=251),
        ("double-up-resolved", ""): lambda e: e.update(at_risk=249),
        ("win-collected", ""): lambda e: e.update(amount=251),
        ("round-settled", ""): lambda e: e["double_ups"].update(staked=249),
    },
    "a higher win": {
        ("win-held", ""): lambda e: e.update(winnings=100),
        ("win-collected", ""): lambda e: e.update(amount=350),
        ("round-settled", ""): lambda e: e.update(winnings=100),
    },
    "double-ups left out of the settlement": {
        ("round-settled", ""): lambda e: e.pop("double_ups"),
    },
    "another return than that of five coins": {
        ("round-settled", ""): lambda e: e.update(bet_kind="1-coin"),
    },
}


@pytest.mark.parametrize("forgery", FORGED)
def test_g7_a_forged_double_up_that_balances_is_found(lost: House, forgery: str) -> None:
    """Every account comes out even; what was recorded gives other events than these."""
    for (topic, holding), change in FORGED[forgery].items():
        edit(lost, topic, change, holding)
    lost.seal()
    assert lost.checks_that_find() == {"judgement"}


def test_g2_a_win_collected_for_twice_its_amount_is_found(lost: House) -> None:
    """The account of the held win falls below zero."""
    edit(lost, "win-collected", lambda e: e.update(amount=500))
    lost.seal()
    assert lost.checks_that_find() == {"judgement", "overdraft"}


def test_g2_a_win_that_is_collected_again_after_the_round_is_found(lost: House, seat: UUID) -> None:
    """A second event of collection is in no command's record and in no round."""
    entries = lost.service.history(session_stream(seat))
    collected = next(e for e in entries if isinstance(e.event, WinCollected))
    again = collected.model_copy(update={"version": entries[-1].version + 1})
    lost.store.recorder.insert_events([CODEC.encode(again)])
    lost.seal()
    assert lost.checks_that_find() == {"judgement", "overdraft", "saves"}


def test_g9_a_session_that_closed_with_money_in_its_held_win_is_found(
    lost: House, seat: UUID
) -> None:
    """0.50 of the win was never collected: the posta that went back lacks it."""
    lost.do(cmd.CloseSession, session=seat)
    edit(lost, "win-collected", lambda e: e.update(amount=200))
    edit(lost, "session-closed", lambda e: e.update(final_posta=9_700))
    edit(lost, "funds-transferred-to-conto", lambda e: e.update(amount=9_700))
    lost.seal()
    found = lost.verify()
    assert {f.check for f in found} == {"judgement", "orphan"}
    assert [f.found for f in found if f.check == "orphan"] == ["not in play with 50 EUR in win"]


def forged_void(session: Any, round_id: UUID, reason: str) -> tuple[BetRefunded, RoundVoided]:
    """The whole stake of a round refunded once more, out of what a double-up has at risk."""
    common = common_of(find_round(session, round_id)) | {"currency": session.terms.currency}
    refund = BetRefunded(**common, bet=1, amount=500, reason=reason)
    return refund, RoundVoided(**common, refunded=500, bets=1, reason=reason)


@pytest.mark.parametrize("at_risk", [False, True], ids=["held", "at risk"])
def test_g9_a_round_that_was_voided_after_it_won_is_found(
    house: House,
    seat: UUID,
    coming: list[bytes],
    monkeypatch: pytest.MonkeyPatch,
    at_risk: bool,  # noqa: FBT001 - whether a double-up has the win at risk
) -> None:
    """A service without its guard voids it: no account falls below zero, the win was the player's.

    The stake of 5.00 had come back with the win; what a double-up has at risk pays it once more.
    """
    laid = won_hand(house, seat, coming)
    if at_risk:
        double(house, seat, laid, coming, half=False)
        monkeypatch.setattr(refunds, "void_round", forged_void)
    monkeypatch.setattr(refunds, "_decided", lambda *_: None)
    house.do(cmd.VoidRounds, rounds=(cmd.RoundRef(session=seat, round=laid),), reason="mistake")
    house.seal()
    assert house.checks_that_find() == {"judgement"}


def documents_after(house: House, seat: UUID, version: int) -> dict[int, dict[str, Any]]:
    """What is stored of a session after a version, by version."""
    rows = house.rows(
        """SELECT originator_version, state FROM events
            WHERE originator_id = %s AND originator_version > %s""",
        stream_key(session_stream(seat)),
        version,
    )
    return {version: orjson.loads(state) for version, state in rows}


def test_g1_a_win_of_another_session_is_found(
    house: House, seat: UUID, coming: list[bytes]
) -> None:
    """Anna and Bruno doubled 5.00 in step, and what came of it was given to the other one each."""
    house.conto("bruno-2", 200_00)
    seats = (seat, house.session("bruno-2", 100_00, SHEET))
    laid = {each: won_hand(house, each, coming) for each in seats}
    for each in seats:
        double(house, each, laid[each], coming, half=False)
    house.seal()
    begun = len(house.service.history(session_stream(seat)))
    for each, number in zip(seats, (WON, PUSHED), strict=True):
        pick(house, each, laid[each], coming, number)
        move(house, each, laid[each], {"collect": True})
    stored = [documents_after(house, each, begun) for each in seats]
    for place, given in enumerate(seats):
        for version, other in stored[1 - place].items():
            mine = stored[place][version] | {"event": other["event"]}
            by_force(
                house,
                "UPDATE events SET state = %s WHERE (originator_id, originator_version) = (%s, %s)",
                values=(orjson.dumps(mine), stream_key(session_stream(given)), version),
            )
    house.seal()
    assert house.checks_that_find() == {"judgement", "moves"}
