"""Live Blackjack once more, slowly and from the rules alone, as a second opinion on the product.

A round is told as a croupier would deal it, box after box, with every count of a hand kept; it
shares nothing with the product, not even how a hand is counted.
"""

from fractions import Fraction


def counts(cards):
    """All that a hand can count, an ace as 1 or 11 each for itself."""
    sums = {0}
    for card in cards:
        worth = {"A": (1, 11), "T": (10,), "J": (10,), "Q": (10,), "K": (10,)}
        sums = {s + w for s in sums for w in worth.get(card[0]) or (int(card[0]),)}
    return sums


def best(cards):
    """The highest count that is not above 21; of a bust hand 22."""
    return max((s for s in counts(cards) if s <= 21), default=22)


def cents(exact):
    """Half a cent and more is a whole one."""
    return int(exact + Fraction(1, 2))


class Table:
    """A round that is dealt and played; `choose` picks of the actions that a hand may take."""

    def __init__(self, bets, shoe, choose):
        """Deal the first cards."""
        self.cards, self.choose, self.bets = iter(shoe), choose, bets
        firsts = [next(self.cards) for _ in bets]
        self.dealer = [next(self.cards)]
        self.hands = [[[first, next(self.cards)]] for first in firsts]
        self.actions = [[] for _ in bets]
        self.doubled, self.insured, self.even = [False] * 7, [False] * 7, [False] * 7

    def natural(self, box):
        """Whether a box has a Blackjack."""
        return len(self.hands[box]) == 1 and self.two_make_21(self.hands[box][0])

    @staticmethod
    def two_make_21(cards):
        """Whether these are two cards that make 21."""
        return len(cards) == 2 and 21 in counts(cards)

    def play(self):
        """Play all boxes and the dealer."""
        for box in range(len(self.bets)):
            self.play_box(box)
        self.play_dealer()
        return self

    def play_box(self, box):
        """Open a box's turn, then play its hands."""
        ace = self.dealer[0][0] == "A"
        if self.natural(box):
            self.even[box] = ace and self.choose(["no", "even_money"]) == "even_money"
            return
        if ace and self.bets[box] >= 2:
            self.insured[box] = self.choose(["no", "insurance"]) == "insurance"
        hand = self.hands[box][0]
        alike = min(counts(hand[:1])) == min(counts(hand[1:]))
        offered = ["hit", "stand"] + ["split"] * alike
        offered += ["double"] * (best(hand) in (9, 10, 11))
        action = self.take(box, offered)
        if action == "split":
            self.hands[box] = [[hand[0], next(self.cards)], [hand[1], next(self.cards)]]
            if hand[0][0] != "A":
                for each in self.hands[box]:
                    self.draw(box, each)
        elif action != "stand":
            hand.append(next(self.cards))
            self.doubled[box] = action == "double"
            if action == "hit":
                self.draw(box, hand)

    def draw(self, box, hand):
        """Take cards until the hand stands, has 21 or is bust."""
        while best(hand) < 21 and self.take(box, ["hit", "stand"]) == "hit":
            hand.append(next(self.cards))

    def take(self, box, offered):
        """What the box chooses, and note it."""
        action = self.choose(offered)
        self.actions[box].append(action)
        return action

    def play_dealer(self):
        """Draw what the rules say over all boxes."""
        boxes = range(len(self.bets))
        alive = [b for b in boxes for h in self.hands[b] if best(h) <= 21 and not self.natural(b)]
        threat = self.dealer[0][0] in "ATJQK"
        waiting = [b for b in boxes if self.natural(b) and not self.even[b] and threat]
        if alive:
            while not any(17 <= count <= 21 for count in counts(self.dealer)):
                if min(counts(self.dealer)) > 21:
                    break
                self.dealer.append(next(self.cards))
        elif waiting or any(self.insured):
            self.dealer.append(next(self.cards))

    def money(self, box):
        """What a box staked and what it is credited, in cents."""
        bet, natural = self.bets[box], self.two_make_21(self.dealer)
        insurance = bet // 2 if self.insured[box] else 0
        staked, credited = insurance, 3 * insurance if natural else 0
        for hand in self.hands[box]:
            stake = bet * (2 if self.doubled[box] else 1)
            staked += stake
            credited += self.brought(box, hand, stake, natural=natural)
        return staked, credited

    def brought(self, box, hand, stake, *, natural):
        """What one hand is credited, in cents."""
        if self.even[box]:
            return 2 * stake
        if self.natural(box):
            return stake if natural else cents(Fraction(5 * stake, 2))
        if best(hand) > 21 or natural:
            return 0
        mine, theirs = best(hand), best(self.dealer) % 22
        return 2 * stake if mine > theirs else stake if mine == theirs else 0

    def document(self, shoe):
        """The round as a document for `quote`."""
        return {
            "boxes": [
                {
                    "bet": f"{bet // 100}.{bet % 100:02d}",
                    "actions": self.actions[box],
                    "insurance": self.insured[box],
                    "even_money": self.even[box],
                }
                for box, bet in enumerate(self.bets)
            ],
            "shoe": shoe,
        }
