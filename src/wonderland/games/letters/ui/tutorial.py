"""Letters' lesson: a first game with prepared cards, and what a newcomer is told at each turn of it.

Which card is turned is up to the learner, so the guide names one that is worth trying: on the way that
it proposes all that can happen happens once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Tutorial, TutorialContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import WORD, Letter, Menace
from wonderland.games.letters.rules.events import (
    CardTurned,
    Event,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
)
from wonderland.games.letters.rules.state import Choosing, Ended, FaceUp, TurnedDown
from wonderland.games.letters.ui.words import COLOURS, card_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.letters.rules.view import View

_LAYOUT = (
    "yellowE blueC greenA Walrus redA greenL yellowL blueE redE "
    "blueL Hatter yellowI greenC redL King yellowA redI Carpenter "
    "greenI Hare blueA yellowC redC Turtle greenE blueI Duchess"
)
_CARDS = _LAYOUT.split()
_TRY = ("redL", "redA", "redC", "Hatter", "redI", "redE")
"""A letter that has to wait, the one it waits for, another, the one who hides it again, and the rest."""
_PATH = tuple(_CARDS.index(card) for card in _TRY)
_MENACE = _CARDS.index("Hatter")

LESSON = Tutorial(
    bots=("dodo",),
    given={"start": "seat1"} | {f"space.{number}": card for number, card in enumerate(_CARDS, start=1)},
)


def guide(view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """What to look at now."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    if isinstance(view.stage, Ended):
        return Guidance(_won(view, seat, words))
    turn = _last_turn(seat, witnessed)
    recap = _recap(view, seat, turn, words)
    if view.stage != Choosing(seat):
        return Guidance(recap)
    number = sum(isinstance(event, CardTurned) and event.seat == seat for event in witnessed)
    if number == 0:
        tip, points_at = _tip(view, seat, witnessed, say)
        return Guidance((_goal(view, seat, say), tip), points_at)
    known = _seen_at(view, seat, witnessed)
    if known is not None:
        return Guidance((*recap, _remember(view, seat, known, turn, say)))
    if _lies_open(view, seat):
        return Guidance((*recap, _comes_by_itself(view, seat, say)))
    tip, points_at = _tip(view, seat, witnessed, say)
    return Guidance((*recap, *_new(number, seat, witnessed, words), tip), points_at)


def _goal(view: View, seat: Seat, say: Language) -> str:
    """L2, L5, L12."""
    return say(
        "Among these cards lie A, L, I, C and E of your colour, {colour}. Everyone turns one card "
        "in a turn; who first has all five, in this order, wins.",
        colour=say(COLOURS[view.options.colours[seat]]),
    )


def _tip(
    view: View, seat: Seat, witnessed: Sequence[Event], say: Language
) -> tuple[str, tuple[str, ...]]:
    """What is needed, and a card worth trying among those that nobody has turned yet."""
    letter = _needed(view, seat).letter
    turned = {event.space for event in witnessed if isinstance(event, CardTurned)}
    for space in _PATH:
        if space == _MENACE and _has_met_one(seat, witnessed):
            continue  # one is enough
        if view.spaces[space] is FACE_DOWN and space not in turned:
            tip = say(
                "You need your {letter} next. Turn any card you like; number {number}, perhaps?",
                letter=letter,
                number=space + 1,
            )
            return tip, (f"space-{space + 1}",)
    return say("You need your {letter} next.", letter=letter), ()


def _new(number: int, seat: Seat, witnessed: Sequence[Event], words: TutorialContext) -> tuple[str, ...]:
    """One thing to know beforehand, in each of the first turns."""
    say = words.say
    if number == 3:
        other = words.names[(seat + 1) % len(words.names)]
        return (
            say(
                "All cards stay where they lie, for all to see. If {name} turns up a letter of yours, "
                "that helps you.",
                name=other,
            ),
        )
    if number == 2 and not _has_met_one(seat, witnessed):
        return (
            say(
                "Beware of the seven menaces: who turns one up must turn down all letters of their own "
                "that lie open. Letters in your row are safe."
            ),
        )
    return ()


def _has_met_one(seat: Seat, witnessed: Sequence[Event]) -> bool:
    """Whether the learner has turned up a menace."""
    turned = (event for event in witnessed if isinstance(event, CardTurned) and event.seat == seat)
    return any(isinstance(event.card, Menace) for event in turned)


# What the last turn did


def _last_turn(seat: Seat, witnessed: Sequence[Event]) -> list[Event]:
    """The learner's last turn: the card, and what followed from it."""
    found: list[Event] = []
    inside = False
    for event in witnessed:
        if isinstance(event, CardTurned):
            inside = event.seat == seat
            found = [] if inside else found
        if inside:
            found.append(event)
    return found


