"""Players that are no people: their levels, and what any game gets without writing a bot of its own.

Nothing here knows a particular game; a game's own bots live in its folder, in `bot.py`, weakest first.
"""

from wonderland.bots.entrants import Entrant, entrant
from wonderland.bots.levels import Dodo, decide, default_level, level, levels, prepare_decision
from wonderland.bots.playout_search import PlayoutSearch
from wonderland.components.bots import Bot, Budget

__all__ = [
    "Bot",
    "Budget",
    "Dodo",
    "Entrant",
    "PlayoutSearch",
    "decide",
    "default_level",
    "entrant",
    "level",
    "levels",
    "prepare_decision",
]
