"""A round of roulette: what is placed, what is refused and with which code, and how it is drawn."""

import pytest

from games.roulette.bets import AnnouncedLine, RouletteBets, Spin
from games.roulette.refusals import RouletteCode
from ledger.domain.decider import NeedsDraw
from ledger.domain.events import BetPlaced, Details, DrawRecorded, PayoutCredited, RoundSettled
from ledger.domain.refusals import Code, Refusal
from tests.roulette_table import (
    CLASSIC,
    ENGINE,
    PREMIUM,
    VIP,
    after,
    opened,
    place,
    with_bets,
    with_game,
)

RED = {"chance": "red", "amount": "5.00"}
LIMITED = with_game(
    limits={
        "positions": {"red": {"min": 200, "max": 10000}, "split": {"max": 500}},
        "table_max": 20000,
    }
)


def refusal_code(bets, text=CLASSIC):
    """The code with which bets are refused."""
    answer = place(bets, text)
    assert isinstance(answer, Refusal)
    return answer.code


# --- placing -------------------------------------------------------------------------------------


def test_each_position_is_one_bet_in_the_order_of_first_mention():
    """Red, 17, red again: two bets, the first one summed."""
    bets = [RED, {"numbers": [17], "amount": "1.00"}, {"chance": "red", "amount": "0.50"}]

    assert [(e.bet, e.details.kind, e.amount) for e in place(bets)] == [
        (1, "red", 550),
        (2, "straight", 100),
    ]


def test_a_position_named_by_numbers_chance_and_announced_bet_is_one_bet():
    """Red by its numbers and by its name; split 17-20 alone and among the orphans."""
    reds = [36, 34, 32, 30, 27, 25, 23, 21, 19, 18, 16, 14, 12, 9, 7, 5, 3, 1]
    bets = [
        {"numbers": reds, "amount": "1.00"},
        RED,
        {"numbers": [20, 17], "amount": "1.00"},
        {"announced": "orphelins", "chip": "0.25"},
    ]
    placed = {e.details.numbers: e.amount for e in place(bets)}

    assert (placed[tuple(sorted(reds))], placed[(17, 20)], len(placed)) == (600, 125, 6)


@pytest.mark.parametrize(
    "numbers",
    [
        [3, 4],
        [0, 4],
        [12, 16],
        [1, 36],
        [5, 5],
        [36, 37],
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
        [0, 1, 3],
        [2, 3, 4, 5, 6, 7],
        [],
        [-1],
        [37],
        [1, 2, 3, 3],
        [1, 1, 2],
        list(range(37)),
    ],
)
def test_s9_numbers_that_are_no_placement_are_refused_and_become_no_other_bet(numbers):
    """Neither the good bet before it nor anything like it is placed."""
    code = refusal_code([RED, {"numbers": numbers, "amount": "1.00"}])

    assert code == RouletteCode.ILLEGAL_PLACEMENT


@pytest.mark.parametrize("numbers", [[0, 1], [0, 2], [0, 3], [0, 1, 2], [0, 2, 3], [0, 1, 2, 3]])
def test_er2_the_placements_with_zero_are_taken_in_any_order(numbers):
    """Three splits, two trios and the first four."""
    for order in (numbers, numbers[::-1]):
        placed = place([{"numbers": order, "amount": "1.00"}])

        assert [tuple(numbers)] == [e.details.numbers for e in placed]


def test_er5_a_round_without_a_bet_is_refused():
    """An empty list of bets, and a spin over an empty table."""
    assert refusal_code([]) == Code.NO_BET
    assert ENGINE.decide(opened(), Spin(), None).code == Code.NO_BET


def test_er5_bets_are_placed_once_in_a_round():
    """A second move with bets is refused, even an empty one."""
    view = with_bets([RED])
    again = ENGINE.parse({"bets": [RED]})

    assert ENGINE.decide(view, again, None).code == RouletteCode.BETS_CLOSED
    assert ENGINE.decide(view, RouletteBets(lines=()), None).code == RouletteCode.BETS_CLOSED


def test_a_kind_of_bet_that_the_sheet_does_not_pay_is_not_offered():
    """A table without the first four takes its numbers as nothing else."""
    pays = {"straight": 35, "trio": 11, "split": 17}
    text = with_game(pays=pays, announced={})

    first_four = {"numbers": [0, 1, 2, 3], "amount": "1.00"}
    assert refusal_code([first_four], text) == RouletteCode.PLACEMENT_NOT_OFFERED
    assert refusal_code([RED], text) == RouletteCode.PLACEMENT_NOT_OFFERED
    assert len(place([{"numbers": [0, 2, 3], "amount": "1.00"}], text)) == 1


def test_an_announced_bet_that_the_sheet_does_not_have_is_not_offered():
    """Another name, or a table that takes none."""
    assert (
        refusal_code([{"announced": "nassa", "chip": "1.00"}]) == RouletteCode.ANNOUNCED_NOT_OFFERED
    )
    assert (
        refusal_code([{"announced": "voisins", "chip": "1.00"}], with_game(announced={}))
        == RouletteCode.ANNOUNCED_NOT_OFFERED
    )


