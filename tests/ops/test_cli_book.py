"""Seal, verify, reports, duties and maintenance at the command line, on books of their own."""

from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import orjson
import psycopg
import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.domain.sheets import canonical
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from tests.house import at_house
from tests.program import SHEET, Shop, files_of

RED = '{"bets":[{"chance":"red","amount":"5.00"}]}'
MISS = '{"bets":[{"numbers":[17],"amount":"1.00"}]}'


def let_pass(shop: Shop, by: timedelta) -> None:
    """Let simulated time pass."""
    clock = shop.home / "clock"
    clock.write_text((datetime.fromisoformat(clock.read_text()) + by).isoformat())


def turnover(shop: Shop) -> list[tuple]:
    """The rows of the turnover projection, whichever generation they are of."""
    return sorted(row[1:] for row in shop.rows("SELECT * FROM p_turnover"))


def minor(amount: str) -> int:
    """Minor units of an amount that may be negative."""
    return round(float(amount) * 100)


def test_g6_a_book_is_sealed_verified_and_named_by_the_same_root(shop):
    """Given rounds, when sealed, then verify recomputes the root that seal and status tell."""
    session = shop.session(shop.player("anna-1"))
    for _ in range(3):
        shop.say("play", session, RED)
    waiting = shop.say("verify")["waiting"]

    sealed = shop.say("seal")
    verdict = shop.say("verify")
    status = shop.say("status")

    assert waiting == sealed["sealed"] == sealed["size"] == shop.events()
    assert (True, 3, [], 0) == tuple(
        verdict[k] for k in ("holds", "rounds_judged", "findings", "waiting")
    )
    assert sealed["root"] == verdict["root"] == status["root"]
    assert sealed["root"] not in sealed["note"]
    assert 0 == shop.say("seal")["sealed"]


def signed(shop: Shop, size: int, root: bytes) -> str:
    """A checkpoint's note under the book's own key."""
    key = SigningKey.parse(Path(shop.settings["SIGNING_KEY"]).read_text().strip())
    return sign_note(Checkpoint(key.name, size, root).text(), key)


def test_g5_a_checkpoint_that_was_kept_shows_whether_the_book_still_is_that_one(
    timed_shop, tmp_path
):
    """Given kept checkpoints, when the log extends them, then it holds; if not, exit code 4."""
    shop = timed_shop
    printed, alone, forked, longer = (tmp_path / n for n in ("printed", "alone", "fork", "longer"))
    shop.player("anna-1")
    printed.write_text(shop.quick("seal", "--json").out)
    shop.player("bruno")
    last = shop.say("seal")
    alone.write_text(last["note"])
    forked.write_text(signed(shop, last["size"], bytes(32)))
    longer.write_text(signed(shop, last["size"] + 1, bytes.fromhex(last["root"])))

    assert shop.say("verify", "--kept", str(printed), "--kept", str(alone))["holds"]
    for file, found in ((forked, "had another root"), (longer, f"only {last['size']} are sealed")):
        done = shop.quick("verify", "--kept", str(printed), "--kept", str(file), "--json")
        (finding,) = done.document["findings"]
        assert (4, "kept") == (done.code, finding["check"])
        assert found in finding["found"]


@pytest.mark.parametrize(
    "content",
    ["", "no note\n", "{", "{}", '{"note":null}', '{"note":"a"}', "a\n\n\u2014 a AAAAAAAA\n"],
)
def test_a_file_that_holds_no_checkpoint_is_refused_before_anything_is_verified(
    shop, tmp_path, content
):
    """Given a wrong file, then exit code 2, and its name with what to give."""
    file = tmp_path / "kept"
    file.write_text(content)

    done = shop.quick("verify", "--kept", str(file), "--json")
    none = shop.quick("verify", "--kept", str(tmp_path / "none"))

    assert (2, "malformed") == (done.code, done.refusal)
    assert f"{file} holds no signed checkpoint" in done.document["refusal"]["message"]
    assert (2, "") == (none.code, none.out)
    assert "cannot be read" in none.err


