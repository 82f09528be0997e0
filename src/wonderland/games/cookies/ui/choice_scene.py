"""The viewer's choices in the browser: the hand, previews, and the places that stand for choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import CookieTaken, FellIntoHole, PawnMoved
from wonderland.games.cookies.rules.notation import write
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.cookies.rules.state import (
    LEFT,
    RIGHT,
    Answer,
    Deciding,
    PlayCard,
    Playing,
    TakeCookie,
)
from wonderland.games.cookies.rules.view import View, observed_state
from wonderland.games.cookies.ui.words import describe_action, kind_name, space_name

COOKIE_PLACES = {TakeCookie.FACE_UP: "cookie-up", TakeCookie.FACE_DOWN: "cookie-stack"}
"""Pieces on the table from which a large cookie is taken."""


class Outlook(Value, frozen=True):
    """The certain effects of an action on the pawn that moves."""

    stops: tuple[PawnMoved, ...] = ()
    falls: bool = False
    takes: bool = False
    """Whether it takes a large cookie on the way."""


Outlooks = Mapping[Any, Outlook]


def foresee_all(view: View, setting: SceneContext) -> Outlooks:
    """Return the certain effects of each legal action."""
    return {action: _foresee(view, action) for action in setting.legal}


def _foresee(view: View, action: Any) -> Outlook:
    if not isinstance(action, PlayCard) and action is not Answer.ACCEPT:
        return Outlook()
    assert isinstance(view.stage, Playing | Deciding)  # noqa: S101 - the stages with such actions
    seat = view.stage.seat
    _, events = certain_step(observed_state(view), seat, action)
    own = [event for event in events if getattr(event, "seat", None) == seat]
    return Outlook(
        tuple(event for event in own if isinstance(event, PawnMoved)),
        any(isinstance(event, FellIntoHole) for event in own),
        any(isinstance(event, CookieTaken) for event in own),
    )


def hand_context(view: View, setting: SceneContext, outlooks: Outlooks) -> list[dict[str, Any]]:
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
                "label": say("{card}, locked in the middle", card=name) if side is None else name,
                "ways": [_way(view, way, outlooks[way], say) for way in ways],
            }
        )
    return shown


def other_choices(view: View, setting: SceneContext, outlooks: Outlooks) -> list[dict[str, Any]]:
    """The choices that are not cards: a cookie at the Tea Party, or whether to accept a spin."""
    return [
        _action_context(view, action, outlooks[action], setting.say)
        | {"text": _choice_text(view, action, setting.say)}
        for action in setting.legal
        if not isinstance(action, PlayCard)
    ]


def question(view: View, say: Language) -> str:
    """The question that the choices other than cards answer."""
    if isinstance(view.stage, Deciding):
        return say("Climb out of the Rabbit Hole?")
    return say("Tea Party: which cookie?")


def space_targets(outlooks: Outlooks) -> dict[int, dict[str, Any]]:
    """For each space that a choice leads to: the choice that it stands for, and whether it does harm.

    Where several lead to the same space, a plain card comes before the Joker.
    """
    found: dict[int, dict[str, Any]] = {}
    for action in sorted(outlooks, key=_extravagance):
        outlook = outlooks[action]
        if outlook.stops:
            target = {"target": write(action), "harmful": outlook.falls}
            found.setdefault(outlook.stops[-1].end, target)
    return found


def spaces_in_reach(view: View, outlooks: Outlooks) -> set[int]:
    """Spaces that some choice passes or leads to."""
    size = len(view.options.board.spaces)
    return {space for outlook in outlooks.values() for space in _mark_spaces(outlook, size)}


def _extravagance(action: Any) -> tuple[bool, bool]:
    return isinstance(action, PlayCard) and action.card is Card.JOKER, getattr(action, "plus", False)


def _way(view: View, way: PlayCard, outlook: Outlook, say: Language) -> dict[str, Any]:
    """Context of one way to play a card, with the tag that says where it leads."""
    goal = say.plural("{number} spin", "{number} spins", way.steps)
    spot = ""
    if outlook.stops:
        end = outlook.stops[-1].end
        kind = view.options.board.spaces[end].kind
        goal = kind_name(kind, say) if kind is not Kind.PLAIN else space_name(end, kind, say)
        spot = str(end + 1)
    return _action_context(view, way, outlook, say) | {
        "text": f"{way.number}{'+1' * way.plus}",
        "goal": goal,
        "spot": spot,
        "harmful": outlook.falls,
        "offer": _button_text(way, say),
    }


def _button_text(way: PlayCard, say: Language) -> str:
    if way.card is Card.JOKER and way.plus:
        return say("Play the Joker as {number}, plus 1", number=way.number)
    if way.card is Card.JOKER:
        return say("Play the Joker as {number}", number=way.number)
    if way.plus:
        return say("Play the {number}, plus 1", number=way.number)
    return say("Play the {number}", number=way.number)


def _action_context(view: View, action: Any, outlook: Outlook, say: Language) -> dict[str, Any]:
    """Context of one action: its notation, its label, and the marks of its preview."""
    return {
        "play": write(action),
        "label": say.capital(describe_action(view, action, say)),
        "marks": " ".join(_marks(view, action, outlook)),
    }


def _marks(view: View, action: Any, outlook: Outlook) -> list[str]:
    """Marks to show while an action is previewed: every step of the pawn, and cookies it takes."""
    if isinstance(action, TakeCookie):
        return [f"{COOKIE_PLACES[action]}:taken"]
    marks = _mark_spaces(outlook, len(view.options.board.spaces))
    found = [f"space-{space + 1}:{mark}" for space, mark in marks.items()]
    return found + ["cookie-up:taken"] * outlook.takes


def _mark_spaces(outlook: Outlook, size: int) -> dict[int, str]:
    """Return the mark of each space that the pawn would pass or stop on."""
    marks: dict[int, str] = {}
    for stop in outlook.stops:
        steps = (stop.end - stop.start) % size
        marks |= {(stop.start + step) % size: "step" for step in range(1, steps)}
    marks |= {stop.end: "way" for stop in outlook.stops[:-1]}
    return marks | {stop.end: "stop" for stop in outlook.stops[-1:]}


def marks_of_move(last: Sequence[Any], size: int) -> str:
    """Return the marks of the move that was just made, the same as in its preview."""
    stops = tuple(event for event in last if isinstance(event, PawnMoved))
    marks = _mark_spaces(Outlook(stops), size)
    taken = [event.which for event in last if isinstance(event, CookieTaken)]
    return " ".join(
        [
            *(f"space-{space + 1}:{mark}" for space, mark in marks.items()),
            *(f"{COOKIE_PLACES[which]}:taken" for which in taken),
        ]
    )


def _choice_text(view: View, action: Any, say: Language) -> str:
    if action is Answer.AGAIN and isinstance(view.stage, Deciding):
        return say.plural(
            "Spin again ({number} spin left)", "Spin again ({number} spins left)", view.stage.spins
        )
    if action is Answer.ACCEPT and view.spinner is not None:
        kind = view.options.board.spaces[view.spinner].kind
        return say("Go to {space}", space=space_name(view.spinner, kind, say))
    if action is TakeCookie.FACE_UP:
        return say("Face-up cookie: {worth}", worth=view.larder.face_up)
    return say("Top of the stack, unseen")
