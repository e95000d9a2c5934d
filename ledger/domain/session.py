"""The session: the posta's life from the first right to the last transfer back (rulings C1).

The states are small and exclude each other, so that a session that waits for validation has no
posta that could be bet. The steps of a round are in `ledger.domain.rounds`.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.decider import Decider, fold
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal
from ledger.domain.stakes import RoundInPlay, Rounds, Stake, grown, holding, of_bet, without
from ledger.domain.terms import Limits, Terms

HISTORY_SHOWN: Final = 20
"""How many outcomes the screen's history keeps (rulings C7)."""


@dataclass(frozen=True, slots=True)
class Right:
    """A participation right that the central system has not answered yet; amount in minor units."""

    participation: UUID
    amount: int


@dataclass(frozen=True, slots=True)
class Absent:
    """No session of this id."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The initial right waits for validation: no round, no posta."""

    terms: Terms
    right: Right


@dataclass(frozen=True, slots=True)
class Place:
    """A seat at a live table."""

    table: str
    seat: int


@dataclass(frozen=True, slots=True)
class Open:
    """A session in which rounds are played; amounts in minor units."""

    terms: Terms
    posta: int = 0
    funded: int = 0
    """Initial right, further transfers and bonuses together."""
    right: Right | None = None
    rounds: Rounds = ()
    since: datetime | None = None
    """When the session opened, or the player last came back, or at a live table last acted."""
    disconnected_at: datetime | None = None
    bet_box: int = 0
    """Net win of the last round: winnings of the winning bets, 0 on a loss (rulings C7)."""
    shown: tuple[str, ...] = ()
    """The last outcomes, newest first."""
    offset: int = 0
    """What shifted the last number of a series; it holds until it is changed (rulings HW6)."""
    place: Place | None = None
    """Where the session is seated at a live table, if it is."""
    expired: ev.SessionExpired | None = None
    """What said that it is over by rule, where the table's round in play ends it."""

    @property
    def table(self) -> str | None:
        """The live table that the session is seated at, if it is."""
        return None if self.place is None else self.place.table

    @property
    def win_box(self) -> int:
        """The current win: what is held, and what of it a double-up has at risk (rulings C7)."""
        return sum(r.win + r.at_risk for r in self.rounds)

    @property
    def loss(self) -> int:
        """What entered the posta less what is in it or won and held; stakes count as lost."""
        return self.funded - self.posta - sum(r.win for r in self.rounds)


@dataclass(frozen=True, slots=True)
class Closed:
    """A session that ended; all its accounts are at zero."""

    terms: Terms
    reason: str
    final_posta: int


State = Absent | Pending | Open | Closed
START: Final[State] = Absent()


def _requested(state: State, e: ev.ParticipationRequested) -> State:
    right, limits = (
        Right(e.participation, e.amount),
        Limits(e.limit_loss, e.limit_seconds, e.limit_idle_seconds),
    )
    if isinstance(state, Open):
        terms = replace(state.terms, limits=state.terms.limits.narrowed(limits))
        return replace(state, right=right, terms=terms)
    bounds = (e.posta_max, e.reconnect_seconds, limits)
    of_conto = (e.account, e.own_limits, e.time_over)
    terms = Terms(e.player, e.sheet, e.currency, *bounds, *of_conto)
    return Pending(terms, right)


def _right_returned(state: Any, _: ev.Event) -> Any:
    return replace(state, right=None) if isinstance(state, Open) else state


def _opened(state: Pending, _: ev.SessionOpened, at: datetime | None) -> Open:
    return Open(replace(state.terms, opened_at=at), since=at)


def _reconnected(state: Open, _: ev.SessionReconnected, at: datetime | None) -> Open:
    return replace(state, disconnected_at=None, since=at)


def _funded(state: Open, e: ev.PostaFunded) -> Open:
    right = state.right if e.transfer == "bonus" else None
    return replace(state, posta=state.posta + e.amount, funded=state.funded + e.amount, right=right)


def _barred(state: Pending | Open, _: ev.SessionBarred) -> Pending | Open:
    return replace(state, terms=replace(state.terms, is_barred=True))


def _time_limited(state: Pending | Open, e: ev.SessionTimeLimited) -> Pending | Open:
    return replace(state, terms=replace(state.terms, time_over=e.time_over))


def _closed(state: Pending | Open, e: ev.SessionClosed) -> Closed:
    return Closed(state.terms, e.reason, e.final_posta)


def _after(
    state: Open,
    posta: int,
    rounds: Rounds,
    shown: tuple[str, ...],
    bet_box: int | None = None,
) -> Open:
    """The session after an event of a round.

    Written out as `ledger.domain.stakes` is.
    """
    return Open(
        state.terms,
        posta,
        state.funded,
        state.right,
        rounds,
        state.since,
        state.disconnected_at,
        state.bet_box if bet_box is None else bet_box,
        shown,
        state.offset,
        state.place,
        state.expired,
    )


