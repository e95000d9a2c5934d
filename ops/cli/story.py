"""What happened in a round, told for people: one line for each event that says something."""

from typing import Any

from ledger.answers import Answer
from ledger.domain.events import (
    BetPlaced,
    BoxDecided,
    CardDealt,
    DemoRoundPlayed,
    Details,
    DoubleUpResolved,
    DoubleUpStaked,
    DrawRecorded,
    Event,
    OutcomeRecorded,
    PayoutCredited,
    RoundSettled,
    WinCollected,
    WinHeld,
)
from ledger.domain.money import format_amount


def told(answer: Answer) -> str:
    """The story of a command that played a round or a part of one."""
    lines = (_line(entry.event) for entry in answer.entries)
    return "\n".join(f"  {line}" for line in lines if line is not None)


def _line(event: Event) -> str | None:  # noqa: C901, PLR0911 - one sentence for each kind of event
    match event:
        case BetPlaced():
            return f"bet {event.bet}: {format_amount(event.amount)} on {event.details.words()}"
        case DrawRecorded():
            return f"outcome {event.shown}" if event.shown else _named(event.details)
        case PayoutCredited() | WinHeld():
            return _won(event)
        case DoubleUpStaked():
            kept = f", {format_amount(event.kept)} kept" if event.half else ""
            return f"double-up {event.number}: {format_amount(event.at_risk)} at risk{kept}"
        case DoubleUpResolved():
            returned = format_amount(event.returned)
            return f"double-up {event.number} {event.outcome}: {returned} returned"
        case WinCollected():
            return f"{format_amount(event.amount)} collected into the posta"
        case RoundSettled():
            return _end(event)
        case CardDealt():
            to = "the dealer" if event.seat is None else f"seat {event.seat}, hand {event.hand}"
            return f"{event.details.words()} to {to}"
        case BoxDecided():
            return f"decided: {event.shown}"
        case OutcomeRecorded():
            return f"outcome {event.shown}"
        case DemoRoundPlayed():
            staked, credited = format_amount(event.staked), format_amount(event.credited)
            return f"outcome {event.shown}; in demo chips staked {staked}, credited {credited}"
        case _:
            return None


def _won(event: PayoutCredited | WinHeld) -> str:
    won, back = format_amount(event.winnings), format_amount(event.stake_returned)
    held = ", held until collected" if isinstance(event, WinHeld) else ""
    return f"bet {event.bet} wins {won} and returns its stake {back}{held}"


def _end(event: RoundSettled) -> str:
    total = format_amount(event.winnings + event.stake_returned)
    line = f"staked {format_amount(event.staked)}, credited {total}"
    if event.double_ups is None:
        return line
    staked, returned = (
        format_amount(x) for x in (event.double_ups.staked, event.double_ups.returned)
    )
    return f"{line}; double-ups staked {staked}, returned {returned}"


def _named(details: Details) -> str:
    """A game's details by their names, where the values would not speak alone."""
    values: dict[str, Any] = details.model_dump(mode="json", exclude={"type"})
    return ", ".join(f"{k.replace('_', ' ')} {_value(v)}" for k, v in values.items())


def _value(value: object) -> str:
    return (" ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