def test_g5_a_change_made_by_force_is_found_and_ends_with_four(shop):
    """Given a sealed payout that its owner changed by force, when verified, then exit code 4."""
    session = shop.session(shop.player("bruno"))
    shop.say("play", session, RED)
    shop.say("seal")
    forged = """UPDATE events SET state = convert_to(replace(convert_from(state, 'UTF8'),
                '"amount":500', '"amount":900'), 'UTF8') WHERE topic = 'bet-placed'"""
    with psycopg.connect(shop.conninfo, options=f"-c search_path={shop.book}") as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER USER")
        assert connection.execute(forged).rowcount > 0
        connection.execute("ALTER TABLE events ENABLE ALWAYS TRIGGER refuse_change")
        connection.execute("ALTER TABLE events ENABLE ALWAYS TRIGGER check_save")

    found = shop.quick("verify", "--json")
    told = shop.quick("verify")

    assert (4, False) == (found.code, found.document["holds"])
    assert found.document["findings"]
    assert 4 == told.code
    assert f"{len(found.document['findings'])} findings." in told.out


def test_c5_maintenance_refuses_a_session_and_a_round_and_ends_by_its_number(timed_shop):
    """Given a notice in force, then nothing begins, what is in play ends, and afterwards all do."""
    shop = timed_shop
    session = shop.session(shop.player("anna-1"))
    opened = shop.say("round", "open", session, RED)["command"]
    notice = ("2026-12-01T13:00:00Z", "2026-12-01T14:00:00Z", "--reason", "a new [switch]")
    assert "Notice 1 is published." in shop.quick("maintenance", "announce", *notice).out
    let_pass(shop, timedelta(hours=1))

    for begins in (("play", session, RED), ("session", "open", "anna-1", SHEET, "5.00")):
        done = shop.quick(*begins, "--json")
        assert (1, "maintenance") == (done.code, done.refusal)
    assert (1, "The simulation stopped") == (
        len(shop.say("maintenance", "show")),
        shop.quick("simulate", "--rounds", "1").err[:22],
    )
    shop.say("round", "finish", session, opened)
    shop.say("maintenance", "end", "1")
    assert [] == shop.say("maintenance", "show")
    shop.say("play", session, RED)


def test_c1_a_player_who_does_not_come_back_is_expired_by_duties_done_twice(timed_shop):
    """Given a bet and a lost connection, when 20 minutes pass, then the duty ends the session."""
    shop = timed_shop
    session = shop.session(shop.player("carla"), "50.00")
    shop.say("round", "open", session, MISS)
    shop.say("session", "disconnect", session)
    assert (1, "session-disconnected") == (
        (done := shop.quick("play", session, RED, "--json")).code,
        done.refusal,
    )
    let_pass(shop, timedelta(minutes=20))
    shop.say("seal")
    shop.say("project")

    done = [shop.say("duties", "expire-sessions")["expire-sessions"] for _ in range(2)]

    closed = shop.say("session", "show", session)
    assert ("closed", "expired") == (closed["state"], closed["reason"])
    assert minor(closed["final_posta"]) in {49_00, 85_00}
    assert {"done": 1} == done[0]
    assert 1 == sum(e == "session-expired" for (e,) in shop.rows("SELECT topic FROM events"))
    held = 50_00 + minor(closed["final_posta"])
    assert held == minor(shop.say("conto", "show", "carla")["balance"])


def test_a_statement_adds_up_line_by_line_to_the_balance(shop):
    """Given payments, a session and its end, then each line's balance is the sum so far."""
    player = shop.player("dario", "80.00")
    session = shop.session(player, "30.00")
    shop.say("session", "topup", session, "10.00")
    shop.say("play", session, MISS)
    shop.say("session", "close", session)
    shop.say("conto", "withdraw", player, "20.00", "--reference", "iban-7")

    lines = shop.say("conto", "statement", player)["lines"]
    table = shop.quick("conto", "statement", player).out

    final = minor(lines[3]["amount"])
    assert [80_00, -30_00, -10_00, final, -20_00] == [minor(line["amount"]) for line in lines]
    sums = [sum(minor(line["amount"]) for line in lines[: n + 1]) for n in range(5)]
    assert sums == [minor(line["balance"]) for line in lines]
    assert sums[-1] == minor(shop.say("conto", "show", player)["balance"])
    assert final in {39_00, 75_00}
    assert "iban-7" in table
    assert session in table


