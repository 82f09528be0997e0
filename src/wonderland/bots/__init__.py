"""Players that are no people: their levels, and what any game gets without writing a bot of its own.

Nothing here knows a particular game; a game's own bots live in its folder, in `bot.py`, weakest first.
"""

from wonderland.bots.dodo import Dodo
from wonderland.bots.entrants import Entrant, entrant
from wonderland.bots.levels import asked, decide, default_level, level, levels
from wonderland.bots.search import Search
from wonderland.core.bot import Bot, Budget

__all__ = [
    "Bot",
    "Budget",
    "Dodo",
    "Entrant",
    "Search",
    "asked",
    "decide",
    "default_level",
    "entrant",
    "level",
    "levels",
]
