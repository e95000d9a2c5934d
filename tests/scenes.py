"""The people and moments that specifications start from; amounts in cents, ids by number."""

from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from ledger.domain import commands as cmd, events as ev
from ledger.domain.decider import Change
from ledger.domain.ids import (
    BOOK,
    StreamName,
    command_stream,
    conto_stream,
    session_stream,
    sheet_stream,
)
from ledger.domain.money import Currency
from ledger.domain.sheets import text_hash
from tests.coin import CoinBet, CoinBets, CoinLine, CoinOutcome, Side, coin_sheet
from tests.given import NOON, on

EUR, RUR = Currency.EUR, Currency.RUR
ANNA, BRUNO = "anna-1", "bruno-2"
CONTO = conto_stream(ANNA)
COIN_FLIP = sheet_stream("coin-flip")
YESTERDAY = NOON - timedelta(days=1)
C = TypeVar("C", bound=cmd.Command)


def uid(number: int) -> UUID:
    """A UUID that is easy to read."""
    return UUID(int=number)


S1, S2 = uid(1), uid(2)
SESSION, OTHER_SESSION = session_stream(S1), session_stream(S2)
RIGHT = uid(50)
ROUND = uid(70)
MOVE = uid(100)
"""The command that makes a further move where none is named."""
BOOK_OPENED = on(BOOK, ev.BookOpened(book="contoposta", clock="simulated"))


def order(kind: type[C], /, number: int = 100, **fields: Any) -> C:
    """A command of anna's."""
    return kind(id=uid(number), actor=ANNA, **fields)


def money(amount: int, currency: Currency = EUR) -> dict[str, Any]:
    """The two fields of an amount."""
    return {"amount": amount, "currency": currency}


def conto(balance: int = 0, player: str = ANNA, currency: Currency = EUR) -> Change:
    """A conto that holds a balance."""
    opened = ev.ContoOpened(player=player, currency=currency, personal=())
    payment = {"reference": "pay-1", "channel": "card"}
    deposited = ev.FundsDeposited(player=player, **money(balance or 1, currency), **payment)
    return on(conto_stream(player), *((opened, deposited) if balance else (opened,)))


def published(version: int = 1, since: datetime = YESTERDAY, **sheet: Any) -> Change:
    """A version of the coin's sheet, in force since a moment."""
    text = coin_sheet(version, **sheet)
    return on(
        COIN_FLIP,
        ev.SheetPublished(
            sheet="coin-flip",
            sheet_version=version,
            sheet_hash=text_hash(text),
            in_force_from=since,
            engine="coin/1",
            text=text,
        ),
    )


def rules(version: int = 1, **sheet: Any) -> ev.SheetRef:
    """How a round names a version of the coin's sheet."""
    text = coin_sheet(version, **sheet)
    return ev.SheetRef(sheet="coin-flip", version=version, hash=text_hash(text))


def requested(
    amount: int, participation: UUID = RIGHT, purchase: Any = "initial"
) -> ev.ParticipationRequested:
    """Anna bought a right under the coin's sheet."""
    return ev.ParticipationRequested(
        participation=participation,
        player=ANNA,
        sheet="coin-flip",
        **money(amount),
        purchase=purchase,
        posta_max=100_000,
        reconnect_seconds=1200,
        channel="web",
    )


def validated(amount: int, participation: UUID = RIGHT, count: int = 1) -> ev.Event:
    """The central system said yes; `amount` is the session's running total."""
    return ev.ParticipationValidated(
        participation=participation, ticket="T-1", count=count, total=amount
    )


def funded(amount: int, transfer: Any = "initial", reason: str | None = None) -> ev.PostaFunded:
    """Money entered the posta; a bonus has a reason."""
    return ev.PostaFunded(**money(amount), transfer=transfer, reason=reason)


OPENED = ev.SessionOpened(player=ANNA, sheet="coin-flip", currency=EUR)


def pending(amount: int = 5_000) -> Change:
    """Anna's session while its initial right waits."""
    return on(SESSION, requested(amount))


def session(posta: int = 5_000, stream: StreamName = SESSION) -> Change:
    """Anna's session, open with a posta."""
    return on(stream, requested(posta), validated(posta), OPENED, funded(posta))


def paid(amount: int = 5_000) -> Change:
    """The conto paid for the session's right."""
    return on(CONTO, ev.FundsTransferredToPosta(player=ANNA, session=S1, **money(amount)))


def returned(amount: int, source: Any = "posta", *, final: bool = True) -> Change:
    """The conto got money back from the session."""
    back = ev.FundsTransferredToConto(
        player=ANNA, session=S1, source=source, **money(amount), final=final
    )
    return on(CONTO, back)


def closed(final_posta: int, reason: Any = "player") -> ev.SessionClosed:
    """The session ended."""
    return ev.SessionClosed(final_posta=final_posta, currency=EUR, reason=reason)


def common(round_id: UUID = ROUND, **sheet: Any) -> dict[str, Any]:
    """The fields of every event of a round of coin."""
    return {"round": round_id, "game": "coin", "rules": rules(**sheet)}


def coins(*lines: tuple[Side, int]) -> CoinBets:
    """The move that bets on sides."""
    return CoinBets(bets=tuple(CoinLine(side=side, amount=amount) for side, amount in lines))


HEADS_100 = coins(("heads", 100))


def round_opened(
    round_id: UUID = ROUND, move: CoinBets = HEADS_100, **sheet: Any
) -> ev.RoundOpened[CoinBets]:
    """A round of coin began with a move."""
    return ev.RoundOpened[CoinBets](**common(round_id, **sheet), currency=EUR, move=move)


