"""The vault: personal fields under a key of their player, whose destruction erases them (G10)."""

import base64
import stat
from pathlib import Path

import pytest

from ledger.domain.events import ProtectedField
from ops.vault import KEY_BYTES, Vault, VaultFault
from tests.racing import at_once

HOLDER = {"name": "Zoë Forlì", "birth-date": "1979-12-24", "nickname": "Иванов"}
PLAIN = tuple(HOLDER.values())


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """A vault whose folder does not exist yet."""
    return Vault(tmp_path / "vault")


def test_g10_what_is_protected_is_revealed_and_not_readable_before(vault: Vault) -> None:
    """Fields come back as they were; nothing of them stands in the ciphertext."""
    fields = vault.protect("anna-1", HOLDER)
    assert vault.reveal("anna-1", fields) == HOLDER
    stored = b"".join(base64.b64decode(f.ciphertext) for f in fields)
    assert [value for value in PLAIN if value.encode() in stored] == []


def test_g3_protecting_the_same_again_gives_the_same_bytes(vault: Vault) -> None:
    """A repeated command has the same content, so its digest is the same."""
    assert vault.protect("anna-1", HOLDER) == vault.protect("anna-1", HOLDER)


def test_g10_two_players_with_the_same_name_have_different_bytes(vault: Vault) -> None:
    """Nobody can tell from the log that two players share a name or a birthday."""
    anna, bruno = (vault.protect(p, HOLDER) for p in ("anna-1", "bruno-2"))
    assert {f.ciphertext for f in anna}.isdisjoint(f.ciphertext for f in bruno)


def test_g10_a_destroyed_key_reveals_nothing_and_is_never_made_again(vault: Vault) -> None:
    """What was erased stays erased; another player's data is untouched."""
    anna, bruno = (vault.protect(p, HOLDER) for p in ("anna-1", "bruno-2"))
    key = (vault.folder / "anna-1.1.key").read_bytes()
    assert [vault.destroy("anna-1"), vault.destroy("anna-1")] == [True, False]
    assert vault.reveal("anna-1", anna) is None
    assert vault.protect("anna-1", HOLDER, make=False) == ()
    with pytest.raises(VaultFault, match="another name"):
        vault.protect("anna-1", HOLDER)
    assert vault.reveal("bruno-2", bruno) == HOLDER
    assert key not in b"".join(path.read_bytes() for path in vault.folder.iterdir())


def test_g10_a_text_is_bound_to_its_player_and_place(vault: Vault) -> None:
    """What was said comes back where it was said and nowhere else, and never without the key."""
    said = vault.protect_text("anna-1", "d:1", "Zoë Forlì: «non ho puntato»")
    assert vault.protect_text("anna-1", "d:1", "Zoë Forlì: «non ho puntato»") == said
    assert vault.reveal_text("anna-1", "d:1", said) == "Zoë Forlì: «non ho puntato»"
    vault.protect("bruno-2", HOLDER)
    foreign = said.model_copy(update={"key": "bruno-2.1"})
    for player, place, text in (("anna-1", "d:2", said), ("bruno-2", "d:1", said),
                                ("bruno-2", "d:1", foreign)):  # fmt: skip
        with pytest.raises(VaultFault, match="does not belong"):
            vault.reveal_text(player, place, text)
    assert vault.destroy("anna-1")
    assert vault.reveal_text("anna-1", "d:1", said) is None
    with pytest.raises(VaultFault, match="destroyed"):
        vault.protect_text("anna-1", "d:3", "again")


def test_g10_fields_swapped_between_players_names_or_keys_are_refused(vault: Vault) -> None:
    """Conto, field and key are bound into each ciphertext."""
    (name, birth, _), (foreign, *_) = (vault.protect(p, HOLDER) for p in ("anna-1", "bruno-2"))
    renamed = ProtectedField(name="name", key=birth.key, ciphertext=birth.ciphertext)
    rekeyed = ProtectedField(name="name", key=foreign.key, ciphertext=name.ciphertext)
    for swapped in (renamed, rekeyed, foreign):
        with pytest.raises(VaultFault):
            vault.reveal("anna-1", [swapped])
    with pytest.raises(VaultFault):
        vault.reveal("bruno-2", [name])


@pytest.mark.parametrize("ciphertext", ["AAAA", "A" * 40])
def test_g10_a_ciphertext_that_is_none_is_refused_without_a_word_of_it(
    vault: Vault, ciphertext: str
) -> None:
    """Too short and made up alike."""
    (name, *_) = vault.protect("anna-1", HOLDER)
    forged = ProtectedField(name="name", key=name.key, ciphertext=ciphertext)
    with pytest.raises(VaultFault, match="does not belong"):
        vault.reveal("anna-1", [forged])


@pytest.mark.parametrize("name", ["../anna-1.1", "/etc/passwd", "anna-1", "anna 1.1", " "])
def test_the_name_of_a_key_cannot_leave_the_vault(vault: Vault, name: str) -> None:
    """A path is no name of a key."""
    with pytest.raises(VaultFault, match="no name of a key"):
        vault.reveal("anna-1", [ProtectedField(name="name", key=name, ciphertext="AAAA")])


@pytest.mark.parametrize("player", ["../anna", "Anna Rossi", "", "a" * 41])
def test_a_player_who_is_no_pseudonym_gets_no_key(vault: Vault, player: str) -> None:
    """Nothing personal becomes the name of a file."""
    with pytest.raises(VaultFault):
        vault.protect(player, HOLDER)
    assert not vault.folder.exists()


def test_g10_keys_are_readable_by_their_owner_alone(vault: Vault) -> None:
    """Folder and files have no rights for others, and no half-made file is left."""
    vault.protect("anna-1", HOLDER)
    (key,) = vault.folder.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (vault.folder, key)]
    assert (modes, key.stat().st_size) == ([0o700, 0o600], KEY_BYTES)


def test_many_who_make_a_players_key_at_once_share_one(vault: Vault) -> None:
    """The first file counts; what all of them encrypted can be revealed."""
    made = at_once(*[lambda: vault.protect("anna-1", HOLDER)] * 8)
    assert made == [made[0]] * 8
    assert [path.name for path in vault.folder.iterdir()] == ["anna-1.1.key"]


@pytest.mark.parametrize("damage", [b"", b"x" * (KEY_BYTES - 1), b"y" * KEY_BYTES])
def test_a_damaged_key_is_a_fault_that_says_nothing_personal(vault: Vault, damage: bytes) -> None:
    """A key that was cut or exchanged reveals nothing and says what to do."""
    fields = vault.protect("anna-1", HOLDER)
    (vault.folder / "anna-1.1.key").write_bytes(damage)
    with pytest.raises(VaultFault) as fault:
        vault.reveal("anna-1", fields)
    assert [value for value in PLAIN if value in str(fault.value)] == []
