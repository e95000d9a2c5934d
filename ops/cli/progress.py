"""The progress bar of long work, on standard error and for a person at a terminal alone."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ops.cli.output import err


def bar() -> Progress:
    """A bar that goes away when the work is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    disabled = not err.is_terminal
    return Progress(*columns, TimeElapsedColumn(), console=err, transient=True, disable=disabled)
