"""FairPlay series: committed before any bet, taken one a spin, told after the last (G7, G10)."""

import hashlib
from datetime import timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import series_stream, session_stream
from ledger.domain.refusals import Code
from ledger.domain.series import Expired
from tests.coin import ENGINES, CoinEngine, CoinToss, coin_sheet
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, BRUNO, EUR, coins, money, uid

SERIES = uid(900)
STREAM = series_stream(SERIES)
SECRET = "anna1-DATE20260302TIME120000-USERKEY-NotAssigned-SRVKEY-abc-START-02-03-02-END-0"
HOURS = timedelta(hours=240)
TERMS = {
    "numbers_min": 2, "numbers_max": 3, "offsets": 2, "keep_seconds": 864_000, "clients": ["2D"],
}  # fmt: skip
NUMBERS = {0: SECRET.encode(), 1: b"\x02", 2: b"\x03", 3: b"\x02"}
"""The secret, then heads, tails, heads."""


def sealed(place, series=SERIES):
    """Something that only the keys outside of the book can open."""
    return ev.Sealed(series=series, place=place, ciphertext="AAAA")


class House:
    """A book in memory with two players, and the keys of one series."""

    def __init__(self, **sheet):
        self.opened = []
        self.book = MemoryBook(ENGINES, lambda size: b"\x02" * size)
        self.book.unseal = self._unseal
        self.now = NOON
        self._number = 1_000
        text = coin_sheet(**sheet)
        told = {"sheet": "coin-flip", "sheet_version": 1, "in_force_from": NOON, "text": text}
        self.send(cmd.OpenBook, book="contoposta", clock="simulated")
        self.send(cmd.PublishSheet, **told)
        for player in (ANNA, BRUNO):
            self.send(cmd.OpenConto, player=player, currency=EUR, personal=())
            paid = {"reference": player, "channel": "card", **money(90_000)}
            self.send(cmd.Deposit, player=player, **paid)

    def _unseal(self, seal):
        self.opened.append(seal.place)
        return NUMBERS[seal.place]

    def send(self, kind, **fields):
        """Send a command; its answer."""
        self._number += 1
        return self.book.handle(kind(id=uid(self._number), actor="test", **fields), self.now)

    def sit_down(self, number=1, player=ANNA):
        """Open a session with 50.00; its id."""
        session, right = uid(number), uid(self._number + 1)
        asked = {"player": player, "sheet": "coin-flip", "channel": "web", **money(5_000)}
        assert self.send(cmd.RequestParticipation, session=session, **asked).refusal is None
        proof = {"participation": right, "ticket": "T-1", "count": 1, "total": 5_000}
        assert self.send(cmd.ValidateParticipation, session=session, **proof).refusal is None
        return session

    def prepare(self, **changes):
        """Prepare the series of anna; the answer."""
        fields = {
            "series": SERIES, "player": ANNA, "sheet": "coin-flip", "alias": "anna1",
            "user_key": None, "md5": hashlib.md5(SECRET.encode()).hexdigest(),
            "sha256": hashlib.sha256(SECRET.encode()).hexdigest(),
            "numbers": (sealed(1), sealed(2), sealed(3)),
            "secret": sealed(0),
        }  # fmt: skip
        return self.send(cmd.PrepareSeries, **(fields | changes))

    def bet(self, session=None, **series):
        """Bet 1.00 on heads with the next number; the answer."""
        fields = {"series": SERIES} | series
        move = coins(("heads", 100))
        return self.send(cmd.OpenRound, session=session or uid(1), move=move, **fields)

    def toss(self, bet, session=None):
        """Draw the number of a bet's round; the answer."""
        where = {"session": session or uid(1), "round": bet.command}
        return self.send(cmd.ContinueRound, **where, move=CoinToss())

    def spin(self, **series):
        """Bet and draw; the draw that was recorded."""
        answer = self.toss(self.bet(**series))
        assert answer.refusal is None
        return next(e.event for e in answer.entries if isinstance(e.event, ev.DrawRecorded))

    @property
    def series(self):
        """The series as it stands."""
        return self.book.state(STREAM)


@pytest.fixture
def house():
    """Anna sits at a sheet with series, and has prepared one of three numbers."""
    made = House(series=TERMS)
    made.sit_down()
    assert made.prepare().refusal is None
    return made


def test_g7_a_number_is_taken_with_the_bets_and_opened_in_a_later_save(house):
    """After the bets stand nothing was decrypted; the draw then opens this number alone."""
    bet = house.bet()

    opened = bet.entries[0].event
    assert ((1, 0), []) == ((opened.series.place, opened.series.offset), house.opened)
    assert "number-taken" == bet.entries[-1].event.NAME
    drawn = [e.event for e in house.toss(bet).entries if isinstance(e.event, ev.DrawRecorded)]
    assert ([("02", "heads")], [1]) == ([(d.entropy, d.shown) for d in drawn], house.opened)


