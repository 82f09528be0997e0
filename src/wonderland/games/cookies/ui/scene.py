"""Browser scene of Cookies: the template context, computed from a view alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.games.cookies.rules.components import COOKIE_VALUES, Card
from wonderland.games.cookies.rules.events import (
    CardDealt,
    CardDrawn,
    CookieTaken,
    GameEnded,
    PawnMoved,
    SmallCookiesTaken,
    SpinMade,
)
from wonderland.games.cookies.rules.notation import write
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
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
from wonderland.games.cookies.rules.view import View, observed_state
from wonderland.games.cookies.ui.ring_shape import Cell, RingPoint, ring_of
from wonderland.games.cookies.ui.words import offer, space_name, tell

_COOKIE_PLACES = {TakeCookie.FACE_UP: "cookie-up", TakeCookie.FACE_DOWN: "cookie-stack"}
_MAX_PLAYS_BELOW = 2
"""Number of plays that fit below a card, even on a phone."""
_SILENT_EVENTS = (CardDealt, CardDrawn, GameEnded)
"""Events not told in words, because they are visible or told elsewhere."""


_PAWN, _ICON, _COUNT, _LABEL = 18.0, -4.0, -27.0, 44.0
"""Outward distance of each thing from the middle of its space."""
_HUB = 28.0
"""Distance of the spinner below the centre of the ring."""


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """Return the template context: ring, players, hand with previews, and other choices."""
    names, say, last = setting.names, setting.say, setting.last
    told = [tell(event, names, say) for event in last if not isinstance(event, _SILENT_EVENTS)]
    choices = [
        _action_context(view, action, say) | {"text": _choice_text(view, action, say)}
        for action in setting.legal
        if not isinstance(action, PlayCard)
    ]
    hand = _hand(view, setting)
    return {
        "seat": view.seat,
        "described": describe_ring(view, names, say),
        "told": say.sentences(sentence for sentence in told if sentence is not None),
        "ring": _ring(view, setting),
        "players": [_player(view, seat, setting) for seat in range(len(names))],
        "hand": hand,
        "many": any(len(held["ways"]) > _MAX_PLAYS_BELOW for held in hand),
        "choices": choices,
        "question": _question(view, say) if choices else "",
        "ending": _ending(view, say),
    }


def acting(view: View) -> Seat | None:
    """The seat to move, or `None` before the first turn and after the last."""
    stage = view.stage
    if isinstance(stage, Starting | Dealing | TurningFirst | Ended):
        return None
    return stage.seat


def _space_name(view: View, space: int, say: Language) -> str:
    return space_name(space, view.options.board.spaces[space].kind, say)


def _ring(view: View, setting: SceneContext) -> dict[str, Any]:
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


def _angle(place: RingPoint) -> float:
    """Clockwise angle of the needle that points at a space, in degrees."""
    return round(math.degrees(math.atan2(place.x, _HUB - place.y)) % 360, 1)


def _space(view: View, space: int, came: set[int], say: Language) -> dict[str, Any]:
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


def _pawns(view: View, setting: SceneContext) -> list[dict[str, Any]]:
    """Lay out the pawns; those that share a space go side by side, or one behind another if narrow."""
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
                "path": _path(cells, (x, y), _passed_spaces(seat, setting.last, len(cells))),
            }
        )
    return shown


def _passed_spaces(seat: Seat, last: Sequence[Any], size: int) -> list[int]:
    """Spaces a pawn has just passed through, in order; it always moves clockwise (C9)."""
    found: list[int] = []
    for event in last:
        if isinstance(event, PawnMoved) and event.seat == seat:
            steps = (event.end - event.start) % size
            found += [(event.start + step) % size for step in range(steps)]
    return found


def _path(cells: Sequence[Cell], end: tuple[float, float], spaces: Sequence[int]) -> str:
    """Path along the ring, relative to its end."""
    there = [cells[space].middle.at(_PAWN) for space in spaces]
    return " ".join(f"{x - end[0]:g},{y - end[1]:g}" for x, y in there)


# The players


def _player(view: View, seat: Seat, setting: SceneContext) -> dict[str, Any]:
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
        "large": _large_cookies(large, seat, setting.last),
        "small": small,
        "small_new": bool(taken),
        "hand": ["" if card is FACE_DOWN else card.mark for card in hand] if seen else [],
        "pile": pile,
        "played": [card.mark for card in played],
        "cards_label": say.plural(
            "{number} card in hand, {pile} in the pile, played: {played}",
            "{number} cards in hand, {pile} in the pile, played: {played}",
            len(hand),
            pile=pile,
            played=" ".join(card.mark for card in played) or say("none"),
        ),
    }


def _pawn_state(view: View, seat: Seat, say: Language) -> str:
    if view.in_hole(seat):
        return say("stuck in the hole") if view.stuck[seat] else say("in the hole")
    return say("large") if view.large == seat else ""


def _large_cookies(large: Sequence[int], seat: Seat, last: Sequence[Any]) -> list[dict[str, Any]]:
    """Large cookies of a seat; new ones name the place they came from, for the animation."""
    new = [event for event in last if isinstance(event, CookieTaken) and event.seat == seat]
    shown = []
    for value in COOKIE_VALUES:
        came = [_COOKIE_PLACES[event.which] for event in new if event.cookie == value]
        number = large.count(value)
        for nth, where in enumerate([*[""] * (number - len(came)), *came]):
            piece = f"large-{seat}-{value}-{nth}"
            shown.append({"value": value, "piece": piece, "new": bool(where), "from": where})
    return shown


# Hand and choices


def _hand(view: View, setting: SceneContext) -> list[dict[str, Any]]:
    """The viewer's cards from left to right; only the ends can be played (C7)."""
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
                    _action_context(view, way, say) | {"text": f"{way.number}{'+1' * way.plus}"}
                    for way in ways
                ],
            }
        )
    return shown


