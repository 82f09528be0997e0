"""Lessons for Parade: safe cards, majorities, when to end the game, and which two cards to keep.

Each starts from a prepared position and lasts a few turns; the game may go on after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Lesson, Tutorial, TutorialContext, winner_sentence
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.parade.rules.components import Card
from wonderland.games.parade.rules.events import Event
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import points_with, totals
from wonderland.games.parade.rules.state import Ended, Keeping, Playing
from wonderland.games.parade.ui.tutorial import (
    confirm_kept,
    count_turns,
    explain_last_round,
    explain_majority,
    point_out_majority,
    recap_turn,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.parade.rules.view import View

SAFE, MAJORITIES, ENDING, KEEPING = "safe-cards", "majorities", "ending", "keeping-two"
LESSONS = (
    Lesson(
        SAFE,
        phrase("Safe cards"),
        phrase("Take nothing now, and nothing later."),
        Tutorial(
            ("dodo",),
            {
                "start": "seat1",
                "card": "+B3 +P1 +P4 +B4 +B9 +R1 +B6 +R8 +Y0 +R0 +O4 +Y10",
                "card.parade": "+R9 +B5 +O6 +G10 +O2 +P8",
            },
            begun="P1 Y0",
        ),
        "safe-card",
    ),
    Lesson(
        MAJORITIES,
        phrase("Majorities"),
        phrase("Take more of a colour, and score less."),
        Tutorial(
            ("dodo",),
            {
                "start": "seat2",
                "card": "+B8 +G1 +Y1 +G9 +O3 +O7 +R6 +O6 +P0 +G7 +B2 +P6 +Y0 +Y9 +G8",
                "card.parade": "+B0 +R1 +P9 +P10 +R5 +R9",
            },
            begun="P0 G9 R6 G1 O7",
        ),
        "majority",
    ),
    Lesson(
        ENDING,
        phrase("When to end the game"),
        phrase("The sixth colour starts the last round. Is that good for you?"),
        Tutorial(
            ("dodo",),
            {
                "start": "seat1",
                "card": "+P1 +P0 +B9 +Y6 +O3 +P10 +G0 +O7 +G1 +Y1 "
                "+Y7 +G4 +R9 +R2 +Y0 +Y9 +G7 +Y4 +Y8 +O9 +P4 +R5",
                "card.parade": "+G6 +G9 +O1 +R0 +B7 +P2",
            },
            begun="P0 O7 O3 G0 Y7 P10 P1 Y1 Y0 Y4 Y8 O9",
        ),
        "sixth-colour",
    ),
    Lesson(
        KEEPING,
        phrase("Keeping two"),
        phrase("The last two cards count, too."),
        Tutorial(
            ("dodo",),
            {
                "start": "seat1",
                "card": "+O5 +O7 +B7 +P5 +B3 +P9 +R0 +P8 +O6 +Y4 +P3 +P6 "
                "+G0 +O3 +B0 +O0 +P10 +R3 +P1 +O8 +P7 +R4 +B4 +R5",
                "card.parade": "+Y8 +B8 +B6 +Y5 +B5 +R1",
            },
            begun="P5 Y4 O5 P8 G0 P6 P3 R0 P10 O0 B3 P9 B0 O3",
        ),
        "keep-two",
    ),
)
_BEGAN = {lesson.key: lesson.setup.learner_began for lesson in LESSONS}
_TURNS = {SAFE: 3, MAJORITIES: 2, ENDING: 2, KEEPING: 1}
"""Turns of the learner until a lesson has been taught."""
_CLOSING = {
    SAFE: phrase(
        "Count from the end of the parade, play low cards early, and keep a safe card for later: that's "
        "how to take little."
    ),
    MAJORITIES: phrase(
        "Collect a colour that nobody else has, and take its high cards once you're ahead in it."
    ),
    ENDING: phrase(
        "End the game when you're ahead, even if the last card costs you some points. When you're "
        "behind, avoid the sixth colour."
    ),
    KEEPING: phrase("From the middle of the game on, think of the two cards that you're going to keep."),
}


def guide(key: str, view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Return the guidance for the learner's current situation in a lesson."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    turns = count_turns(seat, witnessed) - _BEGAN[key]
    is_over = isinstance(view.stage, Ended)
    is_done = is_over or (turns >= _TURNS[key] and key != KEEPING)
    closing = (say(_CLOSING[key]),) if is_done else ()
    match view.stage:
        case Ended(result=result):
            says: tuple[str, ...] = (winner_sentence(result, words),)
        case Keeping(_, kept):
            says = (_advise_on_pair(say) if kept[seat] is None else confirm_kept(say),)
        case Playing(turn, left, ending) if left is not None:
            last = (_advise_on_last_card(say),) if turn == seat else ()
            says = (*explain_last_round(ending, say), *last)
        case Playing(turn) if turn == seat and not is_done:
            told = recap_turn(seat, witnessed, say) if turns else ()
            says = (*told, *_guide_turn(key, turns, view, seat, words))
        case _:
            says = recap_turn(seat, witnessed, say) if turns else ()
    return Guidance((*says, *closing), is_done=is_done)


def _guide_turn(key: str, turns: int, view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """Introduce the idea of a turn before the last round; `KEEPING` starts in the last round."""
    match key:
        case "safe-cards":
            return (_explain_safe_cards(turns, view, seat, words.say),)
        case "majorities":
            return _explain_majorities(turns, view, seat, words)
        case _:
            return _explain_ending(turns, view, seat, words)


def _hand(view: View, seat: Seat) -> list[Card]:
    return [card for card in view.hands[seat] if card is not FACE_DOWN]


def _explain_safe_cards(turns: int, view: View, seat: Seat, say: Language) -> str:
    """Explain P5 and P6 by what each card of the hand would take."""
    if turns == 0:
        return say(
            "The number on a card says how many cards at the end of the parade are safe; there are "
            "{length} in it now. Which of your cards would take nothing?",
            length=len(view.parade),
        )
    if turns == 1:
        return say(
            "Every card makes the parade longer, so low cards take more and more. Play one while it "
            "costs little, and save the high ones."
        )
    return say.plural(
        "Look at the cards you don't play, too: you'll need a safe one next turn. Right now, {number} "
        "of your cards takes nothing.",
        "Look at the cards you don't play, too: you'll need a safe one next turn. Right now, {number} "
        "of your cards take nothing.",
        sum(not split_parade(view.parade, card)[0] for card in _hand(view, seat)),
    )


def _explain_majorities(turns: int, view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """Explain P12 or P13 by a card that lowers the score."""
    say, now = words.say, totals(view.zones)[seat]
    best = min(
        points_with(view.zones, seat, split_parade(view.parade, card)[0]) for card in _hand(view, seat)
    )
    if turns == 0:
        puzzle = say(
            "One of your cards takes another card and still lowers your score, from {now} to {then}. "
            "Can you find it?",
            now=now,
            then=best,
        )
        return explain_majority(view, say), puzzle
    warning = say(
        "A majority is lost when somebody else catches up, so look at what the others have before you "
        "collect a colour."
    )
    return point_out_majority(view, words), warning


def _explain_ending(turns: int, view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """Explain P8 by the scores of the two players."""
    say, other = words.say, 1 - seat
    scores = totals(view.zones)
    compared = say(
        "Your score is {mine}, {name}'s is {theirs}. If the game ended soon, who would win? Decide "
        "whether to take your sixth colour or to avoid it.",
        mine=scores[seat],
        name=words.names[other],
        theirs=scores[other],
    )
    if turns == 0:
        rule = say(
            "You have cards of five colours. Taking the sixth starts the last round: one more "
            "card each, then you keep two of four."
        )
        return rule, compared
    return say("The game goes on."), compared


def _advise_on_last_card(say: Language) -> str:
    """Explain P11 before the last card."""
    return say(
        "Two of the four cards that you'll have left are added to those in front of you. So play the "
        "one that's least use to you."
    )


def _advise_on_pair(say: Language) -> str:
    """Explain P11 and P12 before the choice."""
    return say(
        "Which two will you keep? Low cards cost little. But a high card counts only 1 in a colour "
        "where you have the majority, or get it with these two."
    )
