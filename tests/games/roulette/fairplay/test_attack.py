"""Fault S10: from all that is public before the reveal nobody predicts a number (G7, HW8).

The attacker knows the source, both hashes of the commitment, alias, time and the player's key, and
in the second attack all numbers but one. Each attack is tried on a careless house too, where it
must succeed: an attack that never finds anything would show nothing.
"""

import hashlib
import hmac
import random
from datetime import UTC, datetime, timedelta
from itertools import islice, product
from string import ascii_lowercase, digits

from games.roulette.fairplay.secret import (
    KEY_BYTES,
    Secret,
    commit,
    number_of,
    server_key,
    service_part,
    write,
)

SERIES = 20
LENGTH = 50
START = datetime(2026, 11, 30, 9, 0, 0, tzinfo=UTC)


def prepared(at, numbers, key):
    """The secret of the series of this index."""
    return Secret(
        alias=f"anna{at}",
        prepared=START + timedelta(minutes=at),
        user_key=f"mykey{at}",
        server_key=key,
        numbers=tuple(numbers),
    )


def honest():
    """Series as the house makes them, with fixed dice in place of the system's."""
    dice = random.Random(20261130)
    for at in range(SERIES):
        numbers = [number_of(dice.randbytes(16)) for _ in range(LENGTH)]
        yield prepared(at, numbers, server_key(dice.randbytes(KEY_BYTES)))


# --- (a) every formula, with everything public as its seed ----------------------------------------


def seeds(secret, more=()):
    """All that is public, as bytes and as text, alone and joined; `more` are further ones."""
    yield from ((f"more {at}", seed) for at, seed in enumerate(more))
    shown = commit(write(secret))
    public = f"{secret.alias}-{secret.prepared:%Y%m%d%H%M%S}-{secret.user_key}".encode()
    hashes = [bytes.fromhex(shown.md5), bytes.fromhex(shown.sha256)]
    hashes += [shown.md5.encode(), shown.sha256.encode()]
    yield "public", public
    for name, seed in zip(("md5", "sha256", "md5-text", "sha256-text"), hashes, strict=True):
        yield name, seed
        yield f"{name}-public", seed + public
        yield f"{name}-alias", seed + secret.alias.encode()
        yield f"{name}-key", seed + secret.user_key.encode()


def chained(seed, hashed):
    """Each hash of the one before."""
    while True:
        seed = hashed(seed).digest()
        yield seed


def counted(seed, hashed, form):
    """A hash of the seed with a counter behind it."""
    return (hashed(seed + form(at)).digest() for at in range(1, LENGTH + 1))


def keyed(seed, hashed):
    """A keyed hash of the counter."""
    return (hmac.new(seed, str(at).encode(), hashed).digest() for at in range(LENGTH))


def streams(seed):
    """Endless bytes in pieces, one for each number, by every formula that the source suggests."""
    yield "bytes", (seed[at % len(seed) :] + seed for at in range(LENGTH))
    for name, hashed in (("md5", hashlib.md5), ("sha256", hashlib.sha256)):
        yield f"{name}-chain", chained(seed, hashed)
        yield f"{name}-bytes", (bytes([b]) for b in b"".join(counted(seed, hashed, bytes)))
        yield f"{name}-text", counted(seed, hashed, lambda at: str(at).encode())
        yield f"{name}-dashed", counted(seed, hashed, lambda at: f"-{at:02}".encode())
        yield f"{name}-raw", counted(seed, hashed, lambda at: bytes([at]))
        yield f"{name}-keyed", keyed(seed, hashed)


MAPPINGS = {
    "uniform": number_of,
    "byte": lambda piece: piece[0] % 37,
    "whole": lambda piece: int.from_bytes(piece, "big") % 37,
    "little": lambda piece: int.from_bytes(piece, "little") % 37,
}


