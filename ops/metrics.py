"""The metrics page: what processes share and what the projections hold, served to a scrape."""

from threading import Thread

from prometheus_client import start_http_server

from ops.settings import Settings
from ops.workers import ports
from workers.metrics import registry_for_scrape


def serve(settings: Settings, port: int, address: str = "127.0.0.1") -> Thread:
    """Serve the page on a port; the thread that does so until the process ends."""
    registry = registry_for_scrape(settings.metrics_dir, ports(settings))
    _, thread = start_http_server(port, address, registry)
    return thread
