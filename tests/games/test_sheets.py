"""Sheet documents are read strictly, and say where they are wrong (G8)."""

import json

import pytest

from games.roulette.sheet import RouletteDocument
from games.sheets import read_document, read_file
from ledger.domain.decider import SheetError
from tests.roulette_table import CLASSIC, changed


def test_g8_a_document_is_read_into_its_canonical_text():
    """Blanks and the order of keys in the file do not matter."""
    reversed_keys = dict(reversed(json.loads(CLASSIC).items()))

    assert read_file(json.dumps(reversed_keys, indent=1).encode()).text == CLASSIC


def test_g8_an_unknown_field_is_named():
    """Nothing stands in a sheet that no one reads."""
    text = changed(lambda document: document.update(colour="blue"))

    with pytest.raises(SheetError, match="colour"):
        read_document(RouletteDocument, text)


@pytest.mark.parametrize("field", ["title", "texts", "source", "game", "session", "sheet"])
def test_g8_a_missing_part_is_named(field):
    """A sheet without its title, texts, sources, rules or terms is none."""
    with pytest.raises(SheetError, match=field):
        read_document(RouletteDocument, changed(lambda document: document.pop(field)))


def test_g8_what_is_no_json_is_a_wrong_sheet():
    """The fault is in the document as a whole."""
    with pytest.raises(SheetError, match="document"):
        read_document(RouletteDocument, "{")
