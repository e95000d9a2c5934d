"""Where the cards of a live table come from, and messages of its feed that do not count (G7).

A card that a studio told is nobody's to pass over: a message is refused for the reason that the
table had when it came, and for no other.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ledger.domain import commands as cmd, events as ev, table, tables
from ledger.domain.decider import DealTo, Drawn, Engine, is_dealt
from ledger.replay import Finding
from ledger.seal.asked import head_at_table


def bringing(
    entry: ev.AnyEntry, found: table.Table, card: str | None, shuffle: str | None
) -> frozenset[str]:
    """The digests of commands that can have brought a message that did not count as it tells.

    `card` and `shuffle` are the reasons why it cannot count where it told one; None where it can.
    """
    event: Any = entry.event
    head, told = head_at_table(entry), cmd.Told(feed=event.feed, details=event.details)
    heard = table.reheard(found, event.feed, event.details)
    outcome = cmd.HearOutcome(**head, feed=event.feed, outcome=event.details)
    reasons = (
        (outcome, tables.unheard(found, event.feed, event.details)),
        (cmd.DealCard(**head, told=told), heard or card),
        (cmd.ShuffleShoe(**head, told=told), heard or shuffle),
    )
    return frozenset(cmd.digest(command) for command, why in reasons if why == event.why)


JudgedBy = Callable[[ev.SheetRef], tuple[Engine, Any]]
"""The engine of a sheet, and the sheet as that engine read it."""


def why_no_card(
    found: table.Table, card: ev.Details, judged_by: JudgedBy, *, has_bets: bool
) -> str | None:
    """Why a message with a card cannot count at a table; None where it can."""
    round_ = found.round
    if round_ is None:
        return "late" if found.rounds else "untimely"
    engine, sheet = judged_by(round_.rules)
    shoe = found.shoe
    if not is_dealt(engine) or shoe is None:
        return "untimely"
    if round_.phase == "dealing":
        assert round_.dealing is not None
        is_due = isinstance(engine.following(sheet, round_.dealing), DealTo)
    else:
        is_out = shoe.rules != round_.rules or engine.is_out(sheet, shoe.shuffle, len(shoe.gone))
        is_due = round_.phase == "closed" and has_bets and not is_out
    if not is_due:
        return "untimely"
    return None if engine.can_come(sheet, shoe.gone, card) else "impossible"


def why_no_shuffle(
    found: table.Table, cut: ev.Details, judged_by: JudgedBy, published: Iterable[ev.SheetRef]
) -> str | None:
    """Why a message with a shuffle cannot count; between two rounds by some rules of the sheet."""
    if found.round is not None and found.round.dealing is not None:
        return "untimely"
    of_sheet = [each for each in published if each.sheet == found.sheet]
    rules = of_sheet if found.round is None else [found.round.rules]
    can_be = all(
        is_dealt(engine) and engine.can_be_cut(sheet, cut)
        for engine, sheet in map(judged_by, rules)
    )
    return None if can_be else "impossible"


def of_source(
    entry: ev.AnyEntry, event: ev.CardDealt[Any] | ev.ShoeShuffled[Any], found: table.Table
) -> Iterator[Finding]:
    """What came was either drawn here or told by a message of the feed that counts."""
    if (event.entropy is None) == (event.feed is None):
        yield finding(entry, "neither drawn nor told, or both")
    if event.feed is not None and table.reheard(found, event.feed, event.details) is not None:
        yield finding(entry, "told by a message that cannot count")


def of_entropy(
    entry: ev.AnyEntry, event: ev.CardDealt[Any] | ev.ShoeShuffled[Any], drawn: object
) -> Iterator[Finding]:
    """What was drawn here is what its bytes give."""
    if drawn != Drawn(event.details, bytes.fromhex(event.entropy or "")):
        yield finding(entry, "the entropy on record does not give this")


def finding(entry: ev.AnyEntry, found: str) -> Finding:
    """What is wrong with an entry of a deal."""
    return Finding("deals", f"{entry.stream} version {entry.version}", found)
