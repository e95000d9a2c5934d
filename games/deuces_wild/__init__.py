"""Deuces Wild: one player's poker with every two wild, and the double-up of a win."""
