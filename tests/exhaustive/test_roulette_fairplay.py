"""Roulette by account type by enumeration: every placement and named bet at every pocket.

The second method is the picture of the table and of the wheel (`tests.roulette_picture`).
"""

import pytest

from ledger.domain.events import DrawRecorded, PayoutCredited, RoundSettled
from tests.fairplay_table import ask, spin, with_bets, with_first_four
from tests.roulette_picture import DRAWN, REDS, WHEEL, WINS

TEXT = with_first_four()
AROUND = [int(number) for number in WHEEL.split("-")]

SECTORS = {
    "zero-spiel": [(0, 3), (12, 15), (26,), (32, 35)],
    "voisins": [
        (0, 2, 3), (0, 2, 3), (4, 7), (12, 15), (18, 21), (19, 22), (25, 26, 28, 29),
        (25, 26, 28, 29), (32, 35),
    ],
    "orphelins": [(1,), (6, 9), (14, 17), (17, 20), (31, 34)],
    "serie": [(5, 8), (10, 11), (13, 16), (23, 24), (27, 30), (33, 36)],
}  # fmt: skip
"""Where the chips of each sector lie, as the rules list them."""


@pytest.mark.parametrize("pocket", range(37))
def test_every_placement_pays_at_every_pocket_what_the_printed_table_says(pocket):
    """157 rounds of one bet of 5.00 in each of 37 pockets, which every kind takes at RESPECT."""
    for kind, sets in DRAWN.items():
        for numbers in sets:
            bet = {"numbers": sorted(numbers, reverse=True), "amount": "5.00"}
            view = with_bets([bet], "RESPECT", TEXT)
            drawn, *paid, end = spin(view, bytes([pocket]))
            wins = pocket in numbers
            winnings, returned = (500 * WINS[len(numbers)], 500) if wins else (0, 0)
            colour = "green" if pocket == 0 else "red" if pocket in REDS else "black"

            assert [(kind, tuple(sorted(numbers)), 500)] == [
                (e.details.kind, e.details.numbers, e.amount) for e in view.history[1:]
            ]
            assert (DrawRecorded, pocket, colour) == (
                type(drawn), drawn.details.pocket, drawn.details.colour
            )  # fmt: skip
            assert ([(PayoutCredited, winnings, returned)] if wins else []) == [
                (type(p), p.winnings, p.stake_returned) for p in paid
            ]
            assert (RoundSettled, 500, winnings, returned, 500 - returned, 0, 1) == (
                type(end), end.staked, end.winnings, end.stake_returned, end.stakes_lost,
                end.refunded, end.bets,
            )  # fmt: skip


def test_a_series_round_is_paid_as_a_drawn_one_at_each_number_and_offset():
    """All 37 numbers with all 37 offsets: the pocket alone decides."""
    bets = [{"numbers": [n], "amount": "1.00"} for n in range(0, 37, 2)]
    drawn = {pocket: spin(with_bets(bets, "LITE"), bytes([pocket])) for pocket in range(37)}
    for offset in range(37):
        view = with_bets(bets, "LITE", offset=offset)
        for number in range(37):
            events = spin(view, bytes([number]))
            pocket = (number + offset) if number + offset <= 36 else (number + offset - 37)

            assert (number, offset, pocket, str(pocket), f"{number:02x}") == (
                events[0].details.number, events[0].details.offset, events[0].details.pocket,
                events[0].shown, events[0].entropy,
            )  # fmt: skip
            assert drawn[pocket][1:] == events[1:]


@pytest.mark.parametrize("number", range(37))
def test_neighbours_win_at_the_five_pockets_around_their_number(number):
    """In chips of 10.00 and as a stake of 50.00, at every pocket: 360.00 or nothing."""
    place = AROUND.index(number)
    five = {AROUND[(place + step) % 37] for step in range(-2, 3)}
    for pocket in range(37):
        expected = "360.00" if pocket in five else "0.00"
        for worth in ({"chip": "10.00"}, {"stake": "50.00"}):
            bet = {"neighbours": number, **worth}
            answer = ask(account="VIP", bets=[bet], outcome=pocket)

            assert ("50.00", expected) == (answer["staked"], answer["credited"])


@pytest.mark.parametrize("name", SECTORS)
def test_each_sector_pays_at_every_pocket_what_its_chips_pay(name):
    """A chip of 10.00 on each part, and the same money as one stake."""
    parts = SECTORS[name]
    for pocket in range(37):
        credited = sum(10 * (WINS[len(part)] + 1) for part in parts if pocket in part)
        for worth in ({"chip": "10.00"}, {"stake": f"{10 * len(parts)}.00"}):
            bet = {"announced": name, **worth}
            answer = ask(account="VIP", bets=[bet], outcome=pocket)

            assert (f"{10 * len(parts)}.00", f"{credited}.00") == (
                answer["staked"], answer["credited"]
            )  # fmt: skip
