"""Disputes at the desk, the file of one with its proofs, and what an erasure leaves of both."""

import base64
import hashlib
import io
import json
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pypdf import PdfReader

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.money import Currency
from ledger.domain.refusals import Refusal
from ledger.seal.keys import KeyFault
from ops.central.local import InstantCentral
from ops.desk import Desk, Opening
from ops.disputes import Decision, Disputes, Saying
from ops.pack.evidence import PackCode, Wanted, gather
from ops.pack.files import contents, write_folder
from ops.pack.pages import reveal
from ops.vault import Vault
from tests.force import edit
from tests.house import CODEC, RED, SEVENTEEN, House, withdraw_order

CLAIM = Saying("player", "mail", "Ho puntato 17, non 27. Zoë Forlì, via Roma 5")
ANSWER = Saying("house", "phone", "Письмо получено: è uscito il 26")
END = Decision("maria", "dismissed", "i colpi seguono le regole")
PROVED = {"sheet-published", "session-opened", "round-settled", "dispute-noted"}


@pytest.fixture
def at(house: House, tmp_path: Path) -> Disputes:
    """A desk over a house, with a vault of its own."""
    central = InstantCentral(lambda _: iter(()))
    vault = Vault(tmp_path / "vault")
    return Disputes(Desk(house.service, central, vault, "clerk", lambda: house.now))


@pytest.fixture
def disputed(house: House, at: Disputes) -> tuple[UUID, UUID, UUID]:
    """Zoë's session, the round that she played, and her dispute of the session with an answer."""
    at.desk.open_conto(Opening("zoe-1", Currency.EUR, {"name": "Zoë Forlì"}))
    house.deposit("zoe-1", 100_00)
    session = house.session("zoe-1", 50_00)
    played = house.play(session, SEVENTEEN, RED).command
    dispute = said(at.open(session, CLAIM, uuid4())).command
    said(at.add(dispute, ANSWER, uuid4()))
    return session, played, dispute


def said(answer: Answer | Refusal) -> Answer:
    """An answer that is a yes."""
    assert isinstance(answer, Answer), answer
    assert answer.refusal is None, answer.message
    return answer


def packed(house: House, at: Disputes, dispute: UUID, size: int | None = None) -> dict[str, bytes]:
    """The files of a dispute at a checkpoint, or the newest."""
    with house.connected() as connection:
        found = gather(connection, house.book, CODEC, wanted(house, dispute, size))
    assert not isinstance(found, Refusal), found
    return contents(reveal(found, at.desk.vault))


def wanted(house: House, dispute: UUID, size: int | None = None) -> Wanted:
    """A dispute of Zoë's up to a checkpoint, signed by the house's key."""
    return Wanted("zoe-1", dispute, size, (house.key.verifying_key,))


def printed(made: dict[str, bytes]) -> list[str]:
    """The text of each page of the PDF."""
    reader = PdfReader(io.BytesIO(made["dispute.pdf"]))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


# --- at the desk ---------------------------------------------------------------------------------


def test_g10_what_is_said_is_read_at_the_desk_and_stands_nowhere_in_clear(house, at, disputed):
    """Given a claim and an answer, then both come back, and no row of the book has their words."""
    *_, dispute = disputed

    steps = at.course("zoe-1", dispute)
    assert [CLAIM.text, ANSWER.text] == [c.text for c in steps]
    assert [dispute, None] == [
        c.entry.command if at.player_of(c.entry.command) else None for c in steps
    ]
    stored = b"".join(bytes(row[0]) for row in house.rows("SELECT state FROM events"))
    assert [False, False] == [s.text.encode() in stored for s in (CLAIM, ANSWER)]


def test_g3_what_is_said_again_is_the_same_command(house, at, disputed):
    """Given the same id and words, then the same bytes; given other words, then a conflict."""
    session, *_ = disputed
    command = uuid4()
    first = said(at.open(session, CLAIM, command))
    before = house.count()

    again = at.open(session, CLAIM, command)
    other = at.open(session, replace(CLAIM, text="other words"), command)

    assert first.to_bytes() == again.to_bytes()
    assert "command-conflict" == other.refusal
    assert before == house.count()


def test_a_dispute_about_a_round_is_found_by_the_rounds_id(at, disputed):
    """Given the id of a round, then the dispute names its session and the round."""
    session, played, _ = disputed

    (entry,) = said(at.open(played, CLAIM, uuid4())).entries

    assert (session, played, "zoe-1") == (
        entry.event.session,
        entry.event.round,
        entry.event.player,
    )


