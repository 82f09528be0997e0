"""Looking back: a game that goes on, as it was to the same viewer after fewer moves.

A moment is a number of decisions: 0 is the deal, and the last one is now. What is drawn of a moment is
made from the match up to there, so it shows what the viewer saw then, and nothing that came out later.
"""

from __future__ import annotations

from bisect import bisect_right
from copy import copy
from typing import Any

from wonderland.components.scene import can_step_back
from wonderland.engine.language import phrase
from wonderland.engine.match import Match
from wonderland.engine.protocol import LUCK
from wonderland.engine.record_reader import AnyMatch
from wonderland.tables.table import Table
from wonderland.wire.problems import Refusal

MEMORY = phrase("This is a game of memory: one can look back when it is over.")


class Timeline:
    """The decisions of a match, and what had happened by each of them."""

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._begins = [n for n, move in enumerate(match.moves) if move.actor is not LUCK]
        self._events = [match.before_move(n) for n in self._begins]

    def __len__(self) -> int:
        """How many decisions have been made."""
        return len(self._begins)

    def of(self, event: int) -> int:
        """The moment at which an event, by its place in `events`, had just happened."""
        return bisect_right(self._events, event)

    def latest(self) -> list[Any]:
        """The events of the last decision, and of what luck added to it."""
        return list(self._match.events[self._events[-1] :]) if self._events else []

    def match_at(self, moment: int) -> AnyMatch:
        """The match as it was then."""
        if moment == len(self):
            return self._match
        return Match.resume(self._match.record, upto=self._begins[moment])


def can_look_back(table: Table, seat: int | None) -> bool:
    """Whether a viewer may look back now: a game of memory may say that they may not."""
    if table.match is None:
        return False
    return can_step_back(table.opened.game, table.match.view(seat))


def table_at(table: Table, seat: int | None, moment: int) -> Table:
    """The table with its game as it was at a moment, when nobody can act any more."""
    if table.match is None:
        raise Refusal("not now", "The game has not begun.")
    moments = Timeline(table.match)
    if moment > len(moments):
        raise Refusal("not found", "The game has not come so far.")
    if not can_look_back(table, seat):
        raise Refusal("not now", MEMORY)
    earlier = copy(table)
    earlier.match, earlier.to_act = moments.match_at(moment), ()
    return earlier