def _seated(state: Open, e: ev.SessionSeated, at: datetime | None) -> Open:
    return replace(state, place=Place(e.table, e.seat), since=at)


def _acted(after: Open, at: datetime | None) -> Open:
    """The session whose player was seen to act; it is looked at where a table waits (BJ8)."""
    return after if after.place is None else replace(after, since=at)


def _moved(state: Open, e: ev.MoveMade[Any], at: datetime | None) -> Open:
    return _acted(_grew(state, e), at)


def _round_opened(state: Open, e: ev.RoundOpened[Any], at: datetime | None) -> Open:
    fresh = RoundInPlay(e.round, e.game, e.rules, (), (e,))
    after = _acted(_after(state, state.posta, (*state.rounds, fresh), state.shown), at)
    return after if e.series is None else replace(after, offset=e.series.offset)


def _bet_placed(state: Open, e: ev.BetPlaced[Any]) -> Open:
    stakes = (*find_round(state, e.round).stakes, Stake(e.bet, e.amount))
    return _after(state, state.posta - e.amount, grown(state.rounds, e, stakes), state.shown)


def _drawn(state: Open, e: ev.DrawRecorded[Any]) -> Open:
    shown = state.shown if e.shown is None else _told(state, e.shown)
    return _after(state, state.posta, grown(state.rounds, e), shown)


def _outcome_told(state: Open, e: ev.OutcomeTold[Any] | ev.BoxDecided[Any]) -> Open:
    return _after(state, state.posta, grown(state.rounds, e), _told(state, e.shown))


def _told(state: Open, outcome: str) -> tuple[str, ...]:
    return (outcome, *state.shown)[:HISTORY_SHOWN]


def _paid(state: Open, e: ev.PayoutCredited) -> Open:
    posta = state.posta + e.winnings + e.stake_returned
    stakes = of_bet(find_round(state, e.round), e, returned=e.stake_returned)
    return _after(state, posta, grown(state.rounds, e, stakes), state.shown)


def _imprisoned(state: Open, e: ev.StakeImprisoned) -> Open:
    stakes = of_bet(find_round(state, e.round), e, imprisoned=e.amount)
    return _after(state, state.posta, grown(state.rounds, e, stakes), state.shown)


def _released(state: Open, e: ev.PrisonerReleased) -> Open:
    stakes = of_bet(
        find_round(state, e.round), e, imprisoned=0, returned=e.returned, lost=e.to_bank
    )
    return _after(state, state.posta + e.returned, grown(state.rounds, e, stakes), state.shown)


def _lost(state: Open, e: ev.StakeLost) -> Open:
    stakes = of_bet(find_round(state, e.round), e, lost=e.amount)
    return _after(state, state.posta, grown(state.rounds, e, stakes), state.shown)


def _grew(state: Open, e: ev.RoundEvent) -> Open:
    return _after(state, state.posta, grown(state.rounds, e), state.shown)


def _refunded(state: Open, e: ev.BetRefunded) -> Open:
    stakes = tuple(
        replace(s, refunded=s.refunded + e.amount) if s.bet == e.bet else s
        for s in find_round(state, e.round).stakes
    )
    return _after(state, state.posta + e.amount, grown(state.rounds, e, stakes), state.shown)


def _win_held(state: Open, e: ev.WinHeld) -> Open:
    stakes = of_bet(find_round(state, e.round), e, returned=e.stake_returned)
    played = find_round(state, e.round)
    win = played.win + e.winnings + e.stake_returned
    rounds = holding(state.rounds, e, win=win, stakes=stakes)
    won_with_it = takewhile(lambda last: isinstance(last, ev.WinHeld), reversed(played.history))
    won = e.winnings + sum(last.winnings for last in won_with_it if isinstance(last, ev.WinHeld))
    return _after(state, state.posta, rounds, state.shown, won)


def _stake_left(state: Open, e: ev.StakeLeft) -> Open:
    stakes = of_bet(find_round(state, e.round), e, returned=e.amount)
    stakes = (*stakes, Stake(e.left_as, e.amount))
    return _after(state, state.posta, grown(state.rounds, e, stakes), state.shown)


def _doubling(state: Open, e: ev.DoubleUpStaked) -> Open:
    left = find_round(state, e.round).win - e.at_risk
    rounds = holding(state.rounds, e, win=left, at_risk=e.at_risk)
    return _after(state, state.posta, rounds, state.shown, e.at_risk)


