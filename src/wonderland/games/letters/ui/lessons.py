"""Lessons for Letters: remembering letters, and the risk of menaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Lesson, Tutorial, TutorialContext
from wonderland.engine.language import phrase
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import Letter, Menace
from wonderland.games.letters.rules.events import CardTurned, Event
from wonderland.games.letters.rules.state import Choosing, Ended, FaceUp
from wonderland.games.letters.ui.tutorial import (
    explain_result,
    last_turn,
    needed_letter,
    prompt_memory,
    recap_turn,
    remembered_space,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.letters.rules.view import View

MEMORY, MENACES = "memory", "menaces"
_LAYOUT = (
    "greenE redE Hare blueI Duchess redL yellowA greenC Walrus "
    "Hatter yellowC blueA greenI redA Carpenter blueL yellowE redI "
    "greenL King blueC yellowI redC greenA Turtle yellowL blueE"
)
_CARDS = _LAYOUT.split()
_PATH = tuple(_CARDS.index(card) for card in ("redE", "redL", "Hatter", "redA"))
"""Two letters that have to wait, the menace that hides them, and the letter before them."""
_ALL_MENACES = 7
LESSONS = (
    Lesson(
        MEMORY,
        phrase("Remember the letters"),
        phrase("Once you've seen a card, you needn't search for it again."),
        Tutorial(
            ("dodo",),
            {"start": "seat1"}
            | {f"space.{number}": card for number, card in enumerate(_CARDS, start=1)},
        ),
        "memory",
    ),
    Lesson(
        MENACES,
        phrase("Letters at risk"),
        phrase("When to turn a new card, and when to be careful."),
        Tutorial(
            ("dodo",),
            {
                "start": "seat1",
                "space.6": "blueC",
                "space.10": "yellowA",
                "space.12": "redE",
                "space.5": "redC",
                "space.4": "redA",
                "space.1": "greenE",
            },
            begun="6 10 12 5 4 1",
        ),
        "menaces",
    ),
)
_BEGAN = {lesson.key: lesson.setup.learner_began for lesson in LESSONS}
_TURNS = {MEMORY: len(_PATH) + 2, MENACES: 3}
"""Turns of the learner until a lesson has been taught."""
_CLOSING = {
    MEMORY: phrase(
        "Remember two things: where your next letters are, and which cards nobody has turned yet. "
        "That's enough to win."
    ),
    MENACES: phrase(
        "When many of your letters are waiting, turn a card that you know. When none is, turn a new one."
    ),
}


def guide(key: str, view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Return the guidance for the learner's current situation in a lesson."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    if isinstance(view.stage, Ended):
        return Guidance((*explain_result(view, seat, words), say(_CLOSING[key])), is_done=True)
    turns = (
        sum(isinstance(event, CardTurned) and event.seat == seat for event in witnessed) - _BEGAN[key]
    )
    told = recap_turn(view, seat, last_turn(seat, witnessed), words) if turns else ()
    if turns >= _TURNS[key]:
        return Guidance((*told, say(_CLOSING[key])), is_done=True)
    if view.stage != Choosing(seat):
        return Guidance(told)
    advise = _guide_memory if key == MEMORY else _guide_menaces
    tips, points_at = advise(view, seat, witnessed, words)
    return Guidance((*told, *tips), points_at)


def _guide_memory(
    view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lead to cards that are seen and hidden again, then ask where they were."""
    say = words.say
    known = remembered_space(view, seat, witnessed)
    if known is not None:
        return (prompt_memory(view, seat, known, last_turn(seat, witnessed), say),), ()
    turned = {event.space for event in witnessed if isinstance(event, CardTurned)}
    for space in _PATH:
        if space not in turned and view.spaces[space] is FACE_DOWN:
            tip = say(
                "Turn number {number}, and remember what is there. Watch what the others turn up, too.",
                number=space + 1,
            )
            return (tip,), (f"space-{space + 1}",)
    letter = needed_letter(view, seat).letter
    tip = say("Nobody has seen your {letter} yet. Turn a card that is new to everyone.", letter=letter)
    return (tip,), ()


def _guide_menaces(
    view: View, seat: Seat, _: Sequence[Event], words: TutorialContext
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Explain L10 by the letters that are waiting and the menaces that are left."""
    say, colour = words.say, view.options.colours[seat]
    shown = [
        (number, content.card)
        for number, content in enumerate(view.spaces, start=1)
        if isinstance(content, FaceUp)
    ]
    waiting = [number for number, card in shown if isinstance(card, Letter) and card.colour == colour]
    left = _ALL_MENACES - sum(isinstance(card, Menace) for _, card in shown)
    if not waiting:
        return (
            say(
                "None of your letters is waiting, so a menace can't hurt you: a good time for new cards."
            ),
        ), ()
    risk = say(
        "Of {total} face-down cards, {number} are menaces. If you turn one up, your waiting letters are "
        "hidden again.",
        total=sum(content is FACE_DOWN for content in view.spaces),
        number=left,
    )
    places = say.plural(
        "So remember now where yours is: {places}.",
        "So remember now where yours are: {places}.",
        len(waiting),
        places=say.join_list(map(str, waiting)),
    )
    return (risk, places), tuple(f"space-{number}" for number in waiting)
