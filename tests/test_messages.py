"""Tests name messages by their ids, and notice when one is gone."""

from __future__ import annotations

import pytest

from support.messages import message, message_in_html


def test_a_message_is_rendered_with_its_values() -> None:
    assert message("It's {name}'s turn.", name="Bill") == "It's Bill's turn."
    german = message("It's {name}'s turn.", language="de", name="Bill")
    assert "Bill" in german
    assert german != message("It's {name}'s turn.", name="Bill")


def test_a_message_is_escaped_for_a_page() -> None:
    assert "'" not in message_in_html("It's {name}'s turn.", name="<b>")
    assert "<b>" not in message_in_html("It's {name}'s turn.", name="<b>")


def test_an_unknown_message_is_noticed() -> None:
    with pytest.raises(AssertionError, match="nobody says this"):
        message("nobody says this")
