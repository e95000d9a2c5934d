"""A wheel that pays zero to even: the book agrees with its engine, the second method does not (G8).

The rounds are read from the rows of the book, and the sheet from the event that published it.
"""

import orjson

from games import registry
from games.engine import LOST, Payout
from games.roulette import round as colpo
from ledger.domain import commands as cmd
from ledger.domain.ids import session_stream, sheet_stream, stream_key
from tests.house import opened_house

EVEN = {"chance": "even", "amount": "1.00"}


def faulty(bet, pays, amount, pocket):
    """Zero is even."""
    wins = pocket in bet.numbers or (pocket == 0 and bet.kind == "even")
    return Payout(amount * pays, amount) if wins else LOST


def audited(house, session, sheet):
    """What the audit finds in each round of a session."""
    rounds = {}
    for event in stored(house, session_stream(session)):
        if "rules" in event["event"]:
            rounds.setdefault(event["event"]["round"], []).append(event)
    (published,) = stored(house, sheet_stream(sheet))
    audit = registry.AUDITS[published["event"]["engine"]]
    return [audit(published["event"]["text"].encode(), events) for events in rounds.values()]


def stored(house, stream):
    """The entries of a stream as they are stored, with their names."""
    query = "SELECT topic, state FROM events WHERE originator_id = %s ORDER BY originator_version"
    return [{"name": n, **orjson.loads(s)} for n, s in house.rows(query, stream_key(stream))]


def test_g8_a_faulty_engine_agrees_with_itself_and_not_with_the_second_method(
    database, book, monkeypatch
):
    """Given even paid at zero, when 7 and zero came, then verify finds nothing and the audit does.

    A hand of Deuces Wild beside them is right: four deuces, held and collected by the rules.
    """
    monkeypatch.setattr(colpo, "payout", faulty)
    bytes_drawn = iter([7, 0, 0, 0])
    with opened_house(
        database, book, entropy=lambda size: bytes([next(bytes_drawn)] * size)
    ) as house:
        seat = house.seat()
        house.play(seat, EVEN)
        house.play(seat, EVEN)
        machine = house.session(house.conto("bruno-2", 100_00), 50_00, "deuces-wild")
        hand = registry.ENGINES["deuces-wild/1"].parse({"coins": 5, "coin": "0.25"})
        house.do(cmd.PlayRound, session=machine, move=hand)
        house.seal()

        assert () == house.verify()
        assert [[]] == audited(house, machine, "deuces-wild")
        assert [
            [],
            [
                "event 4, payout-credited: nothing gives this event",
                "event 5, round-settled: stake_returned is 100, and by the rules 0",
                "event 5, round-settled: stakes_lost is 0, and by the rules 100",
                "event 5, round-settled: winnings is 100, and by the rules 0",
            ],
        ] == audited(house, seat, "european-roulette-classic")
