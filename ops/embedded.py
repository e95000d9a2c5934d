"""The database and broker of an installation, embedded when nothing else is set (serves G4, G5).

`up`, `down` and `status` care for the embedded server in the data folder; the other functions say
how to reach database, queues and results, whether they are embedded or not.
"""

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ops import broker, cluster
from ops.cluster import Cluster
from ops.settings import Settings


@dataclass(frozen=True, slots=True)
class Status:
    """The embedded server as it is now; `pid` is None when it is not running."""

    pid: int | None
    conninfo: str
    data: Path
    log: Path


def up(settings: Settings) -> str:
    """Start the embedded server if the settings name no other, and return `database_conninfo`.

    Repeated and parallel calls are safe. The server outlives this process. Raises
    `ops.cluster.ClusterError` with the server's own words.
    """
    if settings.database_url is None:
        _start(_place(settings))
    return database_conninfo(settings)


def down(settings: Settings) -> bool:
    """Stop the embedded server; whether there was one running."""
    return cluster.stop(_place(settings))


def status(settings: Settings) -> Status:
    """The embedded server's state, read from its folder without waiting."""
    place = _place(settings)
    return Status(cluster.postmaster(place), place.conninfo(), place.data, place.log)


def database_conninfo(settings: Settings) -> str:
    """The libpq string of the database: the one that is set, or the embedded superuser's."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return _place(settings).conninfo()


def install_broker(settings: Settings) -> None:
    """Make queues and results in the database that is set, unless others are set for both.

    The database's login must be allowed to make roles. `up` has done it in the embedded server.
    """
    elsewhere = settings.broker_url is not None and settings.result_url is not None
    if settings.database_url is not None and not elsewhere:
        broker.install(database_conninfo(settings))


def broker_conninfo(settings: Settings) -> str:
    """The libpq string of the queues, for kombu's `pgmq` transport option `conn_string`.

    It goes there because a URL could not carry a socket's path. Not asked for where
    `broker_url` is set.
    """
    if settings.database_url is not None:
        return broker.as_broker(settings.database_url.get_secret_value())
    return _place(settings).conninfo(user=broker.ROLE)


def result_url(settings: Settings) -> str:
    """Celery's result backend: the one that is set, or the database beside the queues."""
    if settings.result_url is not None:
        return settings.result_url.get_secret_value()
    return broker.result_url(broker_conninfo(settings))


@contextlib.contextmanager
def temporary_cluster(home: Path, *, with_broker: bool = True) -> Iterator[str]:
    """A private server in a folder that is deleted at the end; yields its superuser's conninfo.

    `home` need not exist. Without the broker its database is empty, as a restore wants it.
    """
    place = Cluster(home.resolve())
    try:
        if with_broker:
            _start(place)
        else:
            cluster.start(place)
        yield place.conninfo()
    finally:
        cluster.stop(place, thrown_away=True)
        shutil.rmtree(place.home, ignore_errors=True)


def _place(settings: Settings) -> Cluster:
    return Cluster(settings.home)


def _start(place: Cluster) -> None:
    cluster.start(place)
    broker.install(place.conninfo())
