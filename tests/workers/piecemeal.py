"""The workers' application; a part of a rebuild is five events, so that a small book has many."""

from ops.celery_app import app
from workers.projections import rebuild

__all__ = ["app"]

rebuild.PART = 5
