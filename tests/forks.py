"""A process that has imported the program and forks for each command: a start costs nothing.

Each command still is a process of its own, with its arguments, environment, input and exit code.
Requests come as JSON lines on standard input, and each is answered by a line when it has ended.
"""

import json
import os
import sys
import traceback
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import ops.cli
from ledger.domain.events import Frozen
from ops.cli import main


def serve() -> None:
    """Answer requests until there are none."""
    for module in iter_modules(ops.cli.__path__):
        import_module(f"ops.cli.{module.name}")
    build_models(Frozen)
    for line in sys.stdin:
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            become(request)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def build_models(base: type[Frozen]) -> None:
    """Build what the program builds of its models when it first uses them."""
    for model in base.__subclasses__():
        model.model_rebuild()
        build_models(model)


def become(request: dict) -> None:
    """Be the program in this fork, with the request's files, environment and arguments."""
    folder = Path(request["folder"])
    for number, (name, flags) in enumerate((("in", os.O_RDONLY), ("out", W), ("err", W))):
        os.dup2(os.open(folder / name, flags), number)
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["contoposta", *request["arguments"]]
    code: object = 70
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - a child must never go on as its parent
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


W = os.O_WRONLY | os.O_CREAT | os.O_TRUNC

if __name__ == "__main__":
    serve()
