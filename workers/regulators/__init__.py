"""Records for foreign authorities, as their schemas ask for them, from the same sealed log (G6)."""
