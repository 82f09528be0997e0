"""Tutorial of Cookies: a first game with prepared cards, and guidance for each turn.

Each kind of space is explained the first time a card leads there; everything else, one thing per turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Tutorial, TutorialContext, winner_sentence
from wonderland.engine.language import Language, phrase
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import (
    CardPlayed,
    ClimbedOut,
    CookieTaken,
    Event,
    FellIntoHole,
    PawnGrew,
    PawnMoved,
    PawnShrank,
    SentOn,
    SmallCookiesTaken,
    StayedInHole,
)
from wonderland.games.cookies.rules.rules import certain_step, legal
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import Deciding, Ended, PlayCard, Playing, Taking, pile_size
from wonderland.games.cookies.rules.view import View, observed_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wonderland.engine.protocol import Seat

TUTORIAL = Tutorial(
    bots=("dodo",),
    given={
        "start": "seat1",
        "card1": "+2 +4 +5 +1 +3 +J +3 +1 +5 +2 +4",
        "card2": "+3 +1 +4 +2 +5 +1 +J +4 +3 +5 +2",
        "cookie": "cookie4 cookie3 cookie5 cookie2",
        "spin": "spin4 spin8",
    },
)
_SPACES = {
    Kind.TEA_PARTY: phrase(
        "Your {card} stops at the Hatter's Tea Party. There you can choose the face-up "
        "large cookie or the top one of the stack."
    ),
    Kind.SMALL_COOKIES: phrase(
        "Your {card} leads to Small Cookies. There you spin, and take as many small "
        "cookies as the inner number you land on."
    ),
    Kind.CATERPILLAR: phrase(
        "Your {card} leads to the Caterpillar, where a small pawn grows and a large one shrinks."
    ),
    Kind.CHESHIRE_CAT: phrase(
        "Your {card} leads to the Cheshire Cat, who sends you on by the same number again."
    ),
    Kind.RABBIT_HOLE: phrase(
        "Watch out: your {card} leads into the Rabbit Hole, and climbing out costs a whole card."
    ),
}


def guide(view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Return the guidance for the current position."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    match view.stage:
        case Ended():
            return Guidance(explain_result(view, seat, words))
        case Taking(turn) if turn == seat:
            return Guidance((explain_cookie_choice(view, say),), ("cookie-up", "cookie-stack"))
        case Deciding(turn, spins) if turn == seat:
            return Guidance((explain_spin_choice(spins, say),), highlight_spinner(view))
        case Playing(turn) if turn == seat:
            return _guide_turn(view, seat, witnessed, words)
        case _:
            return Guidance(recap_turn(view, seat, witnessed, say))


def highlight_spinner(view: View) -> tuple[str, ...]:
    return () if view.spinner is None else (f"space-{view.spinner + 1}",)


# The learner's turns


def _guide_turn(view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Recap the last card, introduce one new thing, and explain a space that a card leads to."""
    say = words.say
    number = sum(isinstance(event, CardPlayed) and event.seat == seat for event in witnessed)
    recap = recap_turn(view, seat, witnessed, say)
    if view.in_hole(seat):
        return Guidance((*recap, explain_climbing(say)))
    ahead, points_at = _explain_ahead(view, seat, witnessed, say)
    if number == 0:
        return Guidance((*_explain_goal(say), *ahead), points_at)
    return Guidance((*recap, *_introduce(number, view, seat, say), *ahead), points_at)


def _explain_goal(say: Language) -> tuple[str, ...]:
    """Explain the goal of the game and how to play a card (C7, C8, C19)."""
    return (
        say(
            "Your pawn runs clockwise round the ring, collecting cookies. The player with "
            "the most points in cookies wins."
        ),
        say(
            "Play the left or the right card of your hand and move that many spaces. The "
            "middle card is locked."
        ),
    )


def _introduce(number: int, view: View, seat: Seat, say: Language) -> tuple[str, ...]:
    """Introduce one new thing on each of the first turns."""
    if number == 1:  # C12
        return (say("Your new card goes in the middle. You can play it once it's at either end."),)
    if number == 2:  # C10
        return _explain_tea_party(view, say)
    if number == 3:  # C9
        return (
            say(
                "Two pawns never share a space. If yours would stop on another pawn's space, "
                "it goes on to the next free one."
            ),
        )
    if number == 4:  # C19
        left = len(view.hands[seat]) + pile_size(view.hands[seat], view.unseen[seat])
        return (
            say.plural(
                "The game ends when all the cards have been played. You have {number} card left.",
                "The game ends when all the cards have been played. You have {number} cards left.",
                left,
            ),
        )
    return ()


def _explain_tea_party(view: View, say: Language) -> tuple[str, ...]:
    if view.larder.face_up is None:
        return ()
    return (
        say(
            "Every time you pass the Tea Party (space 1), you take the face-up large "
            "cookie. Right now it's worth {worth}.",
            worth=view.larder.face_up,
        ),
    )


