"""What is said of each event: in both languages, of every event, and of fields that it has."""

from string import Formatter
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from games import registry
from games.cards import drawn
from games.deuces_wild.hand import Category
from games.deuces_wild.moves import DeucesHold
from games.deuces_wild.table import DeucesBet, DeucesFinal
from games.roulette.bets import AnnouncedLine, ChanceLine, NumbersLine, RouletteBets
from games.roulette.fairplay.round import shifted
from games.roulette.french.moves import FrenchBets, FrenchPrison, PrisonChoice
from games.roulette.french.prison import Choice
from games.roulette.layout import chance, find
from games.roulette.wheel import outcome
from ledger.domain import events as ev
from ops.story.telling import SHOWN, sentence
from ops.story.tongue import ENGLISH, ITALIAN, TONGUES, Tongue
from tests.scenes import EUR, bet, common, funded, money, payout, requested, uid

EVENTS = {event.NAME: event for event in ev.LEDGER_EVENTS}
BOTH = pytest.mark.parametrize("tongue", TONGUES.values(), ids=TONGUES)


def fields(tongue: Tongue):
    """Each field that is shown: the event's name, the field's path, and how it is shown."""
    for name, clauses in tongue.clauses.items():
        for clause in clauses:
            for _, path, shown, _ in Formatter().parse(clause):
                if path is not None:
                    yield name, path, shown


def type_of(model: type[BaseModel], path: str) -> Any:
    """The type of a field, through the parts of a path; optional ones count as what they hold."""
    for part in path.split("."):
        kind = model.model_fields[part].annotation
        kinds = [k for k in get_args(kind) if k is not type(None)] if get_origin(kind) else []
        model = kinds[0] if kinds and get_origin(kind) is not Literal else kind
    return model


@BOTH
def test_every_event_of_the_book_has_words_and_nothing_else_has(tongue):
    """Given the closed table of events, then each has its clauses."""
    assert set(EVENTS) == set(tongue.clauses)
    assert [] == [name for name, clauses in tongue.clauses.items() if not clauses[0]]


@BOTH
def test_each_clause_names_fields_that_its_event_has(tongue):
    """Given the classes of events, then a path leads to a field, and is shown in a known way."""
    for name, path, shown in fields(tongue):
        assert type_of(EVENTS[name], path) is not None
        assert shown in SHOWN


@BOTH
def test_every_value_that_a_shown_field_can_have_has_a_word(tongue):
    """Given fields of few values, then none is missing and none is there for nothing."""
    values = set()
    for name, path, shown in fields(tongue):
        if shown == "word":
            values |= set(get_args(type_of(EVENTS[name], path)))

    assert values == set(tongue.words)


def test_both_languages_show_the_same_of_each_event():
    """Given an event, then no language keeps back what the other says."""
    shown = [
        {name: {p for n, p, _ in fields(tongue) if n == name} for name in EVENTS}
        for tongue in TONGUES.values()
    ]

    assert shown[0] == shown[1]
    assert set(ITALIAN.labels) == set(ENGLISH.labels)


OPENED = ev.RoundOpened(
    **common(),
    currency=EUR,
    move=RouletteBets(lines=(ChanceLine(chance="red", amount=500),)),
    series=ev.SeriesNumber(
        place=3, offset=7, client=None, sealed=ev.Sealed(series=uid(9), place=3, ciphertext="AAAA")
    ),
)


RIGHT = (
    "comprato un diritto di partecipazione (iniziale) di 50,00 EUR su coin-flip, da web",
    "a participation right (initial) of 50.00 EUR at coin-flip was bought by web",
)
ROUND = (
    f"colpo {OPENED.round} di coin con coin-flip versione 1: 5,00 su rosso",
    f"round {OPENED.round} of coin by coin-flip version 1: 5.00 on red",
)


