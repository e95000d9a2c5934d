"""The secret string of a series: byte for byte as the rules write it, and read in one way only."""

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from games.roulette.fairplay.secret import (
    Commitment,
    Secret,
    commit,
    number_of,
    read,
    server_key,
    service_hash,
    service_part,
    write,
)
from ledger.domain.refusals import Code, Refusal

SEED = Secret(
    alias="yourlogin",
    prepared=datetime(2005, 10, 28, 15, 21, 33, tzinfo=UTC),
    user_key="sometext1",
    server_key="sometext2",
    numbers=(7, 23, 33, 0, 12),
)
SERVICE = "yourlogin-DATE20051028TIME152133-USERKEY-sometext1-SRVKEY-sometext2"
PRINTED = f"{SERVICE}-START-07-23-33-00-12-END-1b47c49be158fb802df9ce678b6e5bdd"
"""The example of the rules, without the blank that its page had before SRVKEY."""


def changed(**fields):
    """The example with other values."""
    return Secret.model_validate({**dict(SEED), **fields})


# --- writing -------------------------------------------------------------------------------------


def test_hw6_the_printed_hash_is_that_of_the_printed_string_without_the_blank():
    """The rules print 1b47c49b...; with the blank the hash is another one."""
    with_blank = SERVICE.replace("-SRVKEY", "- SRVKEY")

    assert SERVICE == service_part(SEED)
    assert "1b47c49be158fb802df9ce678b6e5bdd" == service_hash(SEED)
    assert "1b47c49be158fb802df9ce678b6e5bdd" != hashlib.md5(with_blank.encode()).hexdigest()


def test_hw6_the_string_is_written_as_the_rules_print_it():
    """Byte for byte."""
    assert PRINTED == write(SEED)


def test_hw6_without_a_players_key_not_assigned_stands_in_its_place():
    """And nobody can choose it as a key, or one string would tell two stories."""
    assert "-USERKEY-NotAssigned-SRVKEY-" in write(changed(user_key=None))
    assert changed(user_key=None) == read(write(changed(user_key=None))).secret
    with pytest.raises(ValidationError, match="choose another"):
        changed(user_key="NotAssigned")


def test_hw6_hw8_both_hashes_of_the_whole_string_are_committed():
    """As `md5sum` and `sha256sum` give them."""
    assert (
        Commitment(
            md5=hashlib.md5(PRINTED.encode()).hexdigest(),
            sha256=hashlib.sha256(PRINTED.encode()).hexdigest(),
        )
        == commit(PRINTED)
        != commit(PRINTED.replace("-12-END", "-13-END"))
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"alias": ""},
        {"alias": "a" * 41},
        {"alias": "anna-1"},
        {"alias": "Анна"},
        {"user_key": "ключ"},
        {"user_key": ""},
        {"user_key": "a b"},
        {"user_key": "a-b"},
        {"user_key": "a" * 65},
        {"user_key": "key\n"},
        {"server_key": ""},
        {"server_key": "a-b"},
        {"numbers": (1, 2, 3, 4)},
        {"numbers": (1,) * 51},
        {"numbers": (1, 2, 3, 4, 37)},
        {"numbers": (1, 2, 3, 4, -1)},
        {"prepared": datetime(2005, 10, 28, 15, 21, 33)},  # noqa: DTZ001 - no zone is the point
    ],
)
def test_hw6_what_could_not_be_read_back_cannot_be_written(fields):
    """No hyphen, no other script, no number off the wheel, no series too short or too long."""
    with pytest.raises(ValidationError):
        changed(**fields)


def test_g10_numbers_and_house_key_are_not_in_the_printed_form():
    """What ends up in a log or a traceback tells neither, an error about them included."""
    told = repr(changed(server_key="c0ffee", numbers=(31, 32, 34, 35, 36)))
    with pytest.raises(ValidationError) as wrong:
        changed(server_key="c0ffee", numbers=(31, 32, 34, 35))

    assert "yourlogin" in told
    for text in (told, str(wrong.value)):
        assert not [each for each in ("c0ffee", "31", "32", "34", "35", "36") if each in text]


def test_hw8_the_house_key_is_at_least_128_random_bits():
    """Sixteen bytes and more are written as they are; fewer are a bug of the caller."""
    assert "000102030405060708090a0b0c0d0e0f" == server_key(bytes(range(16)))
    assert 2**128 == 16 ** len(server_key(bytes(16)))
    with pytest.raises(AssertionError):
        server_key(bytes(15))


def test_s11_a_series_number_is_the_unbiased_mapping_of_its_bytes():
    """Each pocket comes of six of 256 bytes; 222 and more decide nothing, and the next one does."""
    numbers = [number_of(bytes([raw])) for raw in range(256)]

    assert list(range(37)) * 6 == numbers[:222]
    assert [None] * 34 == numbers[222:]
    assert 36 == number_of(bytes([255, 222, 36, 0]))


