"""The board as a picture in the browser: tiles with places and small cookies, and the spinner's dial.

`static/cookies-board.svg` is this picture of the default board, sent once with the page. A table with
another board draws its own.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any

from wonderland.games.cookies.rules.board import DEFAULT, Board, Kind
from wonderland.games.cookies.ui.ring_shape import FORMS, Ring, RingForm, ring_of, round_path

_PLAIN_PLACES = (
    "gate",
    "lawn",
    "roses",
    "pool",
    "wood",
    "guards",
    "bottle",
    "lanterns",
    "chequers",
    "corner",
    "castle",
)
"""Pictures of the plain spaces, in order round the ring."""
_GAP, _OUTER, _INNER = 4.0, 7.0, 23.0
"""Between tiles, and borders of the window at a tile's outer and inner edge, in a wide ring."""
_COOKIE, _BETWEEN = 0.64, 21.0
"""Scale of the small cookies, and the distance between two."""
_FIELD_IN, _FIELD_OUT = 50.0, 74.0
"""Radii of the fields of the dial."""
_MAX_STARS = 24
"""Number of fields up to which each has a star."""


MAX_BOARDS = 32
"""How many boards of players' own stay in memory; each takes milliseconds to draw."""


def prefix_of(board: Board) -> str:
    """Prefix of the ids of a board's drawings; those of the default board are on every page."""
    return "" if board == DEFAULT else "own-"


@lru_cache(MAX_BOARDS)
def draw_board(board: Board) -> dict[str, Any]:
    """Return the context of `board.html`: all that never changes. Do not modify it."""
    size = len(board.spaces)
    return {
        "prefix": prefix_of(board),
        "forms": [_draw_form(ring_of(form, size), board) for form in FORMS],
        "fields": _draw_fields(size),
        "odd_field": _field(size - 1, size) if size % 2 else "",
        "stars": [_polar(number + 0.5, size, 62) for number in range(size)]
        if size <= _MAX_STARS
        else [],
    }


@cache
def window_centre(ring: Ring, space: int) -> tuple[float, float]:
    """Middle of the picture of a space."""
    return ring.at(ring.middle(space), (_INNER - _OUTER) / 2 * ring.form.scale)


def tile_outline(ring: Ring, space: int) -> str:
    """Outline of the card that a space is."""
    scale = ring.form.scale
    return ring.outline(space, _GAP * scale, 3 * scale, 3 * scale)


def is_upright(ring: Ring, space: int) -> bool:
    """Whether a space is on the upper or lower side, where its picture is as wide as it is long."""
    half, along = ring.form.depth / 2, ring.middle(space)
    return abs(ring.at(along, half)[1] - ring.at(along, -half)[1]) >= half * 1.5


def _draw_form(ring: Ring, board: Board) -> dict[str, Any]:
    form, plain = ring.form, 0
    tiles = []
    for space, printed in enumerate(board.spaces):
        place = printed.kind.value.replace(" ", "-")
        if printed.kind is Kind.PLAIN:
            place = _PLAIN_PLACES[plain % len(_PLAIN_PLACES)]
            plain += 1
        tiles.append(
            _draw_tile(ring, space, place, printed.cookies, is_special=printed.kind is not Kind.PLAIN)
        )
    return {
        "name": form.name,
        "line": round_path(form),
        "hedge": round_path(form, -form.depth / 2 - 17 * form.scale),
        "tiles": tiles,
    }


def _draw_tile(ring: Ring, space: int, place: str, cookies: int, *, is_special: bool) -> dict[str, Any]:
    form, scale = ring.form, ring.form.scale
    x, y = window_centre(ring, space)
    height = form.depth - (_OUTER + _INNER) * scale
    size = min(height * 0.0119, ring.step * 0.0077)
    size *= (1 if is_upright(ring, space) else 0.82) * (0.92 if is_special else 1)
    number_x, number_y = ring.at(ring.middle(space - 0.36), form.depth / 2 - 17 * scale)
    return {
        "number": space + 1,
        "place": place,
        "outline": tile_outline(ring, space),
        "window": ring.outline(space, 2 * _GAP * scale, _OUTER * scale, _INNER * scale),
        "x": round(x),
        "y": round(y - (9 * scale if is_special else 0)),
        "scale": round(size, 2),
        "cookies": _draw_cookies(ring, space, cookies),
        "label": None if is_special else {"x": round(number_x), "y": round(number_y)},
    }


def _draw_cookies(ring: Ring, space: int, number: int) -> list[dict[str, float]]:
    """Small cookies on the inner edge of a tile, closer together where there is less room."""
    scale, half = ring.form.scale, ring.form.depth / 2
    along, off = ring.middle(space), -half + 13 * scale
    shrunk = math.dist(ring.at(along - 5, off), ring.at(along + 5, off)) / 10
    between = min(_BETWEEN * scale, 0.84 * ring.step * shrunk / max(number, 1))
    size = round(_COOKIE * scale * min(1.0, between / (_BETWEEN * scale)), 2)
    found = []
    for nth in range(number):
        x, y = ring.at(along + (nth - (number - 1) / 2) * between / shrunk, off)
        found.append({"x": round(x), "y": round(y), "scale": size, "turn": nth * 50 + space * 20})
    return found


def _polar(turn: float, size: int, radius: float) -> str:
    angle = 2 * math.pi * turn / size
    return f"{round(radius * math.sin(angle), 1):g} {round(-radius * math.cos(angle), 1):g}"


def _field(number: int, size: int) -> str:
    begin, end = number, number + 1
    return (
        f"M{_polar(begin, size, _FIELD_OUT)}A74 74 0 0 1 {_polar(end, size, _FIELD_OUT)}"
        f"L{_polar(end, size, _FIELD_IN)}A50 50 0 0 0 {_polar(begin, size, _FIELD_IN)}Z"
    )


def _draw_fields(size: int) -> str:
    """Every second field of the dial: they are equal, because every space is equally likely (C3)."""
    return "".join(_field(number, size) for number in range(1, size - size % 2, 2))


@cache
def dial_angle(form: RingForm, size: int, space: int) -> float:
    """Clockwise angle of the needle that points at a space, in degrees."""
    ring = ring_of(form, size)
    x, y = ring.at(ring.middle(space))
    return round(math.degrees(math.atan2(x, form.hub - y)) % 360, 1)
