"""Signing keys are followed by others on record, and verification follows their chain (G6)."""

from collections.abc import Sequence

import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.replay import Finding
from ledger.seal.keys import KeyChain, KeyFault, sign_rotation
from ledger.seal.notes import Checkpoint, SigningKey, is_signed, sign_note
from ledger.seal.sealer import Sealed, Sealer, latest
from ledger.seal.verify import Trust, Verifier
from tests.force import by_force, edit
from tests.house import CODEC, House


def successor_of(key: SigningKey, number: int = 1) -> SigningKey:
    """Another key of the same log."""
    return SigningKey(key.name, bytes([number]) * 32)


def rotate(house: House, old: SigningKey, new: SigningKey) -> None:
    """Record that a key follows another one."""
    house.do(cmd.RotateSigningKey, **told(old, new))


def told(old: SigningKey, new: SigningKey) -> dict[str, str]:
    """What a rotation says."""
    texts = {"old_key": old.verifying_key.text(), "new_key": new.verifying_key.text()}
    return texts | {"signature": sign_rotation(old, new.verifying_key), "reason": "yearly"}


def seal(house: House, *keys: SigningKey) -> Sealed | None:
    """Seal with these keys at hand."""
    with house.connected("sealer") as connection:
        Sealer(house.book, house.key.name, *keys).seal_all(connection)
        return latest(connection, house.book)


def findings(house: House, trusted: Sequence[SigningKey], *kept: str) -> tuple[Finding, ...]:
    """What verification finds that trusts these keys."""
    keys = tuple(key.verifying_key for key in trusted)
    with house.connected() as connection:
        verifier = Verifier(connection, house.book, CODEC, registry.ENGINES, registry.SECRETS)
        return verifier.verify(Trust(house.key.name, keys, kept)).findings


def checks(house: House, *trusted: SigningKey) -> set[tuple[str, str]]:
    """Which checks find something, and where."""
    return {(f.check, f.place) for f in findings(house, trusted)}


@pytest.fixture
def rotated(house: House) -> tuple[House, SigningKey, SigningKey]:
    """A book that was sealed before a rotation, over it by both keys, and after it."""
    old, new = house.key, successor_of(house.key)
    seal(house, old)
    rotate(house, old, new)
    seal(house, old, new)
    house.conto("anna-1")
    seal(house, new)
    return house, old, new


def notes(house: House) -> list[str]:
    """The notes of all checkpoints, oldest first."""
    return [note for (note,) in house.rows("SELECT note FROM checkpoints ORDER BY size")]


def test_g6_a_rotation_is_sealed_by_the_old_key_and_what_follows_by_the_new_one(rotated):
    """Given three checkpoints, then the old key signed two, the new one the second and third."""
    house, old, new = rotated
    signed = [[is_signed(note, k.verifying_key) for k in (old, new)] for note in notes(house)]

    assert [[True, False], [True, True], [False, True]] == signed


@pytest.mark.parametrize("trusts", [(0,), (1,), (0, 1)])
def test_g6_verification_follows_the_chain_from_whichever_key_it_trusts(rotated, trusts):
    """Given trust in the first key, the newest or both, then every signature is accounted for."""
    house, *keys = rotated

    assert () == findings(house, [keys[n] for n in trusts])


def test_g6_old_notes_that_were_kept_verify_with_old_keys(rotated):
    """Given notes of before and after, when the newest key is trusted, then they all hold."""
    house, _, new = rotated

    assert () == findings(house, [new], *notes(house))


def test_g6_a_chain_without_a_trusted_key_is_not_believed(rotated):
    """Given trust in a third key, then that nobody trusted has signed is found."""
    house, _, _ = rotated

    assert {("signature", "checkpoints")} == checks(house, successor_of(house.key, 9))


def test_g6_two_rotations_in_one_checkpoint_end_with_the_last_key(house):
    """Given two rotations that were sealed together, then the last key signs what follows."""
    first, second, third = house.key, successor_of(house.key), successor_of(house.key, 2)
    rotate(house, first, second)
    rotate(house, second, third)
    seal(house, first, third)
    house.conto("anna-1")
    seal(house, third)

    assert () == findings(house, [first])
    assert () == findings(house, [third])


@pytest.mark.parametrize("at_hand", ["the old key", "a third key"])
def test_g6_nothing_is_sealed_by_a_key_that_is_not_in_force(rotated, at_hand):
    """Given an old or a strange key alone, when it seals, then a fault names the right one."""
    house, old, new = rotated
    key = old if at_hand == "the old key" else successor_of(house.key, 9)
    house.conto("bruno-2")
    before = house.count("sealed")

    with pytest.raises(KeyFault) as caught:
        seal(house, key)
    assert new.verifying_key.text() in str(caught.value)
    assert "restore that one" in str(caught.value)
    assert before == house.count("sealed")


def test_g6_a_book_that_was_sealed_is_not_sealed_by_another_key(house):
    """Given a checkpoint and no rotation, when a key of the same name seals, then nothing is."""
    seal(house, house.key)
    house.conto("anna-1")
    before = house.count("sealed")

    with pytest.raises(KeyFault, match="not this book's"):
        seal(house, successor_of(house.key))
    assert before == house.count("sealed")


def test_g6_a_rotation_that_waits_for_its_seal_changes_nothing_yet(house):
    """Given a rotation that is not sealed, then the chain knows none, and the old key signs."""
    rotate(house, house.key, successor_of(house.key))
    with house.connected() as connection:
        assert KeyChain() == KeyChain.read(connection, house.book)
    assert seal(house, house.key) is not None


