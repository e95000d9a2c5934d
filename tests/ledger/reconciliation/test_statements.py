"""Statements are read as their mapping says, every line of them, or refused with the line."""

import codecs
import gc
import json
from datetime import UTC, datetime
from io import BufferedReader, BytesIO, RawIOBase
from itertools import chain, count, islice
from pathlib import Path

import pytest

from ledger.reconciliation.mapping import StatementError, StatementMapping, read_mapping
from ledger.reconciliation.statements import Payment, read_statement
from ops.statements import PACKAGED, packaged

SAMPLES = Path(__file__).parents[2] / "statements"
SIMPLE = {
    "channel": "card",
    "columns": {"reference": "ref", "amount": "amount", "moment": ["at"]},
    "moment_format": "%Y-%m-%d %H:%M",
    "currency": "EUR",
    "time_zone": "Europe/Rome",
}


def at(*moment: int) -> datetime:
    """A moment in UTC."""
    return datetime(*moment, tzinfo=UTC)


def sample(name: str) -> list[tuple[object, ...]]:
    """The lines of a sample, in the bytes of its layout, read by the mapping of its name."""
    layout = read_mapping(packaged(name))
    text = (SAMPLES / f"{name}.csv").read_bytes().decode()
    lines = read_statement(BytesIO(text.encode(layout.encoding)), layout)
    return [(p.number, p.way, p.reference, p.amount, p.currency, p.at) for p in lines]


def mapping(**changed: object) -> StatementMapping:
    """The simple mapping with some fields changed; None takes one out."""
    fields = {k: v for k, v in {**SIMPLE, **changed}.items() if v is not None}
    return read_mapping(json.dumps(fields).encode())


def columns(**more: object) -> dict[str, object]:
    """The simple mapping's columns, and others."""
    return {**SIMPLE["columns"], **more}


def lines(*rows: str, head: str = "ref,amount,at", **changed: object) -> tuple[Payment, ...]:
    """Rows below a header, read by the simple mapping."""
    file = BytesIO("\n".join((head, *rows)).encode())
    return tuple(read_statement(file, mapping(**changed)))


def error(*rows: str, **changed: object) -> str:
    """What is told of rows that cannot be read."""
    with pytest.raises(StatementError) as raised:
        lines(*rows, **changed)
    return str(raised.value)


def test_a_balance_statement_in_utc_whose_categories_tell_the_way():
    """Payouts to the house's own bank are no payments of players; codes may be small letters."""
    assert [
        (2, "deposit", "pi_anna_1", 100_00, "EUR", at(2026, 11, 30, 9, 15)),
        (3, "withdrawal", "pi_anna_1", 25_50, "EUR", at(2026, 11, 30, 12)),
        (4, "deposit", "pi_bruno_1", 40_00, "USD", at(2026, 11, 30, 23, 10)),
    ] == sample("stripe")


def test_an_activity_download_with_mark_comma_and_a_time_zone_in_each_line():
    """Half past two comes twice on 25 October; its zone tells which, so one hour lies between."""
    assert [
        (2, "deposit", "8AB10001", 1_100_00, "EUR", at(2026, 11, 30, 9, 15)),
        (3, "deposit", "8AB10002", 10_00, "EUR", at(2026, 10, 25, 0, 30)),
        (4, "deposit", "8AB10003", 10_00, "EUR", at(2026, 10, 25, 1, 30)),
        (5, "withdrawal", "8AB10004", 20_50, "EUR", at(2026, 11, 30, 17)),
    ] == sample("paypal-it")


def test_an_account_statement_with_preamble_and_references_in_its_descriptions():
    """A day begins at midnight in Rome; lines without a reference are told apart by number."""
    like = "no-reference/2026-11-27T23:00:00+00:00/EUR/1500"

    assert [
        (5, "deposit", "BNK-77", 1_250_00, "EUR", at(2026, 11, 29, 23)),
        (6, "withdrawal", "BNK-78", 300_00, "EUR", at(2026, 11, 29, 23)),
        (8, "deposit", f"{like}/1", 15_00, "EUR", at(2026, 11, 27, 23)),
        (9, "deposit", f"{like}/2", 15_00, "EUR", at(2026, 11, 27, 23)),
    ] == sample("bank-it")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_s20_a_byte_order_mark_is_never_part_of_a_name(encoding):
    """Whatever the encoding is called; the first column is found."""
    text = "ref,amount,at\np-1,1.00,2026-11-30 10:00\n"
    content = codecs.BOM_UTF8 + text.encode() if encoding == "utf-8" else text.encode(encoding)

    read = read_statement(BytesIO(content), mapping(encoding=encoding))
    assert ["p-1"] == [p.reference for p in read]


