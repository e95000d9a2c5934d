"""Changes made by force: with the guards of a book taken away, as only its owner can."""

from collections.abc import Callable
from typing import Any

import orjson

from tests.house import House

TABLES = ("events", "sealed", "checkpoints")


def by_force(house: House, *statements: str, values: tuple[Any, ...] = ()) -> None:
    """Run statements with the triggers taken away, and put these back as they were."""
    with house.as_superuser() as connection, connection.transaction():
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for statement in statements:
            assert connection.execute(statement, values or None).rowcount > 0, statement
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER refuse_change")
        connection.execute("ALTER TABLE events ENABLE ALWAYS TRIGGER check_save")


def replace_in_states(house: House, old: str, new: str, where: str) -> None:
    """Change a text inside stored states."""
    by_force(
        house,
        f"""UPDATE events SET state =
                   convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8')
             WHERE {where}""",
        values=(old, new),
    )


def edit(
    house: House, topic: str, change: Callable[[dict[str, Any]], object], holding: str = ""
) -> None:
    """Change the document of the last unsealed event of a name that holds a text."""
    stream, version, state = house.rows(
        """SELECT e.originator_id, e.originator_version, e.state
             FROM events e LEFT JOIN sealed s USING (originator_id, originator_version)
            WHERE s.position IS NULL AND e.topic = %s
              AND strpos(convert_from(e.state, 'UTF8'), %s) > 0
            ORDER BY e.xid DESC, e.ord DESC LIMIT 1""",
        topic,
        holding,
    )[0]
    document = orjson.loads(state)
    change(document["event"])
    by_force(
        house,
        "UPDATE events SET state = %s WHERE (originator_id, originator_version) = (%s, %s)",
        values=(orjson.dumps(document), stream, version),
    )
