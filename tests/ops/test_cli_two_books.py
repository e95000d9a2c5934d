"""Two books in one home: each has its own signing key, and its own keys of personal data (G5, G10).

A home of the time when these were the home's goes on as it is, for the book whose home it was.
"""

import subprocess
from pathlib import Path
from secrets import token_hex

import pytest

from ops import bootstrap
from ops.settings import Settings
from ops.signing_keys import signing_key
from tests.program import Shop

NAMES = {"anna-1": "Anna Bianchi", "bruno": "Bruno Neri"}


def shop_in(home: Path, forks: subprocess.Popen, conninfo: str) -> Shop:
    """A book that has nothing set but its name and its database, with two players in it."""
    given = {"BOOK": f"c_{token_hex(4)}", "DATABASE_URL": conninfo, "CENTRAL_URL": "instant"}
    shop = Shop(home, forks, given, conninfo=conninfo)
    shop.say("migrate")
    for player, name in NAMES.items():
        shop.say("conto", "open", player, "--name", name)
    shop.say("seal")
    return shop


@pytest.fixture(scope="module")
def books(forks, cluster, tmp_path_factory) -> tuple[Shop, Shop]:
    """Two books in one home."""
    home = tmp_path_factory.mktemp("shared")
    return shop_in(home, forks, cluster), shop_in(home, forks, cluster)


def settings(shop: Shop) -> Settings:
    """The settings of a book."""
    return Settings(home=shop.home, book=shop.book)


ERASED = "erased"
KNOWN = {player: {"name": name} for player, name in NAMES.items()}


def holders(shop: Shop) -> dict[str, object]:
    """Each player's holder as a clerk is told."""
    return {player: shop.say("conto", "show", player)["holder"] for player in NAMES}


def test_g5_two_books_in_one_home_are_signed_by_keys_of_their_own(books):
    """Given two books, then two keys, and neither's checkpoint passes for the other's."""
    keys = [signing_key(settings(shop)) for shop in books]
    verdicts = [shop.say("verify") for shop in books]
    notes = [shop.say("seal")["note"] for shop in books]

    assert keys[0].seed != keys[1].seed
    assert [True, True] == [verdict["holds"] for verdict in verdicts]
    paper = books[0].home / "paper"
    paper.write_text(notes[0])
    done = books[1].quick("verify", "--kept", str(paper), "--json")
    assert (4, ["signature"]) == (done.code, [f["check"] for f in done.document["findings"]])


def test_g10_a_player_erased_in_one_book_is_still_known_in_the_other(books):
    """Given one pseudonym in two books, when its key in the first is destroyed, then only there."""
    assert [KNOWN, KNOWN] == [holders(shop) for shop in books]

    assert bootstrap.vault(settings(books[0])).destroy("anna-1")

    assert [KNOWN | {"anna-1": ERASED}, KNOWN] == [holders(shop) for shop in books]


def test_g10_a_home_that_was_one_books_goes_on_and_a_second_book_has_its_own(
    forks, cluster, tmp_path
):
    """Given key and vault at the old places, then the first book keeps them, another has others."""
    first = shop_in(tmp_path, forks, cluster)
    (tmp_path / "keys" / first.book / "seal.key").rename(tmp_path / "keys" / "seal.key")
    for key in (tmp_path / "vault" / first.book).iterdir():
        key.rename(tmp_path / "vault" / key.name)
    assert {"signing_key_made": False}.items() <= first.say("migrate").items()

    second = shop_in(tmp_path, forks, cluster)
    bootstrap.vault(settings(second)).destroy("bruno")

    assert [KNOWN, KNOWN | {"bruno": ERASED}] == [holders(shop) for shop in (first, second)]
    assert [True, True] == [shop.say("verify")["holds"] for shop in (first, second)]
