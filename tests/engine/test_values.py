"""Values behave like frozen dataclasses with slots, but are faster to create."""

from __future__ import annotations

import gc
import pickle

import msgspec
import pytest

from wonderland.engine.values import Value


class Pawn(Value, frozen=True):
    space: int
    large: bool = False


class Token(Value, frozen=True):
    space: int
    large: bool = False


def test_values_of_the_same_kind_with_equal_fields_are_equal() -> None:
    assert Pawn(3) == Pawn(space=3, large=False) != Pawn(3, large=True)
    assert Pawn(3) != Token(3)
    assert hash(Pawn(3)) == hash(Pawn(3))
    assert repr(Pawn(3)) == "Pawn(space=3, large=False)"
    assert pickle.loads(pickle.dumps(Pawn(3))) == Pawn(3)  # noqa: S301 - our own
    assert msgspec.json.encode(Pawn(3)) == b'{"type":"Pawn","space":3,"large":false}'


def test_a_value_can_be_destructured() -> None:
    match Pawn(3, large=True):
        case Pawn(space, large=True):
            assert space == 3
        case _:
            pytest.fail("it did not match")


def test_a_value_is_immutable() -> None:
    pawn = Pawn(3)
    with pytest.raises(AttributeError):
        pawn.space = 4  # type: ignore[misc] # that is the point
    with pytest.raises(AttributeError):
        pawn.colour = "red"  # type: ignore[attr-defined] # there is no such field


def test_a_value_requires_its_fields() -> None:
    with pytest.raises(TypeError):
        Pawn()  # type: ignore[call-arg] # that is the point


def test_values_are_untracked_by_the_garbage_collector() -> None:
    assert not gc.is_tracked(Pawn(3))
