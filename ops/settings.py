"""The settings of a process, read once at its start; a wrong one ends the start (all guarantees).

Every setting is an environment variable `CONTOPOSTA_<NAME>`. Nothing needs to be set: the defaults
run everything in one data folder. A message names the variable and says what to give, and never
repeats a value, because a value may be a secret.
"""

import difflib
import os
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from ledger.seal.notes import owner_of

PREFIX = "CONTOPOSTA_"


class SettingsError(ValueError):
    """The process cannot start as it is set; the text lists every wrong setting by its name."""


def _absolute(path: Path) -> Path:
    """One spelling of a folder for every process, whatever its working directory is later."""
    return path.expanduser().resolve()


def _folder(path: Path) -> Path:
    """A folder, or a path where one can still be made."""
    nearest = next(p for p in (path, *path.parents) if p.exists())
    if not nearest.is_dir():
        raise ValueError("a file is in the way")
    return path


def _libpq(secret: SecretStr) -> SecretStr:
    """What libpq can parse, as a URI or as keywords.

    A password's own `@` or `/` in a URI would move a part of it to host, port or database, which
    errors tell.
    """
    try:
        parsed = conninfo_to_dict(secret.get_secret_value())
    except psycopg.ProgrammingError:
        raise ValueError("not a libpq string") from None
    places = [str(parsed.get(name, "")) for name in ("host", "dbname")]
    ports = str(parsed.get("port", "0")).split(",")
    if not parsed or any("@" in place for place in places) or not all(map(str.isdecimal, ports)):
        raise ValueError("not the parts of an address")
    return secret


def _url(secret: SecretStr) -> SecretStr:
    """A scheme, `://` and something behind it."""
    scheme, _, rest = secret.get_secret_value().partition("://")
    if not scheme or not rest:
        raise ValueError("not a URL")
    return secret


def _lower(value: Any) -> Any:
    """Words are taken in any case."""
    return value.lower() if isinstance(value, str) else value


OLD_KEY: Final = Path("keys", "seal.key")
"""Where a home kept its signing key when it was one book's alone: all that it has for itself."""


def _own(name: str, *below: str) -> Callable[[dict[str, Any]], Path]:
    """Where a book has something for itself: in a folder of its name, but in an old home."""

    def place(given: dict[str, Any]) -> Path:
        folder: Path = given["home"] / name
        own = folder if _was_alone(given["home"], given["origin"]) else folder / given["book"]
        return own.joinpath(*below)

    return place


def _was_alone(home: Path, origin: str) -> bool:
    """Whether the home is an old one, and this book's: its key says whose, unless it is damaged."""
    key = home / OLD_KEY
    return key.is_file() and owner_of(key.read_bytes()) in (origin, None)


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]
Folder = Annotated[AbsolutePath, AfterValidator(_folder)]
LibpqString = Annotated[SecretStr, AfterValidator(_libpq)]
SecretUrl = Annotated[SecretStr, AfterValidator(_url)]
BookName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,40}$")]
Origin = Annotated[str, StringConstraints(pattern=r"^[^\s+]{1,200}$")]
CentralUrl = Annotated[str, StringConstraints(pattern=r"^(instant|https?://[^\s/]\S*)$")]
Clock = Annotated[Literal["real", "simulated"], BeforeValidator(_lower)]
Disclosure = Annotated[Literal["never", "on-record"], BeforeValidator(_lower)]
AccountLimits = Annotated[Literal["none", "italy"], BeforeValidator(_lower)]
LogLevel = Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_lower)]


