"""What commands work with: settings read at the start, and the desk built when it is needed."""

from functools import lru_cache

from ops import logs
from ops.desk import Desk
from ops.fairplay import FairPlay
from ops.settings import Settings, load_settings

CLERK = "clerk"


@lru_cache
def settings() -> Settings:
    """The settings of this process; a wrong one ends it before anything else is done."""
    given = load_settings()
    logs.configure()
    return given


@lru_cache
def desk(actor: str = CLERK) -> Desk:
    """The desk of this process for an actor; a database that does not serve says why at once.

    So does a signing key that is not the book's.
    """
    from ops import bootstrap  # noqa: PLC0415 - what shares its metrics says so before this import
    from ops.signing_keys import check_signing_key  # noqa: PLC0415 - as above

    with bootstrap.connected(settings(), "writer") as connection:
        check_signing_key(settings(), connection)
    return bootstrap.desk(settings(), actor)


def fairplay(actor: str = CLERK) -> FairPlay:
    """The desk's part that has to do with FairPlay series."""
    from ops import bootstrap  # noqa: PLC0415 - as above

    return bootstrap.fairplay(settings(), desk(actor))