def test_g6_a_days_report_is_the_same_bytes_twice_and_refused_before_the_day_is_over(timed_shop):
    """Given a day of play, then no report on that day, and after it the same files each time."""
    shop = timed_shop
    session = shop.session(shop.player("elena"))
    shop.say("play", session, RED)
    shop.say("seal")
    early = shop.quick("report", "daily", "2026-12-01", "--json")
    assert (1, "day-not-over") == (early.code, early.refusal)
    before = shop.quick("report", "daily", "2026-11-30", "--json")
    assert (1, "before-first-day") == (before.code, before.refusal)
    let_pass(shop, timedelta(hours=12))

    first = shop.say("report", "daily", "2026-12-01")
    files = {path: Path(path).read_bytes() for path in first["files"]}
    shop.say("play", session, RED)
    again = shop.say("report", "daily", "2026-12-01")

    assert first == again == shop.say("report", "daily")
    assert len(files) >= 6
    assert files == {path: Path(path).read_bytes() for path in files}


def test_projections_are_folded_rebuilt_and_agree(shop):
    """Given sealed play, when projected and rebuilt, then each stands at the log's end."""
    shop.say("play", shop.session(shop.player("fabio")), RED)
    size = shop.say("seal")["size"]

    projected = shop.say("project")
    figures = turnover(shop)
    rebuilt = shop.say("rebuild", "turnover")

    assert {(size, 0)} == {(p["position"], p["lag"]) for p in projected.values()}
    assert size == rebuilt["events"]
    assert figures == turnover(shop) != []


def test_a_book_at_home_is_not_adopted_again_and_a_migration_twice_changes_nothing(shop):
    """Given a book in the cluster that it was made in, then adopt and migrate leave it alone."""
    before = shop.events()

    assert {"adopted": False, "epoch": None} == shop.say("adopt", "--reason", "no need")
    migrated = shop.say("migrate")

    assert ([], [], False) == tuple(
        migrated[k] for k in ("applied", "published", "signing_key_made")
    )
    assert before == shop.events()


def test_g8_a_sheet_changed_in_its_package_after_it_was_published_is_refused(
    shop, forks, cluster, book, tmp_path
):
    """Given a version in the book with another text, when migrated, then nothing is published."""
    packaged = orjson.loads(registry.SHEETS[SHEET].text)
    text = canonical(packaged | {"title": packaged["title"] | {"en": "Another Roulette"}})
    with at_house(cluster, book) as house:
        house.do(cmd.OpenBook, book=book, clock="real")
        now = {"sheet_version": 1, "in_force_from": house.now, "text": text}
        house.do(cmd.PublishSheet, sheet=SHEET, **now)
    other = Shop(shop.home, forks, shop.settings | files_of(book, tmp_path), cluster)

    done = other.quick("migrate", "--json")

    assert (3, "fault") == (done.code, done.document["error"]["code"])
    assert f"{SHEET} version 1 is packaged with another text" in done.document["error"]["message"]
    assert [(1,)] == other.rows("SELECT count(*) FROM events WHERE topic = 'sheet-published'")


def test_a_right_that_was_validated_cannot_be_annulled(shop):
    """Given a session that is open, when its right is to be taken back, then there is none."""
    session = shop.session(shop.player("gina"))

    done = shop.quick("session", "annul", session, "--reason", "asked twice", "--json")

    assert (1, "unknown-participation") == (done.code, done.refusal)
    assert "50.00" == shop.say("session", "show", session)["credit"]


def test_simulate_plays_what_it_was_told_and_the_book_holds_it(shop):
    """Given four players and five rounds each, then so many rounds, refused ones apart."""
    outcome = shop.say("simulate", "--players", "4", "--rounds", "5", "--seed", "3")

    assert 20 == outcome["rounds"] + sum(outcome["refused"].values())
    assert UUID(shop.rows("SELECT max(originator_id::text) FROM events")[0][0])


def test_simulate_plays_a_game_of_several_moves_by_a_strategy(shop):
    """Given poor players of Deuces Wild, then their rounds end, and a person reads double-ups."""
    plan = ("simulate", "--sheet", "deuces-wild", "--strategy", "poor", "--players", "2")
    outcome = shop.say(*plan, "--rounds", "6")
    told = shop.quick(*plan, "--rounds", "1").out

    assert 12 == outcome["rounds"] + sum(outcome["refused"].values())
    assert "double ups" in told


@pytest.mark.parametrize("name", ["journal", "sessions", "rounds", "turnover"])
def test_every_projection_can_be_rebuilt_by_name(shop, name):
    """Given the sealed log, when a projection is rebuilt, then from every sealed event."""
    assert shop.say("seal")["size"] == shop.say("rebuild", name)["events"]
