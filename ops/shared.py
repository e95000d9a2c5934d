"""The folder in which a process shares its metrics with the page, apart from other processes.

The metrics' library looks for its folder when it is imported, so this comes before that.
"""

import os
from typing import Final

from ops.settings import Settings

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"


def share_metrics(settings: Settings) -> None:
    """Let what this process and its forks count be seen on the page of its installation."""
    folder = settings.metrics_dir / str(os.getpid())
    folder.mkdir(parents=True, exist_ok=True)
    os.environ[FOLDER] = str(folder)
