"""The book: what may happen, what happened, and the proof that it did. It knows no game."""
