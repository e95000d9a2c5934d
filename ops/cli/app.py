"""The command line's assembly: which module holds which command, and how each command ends.

A module is imported when one of its commands is asked for, so that judging rounds in a script does
not wait for the parts that speak to databases and brokers.
"""

import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typing_extensions import override

from ops.collector import look_seldom

PROGRAM: Final = "contoposta"

_ALONE: Final[Mapping[str, tuple[str, ...]]] = {
    "services": ("up", "down", "status", "migrate", "adopt"),
    "rounds": ("play",),
    "players": ("simulate",),
    "quote": ("quote", "advise"),
    "games": ("sheets", "rtp", "refusals"),
    "book": ("seal", "verify"),
    "exports": ("export",),
    "replay": ("replay",),
    "work": ("project", "rebuild", "duties", "worker", "beat", "metrics"),
}
"""Modules and the commands that their `app` holds."""

_GROUPS: Final[Mapping[str, tuple[str, str]]] = {
    "conto": ("contos", "app"),
    "session": ("sessions", "app"),
    "round": ("rounds", "rounds"),
    "table": ("tables", "app"),
    "report": ("reports", "app"),
    "reconcile": ("reconcile", "app"),
    "monitor": ("monitor", "app"),
    "fairplay": ("series", "app"),
    "correction": ("corrections", "app"),
    "maintenance": ("book", "maintenance"),
    "tiles": ("tiles", "app"),
    "key": ("keys", "app"),
    "dispute": ("disputes", "app"),
    "player": ("disputes", "players"),
}
"""Groups of commands: the module and the name that each has in it."""

_ORDER: Final = [
    *("up", "down", "status", "migrate", "adopt"),
    *("conto", "session", "play", "round", "table", "fairplay", "simulate"),
    *("quote", "advise", "sheets", "rtp", "refusals"),
    *("seal", "verify", "export", "tiles", "key", "replay", "dispute", "player", "correction"),
    *("maintenance", "reconcile", "monitor"),
    *("project", "rebuild", "report", "duties", "worker", "beat", "metrics"),
]
"""As the help lists them."""


class Commands(TyperGroup):
    """The commands by name, each imported when it is asked for."""

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        return _ORDER

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in _GROUPS:
            group = _part(*_GROUPS[cmd_name])
            group.name = cmd_name
            return group
        for module, names in _ALONE.items():
            if cmd_name in names:
                return _part(module, "app").commands[cmd_name]
        near = get_close_matches(cmd_name, _ORDER, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise typer.BadParameter(f"There is no such command.{hint}", ctx=ctx)


def _part(module: str, name: str) -> TyperGroup:
    return typer.main.get_group(getattr(import_module(f"ops.cli.{module}"), name))


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def contoposta() -> None:
    """The book of record of a remote-gaming concession."""


def main() -> None:
    """Run one command: wrong settings and input end with 2, faults with 3, a refusal with 1."""
    look_seldom()
    try:
        code = app(prog_name=PROGRAM, standalone_mode=False)
    except Exception as error:  # noqa: BLE001 - each kind has its ending, and a bug its traceback
        from ops.cli.endings import end  # noqa: PLC0415 - what knows every fault imports much

        code = end(error)
    sys.exit(code or 0)
