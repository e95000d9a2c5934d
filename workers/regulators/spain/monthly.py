"""RegistroOPT and RegistroBOT: a month's totals of each type of game, and the stakes in play."""

from typing import Any

from workers.projections.players import TO_OPEN, Concept
from workers.regulators.spain.accounts import Accounts, amount_of
from workers.regulators.spain.vocabulary import E, Head, money, nothing, record, text


def operator_totals(head: Head, accounts: Accounts) -> list[Any]:
    """A RegistroOPT for each type of game that is offered by the month's end."""
    return [_totals(head, accounts, kind) for kind in _offered(head, accounts)]


def bets_open(head: Head, accounts: Accounts) -> list[Any]:
    """A RegistroBOT likewise; there are no jackpots."""
    return [_open(head, accounts, kind) for kind in _offered(head, accounts)]


def _offered(head: Head, accounts: Accounts) -> list[str]:
    last = head.release.period.last
    return sorted(kind for kind, since in accounts.offered.items() if since <= last)


def _month(head: Head) -> Any:
    return text("Mes", f"{head.release.period.first:%Y%m}")


def _totals(head: Head, accounts: Accounts, kind: str) -> Any:
    stake = amount_of(accounts.moved, Concept.STAKE).get(kind, 0)
    refund = amount_of(accounts.moved, Concept.REFUND).get(kind, 0)
    prizes = amount_of(accounts.moved, Concept.WINNINGS, Concept.STAKE_RETURNED).get(kind, 0)
    return record(
        head,
        "OPT",
        f"{head.release.period.name}-OPT-{kind}",
        _month(head),
        text("TipoJuego", kind),
        _own(head, "Participacion", stake),
        _own(head, "ParticipacionDevolucion", refund),
        _own(head, "Premios", prizes),
        nothing("PremiosEspecie"),
        nothing("Botes"),
        nothing("AjustesRed"),
        nothing("Otros"),
        nothing("Comision"),
        money("GGR", stake + refund + prizes),
        text("FechaInicioOferta", f"{accounts.offered[kind]:%Y%m%d}"),
    )


def _own(head: Head, tag: str, amount: int) -> Any:
    """A DesgloseOperador: all of it is the operator's own."""
    share = E.Desglose(text("OperadorId", head.operator), money("Importe", amount))
    return E(tag, money("Total", amount), share)


def _open(head: Head, accounts: Accounts, kind: str) -> Any:
    opening = accounts.open_by_type.get(kind, 0)
    moved = {c: TO_OPEN[c] * accounts.moved.get((kind, c), 0) for c in TO_OPEN}
    staked = moved.pop(Concept.STAKE)
    decided = sum(moved.values())
    return record(
        head,
        "BOT",
        f"{head.release.period.name}-BOT-{kind}",
        _month(head),
        text("TipoJuego", kind),
        E.PartidasVivas(
            money("SaldoInicial", opening),
            money("IncrementoPartidasVivas", staked),
            money("DecrementoPartidasVivas", decided),
            money("SaldoFinal", opening + staked + decided),
        ),
        E.Botes(
            money("SaldoInicial", 0),
            money("IncrementoBotes", 0),
            money("DecrementoBotes", 0),
            money("SaldoFinal", 0),
        ),
    )
