"""What those at a table are called: people as they like, bots by their level, in a language."""

from __future__ import annotations

from wonderland.core.language import Language
from wonderland.tables.table import Table, title_of


def name_of(table: Table, seat: int, say: Language) -> str:
    """The name of the one who sits there; empty if nobody does."""
    place = table.places[seat]
    title = title_of(place.level, 1)
    if place.kind == "bot" and place.name.startswith(title):
        return say(title) + place.name.removeprefix(title)  # the second Hatter is Hatter 2
    return place.name


def names_of(table: Table, say: Language) -> list[str]:
    """The names of all seats."""
    return [name_of(table, seat, say) for seat in range(len(table.places))]


_IMAGINED = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")


def imagined_names(seats: int, say: Language) -> list[str]:
    """What those are called who sit at a table that nobody has laid."""
    more = (say("Player {number}", number=number + 1) for number in range(len(_IMAGINED), seats))
    return [*_IMAGINED[:seats], *more]
