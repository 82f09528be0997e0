"""OpenSpiel observer: a player's observation as tensor and text, of the present or with recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from wonderland.components.learning import length
from wonderland.engine.protocol import Seat
from wonderland.engine.serialization import to_plain
from wonderland.environments.openspiel.play import OpenSpielPlay, OpenSpielSetup

_OWNER_FIELD = "seat"
"""The field of a view that names its owner, which is public."""
Everyone = pyspiel.PrivateInfoType.ALL_PLAYERS
Oneself = pyspiel.PrivateInfoType.SINGLE_PLAYER


class Observer:
    """Observer as specified by `open_spiel.python.observation`.

    Tensors (`tensor`, and by name in `dict`) exist for what a seat knows, public and private. All other
    kinds (only public, only private, or all players' information) have text alone.
    """

    def __init__(self, setting: OpenSpielSetup, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observers take no parameters, but got {params}.")
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
        start = 0
        for name, shape in pieces:
            end = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:end].reshape(shape)
            start = end

    def set_from(self, state: Any, player: Seat) -> None:
        """Fill `tensor` with the player's observation."""
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
        """The player's observation as text."""
        play: OpenSpielPlay = state.play
        lines_for = self._history_lines if self.recall else self._view_lines
        if self.private == Oneself and self.public:
            own = lines_for(play, player, state)
            return "\n".join([f"seat {player + 1} of {play.setting.seats}", *own])
        public = lines_for(play, None, state)
        if self.private == pyspiel.PrivateInfoType.NONE:
            return "\n".join(public) if self.public else ""
        own = lines_for(play, Everyone if self.private == Everyone else player, state)
        if self.public:
            return "\n".join(own)
        return "\n".join([line for line, other in zip(own, public, strict=True) if line != other])

    def _history_lines(self, play: OpenSpielPlay, viewer: Any, state: Any) -> list[str]:
        """One line per observed move, plus the current view in games with moves that have no events."""
        if viewer == Everyone:
            write = play.setting.game.write
            return [f"{number} {write(move.action)}" for number, move in enumerate(play.match.moves, 1)]
        lines = list(play.told(viewer, state.history())[0])
        return lines if play.setting.histories else [*lines, *self._view_lines(play, viewer, state)]

    def _view_lines(self, play: OpenSpielPlay, viewer: Any, _: Any) -> list[str]:
        """One line per field of the view."""
        match = play.match
        view = match.game.reveal(match.state) if viewer == Everyone else match.view(viewer)
        found, write = to_plain(view), play.setting.write
        fields = found if isinstance(found, dict) else dict(enumerate(found))
        return [f"{name}: {write(it).decode()}" for name, it in fields.items() if name != _OWNER_FIELD]
