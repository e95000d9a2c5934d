"""What `celery -A ops.celery_app worker` starts from: settings, then the application."""

import os

from ops import logs
from ops.settings import load_settings

settings = load_settings()
logs.configure()

# The transport of the queues would take this variable for its own and leave the book's server.
os.environ.pop("DATABASE_URL", None)

# The metrics' library looks for its folder when it is imported, which the application does.
folder = settings.metrics_dir / str(os.getpid())
folder.mkdir(parents=True, exist_ok=True)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)

from ops.workers import celery  # noqa: E402 - the environment must be set before it

app = celery(settings)
