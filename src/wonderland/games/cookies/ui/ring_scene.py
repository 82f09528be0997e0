"""The ring in the browser, as it stands: pawns, the spinner's needle, and marks on the spaces."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import Seat
from wonderland.games.cookies.rules.board import DEFAULT, Board, Kind
from wonderland.games.cookies.rules.events import PawnMoved, SpinMade
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui.board_picture import (
    MAX_BOARDS,
    dial_angle,
    draw_board,
    prefix_of,
    window_centre,
)
from wonderland.games.cookies.ui.ring_shape import FORMS, Ring, RingForm, ring_of
from wonderland.games.cookies.ui.words import explain_kind, kind_name, space_name

PAWN_COLOURS = ("blue", "green", "red", "grey")
"""Paper of each seat's pawn: Alice, the Hatter, the Queen, the Rabbit."""
_PAWN_SCALES = {"wide": (0.45, 0.66), "tall": (0.73, 1.15)}
"""Scale of a small and a large pawn."""
_FEET = 106
"""Height of a pawn's feet below the middle of its head, before scaling."""
_WAIST = 22
"""How far a pawn in a hole has sunk, before scaling."""
_COIN_SCALES = {"wide": 1.0, "tall": 1.56}
_EDGE = 552.0
"""Distance from the middle to which name tags may reach."""
_MAX_TAGGED = 22
"""Size of a ring up to which its special spaces have room for name tags."""
_CRUMBS = (0.0, 0.25, 0.5, 0.75, 1.0)


def ring_context(
    view: View,
    setting: SceneContext,
    turn: Seat | None,
    targets: Mapping[int, dict[str, Any]],
    reach: Container[int],
) -> dict[str, Any]:
    """Return the part of the template context that draws the ring and what is on it.

    `targets` says for each space that a choice leads to which one it is, and whether it does harm;
    spaces in `reach` show the number of steps to them while a choice is considered.
    """
    board, say = view.options.board, setting.say
    came = {event.end for event in setting.last if isinstance(event, PawnMoved)}
    larder = view.larder
    pawns = _pawns(view, setting, turn)
    return {
        "prefix": prefix_of(board),
        "board": None if board == DEFAULT else draw_board(board),
        "spaces": [
            shown
            | {
                "pointed": space == view.spinner,
                "new": space in came,
                "away": _steps_to(view, turn, space) if space in reach else 0,
            }
            | targets.get(space, {})
            for space, shown in enumerate(_spaces(board, say))
        ],
        "tags": _tags(board, say) if len(board.spaces) <= _MAX_TAGGED else [],
        "pawns": pawns,
        "holes": [pawn["grass"] for pawn in pawns if pawn["in_hole"]],
        "needle": _needle(view, is_new=any(isinstance(event, SpinMade) for event in setting.last)),
        "face_up": larder.face_up,
        "stack": len(larder.stack),
        "piled": min(len(larder.stack), 3),
        "small_left": larder.small_left,
    }


def _rings(view: View) -> list[Ring]:
    return [ring_of(form, len(view.options.board.spaces)) for form in FORMS]


@lru_cache(MAX_BOARDS)
def _spaces(board: Board, say: Language) -> list[dict[str, Any]]:
    """What never changes about the spaces."""
    return [
        {
            "number": space + 1,
            "kind": printed.kind.value.replace(" ", "-"),
            "label": _label(space, printed.kind, say) if printed.kind is not Kind.PLAIN else "",
            "coins": _coins(len(board.spaces), space),
        }
        for space, printed in enumerate(board.spaces)
    ]


def _label(space: int, kind: Kind, say: Language) -> str:
    """Name a special space and say what it does."""
    return say.label(say.capital(space_name(space, kind, say)), say.sentences(explain_kind(kind, say)))


def _steps_to(view: View, seat: Seat | None, space: int) -> int:
    return 0 if seat is None else (space - view.pawns[seat]) % len(view.options.board.spaces)


@cache
def _coins(size: int, space: int) -> list[dict[str, Any]]:
    """Where the number of a step is shown, at the outer edge of its space."""
    return [
        {
            "form": form.name,
            "at": _point(ring.at(ring.middle(space + 0.3), form.depth / 2 + 2)),
            "scale": _COIN_SCALES[form.name],
        }
        for form, ring in ((form, ring_of(form, size)) for form in FORMS)
    ]


def _point(point: tuple[float, float]) -> str:
    return f"{point[0]:.0f} {point[1]:.0f}"


@lru_cache(MAX_BOARDS)
def _tags(board: Board, say: Language) -> list[dict[str, Any]]:
    """Name tags of the special spaces, at the lower edge of their pictures."""
    found = []
    for space, printed in enumerate(board.spaces):
        if printed.kind is Kind.PLAIN:
            continue
        name = kind_name(printed.kind, say)
        shapes = [_tag(form, len(board.spaces), space, name) for form in FORMS]
        found.append({"kind": printed.kind.value.replace(" ", "-"), "name": name, "shapes": shapes})
    return found


