"""Cookies for the browser: what its template draws, from a view alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Protocol

from wonderland.core.protocol import FACE_DOWN, Seat
from wonderland.core.values import Value
from wonderland.games.cookies.board import Kind
from wonderland.games.cookies.components import COOKIE_VALUES, Card
from wonderland.games.cookies.events import (
    CardDealt,
    CardDrawn,
    CookieTaken,
    GameEnded,
    PawnMoved,
    SmallCookiesTaken,
    SpinMade,
)
from wonderland.games.cookies.foresight import foreseen
from wonderland.games.cookies.notation import write
from wonderland.games.cookies.scoring import points
from wonderland.games.cookies.state import (
    LEFT,
    RIGHT,
    Answer,
    Dealing,
    Deciding,
    Ended,
    PlayCard,
    Starting,
    TakeCookie,
    TurningFirst,
    pile_size,
)
from wonderland.games.cookies.view import View, noted
from wonderland.games.cookies.words import describe, offer, tell

_NAMES = {
    Kind.TEA_PARTY: "the Tea Party",
    Kind.SMALL_COOKIES: "Small Cookies",
    Kind.CATERPILLAR: "the Caterpillar",
    Kind.CHESHIRE_CAT: "the Cheshire Cat",
    Kind.RABBIT_HOLE: "the Rabbit Hole",
    Kind.PLAIN: "",
}
_LAY = {TakeCookie.FACE_UP: "cookie-up", TakeCookie.FACE_DOWN: "cookie-stack"}
_FEW = 2
"""So many ways to play a card fit below it, even on a phone."""
_UNTOLD = (CardDealt, CardDrawn, GameEnded)
"""What can be seen as well, or is said elsewhere."""


class Setting(Protocol):
    """What the shell gives: names, what may be done, what was new, and a language."""

    names: Sequence[str]
    legal: Sequence[Any]
    last: Sequence[Any]
    say: Any


# The ring: a square with well-rounded corners, the Tea Party in the middle of its upper side.

_HALF, _ROUND = 160.0, 3.0
"""How far the middle of the ring is from its centre, and how square it is: 2 would be a circle."""
_OUTER, _INNER, _LABEL = 36.0, -36.0, 44.0
_PAWN, _ICON, _COUNT = 18.0, -4.0, -27.0
"""How far outwards from the middle of a space things lie."""
_HUB = 28.0
_FINE = 1440
_GAP = 1.6


class Place(Value, frozen=True):
    """A point of the ring's middle line, and the direction that leads outwards there."""

    x: float
    y: float
    out_x: float
    out_y: float

    def at(self, outwards: float, along: float = 0.0) -> tuple[float, float]:
        """The point so far outwards, and so far on clockwise."""
        x = self.x + outwards * self.out_x - along * self.out_y
        return round(x, 1), round(self.y + outwards * self.out_y + along * self.out_x, 1)


def _place(angle: float) -> Place:
    """Where a ray from the centre meets the ring; 0 is straight up, and it goes clockwise."""
    x, y = math.sin(angle), -math.cos(angle)
    far = _HALF / (abs(x) ** _ROUND + abs(y) ** _ROUND) ** (1 / _ROUND)
    out_x, out_y = (math.copysign(abs(part) ** (_ROUND - 1), part) for part in (x, y))
    length = math.hypot(out_x, out_y)
    return Place(x * far, y * far, out_x / length, out_y / length)


@cache
def _places(parts: int) -> tuple[Place, ...]:
    """So many points of the ring, all as far from one another along it."""
    fine = [_place(2 * math.pi * number / _FINE) for number in range(_FINE + 1)]
    lengths = [math.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(fine)]
    step, gone = sum(lengths) / parts, 0.0
    found: list[Place] = []
    for place, length in zip(fine, lengths, strict=False):
        if gone >= len(found) * step - length / 2 and len(found) < parts:
            found.append(place)
        gone += length
    return tuple(found)


class Cell(Value, frozen=True):
    """A space of the ring: its outline, and its middle."""

    path: str
    middle: Place
    width: float


_BENDS = 8
"""In how many straight pieces the edge of a space is drawn: an even number."""


@cache
def ring_of(size: int) -> tuple[Cell, ...]:
    """The spaces of a ring of this size, clockwise from the top."""
    points_round = _places(size * _BENDS)
    width = 8 * _HALF * 0.87 / size
    cells = []
    for number in range(size):
        first = number * _BENDS - _BENDS // 2
        edge = [points_round[(first + bend) % len(points_round)] for bend in range(_BENDS + 1)]
        shifts = (_GAP, *[0.0] * (_BENDS - 1), -_GAP)
        across = list(zip(edge, shifts, strict=True))
        outline = [place.at(_OUTER, shift) for place, shift in across]
        outline += [place.at(_INNER, shift) for place, shift in reversed(across)]
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in outline) + "z"
        cells.append(Cell(path, points_round[number * _BENDS], width))
    return tuple(cells)


