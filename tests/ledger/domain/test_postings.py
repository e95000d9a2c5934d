"""What each event moves, from which account to which (G1)."""

import pytest

from ledger.domain import events as ev
from ledger.domain.ids import Account, conto_stream, correction_stream, session_stream
from ledger.domain.postings import MOVING, Posting, postings
from tests.scenes import (
    ANNA,
    CONTO,
    EUR,
    S1,
    SESSION,
    bet,
    closed,
    collected,
    common,
    doubled,
    doubling,
    drawn,
    funded,
    held,
    imprisoned,
    lost,
    money,
    payout,
    refunded,
    released,
    returned,
    settled,
    voided,
)

KEY = "00000000-0000-0000-0000-000000000001"
PLAYER = Account("player:anna-1:conto")
RIGHT = Account(f"session:{KEY}:right")
POSTA = Account(f"session:{KEY}:posta")
STAKES = Account(f"session:{KEY}:stakes")
PRISON = Account(f"session:{KEY}:prison")
WIN = Account(f"session:{KEY}:win")
BANK = Account("house:coin:bank")
WORLD = Account("world:payments")
BONUS = Account("house:bonus")
PAYMENT = {"player": ANNA, **money(70), "reference": "pay-1", "channel": "card"}

CORRECTION = ev.CorrectionPosted(
    corrects=S1,
    code="ruling",
    reason="the court said so",
    approvers=("ada", "bruno"),
    currency=EUR,
    lines=(
        ev.CorrectionLine(source="player:anna-1:conto", target="house:coin:bank", amount=70),
        ev.CorrectionLine(source="house:bonus", target="player:anna-1:conto", amount=30),
    ),
)

MOVES = [
    (CONTO, ev.FundsDeposited(**PAYMENT), [(WORLD, PLAYER, 70)]),
    (correction_stream(S1), CORRECTION, [(PLAYER, BANK, 70), (BONUS, PLAYER, 30)]),
    (CONTO, ev.FundsWithdrawn(**PAYMENT), [(PLAYER, WORLD, 70)]),
    (
        CONTO,
        ev.FundsTransferredToPosta(player=ANNA, session=S1, **money(70)),
        [(PLAYER, RIGHT, 70)],
    ),
    (CONTO, returned(70, "right").events[0], [(RIGHT, PLAYER, 70)]),
    (CONTO, returned(70, "posta").events[0], [(POSTA, PLAYER, 70)]),
    (CONTO, returned(0, "posta").events[0], []),
    (SESSION, funded(70), [(RIGHT, POSTA, 70)]),
    (SESSION, funded(70, "further"), [(RIGHT, POSTA, 70)]),
    (SESSION, funded(70, "bonus"), [(BONUS, POSTA, 70)]),
    (SESSION, bet(1, "heads", 70), [(POSTA, STAKES, 70)]),
    (SESSION, payout(1, 30, 70), [(STAKES, POSTA, 70), (BANK, POSTA, 30)]),
    (SESSION, payout(1, 30, 0), [(BANK, POSTA, 30)]),
    (SESSION, payout(1, 0, 70), [(STAKES, POSTA, 70)]),
    (SESSION, refunded(1, 70, "chip fell"), [(STAKES, POSTA, 70)]),
    (SESSION, held(30, 70), [(STAKES, WIN, 70), (BANK, WIN, 30)]),
    (SESSION, held(0, 70), [(STAKES, WIN, 70)]),
    (
        SESSION,
        ev.StakeLeft(**common(), bet=1, left_as=2, **money(70)),
        [(STAKES, WIN, 70), (WIN, STAKES, 70)],
    ),
    (SESSION, doubling(70), [(WIN, STAKES, 70)]),
    (SESSION, doubling(35, 36), [(WIN, STAKES, 35)]),
    (SESSION, doubled("won", 70, 140), [(STAKES, WIN, 70), (BANK, WIN, 70)]),
    (SESSION, doubled("pushed", 70, 70), [(STAKES, WIN, 70)]),
    (SESSION, doubled("lost", 70, 0), [(STAKES, BANK, 70)]),
    (SESSION, collected(70), [(WIN, POSTA, 70)]),
    (SESSION, imprisoned(1, 70), [(STAKES, PRISON, 70)]),
    (SESSION, released(1, "freed", 70, 0), [(PRISON, POSTA, 70)]),
    (SESSION, released(1, "withdrawn", 35, 35), [(PRISON, POSTA, 35), (PRISON, BANK, 35)]),
    (SESSION, released(1, "lost", 0, 70), [(PRISON, BANK, 70)]),
    (SESSION, lost(1, 70), [(STAKES, BANK, 70)]),
    (SESSION, settled(staked=70, taken=70, bets=1), []),
    (SESSION, settled(staked=70, stakes_lost=70, bets=1), [(STAKES, BANK, 70)]),
    (SESSION, settled(staked=70, stake_returned=70, bets=1), []),
]


@pytest.mark.parametrize(("stream", "event", "moves"), MOVES)
def test_g1_an_event_moves_each_amount_from_one_account_to_another(stream, event, moves):
    """Worked by hand from the account addresses of the design of the book."""
    expected = tuple(Posting(source, target, amount, EUR) for source, target, amount in moves)

    assert expected == postings(stream, event)


def test_g1_every_event_that_moves_money_is_worked_above():
    """No rule is without an example."""
    assert set(MOVING) == {event.NAME for _, event, _ in MOVES}


def test_g1_every_event_with_an_amount_either_moves_it_or_is_known_not_to():
    """The others repeat an amount that another event moves."""
    amounts = {"amount", "winnings", "stake_returned", "stakes_lost", "final_posta", "refunded"}
    amounts |= {"at_risk", "kept", "returned", "to_bank"}
    named = {e.NAME for e in ev.LEDGER_EVENTS if amounts & e.model_fields.keys()}

    assert {"participation-requested", "session-closed", "round-voided"} == named - set(MOVING)


@pytest.mark.parametrize("event", [closed(70), voided(70, 1, "wheel broke"), drawn("02", "heads")])
def test_g1_what_only_tells_of_money_moves_none(event):
    """The end of a session, a void and a draw."""
    assert postings(SESSION, event) == ()


def test_g1_a_posting_moves_something_between_two_accounts():
    """Nothing, a negative amount, or from an account to itself cannot be said."""
    for source, target, amount in ((WORLD, PLAYER, 0), (WORLD, PLAYER, -1), (PLAYER, PLAYER, 1)):
        with pytest.raises(AssertionError):
            Posting(source, target, amount, EUR)


def test_g2_only_contra_accounts_may_go_below_zero():
    """The world's, the house's and the state's."""
    signed = [a.is_signed for a in (WORLD, BANK, BONUS, Account("state:duty"), PLAYER, POSTA)]

    assert signed == [True, True, True, True, False, False]


def test_streams_are_named_by_their_kind_and_key():
    """A person reads the names."""
    assert ("conto:anna-1", f"session:{KEY}") == (conto_stream(ANNA), session_stream(S1))
