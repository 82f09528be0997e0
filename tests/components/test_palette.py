"""Players can read every colour of the terminal, name it, and tell it from the others."""

from __future__ import annotations

import colorsys

import pytest
from rich.color import Color
from rich.style import Style
from textual.app import App

from wonderland.components.palette import Tint, tint_style

LEAST_CONTRAST = 4.5
"""For text, by WCAG 2.2, level AA."""
HUES = {
    Tint.RED: (-15, 15),
    Tint.ORANGE: (25, 40),
    Tint.YELLOW: (46, 65),
    Tint.GREEN: (90, 160),
    Tint.BLUE: (200, 245),
    Tint.PURPLE: (265, 300),
}
"""Hues that people call by the name of the colour, in degrees."""
BROWNEST = 0.5
"""An orange or yellow with less lightness is called brown or olive."""

both_themes = pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])

RGB = tuple[float, float, float]


def rgb(colour: Color | None) -> RGB:
    assert colour is not None
    red, green, blue = colour.get_truecolor()
    return red / 255, green / 255, blue / 255


def background(dark: bool) -> RGB:
    """Return the background of the terminal's theme."""
    app: App[None] = App()
    app.theme = "textual-dark" if dark else "textual-light"
    return rgb(Color.parse(app.get_css_variables()["background"]))


def linear(colour: RGB) -> RGB:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return red, green, blue


def contrast(first: RGB, second: RGB) -> float:
    """Return the contrast ratio as WCAG defines it."""
    darker, lighter = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for red, green, blue in map(linear, (first, second))
    )
    return (lighter + 0.05) / (darker + 0.05)


def styled(tint: Tint, dark: bool) -> Style:
    return Style.parse(tint_style(tint, dark=dark))


def seen_colour(tint: Tint, dark: bool) -> RGB:
    """Return the colour that gives the style its name: the patch behind the text, or the text."""
    style = styled(tint, dark)
    return rgb(style.bgcolor or style.color)


@both_themes
@pytest.mark.parametrize("tint", Tint)
def test_text_has_enough_contrast(tint: Tint, dark: bool) -> None:
    style = styled(tint, dark)
    behind = rgb(style.bgcolor) if style.bgcolor else background(dark)
    assert contrast(rgb(style.color), behind) >= LEAST_CONTRAST


@both_themes
@pytest.mark.parametrize("tint", Tint)
def test_a_colour_looks_like_its_name(tint: Tint, dark: bool) -> None:
    hue, lightness, saturation = colorsys.rgb_to_hls(*seen_colour(tint, dark))
    if tint is Tint.GREY:
        assert saturation < 0.1
        return
    assert saturation >= 0.5
    first, last = HUES[tint]
    degrees = hue * 360
    assert first <= degrees <= last or first <= degrees - 360 <= last
    if tint in {Tint.ORANGE, Tint.YELLOW}:
        assert lightness > BROWNEST


DEFICIENCIES = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""Linear RGB as people with a colour deficiency see it (Machado, Oliveira and Fernandes, 2009)."""


def simulated(colour: RGB, deficiency: str) -> RGB:
    """Return a colour in linear RGB as somebody with this deficiency sees it."""
    parts = linear(colour)
    red, green, blue = (
        min(max(sum(weight * part for weight, part in zip(row, parts, strict=True)), 0), 1)
        for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue


@both_themes
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_orange_and_yellow_stand_out_under_colour_deficiencies(deficiency: str, dark: bool) -> None:
    """The other colours can look alike: games add a mark to each."""
    for tint in (Tint.ORANGE, Tint.YELLOW):
        for other in set(Tint) - {tint}:
            seen = (simulated(seen_colour(each, dark), deficiency) for each in (tint, other))
            assert sum((one - two) ** 2 for one, two in zip(*seen, strict=True)) ** 0.5 > 0.15, other