def explain_climbing(say: Language) -> str:
    """Explain how to climb out of the Rabbit Hole (C18)."""
    return say(
        "In the Rabbit Hole, a card doesn't move you. Its number is how many times you "
        "may spin to get out, so a high card is good."
    )


def _explain_ahead(
    view: View, seat: Seat, witnessed: Sequence[Event], say: Language
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Explain the first special space in reach of a kind the learner has not visited yet."""
    known = {e.kind for e in witnessed if isinstance(e, PawnMoved) and e.seat == seat} | {Kind.PLAIN}
    if view.large == seat:
        known.add(Kind.RABBIT_HOLE)  # C17: a plain space for a large pawn
    for play, stop in _stops(view, seat):
        if stop.kind not in known:
            name = play.card.mark
            if play.card is Card.JOKER:
                name = say("Joker as {number}", number=play.number)
            return (say(_SPACES[stop.kind], card=name),), (f"space-{stop.end + 1}",)
    return (), ()


def _stops(view: View, seat: Seat) -> Iterator[tuple[PlayCard, PawnMoved]]:
    """Legal plays with the first stop of each."""
    state = observed_state(view)
    for play in legal(state, seat):
        if isinstance(play, PlayCard) and not play.plus:
            _, events = certain_step(state, seat, play)
            yield play, next(event for event in events if isinstance(event, PawnMoved))


# Recap of the last card


def recap_turn(view: View, seat: Seat, witnessed: Sequence[Event], say: Language) -> tuple[str, ...]:
    """Sum up what happened to the learner since they played their last card."""
    since = [n for n, e in enumerate(witnessed) if isinstance(e, CardPlayed) and e.seat == seat]
    sentences = (
        [_explain_event(view, seat, event, say) for event in witnessed[since[-1] :]] if since else []
    )
    return tuple(sentence for sentence in sentences if sentence)[-3:]


def _explain_event(view: View, seat: Seat, event: Event, say: Language) -> str:
    """Explain an event to the learner; empty for most events."""
    match event:
        case SentOn(who, number) if who == seat:
            return say.plural(
                "The Cheshire Cat sent you on {number} more space.",
                "The Cheshire Cat sent you on {number} more spaces.",
                number,
            )
        case CookieTaken(who, cookie) if who == seat:
            return say("You took a large cookie worth {worth}.", worth=cookie)
        case SmallCookiesTaken(who, number) if who == seat:
            return say.plural(
                "The spinner gave you {number} small cookie, worth 1 point.",
                "The spinner gave you {number} small cookies, worth 1 point each.",
                number,
            )
        case PawnGrew(who) if who == seat and view.large == seat:
            return say(
                "You're large now: you may move one extra space with each card, and you can't "
                "fall down the Rabbit Hole."
            )
        case PawnShrank(who) if who == seat:
            return say("You're small again: there's never more than one large pawn.")
        case FellIntoHole(who) if who == seat:
            return say("You fell down the Rabbit Hole.")
        case ClimbedOut(who) if who == seat:
            return say("You climbed out of the Rabbit Hole.")
        case StayedInHole(who) if who == seat:
            return say("None of your spins got you out this time.")
        case _:
            return ""


# Choices within a turn, and the end


def explain_cookie_choice(view: View, say: Language) -> str:
    """Explain the choice of a large cookie, with the contents of the stack (C13)."""
    larder = view.larder
    value = larder.face_up or 0
    return say.plural(
        "You've stopped at the Tea Party, so you can choose. The face-up cookie is "
        "worth {worth}. In the stack, {number} is worth more and {less} less.",
        "You've stopped at the Tea Party, so you can choose. The face-up cookie is "
        "worth {worth}. In the stack, {number} are worth more and {less} less.",
        sum(cookie > value for cookie in larder.stack),
        worth=value,
        less=sum(cookie < value for cookie in larder.stack),
    )


def explain_spin_choice(spins: int, say: Language) -> str:
    """Explain the choice between accepting a spin and spinning again (C18)."""
    return say.plural(
        "The spinner shows where you could climb out. Go there, or spin again: you "
        "have {number} spin left, and the last one counts.",
        "The spinner shows where you could climb out. Go there, or spin again: you "
        "have {number} spins left, and the last one counts.",
        spins,
    )


def explain_result(view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """Explain the scoring, with the numbers of this game (C19)."""
    say, larder, stage = words.say, view.larder, view.stage
    assert isinstance(stage, Ended)  # noqa: S101 - called only at this stage
    large, small = larder.large[seat], larder.small[seat]
    return (
        say(
            "All the cards have been played. Your large cookies are worth {large} and your "
            "small ones {small}: {total} points in all.",
            large=sum(large),
            small=small,
            total=points(large, small),
        ),
        winner_sentence(stage.result, words),
    )
