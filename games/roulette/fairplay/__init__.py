"""Roulette by account type, with FairPlay: on the wheel, layout and bets of all roulette."""