# The scene


def scene(view: View, setting: Setting) -> dict[str, Any]:
    """The ring, what everyone has, the hand with where each card leads, and what else is to choose."""
    names, say, last = setting.names, setting.say, setting.last
    told = [tell(event, names) for event in last if not isinstance(event, _UNTOLD)]
    choices = [
        _way(view, action, say) | {"text": _choice_text(view, action, say)}
        for action in setting.legal
        if not isinstance(action, PlayCard)
    ]
    hand = _hand(view, setting)
    return {
        "seat": view.seat,
        "described": describe(view, names),
        "told": " ".join(sentence for sentence in told if sentence is not None),
        "ring": _ring(view, setting),
        "players": [_player(view, seat, setting) for seat in range(len(names))],
        "hand": hand,
        "many": any(len(held["ways"]) > _FEW for held in hand),
        "choices": choices,
        "question": _question(view, say) if choices else "",
        "ending": _ending(view, say),
    }


def acting(view: View) -> Seat | None:
    """Whose turn it is."""
    stage = view.stage
    if isinstance(stage, Starting | Dealing | TurningFirst | Ended):
        return None
    return stage.seat


def _space_name(view: View, space: int, say: Any) -> str:
    kind = view.options.board.spaces[space].kind
    number = say("space {number}", number=space + 1)
    return f"{number}, {say(_NAMES[kind])}" if _NAMES[kind] else str(number)


def _ring(view: View, setting: Setting) -> dict[str, Any]:
    cells = ring_of(len(view.options.board.spaces))
    larder, spinner = view.larder, view.spinner
    came = {event.end for event in setting.last if isinstance(event, PawnMoved)}
    return {
        "spaces": [_space(view, space, came, setting.say) for space in range(len(cells))],
        "pawns": _pawns(view, setting),
        "face_up": larder.face_up,
        "stack": len(larder.stack),
        "piled": min(len(larder.stack), 3),
        "small_left": larder.small_left,
        "angle": None if spinner is None else _angle(cells[spinner].middle),
        "spun": any(isinstance(event, SpinMade) for event in setting.last),
    }


def _angle(place: Place) -> float:
    """How far the needle is turned, clockwise, to point at a space."""
    return round(math.degrees(math.atan2(place.x, _HUB - place.y)) % 360, 1)


def _space(view: View, space: int, came: set[int], say: Any) -> dict[str, Any]:
    cell = ring_of(len(view.options.board.spaces))[space]
    printed = view.options.board.spaces[space]
    size = round(min(28.0, cell.width * 0.74), 1)
    x, y = cell.middle.at(_ICON)
    return {
        "number": space + 1,
        "kind": printed.kind.value.replace(" ", "-"),
        "cookies": printed.cookies,
        "title": _space_name(view, space, say),
        "path": cell.path,
        "pointed": space == view.spinner,
        "came": space in came,
        "icon": {"x": round(x - size / 2, 1), "y": round(y - size / 2, 1), "size": size},
        "count": cell.middle.at(_COUNT),
        "label": cell.middle.at(_LABEL),
    }


def _pawns(view: View, setting: Setting) -> list[dict[str, Any]]:
    """Where each pawn stands: side by side where they share a space, or one behind the other."""
    cells, turn = ring_of(len(view.options.board.spaces)), acting(view)
    shown = []
    for seat, space in enumerate(view.pawns):
        sharing = [other for other, where in enumerate(view.pawns) if where == space]
        cell, is_large = cells[space], view.large == seat
        offset = sharing.index(seat) - (len(sharing) - 1) / 2
        width = min(22.0, cell.width * 0.8)
        if len(sharing) == 1:
            x, y = cell.middle.at(_PAWN)
        elif cell.width >= 18 * len(sharing):
            x, y = cell.middle.at(_PAWN, offset * 18)
            width = 18
        else:
            x, y = cell.middle.at(-offset * 16)
            width = 15
        width = width * 1.45 if is_large else width
        shown.append(
            {
                "seat": seat,
                "letter": "ABCD"[seat],
                "x": x,
                "y": y,
                "width": round(width),
                "height": round(width * 34 / 28),
                "size": "big" if is_large else "tiny" if width < 18 else "",
                "large": is_large,
                "in_hole": view.in_hole(seat),
                "to_act": seat == turn,
                "title": setting.names[seat],
            }
        )
    return shown


# The players