def formulas(secret, more=()):
    """Every seed with every stream and every mapping: a name and fifty predicted numbers."""
    for seed_name, seed in seeds(secret, more):
        streamed = {name: list(islice(pieces, LENGTH)) for name, pieces in streams(seed)}
        for (name, pieces), (mapping, mapped) in product(streamed.items(), MAPPINGS.items()):
            yield f"{seed_name} {name} {mapping}", list(map(mapped, pieces))
        base = int.from_bytes(seed, "big")
        yield f"{seed_name} base 37", [base // 37**at % 37 for at in range(LENGTH)]


def hits(series, more=None):
    """For each formula, how many of all numbers it predicts, in its best turn of the wheel.

    `more` has further seeds by the alias of a series.
    """
    turns = {}
    for secret in series:
        for name, predicted in formulas(secret, (more or {}).get(secret.alias, ())):
            counts = turns.setdefault(name, [0] * 37)
            for number, guess in zip(secret.numbers, predicted, strict=False):
                if guess is not None:
                    counts[(number - guess) % 37] += 1
    return {name: max(counts) for name, counts in turns.items()}


def test_s10_no_formula_predicts_the_numbers_from_the_commitment_and_public_ids():
    """20 series of 50: of 1,000 numbers chance hits 27 in each turn, with a deviation of 5.1.

    Some 40,000 ways are tried, of which the luckiest may lie near 27 + 4.5 * 5.1 = 50; a formula
    that knew anything would hit hundreds.
    """
    best = hits(honest())

    assert len(best) > 800
    assert max(best.values()) < 65


def test_s10_the_same_attack_finds_a_house_that_derives_its_numbers_from_public_ids():
    """Numbers from a hash of alias, time and the player's key: 20 of 20 series, all numbers."""

    def careless(at):
        seed = f"anna{at}-{START + timedelta(minutes=at):%Y%m%d%H%M%S}-mykey{at}".encode()
        pieces = (hashlib.sha256(seed + str(n).encode()).digest() for n in range(1, LENGTH + 1))
        return prepared(at, map(number_of, pieces), server_key(bytes(KEY_BYTES)))

    found = hits([careless(at) for at in range(SERIES)])

    assert SERIES * LENGTH == found["public sha256-text uniform"]


# --- (b) all 37 outcomes with short, sequential and timestamp keys --------------------------------


def guesses(at):
    """House keys that somebody would try first, near a moment."""
    alnum = ascii_lowercase + digits
    yield from alnum
    yield from map("".join, product(alnum, repeat=2))
    yield from map(str, range(1_000))
    yield from (f"{n:032x}" for n in range(200))
    moments = [at + timedelta(seconds=s) for s in range(-100, 101)]
    yield from (f"{m:%Y%m%d%H%M%S}" for m in moments)
    yield from (str(int(m.timestamp())) for m in moments)
    yield from (hashlib.md5(str(int(m.timestamp())).encode()).hexdigest() for m in moments)


def last_number(secret):
    """The last number, as it is found by trying keys; None when none of them fits.

    All other numbers were played and are known; the commitment tells when a guess is right.
    """
    shown = commit(write(secret))
    known = "".join(f"-{number:02}" for number in secret.numbers[:-1])
    public = service_part(secret).removesuffix(secret.server_key)
    for key in guesses(secret.prepared):
        service = public + key
        end = f"-END-{hashlib.md5(service.encode()).hexdigest()}"
        for number in range(37):
            text = f"{service}-START{known}-{number:02}{end}"
            if hashlib.md5(text.encode()).hexdigest() == shown.md5:
                return number
    return None


def test_s10_no_short_sequential_or_timestamp_key_opens_the_last_number():
    """Three series as the house makes them: 37 outcomes with some 3,100 keys each."""
    series = [secret.model_copy(update={"numbers": secret.numbers[:5]}) for secret in honest()]

    assert [None] * 3 == [last_number(secret) for secret in series[:3]]


def test_s10_the_same_attack_opens_the_last_number_of_a_house_with_such_keys():
    """A short key, a counter, a time and a hash of one: each is found with the right number."""
    moment = int(START.timestamp())
    keys = ["7", "zz", "999", f"{77:032x}", "20261130090000", str(moment + 60)]
    keys.append(hashlib.md5(str(moment).encode()).hexdigest())
    series = [
        prepared(0, (12, 7, 22, 3, last), key)
        for last, key in zip(range(30, 37), keys, strict=True)
    ]

    assert list(range(30, 37)) == [last_number(secret) for secret in series]


def test_hw8_trying_every_key_of_the_house_is_out_of_reach():
    """Sixteen random bytes at the least, every one of them in the key."""
    keys = {server_key(bytes([at, *bytes(15)][::step])) for at in range(256) for step in (1, -1)}

    assert 2 * 256 - 1 == len(keys)
    assert {32} == set(map(len, keys))
