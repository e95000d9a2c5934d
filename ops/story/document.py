"""A story as one document for machines; amounts are text, because JSON's numbers are not exact."""

from typing import Any

from ledger.domain.money import format_amount
from ops.story.comparing import Consequence, Flow, consequences, flows
from ops.story.story import Balances, Step, Story, Verdict
from ops.story.telling import drawing, sentence
from ops.story.tongue import Tongue


def document(story: Story, tongue: Tongue) -> dict[str, Any]:
    """The story, its sentences in one language."""
    case, until, terms = story.case, story.until, story.terms
    return {
        "replay": True,
        "session": str(case.session),
        "round": None if case.round is None else str(case.round),
        "player": terms.player,
        "sheet": terms.sheet,
        "currency": terms.currency.value,
        "language": tongue.language,
        "until": {"version": until.version, "at": until.at and until.at.isoformat()},
        "steps": [_step(step, tongue) for step in story.steps],
        "rounds": [_verdict(story, verdict, tongue) for verdict in story.verdicts],
        "elsewhere": [finding.document() for finding in story.elsewhere],
        "holds": story.holds,
    }


def _step(step: Step, tongue: Tongue) -> dict[str, Any]:
    entry = step.entry
    return {
        "stream": entry.stream,
        "version": entry.version,
        "recorded": entry.recorded.isoformat(),
        "played": entry.played and entry.played.isoformat(),
        "event": entry.event.NAME,
        "words": sentence(entry.event, tongue),
        "drawing": list(drawing(entry.event)),
        "before": _balances(step.before),
        "after": _balances(step.after),
    }


def _balances(balances: Balances) -> dict[str, str]:
    return {part: format_amount(minor) for part, minor in balances.items()}


def _verdict(story: Story, verdict: Verdict, tongue: Tongue) -> dict[str, Any]:
    published, judged = verdict.published, verdict.judged
    followed = () if judged is None else consequences(judged)
    moved = () if judged is None else flows(story.case.session, judged)
    return {
        "round": str(verdict.round),
        "sheet": None if published is None else published.ref.model_dump(mode="json"),
        "engine": None if published is None else published.engine,
        "in_play": verdict.is_open,
        "demo": verdict.is_demo,
        "consequences": [_consequence(each, tongue) for each in followed],
        "postings": [_flow(each) for each in moved],
        "findings": [finding.document() for finding in verdict.findings],
        "holds": not verdict.findings,
    }


def _consequence(each: Consequence, tongue: Tongue) -> dict[str, Any]:
    return {
        "event": each.event.NAME,
        "words": sentence(each.event, tongue),
        "booked": each.is_booked,
        "by_the_rules": each.is_due,
    }


def _flow(flow: Flow) -> dict[str, Any]:
    return {
        "from": flow.source,
        "to": flow.target,
        "booked": format_amount(flow.booked),
        "by_the_rules": format_amount(flow.due),
    }