def _player(view: View, seat: Seat, setting: Setting) -> dict[str, Any]:
    say, stage, hand = setting.say, view.stage, view.hands[seat]
    large, small = view.larder.large[seat], view.larder.small[seat]
    taken = [e for e in setting.last if isinstance(e, SmallCookiesTaken) and e.seat == seat and e.number]
    seen = seat != view.seat
    pile, played = pile_size(hand, view.unseen[seat]), view.played[seat]
    return {
        "seat": seat,
        "name": setting.names[seat],
        "letter": "ABCD"[seat],
        "mine": seat == view.seat,
        "to_act": seat == acting(view),
        "wins": isinstance(stage, Ended) and seat in stage.result.winners,
        "points": points(large, small),
        "state": _pawn_state(view, seat, say),
        "large": _taken(large, seat, setting.last),
        "small": small,
        "small_new": bool(taken),
        "hand": ["" if card is FACE_DOWN else card.mark for card in hand] if seen else [],
        "pile": pile,
        "played": [card.mark for card in played],
        "cards_label": say(
            "{hand} cards in hand, {pile} in the pile, played: {played}",
            hand=len(hand),
            pile=pile,
            played=" ".join(card.mark for card in played) or say("none"),
        ),
    }


def _pawn_state(view: View, seat: Seat, say: Any) -> str:
    if view.in_hole(seat):
        return str(say("stuck in the hole") if view.stuck[seat] else say("in the hole"))
    return str(say("large")) if view.large == seat else ""


def _taken(large: Sequence[int], seat: Seat, last: Sequence[Any]) -> list[dict[str, Any]]:
    """The large cookies of a seat; those that are new come from where they lay."""
    new = [event for event in last if isinstance(event, CookieTaken) and event.seat == seat]
    shown = []
    for value in COOKIE_VALUES:
        came = [_LAY[event.which] for event in new if event.cookie == value]
        number = large.count(value)
        for nth, where in enumerate([*[""] * (number - len(came)), *came]):
            piece = f"large-{seat}-{value}-{nth}"
            shown.append({"value": value, "piece": piece, "new": bool(where), "from": where})
    return shown


# What can be done


def _hand(view: View, setting: Setting) -> list[dict[str, Any]]:
    """The cards of the one who looks, from left to right; only the ends can be played (C7)."""
    if view.seat is None:
        return []
    say, hand = setting.say, view.hands[view.seat]
    shown: list[dict[str, Any]] = []
    for at, card in enumerate(hand):
        if card is FACE_DOWN:
            continue
        side = LEFT if at == 0 else RIGHT if at == len(hand) - 1 else None
        ways = [way for way in setting.legal if isinstance(way, PlayCard) and way.side is side]
        name = say("Joker") if card is Card.JOKER else card.mark
        nth = hand[:at].count(card)
        shown.append(
            {
                "mark": card.mark,
                "piece": f"card-{card.mark}-{nth}",
                "side": "centre" if side is None else side.name.lower(),
                "locked": side is None,
                "label": say("{card}, locked in the centre", card=name) if side is None else name,
                "ways": [
                    _way(view, way, say) | {"text": f"{way.number}{'+1' * way.plus}"} for way in ways
                ],
            }
        )
    return shown


def _way(view: View, action: Any, say: Any) -> dict[str, Any]:
    """A thing to do: its word, what it is in words, and what it would change on the table."""
    words = offer(view, action)
    marks, goal = _foreseen(view, action, say)
    return {
        "play": write(action),
        "label": words[0].upper() + words[1:],
        "marks": " ".join(marks),
        "goal": goal,
    }


def _foreseen(view: View, action: Any, say: Any) -> tuple[list[str], str]:
    """What would be marked, and where the pawn would be."""
    seat = acting(view)
    if action is Answer.AGAIN or seat is None:
        return [], ""
    if isinstance(action, TakeCookie):
        return [f"{_LAY[action]}:taken"], ""
    _, events = foreseen(noted(view), seat, action)
    stops = [event.end for event in events if isinstance(event, PawnMoved)]
    if not stops:  # it climbs
        return [], str(say.plural("{number} spin", "{number} spins", action.steps))
    *way, end = stops
    marks = [f"space-{space + 1}:way" for space in way if space != end] + [f"space-{end + 1}:stop"]
    if any(isinstance(event, CookieTaken) for event in events):
        marks.append("cookie-up:taken")
    return marks, "→ " + " → ".join(str(space + 1) for space in stops)


def _choice_text(view: View, action: Any, say: Any) -> str:
    if action is Answer.AGAIN and isinstance(view.stage, Deciding):
        one, many = "Spin again, {number} spin left", "Spin again, {number} spins left"
        return str(say.plural(one, many, view.stage.spins))
    if action is Answer.ACCEPT and view.spinner is not None:
        return str(say("Go to {space}", space=_space_name(view, view.spinner, say)))
    if action is TakeCookie.FACE_UP:
        return str(say("The face-up cookie: {worth}", worth=view.larder.face_up))
    return str(say("The top one of the stack, unseen"))


def _question(view: View, say: Any) -> str:
    if isinstance(view.stage, Deciding):
        return str(say("Climb out of the Rabbit Hole?"))
    return str(say("Tea Party: which cookie?"))


def _ending(view: View, say: Any) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    return str(say("Decided by: {what}.", what=say(view.stage.result.decided)))
