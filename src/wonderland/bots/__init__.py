"""Bots: levels, evaluation of positions, and generic bots that can play any game.

Nothing here depends on a particular game; a game's own bots are in its folder `bots/`.
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
