"""The workers' application; a part of its work is some events, so that a small book has many."""

from ops import workers
from ops.celery_app import app
from workers.projections import rebuild
from workers.reconciliation import inside

__all__ = ["app"]

rebuild.PART = 5
workers.RANGE = 15
inside.SPAN, inside.SPANS = 7, 2
