"""Signed notes, their keys, and checkpoints: what is vouched for and what is refused."""

from base64 import b64decode, b64encode
from hashlib import sha256

import pytest
from hypothesis import given, strategies as st

from ledger.seal.notes import (
    MAX_NOTE_SIZE,
    Checkpoint,
    NoteError,
    SigningKey,
    VerifyingKey,
    is_signed,
    open_note,
    parse_checkpoint,
    sign_note,
    text_of,
)

# RFC 8032 section 7.1, test 1.
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
KEY = SigningKey("libro.example/rome", SEED)
OTHER = SigningKey("libro.example/rome", bytes(range(32)))
WITNESS = SigningKey("witness.example", b"\x07" * 32)
TEXT = "una riga\n\nun'altra, così\n"
ROOT = sha256(b"root").digest()
CHECKPOINT = Checkpoint("libro.example/rome", 42, ROOT)
CHECKPOINT_TEXT = f"libro.example/rome\n42\n{b64encode(ROOT).decode()}\n"

LINES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20
)


def signature_line(name, blob):
    """A signature line around any bytes."""
    return f"\u2014 {name} {b64encode(blob).decode()}\n"


def test_g6_a_key_has_the_public_half_that_its_standard_gives_it():
    """RFC 8032 section 7.1, test 1."""
    assert VerifyingKey("libro.example/rome", PUBLIC) == KEY.verifying_key


def test_g6_a_keys_hash_is_that_of_name_newline_type_and_key():
    """Worked with the standard library alone."""
    expected = sha256(b"libro.example/rome\n\x01" + PUBLIC).digest()[:4]
    assert expected == KEY.verifying_key.key_hash


def test_g6_keys_are_written_as_name_hash_and_base64_of_type_and_key():
    """The private form says so in front."""
    head = "libro.example/rome+" + sha256(b"libro.example/rome\n\x01" + PUBLIC).hexdigest()[:8]
    public = f"{head}+{b64encode(bytes([1]) + PUBLIC).decode()}"
    private = f"PRIVATE+KEY+{head}+{b64encode(bytes([1]) + SEED).decode()}"
    assert (public, private) == (KEY.verifying_key.text(), KEY.secret_text())


@given(seed=st.binary(min_size=32, max_size=32))
def test_g6_keys_are_read_back_as_they_were_written(seed):
    """Base64 may hold the plus that stands between the parts."""
    key = SigningKey("libro.example/rome", seed)
    assert key == SigningKey.parse(key.secret_text())
    assert key.verifying_key == VerifyingKey.parse(key.verifying_key.text())


def test_g6_a_key_with_any_character_changed_is_refused():
    """The hash binds name and key, and base64 has one spelling."""
    for parse, text in (
        (VerifyingKey.parse, KEY.verifying_key.text()),
        (SigningKey.parse, KEY.secret_text()),
    ):
        for place, character in enumerate(text):
            for other in {"A", "+", "z", "0", " ", "é", ""} - {character}:
                with pytest.raises(NoteError):
                    parse(text[:place] + other + text[place + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PRIVATE+KEY+",
        "name",
        "name+00000000",
        "name+00000000+",
        "name+00000000+AQ==",
        KEY.verifying_key.text() + "\n",
        KEY.verifying_key.text().upper(),
        f"name+00000000+{b64encode(bytes([2]) + PUBLIC).decode()}",
    ],
)
def test_g6_what_is_no_key_is_refused(text):
    """Neither half of a key is read from a fragment, another algorithm or a stray newline."""
    for parse in (VerifyingKey.parse, SigningKey.parse):
        with pytest.raises(NoteError):
            parse(text)
        with pytest.raises(NoteError):
            parse(f"PRIVATE+KEY+{text}")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\nb", "a\x00b", "a\ud800"])
def test_g6_a_keys_name_is_one_word_without_plus(name):
    """The name stands between spaces and pluses."""
    for key, size in ((SigningKey, SEED), (VerifyingKey, PUBLIC)):
        with pytest.raises(NoteError, match="name"):
            key(name, size)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_g6_a_key_has_32_bytes(size):
    """Both halves."""
    for key in (SigningKey, VerifyingKey):
        with pytest.raises(NoteError, match="32 bytes"):
            key("name", bytes(size))


