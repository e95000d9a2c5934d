"""A story laid out in parts, which are printed as text and as PDF alike; a replay says so."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from uuid import UUID

from games.words import amount_in
from ledger.domain.events import Event
from ledger.replay import Finding, Judged
from ops.story.comparing import consequences, flows
from ops.story.story import PARTS, Balances, Step, Story, Verdict
from ops.story.telling import drawing, moment, sentence
from ops.story.tongue import Tongue
from workers.reports.parts import Fixed, Heading, Paragraph, Part, Table


def pages(story: Story, tongue: Tongue) -> tuple[Part, ...]:
    """The whole story in one language."""
    return (
        *_front(story, tongue),
        *_steps(story, tongue),
        *(part for verdict in story.verdicts for part in _verdict(story, verdict, tongue)),
        *_elsewhere(story, tongue),
    )


def title(story: Story, tongue: Tongue) -> str:
    """What is told again."""
    case = story.case
    if case.round is None:
        return tongue.label("of-session", case.session)
    return tongue.label("of-round", case.round)


def _front(story: Story, tongue: Tongue) -> Iterator[Part]:
    yield Heading(f"{tongue.label('replay')} · {title(story, tongue)}")
    yield Paragraph(tongue.label("notice"))
    terms, until = story.terms, story.until
    rows = [
        ("session", str(story.case.session)),
        ("player", terms.player),
        ("sheet", terms.sheet),
        ("currency", terms.currency.value),
    ]
    if until.version is not None:
        rows.append(("cut", tongue.label("version", until.version)))
    if until.at is not None:
        rows.append(("cut", moment(until.at)))
    yield Table(("", ""), tuple((tongue.label(name), value) for name, value in rows))
    if not story.steps:
        yield Paragraph(tongue.label("nothing"))


# --- steps ---------------------------------------------------------------------------------------


def _steps(story: Story, tongue: Tongue) -> Iterator[Part]:
    """The steps under the round that they belong to; what is drawn follows its step."""
    for round_id, group in groupby(story.steps, lambda step: _round_of(step.entry.event)):
        if round_id is None:
            name = tongue.label("session")
        else:
            name = f"{tongue.label('round')} {round_id}"
        yield Heading(f"{tongue.label('replay')} · {name}", 2)
        yield from _told(list(group), tongue)


def _round_of(event: Event) -> UUID | None:
    return getattr(event, "round", None)


def _told(steps: list[Step], tongue: Tongue) -> Iterator[Part]:
    columns = tuple(tongue.label(name) for name in ("step", "recorded", "what", "balances"))
    rows: list[tuple[str, ...]] = []
    for step in steps:
        rows.append(_row(step, tongue))
        drawn = drawing(step.entry.event)
        if drawn:
            yield Table(columns, tuple(rows))
            yield Fixed(drawn)
            rows = []
    if rows:
        yield Table(columns, tuple(rows))


def _row(step: Step, tongue: Tongue) -> tuple[str, ...]:
    entry = step.entry
    place = f"{entry.stream.partition(':')[0]} {entry.version}"
    told = sentence(entry.event, tongue)
    if entry.played is not None:
        told = f"{told} ({tongue.label('played', moment(entry.played))})"
    return place, moment(entry.recorded).removesuffix(" UTC"), told, _moved(step, tongue)


def _moved(step: Step, tongue: Tongue) -> str:
    """The balances that changed, before and after."""
    changed = [part for part in PARTS if step.before[part] != step.after[part]]
    return "; ".join(
        f"{tongue.label(part)} {_money(step.before, part, tongue)} → "
        f"{_money(step.after, part, tongue)}"
        for part in changed
    )


def _money(balances: Balances, part: str, tongue: Tongue) -> str:
    return amount_in(tongue.language, balances[part])


# --- judgement -----------------------------------------------------------------------------------


def _verdict(story: Story, verdict: Verdict, tongue: Tongue) -> Iterator[Part]:
    yield Heading(tongue.label("judged", verdict.round), 2)
    if verdict.published is not None:
        ref = verdict.published.ref
        engine = verdict.published.engine
        yield Paragraph(tongue.label("under", ref.sheet, ref.version, ref.hash, engine))
    yield _around(story, verdict, tongue)
    if verdict.is_open and not verdict.findings:
        yield Paragraph(tongue.label("open"))
        return
    if verdict.judged is not None:
        yield from _compared(story, verdict.judged, tongue)
    yield Paragraph(tongue.label("differs" if verdict.findings else "holds"))
    yield from _found(verdict.findings, tongue)


def _around(story: Story, verdict: Verdict, tongue: Tongue) -> Table:
    """The balances before the round's first step and after its last."""
    mine = [s for s in story.steps if _round_of(s.entry.event) == verdict.round]
    rows = (
        (
            tongue.label(part),
            _money(mine[0].before, part, tongue),
            _money(mine[-1].after, part, tongue),
        )
        for part in PARTS
    )
    names = ("balances", "before", "after")
    first, *others = (tongue.label(name) for name in names)
    return Table((first, *(f"{name}>" for name in others)), tuple(rows))


def _compared(story: Story, judged: Judged, tongue: Tongue) -> Iterator[Part]:
    """What was booked beside what the rules give: consequences, then postings."""
    what, booked, due = (tongue.label(name) for name in ("what", "booked", "by-rules"))
    marks = {True: tongue.label("yes"), False: tongue.label("no")}
    yield Table(
        (what, booked, due),
        tuple(
            (sentence(each.event, tongue), marks[each.is_booked], marks[each.is_due])
            for each in consequences(judged)
        ),
    )
    yield Table(
        (tongue.label("from"), tongue.label("to"), f"{booked}>", f"{due}>"),
        tuple(
            (
                flow.source,
                flow.target,
                amount_in(tongue.language, flow.booked),
                amount_in(tongue.language, flow.due),
            )
            for flow in flows(story.case.session, judged)
        ),
    )


def _found(findings: Iterable[Finding], tongue: Tongue) -> Iterator[Part]:
    rows = tuple((finding.place, finding.found) for finding in findings)
    if rows:
        yield Table((tongue.label("place"), tongue.label("found")), rows)


def _elsewhere(story: Story, tongue: Tongue) -> Iterator[Part]:
    if story.elsewhere:
        yield Heading(tongue.label("elsewhere"), 2)
        yield from _found(story.elsewhere, tongue)
