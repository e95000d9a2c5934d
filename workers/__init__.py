"""Celery workers: folds of the sealed log into projections and reports, and timed duties (G6)."""
