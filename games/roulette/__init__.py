"""Roulette: one wheel, one layout, one set of bets; its families differ by their sheets alone."""
