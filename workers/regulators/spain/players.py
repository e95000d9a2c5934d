"""RegistroCJD and RegistroCJT: every player's gaming account, and the control totals of all.

Amounts are signed as the player's account sees them, so that they sum up from SaldoInicial to
SaldoFinal. A refund stands in ParticipacionDevolucion of the period in which it was made; an error
of a report is rectified by another edition, and is no movement.
"""

from collections.abc import Mapping
from typing import Any, Final

from ledger.domain.money import format_amount
from workers.projections.players import Concept
from workers.regulators.reading import Payment
from workers.regulators.spain.accounts import Accounts, Moved, amount_of, held_by
from workers.regulators.spain.vocabulary import (
    E,
    Head,
    by_type,
    chunks,
    moment,
    money,
    nothing,
    period_of,
    record,
    text,
    yes,
)

PLAYERS: Final = 5_000
"""Players in one record; more of them are further parts of the same."""
UNKNOWN: Final = ""
"""An address or device that the book does not hold."""
_PRIZES: Final = (Concept.WINNINGS, Concept.STAKE_RETURNED)

Means = Mapping[str, int]


def by_player(head: Head, accounts: Accounts, means: Means) -> list[Any]:
    """The parts of the RegistroCJD of a period."""
    paid: dict[str, list[Payment]] = {}
    for payment in accounts.payments:
        paid.setdefault(payment.player, []).append(payment)
    parts = chunks(accounts.players, PLAYERS)
    return [
        record(
            head,
            "CJD",
            f"{head.release.period.name}-CJD",
            *period_of(head.release),
            *(_player(head, accounts, name, (paid.get(name, []), means)) for name in names),
            part=(number, len(parts)),
        )
        for number, names in enumerate(parts, 1)
    ]


def _player(head: Head, accounts: Accounts, player: str, paid: tuple[list[Payment], Means]) -> Any:
    opening, moved = accounts.openings.get(player, 0), accounts.moved_by_player.get(player, {})
    closing = money("SaldoFinal", opening + held_by(moved))
    return E.Jugador(
        text("JugadorId", player),
        money("SaldoInicial", opening),
        _operations(head, "Depositos", Concept.DEPOSIT, paid),
        _operations(head, "Retiradas", Concept.WITHDRAWAL, paid),
        *_games(moved),
        nothing("Trans_IN"),
        nothing("Trans_OUT"),
        _others(moved),
        money("SaldoFinal", opening + held_by(moved)),
        E.Cuentas(text("Cuenta", player), closing),
        nothing("Comision"),
        _bonuses(moved),
    )


def _games(moved: Moved) -> tuple[Any, ...]:
    """What was staked, refunded and won, by type of game; there is no AjustePremios here."""
    return (
        by_type("Participacion", amount_of(moved, Concept.STAKE)),
        by_type("ParticipacionDevolucion", amount_of(moved, Concept.REFUND)),
        by_type("Premios", amount_of(moved, *_PRIZES)),
        nothing("AjustePremios"),
    )


def _others(moved: Moved) -> Any:
    """Bonuses, which are money of the posta at once, and what no other concept names."""
    named = {
        "Bonos": sum(amount_of(moved, Concept.BONUS).values()),
        "Otros": sum(amount_of(moved, Concept.OTHER).values()),
    }
    parts = [
        E.Desglose(text("Concepto", name), money("Importe", amount))
        for name, amount in named.items()
        if amount
    ]
    return E.Otros(money("Total", sum(named.values())), *parts)


def _bonuses(moved: Moved) -> Any:
    return E.Bonos(money("Total", sum(amount_of(moved, Concept.BONUS).values())))


def _signed(payment: Payment) -> int:
    return payment.amount if payment.way == Concept.DEPOSIT.value else -payment.amount


def _operations(head: Head, tag: str, concept: Concept, paid: tuple[list[Payment], Means]) -> Any:
    """Each payment of one way; addresses and devices are the platform's, not the book's."""
    mine = [p for p in paid[0] if p.way == concept.value]
    return E(
        tag,
        text("Total", format_amount(sum(map(_signed, mine)))),
        *(_operation(head, payment, paid[1]) for payment in mine),
    )


def _operation(head: Head, payment: Payment, means: Means) -> Any:
    return E.Operaciones(
        text("Fecha", moment(payment.recorded, head.release)),
        text("Importe", format_amount(_signed(payment))),
        text("MedioPago", payment.channel),
        text("TipoMedioPago", means[payment.channel]),
        yes("TitularidadVerificada", is_so=False),
        text("ResultadoOperacion", "OK"),
        text("IP", UNKNOWN),
        text("Dispositivo", "OT"),
        text("IdDispositivo", UNKNOWN),
    )


def control_totals(head: Head, accounts: Accounts, means: Means) -> list[Any]:
    """The RegistroCJT of a period, out of the journal."""
    moved = accounts.moved
    body = (
        money("SaldoInicial", accounts.opening),
        _by_means("Depositos", Concept.DEPOSIT, (accounts, means)),
        _by_means("Retiradas", Concept.WITHDRAWAL, (accounts, means)),
        *_games(moved),
        money("Trans_IN", 0),
        money("Trans_OUT", 0),
        _others(moved),
        money("SaldoFinal", accounts.closing),
        nothing("Comision"),
        _bonuses(moved),
        nothing("PremiosEspecie"),
    )
    key = f"{head.release.period.name}-CJT"
    return [record(head, "CJT", key, *period_of(head.release), *body)]


def _by_means(tag: str, concept: Concept, of: tuple[Accounts, Means]) -> Any:
    accounts, means = of
    amounts: dict[str, int] = {}
    for payment in accounts.payments:
        if payment.way == concept.value:
            amounts[payment.channel] = amounts.get(payment.channel, 0) + _signed(payment)
    parts = [
        E.Desglose(
            text("MedioPago", channel),
            text("TipoMedioPago", means[channel]),
            text("Importe", format_amount(amount)),
        )
        for channel, amount in sorted(amounts.items())
    ]
    total = sum(amount_of(accounts.moved, concept).values())
    return E(tag, text("Total", format_amount(total)), *parts)
