"""What the quotes of all games share: a round that begins under a sheet and is recorded nowhere.

Nothing is decided here: a move goes through the session's own `step`, as in play.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

from ledger.domain import rounds, session as ses
from ledger.domain.decider import Engine, RoundView
from ledger.domain.events import Details, RoundOpened, SheetRef
from ledger.domain.money import AMOUNT_MAX
from ledger.domain.refusals import Refusal
from ledger.domain.rules import Rules
from ledger.domain.sheets import Published, read_head, text_hash
from ledger.domain.terms import Terms

_ROUND: Final = UUID(int=0)
_ALWAYS: Final = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=64)
def _table(sheet_text: str) -> tuple[Published, ses.Open]:
    """A sheet as if always in force, and a session under it."""
    head = read_head(sheet_text)
    ref = SheetRef(sheet=head.sheet, version=head.version, hash=text_hash(sheet_text))
    terms = Terms(
        "quote",
        head.sheet,
        head.currency,
        head.session.posta_max,
        head.session.reconnect_seconds,
    )
    published = Published(ref, _ALWAYS, head.engine, sheet_text)
    return published, ses.Open(terms)


@dataclass(frozen=True, slots=True)
class Player:
    """For whom a round is judged: what the house would hold of the player."""

    posta: int = AMOUNT_MAX
    """Minor units that must cover the bets."""
    account: str | None = None
    own_limits: str | None = None
    """Canonical JSON of the game's own document, as `round-opened` has it."""


ANYONE: Final = Player()


def begin(
    engine: Engine, sheet_text: str, move: Details, player: Player = ANYONE
) -> RoundView | Refusal:
    """The view of a round after its opening move."""
    published, session = _table(sheet_text)
    rules = Rules(engine, published)
    opened = RoundOpened(
        round=_ROUND,
        game=engine.game,
        rules=published.ref,
        currency=session.terms.currency,
        move=move,
        account=player.account,
        own_limits=player.own_limits,
    )
    begun = rounds.Play(ses.evolve(replace(session, posta=player.posta), opened), (), ())
    betted = rounds.step(rules, begun, _ROUND, move)
    if isinstance(betted, Refusal):
        return betted
    assert isinstance(betted, rounds.Play)
    return rules.view(betted.session, _ROUND)
