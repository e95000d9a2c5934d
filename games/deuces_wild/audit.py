"""Deuces Wild by a second method: a hand is what its cards fit in, deuces filling what lacks.

Every winning combination is a pattern of ranks and suits; a hand makes it when its cards that are
no deuces lie in the pattern. Source: Regolamento Deuces Wild; the published sheet has the figures.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Final

from games.auditing import GIVEN_BACK, AuditError, Event, Fields, Trail, audited, first_drawn

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The cards in the order that a draw counts them in."""

HAND: Final = 5
FACE_DOWN: Final = 4
_LINES: Final = tuple(("A" + RANKS)[low : low + HAND] for low in range(len(RANKS) - HAND + 2))
"""The ranks of each straight, from the one that the ace begins to the one that it ends."""

_ROYAL: Final = _LINES[-1]


def audit(sheet: bytes, events: Sequence[Event]) -> list[str]:
    """Audit one round of a sheet of `deuces-wild/1` (see `games.auditing.Audit`)."""
    return audited(_round, sheet, events)


# --- the hand ------------------------------------------------------------------------------------


def category(cards: Sequence[str]) -> str:
    """The highest combination that five cards make."""
    naturals = [card for card in cards if card[0] != "2"]
    return next(name for name, fits in _made(naturals, HAND - len(naturals)) if fits)


def _made(naturals: Sequence[str], deuces: int) -> Iterator[tuple[str, bool]]:
    """Each combination from the highest, and whether the cards that are no deuces fit in it."""
    suits = {card[1] for card in naturals}
    ranks = "".join(card[0] for card in naturals)
    alike = deuces + max(map(ranks.count, ranks), default=0)
    one_suit, in_line = len(suits) == 1, any(_lies_in(ranks, line) for line in _LINES)
    royal = one_suit and _lies_in(ranks, _ROYAL)
    yield "natural-royal", royal and not deuces
    yield "four-deuces", deuces == len(SUITS)
    yield "wild-royal", royal
    yield "five-of-a-kind", alike == HAND
    yield "straight-flush", one_suit and in_line
    yield "four-of-a-kind", alike == HAND - 1
    yield "full-house", any(_lies_in(ranks, 3 * a + 2 * b) for a, b in permutations(set(ranks), 2))
    yield "flush", one_suit
    yield "straight", in_line
    yield "three-of-a-kind", alike == HAND - 2
    yield "nothing", True


def _lies_in(ranks: str, pattern: str) -> bool:
    """Whether a pattern has each of these ranks as often as the cards do."""
    return all(ranks.count(rank) <= pattern.count(rank) for rank in ranks)


_OWN_CARDS: Final = {"three-of-a-kind": 3, "four-of-a-kind": 4, "four-deuces": 4}
"""How many cards make a combination; all five make any other."""


def to_hold(cards: Sequence[str]) -> list[int]:
    """The places, from 1, of the cards that make the hand; none where it makes nothing.

    Deuces beside one other rank make it, whichever that is: the highest is held.
    """
    made = category(cards)
    if made == "nothing":
        return []
    if made not in _OWN_CARDS:
        return list(range(1, HAND + 1))
    ranks = 0 if made == "four-deuces" else 1
    choices = combinations(enumerate(cards, 1), _OWN_CARDS[made])
    fitting = [each for each in choices if len(_ranks(each)) == ranks]
    best = max(fitting, key=lambda each: max(map(RANKS.index, _ranks(each)), default=0))
    return [place for place, _ in best]


def _ranks(chosen: Iterable[tuple[int, str]]) -> set[str]:
    return {card[0] for _, card in chosen} - {"2"}


# --- the round -----------------------------------------------------------------------------------


def dealt(entropy: bytes, gone: Sequence[str], count: int) -> tuple[list[str], bytes]:
    """So many cards from what is left of the deck, and the bytes that are left of the entropy."""
    left = [card for card in DECK if card not in gone]
    cards = []
    for _ in range(count):
        place, entropy = first_drawn(entropy, len(left))
        cards.append(left.pop(place))
    return cards, entropy


def replaced(cards: Sequence[str], hold: Sequence[int], entropy: bytes) -> tuple[list[str], bytes]:
    """The hand with fresh cards at the places that are not held."""
    fresh, left = dealt(entropy, cards, HAND - len(hold))
    coming = iter(fresh)
    return [card if at in hold else next(coming) for at, card in enumerate(cards, 1)], left


def _round(trail: Trail) -> None:
    if trail.next == "demo-round-played":
        _demo(trail)
        return
    move = trail.open()["move"]
    stake = _stake(trail, move)
    bet = {"type": "deuces-bet", "coins": move["coins"], "coin": move["coin"]}
    trail.expect("bet-placed", bet=1, amount=stake, details=bet)
    cards = _first_deal(trail)
    if trail.next in GIVEN_BACK:
        trail.give_back({1: stake}, stake, 1)
    elif trail.next is not None:
        _second_deal(trail, move, cards)


def _stake(trail: Trail, move: Fields) -> int:
    """What the coins of the opening move come to."""
    trail.of_type(move, ["deuces-deal"])
    if move["coins"] not in range(1, trail.game["coins_max"] + 1):
        trail.wrong(f"{move['coins']} coins are not offered")
    if move["coin"] not in trail.game["coin_values"]:
        trail.wrong(f"no coin is worth {move['coin']}")
    return int(move["coins"] * move["coin"])


def _first_deal(trail: Trail) -> list[str]:
    cards, left = dealt(trail.draw(), (), HAND)
    told = {"type": "deuces-dealt", "cards": cards, "proposed_hold": to_hold(cards)}
    trail.drawn(left, None, told)
    return cards


