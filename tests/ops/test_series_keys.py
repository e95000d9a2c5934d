"""The keys of FairPlay series: each opens one number, and a destroyed file opens none (G10)."""

import stat
from uuid import UUID

import pytest

from ops.series_keys import SeriesKeys, SeriesKeysFault

SERIES = UUID(int=900)
OTHER = UUID(int=901)
PLAIN = [b"secret", b"\x11" * 16, b"\x12" * 16]


@pytest.fixture
def keys(tmp_path):
    """An empty folder of keys."""
    return SeriesKeys(tmp_path / "series")


def test_g10_each_number_is_opened_by_its_own_key(keys):
    """What was sealed comes back, and no two ciphertexts of equal numbers are alike."""
    sealed = keys.seal(SERIES, [b"same", b"same"])

    assert [b"same", b"same"] == [keys.unseal(s) for s in sealed]
    assert sealed[0].ciphertext != sealed[1].ciphertext


def test_g10_ciphertexts_have_one_length_whatever_the_number(keys):
    """All numbers are sealed as 16 bytes, so that their length tells nothing."""
    _, first, second = keys.seal(SERIES, PLAIN)

    assert len(first.ciphertext) == len(second.ciphertext)


def test_g7_a_sealed_number_cannot_stand_for_another(keys):
    """Neither at another place nor in another series."""
    _, first, second = keys.seal(SERIES, PLAIN)
    keys.seal(OTHER, PLAIN)

    for wrong in (
        first.model_copy(update={"place": 2}),
        second.model_copy(update={"series": OTHER}),
        first.model_copy(update={"place": 9}),
        first.model_copy(update={"ciphertext": "AAAA"}),
    ):
        with pytest.raises(SeriesKeysFault):
            keys.unseal(wrong)


def test_hw7_destroyed_keys_open_nothing_any_more(keys):
    """Once; the file is overwritten and gone."""
    sealed = keys.seal(SERIES, PLAIN)
    keys.seal(OTHER, PLAIN)

    assert [True, False] == [keys.destroy(SERIES), keys.destroy(SERIES)]
    assert [OTHER] == list(keys.kept())
    with pytest.raises(SeriesKeysFault, match="are not in"):
        keys.unseal(sealed[1])


def test_g10_key_files_are_their_owners_alone(keys):
    """Neither group nor others may read them, nor list the folder."""
    keys.seal(SERIES, PLAIN)

    (path,) = keys.folder.iterdir()
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (keys.folder, path)]
    assert [0o700, 0o600] == modes


def test_a_series_is_sealed_once(keys):
    """Keys that exist are never written over."""
    keys.seal(SERIES, PLAIN)

    with pytest.raises(FileExistsError):
        keys.seal(SERIES, PLAIN)


@pytest.mark.parametrize("name", ["copy of {}", "{{{}}}", "urn:uuid:{}", "notes"])
def test_g9_another_file_among_the_keys_stops_no_expiry(keys, name):
    """It is no series whose keys are here, however much its name is like one; the others are."""
    keys.seal(SERIES, PLAIN)
    (keys.folder / (name.format(OTHER) + ".series")).touch()

    assert [SERIES] == list(keys.kept())


def test_g9_a_key_file_that_cannot_be_used_is_a_fault(keys):
    """A folder stands in its place; whoever goes through many series goes on with the next."""
    sealed = keys.seal(SERIES, PLAIN)
    path = next(keys.folder.iterdir())
    path.unlink()
    path.mkdir()

    for use in (lambda: keys.unseal(sealed[1]), lambda: keys.destroy(SERIES)):
        with pytest.raises(SeriesKeysFault, match="cannot be used"):
            use()
