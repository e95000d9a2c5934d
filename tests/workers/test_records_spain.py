"""Records for Spain, from two days worked by hand: players, totals, sessions, months (DGOJ 3.3)."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from ledger.domain import commands as cmd
from ledger.seal.sealer import Sealed
from tests.french_table import MANUAL
from tests.workers.boxes import Table
from tests.workers.history import Casino
from tests.workers.test_live_tables import FRENCH, first_table, second_table
from tests.workers.two_days import (
    MONDAY,
    NEW_YEAR,
    TUESDAY,
    Days,
    blocked,
    order,
    parsed,
    released,
    schemas,
    tampered,
    texts,
    totals,
    two_days,
)
from workers.log import connected, transaction
from workers.project import project_all
from workers.regulators.authority import Period, Release, Released
from workers.regulators.reading import Ended, Played
from workers.regulators.registry import named
from workers.regulators.release import ReleaseCode, release
from workers.regulators.spain.controls import findings
from workers.regulators.spain.sessions import Sitting, other_games, read_sittings
from workers.regulators.spain.vocabulary import SCHEMA, Head
from workers.reports.files import ReportDiffers

NOVEMBER, DECEMBER = date(2026, 11, 1), date(2026, 12, 1)
ACCOUNT = (
    "SaldoInicial", "Depositos", "Retiradas", "Participacion", "ParticipacionDevolucion",
    "Premios", "Otros", "SaldoFinal",
)  # fmt: skip
PLAY = ("Participacion", "ParticipacionDevolucion", "Premios")
SESSION = "Jugador/Sesion"


@pytest.fixture(scope="module")
def days(database, tmp_path_factory) -> Days:
    """Both days, played; what is released twice is the same."""
    return two_days(database, tmp_path_factory.mktemp("spain"))


def root(days: Days, kind: str, period: str = "2026-11-30"):
    """A released document of a kind."""
    return parsed(days.casino.folder / "es" / f"es-{period}-{kind}.xml")


def test_each_players_account_goes_from_its_opening_to_its_closing_by_what_moved_it(days):
    """Given Monday, when it is released, then both accounts are as worked by hand.

    Anna: 1000.00 - 50.00 - 12.00 + 1.00 + 36.00 = 975.00. Bruno: 1000.00 - 2.25 + 1.25 + 7.00.
    """
    released(days.casino, "es", "day", MONDAY)

    anna, bruno = root(days, "CJD").iterfind(".//{*}Jugador")
    amounts = ("0.00", "1000.00", "-50.00", "-12.00", "1.00", "36.00", "0.00", "975.00")
    assert dict(zip(ACCOUNT, amounts, strict=True)) == totals(anna, *ACCOUNT)
    amounts = ("0.00", "1000.00", "0.00", "-2.25", "0.00", "1.25", "7.00", "1006.00")
    assert dict(zip(ACCOUNT, amounts, strict=True)) == totals(bruno, *ACCOUNT)
    assert ("anna", "20261130100000+0100", "card", "1") == texts(
        anna,
        "JugadorId",
        "Depositos/Operaciones/Fecha",
        "Depositos/Operaciones/MedioPago",
        "Depositos/Operaciones/TipoMedioPago",
    )


def test_the_control_totals_are_those_of_all_players_by_type_of_game(days):
    """Given Monday, when it is released, then CJT has the sums: 1.00 of 1981.00 was in play."""
    released(days.casino, "es", "day", MONDAY)

    told = root(days, "CJT").find("{*}Registro")
    amounts = ("0.00", "2000.00", "-50.00", "-14.25", "1.00", "37.25", "7.00", "1981.00")
    assert dict(zip(ACCOUNT, amounts, strict=True)) == totals(told, *ACCOUNT)
    staked = told.iterfind("{*}Participacion/{*}Desglose")
    by_type = [texts(part, "TipoJuego", "Importe/Linea/Cantidad") for part in staked]
    assert [("AZA", "-2.25"), ("RLT", "-12.00")] == by_type


def test_both_parts_of_an_interrupted_session_carry_its_id(days):
    """Given anna's session, then its parts up to and after the break are told with one id."""
    released(days.casino, "es", "day", MONDAY)

    first, second = root(days, "OtrosJuegos-0001").iterfind("{*}Registro")
    assert (f"{days.anna}-1", f"{days.anna}-2") == (
        *texts(first, "Cabecera/RegistroId"),
        *texts(second, "Cabecera/RegistroId"),
    )
    places = ("SesionId", "FechaInicioSesion", "FechaFinSesion", "SesionCompleta")
    places = [f"{SESSION}/{name}" for name in (*places, "MotivoFinSesion")]
    begun, away, back, over = (
        f"20261130{t}+0100" for t in ("100000", "100500", "100800", "110800")
    )
    assert (str(days.anna), begun, away, "N", "Conexion") == texts(first, *places)
    assert (str(days.anna), back, over, "S", "Usuario") == texts(second, *places)
    game = first.find("{*}Juego")
    assert ("-7.00", "1.00", "36.00") == tuple(totals(game, *PLAY).values())
    assert ("RLT", "Francesa", "N", "1") == texts(
        game, "TipoJuego", "Variante", "JuegoEnVivo", "PartidasJugadas"
    )
    game = second.find("{*}Juego")
    assert ("-5.00", "0.00", "0.00") == tuple(totals(game, *PLAY).values())


