"""Records for the Netherlands, from two days worked by hand: transactions, sessions, a chain."""

import hashlib
from datetime import UTC, date, datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from lxml import etree

from ledger.seal.sealer import Sealed
from tests.workers.two_days import (
    MONDAY,
    TUESDAY,
    Days,
    blocked,
    parsed,
    released,
    schemas,
    tampered,
    texts,
    two_days,
)
from workers.regulators.authority import Period, Release
from workers.regulators.netherlands.records import Booked, documents

WEDNESDAY = date(2026, 12, 2)
TRANSACTION = "wok_player_account_transaction"


@pytest.fixture(scope="module")
def days(database, tmp_path_factory) -> Days:
    """Both days, played; what is released twice is the same."""
    return two_days(database, tmp_path_factory.mktemp("netherlands"))


def records(days: Days, day: str, kind: str):
    """The records of a kind in the batch of a day."""
    with ZipFile(days.casino.folder / "nl" / f"nl-{day}.zip") as batch:
        names = [n for n in batch.namelist() if n.startswith(f"nl-{day}-{kind}")]
        return [r for name in names for r in etree.parse(BytesIO(batch.read(name))).getroot()]


def booked(days: Days, day: str) -> list[tuple]:
    """Player, kind and amount of each transaction of a day."""
    fields = ("Player_Profile_ID", "Transaction_Type", "Transaction_Amount")
    return [texts(told, *fields) for told in records(days, day, TRANSACTION)]


def operator(days: Days, day: str) -> tuple:
    """The day's total and that of 365 days."""
    (told,) = records(days, day, "wok_operator")
    fields = ("Totals/Subtotal_Previous_Day", "Totals/Subtotal_Previous365Days")
    return texts(told, "Concerned_Date", *fields)


def test_the_stakes_of_a_session_are_one_transaction_and_its_wins_another(days):
    """Given Monday, then payments stand alone and anna's play is merged: the house lost 25.00."""
    released(days.casino, "nl", "day", MONDAY)

    assert [
        ("anna", "DEPOSIT", "1000.00"),
        ("bruno", "DEPOSIT", "1000.00"),
        ("anna", "WITHDRAWAL", "-50.00"),
        ("anna", "STAKE", "-12.00"),
        ("anna", "VOID_STAKE", "1.00"),
        ("anna", "WINNING", "36.00"),
    ] == booked(days, "2026-11-30")
    assert ("2026-11-30", "-25.00", "-25.00") == operator(days, "2026-11-30")
    (session,) = records(days, "2026-11-30", "wok_game_session")
    assert (str(days.anna), "2026-11-30T09:00:00Z", "2026-11-30T10:08:00Z", "2", "1") == texts(
        session,
        "Game_Session_ID",
        "Game_Session_Start_Datetime",
        "Game_Session_End_Datetime",
        "Game_Session_Rounds",
        "Game_Session_Rounds_Won",
    )
    linked = [told.text for told in session.iter("Transaction_ID")]
    play = records(days, "2026-11-30", TRANSACTION)[3:]
    assert [texts(told, "Transaction_ID")[0] for told in play] == linked


def test_a_session_over_midnight_belongs_to_the_day_on_which_it_ends(days):
    """Given bruno's session up to 00:30 in UTC, then Tuesday has all of it, its bonus too."""
    released(days.casino, "nl", "day", TUESDAY)

    assert [
        ("bruno", "STAKE", "-2.25"),
        ("bruno", "WINNING", "1.25"),
        ("bruno", "BONUS", "7.00"),
    ] == booked(days, "2026-12-01")
    assert ("2026-12-01", "1.00", "-24.00") == operator(days, "2026-12-01")


def test_a_day_without_play_has_the_operators_totals_alone(days):
    """Given a Wednesday on which nothing happened, then one record says so."""
    released(days.casino, "nl", "day", WEDNESDAY)

    assert ("2026-12-02", "0.00", "-24.00") == operator(days, "2026-12-02")
    assert ([], []) == (
        booked(days, "2026-12-02"),
        records(days, "2026-12-02", "wok_game_session"),
    )


@pytest.mark.parametrize("day", [MONDAY, TUESDAY, WEDNESDAY])
def test_every_record_meets_the_authoritys_schema(days, day):
    """Given a day, with play and without, then all of its records are valid by the schemas."""
    assert 2 == len(released(days.casino, "nl", "day", day, schemas=schemas("nl")).paths)


