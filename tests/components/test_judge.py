"""The values of a seat's choices."""

from __future__ import annotations

import pytest

from wonderland.components.judge import ActionValue, Evaluation

FOUND = Evaluation(0, (ActionValue("left", 0.25, 0.1), ActionValue("right", 0.75, 0.1)))


def test_each_choice_has_its_value_and_its_cost() -> None:
    assert FOUND.best.action == "right"
    assert FOUND.of("left").chance == 0.25
    assert FOUND.cost("left") == 0.5
    assert FOUND.cost("right") == 0


def test_what_was_no_choice_has_no_value() -> None:
    with pytest.raises(ValueError, match="middle"):
        FOUND.of("middle")
