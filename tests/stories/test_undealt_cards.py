"""No card is known before it is shown: not in answers, rows, logs, metrics or refusals (G10).

The entropy of each draw is longer than its cards need. What is left over would tell the next cards
to whoever could read it, so the tests know it, look for it everywhere, and change it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any
from uuid import UUID

import pytest
from prometheus_client import REGISTRY, generate_latest
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from games import registry
from games.cards import DECK
from ledger.domain import commands as cmd
from ledger.domain.decider import NeedsDraw
from ledger.domain.ids import session_stream
from ledger.service import Outside
from ops.central.local import InstantCentral
from ops.clock import pause
from ops.desk import Desk
from ops.metered import MeteredService
from ops.vault import Vault
from tests.deuces_table import ENGINE, TRIPLE, Seat, entropy
from tests.house import House, order

POOL = 32
FOUR = ["Kd", "4s", "6h", "8c"]
PLAY: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"coins": 5, "coin": "0.25"}, TRIPLE, []),
    ({"hold": [1, 2, 3]}, ["5s", "7c"], TRIPLE),
    ({"double_up": {"half": True}}, ["9h"], []),
    ({"pick": 1}, FOUR, ["9h"]),
    ({"double_up": {"half": False}}, ["Th"], []),
    ({"pick": 2}, ["3s", "Ts", "Ac", "2d"], ["Th"]),
    ({"collect": True}, [], []),
]
"""Moves with the cards that they show, and those that cannot come: a win by half, then a push."""
WRONG = [
    *({"coins": 1, "coin": "0.10"}, {"hold": [6]}, {"hold": [1, 1]}, {"pick": 5}, {"pick": 4}),
    *({"double_up": {"half": True}}, {"collect": True}),
]
"""Some of these are out of turn at any step."""


@dataclass
class Machine:
    """A desk and its session in a house, where draws begin with the bytes of wanted cards."""

    house: House
    desk: Desk
    session: UUID
    coming: list[bytes]
    unused: list[bytes] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """All that was answered or printed."""
    round: UUID | None = None

    def command(self, document: Any) -> cmd.Command:
        """The command of a move; the first one opens the round."""
        move = ENGINE.parse(document)
        if self.round is None:
            return order(cmd.OpenRound, session=self.session, move=move)
        return order(cmd.ContinueRound, session=self.session, round=self.round, move=move)

    def send(self, command: cmd.Command) -> str | None:
        """Send a command and keep what it says; its refusal."""
        answer = self.desk.handle(command)
        self.told.append(answer.to_bytes().decode())
        return answer.refusal

    def everything(self) -> str:
        """What was told so far, the screen, the page of metrics, and each row of the book."""
        screen = {} if self.round is None else self.desk.screen(self.session, self.round)
        page = generate_latest(REGISTRY).decode()
        return "\n".join([*self.told, json.dumps(screen), page, *_rows(self.house)])


def _rows(house: House) -> Iterator[str]:
    """Each row of each table of the book, bytes as the text that they are."""
    with house.as_superuser() as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s", (house.book,)
        ).fetchall()
        assert len(tables) > 5
        for (table,) in tables:
            for (row,) in connection.execute(
                SQL("SELECT t::text FROM {} t").format(Identifier(table))
            ):
                yield re.sub(r"\\\\x([0-9a-f]+)", _as_text, row)


def _as_text(found: re.Match[str]) -> str:
    return bytes.fromhex(found[1]).decode("utf-8", "replace") + found[1]


@pytest.fixture
def machine(house: House, tmp_path) -> Machine:
    """Anna at the machine, with a service that is metered as in production."""
    coming: list[bytes] = []

    def drawn(size: int) -> bytes:
        assert (POOL, True) == (size, bool(coming))
        return coming.pop(0)

    def events(session: UUID) -> Any:
        return (entry.event for entry in house.service.history(session_stream(session)))

    house.conto("anna-1", 100_00)
    session = house.session("anna-1", 50_00, "deuces-wild")
    service = MeteredService(house.store, registry.ENGINES, Outside(drawn, pause))
    vault = Vault(tmp_path / "vault")
    desk = Desk(service, InstantCentral(events), vault, "anna-1", lambda: house.now)
    return Machine(house, desk, session, coming)


def named(text: str) -> set[str]:
    """The cards that a text names; the entropy of a single card may look like another one."""
    without = re.sub(r'"entropy": ?"[0-9a-f]*"', "", text)
    return set(re.findall(r"(?<![\w-])[2-9TJQKA][cdhs](?![\w-])", without))


def mapped(pool: bytes, gone: list[str]) -> list[str]:
    """The cards that entropy stands for, byte after byte: what is above the last whole is left."""
    left = [card for card in DECK if card not in gone]
    return [left.pop(byte % len(left)) for byte in pool if byte < 256 - 256 % len(left)]


def test_g10_after_each_step_only_the_cards_that_were_shown_stand_anywhere(
    machine: Machine, caplog
) -> None:
    """Given a round with two double-ups and wrong moves in between, then no later card is known.

    Not in answers, rows, screen, metrics and logs; nor the bytes that would have come next.
    """
    caplog.set_level(0)
    shown: set[str] = set()
    with capture_logs() as logs:
        for document, cards, gone in PLAY:
            assert [] == machine.coming
            _try_wrong_moves(machine)
            command = machine.command(document)
            assert_known(machine, shown, logs, caplog.text)
            _draw(machine, cards, gone)
            assert machine.send(command) is None
            machine.round = machine.round or command.id
            shown |= set(cards)
            assert_known(machine, shown, logs, caplog.text)
    assert shown == named(machine.everything())


def _draw(machine: Machine, cards: list[str], gone: list[str]) -> None:
    if cards:
        used = entropy(cards, gone)
        machine.unused.append(token_bytes(POOL - len(used)))
        machine.coming.append(used + machine.unused[-1])


def _try_wrong_moves(machine: Machine) -> None:
    """Make the moves that are out of turn, and only ask what the others would bring about."""
    for document in WRONG:
        command = machine.command(document)
        decision = machine.desk.service.dry_run(command, machine.house.now)
        machine.told.append(repr(decision))
        if not isinstance(decision, tuple | NeedsDraw):
            assert machine.send(command) == decision.code


def assert_known(machine: Machine, shown: set[str], logs: list[Any], log: str) -> None:
    """Nothing anywhere names more cards, or holds bytes that no card was mapped from."""
    text = "\n".join([machine.everything(), *map(str, logs), log])
    assert named(text) <= shown
    for unused in machine.unused:
        assert unused.hex()[:12] not in text


def test_g7_g10_the_entropy_on_record_is_that_of_the_shown_cards_alone(machine: Machine) -> None:
    """Given a whole round, when its bytes are mapped by hand, then its cards, and no byte over."""
    for document, cards, gone in PLAY:
        command = machine.command(document)
        _draw(machine, cards, gone)
        assert machine.send(command) is None
        machine.round = machine.round or command.id
    history = machine.house.service.history(session_stream(machine.session))
    drawn = [bytes.fromhex(e.event.entropy) for e in history if e.event.NAME == "draw-recorded"]
    expected = [(cards, gone) for _, cards, gone in PLAY if cards]

    assert [cards for cards, _ in expected] == [
        mapped(pool, gone) for pool, (_, gone) in zip(drawn, expected, strict=True)
    ]
    assert [len(cards) for cards, _ in expected] == [len(pool) for pool in drawn]


@pytest.mark.parametrize("future", [b"\x00", b"\x11", b"\xff"])
def test_g10_what_was_drawn_and_not_shown_changes_nothing_that_anybody_sees(future) -> None:
    """Given the same cards with other bytes after them, then the same answers, byte for byte."""
    assert _answers(b"") == _answers(future * 20)


def _answers(future: bytes) -> list[bytes]:
    seat = Seat()
    opening, *further = [
        (document, [entropy(cards, gone) + future] if cards else [])
        for document, cards, gone in PLAY
    ]
    answers = [seat.open(opening[0], *opening[1])]
    answers += [seat.move(document, *draws) for document, draws in further]
    assert {None} == {answer.refusal for answer in answers}
    return [answer.to_bytes() for answer in answers]
