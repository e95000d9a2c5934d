"""The workers' application over a queue that hands a message out again after two seconds."""

from ops.celery_app import app

__all__ = ["app"]

app.conf.broker_transport_options = {**app.conf.broker_transport_options, "visibility_timeout": 2}
