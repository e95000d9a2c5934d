"""What players' accounts had and what moved them in a period, read in two ways.

The records per player come of the folded movements of each player; the control totals of the
journal and of the balances of accounts, which know no player. That both agree is a control.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from games import registry
from ledger.domain.events import SheetPublished
from ledger.domain.ids import sheet_stream
from workers.days import day_of
from workers.log import Cursor, first_entries, sql
from workers.ports import Ports
from workers.projections.players import HELD, NO_GAME, OPEN, TO_HELD, TO_OPEN, Concept, concept_of
from workers.regulators.authority import Period
from workers.regulators.reading import Payment, payments
from workers.regulators.spain.vocabulary import game_type

Moved = Mapping[tuple[str, Concept], int]
"""Amounts in minor units by type of game, empty for none, and concept."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """A period's figures, in minor units; `held` is what players may bet, `open` what is staked."""

    openings: Mapping[str, int]
    """By player, from the movements before the period."""
    moved_by_player: Mapping[str, Moved]
    payments: tuple[Payment, ...]
    opening: int
    """Of all players together, from the balances of accounts; likewise the three that follow."""
    closing: int
    open_opening: int
    open_closing: int
    moved: Moved
    """From the journal's lines."""
    offered: Mapping[str, date]
    """Since when each type of game is offered."""
    open_by_type: Mapping[str, int]
    """What was staked at the beginning, by type of game."""
    currencies: frozenset[str]

    @property
    def players(self) -> list[str]:
        """Whoever had or moved anything."""
        return sorted({*self.openings, *self.moved_by_player})


def amount_of(moved: Moved, *concepts: Concept) -> dict[str, int]:
    """What some concepts moved, by type of game, signed as the player's account sees it."""
    found: dict[str, int] = defaultdict(int)
    for (kind, concept), amount in moved.items():
        if concept in concepts:
            found[kind] += TO_HELD[concept] * amount
    return found


def held_by(moved: Moved) -> int:
    """By how much movements change what is held."""
    return sum(TO_HELD[concept] * amount for (_, concept), amount in moved.items())


def read_accounts(cursor: Cursor, ports: Ports, period: Period) -> Accounts:
    """The figures of a period whose days are business days of the book."""
    values = {"first": period.first, "last": period.last}
    rows = cursor.execute(sql(_MOVEMENTS, ports.book), values).fetchall()
    span = {"begins": period.begins, "ends": period.ends}
    journal = cursor.execute(sql(_JOURNAL, ports.book), span).fetchall()
    currencies = cursor.execute(sql(_CURRENCIES, ports.book), values).fetchall()
    return Accounts(
        openings=dict(_before(cursor, ports, period, (_OPENINGS, TO_HELD))),
        moved_by_player=_by_player(rows),
        payments=payments(cursor, ports, period.begins, period.ends),
        moved=_summed(_classified(journal)),
        offered=_offered(cursor, ports),
        open_by_type=_open(_before(cursor, ports, period, (_OPEN, TO_OPEN))),
        currencies=frozenset(row[0] for row in currencies),
        **_balances(cursor, ports, period),
    )


def _before(
    cursor: Cursor, ports: Ports, period: Period, what: tuple[str, Mapping[Concept, int]]
) -> list[tuple[str, int]]:
    """Sums of what moved before the period, each concept by its sign."""
    statement, signs = what
    values = {"first": period.first, "concepts": [*signs], "signs": [*signs.values()]}
    return cursor.execute(sql(statement, ports.book), values).fetchall()


def _balances(cursor: Cursor, ports: Ports, period: Period) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, kinds in (("", HELD), ("open_", OPEN)):
        values = {"kinds": list(kinds), "first": period.first, "last": period.last}
        row = cursor.execute(sql(_BALANCES, ports.book), values).fetchone()
        assert row is not None
        found |= {f"{name}opening": row[0], f"{name}closing": row[1]}
    return found


def _summed(rows: Iterable[tuple[str, Concept, int]]) -> Moved:
    moved: dict[tuple[str, Concept], int] = defaultdict(int)
    for game, concept, amount in rows:
        moved[game_type(game) if game else NO_GAME, concept] += amount
    return moved


def _classified(lines: Iterable[tuple[Any, ...]]) -> Iterable[tuple[str, Concept, int]]:
    for event, game, source, target, amount in lines:
        found = concept_of(event, game, source, target)
        if found is not None:
            yield game, found[0], found[1] * amount


def _by_player(rows: Iterable[tuple[Any, ...]]) -> dict[str, Moved]:
    found: dict[str, list[tuple[str, Concept, int]]] = defaultdict(list)
    for player, game, concept, amount in rows:
        found[player].append((game, Concept(concept), amount))
    return {player: _summed(mine) for player, mine in found.items()}


def _open(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for game, amount in rows:
        found[game_type(game)] += amount
    return found


def _offered(cursor: Cursor, ports: Ports) -> dict[str, date]:
    """By the first version of each sheet that is published in the book."""
    streams = [sheet_stream(name) for name in sorted(registry.SHEETS)]
    found: dict[str, date] = {}
    for entry in first_entries(cursor, ports.book, ports.codec, streams):
        assert isinstance(entry.event, SheetPublished)
        kind = game_type(entry.event.engine.partition("/")[0])
        since = day_of(entry.event.in_force_from)
        found[kind] = min(since, found.get(kind, since))
    return found


_MOVEMENTS: Final = """
SELECT player, game, concept, sum(amount)::int8 FROM {book}.p_player_movements
 WHERE day >= %(first)s AND day <= %(last)s GROUP BY player, game, concept
"""

_CURRENCIES: Final = """
SELECT DISTINCT currency FROM {book}.p_movements WHERE day <= %(last)s
"""

_OPENINGS: Final = """
SELECT player, sum(sign * amount)::int8
  FROM {book}.p_player_movements
  JOIN unnest(%(concepts)s::text[], %(signs)s::int[]) AS signs (concept, sign) USING (concept)
 WHERE day < %(first)s GROUP BY player HAVING sum(sign * amount) <> 0
"""

_OPEN: Final = """
SELECT game, sum(sign * amount)::int8
  FROM {book}.p_player_movements
  JOIN unnest(%(concepts)s::text[], %(signs)s::int[]) AS signs (concept, sign) USING (concept)
 WHERE day < %(first)s GROUP BY game HAVING sum(sign * amount) <> 0
"""

_BALANCES: Final = """
SELECT coalesce(sum(credited - debited) FILTER (WHERE day < %(first)s), 0)::int8,
       coalesce(sum(credited - debited), 0)::int8
  FROM {book}.p_movements WHERE kind = ANY(%(kinds)s::text[]) AND day <= %(last)s
"""

_JOURNAL: Final = """
SELECT j.event, coalesce(r.game, ''), regexp_replace(j.source, '^.*:', ''),
       regexp_replace(j.target, '^.*:', ''), sum(j.amount)::int8
  FROM {book}.p_journal j LEFT JOIN {book}.p_rounds r USING (round)
 WHERE j.recorded >= %(begins)s AND j.recorded < %(ends)s
 GROUP BY 1, 2, 3, 4
"""
