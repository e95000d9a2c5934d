"""FairPlay series in a real book: a sound one verifies, and what was forged is found (G5, G7).

Anna plays three numbers of a series of five, 12, 7 and 22, each time with 50.00 on zero, which
never comes; she ends it, and its secret is told.
"""

from typing import Any
from uuid import uuid4

import pytest

from games.roulette.fairplay.proof import agrees
from ledger.domain import commands as cmd
from ledger.domain.events import DrawRecorded, RoundOpened
from ledger.domain.ids import series_stream, session_stream
from ledger.domain.series import Series
from ledger.seal.series import SeriesCheck
from tests.fairplay_desk import FairDesk, fair_desk
from tests.force import edit

ON_ZERO = {"numbers": [0], "amount": "50.00"}


@pytest.fixture
def played(house, tmp_path) -> FairDesk:
    """The series of the story, before its end; nothing of it is sealed."""
    at = fair_desk(house, tmp_path)
    session = at.sit(at.player("anna-1"))
    house.seal()
    series = at.prepare("anna-1")
    for _ in range(3):
        at.spin(session, series, ON_ZERO)
    at.fairplay.end(series, uuid4())
    return at


@pytest.fixture
def told(played) -> FairDesk:
    """The story to its end."""
    played.reveal(played.kept[0])
    return played


def found(at: FairDesk) -> list[tuple[str, str]]:
    """What verification finds wrong, without where."""
    at.house.seal()
    return [(f.check, f.found) for f in at.house.verify()]


def thirteen(event: dict[str, Any]) -> None:
    """Another number than 12, told coherently: entropy, outcome and colour are those of 13."""
    event["entropy"], event["shown"] = "0d", "13"
    event["details"] |= {"number": 13, "pocket": 13, "colour": "black"}


def test_g7_a_series_that_was_played_ended_and_told_verifies(told):
    """Numbers, order, rounds and both hashes agree."""
    assert [] == found(told)


def test_g7_a_draw_that_is_not_the_secrets_number_is_found(told):
    """It is judged sound by itself, for its entropy gives its outcome; the secret gives it away."""
    edit(told.house, "draw-recorded", thirteen, '"number":12')

    assert [("series", "number 1 of the secret is another one")] == found(told)


def test_g7_before_the_reveal_nothing_is_held_against_the_secret(played):
    """The forged number is found as soon as the secret is told, also by another command."""
    edit(played.house, "draw-recorded", thirteen, '"number":12')
    before = found(played)
    played.reveal(played.kept[0])

    assert ([], [("series", "number 1 of the secret is another one")]) == (before, found(played))


@pytest.mark.parametrize(
    ("digest", "name"),
    [("md5", "MD5"), ("sha256", "SHA-256")],
)
def test_hw8_a_secret_that_has_another_hash_than_was_committed_is_found(told, digest, name):
    """Each hash by itself."""
    edit(told.house, "series-prepared", lambda e: e.update({digest: "0" * len(e[digest])}))

    assert [("series", f"the secret has another {name} than was committed")] == found(told)


def test_hw6_a_number_that_was_taken_twice_is_found(told):
    """The second one was the first again."""
    edit(told.house, "number-taken", lambda e: e.update(place=1), '"place":2')

    assert {
        ("series", "takes number 1 out of its turn"),
        ("series", "takes number 3 out of its turn"),
        ("series", "numbers taken are not those of the rounds"),
    } == set(found(told))


def test_g7_a_round_that_names_another_sealed_number_is_found(told):
    """The ciphertext of the round is not the one that was committed in its place."""

    def other(event: dict[str, Any]) -> None:
        event["series"]["sealed"]["ciphertext"] = "AAAA"

    edit(told.house, "round-opened", other, '"place":2')

    assert [("series", "is not played with number 2 as it was sealed")] == found(told)


def test_hw7_a_book_whose_series_expired_verifies_without_its_keys(played):
    """What was never played is gone for ever, and the log is whole."""
    (series,) = played.kept
    played.house.later(hours=240)
    played.fairplay.retire(series)

    assert ([], []) == (played.kept, found(played))


def test_g9_a_round_of_a_series_that_is_void_is_no_draw(played):
    """A number that was taken and never drawn is sound, whatever the secret says of it."""
    series = played.prepare("anna-1")
    session = played.sit("anna-1")
    ref = cmd.RoundRef(session=session, round=played.lay(session, series))
    played.do(cmd.VoidRounds, rounds=(ref,), reason="the wheel stopped")
    played.spin(session, series)
    played.fairplay.end(series, uuid4())
    played.reveal(series)

    assert [] == found(played)


def test_g10_a_secret_told_too_early_and_what_is_played_with_it_is_found(played, monkeypatch):
    """A program without the guards tells a series after two of its numbers and plays the third."""
    series = played.prepare("anna-1")
    session = played.sit("anna-1")
    for _ in range(2):
        played.spin(session, series)
    monkeypatch.setattr(Series, "is_over", property(lambda _: True))
    played.do(cmd.RevealSeries, series=series)
    monkeypatch.setattr(Series, "is_over", property(lambda _: False))
    played.spin(session, series)

    assert {
        ("series", "tells the secret of a series that was not over"),
        ("series", "takes number 3 of a series that was told"),
        ("series", "draws number 3 after the secret was told"),
    } == set(found(played))


def test_hw6_a_number_that_is_taken_of_a_series_that_had_ended_is_found(played, monkeypatch):
    """Anna had given up the last two numbers, and the house plays one of them."""
    (series,) = played.kept
    session = played.sit("anna-1")
    monkeypatch.setattr(Series, "is_over", property(lambda _: False))
    played.spin(session, series)

    assert [("series", "takes number 4 of a series that had ended")] == found(played)


def test_g7_a_number_that_was_opened_in_the_save_of_its_bets_is_found(played):
    """Bets and draw are of one command: nothing shows that the number was not read first."""
    history = played.desk.service.history
    (series,) = played.kept
    (session,) = {n.session for n in played.fairplay.played(series)}
    entries = [*history(series_stream(series)), *history(session_stream(session))]
    bets = next(e.command for e in entries if isinstance(e.event, RoundOpened))
    draw = next(e for e in entries if isinstance(e.event, DrawRecorded))
    check = SeriesCheck({"roulette-fairplay": agrees})
    forged = (e.model_copy(update={"command": bets}) if e is draw else e for e in entries)

    assert ["opens number 1 in the save of its bets"] == [
        f.found for e in forged for f in check.see(0, e)
    ]