def test_g10_a_signing_key_never_shows_its_secret():
    """Neither as text nor in the sentence or the chain of any error."""
    secrets = [SEED.hex(), b64encode(b"\x01" + SEED).decode()[2:40], repr(SEED)[2:40], str(SEED)]
    shown = [repr(KEY), str(KEY), f"{KEY}", f"{[KEY]}", f"{KEY!r:>9}"]
    text = KEY.secret_text()
    for wrong in (text + "\n", text[:-3], text.replace("rome", "a b"), text.replace("+", "-"), "x"):
        with pytest.raises(NoteError) as caught:
            SigningKey.parse(wrong)
        assert caught.value.__cause__ is caught.value.__context__ is None
        shown.append(str(caught.value))
    expected = "SigningKey(name='libro.example/rome')"
    assert expected == repr(KEY)
    assert not [line for line in shown for secret in secrets if secret in line]


def test_g6_a_signed_note_is_the_text_an_empty_line_and_the_signature():
    """The layout of signed-note: key hash and signature behind a dash and the key's name."""
    blob = KEY.verifying_key.key_hash + KEY.sign(TEXT.encode())
    expected = TEXT + "\n" + signature_line("libro.example/rome", blob)
    assert expected == sign_note(TEXT, KEY)


@given(lines=st.lists(LINES | st.just(""), max_size=5))
def test_g6_a_note_is_opened_as_it_was_signed(lines):
    """Any text comes back, with empty lines and with lines that look like signatures."""
    for text in ("".join(f"{line}\n" for line in [*lines, "end"]), "a\n\n\u2014 x AAAAAAA=\n"):
        note = sign_note(text, KEY)
        assert text == open_note(note, [KEY.verifying_key])
        assert text == open_note(note.encode(), [KEY.verifying_key])


def test_g6_a_note_with_any_byte_changed_is_refused():
    """Every single-bit change of every byte, and every lost or doubled byte."""
    note = sign_note(TEXT, KEY).encode()
    for place, byte in enumerate(note):
        changes = [bytes([byte ^ 1 << bit]) for bit in range(8)]
        for change in (*changes, b"", bytes([byte, byte])):
            changed = note[:place] + change + note[place + 1 :]
            if changed != note:
                with pytest.raises(NoteError):
                    open_note(changed, [KEY.verifying_key])


@pytest.mark.parametrize("keys", [[], [OTHER], [WITNESS], [OTHER, WITNESS]])
def test_g6_a_note_that_no_known_key_signed_is_refused(keys):
    """A key of the same name is another key; that it is a note is seen without any."""
    note, expected = sign_note(TEXT, KEY), TEXT
    with pytest.raises(NoteError, match="No known key"):
        open_note(note, [key.verifying_key for key in keys])
    assert expected == text_of(note)


def test_g6_signatures_of_unknown_keys_are_ignored():
    """So a witness may sign beside the log, and keys may be changed."""
    note = sign_note(TEXT, KEY)
    strange = signature_line("quantum.example", b"\xff" * 2_000)
    both = note + sign_note(TEXT, WITNESS).removeprefix(TEXT + "\n") + strange
    expected, stranger = TEXT, OTHER.verifying_key
    assert expected == open_note(both, [KEY.verifying_key])
    assert expected == open_note(both, [WITNESS.verifying_key])
    assert expected == open_note(both, [stranger, WITNESS.verifying_key])


def cosigned(text: str, key: SigningKey, seconds: int) -> tuple[VerifyingKey, str]:
    """A witness's key and the line that it puts below a note (tlog-cosignature, Ed25519)."""
    witness = VerifyingKey(key.name, key.verifying_key.public, is_cosigner=True)
    blob = seconds.to_bytes(8, "big") + key.sign(f"cosignature/v1\ntime {seconds}\n{text}".encode())
    return witness, signature_line(key.name, witness.key_hash + blob)


