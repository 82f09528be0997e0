"""Three tabletop games set in Wonderland: one set of rules, many ways to meet it.

`game_names` lists what can be played, `game` fetches one, `Match` plays it, `Record` keeps it.
"""

from wonderland.engine import (
    LUCK,
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
    "LUCK",
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
