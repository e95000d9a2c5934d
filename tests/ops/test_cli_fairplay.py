"""`fairplay verify`: a player checks a revealed series with no book, no setting and no database."""

import hashlib

import pytest

STRING = (
    "anna1-DATE20261130TIME090000-USERKEY-mykey-SRVKEY-00112233445566778899aabbccddeeff"
    "-START-12-07-22-03-27-END-"
)
STRING += hashlib.md5(STRING.partition("-START")[0].encode()).hexdigest()
MD5 = hashlib.md5(STRING.encode()).hexdigest()
SHA256 = hashlib.sha256(STRING.encode()).hexdigest()
SHOWN = ("--md5", MD5, "--sha256", SHA256)
PLAYED = ("--offsets", "0,30,5,15,36", "--outcomes", "12,0,27,18,26")


def standings(document):
    """How each statement stands."""
    return {s["about"]: s["standing"] for s in document["statements"]}


def test_hw6_a_series_is_worked_out_again_for_people_and_for_machines(program):
    """Given the example of the rules, then each spin, and what is proved and what is not."""
    told = program.quick("fairplay", "verify", STRING, *SHOWN, *PLAYED)
    document = program.say("fairplay", "verify", STRING, *SHOWN, *PLAYED)

    assert 0 == told.code
    for part in ("anna1", "2026-11-30T09:00:00+00:00", "mykey", "Nothing failed."):
        assert part in told.out
    assert document["holds"] is True
    assert [
        {"spin": 2, "number": 7, "offset": 30, "pocket": 0, "came": 0, "agrees": True},
        {"spin": 3, "number": 22, "offset": 5, "pocket": 27, "came": 27, "agrees": True},
    ] == document["spins"][1:3]
    assert {
        "md5": "proved",
        "sha-256": "proved",
        "service-hash": "proved",
        "spins": "proved",
        "player-key": "proved",
        "house-key": "proved",
        "before-play": "not-proven",
        "chance": "not-proven",
    } == standings(document)
    assert all(statement["says"] in told.out for statement in document["statements"])
    assert not program.home.exists()


def test_hw6_the_string_comes_as_an_argument_a_file_or_standard_input(program, tmp_path):
    """Given one line in a file, with or without its end, then it is the same string."""
    (tmp_path / "plain").write_text(STRING)
    (tmp_path / "unix").write_text(STRING + "\n")
    (tmp_path / "windows").write_bytes(STRING.encode() + b"\r\n")
    ways = [(STRING, b""), ("-", STRING.encode()), ("-", STRING.encode() + b"\n")]
    ways += [(f"@{tmp_path / name}", b"") for name in ("plain", "unix", "windows")]
    expected = program.say("fairplay", "verify", STRING, *SHOWN)

    for way, stdin in ways:
        done = program.quick("fairplay", "verify", way, *SHOWN, "--json", stdin=stdin)
        assert (0, expected) == (done.code, done.document)


@pytest.mark.parametrize(
    ("arguments", "failed"),
    [
        (("--md5", "0" * 32, "--sha256", SHA256), {"md5"}),
        (("--md5", MD5, "--sha256", "0" * 64), {"sha-256"}),
        ((*SHOWN, "--offsets", "0,30", "--outcomes", "12,1"), {"spins"}),
        ((*SHOWN, "--outcomes", "12,7,22,3,27,0"), {"spins"}),
    ],
)
def test_s10_what_fails_is_told_with_exit_4(program, arguments, failed):
    """Given another hash, another pocket, or more spins than numbers."""
    done = program.quick("fairplay", "verify", STRING, *arguments, "--json")
    told = program.quick("fairplay", "verify", STRING, *arguments)

    assert (4, False) == (done.code, done.document["holds"])
    assert failed == {name for name, s in standings(done.document).items() if s == "failed"}
    assert 4 == told.code
    assert "Something failed." in told.out


def test_hw8_without_a_sha_256_it_is_said_that_nothing_rules_out_a_second_string(program):
    """Given the MD5 alone, in large digits, then nothing fails and the binding is not proven."""
    done = program.quick("fairplay", "verify", STRING, "--md5", MD5.upper(), *PLAYED, "--json")

    assert 0 == done.code
    assert ("proved", "not-proven") == tuple(
        standings(done.document)[name] for name in ("md5", "sha-256")
    )


def test_hw6_outcomes_may_be_unknown_and_offsets_left_out(program):
    """Given an empty place for a void spin, and then outcomes alone, which have no offset."""
    void = program.say(
        "fairplay", "verify", STRING, *SHOWN, "--offsets", "0,30,5", "--outcomes", "12,,27"
    )
    plain = program.say("fairplay", "verify", STRING, *SHOWN, "--outcomes", "12,7,22,3,27")

    assert [True, None, True, None, None] == [spin["agrees"] for spin in void["spins"]]
    assert ("not-proven", "proved") == (standings(void)["spins"], standings(plain)["spins"])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((STRING.replace("-22-", "-37-"), *SHOWN), "wrong at character 96: a number from 00 to 36"),
        ((STRING + " ", *SHOWN), f"wrong at character {len(STRING) + 1}: the end"),
        (("@nowhere", *SHOWN), "cannot be read"),
        ((STRING, "--sha256", SHA256), "--md5"),
        ((STRING, "--md5", MD5[1:]), "Give 32 hexadecimal digits."),
        ((STRING, "--md5", MD5, "--sha256", SHA256 + "0"), "Give 64 hexadecimal digits."),
        ((STRING, *SHOWN, "--offsets", "0,37"), "whole numbers from 0 to 36"),
        ((STRING, *SHOWN, "--offsets", "0,,5"), "whole numbers from 0 to 36"),
        ((STRING, *SHOWN, "--offsets", "+5"), "whole numbers from 0 to 36"),
        ((STRING, *SHOWN, "--outcomes", "٣"), "whole numbers from 0 to 36"),
        ((STRING, *SHOWN, "--outcomes", ",".join("0" * 51)), "at most 50 numbers"),
        ((STRING, *SHOWN, "--offsets", "0,1", "--outcomes", "0"), "as many --outcomes"),
    ],
)
def test_s6_what_cannot_be_read_is_wrong_input_and_says_where(program, arguments, why):
    """Given a string, a hash or a list that is not exactly one, then exit 2 and the place."""
    done = program.quick("fairplay", "verify", *arguments)

    assert (2, "") == (done.code, done.out)
    assert why in " ".join(done.err.split())
    assert "mykey" not in done.err
