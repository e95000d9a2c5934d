"""Which rules a round is judged by: an engine and the published sheet of the day (G8)."""

from dataclasses import dataclass
from uuid import UUID

from ledger.domain import events as ev, session as ses, sheets
from ledger.domain.decider import Context, Engine, RoundView, States
from ledger.domain.ids import sheet_stream
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Rules:
    """The engine and the published sheet that one round is judged by (G8)."""

    engine: Engine
    published: sheets.Published

    @property
    def rounds_max(self) -> int:
        """How many rounds of one session may be in play at once."""
        return sheets.read_head(self.published.text).session.rounds_max

    def view(self, session: ses.Open, round_id: UUID) -> RoundView:
        """What the engine may see of a round of this session."""
        return RoundView(
            round_id,
            self.published.ref,
            session.terms.currency,
            self.engine.read_sheet(self.published.text),
            ses.find_round(session, round_id).history,
        )


def rules_then(session: ses.Open, round_id: UUID, states: States, context: Context) -> Rules:
    """The rules that a round in play was begun by (G8)."""
    return rules_by(ses.find_round(session, round_id).rules, states, context)


def rules_by(ref: ev.SheetRef, states: States, context: Context) -> Rules:
    """The rules that a round names."""
    published = sheets.version_of(states[sheet_stream(ref.sheet)], ref)
    return Rules(context.engines[published.engine], published)


def rules_now(sheet: str, states: States, context: Context) -> Rules | Refusal:
    """The rules in force under a sheet, or why there are none."""
    published = sheets.in_force(states[sheet_stream(sheet)], context.now)
    if isinstance(published, Refusal):
        return published
    return Rules(context.engines[published.engine], published)
