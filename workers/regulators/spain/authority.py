"""The Spanish authority: daily and monthly records, in days of Europe/Madrid.

Spain and Italy change their clocks together, so that these days are the business days of the book.
Records and the codes of their fields are those of the monitoring model 3.3 (DGOJ).
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from workers.log import Cursor
from workers.ports import Ports
from workers.regulators.authority import (
    Authority,
    Document,
    Draft,
    Profile,
    Release,
    alone,
    unchained,
)
from workers.regulators.spain.accounts import Accounts, read_accounts
from workers.regulators.spain.controls import findings
from workers.regulators.spain.monthly import bets_open, operator_totals
from workers.regulators.spain.players import by_player, control_totals
from workers.regulators.spain.sessions import Sitting, other_games, read_sittings
from workers.regulators.spain.vocabulary import SCHEMA, Head, batch, chunks

Device = Literal["MO", "PC", "TB", "TF", "OT"]
Means = Annotated[int, Field(ge=1, le=18)]
SITTINGS: Final = 5_000
"""Session records in one batch."""


class Spain(Profile):
    """The operator as the authority knows it."""

    operator: Annotated[str, Field(min_length=1, max_length=4)]
    warehouse: Annotated[str, Field(min_length=1, max_length=10)]
    devices: Mapping[str, Device] = Field(default_factory=dict)
    """By the channel of a session; `OT` for one that is not named."""
    means: Mapping[str, Means] = Field(default_factory=dict)
    """The authority's number of the means of payment, by the channel of a payment."""


Figures = tuple[Accounts, tuple[Sitting, ...]]


def read(cursor: Cursor, ports: Ports, release: Release) -> Figures:
    """What accounts had and what moved them; for a day the sessions that ended too."""
    accounts = read_accounts(cursor, ports, release.period)
    daily = release.period.unit == "day"
    return accounts, read_sittings(cursor, ports, release.period) if daily else ()


def draft(figures: Figures, release: Release, profile: Spain) -> Draft:
    """The period's documents, and what their controls found."""
    accounts, sittings = figures
    found = findings(accounts, sittings, release, profile.means)
    told = {"closing": accounts.closing, "open_closing": accounts.open_closing}
    if found:
        return Draft((), found, told)
    head = Head(release, profile.operator, profile.warehouse)
    daily = release.period.unit == "day"
    return Draft(
        (
            *_documents(head, "CJD", by_player(head, accounts, profile.means)),
            *_documents(head, "CJT", control_totals(head, accounts, profile.means)),
            *(_played(head, sittings, profile) if daily else ()),
            *(() if daily else _documents(head, "OPT", operator_totals(head, accounts))),
            *(() if daily else _documents(head, "BOT", bets_open(head, accounts))),
        ),
        (),
        told,
    )


def _documents(head: Head, kind: str, records: Sequence[Any]) -> tuple[Document, ...]:
    return (Document(f"es-{head.stem}-{kind}.xml", batch(head, kind, records), SCHEMA),)


def _played(head: Head, sittings: tuple[Sitting, ...], profile: Spain) -> list[Document]:
    """Sessions in batches of a bounded size; one batch that is empty where none ended."""
    records = [r for s in sittings for r in other_games(head, s, profile.devices)]
    return [
        document
        for number, part in enumerate(chunks(records, SITTINGS), 1)
        for document in _documents(head, f"OtrosJuegos-{number:04d}", part)
    ]


SPAIN: Final = Authority(
    code="es",
    title="Spain, monitoring model 3.3",
    zone="Europe/Madrid",
    units=("day", "month"),
    profile=Spain,
    projections=("journal", "sessions", "rounds", "players"),
    read=read,
    draft=draft,
    pack=alone,
    chain=unchained,
)