def test_a_session_over_midnight_is_told_whole_on_the_day_on_which_it_ends(days):
    """Given bruno's session, then Monday has none of it and Tuesday has all of it."""
    released(days.casino, "es", "day", MONDAY)
    released(days.casino, "es", "day", TUESDAY)

    monday = root(days, "OtrosJuegos-0001").iterfind(".//{*}JugadorId")
    assert {"anna"} == {told.text for told in monday}
    (told,) = root(days, "OtrosJuegos-0001", "2026-12-01").iterfind("{*}Registro")
    game = told.find("{*}Juego")
    assert ("-2.25", "0.00", "1.25") == tuple(totals(game, *PLAY).values())
    assert ("AZA", "2") == texts(game, "TipoJuego", "PartidasJugadas")
    assert ("20261130100000+0100", "20261201013000+0100") == texts(
        told, f"{SESSION}/FechaInicioSesion", f"{SESSION}/FechaFinSesion"
    )


def test_a_month_tells_gross_revenue_and_open_stakes_of_each_type_of_game(days):
    """Given November, then roulette lost 25.00 and Deuces Wild took 1.00, and 1.00 is in play."""
    released(days.casino, "es", "month", NOVEMBER)

    opt = {
        texts(told, "TipoJuego")[0]: (*totals(told, *PLAY, "GGR").values(),)
        for told in root(days, "OPT", "2026-11").iterfind("{*}Registro")
    }
    assert {
        "AZA": ("-2.25", "0.00", "1.25", "-1.00"),
        "RLT": ("-12.00", "1.00", "36.00", "25.00"),
    } == opt
    assert {
        "AZA": ("0.00", "2.25", "-1.25", "1.00"),
        "RLT": ("0.00", "12.00", "-12.00", "0.00"),
    } == (open_stakes(days, "2026-11"))


def open_stakes(days: Days, month: str) -> dict[str, tuple[str, ...]]:
    """Opening, increments, decrements and closing of stakes in play, by type of game."""
    names = ("SaldoInicial", "IncrementoPartidasVivas", "DecrementoPartidasVivas", "SaldoFinal")
    return {
        texts(told, "TipoJuego")[0]: (*totals(told.find("{*}PartidasVivas"), *names).values(),)
        for told in root(days, "BOT", month).iterfind("{*}Registro")
    }


def test_a_month_begins_with_the_stakes_that_the_one_before_left_in_play(days):
    """Given December after November, then the stake of 1.00 that was in play is decided."""
    released(days.casino, "es", "month", NOVEMBER)
    released(days.casino, "es", "month", DECEMBER)

    assert ("1.00", "0.00", "-1.00", "0.00") == open_stakes(days, "2026-12")["AZA"]


