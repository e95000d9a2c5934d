"""The registry names every game once, and everything that it names can be found (G8)."""

from datetime import UTC, datetime
from itertools import combinations

import orjson

from games import registry
from games.engine import foremost
from games.roulette.bets import Spin
from ledger.domain.decider import is_dealt, is_of_tables
from ledger.domain.events import Details, Header, make_entry
from ledger.domain.ids import session_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.sheets import canonical, read_head
from ledger.store.codec import Codec
from tests.roulette_table import ENGINE, ROUND, after, with_bets


def test_g8_every_packaged_sheet_names_an_engine_that_reads_it():
    """No sheet could be judged by that no engine reads."""
    for sheet in registry.PACKAGED:
        head = read_head(sheet.text)
        registry.BY_ENGINE[sheet.engine].engine.read_sheet(sheet.text)

        assert (head.sheet, head.version, head.engine) == (sheet.sheet, sheet.version, sheet.engine)


def test_g8_packaged_texts_are_canonical():
    """What is published is what is hashed: sorted keys, no blanks."""
    for sheet in registry.PACKAGED:
        assert canonical(orjson.loads(sheet.text)) == sheet.text


def test_every_sheet_that_was_ever_packaged_is_packaged_still():
    """The newest version of each: a published sheet is never removed."""
    expected = {
        "european-roulette-classic": 1,
        "european-roulette-premium": 1,
        "european-roulette-vip": 1,
        "roulette-fairplay": 1,
        "deuces-wild": 1,
        "french-roulette": 1,
        "live-blackjack": 1,
    }

    assert expected == {s.sheet: s.version for s in registry.SHEETS.values()}


def test_the_games_of_live_tables_are_those_whose_outcome_is_the_tables():
    """The others have no table: a session plays them alone."""
    tables = [name for name, engine in registry.ENGINES.items() if is_of_tables(engine)]

    assert ["french-roulette/1", "live-blackjack/1"] == tables
    assert {"live-blackjack/1"} == {name for name in tables if is_dealt(registry.ENGINES[name])}


def test_engines_are_found_by_the_name_that_their_sheets_use():
    """`roulette/1` is the game and the version of its semantics."""
    engine = registry.ENGINES["roulette/1"]

    assert (engine.game, engine.version) == ("roulette", 1)


DETAILS_ON_DISK = """
roulette-bets roulette-spin roulette-bet wheel-outcome
fairplay-bets fairplay-spin fairplay-outcome
deuces-deal deuces-cards deuces-hold deuces-double-up deuces-show deuces-pick deuces-collect
deuces-bet deuces-dealt deuces-final deuces-shown deuces-four
french-bets french-replay french-prison french-collect french-left
blackjack-bet blackjack-move blackjack-stake blackjack-card blackjack-cut blackjack-seen
blackjack-outcome
""".split()  # noqa: SIM905 - a list to be read


def test_types_of_details_have_names_of_their_own():
    """The log is read again by these names, so no two may be alike."""
    names = [details.model_fields["type"].default for details in registry.DETAILS]

    assert DETAILS_ON_DISK == names
    assert all(issubclass(details, Details) for details in registry.DETAILS)


def test_no_refusal_code_of_a_game_hides_one_of_the_ledger():
    """A code means one thing, whoever answers it."""
    games = [code.value for code in registry.REFUSALS]

    assert len(games) == len(set(games))
    assert set() == set(games) & {code.value for code in Code}


def test_every_refusal_is_ranked_as_the_foremost_of_several_is_chosen():
    """Of two codes the one that the list names first is answered; those of two games never meet."""
    assert {*Code, *registry.REFUSALS} == set(registry.RANKED)
    for game in registry.GAMES:
        meeting = [code for code in registry.RANKED if isinstance(code, Code | game.codes)]
        for first, second in combinations([Refusal(code, "Not so.") for code in meeting], 2):
            assert first == foremost([second, first])


def test_g8_the_events_of_a_round_are_read_back_from_their_rows_as_they_were():
    """Each detail is found again among all games' types by its name."""
    bets = [{"numbers": [17], "amount": "1.00"}, {"announced": "voisins", "chip": "1.00"}]
    view = with_bets(bets)
    history = after(view, ENGINE.decide(view, Spin(), bytes([17]))).history
    header = Header(
        recorded=datetime(2026, 1, 1, tzinfo=UTC), played=None, command=ROUND, actor="anna"
    )
    entries = [
        make_entry(session_stream(ROUND), version, header, event)
        for version, event in enumerate(history, 1)
    ]
    codec = Codec(registry.DETAILS)
    read = [codec.decode(codec.encode(entry)) for entry in entries]

    assert entries == read
    assert [type(getattr(e.event, "details", None)) for e in entries] == [
        type(getattr(e.event, "details", None)) for e in read
    ]