def _tag(form: RingForm, size: int, space: int, name: str) -> dict[str, Any]:
    ring = ring_of(form, size)
    font = 15.0 if form.name == "wide" else 27.0
    width = _text_width(name) * font + font
    height = font * 1.36
    x, y = window_centre(ring, space)
    y += form.depth / 2 - 15 * form.scale - height / 2
    x = max(min(x, _EDGE - width / 2), width / 2 - _EDGE)
    return {
        "form": form.name,
        "x": round(x - width / 2),
        "y": round(y - height / 2),
        "width": round(width),
        "height": round(height),
        "middle": round(x),
        "base": round(y + font * 0.34),
    }


def _text_width(text: str) -> float:
    """Estimate the width of a text in ems; a character beyond the Latin ones is square."""
    return sum(0.56 if ord(character) < 0x2000 else 1.02 for character in text)


# Pawns


def _pawns(view: View, setting: SceneContext, turn: Seat | None) -> list[dict[str, Any]]:
    """Lay out the pawns, the far ones first; those that share a space stand side by side."""
    size = len(view.options.board.spaces)
    shown = []
    for seat, space in enumerate(view.pawns):
        route = _passed_spaces(seat, setting.last, size)
        in_hole = view.in_hole(seat)
        shown.append(
            {
                "seat": seat,
                "colour": PAWN_COLOURS[seat],
                "large": view.large == seat,
                "in_hole": in_hole,
                "to_act": seat == turn,
                "path": " ".join(f"space-{passed + 1}" for passed in route),
                "stands": [_stand(view, ring, seat) for ring in _rings(view)],
                "grass": [_grass(ring, space) for ring in _rings(view)],
            }
        )
    return sorted(shown, key=lambda pawn: ring_of(FORMS[0], size).at(_middle_of(view, pawn["seat"]))[1])


def _middle_of(view: View, seat: Seat) -> float:
    ring = ring_of(FORMS[0], len(view.options.board.spaces))
    return ring.middle(view.pawns[seat])


def _stand(view: View, ring: Ring, seat: Seat) -> dict[str, Any]:
    """Place and scale of a pawn in one form of the ring."""
    form, space = ring.form, view.pawns[seat]
    printed = view.options.board.spaces[space]
    sharing = [other for other, where in enumerate(view.pawns) if where == space]
    is_large, in_hole = view.large == seat, view.in_hole(seat)
    scale = _PAWN_SCALES[form.name][is_large] * max(0.6, min(1.0, ring.step / (110 * form.scale)))
    x, y = window_centre(ring, space)
    if len(sharing) > 1:
        between = min(34 * form.scale, ring.step * 0.86 / len(sharing))
        x += (sharing.index(seat) - (len(sharing) - 1) / 2) * between
    elif printed.kind is not Kind.PLAIN and not in_hole:
        x += min(33 * form.scale, ring.step * 0.23)  # beside the figure of the place
    half = form.depth / 2
    y += half * (0.52 if is_large else 0.66) - _FEET * scale
    if in_hole:
        y += _WAIST * scale
    return {"form": form.name, "at": f"{x:.0f} {y:.0f}", "scale": round(scale, 2)}


def _grass(ring: Ring, space: int) -> dict[str, Any]:
    """Place and scale of the grass in front of a pawn that has fallen into a hole."""
    x, y = window_centre(ring, space)
    scale = ring.form.scale
    return {
        "form": ring.form.name,
        "at": f"{x:.0f} {y - 4 * scale:.0f}",
        "scale": round(0.66 * scale, 2),
    }


def _passed_spaces(seat: Seat, last: Sequence[Any], size: int) -> list[int]:
    """Spaces on which a pawn has just been, from start to end; it always moves clockwise (C9)."""
    found: list[int] = []
    for event in last:
        if isinstance(event, PawnMoved) and event.seat == seat:
            steps = (event.end - event.start) % size
            found = found or [event.start]
            found += [(event.start + step) % size for step in range(1, steps + 1)]
    return found


def count_hops(last: Sequence[Any], size: int) -> int:
    """Number of hops of the pawn that has just moved; what it won comes after them."""
    moves = [event for event in last if isinstance(event, PawnMoved)]
    return sum((move.end - move.start) % size for move in moves)


# The spinner


def _needle(view: View, *, is_new: bool) -> dict[str, Any] | None:
    """The needle, which points in the true direction of its space, and crumbs that lead there."""
    space, board = view.spinner, view.options.board
    if space is None:
        return None
    size = len(board.spaces)
    return {
        "spun": is_new,
        "number": board.spaces[space].cookies,
        "hands": [
            {
                "form": form.name,
                "angle": dial_angle(form, size, space),
                "crumbs": _crumbs(form, size, space),
            }
            for form in FORMS
        ],
    }


@cache
def _crumbs(form: RingForm, size: int, space: int) -> list[str]:
    ring = ring_of(form, size)
    x, y = ring.at(ring.middle(space), -form.depth / 2 - 9 * form.scale)
    far = math.hypot(x, y - form.hub)
    near = 116 * form.dial
    if far < near + 10:
        return []
    parts = [(near + (far - near) * part) / far for part in _CRUMBS]
    return [_point((x * part, form.hub + (y - form.hub) * part)) for part in parts]
