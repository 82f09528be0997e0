"""What has happened, in sentences: at once, and again later on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wonderland.core.words import LogWords, Words


def told(words: Words, events: Iterable[Any], names: Sequence[str]) -> list[str]:
    """Events as they are told when they happen, to whoever saw them like that."""
    return [sentence for event in events if (sentence := words.tell(event, names))]


def retold(words: Words, events: Iterable[Any], view: Any, names: Sequence[str]) -> list[str]:
    """The same later on, in a log: a game of memory does not do the remembering."""
    if not isinstance(words, LogWords):
        return told(words, events, names)
    return [sentence for event in events if (sentence := words.retell(event, view, names))]
