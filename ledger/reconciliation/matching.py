"""Matching a provider's statement with the book: by reference, then by amount and time.

What is still open from earlier statements is matched along, so that a payment that one side records
on Monday and the other on Tuesday is a difference for a day, and then closed by rule.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from ledger.domain.events import PaymentRef, Way
from ledger.domain.money import format_amount
from ledger.reconciliation.discrepancies import (
    AMOUNT,
    CURRENCY,
    DUPLICATE,
    MISSING_HERE,
    MISSING_THERE,
    TIMING,
    Discrepancy,
)
from ledger.reconciliation.statements import Payment

Key = tuple[Way, str]

CARRIED: Final = (MISSING_HERE, MISSING_THERE, TIMING)
"""Kinds that a later statement may clear."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A difference with this provider that is open from an earlier statement."""

    key: UUID
    kind: str
    since: datetime
    payment: PaymentRef
    found: str = ""
    """What it said when it was found."""

    @property
    def side(self) -> Key:
        """What the payment is known by."""
        return self.payment.way, self.payment.reference

    @property
    def is_on_both_sides(self) -> bool:
        """Whether it was matched already, with a payment that the book has in a later period."""
        return self.kind == TIMING and self.payment.there is not None

    def as_payment(self) -> Payment:
        """The side that lacked the other."""
        p = self.payment
        amount = p.there if self.kind == MISSING_HERE else p.here
        assert amount is not None
        return Payment(p.way, p.reference, amount, p.currency, self.since)

    def again(self, channel: str) -> Discrepancy:
        """The same once more: it stays open."""
        subject = f"{self.payment.way} {self.payment.reference}"
        return Discrepancy(
            "statement", channel, self.kind, subject, self.found, self.since, self.payment
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """What a statement is held against; the period is from its first moment up to its last one."""

    channel: str
    begins: datetime
    ends: datetime
    window: timedelta
    payments: Sequence[Payment]
    """The book's, of the period and the window before and after it."""
    carried: Sequence[Carried] = ()
    settled: Mapping[Key, str] = field(default_factory=dict)
    """Payments of differences closed by rule, with the reference of their other side."""


@dataclass(frozen=True, slots=True)
class Matched:
    """All that differs, and what is open no more.

    That has the reference of its other side, or None where it only became another difference.
    """

    found: tuple[Discrepancy, ...]
    cleared: Mapping[UUID, str | None]
    pairs: int


def match(lines: Sequence[Payment], book: Compared) -> Matched:
    """Match a statement's lines; the same lines and the same book give the same differences."""
    work = _Match(book)
    work.take(lines)
    work.by_reference()
    work.by_amount()
    work.rest()
    found = {d.key: d for d in work.found}
    seen = {line.key for line in lines}
    cleared = {
        c.key: work.partner_of(c)
        for c in book.carried
        if c.key not in found and _is_examined(c, book, seen)
    }
    return Matched(tuple(found.values()), cleared, work.pairs)


def _is_examined(carried: Carried, book: Compared, seen: set[Key]) -> bool:
    is_here = book.begins <= carried.since < book.ends
    return carried.kind in CARRIED or is_here or carried.side in seen


@dataclass(slots=True)
class _Match:
    book: Compared
    found: list[Discrepancy] = field(default_factory=list)
    partners: dict[Key, str] = field(default_factory=dict)
    """The reference of the other side, of all that has one."""
    pairs: int = 0
    _lines: dict[Key, Payment] = field(default_factory=dict)
    _payments: dict[Key, Payment] = field(default_factory=dict)
    _known: dict[Key, str] = field(default_factory=dict)
    """What was matched before, with the reference of its other side."""
    _waiting: dict[Key, Carried] = field(default_factory=dict)
    """What is open from before, by its payment."""

    def take(self, lines: Sequence[Payment]) -> None:
        """Lines and payments by their keys, with what is open from before."""
        grouped: dict[Key, list[Payment]] = defaultdict(list)
        for line in lines:
            grouped[line.key].append(line)
        for first, *more in grouped.values():
            self._lines[first.key] = first
            if more:
                numbers = ", ".join(str(line.number) for line in (first, *more))
                self._tell(DUPLICATE, (None, first), f"stands in lines {numbers} of the statement")
        self._payments = {p.key: p for p in self.book.payments}
        self._known = dict(self.book.settled)
        for carried in self.book.carried:
            self._carry(carried)

    def _carry(self, carried: Carried) -> None:
        if carried.is_on_both_sides:
            self._known[carried.side] = carried.payment.matched or carried.payment.reference
        elif carried.kind in CARRIED:
            self._waiting[carried.side] = carried
            payment = carried.as_payment()
            side = self._lines if carried.kind == MISSING_HERE else self._payments
            side.setdefault(payment.key, payment)

    def by_reference(self) -> None:
        """Pair what has the same reference, or was paired before; the rest must then agree."""
        before = [((way, other), (way, mine)) for (way, mine), other in self._known.items()]
        for line_key, key in [*((k, k) for k in self._lines), *before]:
            if line_key in self._lines and key in self._payments:
                self._agree(self._payments.pop(key), self._lines.pop(line_key))

    def _agree(self, payment: Payment, line: Payment) -> None:
        self._partners(payment, line)
        if line.currency != payment.currency:
            there = f"{format_amount(line.amount)} {line.currency}"
            self._tell(CURRENCY, (payment, line), f"is {there} on the statement")
        elif line.amount != payment.amount:
            there = format_amount(line.amount)
            self._tell(AMOUNT, (payment, line), f"is {there} on the statement")
        else:
            self._pair(payment, line)

    def by_amount(self) -> None:
        """Pair what is left by way, currency and amount with the nearest within the window.

        A payment before or after the period has most likely a line of its own on that statement.
        """
        groups: dict[tuple[str, str, int], list[Payment]] = defaultdict(list)
        for payment in sorted(self._payments.values(), key=_in_time):
            if self._is_due(payment):
                groups[payment.way, payment.currency, payment.amount].append(payment)
        for line in sorted(self._lines.values(), key=_in_time):
            near = groups[line.way, line.currency, line.amount]
            nearest = _nearest(line, near, self.book.window)
            if nearest is not None and line.key not in self._known:
                near.remove(nearest)
                del self._lines[line.key], self._payments[nearest.key]
                self._partners(nearest, line)
                self._pair(nearest, line)

    def _partners(self, payment: Payment, line: Payment) -> None:
        self.partners |= {line.key: payment.reference, payment.key: line.reference}

    def partner_of(self, carried: Carried) -> str | None:
        """The reference of the other side of what was carried, if it has one now."""
        if carried.is_on_both_sides:
            return carried.payment.matched or carried.payment.reference
        return self.partners.get(carried.side)

    def _pair(self, payment: Payment, line: Payment) -> None:
        self.pairs += 1
        if payment.at >= self.book.ends and payment.key not in self.book.settled:
            self._tell(TIMING, (payment, line), "is in a later period of the book")

    def rest(self) -> None:
        """What has no other side: lines, and payments of the period or carried into it."""
        for line in self._lines.values():
            if line.key not in self._known:
                self._tell(MISSING_HERE, (None, line), "is not in the book")
        for payment in self._payments.values():
            if self._is_due(payment):
                self._lacking(payment, self._waiting.get(payment.key))
        for waiting in self.book.carried:
            if waiting.is_on_both_sides and waiting.since >= self.book.ends:
                self.found.append(waiting.again(self.book.channel))

    def _is_due(self, payment: Payment) -> bool:
        """Whether a payment must have its line by now: one of the period, or open from before."""
        if payment.key in self._known:
            return False
        is_here = self.book.begins <= payment.at < self.book.ends
        return is_here or payment.key in self._waiting

    def _lacking(self, payment: Payment, before: Carried | None) -> None:
        in_transit = payment.at >= self.book.ends - self.book.window
        if in_transit and (before is None or before.kind != MISSING_THERE):
            self._tell(TIMING, (payment, None), "should be on the next statement")
        else:
            self._tell(MISSING_THERE, (payment, None), "is on no statement")

    def _tell(self, kind: str, sides: tuple[Payment | None, Payment | None], found: str) -> None:
        here, there = sides
        one = here or there
        assert one is not None
        payment = PaymentRef(
            way=one.way,
            reference=one.reference,
            currency=one.currency,
            here=None if here is None else here.amount,
            there=there.amount if there and there.currency == one.currency else None,
            matched=there.reference if there and there.reference != one.reference else None,
        )
        amount = f"{format_amount(one.amount)} {one.currency}"
        sentence = f"The {one.way} of {amount} {found}."
        scope, subject = self.book.channel, f"{one.way} {one.reference}"
        self.found.append(Discrepancy("statement", scope, kind, subject, sentence, one.at, payment))


def _nearest(line: Payment, payments: Sequence[Payment], window: timedelta) -> Payment | None:
    near = [p for p in payments if abs(p.at - line.at) <= window]
    return min(near, key=lambda p: abs(p.at - line.at), default=None)


def _in_time(payment: Payment) -> tuple[datetime, str]:
    return payment.at, payment.reference