def _action_context(view: View, action: Any, say: Language) -> dict[str, Any]:
    """Context of one action: its notation, its label, and the marks of its preview."""
    marks, goal = _preview(view, action, say)
    return {
        "play": write(action),
        "label": say.capital(offer(view, action, say)),
        "marks": " ".join(marks),
        "goal": goal,
    }


def _preview(view: View, action: Any, say: Language) -> tuple[list[str], str]:
    """Marks to show on the table while an action is previewed, and the pawn's destination."""
    seat = acting(view)
    if action is Answer.AGAIN or seat is None:
        return [], ""
    if isinstance(action, TakeCookie):
        return [f"{_COOKIE_PLACES[action]}:taken"], ""
    _, events = certain_step(observed_state(view), seat, action)
    stops = [event.end for event in events if isinstance(event, PawnMoved)]
    if not stops:  # it climbs out by spinning
        return [], say.plural("{number} spin", "{number} spins", action.steps)
    *way, end = stops
    marks = [f"space-{space + 1}:way" for space in way if space != end] + [f"space-{end + 1}:stop"]
    if any(isinstance(event, CookieTaken) for event in events):
        marks.append("cookie-up:taken")
    return marks, "→ " + " → ".join(str(space + 1) for space in stops)


def _choice_text(view: View, action: Any, say: Language) -> str:
    if action is Answer.AGAIN and isinstance(view.stage, Deciding):
        return say.plural(
            "Spin again, {number} spin left", "Spin again, {number} spins left", view.stage.spins
        )
    if action is Answer.ACCEPT and view.spinner is not None:
        return say("Go to {space}", space=_space_name(view, view.spinner, say))
    if action is TakeCookie.FACE_UP:
        return say("The face-up cookie: {worth}", worth=view.larder.face_up)
    return say("The top one of the stack, unseen")


def _question(view: View, say: Language) -> str:
    if isinstance(view.stage, Deciding):
        return say("Climb out of the Rabbit Hole?")
    return say("Tea Party: which cookie?")


def _ending(view: View, say: Language) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    return say("Decided by: {what}.", what=say(view.stage.result.decided))


def describe_ring(view: View, names: Sequence[str], say: Language) -> list[str]:
    """Describe the ring in sentences for screen readers: spaces, pawns and cookies left."""
    larder = view.larder
    spaces = [
        say("{space}: {cookies}", space=space_name(number, space.kind, say), cookies=space.cookies)
        for number, space in enumerate(view.options.board.spaces)
    ]
    shown = say("No large cookie lies face up.")
    if larder.face_up is not None:
        shown = say("A large cookie worth {worth} lies face up.", worth=larder.face_up)
    return [
        say(
            "The ring, clockwise, with how many small cookies a spin takes: {spaces}.",
            spaces="; ".join(spaces),
        ),
        *(_describe_pawn(view, seat, name, say) for seat, name in enumerate(names)),
        shown,
        say.plural(
            "{number} large cookie lies face down.",
            "{number} large cookies lie face down.",
            len(larder.stack),
        ),
        say.plural(
            "{number} small cookie is left.", "{number} small cookies are left.", larder.small_left
        ),
    ]


def _describe_pawn(view: View, seat: Seat, name: str, say: Language) -> str:
    where = view.pawns[seat]
    space = space_name(where, view.options.board.spaces[where].kind, say)
    if view.in_hole(seat) and view.stuck[seat]:
        return say("{name} is stuck in the Rabbit Hole: {space}.", name=name, space=space)
    if view.in_hole(seat):
        return say("{name} is in the Rabbit Hole: {space}.", name=name, space=space)
    if view.large == seat:
        return say("{name} is large, on {space}.", name=name, space=space)
    return say("{name} is small, on {space}.", name=name, space=space)
