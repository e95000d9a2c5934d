"""The embedded server: one per folder, whoever asks, whatever was killed before."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest
from kombu import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import create_engine, text

from ops import broker
from ops.cluster import ClusterError, binary
from ops.embedded import (
    broker_conninfo,
    database_conninfo,
    down,
    result_url,
    status,
    temporary_cluster,
    up,
)
from ops.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder():
    """An empty folder with a short path that is private to its owner."""
    made = Path(tempfile.mkdtemp(prefix="contoposta-test-")).resolve()
    yield made
    shutil.rmtree(made)


@pytest.fixture
def settings(folder):
    """Settings whose home is in the folder; its server is stopped at the end."""
    made = Settings(home=folder / "home")
    yield made
    down(made)


def ask(conninfo: str, query: str) -> object:
    """The one value that a query gives."""
    with psycopg.connect(conninfo) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


def up_in_another_process(settings: Settings) -> str:
    """The conninfo that `up` gives to a process of its own, which then ends."""
    code = "from ops.embedded import up; from ops.settings import Settings; print(up(Settings()))"
    env = {**os.environ, "CONTOPOSTA_HOME": str(settings.home)}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.strip()


def processes_of(settings: Settings) -> list[int]:
    """The live processes that work in the data directory."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()) == settings.home / "postgres":
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def test_a_server_outlives_its_starter_and_is_found_again(settings):
    """Another process's server is the same server, and `down` leaves no process of it."""
    conninfo = up_in_another_process(settings)
    pid = status(settings).pid
    assert pid is not None
    assert conninfo == up(settings) == database_conninfo(settings)
    assert pid == status(settings).pid
    assert ask(conninfo, "SELECT current_database()") == "contoposta"
    assert down(settings)
    assert processes_of(settings) == []
    assert status(settings).pid is None
    assert not down(settings)


def test_a_server_that_was_never_started_is_down(settings):
    """`status` and `down` of an empty place answer and make nothing."""
    assert status(settings).pid is None
    assert not down(settings)
    assert not settings.home.exists()


def test_a_killed_server_comes_up_again_with_what_was_committed(settings):
    """`kill -9` of the postmaster leaves a stale file and orphans; neither stops the next start."""
    conninfo = up(settings)
    with psycopg.connect(conninfo) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS value")
    first = status(settings).pid
    assert first is not None
    busy = subprocess.Popen(
        [binary("psql"), conninfo, "-c", "SELECT sum(n) FROM generate_series(1, 1e9) n"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.kill(first, signal.SIGKILL)
    assert conninfo == up(settings)
    assert first != status(settings).pid
    assert ask(conninfo, "SELECT value FROM kept") == 7
    busy.wait()


def test_a_stale_pid_file_harms_no_stranger_that_has_its_number(settings):
    """After a reboot the number may be somebody else's: the server starts, the other lives."""
    up(settings)
    down(settings)
    file = settings.home / "postgres" / "postmaster.pid"
    stranger = subprocess.Popen(["sleep", "600"])
    file.write_text(f"{stranger.pid}\n{file.parent}\n1\n5432\n.\n\n1 1\nready   \n")
    assert status(settings).pid is None
    assert not down(settings)
    assert ask(up(settings), "SELECT 1") == 1
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_parallel_ups_start_one_server(settings):
    """Whoever comes second waits and finds the first one's server."""
    with ThreadPoolExecutor(4) as pool:
        conninfos = set(pool.map(up_in_another_process, [settings] * 4))
    assert {database_conninfo(settings)} == conninfos
    parents = {psutil.Process(pid).ppid() for pid in processes_of(settings)}
    assert status(settings).pid in parents
    assert len(parents & set(processes_of(settings))) == 1


def test_a_half_made_data_directory_is_made_again(settings):
    """A start that was killed while it made the directory leaves no trace in the next."""
    settings.home.mkdir(parents=True)
    half = settings.home / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    assert ask(up(settings), "SELECT 1") == 1
    assert not half.exists()


@pytest.mark.parametrize("name", ["x" * 120, 'it\'s a "$HOME" of `ours`, è'])
def test_a_long_or_odd_path_is_served_like_any_other(folder, name):
    """Neither the length of a socket's path nor a shell's characters limit the folder."""
    home = folder / name
    settings = Settings(home=home)
    with temporary_cluster(home) as conninfo:
        assert conninfo == up_in_another_process(settings)
        assert ask(conninfo, "SELECT 1") == 1
        engine = create_engine(result_url(settings).removeprefix("db+"))
        with engine.connect() as connection:
            assert connection.execute(text("SELECT 1")).scalar() == 1
        engine.dispose()
        socket_dir = Path(str(conninfo_to_dict(conninfo)["host"]))
    assert processes_of(settings) == []
    assert not socket_dir.exists()
    assert not socket_dir.is_symlink()


def test_private_folders_above_the_data_stay_unlistable(folder):
    """Root's server runs as another account, which may pass through a folder and nothing else."""
    home = folder / "private" / "home"
    home.parent.mkdir(mode=0o700)
    with temporary_cluster(home) as conninfo:
        assert ask(conninfo, "SELECT 1") == 1
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, home.parent, home)]
        assert stat.S_IMODE((home / "postgres").stat().st_mode) == 0o700
    assert [0o701 if os.geteuid() == 0 else 0o700] * 3 == modes


