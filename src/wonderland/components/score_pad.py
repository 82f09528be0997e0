"""A score pad for players with the real game on the table: the component `ui.score_pad` of a game."""

from __future__ import annotations

from typing import Any, Protocol, cast

from wonderland.engine.language import Language
from wonderland.engine.registry import component


class ScorePad(Protocol):
    """The component `ui.score_pad` of a game.

    The pad itself is the game's template `score_pad.html` and its script `<game>-score-pad.js`, which
    keeps the score in the browser.
    """

    def pad(self, say: Language) -> dict[str, Any]:
        """Return the context of the template, with texts in this language."""
        ...


def score_pad_of(game: str) -> ScorePad | None:
    """Return the score pad of a game, if it has its own."""
    return cast("ScorePad | None", component(game, "ui.score_pad"))