def _second_deal(trail: Trail, bet: Fields, cards: list[str]) -> None:
    """Replace what is not held, once, and hold the win, or end the round without one."""
    hold = to_hold(cards)
    if trail.next == "move-made":
        hold = trail.move("deuces-hold")["hold"]
    if len(set(hold) & set(range(1, HAND + 1))) != len(hold):
        raise AuditError("cards are held that there are not, or twice")
    final, left = replaced(cards, hold, trail.draw())
    made = category(final)
    shown = f"{' '.join(final)} {made}"
    trail.drawn(left, shown, {"type": "deuces-final", "cards": final, "category": made})
    won = _won(trail.game, bet, made)
    back = min(won, bet["coins"] * bet["coin"])
    if won:
        trail.expect("win-held", bet=1, winnings=won - back, stake_returned=back)
    chain = _Chain(trail, won)
    chain.play()
    if chain.win == 0:
        _settled(trail, bet, (won - back, back), chain)


def _won(game: Fields, bet: Fields, made: str) -> int:
    """What a hand wins by the pay table, in minor units."""
    row: Sequence[int] = game["pays"].get(made, ())
    return row[bet["coins"] - 1] * int(bet["coin"]) if row else 0


def _settled(trail: Trail, bet: Fields, won: tuple[int, int], chain: "_Chain") -> None:
    """The end of a round: its bet against what the hand won, double-ups apart."""
    coins, stake = bet["coins"], bet["coins"] * bet["coin"]
    winnings, back = won
    trail.expect(
        "round-settled",
        staked=stake,
        winnings=winnings,
        stake_returned=back,
        stakes_lost=stake - back,
        refunded=0,
        bets=1,
        bet_kind=f"{coins}-coin{'s' * (coins > 1)}",
        **chain.told(),
    )


# --- double-ups ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Chain:
    """The double-ups of one win, one after the other; minor units."""

    trail: Trail
    win: int
    """What is held, or at risk; 0 when it was collected or lost, or where nothing was won."""
    count: int = 0
    staked: int = 0
    returned: int = 0

    def play(self) -> None:
        """Double up as often as the player did, then collect; stop where the player is to move."""
        while self.win and self.trail.next is not None:
            move: Fields = {"type": "deuces-collect"}
            if self.trail.next == "move-made":
                move = self.trail.move("deuces-collect", "deuces-double-up")
            if move["type"] == "deuces-collect":
                self._collect(self.win)
            elif not self._double(half=move["half"]):
                return

    def told(self) -> dict[str, Any]:
        """All double-ups together, as the end of the round tells them; nothing where none was."""
        sums = {"count": self.count, "staked": self.staked, "returned": self.returned}
        return {"double_ups": sums} if self.count else {}

    def _double(self, *, half: bool) -> bool:
        """Put the win or half of it at risk; whether the player has picked a card."""
        trail, rules = self.trail, self.trail.game["double_up"]
        at_risk = self.win // 2 if half else self.win
        kept = self.win - at_risk
        if self.count == rules["count_max"] or self.win > rules["limit"] or not at_risk:
            trail.wrong(f"a double-up of {at_risk} is not offered now")
        terms = {"number": self.count + 1, "half": half, "at_risk": at_risk, "kept": kept}
        trail.expect("double-up-staked", **terms)
        (shown,), left = dealt(trail.draw(), (), 1)
        trail.drawn(left, None, {"type": "deuces-shown", "card": shown})
        if trail.next is None:
            return False
        self._resolve(at_risk, kept, _result(rules["ranks"], shown, self._pick(shown)))
        return True

    def _pick(self, shown: str) -> str:
        """The card that was picked of four; the rules pick the first for who does not."""
        trail = self.trail
        pick: int = trail.move("deuces-pick")["pick"] if trail.next == "move-made" else 1
        four, left = dealt(trail.draw(), (shown,), FACE_DOWN)
        if pick not in range(1, FACE_DOWN + 1):
            raise AuditError("a card is picked that does not lie there")
        trail.drawn(left, None, {"type": "deuces-four", "cards": four, "picked": pick})
        return four[pick - 1]

    def _resolve(self, at_risk: int, kept: int, outcome: str) -> None:
        returned = {"won": at_risk + at_risk, "pushed": at_risk, "lost": 0}[outcome]
        self.count += 1
        self.staked += at_risk
        self.returned += returned
        ends = {"outcome": outcome, "at_risk": at_risk, "returned": returned}
        self.trail.expect("double-up-resolved", number=self.count, **ends)
        self.win = kept + returned
        if outcome == "lost":
            self._collect(kept)

    def _collect(self, amount: int) -> None:
        if amount:
            self.trail.expect("win-collected", amount=amount)
        self.win = 0


def _result(ranks: str, shown: str, picked: str) -> str:
    """What a picked card does against the shown one, by the ranks from the lowest."""
    lower, _, higher = ranks.partition(shown[0])
    return "won" if picked[0] in higher else "lost" if picked[0] in lower else "pushed"


def _demo(trail: Trail) -> None:
    """A round with demo chips, in one event: the proposed cards are held, and the win collected."""
    told = trail.coming
    stake = _stake(trail, told["move"])
    cards, left = dealt(bytes.fromhex(told["entropy"]), (), HAND)
    final, left = replaced(cards, to_hold(cards), left)
    made = category(final)
    credited = _won(trail.game, told["move"], made)
    trail.demo(left, shown=f"{' '.join(final)} {made}", staked=stake, credited=credited)
