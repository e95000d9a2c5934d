"""What the second methods of all games share: a round as it is stored, and what must follow.

An audit settles a round anew from the bytes of the published sheet and from what was chosen, drawn
and told, and holds each event on record against what follows. It uses the standard library alone
and nothing of the engines that it judges, so that a fault of theirs is found and not repeated.
"""

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final

Fields = Mapping[str, Any]
"""A JSON object, decoded."""

Event = Fields
"""A stored entry, decoded, with the event's name on disk besides under `name`.

Of the entry's fields an audit reads `event` alone; the header is for others to check.
"""

Audit = Callable[[bytes, Sequence[Event]], list[str]]
"""Audits one round by its sheet's canonical bytes: a sentence for each thing that does not follow.

The events are all that were stored of the round in its stream, in their order. A round that waits
for a move or an outcome is right as far as it went. The answer is empty where all is right; what
cannot even be read is a sentence too, and no error.
"""

GIVEN_BACK: Final = ("bet-refunded", "round-voided")
"""With these begins what an operator brings about: stakes that go back."""

_WITHOUT_CURRENCY: Final = frozenset({"draw-recorded", "prisoner-stepped", "prisoner-moved"})


class AuditError(ValueError):
    """A round is so wrong that nothing can be told to follow any more."""


class Trail:
    """The events of one round, read one after the other, and what was found wrong with them."""

    def __init__(self, sheet: bytes, events: Sequence[Event]) -> None:
        self.sheet, self.hash = _read(sheet)
        self.findings: list[str] = []
        self._events = [(str(event["name"]), _whole(event["event"])) for event in events]
        self._at = 0
        self._common: dict[str, Any] = {}
        self._currency: Any = None

    @property
    def game(self) -> Fields:
        """The game's part of the sheet."""
        return _object(self.sheet["game"])

    @property
    def next(self) -> str | None:
        """The name of the next event; None where none is left."""
        return self._name(self._at)

    @property
    def coming(self) -> Fields:
        """The fields of the next event; none where none is left."""
        return self._events[self._at][1] if self._at < len(self._events) else {}

    @property
    def left(self) -> int:
        """How many events are left."""
        return len(self._events) - self._at

    def refunds(self) -> list[Any]:
        """The bets that the next events give back for one reason; the reason tells who did so."""
        run = itertools.takewhile(self._is_refund, self._events[self._at :])
        return [refund["bet"] for _, refund in run]

    def _is_refund(self, event: tuple[str, Fields]) -> bool:
        name, fields = event
        return name == "bet-refunded" and fields["reason"] == self.coming["reason"]

    def open(self) -> Fields:
        """Read the opening: it names this sheet and its currency."""
        if self.next != "round-opened":
            raise AuditError("the events of a round begin with its opening")
        opened = self.coming
        self._common = {"round": opened["round"], **self.played_by()}
        self._currency = self.sheet["currency"]
        self.take("currency")
        return opened

    def open_table(self) -> Fields:
        """Read the opening of a live table's round, which names this sheet."""
        begun = self.coming
        self._common = {"round": begun["round"]}
        if _written(begun, "rules") != _written(self.played_by(), "rules"):
            self.wrong("the round is opened under another sheet")
        return self.take()

    def played_by(self) -> dict[str, Any]:
        """The game of this sheet, and the sheet as a round names it."""
        name, _, _ = self.sheet["engine"].partition("/")
        ref = {"sheet": self.sheet["sheet"], "version": self.sheet["version"], "hash": self.hash}
        return {"game": name, "rules": ref}

    def take(self, *fields: str) -> Fields:
        """Read an event that brings something new: of it the round and these fields are known."""
        given, known = self.coming, self._common | {"currency": self._currency}
        expected = {name: known[name] for name in (*self._common, *fields)}
        self._compare({name: given[name] for name in expected if name in given}, expected)
        self._at += 1
        return given

    def take_other(self) -> Fields:
        """Read an event of the stream that is of no round."""
        given = self.coming
        self._at += 1
        return given

    def move(self, *types: str) -> Fields:
        """Read a further move of the player, which is one of these types."""
        return self.of_type(self.take()["details"], types)

    def of_type(self, move: Fields, types: Sequence[str]) -> Fields:
        """A move that is one of these types."""
        if move["type"] not in types:
            raise AuditError(f"{self._place(self._at)}: a move {move['type']} cannot be made now")
        return move

    def expect(self, name: str, /, **fields: Any) -> None:
        """Hold the next event against what follows: all of its fields, and no others."""
        if self.next != name and not self._found(name):
            return
        currency = {} if name in _WITHOUT_CURRENCY else {"currency": self._currency}
        expected = self._common | currency | fields
        self._compare(self.coming, expected)
        self._at += 1

    def draw(self) -> bytes:
        """The entropy of the draw that comes next."""
        if self.next != "draw-recorded":
            raise AuditError(f"{self._place(self._at + 1)}: a draw follows, and not this")
        return bytes.fromhex(self.coming["entropy"])

    def drawn(self, left: bytes, shown: str | None, details: Fields) -> None:
        """Hold a draw against what its entropy gives, of which these bytes were not used."""
        self._used_up(left)
        entropy = self.coming["entropy"]
        self.expect("draw-recorded", entropy=entropy, shown=shown, details=details)

    def _used_up(self, left: bytes) -> None:
        if left:
            self.wrong("entropy goes on after the outcome is decided")

    def demo(self, left: bytes, *, shown: str, staked: int, credited: int) -> None:
        """Hold a demo round, which is one event, against what its move and its entropy give."""
        self._used_up(left)
        given = ("round", "move", "entropy", "account", "own_limits")
        known = {name: self.coming[name] for name in given if name in self.coming}
        result = {"shown": shown, "staked": staked, "credited": credited}
        expected = known | self.played_by() | result
        self._compare(self.coming, expected)
        self._at += 1

    def give_back(self, held: Mapping[int, int], staked: int, bets: int) -> None:
        """The round is void: what each bet still holds goes back, all for one reason."""
        reason = self.coming.get("reason")
        for bet, amount in held.items():
            self.expect("bet-refunded", bet=bet, amount=amount, reason=reason)
        self.expect("round-voided", refunded=staked, bets=bets, reason=reason)

    def surplus(self) -> None:
        """Nothing gives the next event."""
        self._at += 1
        self.findings.append(f"{self._place(self._at)}: nothing gives this event")

    def wrong(self, what: str) -> None:
        """Tell what is wrong where the round stands."""
        self.findings.append(f"{self._place(max(self._at, 1))}: {what}")

    def _found(self, name: str) -> bool:
        """Go on to an event that follows, past one that does not; tell what is missing."""
        if self._name(self._at + 1) == name:
            self.surplus()
            return True
        on_record = "nothing" if self.next is None else self.next
        self.wrong(f"{name} follows, and {on_record} is on record")
        return False

    def _compare(self, told: Fields, expected: Fields) -> None:
        if _encode(told) == _encode(expected):
            return
        for field in sorted(told.keys() | expected.keys()):
            found, due = _written(told, field), _written(expected, field)
            if found != due:
                place = self._place(self._at + 1)
                self.findings.append(f"{place}: {field} is {found}, and by the rules {due}")

    def _place(self, number: int) -> str:
        return f"event {number}, {self._name(number - 1) or 'the end'}"

    def _name(self, at: int) -> str | None:
        return self._events[at][0] if at < len(self._events) else None


