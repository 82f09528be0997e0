"""Step-back history: a running game as the same viewer saw it at an earlier moment.

A moment is a number of decisions: 0 is the deal, and the last one is now. An earlier moment is rendered
from the match up to that point, so it shows what the viewer saw then and nothing revealed later.
"""

from __future__ import annotations

from bisect import bisect_right
from copy import copy
from typing import Any

from wonderland.components.scene import can_step_back
from wonderland.engine.language import phrase
from wonderland.engine.match import Match
from wonderland.engine.protocol import CHANCE
from wonderland.engine.record_reader import AnyMatch
from wonderland.tables.table import Table
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

MEMORY_GAME_NOTE = phrase("This is a memory game, so you can only step back once it's over.")


class Timeline:
    """The decisions of a match, and which events each of them produced."""

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._decisions = [n for n, move in enumerate(match.moves) if move.actor is not CHANCE]
        self._event_starts = [match.before_move(n) for n in self._decisions]

    def __len__(self) -> int:
        """Return the number of decisions made so far."""
        return len(self._decisions)

    def of(self, event: int) -> int:
        """Return the moment right after an event, given by its index in `events`."""
        return bisect_right(self._event_starts, event)

    def latest(self) -> list[Any]:
        """Return the events of the last decision and of the chance outcomes that followed it."""
        return list(self._match.events[self._event_starts[-1] :]) if self._event_starts else []

    def mover(self) -> int | None:
        """Return the seat that made the last decision."""
        last = self._match.moves[self._decisions[-1]].actor if self._decisions else CHANCE
        return None if last is CHANCE else last

    def match_at(self, moment: int) -> AnyMatch:
        """Return the match as it was at a moment."""
        if moment == len(self):
            return self._match
        return Match.resume(self._match.record, upto=self._decisions[moment])


def may_step_back(table: Table, view: Any) -> bool:
    """Whether someone with this view may step back now; memory games may forbid it while they last."""
    return table.match is not None and can_step_back(table.opened.game, view)


def table_at(table: Table, seat: int | None, moment: int) -> Table:
    """Return a copy of the table with its game at an earlier moment, in which nobody can act."""
    if table.match is None:
        raise Refusal(Code.NOT_STARTED, "The game hasn't started yet.")
    moments = Timeline(table.match)
    if moment > len(moments):
        raise Refusal(Code.NO_SUCH_MOVE, "That move hasn't been played yet.")
    if not may_step_back(table, table.match.view(seat)):
        raise Refusal(Code.CLOSED_IN_MEMORY_GAME, MEMORY_GAME_NOTE)
    earlier = copy(table)
    earlier.match, earlier.to_act = moments.match_at(moment), ()
    return earlier