def test_g7_a_game_that_does_not_wait_for_its_player_opens_no_number_with_the_bets(
    house, monkeypatch
):
    """The rules would toss at once; with a number of a series they do so in a save of its own."""
    monkeypatch.setattr(CoinEngine, "waits", lambda *_: False)
    bet = house.bet()

    assert (None, []) == (bet.refusal, house.opened)
    assert (None, [1]) == (house.toss(bet).refusal, house.opened)


def test_hw6_numbers_come_in_their_order_and_each_once(house):
    """Heads, tails, heads; then the series is over."""
    assert ["heads", "tails", "heads"] == [house.spin().shown for _ in range(3)]
    assert ([1, 2, 3], True) == (house.opened, house.series.is_over)


def test_hw6_a_voided_spin_consumes_its_number(house):
    """The first number is never drawn, and the next spin has the second."""
    bet = house.bet()
    ref = cmd.RoundRef(session=uid(1), round=bet.command)
    assert house.send(cmd.VoidRounds, rounds=(ref,), reason="fault").refusal is None

    assert "tails" == house.spin().shown


def test_hw6_an_offset_holds_until_it_is_changed_and_is_zero_in_a_new_session(house):
    """Set once, it is recorded with each spin of the session."""
    house.spin(offset=1, client="2D")
    second = house.bet(client="2D")
    house.toss(second)
    house.send(cmd.CloseSession, session=uid(1))
    third = house.bet(house.sit_down(2))

    assert [1, 0] == [a.entries[0].event.series.offset for a in (second, third)]


@pytest.mark.parametrize(
    "asked",
    [
        {"offset": 2, "client": "2D"},
        {"offset": 1, "client": "3D"},
        {"offset": 1},
        {"offset": 0, "series": None},
        {"offset": 1, "series": None, "client": "2D"},
        {"series": None, "client": "2D"},
    ],
)
def test_hw6_an_offset_goes_with_a_series_and_a_client(house, asked):
    """Within the sheet's bounds, in a client that the sheet lists, with an open series."""
    assert Code.OFFSET_NOT_OFFERED == house.bet(**asked).refusal
    assert 0 == house.series.taken


def test_hw6_a_series_that_is_over_is_not_played_on(house):
    """Ended early, played out or revealed."""
    house.spin()
    assert house.send(cmd.EndSeries, series=SERIES).refusal is None
    assert Code.SERIES_ENDED == house.bet().refusal
    assert Code.SERIES_ENDED == house.send(cmd.EndSeries, series=SERIES).refusal

    assert house.send(cmd.RevealSeries, series=SERIES).refusal is None
    assert Code.SERIES_ENDED == house.send(cmd.RevealSeries, series=SERIES).refusal
    assert Code.SERIES_ENDED == house.bet().refusal


def test_hw6_the_secret_is_told_when_the_series_is_over(house):
    """Given all three numbers played, then the string stands in the log in clear."""
    for _ in range(3):
        house.spin()

    answer = house.send(cmd.RevealSeries, series=SERIES)

    assert ev.SeriesRevealed(secret=SECRET) == answer.entries[0].event


def test_g10_nothing_is_told_while_a_number_is_to_be_drawn(house):
    """Not before the end, and not while the last number lies under open bets."""
    assert Code.SERIES_IN_PLAY == house.send(cmd.RevealSeries, series=SERIES).refusal
    house.spin()
    bet = house.bet()
    for kind in (cmd.EndSeries, cmd.RevealSeries):
        assert Code.SERIES_IN_PLAY == house.send(kind, series=SERIES).refusal
    assert [1] == house.opened

    house.toss(bet)
    last = house.bet()
    assert house.series.is_over
    assert Code.SERIES_IN_PLAY == house.send(cmd.RevealSeries, series=SERIES).refusal
    house.toss(last)
    assert house.send(cmd.RevealSeries, series=SERIES).refusal is None


def test_g10_one_number_at_a_time_is_in_play_over_all_sessions(house):
    """A second session waits until the number of the first is drawn."""
    bet = house.bet()
    other = house.sit_down(2)

    assert Code.SERIES_IN_PLAY == house.bet(other).refusal
    house.toss(bet)
    assert house.bet(other).refusal is None


def test_g5_a_secret_that_is_not_what_was_committed_is_never_recorded(house):
    """A damaged vault is a bug or a fraud; nothing is written."""
    house.send(cmd.EndSeries, series=SERIES)
    house.book.unseal = lambda _: b"another"

    with pytest.raises(AssertionError):
        house.send(cmd.RevealSeries, series=SERIES)


