"""How often a process of the book looks for cycles of objects that nothing else frees.

What the book works on are trees: commands, entries, states. The collector's own pace, a look after
each 700 objects more, walks over the states that a service keeps and finds nothing in them.
"""

import gc
from typing import Final

OBJECTS: Final = 50_000
"""How many objects more there must be before the collector looks again."""


def look_seldom() -> None:
    """Let the collector of this process, and of those forked from it, look seldom."""
    gc.set_threshold(OBJECTS, *gc.get_threshold()[1:])
