"""Fault S11, every raw value tried: no outcome is favoured and none is out of reach."""

from collections import Counter

import pytest

from games.draws import uniform


@pytest.mark.parametrize("n", [1, 2, 6, 37, 52, 128, 255, 256])
def test_s11_every_byte_maps_evenly(n):
    """Of the 256 raw bytes each accepted one belongs to one value, and all values to as many."""
    mapped = [uniform(bytes([raw]), n) for raw in range(256)]
    counts = Counter(m.value for m in mapped if m is not None)

    assert dict.fromkeys(range(n), 256 // n) == counts
    assert 256 % n == mapped.count(None)


@pytest.mark.parametrize("n", [257, 312, 416, 1000, 65535, 65536])
def test_s11_every_pair_of_bytes_maps_evenly(n):
    """Past 256 values two bytes decide, big-endian, as evenly."""
    mapped = [uniform(raw.to_bytes(2, "big"), n) for raw in range(65536)]
    counts = Counter(m.value for m in mapped if m is not None)

    assert dict.fromkeys(range(n), 65536 // n) == counts
    assert 65536 % n == mapped.count(None)


def test_s11_all_16_bit_pools_give_the_37_pockets_evenly_and_37_never():
    """Of 65,536 pools each pocket comes from as many; only those of two rejected bytes go on.

    A byte below 222 = 6 * 37 decides: 222 * 256 pools by their first, 34 * 222 by their second.
    """
    mapped = [uniform(raw.to_bytes(2, "big"), 37) for raw in range(65536)]
    counts = Counter(m.value for m in mapped if m is not None)

    assert dict.fromkeys(range(37), 6 * 256 + 34 * 6) == counts
    assert mapped.count(None) == 34 * 34
