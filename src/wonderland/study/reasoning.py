"""Why a choice is better than another, in plain words: a game's own, or the two chances to win."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wonderland.core.language import Language
from wonderland.core.reasons import Choices, reasons_of
from wonderland.core.words import words_of
from wonderland.core.worth import Worth

Reason = Callable[[Any, Worth, Worth, Sequence[str], Language], str]
"""Is given a view, the better and the worse choice, the names of the seats and a language."""


def reason_of(name: str) -> Reason:
    """How the game of this name explains itself: by its `reasons`, or by comparing the two chances."""
    own = reasons_of(name)
    if own is not None:
        return own.reason
    words = words_of(name)

    def reason(view: Any, best: Worth, other: Worth, names: Sequence[str], say: Language) -> str:  # noqa: ARG001 - nobody is named
        called = (words.offer(view, best.action, say), words.offer(view, other.action, say))
        return say.capital(Choices(best, other, called).chances(say))

    return reason
