"""Households: players of a rated table who share a device or a network, so that it doesn't count.

Playing from one home is fine, but a server can't tell two people there from one with two names. Such a
game is played like every rated game, and everyone is told before it starts that it won't count.
"""

from __future__ import annotations

from collections import Counter

from wonderland.tables.fairness import ServerKey
from wonderland.tables.table import Table


def source_hash(key: ServerKey, network: str) -> str:
    """The hash of a network as stored in logs, which only this server can make; empty if unknown."""
    return key.keyed_hash("source", network)[:16] if network else ""


def household(table: Table) -> tuple[int, ...]:
    """The seats of a rated table that share a device, or a network with too many others."""
    if not table.opened.rated:
        return ()
    most, sources = table.opened.household, Counter(place.source for place in table.places)
    devices = Counter(device for place in table.places for device in place.devices)
    return tuple(
        seat
        for seat, place in enumerate(table.places)
        if any(devices[device] > 1 for device in place.devices)
        or (place.source and most and sources[place.source] > most)
    )


def counts(table: Table) -> bool:
    """Whether the result of a table counts in the ratings."""
    return table.opened.rated and not household(table)