def test_the_server_keeps_what_it_confirms_and_listens_on_no_port(database):
    """The settings that the guarantees of durability and sealing stand on."""
    shown = {
        name: ask(database, f"SHOW {name}")
        for name in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums")
    }
    assert dict.fromkeys(shown, "on") == shown
    assert ask(database, "SHOW max_prepared_transactions") == "0"
    assert ask(database, "SHOW max_connections") == "200"
    assert ask(database, "SHOW listen_addresses") == ""
    assert ask(database, "SHOW unix_socket_permissions") == "0700"
    assert int(str(ask(database, "SHOW server_version_num"))) // 10_000 == 18


def test_another_version_s_data_is_refused_by_name(settings):
    """A folder of another PostgreSQL is neither started nor changed."""
    up(settings)
    down(settings)
    (settings.home / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(ClusterError, match=r"holds PostgreSQL 16 data"):
        up(settings)


def test_a_database_that_is_set_is_used_and_none_is_started(folder):
    """With `CONTOPOSTA_DATABASE_URL` the folder stays empty and the queues' role is taken on."""
    url = "postgresql://me:p%40ss@db.example:6432/book?options=-c%20jit%3Doff"
    settings = Settings(home=folder / "home", database_url=url)
    assert url == up(settings)
    assert not settings.home.exists()
    options = "-c role=contoposta_broker -c search_path=celery_results"
    options = f"-c jit=off {options} -c idle_in_transaction_session_timeout=60s"
    queues = conninfo_to_dict(broker_conninfo(settings))
    assert {
        "user": "me",
        "password": "p@ss",
        "host": "db.example",
        "port": "6432",
        "dbname": "book",
        "options": options,
    } == queues
    assert result_url(settings).startswith("db+postgresql+psycopg://me:p%40ss@/book?host=db.exam")


def test_a_result_backend_that_is_set_is_used(folder):
    """`CONTOPOSTA_RESULT_URL` goes to Celery as it is."""
    settings = Settings(home=folder / "home", result_url="redis://results.example/1")
    assert result_url(settings) == "redis://results.example/1"


def carry(settings: Settings) -> object:
    """What a message that is put into a queue by one connection says when another takes it out."""
    options = {
        "conn_string": broker_conninfo(settings),
        "init_extension": False,
        "wait_time_seconds": 0,
        "polling_interval": 0.1,
    }
    with Connection("pgmq://", transport_options=options) as connection:
        connection.SimpleQueue("letters").put({"posta": 100})
    with Connection("pgmq://", transport_options=options) as connection:
        message = connection.SimpleQueue("letters").get(timeout=20)
        message.ack()
    return message.payload


def test_messages_travel_through_the_queues_of_the_same_server(database, home):
    """What is sent by one connection of the broker's role is received by another."""
    assert {"posta": 100} == carry(Settings(home=home))


@pytest.fixture
def fresh(database):
    """The conninfo of another database of the server, in which nothing was ever made."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE DATABASE concession")
        yield make_conninfo(database, dbname="concession")
        connection.execute("DROP DATABASE concession WITH (FORCE)")


def test_a_database_that_is_set_has_its_queues_from_its_first_migration_on(fresh, program):
    """Where no broker is set, a worker finds the queues that the migration made."""
    given = {"DATABASE_URL": fresh, "CENTRAL_URL": "instant", "BOOK": "concession"}
    program.say("migrate", **given)

    settings = Settings(home=program.home, database_url=fresh)

    assert {"posta": 100} == carry(settings)


def test_a_database_whose_queues_are_elsewhere_has_none(fresh, program):
    """With a broker and a place for results nothing of Celery is in the book's database."""
    given = {"DATABASE_URL": fresh, "CENTRAL_URL": "instant", "BOOK": "concession"}
    program.say("migrate", BROKER_URL="amqp://b", RESULT_URL="redis://r", **given)

    schemas = "SELECT count(*) FROM pg_namespace WHERE nspname IN ('pgmq', 'celery_results')"

    assert 0 == ask(fresh, schemas)


def test_the_broker_s_role_owns_queues_and_results_and_can_do_nothing_else(database, home):
    """A worker's connection string opens no book, makes no schema and is no superuser."""
    with psycopg.connect(database) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS a_book")
        connection.execute("CREATE TABLE IF NOT EXISTS a_book.events (n int)")
    role = broker_conninfo(Settings(home=home))
    assert ask(role, "SELECT current_user") == "contoposta_broker"
    assert ask(role, "SELECT current_schema()") == "celery_results"
    assert ask(role, "SHOW idle_in_transaction_session_timeout") == "1min"
    rights = "rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls"
    assert False is ask(role, f"SELECT {rights} FROM pg_roles WHERE rolname = current_user")
    for forbidden in (
        "SELECT n FROM a_book.events",
        "CREATE SCHEMA mine",
        "CREATE TABLE public.mine (n int)",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ask(role, forbidden)


def test_installing_the_queues_again_changes_nothing(database, home):
    """Queues and their messages survive every further start."""
    role = broker_conninfo(Settings(home=home))
    ask(role, "SELECT pgmq.create('kept')")
    ask(role, "SELECT pgmq.send('kept', '{}')")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(broker.install, [database] * 4))
    assert ask(role, "SELECT queue_length FROM pgmq.metrics('kept')") == 1
    assert ask(role, "SELECT pgmq.purge_queue('kept')") == 1
