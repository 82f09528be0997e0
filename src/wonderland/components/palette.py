"""Text styles for named colours in the terminal, on a dark or a light background.

A dark orange is brown and a dark yellow is olive: on a light background, where text has to be dark,
these two are shown as dark text on a patch of their colour.
"""

from __future__ import annotations

from enum import StrEnum


class Tint(StrEnum):
    """A colour that players can name at a glance."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"
    GREY = "grey"


_ON_DARK = {
    Tint.RED: "#ff6b6b",
    Tint.ORANGE: "#ffa033",
    Tint.YELLOW: "#ffe14d",
    Tint.GREEN: "#5fd07a",
    Tint.BLUE: "#6ea8ff",
    Tint.PURPLE: "#d38bff",
    Tint.GREY: "#b8b8b8",
}
_ON_LIGHT = {
    Tint.RED: "#b3141d",
    Tint.ORANGE: "#1f1300 on #ff9a2e",
    Tint.YELLOW: "#1f1300 on #ffe14d",
    Tint.GREEN: "#13702f",
    Tint.BLUE: "#1450b0",
    Tint.PURPLE: "#7a1fa8",
    Tint.GREY: "#5a5a5a",
}


def tint_style(tint: Tint, *, dark: bool) -> str:
    """Return the style of text in this colour, as Rich writes it.

    >>> tint_style(Tint.ORANGE, dark=True)
    '#ffa033'
    >>> tint_style(Tint.ORANGE, dark=False)
    '#1f1300 on #ff9a2e'
    """
    return (_ON_DARK if dark else _ON_LIGHT)[tint]
