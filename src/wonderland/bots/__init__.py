"""Players that are no people: their levels, and what any game gets without writing a bot of its own.

Nothing here knows a particular game; a game's own bots live in its folder, in `bot.py`, weakest first.
"""

from wonderland.bots.dodo import Dodo
from wonderland.bots.levels import decide, level, levels

__all__ = ["Dodo", "decide", "level", "levels"]