@pytest.mark.parametrize(
    ("local", "utc"),
    [
        ("2026-10-25 00:30", at(2026, 10, 24, 22, 30)),
        ("2026-10-25 02:30", at(2026, 10, 25, 0, 30)),
        ("2026-10-25 23:30", at(2026, 10, 25, 22, 30)),
        ("2026-03-29 01:59", at(2026, 3, 29, 0, 59)),
        ("2026-03-29 03:00", at(2026, 3, 29, 1, 0)),
    ],
)
def test_s19_local_time_is_right_on_days_of_23_and_25_hours(local, utc):
    """The hour that comes twice is the first one, where nothing tells them apart."""
    assert utc == lines(f"p-1,1.00,{local}")[0].at


def test_s19_an_hour_that_clocks_skip_is_no_moment():
    """At two in the morning of 29 March it is three."""
    assert "line 2: '2026-03-29 02:30' is no hour of Europe/Rome" in error(
        "p-1,1.00,2026-03-29 02:30"
    )


@pytest.mark.parametrize(
    ("text", "cents"),
    [("1,50", 150), ("1.234,5", 123_450), ("1234", 123_400), ("+1.000.000,00", 100_000_000)],
)
def test_amounts_with_a_decimal_comma(text, cents):
    """Dots part thousands, or are left out."""
    read = lines(f'p-1,"{text}",2026-11-30 10:00', decimal_mark=",", grouping_mark=".")

    assert [(cents, "deposit")] == [(p.amount, p.way) for p in read]


@pytest.mark.parametrize(
    "text",
    ["1.50", "1,505", "12.34,00", "1,", ",50", "NaN", "1e3", "--1", "1 000", "١٠", "0x1", "",
     "100000000000000,00"],
)  # fmt: skip
def test_s6_what_is_no_amount_is_refused_with_its_line(text):
    """A dot where a comma marks the cents is never read as one."""
    told = error(
        "p-1,1,2026-11-30 10:00", f'p-2,"{text}",2026-11-30 10:00', decimal_mark=",",
        grouping_mark=".",
    )  # fmt: skip

    assert told.startswith("The statement cannot be read: line 3: ")


def test_a_minus_is_what_goes_out_or_what_the_mapping_says():
    """Providers write it from their side or from ours; zero moves nothing."""
    rows = ("p-1,-1.00,2026-11-30 10:00", "p-2,2.00,2026-11-30 10:00", "p-3,0.00,2026-11-30 10:00")

    assert ["withdrawal", "deposit"] == [p.way for p in lines(*rows)]
    assert ["deposit", "withdrawal"] == [p.way for p in lines(*rows, positive="withdrawal")]


def test_every_line_at_fault_is_told_up_to_ten():
    """Nothing is concluded from the others."""
    good, bad = "p-1,1.00,2026-11-30 10:00", "p-2,one,2026-11-30 10:00"
    told = error(good, bad, good, *[bad] * 11)

    assert "line 3: 'one'" in told
    assert "line 5: 'one'" in told
    assert told.endswith("and 2 more lines.")


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("p-1,1.00", "2 cells, and the header has 3"),
        ("p-1,1.00,2026-11-30 10:00,x", "4 cells, and the header has 3"),
        ("p-1,1.00,30/11/2026", "'30/11/2026' is no moment as '%Y-%m-%d %H:%M'"),
        ("p-1,1.00,0001-01-01 00:00", "lies beyond the calendar"),
        ("caffè,1.00,2026-11-30 10:00", "is no reference"),
        ('"p-1,1.00,2026-11-30 10:00', "unexpected end of data"),
    ],
)
def test_a_malformed_line_is_told_with_its_number(row, wrong):
    """In words that say what is wrong in it."""
    told = error("p-0,1.00,2026-11-30 10:00", row)

    assert "line 3: " in told
    assert wrong in told


def test_a_way_or_a_zone_that_the_mapping_does_not_name_is_an_error():
    """A new kind of line is never taken for one that is known."""
    way = {"columns": columns(way="type"), "ways": {"charge": "deposit"}}
    zone = {"columns": columns(zone="tz"), "offsets": {"CET": "+01:00"}, "time_zone": None}

    assert "line 2: the mapping has no way for 'gift'" in error(
        "p-1,1,2026-11-30 10:00,gift", head="ref,amount,at,type", **way
    )
    assert "line 2: the mapping has no offset for 'PST'" in error(
        "p-1,1,2026-11-30 10:00,PST", head="ref,amount,at,tz", **zone
    )


