"""Contents of the home page: the games, the viewer's own tables, and open tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from wonderland.discovery import links
from wonderland.engine.language import Language
from wonderland.engine.options import default_text
from wonderland.engine.outcome import Result
from wonderland.engine.registry import game
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import TableIndexRow
from wonderland.tables.table import Table
from wonderland.tables.table_cache import TableClosed
from wonderland.web.assets import picture_layers
from wonderland.web.playbill import told_later
from wonderland.web.portraits import assign_portraits
from wonderland.web.rendering import level_options, name_of, names_of
from wonderland.wire.problems import Refusal

_MAX_TABLES = 12
"""Tables in a list; each of them has to be loaded."""
_MAX_FINISHED = 3
_CLOCKS = (30, 60, 120, 300, 86_400, 259_200)
_ORDER = ("playing", "waiting", "finished")


def game_card(name: str) -> dict[str, Any]:
    """Return a game with its options, bot levels and links."""
    rules = game(name)
    options = [
        {
            "name": option.name,
            "meaning": option.meaning,
            "default": default_text(rules, option),
            "choices": [(value, option.label(value)) for value in option.examples],
            "is_flag": option.examples == ("false", "true"),
        }
        for option in rules.info.options
        if all(
            len(example) < 12 for example in option.examples
        )  # leaves out free text such as a whole board
    ]
    return {
        "name": name,
        "title": rules.info.title,
        "about": rules.info.about,
        "seats": list(rules.info.seats),
        "levels": level_options(name),
        "options": [option for option in options if option["choices"]],
        "picture": picture_layers(name),
        "links": feature_links(name),
    }


feature_links = cache(links)  # constant while a server runs


def clocks(say: Language) -> list[tuple[int, str]]:
    """Return the time limits per move, in seconds and in words."""
    return [(seconds, _duration(seconds, say)) for seconds in _CLOCKS]


def _duration(seconds: int, say: Language) -> str:
    if seconds < 60:
        return say.plural("{number} second", "{number} seconds", seconds)
    if seconds < 86_400:
        return say.plural("{number} minute", "{number} minutes", seconds // 60)
    return say.plural("{number} day", "{number} days", seconds // 86_400)


async def games_played(service: TableService, device: str) -> set[str]:
    """Return the games of which a device has had a table lately."""
    found = await service.storage.seats_of_device(device, most=5 * _MAX_TABLES)
    return {row.game for row, _ in found}


async def own_tables(service: TableService, device: str, say: Language) -> list[dict[str, Any]]:
    """Return the tables where a device has a seat; those where it is to move come first."""
    rows = {
        row.table: row for row, _ in await service.storage.seats_of_device(device, most=5 * _MAX_TABLES)
    }
    over = [row for row in rows.values() if row.status == "finished"][:_MAX_FINISHED]
    going = [row for row in rows.values() if row.status != "finished"][:_MAX_TABLES]
    cards = [_own_card(table, device, say) for table in await _load_tables(service, [*going, *over])]
    return sorted(cards, key=lambda card: (not card["my_move"], _ORDER.index(card["status"])))


async def open_tables(
    service: TableService, device: str, say: Language, number: int = 1, most: int = _MAX_TABLES
) -> tuple[list[dict[str, Any]], bool]:
    """Return one page of the tables that anyone may join, and whether there is another."""
    rows = await service.storage.open_tables(most=most + 1, skip=most * (number - 1))
    tables = await _load_tables(service, rows[:most])
    cards = [
        _card(table, say)
        | {
            "state": _free_seats(table, say),
            "rated": table.opened.rated,
            "numbers": table.accepted_numbers() if table.opened.quick else (len(table.places),),
        }
        for table in tables
        if table.status == "waiting" and not (device and table.seats_of(device))
    ]
    return cards, len(rows) > most


def _free_seats(table: Table, say: Language) -> str:
    free = sum(place.kind == "free" for place in table.places)
    if table.opened.rated:
        return say.plural("rated, {number} free seat", "rated, {number} free seats", free)
    return say.plural("{number} free seat", "{number} free seats", free)


async def _load_tables(service: TableService, rows: Sequence[TableIndexRow]) -> list[Table]:
    """Load the tables of index rows, skipping those that can't be continued."""
    tables = []
    for row in rows:
        try:
            tables.append((await service.get_live_table(row.table)).table)
        except TableClosed:
            continue
        except Refusal as refusal:
            if refusal.problem == "storage":
                raise
    return tables


def _card(table: Table, say: Language) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.opened.game,
        "title": say(game(table.opened.game).info.title),
        "names": [name for name in names_of(table, say) if name],
        "portraits": [
            portrait
            for portrait in assign_portraits(
                [place.name for place in table.places], [place.portrait for place in table.places]
            )
            if portrait
        ],
        "status": table.status,
    }


def _own_card(table: Table, device: str, say: Language) -> dict[str, Any]:
    mine = [seat for seat in table.to_act if table.holds(device, seat) and not table.places[seat].level]
    is_expected = any(place.kind == "reserved" and device in place.devices for place in table.places)
    if mine:
        state = say("your move")
    elif table.status == "playing":
        state = say("{names} to move", names=say.join_list(name_of(table, n, say) for n in table.to_act))
    elif table.status == "waiting":
        state = say("waiting for you") if is_expected else say("waiting for players")
    else:
        state = told_later(_result(table), names_of(table, say), table.seats_of(device), say)
    return _card(table, say) | {"my_move": bool(mine) or is_expected, "state": state}


def _result(table: Table) -> Result:
    """Return the result of a finished table."""
    assert table.result is not None  # noqa: S101 - implied by the status
    return table.result
