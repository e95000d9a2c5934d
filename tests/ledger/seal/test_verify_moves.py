"""A move on record is what its command asked, and nobody moves for a player who was to (G3, G7).

Anna bets five coins of 1.00 and holds three of a kind. Each forgery leaves the hand, the money and
the records of what was saved as they are.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.domain.events import AnyEntry, MoveMade, RoundOpened, Sealed, SeriesNumber, TableRef
from ledger.domain.ids import session_stream
from ledger.domain.registry import HANDLERS
from ledger.seal.asked import REBUILT
from tests.deuces_table import TRIPLE, entropy
from tests.force import edit
from tests.house import MORNING, House, euro, opened_house, order

ENGINE = registry.ENGINES["deuces-wild/1"]
DEAL = ENGINE.parse({"coins": 5, "coin": "1.00"})
HOLD = ENGINE.parse({"hold": [1, 2, 3]})
OTHER = UUID(int=7)
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def house(database: str, book: str) -> Iterator[House]:
    """A house that deals three of a kind, which nothing improves."""
    coming = [entropy(TRIPLE), entropy(["5s", "7c"], TRIPLE)]
    with opened_house(database, book, entropy=lambda _: coming.pop(0)) as opened:
        yield opened


@pytest.fixture
def seat(house: House) -> UUID:
    """Anna's session with 100.00; all that came before is sealed."""
    house.conto("anna-1", 200_00)
    session = house.session("anna-1", 100_00, "deuces-wild")
    house.seal()
    return session


def opened(seat: UUID) -> cmd.Command:
    """Deal, and wait for the player."""
    return order(cmd.OpenRound, session=seat, move=DEAL, played=MORNING)


def held(seat: UUID, laid: UUID) -> cmd.Command:
    """Hold the three."""
    return order(cmd.ContinueRound, session=seat, round=laid, move=HOLD, played=MORNING)


@pytest.fixture
def hand(house: House, seat: UUID) -> House:
    """The hand of the story, not yet sealed."""
    deal = opened(seat)
    for asked in (deal, held(seat, deal.id)):
        assert house.ask(asked).refusal is None
    return house


def made(house: House, seat: UUID) -> list[AnyEntry]:
    """The moves of a session."""
    history = house.service.history(session_stream(seat))
    return [e for e in history if isinstance(e.event, RoundOpened | MoveMade)]


FORGED: dict[str, dict[tuple[str, str], Change]] = {
    "the same cards held in another order": {
        ("move-made", ""): lambda e: e["details"].update(hold=[3, 2, 1]),
    },
    "more coins than were asked for": {
        ("round-opened", ""): lambda e: e["move"].update(coins=4),
    },
    "a move that names another command": {
        ("move-made", ""): lambda e: e.update(made_by=str(OTHER)),
    },
    "a command that asked for something else": {
        ("command-answered", "continue-round"): lambda e: e.update(digest="0" * 64),
    },
    "a command about another session": {
        ("command-answered", "open-round"): lambda e: e.update(about=session_stream(OTHER)),
    },
    "a command of a kind that makes no move": {
        ("command-answered", "continue-round"): lambda e: e.update(kind="grant-bonus"),
    },
    "a further move told as an opening": {
        ("command-answered", "continue-round"): lambda e: e.update(kind="open-round"),
    },
    "an opening told as a further move": {
        ("command-answered", "open-round"): lambda e: e.update(kind="continue-round"),
    },
}


@pytest.mark.parametrize("forgery", FORGED)
def test_g3_a_move_that_its_command_did_not_ask_for_is_found(hand: House, forgery: str) -> None:
    """The command's digest is on record; the move gives another one, or its kind makes none."""
    for (topic, holding), change in FORGED[forgery].items():
        edit(hand, topic, change, holding)
    hand.seal()
    assert "moves" in hand.checks_that_find()


def test_g3_a_move_that_does_not_name_its_command_verifies(hand: House) -> None:
    """Moves were recorded without the id of their command once; it is in the header too."""
    edit(hand, "move-made", lambda e: e.update(made_by=None))
    hand.seal()
    assert hand.verify() == ()


def test_g3_a_command_that_made_no_move_although_it_asked_for_one_is_found(
    house: House, seat: UUID
) -> None:
    """A bonus is told as the opening of a round."""
    house.do(cmd.GrantBonus, session=seat, **euro(100), reason="welcome")
    edit(house, "command-answered", lambda e: e.update(kind="open-round"))
    house.seal()
    assert house.checks_that_find() == {"moves"}


