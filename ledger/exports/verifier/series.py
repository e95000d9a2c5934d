"""FairPlay series: what is told in the end is what was committed before any bet, and was played."""

import hashlib
from copy import deepcopy
from dataclasses import dataclass, field

from ledger.exports.verifier.log import Event, Found


@dataclass(slots=True)
class Committed:
    """A series: MD5 and SHA-256 of its secret, in hex, and the numbers drawn of it by place."""

    hashes: tuple[str, str]
    drawn: dict[int, int] = field(default_factory=dict)
    is_told: bool = False


@dataclass(slots=True)
class Series:
    """Holds each secret against its commitment and the numbers that were drawn."""

    known: dict[str, Committed] = field(default_factory=dict)
    """Those whose time is not over, by their stream."""
    playing: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By the round: the series and the place of the number that it has."""
    begun_before: int = 0
    """Secrets that were told of series which were not seen to be prepared."""

    def copy(self) -> "Series":
        """How it is now, whatever comes."""
        return Series(deepcopy(self.known), dict(self.playing))

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        body = event.body
        match event.name:
            case "series-prepared":
                self.known[event.stream] = Committed((body["md5"], body["sha256"]))
            case "round-opened" if "series" in body:
                of = body["series"]
                self.playing[body["round"]] = f"series:{of['sealed']['series']}", of["place"]
            case "round-voided":
                self.playing.pop(body["round"], None)
            case "draw-recorded" if body["round"] in self.playing:
                yield from self._drawn(*self.playing.pop(body["round"]), body["details"]["number"])
            case "series-revealed":
                yield from self._revealed(event)
            case "series-expired":
                self.known.pop(event.stream, None)
            case _:
                pass

    def _drawn(self, stream: str, place: int, number: int) -> Found:
        series = self.known.get(stream)
        if series is not None and series.is_told:
            yield "series", f"number {place} is drawn after the secret of {stream} was told"
        if series is not None:
            series.drawn[place] = number

    def _revealed(self, event: Event) -> Found:
        series, secret = self.known.get(event.stream), event.body["secret"]
        if series is None:
            self.begun_before += 1
            return
        series.is_told, text = True, secret.encode()
        hashes = (hashlib.md5(text, usedforsecurity=False), hashlib.sha256(text))
        if tuple(each.hexdigest() for each in hashes) != series.hashes:
            yield "series", "the secret is another one than was committed"
        numbers = dict(enumerate(secret.partition("-START-")[2].split("-"), 1))
        for place, number in series.drawn.items():
            if numbers.get(place) != f"{number:02}":
                yield "series", f"number {place} of the secret is another one than was drawn"