class Settings(BaseSettings):
    """Everything that differs between two installations; the description says what to give."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    home: Folder = Field(
        default=Path(".contoposta"), validate_default=True, description="a data folder's path"
    )
    book: BookName = Field(
        default="contoposta",
        description="a schema name: a small letter, then up to 40 small letters, digits or _",
    )
    database_url: LibpqString | None = Field(
        default=None,
        description="a libpq string, postgresql://user@host/database or host=.. dbname=.., a URI's "
        "password percent-encoded, or leave it unset for the embedded server",
    )
    broker_url: SecretUrl | None = Field(
        default=None,
        description="a Celery broker URL such as amqp://.. or redis://.., "
        "or leave it unset to queue in the database's server",
    )
    result_url: SecretUrl | None = Field(
        default=None,
        description="a Celery result backend URL such as redis://.. or db+postgresql+psycopg://.., "
        "or leave it unset to keep results in the database's server",
    )
    origin: Origin = Field(
        default_factory=lambda given: f"contoposta.example/{given['book']}",
        description="the checkpoint's origin, a name like example.com/book without blanks and +",
    )
    vault: Folder = Field(
        default_factory=_own("vault"),
        description="the path of the folder for the keys of personal data",
    )
    series_keys: Folder = Field(
        default_factory=_own("series"),
        description="the path of the folder for the keys of FairPlay series",
    )
    signing_key: AbsolutePath = Field(
        default_factory=_own("keys", OLD_KEY.name),
        description="the path of the file that holds the key that signs checkpoints",
    )
    signing_key_text: SecretStr | None = Field(
        default=None,
        description="the signing key itself, as its file holds it, in place of a file",
    )
    central_url: CentralUrl | None = Field(
        default=None,
        description="the central system's address, http://.. or https://.., or the word instant",
    )
    account_limits: AccountLimits = Field(
        default="none", description="none, or italy for contos that begin with its law's limits"
    )
    clock: Clock = Field(default="real", description="real or simulated")
    metrics_dir: Folder = Field(
        default_factory=_own("metrics"),
        description="the path of the folder that the processes share their metrics in",
    )
    reports: Folder = Field(
        default_factory=_own("reports"),
        description="the path of the folder for reports",
    )
    disclosure: Disclosure = Field(
        default="never",
        description="never, or on-record to let exports and files of disputes hold personal data, "
        "each on record",
    )
    tiles: Folder | None = Field(
        default=None,
        description="the path of the folder that the sealed log is published in as tiles, "
        "or leave it unset",
    )
    authorities: AbsolutePath | None = Field(
        default=None,
        description="the path of a JSON file that says what each foreign authority knows the "
        "operator by",
    )
    schemas: Folder | None = Field(
        default=None,
        description="the path of the folder that holds the schemas of each authority in a folder "
        "of its code, or leave it unset",
    )
    statements: Folder | None = Field(
        default=None,
        description="the path of the folder that statements of payment providers are put into, "
        "each in a folder of its channel, or leave it unset",
    )
    log_level: LogLevel = Field(default="info", description="debug, info, warning or error")


def load_settings() -> Settings:
    """The settings of this process.

    Raises `SettingsError` that lists every wrong and every unknown setting, one a line.
    """
    refuse_optimised_python()
    faults = list(_unknown())
    try:
        settings = Settings()
    except ValidationError as error:
        faults += _wrong(error)
        raise SettingsError("\n".join(faults)) from None
    faults += _unowned(settings)
    if faults:
        raise SettingsError("\n".join(faults))
    return settings


def refuse_optimised_python() -> None:
    """Assertions guard the book's invariants, so a Python that skips them may not serve it.

    Raises `SettingsError` under `python -O` and `PYTHONOPTIMIZE`.
    """
    if sys.flags.optimize:
        raise SettingsError(
            "Python skips assertions: start it without -O and leave PYTHONOPTIMIZE unset."
        )


def _wrong(error: ValidationError) -> Iterator[str]:
    """A sentence for each wrong setting; a default that waits for a wrong one is not another."""
    for fault in error.errors(include_input=False, include_context=False, include_url=False):
        if fault["type"] != "default_factory_not_called":
            name = str(fault["loc"][0])
            advice = Settings.model_fields[name].description
            yield f"{PREFIX}{name.upper()} is wrong: give {advice}."


def _unowned(settings: Settings) -> Iterator[str]:
    """A sentence where keys lie in the vault of an old home, and no signing key says whose."""
    shared, key = settings.home / "vault", settings.home / OLD_KEY
    if settings.vault != shared / settings.book or key.is_file():
        return
    if any(chain(shared.glob("*.key"), shared.glob("*.destroyed"))):
        yield (
            f"The keys in {shared} do not say whose they are: move those of the book "
            f"{settings.book} to {settings.vault}, or set {PREFIX}VAULT to where they are."
        )


def _unknown() -> Iterator[str]:
    """A sentence for each variable with our prefix that no setting reads: most are misspelt."""
    known = [PREFIX + name.upper() for name in Settings.model_fields]
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0)
            yield f"{name} is no setting: unset it, or did you mean {near[0]}?"