def test_credit_and_debit_hold_one_amount_together():
    """Both or none would be a guess."""
    apart = {"columns": {"reference": "ref", "credit": "in", "debit": "out", "moment": ["at"]}}
    head = "ref,in,out,at"

    assert [("deposit", 100), ("withdrawal", 200)] == [
        (p.way, p.amount)
        for p in lines("a,1.00,,2026-11-30 10:00", "b,,2.00,2026-11-30 10:00", head=head, **apart)
    ]
    for both in ("a,1.00,2.00,2026-11-30 10:00", "a,,,2026-11-30 10:00"):
        assert "in and out must have one amount" in error(both, head=head, **apart)


def test_money_that_came_in_has_no_minus():
    """Given a reversal in the column of credits, or under a word for deposits, then it is refused.

    Read without its minus it would be a deposit that never was.
    """
    apart = {"columns": {"reference": "ref", "credit": "in", "debit": "out", "moment": ["at"]}}
    way = {"columns": columns(way="type"), "ways": {"charge": "deposit", "refund": "withdrawal"}}
    when = "2026-11-30 10:00"

    assert "line 2: a minus stands before what came in: '-1.00' in in" in error(
        f"a,-1.00,,{when}", head="ref,in,out,at", **apart
    )
    assert "line 2: a minus stands before an amount that came in: 'charge'" in error(
        f"a,-1.00,{when},charge", head="ref,amount,at,type", **way
    )
    assert [("withdrawal", 100)] == [
        (p.way, p.amount) for p in lines(f"a,-1.00,{when},refund", head="ref,amount,at,type", **way)
    ]


def test_a_header_without_a_column_of_the_mapping_is_refused():
    """So is one that has it twice."""
    assert "in line 1 must have once each: at." in error("a,1", head="ref,amount")
    assert "must have once each: ref." in error("a,b,1,x", head="ref,ref,amount,at")


def test_bytes_of_another_encoding_are_refused_with_their_line():
    """Whether that is the second line, or one far behind what is read at once."""
    good, bad = "p-1,1,2026-11-30 10:00\n", "è,1,2026-11-30 10:00\n"
    for before in (0, 5_000):
        content = ("ref,amount,at\n" + good * before + bad).encode("latin-1")
        with pytest.raises(StatementError, match=f"Line {before + 2} of the statement is not in"):
            list(read_statement(BytesIO(content), mapping()))


def test_a_statement_of_any_length_is_read_line_by_line():
    """Given one without an end, when ten thousand payments were read, then none of them is held."""
    before = held()
    read = read_statement(BufferedReader(Endless()), mapping())
    references = [payment.reference for payment in islice(read, 10_000)]

    assert ("p-0", "p-9999") == (references[0], references[-1])
    assert 1 >= held() - before


def held() -> int:
    """How many payments are in memory."""
    return sum(isinstance(each, Payment) for each in gc.get_objects())


class Endless(RawIOBase):
    """A statement whose lines are made as they are asked for, and never end."""

    def __init__(self) -> None:
        body = (f"p-{n},1.00,2026-11-30 10:00\n" for n in count())
        self.lines = chain(("ref,amount,at\n",), body)

    def readable(self) -> bool:
        """It is read from."""
        return True

    def readinto(self, buffer: memoryview) -> int:
        """The next line; every one fits."""
        line = next(self.lines).encode()
        buffer[: len(line)] = line
        return len(line)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"encoding": "utf-9"}, "no encoding is named utf-9"),
        ({"encoding": "base64"}, "no encoding is named base64"),
        ({"time_zone": "Europe/Roma"}, "no time zone is named Europe/Roma"),
        ({"time_zone": None}, "give the time zone in one way"),
        ({"days_in": "Europe/Roma"}, "no time zone is named Europe/Roma"),
        ({"moment_format": "%Y %z"}, "give the time zone in one way"),
        ({"grouping_mark": "."}, "both marks of an amount are the same"),
        ({"currency": None}, "give the currency once"),
        ({"reference_pattern": "RIF"}, "reference_pattern needs one group"),
        ({"reference_pattern": "("}, "reference_pattern needs one group"),
        ({"ways": {"a": "deposit"}}, "way goes with ways"),
        ({"columns": columns(credit="in")}, "give amount, or credit and debit"),
        ({"columns": columns(amount=None)}, "give amount, or credit and debit"),
        ({"columns": columns(zone="tz"), "time_zone": None}, "zone goes with offsets"),
        ({"delimiter": "\n"}, "a delimiter is neither a quote nor a line end"),
        ({"delimeter": ";"}, "delimeter"),
        ({"window_hours": 241}, "window_hours"),
    ],
)
def test_a_mapping_that_cannot_be_used_says_why(changed, told):
    """Before any statement is looked at."""
    with pytest.raises(StatementError, match=f"cannot be used: .*{told}"):
        mapping(**changed)


def test_every_packaged_mapping_can_be_used():
    """Each has a channel of its own."""
    assert len(PACKAGED) == len({read_mapping(packaged(name)).channel for name in PACKAGED})
