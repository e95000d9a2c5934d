"""JSON documents from outside, read strictly: what is not clear is refused, never guessed.

Twice the same key, NaN, infinities, endless digits and endless nesting are no document (fault S6).
Messages name the place and never repeat what was sent.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NoReturn

import orjson

from games.engine import Advise, E, Quote
from ledger.domain.money import parse_amount
from ledger.domain.refusals import Code, Refusal

TEXT_MAX: Final = 100_000
"""Longest document, in characters or bytes."""


def malformed(message: str) -> Refusal:
    """The refusal of a document that cannot be read; `message` names the place."""
    return Refusal(Code.MALFORMED, message)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError
    return document


def _no_constant(_: str) -> NoReturn:
    raise ValueError


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


def read_json(text: str | bytes) -> Any:
    """Decode one JSON document (RFC 8259) without repeated keys; answer it or a `Refusal`."""
    if len(text) > TEXT_MAX:
        return malformed(f"A document has at most {TEXT_MAX} characters.")
    try:
        return _DECODER.decode(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError):
        return malformed("Write one JSON document in UTF-8, in which each key stands once.")


def read_amount(value: object, place: str) -> int | Refusal:
    """Read an amount into minor units; the refusal names `place`."""
    amount = parse_amount(value)
    if isinstance(amount, Refusal):
        return Refusal(amount.code, f"{place}: {amount.message}")
    return amount


def refused(refusal: Refusal) -> dict[str, Any]:
    """A refusal as the answer to a document."""
    return {
        "accepted": False,
        "refusal": {"code": refusal.code.value, "message": refusal.message},
    }


def quote_lines(
    quote: Quote[E] | Advise[E], engine: E, sheet_text: str, lines: Iterable[str | bytes]
) -> Iterator[str]:
    """Answer one document per line, in order; a malformed line is answered and the next goes on."""
    for line in lines:
        document = read_json(line)
        wrong = isinstance(document, Refusal)
        answer = document if wrong else quote(engine, sheet_text, document)
        yield orjson.dumps(refused(answer) if isinstance(answer, Refusal) else answer).decode()