def _recap(view: View, seat: Seat, turn: Sequence[Event], words: TutorialContext) -> tuple[str, ...]:
    """What came of the learner's last card."""
    said: list[str] = []
    for event in turn:
        match event:
            case CardTurned(_, _, Menace() as menace):
                said.append(_met(menace, turn, words.say))
            case CardTurned(_, _, Letter() as letter):
                said += _turned(view, seat, letter, turn, words)
            case LettersPlayed(_, letters, _):
                said.append(_played(letters, words.say))
            case LettersTurnedDown() | LetterRemoved() | GameEnded() | _:
                pass  # said with the card
    return tuple(said)


def _met(menace: Menace, turn: Sequence[Event], say: Language) -> str:
    """L10."""
    name = say.capital(card_name(menace, say))
    if any(isinstance(event, LettersTurnedDown) for event in turn):
        return say(
            "{menace}, a menace! Your letters that lay open are face down again. "
            "Remember where they are!",
            menace=name,
        )
    return say(
        "{menace}, a menace! It turns down your letters that lie open; luckily there were none.",
        menace=name,
    )


def _turned(
    view: View, seat: Seat, letter: Letter, turn: Sequence[Event], words: TutorialContext
) -> tuple[str, ...]:
    """L7, L8, L11; what goes to the row at once is told by what was played (L6)."""
    say, colours = words.say, view.options.colours
    if letter.colour not in colours:
        return (say("Nobody plays {colour}: that letter is out.", colour=say(COLOURS[letter.colour])),)
    owner = colours.index(letter.colour)
    if owner != seat:
        name = words.names[owner]
        return (
            say(
                "The {card} is one of {name}'s: it stays open, for {name} to take in order.",
                card=card_name(letter, say),
                name=name,
            ),
        )
    if any(isinstance(event, LettersPlayed) and letter in event.letters for event in turn):
        return ()
    return (
        say(
            "Your {letter}! But you need {needed} before it: it stays open, and follows by itself "
            "when its turn comes.",
            letter=letter.letter,
            needed=WORD[view.rails[seat]],
        ),
    )


def _played(letters: Sequence[Letter], say: Language) -> str:
    """L6, L9."""
    first, *others = [letter.letter for letter in letters]
    if not others:
        return say("Your {letter} was next, so it went to your row at once.", letter=first)
    return say(
        "Your {letter} was next, so it went to your row at once; and {others} followed.",
        letter=first,
        others=say.join_list(others),
    )


# What to look for


def _needed(view: View, seat: Seat) -> Letter:
    return Letter(view.options.colours[seat], view.rails[seat])


def _lies_open(view: View, seat: Seat) -> bool:
    return FaceUp(_needed(view, seat)) in view.spaces


def _comes_by_itself(view: View, seat: Seat, say: Language) -> str:
    """L9: somebody else has turned up what the learner needs."""
    return say(
        "Your {letter} lies open, and it is the one you need! It comes to you as soon as you have "
        "turned a card, whichever it is, unless that is a menace.",
        letter=_needed(view, seat).letter,
    )


def _seen_at(view: View, seat: Seat, witnessed: Sequence[Event]) -> int | None:
    """Where the letter that is needed lies face down, if it has been seen."""
    needed = _needed(view, seat)
    for event in witnessed:
        if isinstance(event, CardTurned) and event.card == needed:
            lies = view.spaces[event.space]
            if lies is FACE_DOWN or isinstance(lies, TurnedDown):
                return event.space
    return None


def _remember(view: View, seat: Seat, space: int, turn: Sequence[Event], say: Language) -> str:
    """What the game is about; who looked for it in vain is told."""
    letter = _needed(view, seat).letter
    if any(isinstance(event, LettersPlayed | LettersTurnedDown) for event in turn):
        return say(
            "You need your {letter} next. It lies face down, but you have seen it: do you know where?",
            letter=letter,
        )
    return say(
        "You need your {letter} next. It has been seen: it was number {number}.",
        letter=letter,
        number=space + 1,
    )


def _won(view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """L12."""
    stage = view.stage
    assert isinstance(stage, Ended)  # noqa: S101 - only asked then
    winner = stage.result.winners[0]
    if winner == seat:
        return (words.say("A-L-I-C-E! All five letters stand in your row: you have won."),)
    return (
        words.say(
            "{name} has all five letters first and wins. You had {number} of them.",
            name=words.names[winner],
            number=view.rails[seat],
        ),
    )