def test_g6_who_may_write_events_and_has_no_key_names_no_successor(house):
    """Given a rotation signed by its own new key, then the old key seals on, and it is found."""
    thief = successor_of(house.key, 9)
    forged = told(house.key, thief) | {"signature": sign_rotation(thief, thief.verifying_key)}
    house.do(cmd.RotateSigningKey, **forged)
    seal(house, house.key)
    house.conto("anna-1")
    seal(house, house.key)
    found = findings(house, [house.key])

    assert {"keys"} == {f.check for f in found}
    assert "the old key has not signed it" in [f.found for f in found]


def test_g6_the_first_rotation_is_from_the_key_of_the_first_checkpoint(house):
    """Given a rotation between two keys of a thief, then the book's key seals on, and it is found.

    No key was on record before it, so that the book took the command.
    """
    seal(house, house.key)
    rotate(house, successor_of(house.key, 8), successor_of(house.key, 9))
    seal(house, house.key)
    house.conto("anna-1")
    seal(house, house.key)

    assert {"keys"} == {check for check, _ in checks(house, house.key)}


def test_g6_a_retired_key_names_no_successor(rotated):
    """Given a row that the retired key signed, put in by force, then the key in force seals on."""
    house, old, new = rotated
    rotate(house, new, successor_of(house.key, 2))
    change = told(old, successor_of(house.key, 9))
    edit(house, "signing-key-rotated", lambda event: event.update(change))
    seal(house, new)
    house.conto("bruno-2")
    seal(house, new)
    found = findings(house, [new])

    assert {"keys"} == {f.check for f in found}
    assert any("was not in force" in f.found for f in found)


# --- forged ---------------------------------------------------------------------------------------


def resign(house: House, size: int, key: SigningKey) -> None:
    """Sign a checkpoint again with another key."""
    ((root,),) = house.rows("SELECT root FROM checkpoints WHERE size = %s", size)
    note = sign_note(Checkpoint(key.name, size, bytes(root)).text(), key)
    by_force(house, "UPDATE checkpoints SET note = %s WHERE size = %s", values=(note, size))


def sizes(house: House) -> list[int]:
    """The sizes of all checkpoints."""
    return [size for (size,) in house.rows("SELECT size FROM checkpoints ORDER BY size")]


@pytest.mark.parametrize(
    ("number", "signer"),
    [(0, "new"), (1, "new"), (2, "old")],
    ids=["before it by the new key", "over it by the new key alone", "after it by the old key"],
)
def test_g6_a_key_signs_in_its_time_alone(rotated, number, signer):
    """Given a checkpoint signed by the other key of the chain, then that one is found.

    Where it is the first, the rotation is found that does not go on from its key.
    """
    house, old, new = rotated
    size = sizes(house)[number]
    resign(house, size, old if signer == "old" else new)

    expected = ("signature", f"checkpoint {size}") if number else ("keys", f"position {size}")
    assert expected in checks(house, old, new)


def test_g6_whoever_stole_the_old_key_makes_no_book_that_the_new_key_vouches_for(rotated):
    """Given a fork signed by the retired key, with the rotation in it, then nobody is fooled.

    The thief cuts off what the new key signed, and signs alone what both had signed.
    """
    house, old, new = rotated
    before, over, after = sizes(house)
    by_force(
        house,
        f"DELETE FROM checkpoints WHERE size = {after}",
        f"DELETE FROM events USING sealed WHERE position >= {over} "
        "AND events.originator_id = sealed.originator_id "
        "AND events.originator_version = sealed.originator_version",
        f"DELETE FROM sealed WHERE position >= {over}",
    )
    resign(house, over, old)

    assert () == findings(house, [old])
    assert {("signature", "checkpoints")} == checks(house, new)
    assert [before, over] == sizes(house)


def test_g5_a_rotation_that_nobody_asked_for_so_is_found(house):
    """Given a rotation whose reason was changed before the seal, then the check of keys says so."""
    rotate(house, house.key, successor_of(house.key))
    edit(house, "signing-key-rotated", lambda event: event.update(reason="lost"))
    seal(house, house.key)

    assert {"keys"} == {check for check, _ in checks(house, house.key)}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [(0, 1, "was not in force"), (1, 0, "has signed before")],
)
def test_g5_a_rotation_that_does_not_go_on_from_the_last_is_found(house, old, new, found):
    """Given a second rotation that was changed into one from or to a retired key, then found."""
    keys = [house.key, successor_of(house.key), successor_of(house.key, 2)]
    texts = [key.verifying_key.text() for key in keys]
    rotate(house, keys[0], keys[1])
    seal(house, keys[0], keys[1])
    rotate(house, keys[1], keys[2])
    change = {"old_key": texts[old], "new_key": texts[new]}
    edit(house, "signing-key-rotated", lambda event: event.update(change))
    seal(house, keys[1], keys[0])

    assert any(found in each.found for each in findings(house, [keys[0]]) if each.check == "keys")


def test_g5_a_rotation_in_another_stream_is_found_and_changes_no_key(house):
    """Given a rotation that stands in a conto's stream, then it is found where it stands."""
    house.conto("anna-1")
    fields = told(house.key, successor_of(house.key))
    edit(house, "conto-opened", lambda opened: (opened.clear(), opened.update(fields)))
    by_force(house, "UPDATE events SET topic = 'signing-key-rotated' WHERE topic = 'conto-opened'")
    seal(house, house.key)

    found = {(f.check, f.found) for f in findings(house, [house.key])}
    assert ("keys", "this stream cannot hold a rotation") in found