def test_fr11_a_decision_is_the_last_word(at, disputed):
    """Given a decision, then another contact is refused, and the dispute is not open."""
    *_, dispute = disputed
    said(at.close(dispute, END, uuid4()))

    assert "dispute-closed" == at.add(dispute, ANSWER, uuid4()).refusal
    assert not at.is_open("zoe-1", dispute)
    assert ("maria", "dismissed", END.reason) == [
        (c.by, c.decision, c.text) for c in at.course("zoe-1", dispute)
    ][-1]


# --- the file of a dispute -----------------------------------------------------------------------


@pytest.fixture
def files(house: House, at: Disputes, disputed: tuple[UUID, UUID, UUID]) -> dict[str, bytes]:
    """The files of Zoë's dispute, from a sealed book."""
    house.seal()
    return packed(house, at, disputed[2])


def test_every_file_is_listed_with_its_digest(files):
    """Given the files, then the list names all the others, each with its SHA-256."""
    lines = files.pop("SHA256SUMS").decode().splitlines()

    assert sorted(f"{hashlib.sha256(c).hexdigest()}  {n}" for n, c in files.items()) == sorted(
        lines
    )


def test_g5_each_event_is_proved_up_to_the_signed_checkpoint_by_other_code(house, files):
    """Given what README.txt says, when leaves and roots are computed anew, then all hold."""
    told = json.loads(files["proofs.json"])
    text, _, signature = files["checkpoint.txt"].decode().rpartition("\n\n")
    origin, size, root = text.splitlines()
    assert (told["origin"], str(told["size"])) == (origin, size)
    key = base64.b64decode(files["verifying-key.txt"].decode().strip().split("+", 2)[2])
    blob = base64.b64decode(signature.strip().rpartition(" ")[2])
    Ed25519PublicKey.from_public_bytes(key[1:]).verify(blob[4:], f"{text}\n".encode())
    assert key[1:] == house.key.verifying_key.public

    assert {event["name"] for event in told["events"]} >= PROVED
    for event in told["events"]:
        assert event["leaf"] == leaf(event).hex()
        assert base64.b64decode(root) == climbed(event, told["size"])


def leaf(event: dict) -> bytes:
    """The leaf hash of an event by the layout that README.txt gives."""
    name, state = event["name"].encode(), event["state"].encode()
    entry = b"".join(
        (
            struct.pack(">I", 16), UUID(event["stream_id"]).bytes,
            struct.pack(">Iq", 8, event["version"]),
            struct.pack(">I", len(name)), name, struct.pack(">I", len(state)), state,
        )
    )  # fmt: skip
    return hashlib.sha256(b"\x00" + entry).digest()


def climbed(event: dict, size: int) -> bytes:
    """The root by RFC 9162 section 2.1.3.2, written out anew."""
    node, fn, sn = bytes.fromhex(event["leaf"]), event["position"], size - 1
    for part in map(bytes.fromhex, event["path"]):
        assert sn > 0
        if fn & 1 or fn == sn:
            node = hashlib.sha256(b"\x01" + part + node).digest()
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            node = hashlib.sha256(b"\x01" + node + part).digest()
        fn, sn = fn >> 1, sn >> 1
    assert sn == 0
    return node


def test_the_pages_say_all_in_both_languages(files):
    """Given the PDF, then it has all parts, and each page says that it is a replay."""
    pages = printed(files)
    text = " ".join(pages)

    for part in (
        CLAIM.text,
        ANSWER.text,
        "Zoë Forlì",
        "Fascicolo della contestazione",
        "File of dispute",
        "Ogni colpo giudicato di nuovo è come lo danno le regole.",
        "Every round judged again is as the rules give it.",
        "La ruota ha 37 caselle",
        "The wheel has 37 pockets",
        "Prove di inclusione / Inclusion proofs",
        json.loads(files["proofs.json"])["events"][-1]["leaf"][:40],
    ):
        assert part in text, part
    assert [] == [page[:80] for page in pages if "REPLICA / REPLAY" not in page]


def test_g8_the_rules_are_those_that_the_round_names(files):
    """Given the sheet's file, then its SHA-256 is what the round's events name."""
    (rules,) = [content for name, content in files.items() if name.startswith("rules.")]
    events = json.loads(files["proofs.json"])["events"]
    opened = next(e for e in events if e["name"] == "round-opened")

    assert json.loads(opened["state"])["event"]["rules"]["hash"] == (
        hashlib.sha256(rules).hexdigest()
    )


