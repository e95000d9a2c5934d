"""What must agree before a Spanish record is released; each control names the place and figures."""

from collections.abc import Iterator, Mapping

from ledger.replay import Finding
from workers.projections.players import TO_OPEN, Concept
from workers.regulators.authority import CURRENCY, Release
from workers.regulators.spain.accounts import Accounts, held_by
from workers.regulators.spain.sessions import Sitting


def findings(
    accounts: Accounts,
    sittings: tuple[Sitting, ...],
    release: Release,
    means: Mapping[str, int],
) -> tuple[Finding, ...]:
    """Everything that does not agree; empty where the records may be released."""
    return (
        *_currencies(accounts),
        *_means(accounts, means),
        *_opening(accounts, release),
        *_closing(accounts),
        *_totals(accounts),
        *_payments(accounts),
        *_open(accounts),
        *_sessions(sittings),
    )


def _differ(check: str, place: str, one: int, other: int) -> Iterator[Finding]:
    """A finding where two figures in minor units are not the same."""
    if one != other:
        yield Finding(check, place, f"{one} is not {other}")


def _currencies(accounts: Accounts) -> Iterator[Finding]:
    for currency in sorted(accounts.currencies - {CURRENCY}):
        found = "the records carry euros alone; keep other currencies in a book of their own"
        yield Finding("currency", currency, found)


def _means(accounts: Accounts, means: Mapping[str, int]) -> Iterator[Finding]:
    """A guess at a means of payment would be a false record."""
    for channel in sorted({p.channel for p in accounts.payments} - set(means)):
        found = 'say which of the authority\'s means of payment it is, in the profile at "means"'
        yield Finding("means-of-payment", channel, found)


def _opening(accounts: Accounts, release: Release) -> Iterator[Finding]:
    """The opening is the closing that was released for the period before."""
    yield from _differ(
        "opening", "players against accounts", sum(accounts.openings.values()), accounts.opening
    )
    previous = release.previous()
    if previous is not None:
        place = f"closing released for {previous.period}"
        yield from _differ("opening", place, accounts.opening, previous.told["closing"])
        told = previous.told["open_closing"]
        yield from _differ("open-stakes", place, accounts.open_opening, told)


def _closing(accounts: Accounts) -> Iterator[Finding]:
    """The closing is the opening and what moved it."""
    moved = accounts.opening + held_by(accounts.moved)
    yield from _differ("closing", "opening and movements", moved, accounts.closing)
    for player in accounts.players:
        moves = accounts.moved_by_player.get(player, {})
        closing = accounts.openings.get(player, 0) + held_by(moves)
        if closing < 0:
            yield Finding("closing", player, f"{closing} is below zero")


def _totals(accounts: Accounts) -> Iterator[Finding]:
    """What players' records sum up to is what the control totals say, concept by concept."""
    players: dict[tuple[str, Concept], int] = {}
    for moved in accounts.moved_by_player.values():
        for key, amount in moved.items():
            players[key] = players.get(key, 0) + amount
    for key in sorted({*players, *accounts.moved}):
        place = " ".join(filter(None, (key[1].value, key[0])))
        yield from _differ("totals", place, players.get(key, 0), accounts.moved.get(key, 0))


def _payments(accounts: Accounts) -> Iterator[Finding]:
    """Payments one by one are what the journal moved in and out."""
    for concept in (Concept.DEPOSIT, Concept.WITHDRAWAL):
        told = sum(p.amount for p in accounts.payments if p.way == concept.value)
        moved = sum(a for (_, c), a in accounts.moved.items() if c is concept)
        yield from _differ("payments", concept.value, told, moved)


def _open(accounts: Accounts) -> Iterator[Finding]:
    """Stakes in play: opening, what was staked, and what was decided."""
    opening = sum(accounts.open_by_type.values())
    yield from _differ("open-stakes", "opening", opening, accounts.open_opening)
    moved = sum(TO_OPEN.get(concept, 0) * a for (_, concept), a in accounts.moved.items())
    closing = accounts.open_opening + moved
    yield from _differ("open-stakes", "closing", closing, accounts.open_closing)


def _sessions(sittings: tuple[Sitting, ...]) -> Iterator[Finding]:
    """What a session's posta lost is what its record says was staked and not given back."""
    for sitting in sittings:
        ended = sitting.ended
        lost = ended.posta_in - ended.posta_out
        yield from _differ("session", str(ended.session), ended.taken, lost)
