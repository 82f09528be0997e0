"""Views and events as JSON, and back: how programs get them over a wire.

A value is an object with its kind in `type`; a tuple is a list; an enum is its value; whatever else has
a text of its own (a card of Parade) is that text, which its `read` takes. Writing is done by `msgspec`;
reading back follows the types of the fields, and is for those who want to go on with the game's own
values: a terminal at a distant table, a test.
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
"""The JSON of a value, or of anything made of values."""


class _Texts(dict[Any, str]):
    """The texts of things, each made once: a view has dozens of cards, and is written for every move."""

    def __missing__(self, thing: Any) -> str:
        text = self[thing] = str(thing)
        return text


@cache
def encoder_for(game: str) -> Callable[[Any], bytes]:  # noqa: ARG001 - one writer for each
    """The same for the values of one game, quicker.

    Things of different games can be equal without having the same text: so each has texts of its own.
    """
    return msgspec.json.Encoder(enc_hook=_Texts().__getitem__).encode


def to_plain(value: Any) -> Any:
    """The same as lists, dictionaries, numbers and texts."""
    return msgspec.json.decode(encode(value))


def from_plain(kind: Any, found: Any) -> Any:
    """The value of this type that `found`, decoded from JSON, stands for; `NotationError` if none."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _one_of(get_args(kind), found)
    if origin is tuple:
        return _tuple(get_args(kind), found)
    if origin is Literal:
        return found if found in get_args(kind) else _refused(kind, found)
    if kind is NoneType:
        return None if found is None else _refused(kind, found)
    if kind in (int, bool, str):
        return found if type(found) is kind else _refused(kind, found)
    if issubclass(kind, msgspec.Struct):
        return _struct(kind, found)
    if issubclass(kind, Enum):
        return _of_text(kind, found)
    if issubclass(kind, tuple):
        return _named_tuple(kind, found)
    return _of_text(kind.read, found)


def _refused(kind: Any, found: Any) -> Any:
    raise NotationError(f"{quote(found)} is not a {getattr(kind, '__name__', kind)}.")


def _one_of(kinds: Sequence[Any], found: Any) -> Any:
    for kind in kinds:
        try:
            return from_plain(kind, found)
        except NotationError:
            continue
    return _refused(" or ".join(getattr(kind, "__name__", str(kind)) for kind in kinds), found)


def _tuple(kinds: Sequence[Any], found: Any) -> tuple[Any, ...]:
    if not isinstance(found, list):
        _refused(tuple, found)
    if len(kinds) == 2 and kinds[1] is ...:
        return tuple(from_plain(kinds[0], each) for each in found)
    if len(kinds) != len(found):
        _refused(tuple, found)
    return tuple(map(from_plain, kinds, found))


def _struct(kind: Any, found: Any) -> Any:
    if not isinstance(found, Mapping) or found.get("type") != kind.__struct_config__.tag:
        _refused(kind, found)
    hints = get_type_hints(kind)
    names = [name for name in kind.__struct_fields__ if name in found]
    given = {name: from_plain(hints[name], found[name]) for name in names}
    try:
        return kind(**given)
    except TypeError:
        return _refused(kind, found)


def _named_tuple(kind: Any, found: Any) -> Any:
    hints = get_type_hints(kind)
    return kind(*_tuple([hints[name] for name in kind._fields], found))


def _of_text(read: Any, found: Any) -> Any:
    try:
        return read(found)
    except (ValueError, TypeError):
        return _refused(read, found)
