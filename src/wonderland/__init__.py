"""Three tabletop games set in Wonderland, for playing, recording and research.

`game_names` lists the games, `game` returns one, `Match` plays it, and `Record` stores what happened.
"""

from wonderland.engine import (
    CHANCE,
    Acting,
    BotFailed,
    Chance,
    ClusterFailed,
    FileProblem,
    GameFailed,
    GameOver,
    IllegalAction,
    Match,
    NotationError,
    Over,
    Record,
    Result,
    Seeded,
    UsageError,
    WonderlandError,
    game,
    game_names,
    read_record,
)

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Acting",
    "BotFailed",
    "Chance",
    "ClusterFailed",
    "FileProblem",
    "GameFailed",
    "GameOver",
    "IllegalAction",
    "Match",
    "NotationError",
    "Over",
    "Record",
    "Result",
    "Seeded",
    "UsageError",
    "WonderlandError",
    "__version__",
    "game",
    "game_names",
    "read_record",
]
