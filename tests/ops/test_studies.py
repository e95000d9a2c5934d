"""Studies on disk: found by what they are of, and as good as none when anything is wrong."""

import hashlib
from pathlib import Path

import orjson
import pytest

from games import registry
from games.sheets import SheetFile, read_file
from ops import studies

FILE = registry.SHEETS["deuces-wild"]
KEY = studies.key_of(FILE, {"coins": "5"})
DOCUMENT = {"fraction": "36/37", "frequencies": [{"category": "nothing", "one_in": None}]}


def with_other_text() -> SheetFile:
    """The sheet with one pay changed, and nothing else of its name or version."""
    document = orjson.loads(FILE.text)
    document["game"]["pays"]["four-deuces"][0] = 199
    return read_file(orjson.dumps(document))


def only_file(folder: Path) -> Path:
    """The one file in a folder: nothing half written lies beside it."""
    (file,) = folder.iterdir()
    return file


def test_a_study_that_is_kept_is_found_again_as_it_was(tmp_path):
    """Given a kept document, then the same document, and one file."""
    folder = tmp_path / "home" / "studies"
    studies.keep(folder, KEY, DOCUMENT)

    assert DOCUMENT == studies.kept(folder, KEY)
    assert only_file(folder).is_file()


@pytest.mark.parametrize(
    "key",
    [
        studies.key_of(FILE, {"coins": "4"}),
        studies.key_of(FILE, {"strategy": "5"}),
        studies.key_of(with_other_text(), {"coins": "5"}),
        studies.key_of(SheetFile(FILE.sheet, 1, "deuces-wild/2", FILE.text), {"coins": "5"}),
        {**KEY, "form": studies.FORM + 1},
    ],
    ids=["coins", "option", "text", "engine", "form"],
)
def test_a_study_of_something_else_is_not_found(tmp_path, key):
    """Given other options, another text, engine or form, then nothing.

    Nor when the kept file is put where the other one would be looked for.
    """
    studies.keep(tmp_path, KEY, DOCUMENT)
    assert studies.kept(tmp_path, key) is None

    only_file(tmp_path).replace(studies._path(tmp_path, key))

    assert studies.kept(tmp_path, key) is None


def signed(text: bytes) -> bytes:
    """A text with the digest that belongs to it."""
    return text + b"\n" + hashlib.sha256(text).hexdigest().encode() + b"\n"


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda whole: whole[:-1],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole + b"\n",
        lambda whole: whole.replace(b"36/37", b"37/37"),
        lambda whole: whole.partition(b"\n")[0],
        lambda _: b"\xff" * 300,
        lambda _: signed(b"[]"),
        lambda _: signed(b"{"),
        lambda _: signed(b"[" * 5_000),
        lambda _: signed(b'{"study":{}}'),
    ],
    ids=range(11),
)
def test_a_file_that_is_damaged_or_foreign_is_as_good_as_none_and_is_replaced(tmp_path, damage):
    """Given other bytes in the file's place, then nothing is found until it is kept anew."""
    studies.keep(tmp_path, KEY, DOCUMENT)
    file = only_file(tmp_path)
    file.write_bytes(damage(file.read_bytes()))

    assert studies.kept(tmp_path, KEY) is None

    studies.keep(tmp_path, KEY, DOCUMENT)
    assert (DOCUMENT, file) == (studies.kept(tmp_path, KEY), only_file(tmp_path))


def test_where_nothing_can_be_kept_nothing_is_found_and_nothing_is_left_behind(tmp_path):
    """Given a file where the folder would be, and a folder where the file would be, then errors."""
    blocked = tmp_path / "studies"
    blocked.write_bytes(b"")
    assert studies.kept(blocked, KEY) is None
    with pytest.raises(OSError, match="exists"):
        studies.keep(blocked, KEY, DOCUMENT)

    folder = tmp_path / "other"
    studies._path(folder, KEY).mkdir(parents=True)
    assert studies.kept(folder, KEY) is None
    with pytest.raises(IsADirectoryError):
        studies.keep(folder, KEY, DOCUMENT)
    assert only_file(folder).is_dir()
