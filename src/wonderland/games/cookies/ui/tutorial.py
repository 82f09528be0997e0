"""Cookies' lesson: a first game with prepared cards, and what a newcomer is told at each turn of it.

Each space is explained when a card could lead there for the first time; the rest comes one thing a turn.
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

LESSON = Tutorial(
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
        "Your {card} stops at the Hatter's Tea Party: there you may choose, the large cookie that lies "
        "open or the top one of the stack."
    ),
    Kind.SMALL_COOKIES: phrase(
        "Your {card} leads to the Small Cookies: there you spin, and take as many as the inner number "
        "of the space says that the spinner points at."
    ),
    Kind.CATERPILLAR: phrase(
        "Your {card} leads to the Caterpillar: there a small pawn grows, and a large one shrinks."
    ),
    Kind.CHESHIRE_CAT: phrase(
        "Your {card} leads to the Cheshire Cat, who sends you on by the same number once more."
    ),
    Kind.RABBIT_HOLE: phrase(
        "Beware: your {card} leads into the Rabbit Hole, and to climb out takes a whole card."
    ),
}


def guide(view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """What to look at now."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    match view.stage:
        case Ended():
            return Guidance(_counted(view, seat, words))
        case Taking(turn) if turn == seat:
            return Guidance((_which_cookie(view, say),), ("cookie-up", "cookie-stack"))
        case Deciding(turn, spins) if turn == seat:
            return Guidance((_accept_or_not(spins, say),), _pointed(view))
        case Playing(turn) if turn == seat:
            return _my_turn(view, seat, witnessed, words)
        case _:
            return Guidance(_recap(view, seat, witnessed, say))


def _pointed(view: View) -> tuple[str, ...]:
    return () if view.spinner is None else (f"space-{view.spinner + 1}",)


# One's own turns


