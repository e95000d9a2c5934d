"""Events and commands are strict and frozen; what stands on disk never changes its name."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import TypeAdapter, ValidationError

from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import Instant, PlayerId, Sentence, SheetId, Word
from tests.coin import CoinBet
from tests.given import NOON
from tests.scenes import ANNA, CONTO, EUR, bet, coins, funded, money, order, uid

ON_DISK = {
    "book-opened", "sheet-published", "maintenance-announced", "maintenance-ended",
    "conto-opened", "funds-deposited", "funds-withdrawn", "funds-transferred-to-posta",
    "funds-transferred-to-conto", "conto-suspended", "conto-reinstated", "conto-excluded",
    "conto-closed", "participation-requested", "participation-validated",
    "participation-rejected", "participation-annulled", "session-opened", "posta-funded",
    "session-disconnected", "session-reconnected", "session-expired", "session-barred",
    "session-closed",
    "round-opened", "bet-placed", "draw-recorded", "payout-credited", "bet-refunded",
    "round-settled", "round-voided", "command-answered", "command-revoked",
}  # fmt: skip


def test_names_on_disk_are_never_taken_away():
    """An event that was written once must be readable for ever."""
    names = [event.NAME for event in ev.LEDGER_EVENTS]

    assert set(names) >= ON_DISK
    assert len(names) == len(set(names))


def test_every_command_has_a_kind_of_its_own():
    """The kind is part of the digest and stands on record."""
    leaves = [c for c in vars(cmd).values() if isinstance(c, type) and hasattr(c, "KIND")]
    kinds = [c.KIND for c in leaves]

    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": 1.0},
        {"amount": True},
        {"amount": "1"},
        {"amount": 0},
        {"amount": 2**63},
        {"currency": "EUR"},
        {"transfer": "gift"},
        {"note": "extra"},
    ],
)
def test_an_event_takes_nothing_that_it_was_not_made_for(fields):
    """No coercion, no unknown field, no number out of bounds."""
    good = {"amount": 1, "currency": EUR, "transfer": "bonus"}

    assert ev.PostaFunded(**good) == funded(1, "bonus")
    with pytest.raises(ValidationError):
        ev.PostaFunded(**(good | fields))


def test_an_event_is_frozen():
    """What happened does not change."""
    with pytest.raises(ValidationError):
        funded(1).amount = 2


@pytest.mark.parametrize(
    "moment",
    [datetime(2026, 3, 2, 12), NOON.astimezone(timezone(timedelta(hours=1))), "2026-03-02", 0],  # noqa: DTZ001 - naive on purpose
)
def test_a_moment_is_an_aware_time_in_utc(moment):
    """Naive times, other offsets, texts and numbers are none."""
    with pytest.raises(ValidationError):
        TypeAdapter(Instant).validate_python(moment)


def test_a_moment_keeps_its_microseconds():
    """What is stored is what was hashed."""
    moment = datetime(2026, 3, 2, 12, 0, 0, 123_456, UTC)
    adapter = TypeAdapter(Instant)

    assert moment == adapter.validate_json(adapter.dump_json(moment))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (PlayerId, "Anna"),
        (PlayerId, "-anna"),
        (PlayerId, "a" * 41),
        (PlayerId, "anna\n"),
        (PlayerId, "анна"),
        (SheetId, "1-sheet"),
        (SheetId, "s"),
        (Word, ""),
        (Word, "a\n"),
        (Word, "Forlì"),
        (Word, "a" * 121),
        (Sentence, "a\0b"),
        (Sentence, "a\nb"),
        (Sentence, "\ud800"),
        (Sentence, ""),
        (Sentence, "a" * 501),
    ],
)
def test_g10_names_and_texts_are_bounded(kind, text):
    """No control characters, no lone surrogates, no length without end."""
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(text)


def test_a_sentence_may_be_in_any_script():
    """Reasons are written by people."""
    assert TypeAdapter(Sentence).validate_python("Forlì, Иванов") == "Forlì, Иванов"


def test_g3_the_digest_tells_content_apart_and_leaves_the_id_out():
    """Equal exactly for equal content, whatever the id."""
    first = order(cmd.Deposit, 1, player=ANNA, **money(1), reference="p", channel="c")
    same = order(cmd.Deposit, 2, player=ANNA, **money(1), reference="p", channel="c")
    more = order(cmd.Deposit, 1, player=ANNA, **money(2), reference="p", channel="c")
    out = order(cmd.Withdraw, 1, player=ANNA, **money(1), reference="p", channel="c")

    assert cmd.digest(first) == cmd.digest(same)
    assert len({cmd.digest(c) for c in (first, more, out)}) == 3


def test_g3_the_digest_sees_the_details_of_a_move():
    """Bets on the other side are other content."""
    digests = {
        cmd.digest(order(cmd.PlayRound, session=uid(1), move=coins((side, 1))))
        for side in ("heads", "tails")
    }

    assert len(digests) == 2


def test_an_entry_carries_the_header_then_the_event():
    """Version of the class, stream, place, times, command and actor."""
    header = ev.Header(recorded=NOON, played=None, command=uid(9), actor=ANNA)
    entry = ev.make_entry(CONTO, 3, header, funded(1))

    fields = {name: getattr(entry, name) for name in ev.Entry.model_fields}
    assert entry == ev.Entry(**fields)
    assert entry.model_dump_json() == ev.Entry(**fields).model_dump_json()
    assert repr(entry) == repr(ev.Entry(**fields))
    assert (entry.v, entry.stream, entry.version) == (1, CONTO, 3)
    assert (NOON, None, uid(9), ANNA) == (entry.recorded, entry.played, entry.command, entry.actor)
    assert funded(1) == entry.event


def test_a_bet_keeps_its_game_details_on_disk():
    """The details are written with the fields of their own type, and read back as such."""
    text = bet(1, "heads", 5).model_dump_json()

    assert '"details":{"type":"coin-bet","side":"heads"}' in text
    assert bet(1, "heads", 5) == ev.BetPlaced[CoinBet].model_validate_json(text)
