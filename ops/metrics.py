"""The metrics page: what processes share and what the book tells, served to a scrape."""

from contextlib import suppress
from functools import lru_cache
from threading import Thread

import psycopg
from prometheus_client import start_http_server

from ops import bootstrap
from ops.settings import Settings
from ops.workers import ports
from workers.metrics import registry_for_scrape
from workers.ports import Ports


def serve(settings: Settings, port: int, address: str = "127.0.0.1") -> Thread:
    """Serve the page on a port; the thread that does so until the process ends.

    The database need not serve yet. Raises `SettingsError` for a setting that is found wrong now.
    """

    @lru_cache
    def wire() -> Ports:
        with bootstrap.connected(settings):  # says at once that nobody answers; a pool waits
            return ports(settings)

    with suppress(psycopg.Error):
        wire()
    _, thread = start_http_server(port, address, registry_for_scrape(settings.metrics_dir, wire))
    return thread