def test_a_day_without_play_has_its_records_too(days):
    """Given a Wednesday on which nothing happened, then accounts stand and no session is told."""
    released(days.casino, "es", "day", date(2026, 12, 2))

    told = root(days, "CJT", "2026-12-02").find("{*}Registro")
    amounts = ("1981.00", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00", "1981.00")
    assert dict(zip(ACCOUNT, amounts, strict=True)) == totals(told, *ACCOUNT)
    assert [] == list(root(days, "OtrosJuegos-0001", "2026-12-02").iterfind("{*}Registro"))


def test_a_session_at_live_tables_names_them(casino):
    """Given anna's 10.00 that win and play on, and 3.00 elsewhere, then both tables are named.

    The stake that plays on is a bet of its own: 10.00, 10.00 and 3.00, of which 20.00 came back.
    """
    anna, bruno = at_two_tables(casino)

    games = told_of(casino, anna, bruno)

    assert ("S", "roulette-1,roulette-2") == texts(games[str(anna)], "JuegoEnVivo", "MesaId")
    assert ("-23.00", "0.00", "20.00") == tuple(totals(games[str(anna)], *PLAY).values())
    assert ("-3.00", "1.00", "0.00") == tuple(totals(games[str(bruno)], *PLAY).values())


def test_boxes_of_live_blackjack_are_told_with_all_their_bets(casino):
    """Given 8-8 insured and split into 18 and 20 against 17, and a void double, then all is told.

    Anna stakes 10.00, 5.00 and 10.00, of which 40.00 come back; the void 20.00 are refunded. Bruno
    takes even money: 20.00 for 10.00.
    """
    table = Table(casino)
    table.play_insured_split_and_void_double()

    games = told_of(casino, *table.seats.values())

    anna, bruno = (games[str(table.seats[name])] for name in ("anna", "bruno"))
    assert ("BLJ", "S", "blackjack-1") == texts(anna, "TipoJuego", "JuegoEnVivo", "MesaId")
    assert ("-45.00", "20.00", "40.00") == tuple(totals(anna, *PLAY).values())
    assert ("-10.00", "0.00", "20.00") == tuple(totals(bruno, *PLAY).values())


def told_of(casino: Casino, *sessions: UUID):
    """The Juego of each session, when all of them are closed and the day is released."""
    for session in sessions:
        casino.send(cmd.CloseSession, session=session)
    casino.now = NEW_YEAR
    casino.seal()
    released(casino, "es", "day", MONDAY)
    told = parsed(casino.folder / "es" / "es-2026-11-30-OtrosJuegos-0001.xml")
    records = told.iter("{*}Registro")
    return {texts(r, f"{SESSION}/SesionId")[0]: r.find("{*}Juego") for r in records}


def at_two_tables(casino: Casino) -> tuple[UUID, UUID]:
    """The story of the live tables, up to the last spin; the two sessions."""
    sheet = {"sheet": FRENCH, "sheet_version": 1, "text": MANUAL}
    casino.send(cmd.PublishSheet, **sheet, in_force_from=casino.now)
    for name in ("roulette-1", "roulette-2"):
        casino.send(cmd.OpenTable, table=name, sheet=FRENCH, seats_max=3, chief="maria")
    anna = casino.sit(casino.player("anna"), 10_000, sheet=FRENCH)
    bruno = casino.sit(casino.player("bruno"), 5_000, sheet=FRENCH)
    first_table(casino, anna)
    second_table(casino, anna, bruno)
    return anna, bruno


@pytest.mark.parametrize(
    ("unit", "first"),
    [("day", MONDAY), ("day", TUESDAY), ("day", date(2026, 12, 2)), ("month", NOVEMBER)],
)
def test_every_record_meets_the_authoritys_schema(days, unit, first):
    """Given a period, with play and without, then all of its records are valid by the schema."""
    written = released(days.casino, "es", unit, first, schemas=schemas("es"))

    assert {"day": 3, "month": 4}[unit] == len(written.paths)


def test_g6_the_same_period_has_the_same_bytes_whatever_came_later(days):
    """Given Monday released, when more was played and it is produced again, then it is the same."""
    first = [path.read_bytes() for path in released(days.casino, "es", "day", MONDAY).paths]
    days.casino.sit("bruno", 2_000)
    days.casino.seal()

    again = released(days.casino, "es", "day", MONDAY)

    assert first == [path.read_bytes() for path in again.paths]
    assert [(1,)] == days.casino.rows(
        "SELECT count(*)::int FROM {book}.p_releases WHERE period = '2026-11-30'"
    )


def test_a_rectification_replaces_every_record_and_names_it(database, tmp_path):
    """Given Monday, when it is rectified, then each new record names the one that it replaces.

    What was never released cannot be rectified, and what was stays as it was.
    """
    days = two_days(database, tmp_path)
    wrong = {"rectifies": "a wrong device"}
    asked = order(days.casino, "es", "day", MONDAY, **wrong)
    assert ReleaseCode.NOTHING_TO_RECTIFY == release(days.casino.ports, named("es"), asked).code
    first = released(days.casino, "es", "day", MONDAY).paths
    before = [path.read_bytes() for path in first]

    done = released(days.casino, "es", "day", MONDAY, **wrong)

    assert (2, before) == (done.edition, [path.read_bytes() for path in first])
    assert done == released(days.casino, "es", "day", MONDAY)
    told = root(days, "CJD", "2026-11-30-r2").find("{*}Registro")
    assert ("2026-11-30-CJD-r2", "2026-11-30-CJD", "-12.00") == (
        *texts(told, "Cabecera/RegistroId", "Cabecera/Rectificacion/RegistroId"),
        totals(told.find("{*}Jugador"), "Participacion")["Participacion"],
    )
    session = root(days, "OtrosJuegos-0001", "2026-11-30-r2").find("{*}Registro")
    assert (f"{days.anna}-1", "N") == texts(
        session, "Cabecera/Rectificacion/RegistroId", f"{SESSION}/SesionNueva"
    )


def test_other_bytes_than_were_released_are_a_fault_and_write_nothing(days):
    """Given Monday released, when another profile would change it, then its files stay."""
    paths = released(days.casino, "es", "day", MONDAY).paths
    before = [path.read_bytes() for path in paths]
    profile = named("es").profile(operator="C002", warehouse="ALM01", means={"card": 1})

    with pytest.raises(ReportDiffers, match="rectify"):
        release(
            days.casino.ports,
            named("es"),
            order(days.casino, "es", "day", MONDAY, profile=profile),
        )

    assert before == [path.read_bytes() for path in paths]


MOVEMENTS, BALANCES = "p_player_movements_rows", "p_movements_rows"
BROKEN = {
    "an earlier movement of a player is missing": (
        MOVEMENTS,
        "DELETE FROM {} WHERE player = 'anna' AND concept = 'stake'",
        {"opening", "open-stakes"},
    ),
    "a movement of a player is another one": (
        MOVEMENTS,
        "UPDATE {} SET amount = amount + 1 WHERE day = '2026-12-01'",
        {"totals"},
    ),
    "the balances of accounts say something else": (
        BALANCES,
        "UPDATE {} SET credited = credited + 1 WHERE kind = 'conto' AND day = '2026-12-01'",
        {"closing"},
    ),
    "stakes of accounts say something else": (
        BALANCES,
        "UPDATE {} SET debited = debited + 1 WHERE kind = 'stakes' AND day = '2026-12-01'",
        {"open-stakes"},
    ),
    "a payment is missing": (
        "p_payments_rows",
        "UPDATE {} SET recorded = '2026-12-01 09:00Z' WHERE way = 'withdrawal'",
        {"payments"},
    ),
    "a round of a session has another stake": (
        "p_rounds_rows",
        "UPDATE {} SET staked = staked + 1",
        {"session"},
    ),
    "a player has less than nothing": (
        MOVEMENTS,
        "UPDATE {} SET amount = 200000 WHERE concept = 'withdrawal'",
        {"opening", "closing"},
    ),
    "money of another currency": (
        BALANCES,
        "UPDATE {} SET currency = 'RUR' WHERE kind = 'bonus'",
        {"currency"},
    ),
    "the opening is not the closing that was released": (
        BALANCES,
        "UPDATE {} SET credited = credited + 1 WHERE kind = 'conto' AND day = '2026-11-30'",
        {"opening"},
    ),
}


@pytest.mark.parametrize(("table", "statement", "controls"), BROKEN.values(), ids=BROKEN)
def test_a_control_that_fails_blocks_the_records_and_says_which(days, table, statement, controls):
    """Given Monday released and figures that do not agree, then Tuesday is not, and why is said."""
    released(days.casino, "es", "day", MONDAY)

    with tampered(days.casino, table, statement.format(table)):
        assert controls == blocked(days.casino, "es", "day", TUESDAY)


@pytest.mark.parametrize(
    ("told", "controls"),
    [
        ({"closing": 198_100, "open_closing": 100}, set()),
        ({"closing": 198_101, "open_closing": 100}, {"opening"}),
        ({"closing": 198_100, "open_closing": 101}, {"open-stakes"}),
    ],
)
def test_a_day_opens_with_what_was_released_as_the_closing_of_the_one_before(days, told, controls):
    """Given Monday's 1,981.00 and 1.00 in play, then a cent more in its release blocks Tuesday."""
    at = datetime(2026, 12, 2, tzinfo=UTC)
    monday = Released(1, "2026-11-30", 1, {}, told)
    tuesday = Release(
        Period("day", TUESDAY, "Europe/Madrid"), Sealed(1, b"", at, ""), 1, 2, (monday,)
    )
    released(days.casino, "es", "day", TUESDAY)
    with connected(days.casino.ports) as connection, transaction(connection) as cursor:
        figures = named("es").read(cursor, days.casino.ports, tuesday)

    found = findings(*figures, tuesday, {"card": 1})

    assert controls == {finding.check for finding in found}
    assert all("2026-11-30" in finding.place for finding in found)


def test_a_means_of_payment_that_the_profile_does_not_name_is_never_guessed(days):
    """Given a profile without the channel of a payment, then the records are blocked."""
    profile = named("es").profile(operator="C001", warehouse="ALM01")

    assert {"means-of-payment"} == blocked(days.casino, "es", "day", MONDAY, profile=profile)


WHYS = {
    "the player's word": ("player", {}, "Usuario"),
    "the player's own ban": ("excluded", {}, "Usuario"),
    "a player who did not come back": ("expired", {}, "Conexion"),
    "the house": ("operator", {}, "Conexion"),
    "a planned loss that was used up": ("player", {"limit_loss": 1_000}, "Limite"),
    "a planned loss that was not": ("player", {"limit_loss": 1_001}, "Usuario"),
    "a planned time that was over": ("player", {"limit_seconds": 3_600}, "Limite"),
    "a time of play that a limit ended": ("time-over", {}, "Limite"),
    "a planned time that was not": ("player", {"limit_seconds": 3_601}, "Usuario"),
}


@pytest.mark.parametrize(("reason", "plan", "told"), WHYS.values(), ids=WHYS)
def test_the_reason_of_an_end_is_the_plan_the_connection_or_the_players_word(reason, plan, told):
    """Given a session of an hour that lost 10.00, then why it ended as the authority says it."""
    opened, closed = (datetime(2026, 11, 30, hour, tzinfo=UTC) for hour in (9, 10))
    part = Played("live-blackjack", None, opened, closed, 1, 0, 1_000, 0, 0, 0)
    who = ("anna", "live-blackjack", "web", "EUR", opened, closed, reason, 0, 10_000, 9_000)
    ended = Ended(UUID(int=1), *who, (part,))
    sitting = Sitting(ended, **{"limit_loss": 100_000, "limit_seconds": None, **plan}, breaks=())
    period = Period("day", MONDAY, "Europe/Madrid")
    head = Head(Release(period, Sealed(1, b"", closed, ""), 1, 1, ()), "C001", "ALM01")

    (record,) = other_games(head, sitting, {"web": "PC"})

    seconds = plan.get("limit_seconds", 0)
    assert (told, f"{seconds // 3600:02d}000{seconds % 60}", "BLJ", "PC") == texts(
        record,
        f"{SESSION}/MotivoFinSesion",
        f"{SESSION}/PlanificacionSesion/DuracionLimite",
        "Juego/TipoJuego",
        "Jugador/Dispositivo",
    )


def test_a_session_is_told_by_the_plan_that_a_further_right_narrowed(casino):
    """Given 50.00 that may be lost, then 10.00 in an hour with a further right: that was kept."""
    session = casino.sit(casino.player("anna"), limit_loss=5_000)
    narrower = {"limit_loss": 1_000, "limit_seconds": 3_600}
    casino.validate(session, casino.request(session, "anna", 1_000, **narrower), 1_000)
    casino.send(cmd.CloseSession, session=session)
    casino.seal()
    project_all(casino.ports)
    period = Period("day", MONDAY, "Europe/Madrid")
    with connected(casino.ports) as connection, transaction(connection, frozen=True) as cursor:
        (sitting,) = read_sittings(cursor, casino.ports, period)

    assert (1_000, 3_600) == (sitting.limit_loss, sitting.limit_seconds)


OTHER_SCHEMA = b"""<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="Other" type="xs:string"/></xs:schema>"""


def test_records_that_do_not_meet_the_schema_at_hand_are_blocked(days, tmp_path):
    """Given a schema that knows another element alone, then nothing is released by it."""
    (tmp_path / SCHEMA).write_bytes(OTHER_SCHEMA)

    assert {"schema"} == blocked(days.casino, "es", "day", MONDAY, schemas=tmp_path)
