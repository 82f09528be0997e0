"""Lists of the games that a device has imported as records: which records, and whose seat was theirs.

A list is one document, named after the device. The records themselves are uploaded records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from wonderland.engine.values import Value
from wonderland.tables.storage.documents import IMPORTED_GAMES, DocumentStore

MAX_IMPORTED = 500
"""Games in the list of one device; more are refused."""
MAX_LISTS = 20_000
"""Lists on one server; the least recently used are evicted."""


class ImportedGame(Value, frozen=True):
    """An uploaded record in somebody's list."""

    record: str
    """The name of the record."""
    seat: int | None
    """The person's seat; `None` if none of the players was theirs."""
    time: int
    """When it was imported, in milliseconds since 1970."""


_Games = tuple[ImportedGame, ...]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Games).decode


async def imported_games(documents: DocumentStore, devices: Sequence[str]) -> Sequence[ImportedGame]:
    """The games that these devices have imported, without repetition."""
    found = [await documents.get(IMPORTED_GAMES, device) for device in devices]
    games = (game for body in found if body is not None for game in _decode(body))
    return tuple({game.record: game for game in games}.values())


async def add_imported(documents: DocumentStore, device: str, games: Sequence[ImportedGame]) -> int:
    """Add games to a device's list as far as there is room; return how many of them are in it."""

    def add(known: _Games) -> _Games:
        new = {game.record: game for game in games}
        kept = tuple(game for game in known if game.record not in new)
        return (*kept, *new.values())[:MAX_IMPORTED]

    names = {game.record for game in await _change(documents, device, add)}
    await documents.trim(IMPORTED_GAMES, MAX_LISTS)
    return sum(game.record in names for game in games)


async def remove_imported(documents: DocumentStore, devices: Sequence[str], record: str) -> None:
    """Remove a game from the lists of these devices; the record itself stays."""
    for device in devices:
        await _change(
            documents, device, lambda known: tuple(game for game in known if game.record != record)
        )


async def _change(documents: DocumentStore, device: str, change: Callable[[_Games], _Games]) -> _Games:
    """Change a list by compare-and-swap, and return it."""
    while True:
        body = await documents.get(IMPORTED_GAMES, device)
        before = () if body is None else _decode(body)
        after = change(before)
        if after == before or await documents.swap(IMPORTED_GAMES, device, body, _encode(after)):
            return after
