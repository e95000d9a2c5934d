"""The mapping of entropy: what it uses is what is recorded (G7)."""

from games.draws import Mapped, uniform


def test_g7_rejected_bytes_are_part_of_what_was_used():
    """255 and 222 are past 6 * 37 and rejected; 40 gives 3, and the byte after it stays unused."""
    assert Mapped(3, bytes([255, 222, 40])) == uniform(bytes([255, 222, 40, 9]), 37)


def test_g7_the_recorded_bytes_map_to_the_same_value_again():
    """A replay needs no generator: the used bytes alone lead to the recorded value."""
    mapped = uniform(bytes([240, 17, 99]), 37)

    assert mapped == uniform(mapped.used, 37)


def test_g7_a_pool_that_runs_out_gives_no_value():
    """Nothing, only rejected bytes, or half of a pair is not enough."""
    assert [uniform(b"", 37), uniform(bytes([222]), 37), uniform(b"\0", 300)] == [None, None, None]


def test_g7_two_bytes_are_read_big_endian():
    """0x0102 is 258, which is 0 of 258 after the first full turn."""
    assert Mapped(0, bytes([1, 2])) == uniform(bytes([1, 2]), 258)