def _my_turn(view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """What the last card did, one thing that is new, and a space that a card leads to."""
    say = words.say
    number = sum(isinstance(event, CardPlayed) and event.seat == seat for event in witnessed)
    recap = _recap(view, seat, witnessed, say)
    if view.in_hole(seat):
        return Guidance((*recap, _to_climb(say)))
    ahead, points_at = _ahead(view, seat, witnessed, say)
    if number == 0:
        return Guidance((*_goal(say), *ahead), points_at)
    return Guidance((*recap, *_new(number, view, seat, say), *ahead), points_at)


def _goal(say: Language) -> tuple[str, ...]:
    """C7, C8, C19."""
    return (
        say("Your pawn runs round the ring, clockwise, for cookies: the most points in cookies win."),
        say(
            "Play the left or the right card of your hand: so many spaces you go. The card in the "
            "middle is locked."
        ),
    )


def _new(number: int, view: View, seat: Seat, say: Language) -> tuple[str, ...]:
    """One thing to know, in each of the first turns."""
    if number == 1:  # C12
        return (say("Your new card came in the middle: it is free once it stands at an end."),)
    if number == 2:  # C10
        return _tea_party(view, say)
    if number == 3:  # C9
        return (say("No two pawns share a space: where another stands, yours goes on to the next."),)
    if number == 4:  # C19
        left = len(view.hands[seat]) + pile_size(view.hands[seat], view.unseen[seat])
        return (
            say.plural(
                "The game ends when all cards are played: you have {number} left.",
                "The game ends when all cards are played: you have {number} left.",
                left,
            ),
        )
    return ()


def _tea_party(view: View, say: Language) -> tuple[str, ...]:
    if view.larder.face_up is None:
        return ()
    return (
        say(
            "Each time you pass the Tea Party, space 1, you take the large cookie that lies open: now "
            "it is worth {worth}.",
            worth=view.larder.face_up,
        ),
    )


def _to_climb(say: Language) -> str:
    """C18."""
    return say(
        "In the Rabbit Hole a card does not move you: its number is how often you may spin to get "
        "out, so a high one is good."
    )


def _ahead(
    view: View, seat: Seat, witnessed: Sequence[Event], say: Language
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first special space that a card leads to, of a kind where the learner has not been yet."""
    known = {e.kind for e in witnessed if isinstance(e, PawnMoved) and e.seat == seat} | {Kind.PLAIN}
    if view.large == seat:
        known.add(Kind.RABBIT_HOLE)  # C17: it is a plain space then
    for play, stop in _stops(view, seat):
        if stop.kind not in known:
            name = play.card.mark
            if play.card is Card.JOKER:
                name = say("Joker as {number}", number=play.number)
            return (say(_SPACES[stop.kind], card=name),), (f"space-{stop.end + 1}",)
    return (), ()


def _stops(view: View, seat: Seat) -> Iterator[tuple[PlayCard, PawnMoved]]:
    """Where each card that may be played leads first."""
    state = observed_state(view)
    for play in legal(state, seat):
        if isinstance(play, PlayCard) and not play.plus:
            _, events = certain_step(state, seat, play)
            yield play, next(event for event in events if isinstance(event, PawnMoved))


# What the last card did


def _recap(view: View, seat: Seat, witnessed: Sequence[Event], say: Language) -> tuple[str, ...]:
    """What has happened to the learner since their last card."""
    since = [n for n, e in enumerate(witnessed) if isinstance(e, CardPlayed) and e.seat == seat]
    told = [_told(view, seat, event, say) for event in witnessed[since[-1] :]] if since else []
    return tuple(sentence for sentence in told if sentence)[-3:]


def _told(view: View, seat: Seat, event: Event, say: Language) -> str:
    """What an event means to the learner; most mean nothing."""
    match event:
        case SentOn(who, number) if who == seat:
            return say.plural(
                "The Cheshire Cat sent you on by {number}.",
                "The Cheshire Cat sent you on by {number}.",
                number,
            )
        case CookieTaken(who, cookie) if who == seat:
            return say("You took a large cookie worth {worth}.", worth=cookie)
        case SmallCookiesTaken(who, number) if who == seat:
            return say.plural(
                "The spinner gave you {number} small cookie, worth 1.",
                "The spinner gave you {number} small cookies, worth 1 each.",
                number,
            )
        case PawnGrew(who) if who == seat and view.large == seat:
            return say(
                "You are large now: you may go one step more with each card, and you can't fall into "
                "the Rabbit Hole."
            )
        case PawnShrank(who) if who == seat:
            return say("You are small again: there is never more than one large pawn.")
        case FellIntoHole(who) if who == seat:
            return say("You fell down the Rabbit Hole.")
        case ClimbedOut(who) if who == seat:
            return say("You climbed out of the Rabbit Hole.")
        case StayedInHole(who) if who == seat:
            return say("No spin brought you out this time.")
        case _:
            return ""


# Choices in a turn, and the end


def _which_cookie(view: View, say: Language) -> str:
    """C13, with what the stack holds."""
    larder = view.larder
    worth = larder.face_up or 0
    return say.plural(
        "You stopped at the Tea Party and may choose. The cookie that lies open is worth {worth}; of "
        "those in the stack {number} is worth more and {less} less.",
        "You stopped at the Tea Party and may choose. The cookie that lies open is worth {worth}; of "
        "those in the stack {number} are worth more and {less} less.",
        sum(cookie > worth for cookie in larder.stack),
        worth=worth,
        less=sum(cookie < worth for cookie in larder.stack),
    )


def _accept_or_not(spins: int, say: Language) -> str:
    """C18."""
    return say.plural(
        "The spinner shows where you could climb out. Go there, or spin again: {number} spin is left, "
        "and the last one counts.",
        "The spinner shows where you could climb out. Go there, or spin again: {number} spins are left, "
        "and the last one counts.",
        spins,
    )


def _counted(view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """C19, with the numbers of this game."""
    say, larder, stage = words.say, view.larder, view.stage
    assert isinstance(stage, Ended)  # noqa: S101 - only asked then
    large, small = larder.large[seat], larder.small[seat]
    return (
        say(
            "All cards are played. Your large cookies count {large} and the small ones {small}: "
            "{total} points in all.",
            large=sum(large),
            small=small,
            total=points(large, small),
        ),
        winner_sentence(stage.result, words),
    )