@pytest.mark.parametrize(
    ("text", "taken", "refused"),
    [
        (CLASSIC, ["0.25", "0.75", "1", "999.75"], ["0.01", "0.20", "0.30", "1.10"]),
        (PREMIUM, ["1.00", "7.00", "26"], ["0.25", "0.50", "1.50", "99.99"]),
        (VIP, ["5.00", "35.00", "500"], ["1.00", "2.50", "7.00", "12.00"]),
    ],
    ids=["classic", "premium", "vip"],
)
def test_er4_every_amount_and_every_announced_chip_is_a_sum_of_the_familys_chips(
    text, taken, refused
):
    """Classic from 0.25, Premium from 1, VIP from 5."""
    for amount in taken:
        assert len(place([{"numbers": [17], "amount": amount}], text)) == 1
        assert len(place([{"announced": "serie", "chip": amount}], text)) == 6
    for amount in refused:
        for bet in ({"numbers": [17], "amount": amount}, {"announced": "voisins", "chip": amount}):
            assert refusal_code([bet], text) == RouletteCode.NOT_A_SUM_OF_CHIPS


def test_er4_two_amounts_that_are_no_chips_do_not_become_one_that_is():
    """0.10 and 0.15 on the same number lie in no chip, though together they would."""
    bets = [{"numbers": [17], "amount": "0.10"}, {"numbers": [17], "amount": "0.15"}]

    assert refusal_code(bets) == RouletteCode.NOT_A_SUM_OF_CHIPS


def test_s7_the_limit_of_a_position_holds_for_the_sum_of_its_bets():
    """60.00 on red twice is more than 100.00; once, or 50.00 twice, is not."""
    sixty, fifty = ({"chance": "red", "amount": amount} for amount in ("60.00", "50.00"))

    assert refusal_code([sixty, sixty], LIMITED) == RouletteCode.POSITION_ABOVE_MAXIMUM
    assert [e.amount for e in place([sixty], LIMITED)] == [6000]
    assert [e.amount for e in place([fifty, fifty], LIMITED)] == [10000]


def test_s7_the_limit_of_a_position_counts_what_announced_bets_lay_there():
    """3.00 on 17-20 and orphans of 2.50 lie 5.50 on it, where a split takes 5.00."""
    split = {"numbers": [17, 20], "amount": "3.00"}

    assert (
        refusal_code([split, {"announced": "orphelins", "chip": "2.50"}], LIMITED)
        == RouletteCode.POSITION_ABOVE_MAXIMUM
    )
    assert len(place([split, {"announced": "orphelins", "chip": "2.00"}], LIMITED)) == 5


def test_s7_the_minimum_of_a_position_holds_for_the_sum_too():
    """1.00 on red is less than 2.00; 1.00 twice is enough."""
    one = {"chance": "red", "amount": "1.00"}

    assert refusal_code([one], LIMITED) == RouletteCode.POSITION_BELOW_MINIMUM
    assert [e.amount for e in place([one, one], LIMITED)] == [200]


def test_s7_the_limit_of_the_table_holds_for_all_bets_together():
    """100.00 on black and 100.25 on odd are more than 200.00."""
    black = {"chance": "black", "amount": "100.00"}

    assert (
        refusal_code([black, {"chance": "odd", "amount": "100.25"}], LIMITED)
        == RouletteCode.TABLE_ABOVE_MAXIMUM
    )
    assert len(place([black, {"chance": "odd", "amount": "100.00"}], LIMITED)) == 2


def test_bets_whose_winnings_could_not_be_booked_are_too_large():
    """Thirty-six times three thousand million euro is more than an amount may be."""
    bet = {"numbers": [17], "amount": "3000000000.00"}

    assert refusal_code([bet]) == Code.AMOUNT_TOO_LARGE


@pytest.mark.parametrize(
    ("bets", "expected"),
    [
        (
            [{"numbers": [1], "amount": "0.10"}, {"numbers": [3, 4], "amount": "1.00"}],
            "illegal-placement",
        ),
        (
            [{"numbers": [1], "amount": "0.10"}, {"announced": "nassa", "chip": "1.00"}],
            "announced-not-offered",
        ),
        (
            [{"chance": "red", "amount": "1.00"}, {"numbers": [1], "amount": "0.10"}],
            "not-a-sum-of-chips",
        ),
        (
            [{"numbers": [1, 2], "amount": "9.00"}, {"chance": "red", "amount": "1.00"}],
            "position-below-minimum",
        ),
        (
            [{"chance": "odd", "amount": "500.00"}, {"numbers": [1, 2], "amount": "9.00"}],
            "position-above-maximum",
        ),
        (
            [{"chance": "odd", "amount": "500.00"}, {"numbers": [1], "amount": "3000000000"}],
            "table-above-maximum",
        ),
    ],
)
def test_where_several_bets_are_wrong_the_first_code_by_precedence_is_answered(bets, expected):
    """The order of the published codes decides, not the order of the bets."""
    assert expected == refusal_code(bets, LIMITED)