@pytest.mark.parametrize(
    ("event", "it", "en"),
    [
        (
            bet(1, "heads", 1_050),
            "puntata 1: 10,50 EUR su heads",
            "bet 1: 10.50 EUR on heads",
        ),
        (
            payout(2, 3_500, 100),
            "la puntata 2 vince 35,00 e riprende il proprio importo 1,00 EUR",
            "bet 2 wins 35.00 and returns its stake 1.00 EUR",
        ),
        (
            funded(500, "bonus", "benvenuto"),
            "5,00 EUR entrati nella posta (bonus): benvenuto",
            "5.00 EUR entered the posta (bonus): benvenuto",
        ),
        (
            funded(500),
            "5,00 EUR entrati nella posta (iniziale)",
            "5.00 EUR entered the posta (initial)",
        ),
        (
            requested(5_000).model_copy(update={"limit_loss": 0, "account": "VIP"}),
            f"{RIGHT[0]}; perdita programmata 0,00; tipo di conto VIP",
            f"{RIGHT[1]}; planned loss 0.00; account type VIP",
        ),
        (
            OPENED,
            f"{ROUND[0]}; numero 3 della serie {uid(9)}, spostamento 7",
            f"{ROUND[1]}; number 3 of series {uid(9)}, offset 7",
        ),
        (
            ev.DoubleUpStaked(**common(), number=1, half=False, at_risk=125, kept=0, currency=EUR),
            "raddoppio 1: 1,25 EUR a rischio",
            "double-up 1: 1.25 EUR at risk",
        ),
        (
            ev.DoubleUpStaked(**common(), number=2, half=True, at_risk=62, kept=63, currency=EUR),
            "raddoppio 2: 0,62 EUR a rischio, 0,63 messi da parte",
            "double-up 2: 0.62 EUR at risk, 0.63 kept",
        ),
        (
            ev.StakeLost(**common(), bet=4, **money(100)),
            "la puntata 4 perde 1,00 EUR",
            "bet 4 loses 1.00 EUR",
        ),
    ],
)
def test_an_event_is_told_in_both_languages(event, it, en):
    """Given an event, then its sentence leaves out what it does not say."""
    assert (it, en) == (sentence(event, ITALIAN), sentence(event, ENGLISH))


@pytest.mark.parametrize("game", registry.GAMES, ids=lambda game: game.name)
def test_every_game_has_words_for_each_of_its_details(game):
    """Given the registry, then a bet, a move or an outcome is never told by bare values."""
    assert set(game.details) == set(game.words)


PRISON = FrenchPrison(
    choices=(
        PrisonChoice(bet=1, choice=Choice.LEAVE),
        PrisonChoice(bet=2, choice=Choice.MOVE, to="even"),
    )
)


@pytest.mark.parametrize(
    ("details", "it", "en"),
    [
        (find((17,)), "pieno 17", "straight 17"),
        (find((0, 1, 2, 3)), "quattro primi 0-1-2-3", "first four 0-1-2-3"),
        (find(range(1, 13)), "dozzina 1-12", "dozen 1-12"),
        (chance("low"), "manque (1-18)", "low"),
        (outcome(0), "0 verde", "0 green"),
        (outcome(17), "17 nero", "17 black"),
        (
            shifted(30, 10),
            "3 rosso (numero 30, spostato di 10)",
            "3 red (number 30, moved on by 10)",
        ),
        (
            RouletteBets(
                lines=(
                    NumbersLine(numbers=(4, 7), amount=125),
                    AnnouncedLine(announced="voisins", chip=50),
                )
            ),
            "1,25 su 4-7; voisins con fiches da 0,50",
            "1.25 on 4-7; voisins with chips of 0.50",
        ),
        (
            FrenchBets(lines=(), withdraw=(1, 3)),
            "ritira le puntate 1, 3",
            "withdraws bets 1, 3",
        ),
        (
            PRISON,
            "puntata 1 lasciata; puntata 2 spostata su pari",
            "bet 1 left; bet 2 moved to even",
        ),
        (DeucesBet(coins=1, coin=100), "1 moneta da 1,00", "1 coin of 1.00"),
        (DeucesBet(coins=5, coin=25), "5 monete da 0,25", "5 coins of 0.25"),
        (DeucesHold(hold=(1, 4)), "tenere 1, 4", "hold 1, 4"),
        (DeucesHold(hold=()), "non tenere nulla", "hold nothing"),
        (
            DeucesFinal(cards=("Ts", "Js", "Qs", "Ks", "As"), category=Category.NATURAL_ROYAL),
            "Ts Js Qs Ks As: scala reale senza 2",
            "Ts Js Qs Ks As: royal flush without a deuce",
        ),
    ],
)
def test_a_games_details_are_told_in_both_languages(details, it, en):
    """Given a bet, a move or an outcome, then people of both languages know it."""
    told = registry.told(details)

    assert (it, en) == (told.it, told.en)


def test_the_wheel_is_drawn_around_the_ball():
    """Given 17, then it lies between 25 and 34, with five pockets to each side."""
    assert (
        " ┌────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┐ ",
        "·│ 19 │ 4  │ 21 │ 2  │ 25 │>17<│ 34 │ 6  │ 27 │ 13 │ 36 │·",
        " └────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┘ ",
    ) == registry.told(outcome(17)).drawing


def test_cards_are_drawn_side_by_side():
    """Given three cards, then each stands over its place."""
    assert (
        "┌────┐ ┌────┐ ┌────┐",
        "│10♣ │ │ 2♦ │ │ A♠ │",
        "└────┘ └────┘ └────┘",
        "  1      2      3",
    ) == drawn(("Tc", "2d", "As"))
