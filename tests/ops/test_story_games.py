"""Whatever is played, its story holds: every game, series of numbers, demo rounds, live tables."""

from secrets import token_bytes
from uuid import UUID

import pytest

from games.registry import SHEETS
from ledger.domain import commands as cmd
from ledger.domain.ids import session_stream
from ops.central.local import InstantCentral
from ops.desk import Desk
from ops.live_tables import is_live, simulate_live
from ops.simulation import Plan, simulate
from ops.story.pages import pages
from ops.story.plain import plain
from ops.story.reading import read_case
from ops.story.story import PARTS, Story, Until, tell
from ops.story.tongue import ENGLISH, ITALIAN
from ops.vault import Vault
from tests.fairplay_desk import fair_desk
from tests.house import CODEC, House


def story(house: House, asked: UUID) -> Story:
    """The story of a session or a round as the book has it."""
    with house.connected() as connection:
        case = read_case(connection, house.book, CODEC, asked)
    assert case is not None
    return tell(case, Until())


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_session_that_was_played_by_itself_holds_when_told_again(house, tmp_path, sheet):
    """Given players of all habits, then each session is told to its end, where nothing is left."""

    def events(session):
        return (entry.event for entry in house.service.history(session_stream(session)))

    vault = Vault(tmp_path / "vault")
    desk = Desk(house.service, InstantCentral(events), vault, "simulation", lambda: house.now)
    run = simulate_live if is_live(sheet) else simulate
    run(desk, Plan(sheet, players=2, rounds=4, seed=3))
    sessions = house.rows(
        """SELECT DISTINCT convert_from(state, 'UTF8')::json->>'stream' FROM events
            WHERE topic = 'session-opened'"""
    )

    told = [story(house, UUID(stream.removeprefix("session:"))) for (stream,) in sessions]

    assert 2 <= len(told)
    assert [] == [(s.elsewhere, s.verdicts) for s in told if not s.holds]
    for each in told:
        assert [0] * 5 == [each.steps[-1].after[part] for part in PARTS[1:]]
        assert desk.conto(each.terms.player).balance == each.steps[-1].after["conto"]
        assert all(v.judged is not None for v in each.verdicts)
        assert plain(pages(each, ENGLISH)) != plain(pages(each, ITALIAN))


def test_a_series_of_numbers_is_told_with_its_offsets_and_holds(house, tmp_path):
    """Given two spins of a series and its secret, then each number is taken, shifted and drawn."""
    at = fair_desk(house, tmp_path)
    at.player("anna-1")
    session, series = at.sit("anna-1"), at.prepare("anna-1", [12, 7, 22, 3, 27])
    at.spin(session, series, offset=30)
    at.spin(session, series)
    at.fairplay.end(series, UUID(int=9))
    at.reveal(series)

    told = story(house, session)

    assert told.holds
    text = " ".join(plain(pages(told, ENGLISH)).split())
    assert "drawn: 5 red (number 12, moved on by 30)" in text
    assert "drawn: 0 green (number 7, moved on by 30)" in text
    assert ["number-taken"] * 2 == [
        s.entry.event.NAME for s in told.steps if s.entry.stream.startswith("series:")
    ]


def test_a_demo_round_is_told_and_moves_no_money(house, tmp_path):
    """Given a round with demo chips, then it is judged again, and the balances stand still."""
    at = fair_desk(house, tmp_path)
    at.coming.append(token_bytes(32))
    at.player("anna-1")
    session = at.sit("anna-1")
    bets = {"bets": [{"chance": "red", "amount": "50.00"}]}
    played = at.desk.play_demo(session, bets)

    told = story(house, played.command)

    (verdict,) = told.verdicts
    assert (True, []) == (verdict.is_demo, verdict.findings)
    assert all(step.before == step.after for step in told.steps)


def test_a_session_that_expired_or_was_refunded_is_told_with_its_reason(house):
    """Given a refund, and an expiry with a round in play, then both are told and hold."""
    session = house.seat("anna-1", 50_00)
    laid = house.lay(session)
    house.do(cmd.VoidRounds, rounds=(cmd.RoundRef(session=session, round=laid),), reason="stopped")
    house.lay(session)
    house.do(cmd.DisconnectSession, session=session, at=house.now)
    house.later(minutes=20)
    house.do(cmd.ExpireSession, session=session)

    told = story(house, session)

    assert told.holds
    text = " ".join(plain(pages(told, ENGLISH)).split())
    for said in ("1.00 EUR refunded, stopped", "and the session expired", "(expired)"):
        assert said in text
