"""Copies of plays: no field is missed, in any kernel variant."""

from __future__ import annotations

import ctypes
import random
import re
from pathlib import Path
from typing import Any

import pytest

from support import kernel_variants
from wonderland.engine import game_names
from wonderland.kernels.fields import copy_fields

COMPILED = [
    (name, way) for name in game_names() for way in kernel_variants.variants(name) if way != "uncompiled"
]
NOT_COPIED = {"letters": {"pile"}}
"""What each playout fills by itself."""
HAVE_GC = 1 << 14
"""The flag of types whose objects may hold other objects."""


def fill(play: Any) -> None:
    """Give every number in the fields of an uncompiled play a distinct value."""
    number = 0
    for name, value in vars(play).items():
        length = len(value) if isinstance(value, list) else 1
        filled = list(range(number + 1, number + 1 + length))
        setattr(play, name, filled if isinstance(value, list) else filled[0])
        number += length


def fields_of(module: Any) -> type:
    """Return the class whose fields a copy copies, wherever the game declares it."""
    return next(it for it in module.FastPlay.__mro__ if it.__name__ == "PlayState")


@pytest.mark.parametrize("name", game_names())
def test_a_copy_has_every_field_of_an_uncompiled_play(name: str) -> None:
    play = kernel_variants.kernel(name, "uncompiled", "play").FastPlay()
    fill(play)
    copy = play.clone()
    assert vars(copy) == vars(play)
    for field, value in vars(play).items():
        assert not isinstance(value, list) or getattr(copy, field) is not value, f"{field} is shared"


@pytest.mark.parametrize(("name", "way"), COMPILED)
def test_a_copy_has_every_byte_of_a_compiled_play(name: str, way: str) -> None:
    module = kernel_variants.kernel(name, way, "play")
    play = module.FastPlay()
    header, end = object.__basicsize__, fields_of(module).__basicsize__
    some = random.Random(name).randbytes(end - header)
    ctypes.memmove(id(play) + header, some, len(some))
    copy = play.clone()
    assert ctypes.string_at(id(copy) + header, len(some)) == some
    assert ctypes.string_at(id(play) + header, len(some)) == some


@pytest.mark.parametrize(("name", "way"), COMPILED)
def test_the_fields_of_a_compiled_play_are_numbers(name: str, way: str) -> None:
    """An object among them would be copied without reference counting."""
    state = fields_of(kernel_variants.kernel(name, way, "play"))
    assert not state.__flags__ & HAVE_GC
    assert state.__base__ is object


@pytest.mark.parametrize("name", game_names())
def test_a_compiled_copy_has_the_same_fields_as_an_uncompiled_one(name: str) -> None:
    play = kernel_variants.kernel(name, "uncompiled", "play").FastPlay()
    folder = Path(kernel_variants.kernel(name, "uncompiled", "play").__file__ or "").parent
    types = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("p*.pxd")))
    copied = types.partition("cdef class PlayState")[2].partition("cdef extern")[0]
    lines = re.findall(r"^    cdef ((?:unsigned |int |char |long )+)([^#\n]+)", copied, re.MULTILINE)
    declared = {re.sub(r"\[\d+\]", "", field).strip() for _, some in lines for field in some.split(",")}
    assert set(vars(play)) - declared == NOT_COPIED.get(name, set())


def test_lists_are_copied_and_not_shared() -> None:
    class Some:
        def __init__(self) -> None:
            self.number, self.numbers = 1, [2, 3]

    one, other = Some(), Some()
    one.number, one.numbers = 4, [5, 6]
    copy_fields(other, one)
    one.numbers[0] = 7
    assert (other.number, other.numbers) == (4, [5, 6])
