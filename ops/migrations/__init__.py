"""Numbered SQL files, applied in order by `ops.migrate`."""
