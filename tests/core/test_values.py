"""Values are frozen dataclasses with slots, however quickly they are made."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from wonderland.core.values import value


@value
class Pawn:
    space: int
    large: bool = False


@value
class Nothing:
    pass


def test_a_value_is_what_a_frozen_dataclass_is() -> None:
    assert Pawn(3) == Pawn(space=3, large=False) != Pawn(3, large=True)
    assert repr(Pawn(3)) == "Pawn(space=3, large=False)"
    assert hash(Pawn(3)) == hash(Pawn(3))
    assert replace(Pawn(3), space=4) == Pawn(4)
    assert Nothing() == Nothing()


def test_a_value_can_not_be_changed() -> None:
    pawn = Pawn(3)
    with pytest.raises(FrozenInstanceError):
        pawn.space = 4  # type: ignore[misc] # that is the point
    with pytest.raises((AttributeError, TypeError)):
        pawn.colour = "red"  # type: ignore[attr-defined] # there is no such slot


def test_a_value_wants_its_fields() -> None:
    with pytest.raises(TypeError):
        Pawn()  # type: ignore[call-arg] # that is the point