def test_hw7_after_240_hours_nothing_is_played_or_told(house):
    """Counted from the last spin; a moment before, it may be."""
    house.now += timedelta(hours=1)
    house.spin()
    house.now += HOURS - timedelta(microseconds=1)
    assert Code.NOT_YET_DUE == house.send(cmd.ExpireSeries, series=SERIES).refusal
    bet = house.bet()
    house.toss(bet)

    house.now += HOURS
    assert Code.SERIES_EXPIRED == house.bet().refusal
    for kind in (cmd.EndSeries, cmd.RevealSeries):
        assert Code.SERIES_EXPIRED == house.send(kind, series=SERIES).refusal
    assert house.send(cmd.ExpireSeries, series=SERIES).refusal is None
    assert isinstance(house.series, Expired)
    assert Code.SERIES_EXPIRED == house.send(cmd.ExpireSeries, series=SERIES).refusal


def test_hw7_a_series_that_was_never_played_expires_240_hours_after_it_was_prepared(house):
    """The preparation counts where there was no spin."""
    house.now += HOURS

    answer = house.send(cmd.ExpireSeries, series=SERIES)

    assert ev.SeriesExpired(due=NOON + HOURS) == answer.entries[0].event


def test_g9_a_series_does_not_expire_under_open_bets(house):
    """The number that lies under them is drawn first, then its keys may be destroyed."""
    bet = house.bet()
    house.now += HOURS
    assert Code.SERIES_IN_PLAY == house.send(cmd.ExpireSeries, series=SERIES).refusal

    house.toss(bet)
    assert house.send(cmd.ExpireSeries, series=SERIES).refusal is None


def test_g9_at_the_expiry_of_the_session_the_taken_number_is_played(house):
    """The player is gone; what was begun is finished with the committed number."""
    house.bet()
    house.send(cmd.DisconnectSession, session=uid(1), at=house.now)
    house.now += timedelta(minutes=20)

    answer = house.send(cmd.ExpireSession, session=uid(1))

    assert (None, [1]) == (answer.refusal, house.opened)
    assert "draw-recorded" == answer.entries[0].event.NAME


def test_a_series_belongs_to_its_player(house):
    """Bruno cannot play anna's numbers, and nobody those of a series that is not there."""
    bruno = house.sit_down(2, BRUNO)

    assert Code.UNKNOWN_SERIES == house.bet(bruno).refusal
    assert Code.UNKNOWN_SERIES == house.bet(series=uid(901)).refusal
    for kind in (cmd.EndSeries, cmd.RevealSeries, cmd.ExpireSeries):
        assert Code.UNKNOWN_SERIES == house.send(kind, series=uid(901)).refusal


def test_a_series_is_prepared_once(house):
    """Another content under the same id would be another commitment."""
    assert Code.SERIES_ALREADY_PREPARED == house.prepare().refusal


def test_a_game_without_series_takes_none():
    """Neither prepares one nor plays with one."""
    house = House()
    house.sit_down()

    assert Code.SERIES_NOT_OFFERED == house.prepare().refusal
    assert Code.SERIES_NOT_OFFERED == house.bet().refusal


@pytest.mark.parametrize(
    "wrong",
    [
        {"numbers": (sealed(1),)},
        {"numbers": tuple(sealed(n) for n in range(1, 5))},
        {"numbers": (sealed(2), sealed(1), sealed(3))},
        {"numbers": (sealed(1), sealed(2, uid(901)))},
        {"secret": sealed(1)},
    ],
)
def test_a_series_is_sealed_whole_and_in_order(wrong):
    """Two or three numbers here, each for its own place of this series."""
    house = House(series=TERMS)

    assert Code.MALFORMED == house.prepare(**wrong).refusal


def test_hw4_account_type_and_own_limits_hold_from_the_door_on(house):
    """Decided with a reason, taken into the session, and told by each of its rounds."""
    reason = "asked by the player, decided by the floor manager"
    house.send(cmd.SetAccountType, player=ANNA, account="VIP", reason=reason)
    limits = {"sheet": "coin-flip", "limits": '{"max":5}', "reason": reason}
    house.send(cmd.SetPlayerLimits, player=ANNA, **limits)
    before = house.bet().entries[0].event
    after = house.bet(house.sit_down(2), series=None).entries[0].event

    assert (None, None) == (before.account, before.own_limits)
    assert ("VIP", '{"max":5}') == (after.account, after.own_limits)
    house.send(cmd.SetPlayerLimits, player=ANNA, **(limits | {"limits": None}))
    assert () == house.book.state(f"conto:{ANNA}").own_limits


def test_hw5_a_demo_round_is_one_event_that_moves_nothing(house):
    """Ten times the posta is bet in chips; the session, its money and the series stand still."""
    before = house.book.state(session_stream(uid(1)))

    answer = house.send(cmd.PlayDemo, session=uid(1), move=coins(("heads", 50_000)))

    (demo,) = [e.event for e in answer.entries]
    assert (50_000, 100_000, "02", "heads") == (
        demo.staked, demo.credited, demo.entropy, demo.shown,
    )  # fmt: skip
    assert (before, 0) == (house.book.state(session_stream(uid(1))), house.series.taken)
