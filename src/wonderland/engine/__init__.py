"""The game protocol and everything generic built on it: matches, records, replay, conformance laws.

Nothing here depends on a particular game, renders anything, or owns a clock or a random generator.
"""

from wonderland.engine.chance import ChanceSource, Seeded
from wonderland.engine.errors import (
    BotFailed,
    ClusterFailed,
    FileProblem,
    GameFailed,
    GameOver,
    IllegalAction,
    NotationError,
    UsageError,
    WonderlandError,
)
from wonderland.engine.match import Match
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import (
    CHANCE,
    FACE_DOWN,
    Acting,
    Actor,
    AnyGame,
    Chance,
    ChancePlayer,
    FaceDown,
    Game,
    GameInfo,
    Over,
    Seat,
    Step,
    Turn,
)
from wonderland.engine.record import Move, Record
from wonderland.engine.record_reader import Fault, Reading, read_record
from wonderland.engine.registry import game, game_names

__all__ = [
    "CHANCE",
    "FACE_DOWN",
    "Acting",
    "Actor",
    "AnyGame",
    "BotFailed",
    "Chance",
    "ChancePlayer",
    "ChanceSource",
    "ClusterFailed",
    "FaceDown",
    "Fault",
    "FileProblem",
    "Game",
    "GameFailed",
    "GameInfo",
    "GameOver",
    "IllegalAction",
    "Match",
    "Move",
    "NotationError",
    "Over",
    "Reading",
    "Record",
    "Result",
    "Seat",
    "Seeded",
    "Step",
    "Turn",
    "UsageError",
    "WonderlandError",
    "game",
    "game_names",
    "read_record",
]