_UNREADABLE: Final = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What judging a round raises of which nothing can be told to follow."""


def audited(judge: Callable[[Trail], None], sheet: bytes, events: Sequence[Event]) -> list[str]:
    """Let a game judge a round, and tell all that is wrong, surplus events and all."""
    try:
        trail = Trail(sheet, events)
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        return [f"the round cannot be read: {type(error).__name__}"]
    try:
        judge(trail)
    except AuditError as error:
        return [*trail.findings, str(error)]
    except _UNREADABLE as error:
        trail.wrong(f"what follows cannot be told: {type(error).__name__}")
        return trail.findings
    while trail.next is not None:
        trail.surplus()
    return trail.findings


@lru_cache(maxsize=64)
def _read(sheet: bytes) -> tuple[Fields, str]:
    """A sheet as decoded, and the hash by which rounds name it."""
    return _object(json.loads(sheet)), hashlib.sha256(sheet).hexdigest()


def _object(value: Any) -> Fields:
    if not isinstance(value, Mapping):
        raise TypeError("an object is to stand here")
    return value


def _whole(event: Any) -> Fields:
    """An event's fields; raises `ValueError` where a number in them is written as a fraction."""
    fields = _object(event)
    parts: list[Any] = [fields]
    for part in parts:
        inner = part.values() if isinstance(part, Mapping) else part
        if any(isinstance(value, float) for value in inner):
            raise ValueError("a number is no whole one")
        parts += [value for value in inner if isinstance(value, Mapping | list)]
    return fields


