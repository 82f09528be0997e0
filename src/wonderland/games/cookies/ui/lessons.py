"""Lessons for Cookies: the order of the hand, and the Rabbit Hole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Lesson, Tutorial, TutorialContext
from wonderland.engine.language import Language, phrase
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import CardPlayed, Event
from wonderland.games.cookies.rules.state import Deciding, Ended, Playing, Taking
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui.tutorial import (
    explain_climbing,
    explain_cookie_choice,
    explain_result,
    explain_spin_choice,
    highlight_spinner,
    recap_turn,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat

HAND, HOLE = "hand-order", "rabbit-hole"
LESSONS = (
    Lesson(
        HAND,
        phrase("The order of your hand"),
        phrase("The middle card is locked, so plan two turns ahead."),
        Tutorial(
            ("dodo",),
            {
                "start": "seat1",
                "card1": "+3 +5 +1 +4 +2 +4",
                "card2": "+2 +4 +3 +1 +5",
                "cookie": "cookie4",
            },
        ),
        "last-cards",
    ),
    Lesson(
        HOLE,
        phrase("The Rabbit Hole"),
        phrase("How to stay out, what falling in costs, and how to climb out."),
        Tutorial(
            ("dodo",),
            {
                "start": "seat1",
                "card1": "+2 +4 +1 +4 +5 +1 +5",
                "card2": "+1 +5 +2 +1 +3 +2 +5",
                "cookie": "cookie3",
            },
            begun="right1 left1 right4 left5 left2 left1 right4 left3",
        ),
        "rabbit-hole",
    ),
)
_BEGAN = {lesson.key: lesson.setup.learner_began for lesson in LESSONS}
_TURNS = 3
"""Turns of the learner until a lesson has been taught."""
_CLOSING = {
    HAND: phrase("The card you play, the one you keep, the one that becomes free: think of all three."),
    HOLE: phrase(
        "Before you play a card, look where it leads, and where the one you keep would lead next."
    ),
}


def guide(key: str, view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Return the guidance for the learner's current situation in a lesson."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    turns = (
        sum(isinstance(event, CardPlayed) and event.seat == seat for event in witnessed) - _BEGAN[key]
    )
    is_done = turns >= _TURNS or isinstance(view.stage, Ended)
    closing = (say(_CLOSING[key]),) if is_done else ()
    told = recap_turn(view, seat, witnessed, say) if turns else ()
    match view.stage:
        case Ended():
            return Guidance((*explain_result(view, seat, words), *closing), is_done=True)
        case Taking(turn) if turn == seat:
            pieces = ("cookie-up", "cookie-stack")
            return Guidance((explain_cookie_choice(view, say), *closing), pieces, is_done)
        case Deciding(turn, spins) if turn == seat:
            says = (explain_spin_choice(spins, say), *closing)
            return Guidance(says, highlight_spinner(view), is_done)
        case Playing(turn) if turn == seat and view.in_hole(seat):
            return Guidance((*told, explain_climbing(say), *closing), is_done=is_done)
        case Playing(turn) if turn == seat and not is_done:
            advise = _guide_hand if key == HAND else _guide_hole
            tips, points_at = advise(turns, view, seat, say)
            return Guidance((*told, tips), points_at)
        case _:
            return Guidance((*told, *closing), is_done=is_done)


def _name(card: object, say: Language) -> str:
    assert isinstance(card, Card)  # noqa: S101 - the learner's own hand
    return say("Joker") if card is Card.JOKER else card.mark


def _guide_hand(turns: int, view: View, seat: Seat, say: Language) -> tuple[str, tuple[str, ...]]:
    """Explain C7 and C12 with the learner's own hand of three cards."""
    left, middle, right = (_name(card, say) for card in view.hands[seat])
    if turns == 0:
        return say(
            "You can play {left} or {right}. The {middle} between them is locked until you play a card "
            "beside it.",
            left=left,
            middle=middle,
            right=right,
        ), ()
    if turns == 1:
        return say(
            "Your new card is in the middle again. So you know what you can choose from next turn: "
            "{middle}, and the card that you don't play now.",
            middle=middle,
        ), ()
    return say(
        "Think of two turns at once. If you play {left} now, {middle} and {right} are free next turn. "
        "If you play {right}, it's {left} and {middle}.",
        left=left,
        middle=middle,
        right=right,
    ), ()


def _guide_hole(turns: int, view: View, _: Seat, say: Language) -> tuple[str, tuple[str, ...]]:
    """Explain C17 with the hole ahead."""
    hole = next(n for n in range(len(view.options.board.spaces)) if view.options.board.is_hole(n))
    if turns == 0:
        return say(
            "Space {number} is the Rabbit Hole. A small pawn that stops there falls in, and climbing "
            "out costs a whole card. Count carefully: a pawn on the way is skipped if you would stop on "
            "its space.",
            number=hole + 1,
        ), (f"space-{hole + 1}",)
    return say(
        "A large pawn walks across the hole as if it weren't there. And if you can't avoid falling in, "
        "keep a high card for climbing out."
    ), ()
