"""Deuces Wild: a video poker with deuces as any card, and the double-up of what it wins."""
