"""What a revealed series proves, what fails and what stays unproven (HW6, HW8, S10)."""

import hashlib
from datetime import UTC, datetime

import pytest

from games.roulette.fairplay.proof import Prepared, Proof, Spin, Standing, prove, spins_of
from games.roulette.fairplay.round import shifted
from games.roulette.fairplay.secret import Commitment, Secret, commit, write
from ledger.domain.refusals import Code, Refusal

SECRET = Secret(
    alias="anna1",
    prepared=datetime(2026, 11, 30, 9, 0, 0, tzinfo=UTC),
    user_key="mykey",
    server_key="00112233445566778899aabbccddeeff",
    numbers=(12, 7, 22, 3, 27),
)
TEXT = write(SECRET)
SHOWN = commit(TEXT)
OFFSETS, POCKETS = (0, 30, 5, 15, 36), (12, 0, 27, 18, 26)
SPINS = tuple(Spin(offset, pocket) for offset, pocket in zip(OFFSETS, POCKETS, strict=True))
"""The example of the rules."""

PROVED, FAILED, NOT_PROVEN = Standing.PROVED, Standing.FAILED, Standing.NOT_PROVEN


def proof_of(shown=SHOWN, text=TEXT, spins=SPINS):
    """A proof of a string that can be read."""
    proof = prove(shown, text, spins)
    assert isinstance(proof, Proof), proof
    return proof


def standings(proof):
    """How each statement stands."""
    return {statement.about: statement.standing for statement in proof.statements}


def says(proof, about):
    """What is said about one thing."""
    return next(s.says for s in proof.statements if s.about == about)


WHOLE = {
    "md5": PROVED,
    "sha-256": PROVED,
    "service-hash": PROVED,
    "spins": PROVED,
    "player-key": PROVED,
    "house-key": PROVED,
    "before-play": NOT_PROVEN,
    "chance": NOT_PROVEN,
}


def test_hw6_the_example_of_the_rules_is_proved_spin_by_spin():
    """12-7-22-3-27 with offsets 0, 30, 5, 15 and 36 is 12, 0, 27, 18 and 26."""
    proof = proof_of()

    assert WHOLE == standings(proof)
    assert proof.holds
    assert SECRET == proof.secret
    assert list(POCKETS) == [step.pocket for step in proof.steps]
    assert {True} == {step.agrees for step in proof.steps}


def test_hw8_it_is_said_what_md5_no_longer_promises_and_what_sha_256_adds():
    """Two strings with one MD5 can be made; with one SHA-256 no way is known."""
    whole, md5_alone = proof_of(), proof_of(Commitment(md5=SHOWN.md5, sha256=None))

    assert "two strings with one MD5 can be made on purpose" in says(whole, "md5")
    assert "No way is known to make two strings with one SHA-256" in says(whole, "sha-256")
    assert WHOLE | {"sha-256": NOT_PROVEN} == standings(md5_alone)
    assert md5_alone.holds
    assert "a second string with the same MD5" in says(md5_alone, "sha-256")


ONE = bytes.fromhex(
    "d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f89"
    "55ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b"
    "d8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0"
    "e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70"
)
TWO = bytes.fromhex(
    "d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f89"
    "55ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b"
    "d8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0"
    "e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70"
)
"""The pair with one MD5 that Wang and others published in 2004."""


def test_hw8_two_contents_with_one_md5_exist_and_sha_256_tells_them_apart():
    """The published pair: that is why an equal MD5 is not said to bind."""
    assert ONE != TWO
    assert hashlib.md5(ONE).digest() == hashlib.md5(TWO).digest()
    assert hashlib.sha256(ONE).digest() != hashlib.sha256(TWO).digest()


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (TEXT.replace("-27-END", "-28-END"), {"md5", "sha-256", "spins"}),
        (TEXT.replace("-12-07-", "-07-12-"), {"md5", "sha-256", "spins"}),
        (TEXT.replace("mykey", "yourkey"), {"md5", "sha-256", "service-hash"}),
        (TEXT.replace("TIME090000", "TIME090001"), {"md5", "sha-256", "service-hash"}),
        (write(SECRET.model_copy(update={"server_key": "f" * 32})), {"md5", "sha-256"}),
    ],
)
def test_g7_another_string_than_the_committed_one_fails(text, failed):
    """A number changed, two exchanged, another key, another time."""
    proof = proof_of(text=text)

    assert failed == {about for about, standing in standings(proof).items() if standing is FAILED}
    assert not proof.holds


def test_hw8_a_string_with_the_right_md5_and_another_sha_256_fails():
    """What a second string with the same MD5 would look like."""
    other = hashlib.sha256(b"another string").hexdigest()
    proof = proof_of(Commitment(md5=SHOWN.md5, sha256=other))

    assert (PROVED, FAILED) == (standings(proof)["md5"], standings(proof)["sha-256"])
    assert not proof.holds