# --- reading -------------------------------------------------------------------------------------


def test_hw6_the_printed_string_is_read():
    """Every part of it, and the hash as it stands there."""
    reading = read(PRINTED)

    assert SEED == reading.secret
    assert "1b47c49be158fb802df9ce678b6e5bdd" == reading.service_hash


ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
SECRETS = st.builds(
    Secret,
    alias=st.text(ALNUM, min_size=1, max_size=40),
    prepared=st.datetimes(timezones=st.just(UTC)).map(lambda at: at.replace(microsecond=0)),
    user_key=st.none() | st.text(ALNUM, min_size=1, max_size=64),
    server_key=st.text(ALNUM, min_size=1, max_size=64),
    numbers=st.lists(st.integers(0, 36), min_size=5, max_size=50).map(tuple),
)


@given(SECRETS)
def test_hw6_every_secret_is_read_back_as_itself(secret):
    """Keys that look like other parts of the string, such as START or DATE, included."""
    assert secret == read(write(secret)).secret


@given(SECRETS, st.data())
def test_hw6_a_string_that_is_read_is_the_only_way_to_write_what_it_says(secret, data):
    """One character changed, left out or put in: it is refused, or says something else."""
    text = write(secret)
    place = data.draw(st.integers(0, len(text)))
    put = data.draw(st.sampled_from(["", *"-0aZ7 \n٣é"]))
    other = text[:place] + put + text[place + data.draw(st.integers(0, 1)) :]
    reading = read(other)
    if isinstance(reading, Refusal) or other == text:
        return

    assert (secret, service_hash(secret)) != (reading.secret, reading.service_hash)
    assert other.replace(reading.service_hash, "") == write(reading.secret).replace(
        service_hash(reading.secret), ""
    )


def place_of(text):
    """The character that a refusal names."""
    refusal = read(text)
    assert isinstance(refusal, Refusal), refusal
    assert Code.MALFORMED == refusal.code
    return int(refusal.message.partition(" character ")[2].partition(":")[0])


def at(part, more=0):
    """Where a part of the printed string begins, counted from 1, and some characters on."""
    return PRINTED.index(part) + 1 + more


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", 1),
        ("-DATE", 1),
        (" " + PRINTED, 1),
        (PRINTED.replace("yourlogin", "your login"), 5),
        (PRINTED.replace("yourlogin", "логин"), 1),
        (PRINTED.replace("yourlogin", "a" * 41), 41),
        (PRINTED.replace("-DATE", "-date"), at("DATE")),
        (PRINTED.replace("20051028", "2005102"), at("20051028")),
        (PRINTED.replace("20051028", "20050229"), at("20051028")),
        (PRINTED.replace("20051028", "٢٠٠٥١٠٢٨"), at("20051028")),
        (PRINTED.replace("TIME", "Time"), at("TIME", 1)),
        (PRINTED.replace("152133", "246060"), at("152133")),
        (PRINTED.replace("152133", "1521330"), at("152133", 6)),
        (PRINTED.replace("-SRVKEY", "- SRVKEY"), at("SRVKEY")),
        (PRINTED.replace("sometext1", ""), at("sometext1")),
        (PRINTED.replace("sometext1", "ключ"), at("sometext1")),
        (PRINTED.replace("sometext2", "some-text2"), at("sometext2", 5)),
        (PRINTED.replace("START-07", "START-7"), at("07-23")),
        (PRINTED.replace("START-07", "START07"), at("START", 5)),
        (PRINTED.replace("-33-", "-37-"), at("33-00")),
        (PRINTED.replace("-33-", "-033-"), at("33-00", 2)),
        (PRINTED.replace("-12-END", "-END"), at("12-END")),
        (PRINTED.replace("-12-END", "-12" * 47 + "-END"), at("12-END", 3 * 46)),
        (PRINTED.replace("-END-", "-STOP-"), at("-END-", 1)),
        (PRINTED[:-1], at("1b47")),
        (PRINTED.replace("1b47", "1B47"), at("1b47")),
        (PRINTED + "0", len(PRINTED) + 1),
        (PRINTED + "\n", len(PRINTED) + 1),
        (PRINTED + "\x00", len(PRINTED) + 1),
        (PRINTED + PRINTED, len(PRINTED) + 1),
    ],
)
def test_hw6_anything_else_is_refused_with_the_first_character_at_fault(text, place):
    """The page's blank, a day that is none, one digit, too few, too many, a remainder."""
    assert place == place_of(text)


def test_s6_a_refusal_does_not_repeat_what_was_sent():
    """The string may hold a secret that is not to be shown yet."""
    refusal = read(PRINTED.replace("-END-", "-KONEC-"))

    assert not [
        part for part in ("sometext", "yourlogin", "KONEC", "33") if part in refusal.message
    ]


@given(st.text(max_size=200))
def test_s6_any_text_is_read_or_refused(text):
    """Never an exception, whatever it holds."""
    assert isinstance(read(text), Refusal)
