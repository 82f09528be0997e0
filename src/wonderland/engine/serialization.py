"""JSON serialization of views and events.

A value becomes an object with its class name in `type`; a tuple, a list; an enum, its value. Anything
else (a card of Parade) becomes its `str`, which its `read` parses. `msgspec` does the encoding. Decoding
follows the types of the fields, for clients that need the game's own values: a terminal at a remote
table, a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from wonderland.engine.errors import NotationError, quote

encode = msgspec.json.Encoder(enc_hook=str).encode
"""Encode a value, or anything made of values, as JSON."""


class _TextCache(dict[Any, str]):
    """Cache of `str(thing)`: a view has dozens of cards, and is encoded after every move."""

    def __missing__(self, thing: Any) -> str:
        text = self[thing] = str(thing)
        return text


@cache
def encoder_for(game: str) -> Callable[[Any], bytes]:  # noqa: ARG001 - the cache key: one encoder per game
    """Return a faster `encode` for the values of one game, which caches texts.

    Each game needs its own cache, since pieces of different games can be equal but differ in text.
    """
    return msgspec.json.Encoder(enc_hook=_TextCache().__getitem__).encode


def to_plain(value: Any) -> Any:
    """Convert a value to lists, dictionaries, numbers and strings."""
    return msgspec.json.decode(encode(value))


def from_plain(kind: Any, data: Any) -> Any:
    """Convert decoded JSON to a value of this type; `NotationError` if it doesn't fit."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _read_union(get_args(kind), data)
    if origin is tuple:
        return _read_tuple(get_args(kind), data)
    if origin is Literal:
        return data if data in get_args(kind) else _reject(kind, data)
    if kind is NoneType:
        return None if data is None else _reject(kind, data)
    if kind in (int, bool, str):
        return data if type(data) is kind else _reject(kind, data)
    if issubclass(kind, msgspec.Struct):
        return _read_struct(kind, data)
    if issubclass(kind, Enum):
        return _read_text(kind, data)
    if issubclass(kind, tuple):
        return _read_named_tuple(kind, data)
    return _read_text(kind.read, data)


def _reject(kind: Any, data: Any) -> Any:
    raise NotationError(f"{quote(data)} is not a {getattr(kind, '__name__', kind)}.")


def _read_union(kinds: Sequence[Any], data: Any) -> Any:
    for kind in kinds:
        try:
            return from_plain(kind, data)
        except NotationError:
            continue
    return _reject(" or ".join(getattr(kind, "__name__", str(kind)) for kind in kinds), data)


def _read_tuple(kinds: Sequence[Any], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list):
        _reject(tuple, data)
    if len(kinds) == 2 and kinds[1] is ...:
        return tuple(from_plain(kinds[0], each) for each in data)
    if len(kinds) != len(data):
        _reject(tuple, data)
    return tuple(map(from_plain, kinds, data))


def _read_struct(kind: Any, data: Any) -> Any:
    if not isinstance(data, Mapping) or data.get("type") != kind.__struct_config__.tag:
        _reject(kind, data)
    hints = get_type_hints(kind)
    names = [name for name in kind.__struct_fields__ if name in data]
    given = {name: from_plain(hints[name], data[name]) for name in names}
    try:
        return kind(**given)
    except TypeError:
        return _reject(kind, data)


def _read_named_tuple(kind: Any, data: Any) -> Any:
    hints = get_type_hints(kind)
    return kind(*_read_tuple([hints[name] for name in kind._fields], data))


def _read_text(read: Any, data: Any) -> Any:
    try:
        return read(data)
    except (ValueError, TypeError):
        return _reject(read, data)