def _doubled(state: Open, e: ev.DoubleUpResolved) -> Open:
    win = find_round(state, e.round).win + e.returned
    shown = _told(state, f"double-up {format_amount(e.at_risk)} {e.outcome}")
    return _after(state, state.posta, holding(state.rounds, e, win=win, at_risk=0), shown, 0)


def _collected(state: Open, e: ev.WinCollected) -> Open:
    rounds = holding(state.rounds, e, win=find_round(state, e.round).win - e.amount)
    return _after(state, state.posta + e.amount, rounds, state.shown)


def _settled(state: Open, e: ev.RoundSettled) -> Open:
    return _after(state, state.posta, without(state.rounds, e), state.shown, _net_win(e))


def _net_win(e: ev.RoundSettled) -> int:
    """What a round won beyond its bets, after its double-ups; 0 on a loss (rulings C7)."""
    if e.double_ups is None:
        return e.winnings
    return max(0, e.winnings + e.double_ups.returned - e.double_ups.staked)


def _voided(state: Open, e: ev.RoundVoided) -> Open:
    return _after(state, state.posta, without(state.rounds, e), state.shown, 0)


evolve = fold(
    {
        ev.ParticipationRequested: _requested,
        ev.ParticipationRejected: _right_returned,
        ev.ParticipationAnnulled: _right_returned,
        ev.PostaFunded: _funded,
        ev.SessionUnseated: lambda s, _: replace(s, place=None),
        ev.OutcomeTold: _outcome_told,
        ev.BoxDecided: _outcome_told,
        ev.SessionDisconnected: lambda s, e: replace(s, disconnected_at=e.at),
        ev.SessionBarred: _barred,
        ev.SessionTimeLimited: _time_limited,
        ev.SessionExpired: lambda s, e: replace(s, expired=e),
        ev.SessionClosed: _closed,
        ev.BetPlaced: _bet_placed,
        ev.DrawRecorded: _drawn,
        ev.PayoutCredited: _paid,
        ev.BetRefunded: _refunded,
        ev.WinHeld: _win_held,
        ev.DoubleUpStaked: _doubling,
        ev.DoubleUpResolved: _doubled,
        ev.WinCollected: _collected,
        ev.StakeImprisoned: _imprisoned,
        ev.PrisonerStepped: _grew,
        ev.PrisonerMoved: _grew,
        ev.PrisonerReleased: _released,
        ev.StakeLost: _lost,
        ev.TableRoundJoined: _grew,
        ev.StakeLeft: _stake_left,
        ev.RoundSettled: _settled,
        ev.RoundVoided: _voided,
    },
    timed={
        ev.SessionOpened: _opened,
        ev.SessionReconnected: _reconnected,
        ev.SessionSeated: _seated,
        ev.RoundOpened: _round_opened,
        ev.MoveMade: _moved,
    },
)


def find_round(state: Open, round_id: UUID) -> RoundInPlay:
    """The round in play of this id; the caller knows that it is there."""
    for played in state.rounds:
        if played.round == round_id:
            return played
    raise LookupError(round_id)


def is_in_play(state: Open, round_id: UUID) -> bool:
    """Whether the session has this round open."""
    return any(r.round == round_id for r in state.rounds)


def opened(state: State) -> Open | Refusal:
    """The open session, or why it is not open."""
    if isinstance(state, Absent):
        return Refusal(Code.UNKNOWN_SESSION, "No such session; open one first.")
    if isinstance(state, Closed):
        return Refusal(Code.SESSION_CLOSED, "The session is closed; open a new one.")
    if isinstance(state, Pending):
        return Refusal(Code.SESSION_NOT_VALIDATED, "The right is not validated yet; wait for it.")
    return state


def barred(state: State) -> Refusal | None:
    """The refusal of anything new in a session whose player was excluded, or None."""
    if isinstance(state, Pending | Open) and state.terms.is_barred:
        return Refusal(
            Code.CONTO_EXCLUDED,
            "The player is excluded; the session ends with its right's answer.",
        )
    return None


def connected(state: State) -> Open | Refusal:
    """The open session with its player connected, or why the player cannot act."""
    session = opened(state)
    if isinstance(session, Open) and session.disconnected_at is not None:
        return Refusal(Code.SESSION_DISCONNECTED, "The player is disconnected; reconnect first.")
    return session


def out_of_time(session: Open, now: datetime) -> Refusal | None:
    """The refusal of anything new after the time that was planned or is left, or None."""
    end = session.terms.plays_until
    if end is None or now < end:
        return None
    whose = "limit on time of play" if end == session.terms.time_over else "plan for this session"
    return Refusal(Code.TIME_LIMIT_REACHED, f"The time is over: the player's {whose} ended {end}.")


DECIDER: Final = Decider(START, evolve)
