"""What a player reads who finds a bot in their seat: why, and how many moves it has made for them."""

from __future__ import annotations

from typing import assert_never

from wonderland.engine.language import Language
from wonderland.tables.forfeits import forfeits_at
from wonderland.tables.table import Table
from wonderland.web.rendering import name_of


def stand_in_notice(table: Table, seat: int | None, say: Language) -> list[str]:
    """Return the sentences for a viewer whose seat a bot plays, or who left a rated game; else none."""
    place = None if seat is None else table.places[seat]
    if seat is not None and forfeits_at(table, seat) is not None:
        return [say("Take your seat back within a minute. If you don't, you lose the game.")]
    if place is None or place.kind != "person" or not place.level or table.status != "playing":
        return []
    sentences = []
    match place.why:
        case "away" if place.by is not None:
            name = name_of(table, place.by, say)
            sentences.append(say("You were away, so {name} let a bot play.", name=name))
        case "away":
            sentences.append(say("You were away when it was your turn."))
        case "clock":
            sentences.append(say("Your time ran out."))
        case "left" | "":
            pass
        case _:
            assert_never(place.why)
    if place.covered:
        sentences.append(
            say.plural(
                "The bot has made one move for you.",
                "The bot has made {number} moves for you.",
                place.covered,
            )
        )
    return sentences or [say("You can take your seat back at any time.")]