def test_no_document_holds_more_records_than_the_schema_allows():
    """Given 513 transactions, then they stand in documents of 512 and 1, in their order."""
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    made = Release(Period("day", MONDAY, "UTC"), Sealed(1, b"", at, ""), 1, 1, ())
    booked = [Booked(f"payment-{n}", "anna", at, "DEPOSIT", n + 1) for n in range(513)]

    told = documents((), booked, (0, 0), (made, ("contoposta", "safe-1")))

    assert [512, 1, 1] == [len(document.root) for document in told]
    amounts = [a.text for document in told for a in document.root.iter("Transaction_Amount")]
    assert [f"{n // 100}.{n % 100:02d}" for n in range(1, 514)] == amounts


BROKEN = {
    "a round of a session has another stake": (
        "p_rounds_rows",
        "UPDATE {} SET staked = staked + 1",
        {"session", "day-total"},
    ),
    "a payment is missing": (
        "p_payments_rows",
        "DELETE FROM {} WHERE way = 'withdrawal'",
        {"payments"},
    ),
    "money of another currency": (
        "p_payments_rows",
        "UPDATE {} SET currency = 'RUR' WHERE way = 'withdrawal'",
        {"currency"},
    ),
}


@pytest.mark.parametrize(("table", "statement", "controls"), BROKEN.values(), ids=BROKEN)
def test_a_control_that_fails_blocks_the_records_and_says_which(days, table, statement, controls):
    """Given folded figures that do not agree, then nothing is released and the control is named."""
    released(days.casino, "nl", "day", WEDNESDAY)

    with tampered(days.casino, table, statement.format(table)):
        assert controls == blocked(days.casino, "nl", "day", MONDAY)


def test_the_years_total_adds_up_no_other_currency(days):
    """Given a session in roubles that ended the day before, then the day is blocked for it.

    Its total over 365 days would have roubles among its euros.
    """
    roubles = "UPDATE p_sessions_rows SET currency = 'RUR' WHERE player = 'anna'"

    with tampered(days.casino, "p_sessions_rows", roubles):
        assert {"currency"} == blocked(days.casino, "nl", "day", TUESDAY)


def test_manifests_are_a_chain_that_is_gone_on_with_only_while_it_holds(database, tmp_path):
    """Given two releases and a rectification, then each manifest names batch and predecessor.

    A manifest that was changed, is missing, or is not where the register has it blocks the next.
    """
    days = two_days(database, tmp_path)
    for day in (MONDAY, TUESDAY):
        released(days.casino, "nl", "day", day)
    done = released(days.casino, "nl", "day", MONDAY, rectifies="a wrong instrument")
    folder = days.casino.folder / "nl"
    stems = ("nl-2026-11-30", "nl-2026-12-01", "nl-2026-11-30-r2")

    assert (2, 3) == (done.edition, done.sequence)
    previous = "0" * 64
    for number, stem in enumerate(stems, 1):
        manifest, batch = folder / f"{stem}.manifest.xml", folder / f"{stem}.zip"
        told = ("Sequence_Number", "Previous_Manifest_SHA256", "Batch_File", "Batch_SHA256")
        digest = hashlib.sha256(batch.read_bytes()).hexdigest()
        assert (str(number), previous, batch.name, digest) == texts(parsed(manifest), *told)
        previous = hashlib.sha256(manifest.read_bytes()).hexdigest()
    _replaced(days)
    _broken(days, folder / f"{stems[1]}.manifest.xml")


def _replaced(days: Days) -> None:
    """Each record of the rectification has an id of its own and names the one that it replaces."""
    old, new = (records(days, d, TRANSACTION) for d in ("2026-11-30", "2026-11-30-r2"))
    ids = [texts(told, "Record_ID") for told in old]
    assert ids == [texts(told, "Replaced_Record_ID") for told in new]
    assert not {texts(told, "Record_ID") for told in new} & set(ids)
    same = ("Transaction_ID", "Transaction_Amount")
    assert [texts(told, *same) for told in old] == [texts(told, *same) for told in new]


def _broken(days: Days, manifest) -> None:
    content = manifest.read_bytes()
    manifest.write_bytes(content.replace(b"<Sequence_Number>2", b"<Sequence_Number>3"))
    assert {"manifest-chain"} == blocked(days.casino, "nl", "day", WEDNESDAY)
    manifest.unlink()
    assert {"manifest-chain"} == blocked(days.casino, "nl", "day", WEDNESDAY)
    manifest.write_bytes(content)
    released(days.casino, "nl", "day", WEDNESDAY)