def test_g6_the_same_checkpoint_gives_the_same_bytes_whatever_came_later(
    house, at, disputed, files
):
    """Given a contact and a seal after it, then the older checkpoint makes the older files."""
    *_, dispute = disputed
    size = json.loads(files["proofs.json"])["size"]
    said(at.add(dispute, ANSWER, uuid4()))
    with house.connected() as connection:
        codes = [
            gather(connection, house.book, CODEC, wanted(house, dispute, of)).code
            for of in (None, 1)
        ]
    house.seal()

    assert [PackCode.NOT_SEALED, PackCode.UNKNOWN_CHECKPOINT] == codes
    assert files == packed(house, at, dispute, size)
    assert files != packed(house, at, dispute)


def test_g6_a_checkpoint_that_no_known_key_signed_makes_no_file(house, disputed):
    """Given no key at hand and none on record, then nothing is made that nobody vouches for."""
    house.seal()
    unsigned = replace(wanted(house, disputed[2]), keys=())

    with house.connected() as connection, pytest.raises(KeyFault, match="signed"):
        gather(connection, house.book, CODEC, unsigned)


def test_what_was_booked_otherwise_is_named_in_the_file(house, at, disputed):
    """Given a settlement changed by force before the seal, then the judgement says so."""
    *_, dispute = disputed
    edit(house, "round-settled", lambda event: event.update(staked=700))
    house.seal()

    made = packed(house, at, dispute)

    assert "DIFFERENCES" in made["story.en.txt"].decode()
    assert "Giudicando di nuovo ci sono DIFFERENZE" in " ".join(printed(made))


def test_a_folder_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    """Given a fault while a file is written, then nothing is left of the folder."""
    made = {"a.txt": b"a", "b.txt": b"b"}
    monkeypatch.setattr("ops.pack.files.write_whole", _breaks_at("b.txt"))

    with pytest.raises(OSError, match="no space"):
        write_folder(tmp_path / "out", "dispute-1", made)
    assert [] == list((tmp_path / "out").iterdir())

    monkeypatch.undo()
    folder = write_folder(tmp_path / "out", "dispute-1", made)
    assert made == {path.name: path.read_bytes() for path in folder.iterdir()}


def _breaks_at(name: str):
    """A way to write files that fails at one of them."""

    def write(path: Path, content: bytes) -> None:
        if path.name == name:
            raise OSError("no space")
        path.write_bytes(content)

    return write


# --- erasure -------------------------------------------------------------------------------------


@pytest.fixture
def gone(house: House, at: Disputes, disputed: tuple[UUID, UUID, UUID]) -> Iterator[UUID]:
    """Zoë's decided dispute; her conto was closed ten years ago."""
    session, _, dispute = disputed
    said(at.close(dispute, END, uuid4()))
    house.do(cmd.CloseSession, session=session)
    left = at.desk.conto("zoe-1").balance
    assert house.ask(withdraw_order("zoe-1", left)).refusal is None
    house.do(cmd.CloseConto, player="zoe-1", reason="asked")
    assert "retention-running" == at.forget("zoe-1", "too early", uuid4()).refusal
    assert ["zoe-1.1.key"] == kept(at)
    house.now = house.now.replace(year=house.now.year + 10)
    house.seal()
    return dispute


def kept(at: Disputes) -> list[str]:
    """What the vault's folder holds."""
    return sorted(path.name for path in at.desk.vault.folder.iterdir())


def test_g10_after_an_erasure_the_file_shows_pseudonyms_and_its_proofs_hold(house, at, gone):
    """Given the file before and after, then names and words are gone, and nothing else is."""
    before = packed(house, at, gone)
    size = json.loads(before["proofs.json"])["size"]

    said(at.forget("zoe-1", "ten years are over", uuid4()))

    after = packed(house, at, gone, size)
    assert ["zoe-1.1.destroyed"] == kept(at)
    assert {"dispute.pdf", "SHA256SUMS"} == {n for n in before if before[n] != after[n]}
    texts = [" ".join(printed(made)) for made in (before, after)]
    for personal in ("Zoë", CLAIM.text, ANSWER.text, END.reason):
        assert [True, False] == [personal in text for text in texts]
    assert "cancellato" in texts[1]
    house.seal()
    assert () == house.verify()


def test_g10_after_an_erasure_nothing_more_is_heard(at, gone, disputed):
    """Given an erasure, then a claim is refused before any key could be made, and so is another."""
    said(at.forget("zoe-1", "ten years are over", uuid4()))

    refused = at.open(disputed[0], CLAIM, uuid4())

    assert "player-forgotten" == refused.code
    assert "player-forgotten" == at.forget("zoe-1", "again", uuid4()).refusal
    assert [None, None, None] == [c.text for c in at.course("zoe-1", gone)]