def test_g7_a_hand_that_the_rules_played_on_although_its_player_was_to_is_found(
    house: House, seat: UUID
) -> None:
    """Asked to play it to its end, and told as a round that was left to its player."""
    asked = order(cmd.PlayRound, session=seat, move=DEAL)
    assert house.ask(asked).refusal is None
    left_open = cmd.OpenRound(**asked.model_dump(exclude={"move"}, exclude_none=True), move=DEAL)
    told = {"kind": left_open.KIND, "digest": cmd.digest(left_open)}
    edit(house, "command-answered", lambda e: e.update(told))
    house.seal()
    found = [(f.check, f.found) for f in house.verify()]
    assert found == [("judgement", "a command open-round does not play for the player")]


def test_g9_a_hand_that_was_to_be_played_to_its_end_and_was_not_is_found(
    house: House, seat: UUID
) -> None:
    """Left to its player, and told as a round that was to be played to its end."""
    asked = order(cmd.OpenRound, session=seat, move=DEAL)
    assert house.ask(asked).refusal is None
    to_its_end = cmd.PlayRound(**asked.model_dump(exclude={"move"}, exclude_none=True), move=DEAL)
    told = {"kind": to_its_end.KIND, "digest": cmd.digest(to_its_end)}
    edit(house, "command-answered", lambda e: e.update(told))
    house.seal()
    found = [(f.check, f.found) for f in house.verify()]
    assert found == [("judgement", "a round that was to be played to its end is open")]


def test_g8_a_round_of_another_game_than_its_sheet_is_found(hand: House) -> None:
    """It names roulette, and its money would move in the bank of roulette."""
    edit(hand, "round-opened", lambda e: e.update(game="roulette"))
    hand.seal()
    assert hand.checks_that_find() == {"judgement"}


PLACE = TableRef(table="roulette-1", round=UUID(int=8), limits=None, leave="maria")
SEALED = Sealed(series=OTHER, place=3, ciphertext="AAAA")


def test_g3_a_command_is_made_again_from_its_move_with_every_field(
    house: House, seat: UUID
) -> None:
    """Given commands that use every field they have, then each is equal to what its move tells."""
    deal = opened(seat)
    hold = held(seat, deal.id)
    for asked in (deal, hold):
        assert house.ask(asked).refusal is None
    entries = made(house, seat)
    told = {"series": OTHER, "offset": 30, "client": "2D", "leave": "maria"}
    spin = order(cmd.OpenRound, uuid4(), session=seat, move=DEAL, played=MORNING, **told)
    late = hold.model_copy(update={"leave": "maria"})
    number = SeriesNumber(place=3, offset=30, client="2D", sealed=SEALED)
    whole = order(cmd.PlayRound, uuid4(), session=seat, move=DEAL, played=MORNING)

    assert set(REBUILT) == {kind.KIND for kind in HANDLERS if kind.PLACES_BETS}
    for asked, entry in (
        (spin, opening_of(entries[0], spin.id, series=number, table=PLACE)),
        (late, moved_at(entries[1], PLACE)),
        (whole, opening_of(entries[0], whole.id)),
    ):
        assert None not in asked.model_dump().values()
        (again,) = REBUILT[asked.KIND](entry, 0)
        assert asked == again
        assert set(type(asked).model_fields) == again.model_fields_set
    (alone,) = REBUILT[deal.KIND](entries[0], 0)
    assert deal == alone


@pytest.mark.parametrize(("last", "offsets"), [(30, {30, None}), (0, {30}), (5, {30})])
def test_hw6_an_offset_that_was_left_as_it_was_is_the_last_one(
    hand: House, seat: UUID, last: int, offsets: set[int | None]
) -> None:
    """Given a number shifted by 30, then it was named, or not and the last one was 30 too."""
    number = SeriesNumber(place=3, offset=30, client="2D", sealed=SEALED)
    entry = opening_of(made(hand, seat)[0], OTHER, series=number)

    asked = REBUILT[cmd.OpenRound.KIND](entry, last)

    assert offsets == {command.offset for command in asked}


def moved_at(entry: AnyEntry, place: TableRef) -> AnyEntry:
    """The same move in a round of a live table."""
    return entry.model_copy(update={"event": entry.event.model_copy(update={"table": place})})


def opening_of(entry: AnyEntry, command: UUID, **changes: Any) -> AnyEntry:
    """The opening of a round by another command, with changes."""
    event = entry.event.model_copy(update={"round": command, **changes})
    return entry.model_copy(update={"command": command, "event": event})
