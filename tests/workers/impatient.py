"""The workers' application; messages come again after two seconds, children last two tasks."""

from ops.celery_app import app

__all__ = ["app"]

app.conf.broker_transport_options = {**app.conf.broker_transport_options, "visibility_timeout": 2}
app.conf.worker_max_tasks_per_child = 2
