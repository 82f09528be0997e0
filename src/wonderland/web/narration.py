"""What is said about a game at a table: the log, the last move, its caption, and the bots' remarks.

Everything is worded from the events that the viewer witnessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from wonderland.bots.remarks import last_remark
from wonderland.components.captions import MoveSummary, sum_up
from wonderland.components.words import LogWords, words_of
from wonderland.engine.language import Language
from wonderland.tables.table import Table
from wonderland.web.history import Timeline
from wonderland.web.rendering import name_of, names_of

_MAX_LOG_LINES = 60
_CACHED_SENTENCES = 8192


class Narration:
    """One table for one viewer: what they see, what happened, and the words about it."""

    def __init__(self, table: Table, seat: int | None, say: Language) -> None:
        self.table, self.seat, self.say = table, seat, say

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The display names of all seats."""
        return tuple(names_of(self.table, self.say))

    @cached_property
    def timeline(self) -> Timeline | None:
        """The decisions so far, once the game has started."""
        return None if self.table.match is None else Timeline(self.table.match)

    @cached_property
    def view(self) -> Any:
        """What the viewer may know now; `None` before the start."""
        return None if self.table.match is None else self.table.match.view(self.seat)

    @cached_property
    def latest(self) -> list[Any]:
        """The events of the last decision, as the viewer witnessed them."""
        match = self.table.match
        if match is None or self.timeline is None:
            return []
        seen = (match.game.witness(event, self.seat) for event in self.timeline.latest())
        return [event for event in seen if event is not None]

    def log(self) -> list[dict[str, Any]]:
        """Return the lines of the log, the latest first, each with its moment."""
        return list(islice(self._log_lines(), _MAX_LOG_LINES))

    def _log_lines(self) -> Iterator[dict[str, Any]]:
        match, moments = self.table.match, self.timeline
        if match is None or moments is None:
            return
        events, witness, name = match.events, match.game.witness, self.table.opened.game
        names, say, words = self.names, self.say, words_of(name)
        describe_past = (
            words.describe_past_event if isinstance(words, LogWords) else None
        )  # memory games say less
        for number in range(len(events) - 1, -1, -1):
            event = witness(events[number], self.seat)
            if event is None:
                continue
            text = (
                describe_past(event, self.view, names, say)
                if describe_past
                else _tell(name, event, names, say)
            )
            if text is not None:
                yield {"text": text, "at": moments.of(number)}

    def summary(self) -> MoveSummary:
        """Return what happened last: a caption, and all sentences about it."""
        if self.table.match is None:
            return MoveSummary("", (), ())
        return sum_up(self.table.opened.game, self.latest, self.view, self.names, self.say)

    def remark(self) -> dict[str, Any] | None:
        """Return what a bot says about the last decision, unless the host has turned chat off."""
        table = self.table
        if table.match is None or table.silent:
            return None
        bots = {seat: place.name for seat, place in enumerate(table.places) if place.kind == "bot"}
        found = last_remark(table.match, bots) if bots else None
        if found is None:
            return None
        name = name_of(table, found.seat, self.say)
        return {"seat": found.seat, "name": name, "text": self.say(found.text)}


@lru_cache(_CACHED_SENTENCES)
def _tell(game: str, event: Any, names: tuple[str, ...], say: Language) -> str | None:
    """Describe an event; a log repeats the same sentences after every move."""
    return words_of(game).describe_event(event, names, say)