def test_g6_a_witness_cosigns_with_a_time():
    """Given a note of the log with a witness's line, then each vouches for it by itself."""
    witness, line = cosigned(TEXT, WITNESS, 1_679_315_147)
    note, expected = sign_note(TEXT, KEY) + line, TEXT
    assert expected == open_note(note, [KEY.verifying_key])
    assert expected == open_note(note, [witness])
    assert expected == open_note(note, [KEY.verifying_key, witness])
    with pytest.raises(NoteError, match="No known key"):
        open_note(note, [WITNESS.verifying_key])


@pytest.mark.parametrize("change", ["the text", "the time", "a plain signature", "nothing of it"])
def test_g6_a_cosignature_is_over_its_time_and_the_text(change):
    """Given a line whose time, text or form is another, then the witness does not vouch."""
    witness, line = cosigned(TEXT, WITNESS, 1_679_315_147)
    blob = b64decode(line.split(" ")[2])
    blobs = {
        "the text": blob,
        "the time": blob[:11] + b"?" + blob[12:],
        "a plain signature": witness.key_hash + WITNESS.sign(TEXT.encode()),
        "nothing of it": witness.key_hash + b"short",
    }
    text = TEXT + "more\n" if change == "the text" else TEXT
    with pytest.raises(NoteError, match="is wrong"):
        open_note(sign_note(text, KEY) + signature_line(witness.name, blobs[change]), [witness])


def test_g6_a_witnesss_key_is_handed_out_with_its_own_type():
    """Given a cosigner's key, then its text has type 4 and comes back as it was."""
    witness, _ = cosigned(TEXT, WITNESS, 0)
    encoded = b64encode(b"\x04" + witness.public).decode()
    assert witness.text().endswith(encoded)
    assert witness == VerifyingKey.parse(witness.text())
    assert witness.key_hash != WITNESS.verifying_key.key_hash


def test_g6_no_checkpoint_is_signed_with_a_witnesss_key():
    """Given a secret key of type 4, when it is read as a log's, then it is refused."""
    witness, _ = cosigned(TEXT, WITNESS, 0)
    secret = b64encode(b"\x04" + WITNESS.seed).decode()
    with pytest.raises(NoteError, match="not with a witness's"):
        SigningKey.parse(f"PRIVATE+KEY+{witness.name}+{witness.key_hash.hex()}+{secret}")


def test_g6_both_keys_sign_while_one_follows_the_other():
    """Given two keys of a log, when both sign, then each vouches, in their order."""
    note = sign_note(TEXT, KEY, OTHER)
    assert note == sign_note(TEXT, KEY) + sign_note(TEXT, OTHER).removeprefix(TEXT + "\n")
    assert is_signed(note, KEY.verifying_key)
    assert is_signed(note, OTHER.verifying_key)
    assert not is_signed(sign_note(TEXT, KEY), OTHER.verifying_key)
    assert not is_signed("no note", KEY.verifying_key)


def test_g6_a_wrong_signature_of_a_known_key_spoils_the_note():
    """Even beside a right one of another known key."""
    forged = signature_line("witness.example", WITNESS.verifying_key.key_hash + bytes(64))
    with pytest.raises(NoteError, match="is wrong"):
        open_note(sign_note(TEXT, KEY) + forged, [KEY.verifying_key, WITNESS.verifying_key])
    expected = TEXT
    assert expected == open_note(sign_note(TEXT, KEY) + forged, [KEY.verifying_key])


@pytest.mark.parametrize("text", ["", "no newline", "tab\there\n", "return\r\n", "a\ud800\n"])
def test_g6_what_is_no_text_is_not_signed(text):
    """A text ends in a newline and has no other control character."""
    with pytest.raises(NoteError, match="control character"):
        sign_note(text, KEY)


@pytest.mark.parametrize(
    "tail",
    [
        "- libro.example/rome AAAAAAAA\n",
        "\u2014 libro.example/rome\n",
        "\u2014  AAAAAAAA\n",
        "\u2014 a+b AAAAAAAA\n",
        "\u2014 a\u00a0b AAAAAAAA\n",
        "\u2014 a AAAA AAAA\n",
        "\u2014 a AAAAAAA\n",
        "\u2014 a AAAAAB==\n",
        "\u2014 a AAAAAA==\n",
        "\u2014 a AAAAAAAA",
        "\n",
    ],
)
def test_g6_a_malformed_signature_line_spoils_the_note(tail):
    """Strict reading: beside a right signature nothing else may stand but right lines."""
    with pytest.raises(NoteError):
        open_note(sign_note(TEXT, KEY) + tail, [KEY.verifying_key])
    with pytest.raises(NoteError):
        text_of(sign_note(TEXT, KEY) + tail)


