"""What boxes of dealing tables bring: by table and seat, and each kind of bet apart (rulings C4).

A double, a split and an insurance are bets of their own beside the bet of the box; the return of a
box is over all of them, and only that one stands beside the sheet's theory, for what a double or an
insurance alone returns depends on the cards for which it is chosen. All bets of boxes tie to the
journal's lines of their rounds.
"""

from typing import Any, Final

from workers.days import Days
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.control import Control, Sums, controlled, together
from workers.reports.measures import (
    BET_KIND,
    CURRENCY,
    LIVE_TABLE,
    PLAY,
    SHEET,
    SHEET_VERSION,
    THEORY,
    exact,
)
from workers.reports.table import Column, Keyed, Kind, Measures, Section, listing, section
from workers.reports.theory import theory

SEAT: Final = Column("seat", Kind.COUNT)
_OF_BETS: Final = tuple(n for n, c in enumerate(PLAY.columns) if not c.name.endswith("rounds"))
BET: Final = Measures(
    tuple(PLAY.columns[n] for n in _OF_BETS),
    PLAY.names,
    lambda figures: tuple(PLAY.show(figures)[n] for n in _OF_BETS),
)
"""Bets by their kind, without rounds: one with bets of two kinds would be two of them in a sum."""
REMARK: Final = (
    "The theoretical return is the least of those that the sheet declares for its strategies, over "
    "all bets of a box: doubles and splits are among them, and no strategy insures. Players who "
    "depart from it lower the actual return: before a difference is taken for a fault, hold the "
    "frequencies of outcomes against their chances."
)


def box_sections(cursor: Cursor, ports: Ports, days: Days) -> tuple[Section, ...]:
    """The sections of boxes that ended in a period of closed days."""
    values = {"begins": days.begins, "ends": days.ends}
    boxes = _rows(cursor, ports, (_BOXES, values))
    bets = _rows(cursor, ports, (_BETS, values))
    sheets = sorted({(str(keys[0]), keys[1]) for keys, _ in boxes}, key=str)
    return (
        _boxes(cursor, ports, boxes),
        section("box-bets", (SHEET, LIVE_TABLE, SEAT, BET_KIND, CURRENCY), BET, bets),
        controlled(cursor, ports, days, (_CONTROL, _told(boxes))),
        listing(
            "box-remarks",
            (SHEET, SHEET_VERSION, Column("remark", Kind.TEXT)),
            ((*sheet, REMARK) for sheet in sheets),
        ),
    )


def _boxes(cursor: Cursor, ports: Ports, boxes: list[Keyed]) -> Section:
    """Each box with the theoretical return of its sheet beside the actual one."""
    returns = theory(cursor, ports, {(*keys[:2], None) for keys, _ in boxes})
    keyed: list[Keyed] = [
        ((*keys[:4], *exact(returns[*keys[:2], None]), keys[4]), figures) for keys, figures in boxes
    ]
    columns = (SHEET, SHEET_VERSION, LIVE_TABLE, SEAT, *THEORY, CURRENCY)
    return section("boxes", columns, PLAY, keyed)


def _rows(cursor: Cursor, ports: Ports, what: tuple[str, dict[str, Any]]) -> list[Keyed]:
    """Rows of five keys, and the figures of play."""
    text, values = what
    cursor.execute(sql(text, ports.book), values)
    return [(row[:5], row[5:]) for row in cursor.fetchall()]


def _told(boxes: list[Keyed]) -> Sums:
    """Turnover and revenue of all bets of boxes, by currency."""
    own = ((keys[-1], dict(zip(PLAY.names, row, strict=True))) for keys, row in boxes)
    return together(
        {str(currency): (o["turnover"], o["turnover"] - o["winnings"] - o["stake_returned"])}
        for currency, o in own
    )


_FIGURES: Final = """
       (count(DISTINCT round) FILTER (WHERE settled))::int8,
       (count(*) FILTER (WHERE settled))::int8,
       coalesce(sum(staked - refunded) FILTER (WHERE settled), 0)::int8,
       sum(winnings)::int8, sum(stake_returned)::int8,
       coalesce(sum(refunded) FILTER (WHERE settled), 0)::int8,
       (count(DISTINCT round) FILTER (WHERE NOT settled))::int8,
       (count(*) FILTER (WHERE NOT settled))::int8,
       coalesce(sum(refunded) FILTER (WHERE NOT settled), 0)::int8
  FROM {book}.p_box_bets WHERE ended_at >= %(begins)s AND ended_at < %(ends)s
 GROUP BY 1, 2, 3, 4, 5
"""

_BOXES: Final = f"SELECT sheet, sheet_version, live_table, seat, currency, {_FIGURES}"
_BETS: Final = f"SELECT sheet, live_table, seat, kind, currency, {_FIGURES}"

# A day more is read on either side, for the clocks of two machines may differ.
_JOURNAL: Final = """
WITH boxes AS (
  SELECT round, opened_at FROM {book}.p_boxes
   WHERE settled AND ended_at >= %(begins)s AND ended_at < %(ends)s)
SELECT j.currency,
       sum(CASE WHEN j.event = 'bet-placed' THEN j.amount
                WHEN j.event = 'bet-refunded' THEN -j.amount ELSE 0 END)::int8,
       sum(CASE WHEN j.target LIKE 'house:%%:bank' THEN j.amount
                WHEN j.source LIKE 'house:%%:bank' THEN -j.amount ELSE 0 END)::int8
  FROM {book}.p_journal j JOIN boxes USING (round)
 WHERE j.recorded < %(ends)s + interval '1 day'
   AND j.recorded >= (SELECT min(opened_at) FROM boxes) - interval '1 day'
 GROUP BY j.currency
"""

_CONTROL: Final = Control("box-control", ("journal", "boxes"), _JOURNAL)
"""All bets of boxes, and the journal's lines of their rounds."""
