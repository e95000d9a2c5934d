"""The pages of a dispute's file: in each language facts, contacts, story and rules; then proofs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import orjson

from ledger.domain.sheets import Published
from ops.disputes import Contact, course
from ops.pack.evidence import Evidence, Proof
from ops.story.pages import pages as story_pages
from ops.story.telling import moment, sentence
from ops.story.tongue import TONGUES, Tongue
from ops.vault import Vault
from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Part, Table


@dataclass(frozen=True, slots=True)
class Revealed:
    """The evidence with what the player's key still opens."""

    evidence: Evidence
    contacts: tuple[Contact, ...]
    holder: Mapping[str, str] | None
    """The holder's data by field; None once the player is forgotten."""


def reveal(evidence: Evidence, vault: Vault) -> Revealed:
    """Open what the player's key still opens."""
    opened = evidence.opened
    contacts = course(vault, evidence.course, opened.dispute)
    holder = vault.reveal(opened.player, evidence.holder.personal)
    return Revealed(evidence, contacts, holder)


def pages(found: Revealed) -> tuple[Part, ...]:
    """The whole file."""
    told = [part for tongue in TONGUES.values() for part in (*_in(found, tongue), NewPage())]
    return (*told, *_proofs(found))


def _in(found: Revealed, tongue: Tongue) -> Iterator[Part]:
    evidence = found.evidence
    yield Heading(tongue.label("pack", evidence.opened.dispute))
    yield _facts(found, tongue)
    yield from _course(found, tongue)
    yield Heading(tongue.label("verdict"), 2)
    yield Paragraph(tongue.label("all-hold" if evidence.story.holds else "some-differ"))
    yield NewPage()
    yield from story_pages(evidence.story, tongue)
    for published in rules(evidence):
        yield from _rules(published, tongue)


def _facts(found: Revealed, tongue: Tongue) -> Table:
    evidence, checkpoint = found.evidence, found.evidence.checkpoint
    opened = evidence.opened
    holder = found.holder
    personal = (
        [("holder", tongue.label("erased"))]
        if holder is None
        else [(name, value) for name, value in holder.items()]
    )
    rows = [
        ("player", opened.player),
        *personal,
        ("session", str(opened.session)),
        *([] if opened.round is None else [("round", str(opened.round))]),
        ("events", str(checkpoint.size)),
        ("root", checkpoint.root.hex()),
        ("up-to", moment(checkpoint.last_recorded)),
    ]
    return Table(("", ""), tuple((tongue.label(name), value) for name, value in rows))


def _course(found: Revealed, tongue: Tongue) -> Iterator[Part]:
    yield Heading(tongue.label("contacts"), 2)
    for contact in found.contacts:
        told = sentence(contact.event, tongue)
        yield Paragraph(f"{moment(contact.at)} · {told}")
        yield Paragraph(f"«{contact.text}»" if contact.text else f"[{tongue.label('erased')}]")
    if not any(contact.decision for contact in found.contacts):
        yield Paragraph(tongue.label("undecided"))


def rules(evidence: Evidence) -> tuple[Published, ...]:
    """The rule sheets by which the rounds that are told were judged, each once."""
    found = {v.published.ref: v.published for v in evidence.story.verdicts if v.published}
    return tuple(found.values())


def _rules(published: Published, tongue: Tongue) -> Iterator[Part]:
    document = orjson.loads(published.text)
    ref = published.ref
    yield Heading(tongue.label("rules", document["title"][tongue.language], ref.version), 2)
    yield Paragraph(tongue.label("in-force", ref.sheet, moment(published.in_force_from), ref.hash))
    for text in document["texts"][tongue.language]:
        yield Paragraph(text)


def _proofs(found: Revealed) -> Iterator[Part]:
    evidence = found.evidence
    yield Heading(both("proofs"))
    for tongue in TONGUES.values():
        yield Paragraph(tongue.label("proofs-text"))
    columns = (f"{both('position')}>", both("event"), both("leaf"))
    yield Table(
        columns,
        tuple(map(_proved, evidence.proofs)),
    )
    yield Heading(both("checkpoint"), 2)
    yield Fixed(tuple(evidence.checkpoint.note.splitlines()))
    yield Fixed((evidence.key.text(),))


def _proved(proof: Proof) -> tuple[str, str, str]:
    row, entry = proof.row, proof.row.entry
    name = f"{entry.stream} {entry.version} {entry.event.NAME}"
    return str(row.position), name, row.leaf.hex()


def both(name: str) -> str:
    """A label in both languages."""
    return " / ".join(dict.fromkeys(tongue.label(name) for tongue in TONGUES.values()))
