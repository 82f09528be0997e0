"""What a player observes of a state of OpenSpiel: numbers and text, now or over the whole play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from wonderland.components.learning import length
from wonderland.engine.protocol import Seat
from wonderland.engine.serialization import to_plain
from wonderland.environments.openspiel.play import OpenSpielPlay, OpenSpielSetup

_WHOSE = "seat"
"""The field of a view that says whose it is, which is no secret."""
Everyone = pyspiel.PrivateInfoType.ALL_PLAYERS
Oneself = pyspiel.PrivateInfoType.SINGLE_PLAYER


class Observer:
    """Observes what its kind asks for, as `open_spiel.python.observation` describes it.

    There are numbers (`tensor`, and by name in `dict`) for what a seat may know, public and private.
    All other kinds (only what is public, only what is private, what all players know) have text alone.
    """

    def __init__(self, setting: OpenSpielSetup, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters; {params} was given.")
        self.recall, self.public = kind.perfect_recall, kind.public_info
        self.private = kind.private_info
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self.public or self.private != Oneself or (self.recall and not setting.bounds):
            return
        pieces: list[tuple[str, tuple[int, ...]]]
        pieces = [(feature.name, (feature.size,)) for feature in setting.features]
        if self.recall:
            pieces += [("player", (setting.seats,)), ("history", setting.rows)]
        self.size = length(setting.features)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in pieces), np.float32)
        begins = 0
        for name, shape in pieces:
            ends = begins + int(np.prod(shape))
            self.dict[name] = self.tensor[begins:ends].reshape(shape)
            begins = ends

    def set_from(self, state: Any, player: Seat) -> None:
        """Make `tensor` what this player observes."""
        if self.tensor is None:
            return
        play: OpenSpielPlay = state.play
        observed = play.setting.observed(play.match, player)
        self.tensor[: self.size] = np.frombuffer(observed, np.int8)
        if self.recall:
            self.tensor[self.size :] = 0
            self.dict["player"][player] = 1
            _, ones = play.told(player, state.history())
            self.dict["history"].ravel()[list(ones)] = 1

    def string_from(self, state: Any, player: Seat) -> str:
        """What this player observes, as text."""
        play: OpenSpielPlay = state.play
        told = self._witnessed if self.recall else self._seen
        if self.private == Oneself and self.public:
            own = told(play, player, state)
            return "\n".join([f"seat {player + 1} of {play.setting.seats}", *own])
        everyones = told(play, None, state)
        if self.private == pyspiel.PrivateInfoType.NONE:
            return "\n".join(everyones) if self.public else ""
        own = told(play, Everyone if self.private == Everyone else player, state)
        if self.public:
            return "\n".join(own)
        return "\n".join([one for one, all_see in zip(own, everyones, strict=True) if one != all_see])

    def _witnessed(self, play: OpenSpielPlay, who: Any, state: Any) -> list[str]:
        """A line for each move; in a game that has moves without events, what they led to as well."""
        if who == Everyone:
            write = play.setting.game.write
            return [f"{number} {write(move.action)}" for number, move in enumerate(play.match.moves, 1)]
        lines = list(play.told(who, state.history())[0])
        return lines if play.setting.histories else [*lines, *self._seen(play, who, state)]

    def _seen(self, play: OpenSpielPlay, who: Any, _: Any) -> list[str]:
        """A line for each thing that a view shows."""
        match = play.match
        view = match.game.reveal(match.state) if who == Everyone else match.view(who)
        found, write = to_plain(view), play.setting.write
        fields = found if isinstance(found, dict) else dict(enumerate(found))
        return [f"{name}: {write(it).decode()}" for name, it in fields.items() if name != _WHOSE]
