"""Captions: the last move in one sentence, with what it cost. The component `ui.captions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from wonderland.components.words import words_of
from wonderland.engine.language import Language
from wonderland.engine.registry import component
from wonderland.engine.values import Value


class Captions(Protocol):
    """The component `ui.captions` of a game."""

    def caption(
        self, events: Sequence[Any], view: Any, names: Sequence[str], say: Language
    ) -> str | None:
        """Sum up a decision in one sentence, with what it cost or brought; `None` if there is nothing.

        `events` are those of the decision and of the chance outcomes that followed it, and `view` the
        table after them, both as the reader sees them.
        """
        ...

    @property
    def COVERED(self) -> tuple[type[Any], ...]:  # noqa: N802 - a constant of the module
        """The events that need no sentence of their own beside the caption."""
        ...


class MoveSummary(Value, frozen=True):
    """A decision in words."""

    caption: str
    sentences: tuple[str, ...]
    """All that is told about it."""
    more: tuple[bool, ...]
    """For each sentence, whether it says more than the caption."""


def sum_up(
    game: str, events: Sequence[Any], view: Any, names: Sequence[str], say: Language
) -> MoveSummary:
    """Put a decision into words; without a caption of the game, the first sentence is the caption."""
    words = words_of(game)
    told = [(event, words.describe_event(event, names, say)) for event in events]
    sentences = [(event, sentence) for event, sentence in told if sentence]
    texts = tuple(sentence for _, sentence in sentences)
    own = cast("Captions | None", component(game, "ui.captions"))
    caption = None if own is None else own.caption(events, view, names, say)
    if own is None or caption is None:
        return MoveSummary("".join(texts[:1]), texts, tuple(at > 0 for at in range(len(texts))))
    more = tuple(not isinstance(event, own.COVERED) for event, _ in sentences)
    return MoveSummary(caption, texts, more)
