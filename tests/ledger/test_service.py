"""The service on a real database: one command, answered once and for ever."""

from tests.house import House


def test_a_round_is_played_sealed_and_verified(house: House) -> None:
    """The whole path holds: conto, session, rounds, seal, and a verification that finds nothing."""
    session = house.seat()
    answers = [house.play(session) for _ in range(20)]
    assert [a.refusal for a in answers] == [None] * 20
    house.seal()
    verdict = house.verdict()
    assert verdict.findings == ()
    assert (house.count(), 20) == (verdict.size, verdict.rounds)
