"""How a command ends when it did not come to its answer: one sentence that says what to do.

People read it on standard error; with `--json` machines read one document on standard output. No
sentence holds a secret: settings are named and never repeated, and only first lines of the
database's words are told.
"""

import sys
import traceback

import psycopg
from pydantic import ValidationError
from typer.exceptions import TyperException

from ledger.domain.refusals import NOTHING_WRITTEN, Code, Fault
from ledger.seal.keys import KeyFault
from ledger.store.faults import Unavailable
from ops.cli.inputs import OPTION, own_id
from ops.cli.output import Exit, clean, print_json, warn
from ops.cluster import ClusterError
from ops.migrate import MigrationError
from ops.settings import SettingsError
from workers.log import Unavailable as Unread

HOW_TO_SERVE = "Try: contoposta up, then contoposta migrate."


def end(error: Exception) -> Exit:
    """Tell what ended a command; its exit code."""
    if isinstance(error, TyperException):
        return _malformed(_usage(error))
    if isinstance(error, ValidationError):
        places = ", ".join(".".join(map(str, e["loc"])) for e in error.errors())
        return _malformed(f"Wrong at {places}: give something shorter, or without odd characters.")
    if isinstance(error, SettingsError | KeyFault):
        _tell(str(error), {"error": {"code": "setting", "message": str(error)}})
        return Exit.USAGE
    if not isinstance(error, KNOWN):
        traceback.print_exception(error)
    sentence = f"{_what(error)}{_again()}"
    _tell(sentence, {"error": {"code": "fault", "message": sentence, "command": _id()}})
    return Exit.FAULT


KNOWN = (Fault, ClusterError, MigrationError, psycopg.Error, OSError)
"""Faults of the infrastructure; what is none of these is a bug."""


def _malformed(sentence: str) -> Exit:
    refusal = {"code": Code.MALFORMED.value, "message": sentence}
    told = f"Refused ({Code.MALFORMED}): {sentence} {NOTHING_WRITTEN}"
    _tell(told if sentence else "", {"accepted": False, "refusal": refusal})
    return Exit.USAGE


def _usage(error: TyperException) -> str:
    """What is wrong in the line that was typed; empty when the help has been printed."""
    said = error.format_message()
    for noise in ("Value error, ", "Invalid value: ", "Invalid value for "):
        said = said.replace(noise, "")
    context = getattr(error, "ctx", None)
    return f"{said} See: {context.command_path} --help." if said and context else said


def _what(error: Exception) -> str:
    first = (str(error).splitlines() or ["no answer"])[0].rstrip(".")
    if isinstance(error, psycopg.Error | Unavailable | Unread):
        return f"The database does not serve: {first}. {HOW_TO_SERVE}"
    if isinstance(error, OSError):
        return f"{error.strerror or first}: {error.filename or 'a file or connection'}."
    return f"{error}" if isinstance(error, KNOWN) else f"This is a bug: {type(error).__name__}."


def _again() -> str:
    """How to give a command again so that it is decided at most once (guarantee G3)."""
    if OPTION in sys.argv:
        return " The same command may be given again."
    return f" Give it again with {OPTION} {_id()}: it is done once." if _id() else ""


def _id() -> str | None:
    """The id that this process made for its command; None when it made none."""
    return own_id() if own_id.cache_info().currsize else None


def _tell(sentence: str, document: dict[str, object]) -> None:
    if "--json" in sys.argv:
        print_json(document)
    elif sentence:
        warn(clean(sentence))
