"""What the first page lists: games to choose from, one's own tables, tables that wait for players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from wonderland.bots import default_level, levels
from wonderland.discovery import links
from wonderland.engine.language import Language
from wonderland.engine.options import default_text
from wonderland.engine.registry import game
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import TableIndexRow
from wonderland.tables.table import Table
from wonderland.web.rendering import game_picture, name_of, names_of
from wonderland.wire.problems import Refusal

_MOST = 12
"""Tables in a list: each of them is read."""
_MOST_OVER = 3
_CLOCKS = (30, 60, 120, 300, 86_400, 259_200)
_ORDER = ("playing", "waiting", "finished")


def shown_game(name: str) -> dict[str, Any]:
    """A game, with what can be chosen."""
    rules = game(name)
    options = [
        {
            "name": option.name,
            "meaning": option.meaning,
            "usual": default_text(rules, option),
            "choices": option.examples,
        }
        for option in rules.info.options
        if all(len(example) < 12 for example in option.examples)  # not a whole board
    ]
    return {
        "name": name,
        "title": rules.info.title,
        "about": rules.info.about,
        "seats": list(rules.info.seats),
        "levels": levels(name),
        "usual": default_level(name).word,
        "options": [option for option in options if option["choices"]],
        "picture": game_picture(name),
        "links": _links(name),
    }


_links = cache(links)  # they don't change while a server runs


def clocks(say: Language) -> list[tuple[int, str]]:
    """How long a move may take, in seconds and in words."""
    return [(seconds, _long(seconds, say)) for seconds in _CLOCKS]


def _long(seconds: int, say: Language) -> str:
    if seconds < 60:
        return say.plural("{number} second", "{number} seconds", seconds)
    if seconds < 86_400:
        return say.plural("{number} minute", "{number} minutes", seconds // 60)
    return say.plural("{number} day", "{number} days", seconds // 86_400)


async def own_tables(house: TableService, device: str, say: Language) -> list[dict[str, Any]]:
    """The tables where a device sits; those where it is to move come first."""
    rows = {row.table: row for row, _ in await house.storage.sits(device, most=5 * _MOST)}
    over = [row for row in rows.values() if row.status == "finished"][:_MOST_OVER]
    going = [row for row in rows.values() if row.status != "finished"][:_MOST]
    found = [_own(table, device, say) for table in await _read(house, [*going, *over])]
    return sorted(found, key=lambda card: (not card["my_move"], _ORDER.index(card["status"])))


async def open_tables(house: TableService, device: str, say: Language) -> list[dict[str, Any]]:
    """The tables that anybody may sit down at."""
    tables = await _read(house, await house.storage.open_tables(most=_MOST))
    return [
        _card(table, say) | {"state": _free(table, say)}
        for table in tables
        if table.status == "waiting" and not (device and table.seats_of(device))
    ]


def _free(table: Table, say: Language) -> str:
    free = sum(place.kind == "free" for place in table.places)
    if table.opened.rated:
        return say.plural("rated, {number} seat is free", "rated, {number} seats are free", free)
    return say.plural("{number} seat is free", "{number} seats are free", free)


async def _read(house: TableService, rows: Sequence[TableIndexRow]) -> list[Table]:
    """The tables of these rows; one that can't be gone on with is passed over."""
    found = []
    for row in rows:
        try:
            found.append((await house.room(row.table)).table)
        except Refusal as refusal:
            if refusal.problem == "storage":
                raise
    return found


def _card(table: Table, say: Language) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.opened.game,
        "title": say(game(table.opened.game).info.title),
        "names": [name for name in names_of(table, say) if name],
        "status": table.status,
    }


def _own(table: Table, device: str, say: Language) -> dict[str, Any]:
    mine = [seat for seat in table.to_act if table.holds(device, seat) and not table.places[seat].level]
    if mine:
        state = say("your move")
    elif table.status == "playing":
        state = say("{names} to move", names=say.join_list(name_of(table, n, say) for n in table.to_act))
    elif table.status == "waiting":
        state = say("waits for players")
    else:
        state = say("is over")
    return _card(table, say) | {"my_move": bool(mine), "state": state}