@pytest.mark.parametrize("place", range(5))
def test_s10_a_spin_that_came_elsewhere_is_named(place):
    """Any one of them, by a pocket or by the number on record."""
    pocket = (POCKETS[place] + 1) % 37
    for wrong in (Spin(OFFSETS[place], pocket), Spin(OFFSETS[place], None, 36)):
        proof = proof_of(spins=(*SPINS[:place], wrong, *SPINS[place + 1 :]))

        assert FAILED is standings(proof)["spins"]
        assert f"spin {place + 1}." in says(proof, "spins")
        assert [step.agrees is not False for step in proof.steps] == [
            at != place for at in range(5)
        ]


def test_hw6_a_series_that_ended_early_proves_what_was_played():
    """Two spins of five: the other numbers stand in the string and prove nothing."""
    proof = proof_of(spins=SPINS[:2])

    assert WHOLE == standings(proof)
    assert [True, True, None, None, None] == [step.agrees for step in proof.steps]
    assert [12, 0, None, None, None] == [step.pocket for step in proof.steps]


@pytest.mark.parametrize(
    ("spins", "worked_out"),
    [
        ((), [None] * 5),
        (tuple(Spin(offset) for offset in OFFSETS), list(POCKETS)),
        ((SPINS[0], Spin(30), SPINS[2]), [12, 0, 27, None, None]),
    ],
)
def test_hw6_spins_whose_outcome_is_not_known_are_worked_out_and_not_said_to_be_proved(
    spins, worked_out
):
    """None at all, offsets alone, a void spin in between, which uses up its number."""
    proof = proof_of(spins=spins)

    assert NOT_PROVEN is standings(proof)["spins"]
    assert worked_out == [step.pocket for step in proof.steps]
    assert proof.holds


def test_hw6_more_spins_than_numbers_fail():
    """Six spins of a series of five."""
    proof = proof_of(spins=(*SPINS, Spin(0, 0)))

    assert FAILED is standings(proof)["spins"]
    assert "6 spins" in says(proof, "spins")
    assert 5 == len(proof.steps)


def test_hw6_keys_that_are_missing_or_short_are_not_said_to_protect():
    """No key of the player, and a house's key that somebody could try out."""
    text = write(SECRET.model_copy(update={"user_key": None, "server_key": "sometext2"}))
    proof = proof_of(commit(text), text)

    assert WHOLE | {"player-key": NOT_PROVEN, "house-key": NOT_PROVEN} == standings(proof)
    assert proof.holds


def test_s6_a_string_that_cannot_be_read_proves_nothing():
    """It is refused with the place."""
    refusal = prove(SHOWN, TEXT + " ", SPINS)

    assert isinstance(refusal, Refusal)
    assert Code.MALFORMED == refusal.code
    assert f"character {len(TEXT) + 1}:" in refusal.message


def test_g7_the_spins_of_a_book_are_checked_by_number_and_pocket():
    """The third round was void before its number was opened; the others have outcomes on record."""
    came = [(offset, shifted(n, offset)) for n, offset in zip(SECRET.numbers, OFFSETS, strict=True)]
    came[2] = (5, None)
    spins = spins_of(came)

    assert Spin(5) == spins[2]
    assert Spin(30, 0, 7) == spins[1]
    assert [True, True, None, True, True] == [s.agrees for s in proof_of(spins=spins).steps]
    swapped = spins_of([came[1], came[0], *came[2:]])
    assert FAILED is standings(proof_of(spins=swapped))["spins"]


def test_g7_an_outcome_with_another_offset_than_was_chosen_fails():
    """Offset 30 was recorded with the bets; 7 came moved on by 31, and says so: 1 in place of 0."""
    came = [(offset, shifted(n, offset)) for n, offset in zip(SECRET.numbers, OFFSETS, strict=True)]
    came[1] = (30, shifted(7, 31))

    assert FAILED is standings(proof_of(spins=spins_of(came)))["spins"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"alias": "bruno2"}, "alias"),
        ({"user_key": None}, "player's key"),
        ({"user_key": "other"}, "player's key"),
        ({"numbers": 6}, "count of numbers"),
    ],
)
def test_hw6_a_string_that_says_other_than_the_book_fails(changed, told):
    """A house that left out the player's key committed to a string that it could make before."""
    kept = {"alias": "anna1", "user_key": "mykey", "numbers": 5}
    sound = prove(SHOWN, TEXT, SPINS, Prepared(**kept))
    wrong = prove(SHOWN, TEXT, SPINS, Prepared(**(kept | changed)))
    (said,) = [each.says for each in wrong.statements if each.about == "record"]

    assert (PROVED, FAILED) == (standings(sound)["record"], standings(wrong)["record"])
    assert said.endswith(f"look at: {told}.")
    assert "record" not in standings(prove(SHOWN, TEXT, SPINS))
