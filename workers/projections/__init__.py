"""Projections: sums and states folded out of the sealed log, each with a name and a position."""
