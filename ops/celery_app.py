"""What `celery -A ops.celery_app worker` starts from: settings, then the application."""

from ops import logs
from ops.collector import look_seldom
from ops.settings import load_settings
from ops.shared import share_metrics

settings = load_settings()
logs.configure()
look_seldom()

share_metrics(settings)

from ops.workers import celery  # noqa: E402 - it imports the metrics' library

app = celery(settings)
