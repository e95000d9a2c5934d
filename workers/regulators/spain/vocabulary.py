"""The words and shapes that all Spanish records share (monitoring model 3.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from ledger.domain.money import format_amount
from workers.regulators.authority import CURRENCY, Release
from workers.regulators.xml import TYPE, maker

SCHEMA: Final = "DGOJ_Monitorizacion_3.3.xsd"
VERSION: Final = "3.3"
E: Final = maker("http://cnjuego.gob.es/sci/v3.3.xsd")

ROULETTE: Final = "RLT"
GAME_TYPES: Final[Mapping[str, str]] = {
    "roulette": ROULETTE,
    "roulette-fairplay": ROULETTE,
    "french-roulette": ROULETTE,
    "live-blackjack": "BLJ",
    "deuces-wild": "AZA",
}
"""TipoJuego by the name of a game."""
COMPLEMENTARY: Final = "COM"
"""TipoJuego of every other game."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Head:
    """What the heads of batches and records say."""

    release: Release
    operator: str
    warehouse: str

    @property
    def stem(self) -> str:
        """What files and batches are named by."""
        return self.release.stem


def game_type(game: str) -> str:
    """The TipoJuego of a game."""
    return GAME_TYPES.get(game, COMPLEMENTARY)


def chunks(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Items in parts of at most so many; one empty part where there are none."""
    return [items[n : n + most] for n in range(0, len(items) or 1, most)]


def text(tag: str, value: object) -> Any:
    """An element that holds a text."""
    return E(tag, str(value))


def yes(tag: str, *, is_so: bool) -> Any:
    """An element that says yes or no."""
    return E(tag, "S" if is_so else "N")


def money(tag: str, minor: int) -> Any:
    """An Importe: one line, in euros; `minor` is signed as the player's account sees it."""
    return E(tag, E.Linea(text("Cantidad", format_amount(minor)), text("Unidad", CURRENCY)))


def by_type(tag: str, amounts: Mapping[str, int]) -> Any:
    """A DesgloseTipoJuego: the total, and each type of game that has some."""
    parts = [
        E.Desglose(text("TipoJuego", kind), money("Importe", amount))
        for kind, amount in sorted(amounts.items())
        if amount
    ]
    return E(tag, money("Total", sum(amounts.values())), *parts)


def nothing(tag: str) -> Any:
    """A total of nothing, of any breakdown."""
    return E(tag, money("Total", 0))


def moment(at: datetime, release: Release) -> str:
    """A time with the offset of its zone, such as 20261130100000+0100."""
    return f"{at.astimezone(ZoneInfo(release.period.zone)):%Y%m%d%H%M%S%z}"


def batch(head: Head, kind: str, records: Iterable[Any]) -> Any:
    """A Lote of one kind of records."""
    return E.Lote(
        E.Cabecera(
            text("OperadorId", head.operator),
            text("AlmacenId", head.warehouse),
            text("LoteId", f"{head.stem}-{kind}"),
            text("Version", VERSION),
        ),
        *records,
    )


def record(head: Head, kind: str, key: str, *body: Any, part: tuple[int, int] = (1, 1)) -> Any:
    """A Registro with its head; one of a later edition names the record that it replaces.

    `part` is the number of the record among those that carry its id together, and how many are.
    """
    release = head.release
    made = f"{release.instant:%Y%m%d%H%M%S}"
    replaced = (
        [
            E.Rectificacion(
                text("RegistroId", _id(key, release.edition - 1)), text("RegistroFecha", made)
            )
        ]
        if release.edition > 1
        else []
    )
    return E.Registro(
        {TYPE: f"Registro{kind}"},
        E.Cabecera(
            text("RegistroId", _id(key, release.edition)),
            text("SubregistroId", part[0]),
            text("SubregistroTotal", part[1]),
            text("Fecha", made),
            *replaced,
        ),
        *body,
    )


def _id(key: str, edition: int) -> str:
    return key if edition == 1 else f"{key}-r{edition}"


def period_of(release: Release) -> tuple[Any, Any]:
    """Periodicidad and Periodo of a daily or monthly record."""
    first = release.period.first
    if release.period.unit == "day":
        return text("Periodicidad", "Diaria"), E.Periodo(text("Dia", f"{first:%Y%m%d}"))
    return text("Periodicidad", "Mensual"), E.Periodo(text("Mes", f"{first:%Y%m}"))
