"""A round judged again beside what was booked: its consequences and its postings, one by one."""

from collections import Counter
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from ledger.domain.decider import RoundEvents
from ledger.domain.events import RoundEvent
from ledger.domain.ids import session_stream
from ledger.domain.postings import postings
from ledger.replay import Judged


@dataclass(frozen=True, slots=True)
class Consequence:
    """One thing that followed, or that should have: whether it was booked, and is by the rules."""

    event: RoundEvent
    is_booked: bool
    is_due: bool


@dataclass(frozen=True, slots=True)
class Flow:
    """What moved from one account to another in the round, in minor units: booked, and due."""

    source: str
    target: str
    booked: int
    due: int


def consequences(judged: Judged) -> tuple[Consequence, ...]:
    """What followed from choices and draws, in the order of the rules; what is not due comes last.

    Openings and moves are choices: they are taken as they are on record.
    """
    left = list(judged.booked)
    rows = []
    for event in judged.by_rules:
        is_booked = event in left
        if is_booked:
            left.remove(event)
        rows.append(Consequence(event, is_booked, is_due=True))
    rows += [Consequence(event, is_booked=True, is_due=False) for event in left]
    return tuple(row for row in rows if row.event.NAME not in _CHOICES)


def flows(session: UUID, judged: Judged) -> tuple[Flow, ...]:
    """The postings of the round, summed by their two accounts."""
    booked, due = _sums(session, judged.booked), _sums(session, judged.by_rules)
    return tuple(
        Flow(source, target, booked[source, target], due[source, target])
        for source, target in {**due, **booked}
    )


def _sums(session: UUID, events: RoundEvents) -> Counter[tuple[str, str]]:
    stream = session_stream(session)
    sums: Counter[tuple[str, str]] = Counter()
    for event in events:
        for posting in postings(stream, event):
            sums[posting.source.address, posting.target.address] += posting.amount
    return sums


_CHOICES: Final = frozenset({"round-opened", "move-made", "table-round-joined"})