def test_refusals_name_the_bet_and_what_to_do():
    """The second bet is wrong; the chips are listed."""
    answer = place([RED, {"numbers": [17], "amount": "0.10"}])

    assert answer.message == "Bet 2: bet a sum of these chips: 0.25, 0.50, 1.00, 5.00, 10.00."


def test_a_move_of_another_game_is_refused():
    """No engine guesses what another one's move might mean."""
    assert ENGINE.decide(opened(), Details(type="other"), None).code == Code.WRONG_GAME


def test_an_announced_line_is_the_same_move_however_it_was_made():
    """A move built in code is decided like one that was read."""
    move = RouletteBets(lines=(AnnouncedLine(announced="serie", chip=25),))

    assert place([{"announced": "serie", "chip": "0.25"}]) == ENGINE.decide(opened(), move, None)


# --- drawing and settling ------------------------------------------------------------------------


def test_g7_a_spin_asks_for_its_draw_after_the_bets():
    """Bets need none; the spin needs 32 bytes before it proposes anything."""
    assert all(isinstance(e, BetPlaced) for e in place([RED]))
    assert NeedsDraw(32) == ENGINE.decide(with_bets([RED]), Spin(), None)


def test_g7_a_pool_of_rejected_bytes_asks_for_more():
    """Thirty-two bytes past 221 decide nothing; the next one does, and all 33 are recorded."""
    view = with_bets([RED])
    rejected = bytes([222]) * 32

    assert NeedsDraw(32) == ENGINE.decide(view, Spin(), rejected)
    drawn = ENGINE.decide(view, Spin(), rejected + bytes([38, 0]))[0]
    assert (
        drawn.entropy,
        drawn.shown,
        drawn.details.pocket,
        drawn.details.colour,
    ) == ("de" * 32 + "26", "1", 1, "red")


def test_g7_the_outcome_depends_on_the_pool_alone():
    """The same bytes under other bets, in another family, give the same draw."""
    pool = bytes(range(200, 232))
    tables = [
        with_bets([RED]),
        with_bets([{"numbers": [n], "amount": "1.00"} for n in range(37)]),
        with_bets([{"announced": "voisins", "chip": "500.00"}], VIP),
    ]
    drawn = [ENGINE.decide(view, Spin(), pool)[0] for view in tables]

    assert {("c8", "15")} == {(e.entropy, e.shown) for e in drawn}


def test_er4_a_spin_draws_pays_the_winning_bets_and_settles():
    """17 comes: the straight wins 35.00 and keeps 1.00, the dozen 2.00 and 1.00, red loses 5.00."""
    bets = [
        {"numbers": [17], "amount": "1.00"},
        RED,
        {"numbers": list(range(13, 25)), "amount": "1.00"},
    ]
    drawn, *paid, end = ENGINE.decide(with_bets(bets), Spin(), bytes([17]))

    assert (DrawRecorded, "11", "17") == (type(drawn), drawn.entropy, drawn.shown)
    assert [(PayoutCredited, 1, 3500, 100), (PayoutCredited, 3, 200, 100)] == [
        (type(e), e.bet, e.winnings, e.stake_returned) for e in paid
    ]
    assert (RoundSettled, 700, 3700, 200, 500, 0, 3) == (
        type(end),
        end.staked,
        end.winnings,
        end.stake_returned,
        end.stakes_lost,
        end.refunded,
        end.bets,
    )


def test_g9_the_move_that_the_rules_make_is_the_spin():
    """At expiry a round that has its bets is spun and settled."""
    view = with_bets([RED])
    events = ENGINE.decide(view, ENGINE.next_move(view), bytes(32))

    assert RoundSettled is type(after(view, events).history[-1])


def test_every_code_of_roulette_is_provoked_above():
    """The published list has no code that nothing answers, here, by account type or in French."""
    by_account_type = {
        RouletteCode.UNKNOWN_ACCOUNT,
        RouletteCode.OWN_LIMITS_NOT_OFFERED,
        RouletteCode.GROUP_BELOW_MINIMUM,
        RouletteCode.GROUP_ABOVE_MAXIMUM,
    }
    in_french = {
        RouletteCode.DECLARED_AMOUNT_DIFFERS,
        RouletteCode.NOT_ANOTHER_CHANCE,
        RouletteCode.NOTHING_TO_REPLAY,
        RouletteCode.REPLAY_NOT_OFFERED,
        RouletteCode.NOTHING_HELD,
    }
    provoked = {
        RouletteCode.BETS_CLOSED,
        RouletteCode.ILLEGAL_PLACEMENT,
        RouletteCode.PLACEMENT_NOT_OFFERED,
        RouletteCode.ANNOUNCED_NOT_OFFERED,
        RouletteCode.NOT_A_SUM_OF_CHIPS,
        RouletteCode.POSITION_BELOW_MINIMUM,
        RouletteCode.POSITION_ABOVE_MAXIMUM,
        RouletteCode.TABLE_ABOVE_MAXIMUM,
    }

    assert set(RouletteCode) == provoked | by_account_type | in_french