def moved(
    *lines: tuple[Side, int], round_id: UUID = ROUND, made_by: UUID = MOVE
) -> ev.MoveMade[CoinBets]:
    """A player bet further on sides, by a command."""
    return ev.MoveMade[CoinBets](**common(round_id), details=coins(*lines), made_by=made_by)


def under(change: Change, **sheet: Any) -> Change:
    """The same events, their rounds under the coin's sheet with other values."""
    other = {"rules": rules(**sheet)}
    events = (
        e.model_copy(update=other) if isinstance(e, ev.RoundEvent) else e for e in change.events
    )
    return on(change.stream, *events)


def bet(index: int, side: Side, amount: int, round_id: UUID = ROUND) -> ev.Event:
    """A bet was accepted."""
    details = CoinBet(side=side)
    return ev.BetPlaced[CoinBet](**common(round_id), bet=index, **money(amount), details=details)


def drawn(entropy: str, side: Side, round_id: UUID = ROUND, **sheet: Any) -> ev.Event:
    """The coin fell."""
    outcome = CoinOutcome(side=side)
    return ev.DrawRecorded[CoinOutcome](
        **common(round_id, **sheet), entropy=entropy, shown=side, details=outcome
    )


def payout(index: int, winnings: int, stake: int, round_id: UUID = ROUND) -> ev.Event:
    """A bet won."""
    amounts = {"winnings": winnings, "stake_returned": stake}
    return ev.PayoutCredited(**common(round_id), bet=index, **amounts, currency=EUR)


def held(winnings: int, stake: int, round_id: UUID = ROUND, number: int = 1) -> ev.Event:
    """A bet won, the first one or another, and its payout waits to be collected."""
    amounts = {"winnings": winnings, "stake_returned": stake}
    return ev.WinHeld(**common(round_id), bet=number, **amounts, currency=EUR)


def doubling(at_risk: int, kept: int = 0, number: int = 1, round_id: UUID = ROUND) -> ev.Event:
    """A held win is at risk; with something kept it is half of it."""
    amounts = {"half": kept > 0, "at_risk": at_risk, "kept": kept}
    return ev.DoubleUpStaked(**common(round_id), number=number, **amounts, currency=EUR)


def doubled(
    outcome: Any, at_risk: int, returned: int, number: int = 1, round_id: UUID = ROUND
) -> ev.Event:
    """A double-up was decided."""
    amounts = {"outcome": outcome, "at_risk": at_risk, "returned": returned}
    return ev.DoubleUpResolved(**common(round_id), number=number, **amounts, currency=EUR)


def collected(amount: int, round_id: UUID = ROUND) -> ev.Event:
    """A held win went into the posta."""
    return ev.WinCollected(**common(round_id), **money(amount))


def refunded(index: int, amount: int, reason: str, round_id: UUID = ROUND) -> ev.Event:
    """A stake went back."""
    return ev.BetRefunded(**common(round_id), bet=index, **money(amount), reason=reason)


def imprisoned(index: int, amount: int, level: int = 1) -> ev.Event:
    """A stake went to prison."""
    return ev.StakeImprisoned(**common(), bet=index, level=level, **money(amount))


def released(index: int, outcome: Any, returned: int, to_bank: int) -> ev.Event:
    """The bet of an imprisoned stake is over."""
    parts = {"outcome": outcome, "returned": returned, "to_bank": to_bank, "currency": EUR}
    return ev.PrisonerReleased(**common(), bet=index, **parts)


def lost(index: int, amount: int) -> ev.Event:
    """A bet lost while its round goes on."""
    return ev.StakeLost(**common(), bet=index, **money(amount))


def settled(round_id: UUID = ROUND, **figures: Any) -> ev.Event:
    """A round ended; figures that are not named are zero."""
    names = ("staked", "winnings", "stake_returned", "stakes_lost", "refunded", "bets")
    figures = dict.fromkeys(names, 0) | figures
    return ev.RoundSettled(**common(round_id), currency=EUR, **figures)


def voided(total: int, bets: int, reason: str, round_id: UUID = ROUND) -> ev.Event:
    """A round does not count."""
    return ev.RoundVoided(
        **common(round_id), currency=EUR, refunded=total, bets=bets, reason=reason
    )


def answered(command: UUID, kind: str, stream: StreamName = SESSION, **fields: Any) -> Change:
    """A command's record; refused when `refusal` is given."""
    written = () if "refusal" in fields else (ev.Written(stream=stream, first=1, last=2),)
    fields = {"digest": "0" * 64, "about": stream, "written": written} | fields
    record = ev.CommandAnswered(kind=kind, **fields)
    return on(command_stream(command), record)


FURTHER = uid(51)
OPEN = (conto(100_000), published(), paid(), session())
"""A session of 50.00 in play, and all that it stands on."""
TWO = {"rounds_max": 2}
OPEN_FOR_TWO = (conto(100_000), published(**TWO), paid(), session())
"""The same under a sheet by which two rounds of a session may be in play at once."""
PLAYING = on(SESSION, round_opened(), bet(1, "heads", 100))
"""A round with 1.00 on heads, still open."""
WAITING = on(SESSION, requested(1_000, FURTHER, "further"))
"""A further right of 10.00 that waits."""
LOST = on(SESSION, ev.SessionDisconnected(at=NOON))
"""The connection was lost at noon."""
