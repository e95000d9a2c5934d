"""French roulette of the casino, at a live table: en prison, announced bets, replays.

On the wheel, layout and bets of all roulette. Everything here is a function over plain values, so
that a table with many players and a quote for one of them are judged by the same code.
"""