_encode: Final = json.JSONEncoder(sort_keys=True).encode
"""JSON by which values are compared: there 1, 1.0 and true are different."""


def _written(fields: Fields, name: str) -> str:
    return _encode(fields[name]) if name in fields else "absent"


# --- what is drawn -------------------------------------------------------------------------------


@cache
def _faces(count: int) -> tuple[int, ...]:
    """What each raw value shows: all faces in turn, as often as they fit whole.

    A byte stands for up to 256 faces, and two for more. The raw values that are left over at the
    end show nothing.
    """
    return tuple(range(count)) * ((1 << (8 * _width(count))) // count)


def _width(count: int) -> int:
    return 1 if count <= 1 << 8 else 2


def first_drawn(entropy: bytes, count: int) -> tuple[int, bytes]:
    """What the first raw value shows that shows anything, and the bytes after it.

    Raises `AuditError` where the bytes end before.
    """
    faces, width = _faces(count), _width(count)
    for start, end in itertools.pairwise(range(0, len(entropy) + 1, width)):
        raw = int.from_bytes(entropy[start:end], "big")
        if raw < len(faces):
            return faces[raw], entropy[end:]
    raise AuditError("the entropy on record ends before the outcome is decided")


# --- money ---------------------------------------------------------------------------------------


def minor(text: str) -> int:
    """Minor units of an amount as documents write it: `12.50` is 1250."""
    match = re.fullmatch(r"([0-9]+)(?:\.([0-9]{1,2}))?", text, re.ASCII)
    if match is None:
        raise AuditError("an amount cannot be read")
    return int(match[1] + (match[2] or "").ljust(2, "0"))


def share(stake: int, ratio: str) -> int:
    """So much of a stake as a ratio such as `1/8` says, half a minor unit and more rounded up."""
    part, of = map(int, ratio.split("/"))
    whole, rest = divmod(stake * part, of)
    return whole + (2 * rest >= of)


def is_stake(value: object) -> bool:
    """Whether a value can be staked: a whole number of minor units, more than zero."""
    return type(value) is int and value > 0


def range_of(written: Fields) -> dict[str, int]:
    """A range in minor units, from a document's texts."""
    least, most = minor(written["min"]), minor(written["max"])
    if written.keys() != {"min", "max"} or not 0 < least <= most:
        raise AuditError("a range has a least and a most, in this order")
    return {"min": least, "max": most}


def within(trail: Trail, what: str, amount: int, bounds: Fields) -> None:
    """Hold a sum to a least and a most in minor units, each of which may be absent."""
    least, most = bounds.get("min"), bounds.get("max")
    if least is not None and amount < least:
        trail.wrong(f"{what} has {amount}, and at least {least} must lie there")
    if most is not None and amount > most:
        trail.wrong(f"{what} has {amount}, and at most {most} may lie there")


def limits_of(trail: Trail, text: str | None) -> dict[str, int]:
    """The limits of a bet: the table's own, else the sheet's."""
    if text is None:
        return dict(trail.game["limits"])
    return range_of(json.loads(text))
