"""Logging: structured lines on standard error, so that standard output holds answers alone."""

import logging
import os
import sys

import structlog


def configure() -> None:
    """Set up structlog for this process; the level comes from CONTOPOSTA_LOG_LEVEL."""
    level = logging.getLevelNamesMapping().get(os.environ.get(_LEVEL, "").upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )


_LEVEL = "CONTOPOSTA_LOG_LEVEL"
