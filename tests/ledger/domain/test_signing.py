"""Which key signs the checkpoints: each rotation goes on from the key in force."""

import pytest
from pydantic import ValidationError

from ledger.domain.commands import RotateSigningKey
from ledger.domain.events import SigningKeyRotated
from ledger.domain.ids import SIGNING_KEY
from ledger.domain.refusals import Code
from ledger.seal.notes import SigningKey
from tests.given import given, on
from tests.scenes import order

FIRST, SECOND, THIRD = (
    SigningKey("libro.example/rome", bytes([n]) * 32).verifying_key.text() for n in range(3)
)
ELSEWHERE = SigningKey("libro.example/milan", bytes(32)).verifying_key.text()


def told(old: str, new: str) -> dict[str, str]:
    """What command and event say."""
    return {"old_key": old, "new_key": new, "signature": "A" * 86 + "==", "reason": "yearly"}


def rotate(old: str, new: str) -> RotateSigningKey:
    """The command that has a key follow another one."""
    return order(RotateSigningKey, **told(old, new))


def rotated(old: str, new: str) -> SigningKeyRotated:
    """What it brings about."""
    return SigningKeyRotated(**told(old, new))


def test_g6_a_key_follows_the_one_in_force():
    """Given a book whose key was never changed, then any may be the first, and each the next."""
    (
        given()
        .when(rotate(FIRST, SECOND))
        .then(on(SIGNING_KEY, rotated(FIRST, SECOND)))
        .when(rotate(SECOND, THIRD))
        .then(on(SIGNING_KEY, rotated(SECOND, THIRD)))
    )


def test_g6_nobody_rotates_from_a_key_that_is_not_in_force():
    """Given a rotation, when another one begins from the key that it retired, then refused."""
    given(on(SIGNING_KEY, rotated(FIRST, SECOND))).when(rotate(FIRST, THIRD)).then(
        Code.SIGNING_KEY_NOT_IN_FORCE
    )


@pytest.mark.parametrize("again", [FIRST, SECOND])
def test_g6_a_key_that_has_signed_never_comes_back(again):
    """Given a rotation, when a retired key or the one in force shall follow, then refused."""
    given(on(SIGNING_KEY, rotated(FIRST, SECOND))).when(rotate(SECOND, again)).then(
        Code.SIGNING_KEY_USED
    )


def test_g6_a_key_of_another_log_does_not_follow():
    """Given a key with another name, then it is malformed: a key speaks for one log."""
    given().when(rotate(FIRST, ELSEWHERE)).then(Code.MALFORMED)


@pytest.mark.parametrize("text", ["", "a+b+c", FIRST + "\n", FIRST[:-3], f"PRIVATE+KEY+{FIRST}"])
def test_g10_what_is_no_verifying_key_is_no_part_of_a_command(text):
    """Given another text in a key's place, a secret key's too, then no command can hold it."""
    with pytest.raises(ValidationError):
        rotate(FIRST, text)
