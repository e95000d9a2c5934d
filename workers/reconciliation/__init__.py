"""Reconciliation: the checks over the sealed log, and what they find carried until it is closed."""
