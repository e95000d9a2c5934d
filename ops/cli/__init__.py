"""The command line `contoposta`: what a clerk, an auditor or a script does with a book."""

from ops.cli.app import main

__all__ = ["main"]
