"""Who starts a rematch: the player after the one who started the game before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wonderland.engine.options import read_options
from wonderland.engine.protocol import START, Chance
from wonderland.engine.registry import game
from wonderland.tables import entries as log

if TYPE_CHECKING:
    from wonderland.tables.table import Table


def next_start(table: Table, seats: int) -> tuple[log.Made, ...]:
    """The start of a rematch with so many seats: the one after the seat that started the game before.

    Nothing after a tutorial or a game that was continued from a record, or if the rules draw no start
    player: then the start is drawn as usual.
    """
    opened, match = table.opened, table.match
    if opened.is_tutorial or len(opened.begun) > 1 or match is None:
        return ()
    words = _start_words(table, seats)
    if not words:
        return ()
    last = words.index(match.game.write(match.moves[0].action))
    return (log.Made(None, words[(last + 1) % len(words)]),)


def start_with(table: Table, seats: Sequence[int]) -> tuple[log.Made, ...]:
    """The first moves of a waiting table once it has only some of its seats.

    The start player stays the same, or is the next one if that seat is gone.
    """
    begun, words = table.opened.begun, _start_words(table, len(table.places))
    if len(begun) != 1 or begun[0].word not in words:
        return begun
    first = words.index(begun[0].word)
    kept = next((number for number, seat in enumerate(seats) if seat >= first), 0)
    return (log.Made(None, _start_words(table, len(seats))[kept]),)


def _start_words(table: Table, seats: int) -> list[str]:
    """How a record writes each start player; empty if the rules draw none."""
    rules = game(table.opened.game)
    turn = rules.turn(rules.start(seats, read_options(rules, table.opened.options)))
    if not isinstance(turn, Chance) or turn.label != START:
        return []
    return [rules.write(outcome) for outcome in turn.outcomes]
