"""Live Blackjack: cards dealt one by one to up to seven boxes and to a dealer without a hole card.

Everything here is a function over plain values: a live table, a quote, the exact returns and a
simulation go through the same machine (`round`) and the same settlement (`settle`).
"""
