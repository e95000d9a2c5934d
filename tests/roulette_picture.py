"""The table and the wheel of roulette as they are printed: a second method beside the layout.

Cells that share a border are a split, cells that meet at a point are a corner or a trio, and what a
bet wins is read off the printed table by how many numbers it covers.
"""

from itertools import combinations, pairwise

PICTURE = """
     3  6  9 12 15 18 21 24 27 30 33 36
  0  2  5  8 11 14 17 20 23 26 29 32 35
     1  4  7 10 13 16 19 22 25 28 31 34
"""
LINES = [[int(n) for n in line.split()] for line in PICTURE.strip("\n").splitlines()]
TOP, MIDDLE, BOTTOM = LINES[0], LINES[1][1:], LINES[2]
ROWS = list(zip(TOP, MIDDLE, BOTTOM, strict=True))
CELLS = {n: (x, y) for x, row in enumerate(ROWS) for y, n in enumerate(row)}
REDS = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
WINS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1}
"""The printed table: how many numbers are covered, and what one unit wins."""


def touching(point):
    """The numbers whose cells touch a grid point; zero lies along the left edge of the table."""
    x, y = point
    inside = {n for n, (a, b) in CELLS.items() if a in (x - 1, x) and b in (y - 1, y)}
    return frozenset(inside | {0} if x == 0 else inside)


def bordering():
    """All pairs of numbers whose cells share a border."""
    beside = {
        frozenset((a, b))
        for (a, (ax, ay)), (b, (bx, by)) in combinations(CELLS.items(), 2)
        if abs(ax - bx) + abs(ay - by) == 1
    }
    return beside | {frozenset((0, n)) for n in ROWS[0]}


def drawn_sets():
    """All 157 placements off the picture, by kind."""
    points = [touching((x, y)) for x in range(12) for y in (1, 2)]
    numbers = set(CELLS)
    return {
        "straight": {frozenset({n}) for n in {0, *numbers}},
        "split": bordering(),
        "street": {frozenset(row) for row in ROWS},
        "trio": {p for p in points if 0 in p},
        "corner": {p for p in points if 0 not in p},
        "first-four": {frozenset({0, *ROWS[0]})},
        "six-line": {frozenset({*one, *two}) for one, two in pairwise(ROWS)},
        "column": {frozenset(line) for line in (TOP, MIDDLE, BOTTOM)},
        "dozen": {
            frozenset(n for row in ROWS[first : first + 4] for n in row) for first in (0, 4, 8)
        },
        "red": {frozenset(REDS)},
        "black": {frozenset(numbers - REDS)},
        "even": {frozenset(n for n in numbers if str(n)[-1] in "02468")},
        "odd": {frozenset(n for n in numbers if str(n)[-1] in "13579")},
        "low": {frozenset(n for row in ROWS[:6] for n in row)},
        "high": {frozenset(n for row in ROWS[6:] for n in row)},
    }


DRAWN = drawn_sets()

WHEEL = (
    "0-32-15-19-4-21-2-25-17-34-6-27-13-36-11-30-8-23-10-"
    "5-24-16-33-1-20-14-31-9-22-18-29-7-28-12-35-3-26"
)
"""The pockets as a picture of the wheel shows them, clockwise from zero."""