@pytest.mark.parametrize("note", ["", "\n", "\n\n", "text\n", "text\n\n", b"\xff\n", "\ud800"])
def test_g6_what_is_no_note_is_refused(note):
    """Text, empty line and signatures must all be there, in UTF-8."""
    with pytest.raises(NoteError):
        open_note(note, [KEY.verifying_key])
    with pytest.raises(NoteError):
        text_of(note)


def test_g6_a_note_beyond_its_largest_size_is_refused():
    """Though it is rightly signed."""
    with pytest.raises(NoteError, match="1000000 bytes"):
        open_note(sign_note("a" * MAX_NOTE_SIZE + "\n", KEY), [KEY.verifying_key])


def test_g6_a_checkpoint_is_origin_size_and_root_line_by_line():
    """The layout of tlog-checkpoint, with and without extension lines."""
    extended = Checkpoint("libro.example/rome", 42, ROOT, ("one", "two"))
    expected = (CHECKPOINT_TEXT, f"{CHECKPOINT_TEXT}one\ntwo\n")
    assert expected == (CHECKPOINT.text(), extended.text())


@given(
    origin=LINES,
    size=st.integers(0, 2**63 - 1),
    root=st.binary(min_size=32, max_size=32),
    extensions=st.lists(LINES, max_size=3),
)
def test_g6_a_checkpoint_goes_through_a_signed_note_unchanged(origin, size, root, extensions):
    """Written, signed, opened and read."""
    checkpoint = Checkpoint(origin, size, root, tuple(extensions))
    note = sign_note(checkpoint.text(), KEY)
    assert checkpoint == parse_checkpoint(open_note(note, [KEY.verifying_key]))


@given(text=st.text("0123 +a=\n", max_size=12) | st.just(CHECKPOINT_TEXT))
def test_g6_whatever_is_read_as_a_checkpoint_is_written_back_the_same(text):
    """Reading either refuses or loses nothing."""
    try:
        checkpoint = parse_checkpoint(text)
    except NoteError:
        return
    assert text == checkpoint.text()


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("42", "042"),
        ("42", "-42"),
        ("42", "+42"),
        ("42", "4_2"),
        ("42", " 42"),
        ("42", "٤٢"),
        ("42", ""),
        ("42", "9223372036854775808"),
        ("42", "9" * 5_000),
        ("libro.example/rome", ""),
        ("\n42", "42"),
        ("=\n", "\n"),
        ("=\n", "="),
        ("=\n", "=\n\n"),
        ("=\n", "=\nx"),
        ("=\n", "=\n\nx\n"),
        ("=\n", "=\nx\ty\n"),
        ("=\n", "=\r\n"),
        (b64encode(ROOT).decode(), b64encode(ROOT[:31]).decode()),
        (b64encode(ROOT).decode(), b64encode(ROOT + ROOT).decode()),
    ],
)
def test_g6_a_checkpoint_written_in_any_other_way_is_refused(good, bad):
    """Each number, line and root has one spelling."""
    expected = CHECKPOINT
    assert expected == parse_checkpoint(CHECKPOINT_TEXT)
    with pytest.raises(NoteError):
        parse_checkpoint(CHECKPOINT_TEXT.replace(good, bad))


@pytest.mark.parametrize(
    "fields",
    [
        ("", 1, ROOT),
        ("a\nb", 1, ROOT),
        ("a", -1, ROOT),
        ("a", 2**63, ROOT),
        ("a", 1, ROOT[:31]),
        ("a", 1, ROOT, ("",)),
        ("a", 1, ROOT, ("x\ny",)),
    ],
)
def test_g6_a_checkpoint_that_could_not_be_read_back_is_not_made(fields):
    """One line per field, a size of a bigint, a root of 32 bytes."""
    with pytest.raises(NoteError):
        Checkpoint(*fields)
