"""The names that travel: in JSON between programs, and in stored logs.

A class may be renamed, its name in JSON may not: clients rely on it, and so do stored tables.
`golden_names.json` holds the tags of commands, messages and log entries with their fields, and the
`type` names in every game's views, events and actions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from wonderland.engine import game, game_names
from wonderland.tables import entries
from wonderland.wire import commands
from wonderland.wire.messages import AnyMessage, ChatMessage, PageUpdate, SeatNotice

GOLDEN = json.loads(Path(__file__).with_name("golden_names.json").read_text(encoding="utf-8"))


def names_of(kinds: tuple[Any, ...]) -> dict[str, list[str]]:
    """Return each tag, with the field that holds it and the JSON fields."""
    return {
        f"{kind.__struct_config__.tag_field}={kind.__struct_config__.tag}": list(
            kind.__struct_encode_fields__
        )
        for kind in kinds
    }


def structs_in(kind: Any) -> Iterator[Any]:
    """Return all structs that a value of this type can contain."""
    if get_origin(kind) in (tuple, Union, UnionType):
        for each in get_args(kind):
            yield from structs_in(each)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from structs_in(hint)


def type_names(kind: Any) -> list[str]:
    """Return the `type` names in the JSON of such values."""
    found = {(each.__struct_config__.tag_field, each.__struct_config__.tag) for each in structs_in(kind)}
    assert {field for field, _ in found} <= {"type"}
    return sorted(tag for _, tag in found)


def test_commands_keep_their_names() -> None:
    assert names_of(get_args(commands.AnyCommand)) == GOLDEN["commands"]


def test_messages_keep_their_names() -> None:
    kinds = (*get_args(AnyMessage), PageUpdate, ChatMessage, SeatNotice)
    assert names_of(kinds) == GOLDEN["messages"]


def test_log_entries_keep_their_names() -> None:
    assert names_of(get_args(entries.AnyEntry)) == GOLDEN["entries"]


@pytest.mark.parametrize("name", sorted(GOLDEN["games"]))
def test_values_of_games_keep_their_names(name: str) -> None:
    rules = game(name)
    found = {
        "view": type_names(rules.view_type),
        "events": type_names(rules.event_type),
        "actions": type_names(get_type_hints(rules.write)["action"]),
    }
    assert found == GOLDEN["games"][name]


def test_every_game_is_in_the_list() -> None:
    assert set(game_names()) == set(GOLDEN["games"])
