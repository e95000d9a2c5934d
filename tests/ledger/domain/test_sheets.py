"""Rule sheets are published as events; a round is judged by the version of its day (G8)."""

from datetime import timedelta

import pytest

from ledger.domain.commands import PublishSheet, RequestParticipation
from ledger.domain.decider import SheetError
from ledger.domain.events import SheetPublished
from ledger.domain.refusals import Code
from ledger.domain.sheets import canonical, in_force, read_head, text_hash, version_of
from tests.coin import ENGINES, coin_sheet
from tests.given import NOON, fold, given, on
from tests.scenes import ANNA, COIN_FLIP, S1, conto, money, order, published, rules

TOMORROW = NOON + timedelta(days=1)


def publish(version=1, text=None, since=NOON, sheet="coin-flip"):
    """The command that publishes a version."""
    return order(
        PublishSheet,
        sheet=sheet,
        sheet_version=version,
        in_force_from=since,
        text=text or coin_sheet(version),
    )


def test_g8_a_sheet_is_published_with_its_bytes_and_their_hash():
    """The hash of this text was worked with `sha256sum`."""
    text = coin_sheet()
    event = SheetPublished(
        sheet="coin-flip",
        sheet_version=1,
        sheet_hash="de68612000d819e5c3e69f68b809c717dbf6cb86760bd061a9a9857fe3ce1f37",
        in_force_from=NOON,
        engine="coin/1",
        text=text,
    )

    given(engines=ENGINES).when(publish()).then(on(COIN_FLIP, event))


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        coin_sheet(2),
        coin_sheet(sheet="coin-toss"),
        coin_sheet(engine="coin/2"),
        coin_sheet(pays=0),
        coin_sheet(currency="USD"),
        coin_sheet(session={"right_min": 0, "posta_max": 1, "reconnect_seconds": 1}),
        coin_sheet(rounds_max=0),
        coin_sheet().replace(":", ": "),
        "not json",
    ],
    ids=[
        "list",
        "empty",
        "version",
        "name",
        "engine",
        "game",
        "currency",
        "zero",
        "no round",
        "blanks",
        "text",
    ],
)
def test_a_sheet_that_cannot_be_played_is_not_published(text):
    """The head, the canonical form, the engine and the game's own part are all checked."""
    given(engines=ENGINES).when(publish(text=text)).then(Code.SHEET_INVALID)


@pytest.mark.parametrize("version", [1, 3])
def test_g8_versions_are_numbered_without_gaps_and_never_replaced(version):
    """After version 1 comes 2, neither 1 again nor 3."""
    given(published(), engines=ENGINES).when(publish(version)).then(Code.SHEET_VERSION_TAKEN)


def test_g8_a_sheet_is_never_put_in_force_in_the_past():
    """Rounds that were played already keep their rules."""
    late = publish(since=NOON - timedelta(microseconds=1))

    given(engines=ENGINES).when(late).then(Code.SHEET_INVALID)


def test_g8_a_later_version_is_not_in_force_before_the_one_before_it():
    """The order of versions is the order of their times."""
    history = published(since=TOMORROW)

    given(history, engines=ENGINES).when(publish(2, since=NOON)).then(Code.SHEET_INVALID)


def test_an_invalid_sheet_is_named_before_a_taken_version():
    """Refusals are answered by their published order."""
    command = publish(3, since=NOON - timedelta(days=1))

    given(published(), engines=ENGINES).when(command).then(Code.SHEET_INVALID)


@pytest.mark.parametrize(
    ("at", "version"),
    [(NOON, 1), (TOMORROW - timedelta(microseconds=1), 1), (TOMORROW, 2)],
)
def test_g8_the_version_in_force_is_the_last_one_that_has_begun(at, version):
    """A version begins at its time, to the microsecond."""
    events = published().events + published(2, TOMORROW).events
    state = fold(COIN_FLIP, events)

    assert version == in_force(state, at).ref.version


def test_g8_an_old_version_is_found_for_ever():
    """A round names version and hash, and gets that text."""
    state = fold(COIN_FLIP, published().events + published(2, TOMORROW, pays=3).events)

    assert coin_sheet() == version_of(state, rules()).text


@pytest.mark.parametrize(
    ("history", "code"),
    [((), Code.UNKNOWN_SHEET), ((published(since=TOMORROW),), Code.SHEET_NOT_IN_FORCE)],
)
def test_no_session_begins_under_a_sheet_that_is_not_in_force(history, code):
    """Unknown and not yet begun are told apart."""
    request = order(
        RequestParticipation,
        session=S1,
        player=ANNA,
        sheet="coin-flip",
        **money(500),
        channel="web",
    )

    given(conto(500), *history).when(request).then(code)


def test_a_wrong_head_is_told_by_its_places():
    """The author of a sheet learns where to look."""
    with pytest.raises(SheetError, match=r"session\.right_min"):
        read_head(coin_sheet(session={"posta_max": 1, "reconnect_seconds": 1}))


def test_the_canonical_text_sorts_keys_and_leaves_out_blanks():
    """So that equal sheets have equal hashes: `{"a":1,"b":2}` worked with `sha256sum`."""
    assert canonical({"b": 2, "a": 1}) == '{"a":1,"b":2}'
    assert (
        text_hash('{"a":1,"b":2}')
        == "43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777"
    )
