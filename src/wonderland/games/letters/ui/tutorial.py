"""Tutorial for Letters: a first game with a stacked layout, and the guidance shown at each turn.

The learner may turn any card, so the guide suggests one: following its suggestions, everything that can
happen in the game happens once.
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
_SUGGESTED = ("redL", "redA", "redC", "Hatter", "redI", "redE")
"""A letter that has to wait, the one before it, another one, the menace that hides it, and the rest."""
_PATH = tuple(_CARDS.index(card) for card in _SUGGESTED)
_MENACE = _CARDS.index("Hatter")

TUTORIAL = Tutorial(
    bots=("dodo",),
    given={"start": "seat1"} | {f"space.{number}": card for number, card in enumerate(_CARDS, start=1)},
)


def guide(view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Return the guidance for the learner's current situation."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    if isinstance(view.stage, Ended):
        return Guidance(explain_result(view, seat, words))
    turn = last_turn(seat, witnessed)
    recap = recap_turn(view, seat, turn, words)
    if view.stage != Choosing(seat):
        return Guidance(recap)
    number = sum(isinstance(event, CardTurned) and event.seat == seat for event in witnessed)
    if number == 0:
        tip, points_at = _suggest_card(view, seat, witnessed, say)
        return Guidance((_explain_goal(view, seat, say), tip), points_at)
    known = remembered_space(view, seat, witnessed)
    if known is not None:
        return Guidance((*recap, prompt_memory(view, seat, known, turn, say)))
    if _is_exposed(view, seat):
        return Guidance((*recap, _explain_claim(view, seat, say)))
    tip, points_at = _suggest_card(view, seat, witnessed, say)
    return Guidance((*recap, *_introduce_idea(number, seat, witnessed, words), tip), points_at)


def _explain_goal(view: View, seat: Seat, say: Language) -> str:
    """Explain L2, L5 and L12."""
    return say(
        "Somewhere among these cards are the A, L, I, C and E of your colour, "
        "{colour}. Everyone turns one card per turn. The first to get all five, in "
        "this order, wins.",
        colour=say(COLOURS[view.options.colours[seat]]),
    )


def _suggest_card(
    view: View, seat: Seat, witnessed: Sequence[Event], say: Language
) -> tuple[str, tuple[str, ...]]:
    """Name the letter needed next, and suggest a card that nobody has turned yet."""
    letter = needed_letter(view, seat).letter
    turned = {event.space for event in witnessed if isinstance(event, CardTurned)}
    for space in _PATH:
        if space == _MENACE and _has_met_menace(seat, witnessed):
            continue  # one menace is enough
        if view.spaces[space] is FACE_DOWN and space not in turned:
            tip = say(
                "You need your {letter} next. Turn any card you like. How about number {number}?",
                letter=letter,
                number=space + 1,
            )
            return tip, (f"space-{space + 1}",)
    return say("You need your {letter} next.", letter=letter), ()


def _introduce_idea(
    number: int, seat: Seat, witnessed: Sequence[Event], words: TutorialContext
) -> tuple[str, ...]:
    """Introduce one new idea in each of the first turns."""
    say = words.say
    if number == 3:
        other = words.names[(seat + 1) % len(words.names)]
        return (
            say(
                "Every card stays where it is, for everyone to see. If {name} turns up one of "
                "your letters, that helps you.",
                name=other,
            ),
        )
    if number == 2 and not _has_met_menace(seat, witnessed):
        return (
            say(
                "Watch out for the seven menaces! If you turn one up, all your face-up letters "
                "are turned face down again. Letters on your rail are safe."
            ),
        )
    return ()


def _has_met_menace(seat: Seat, witnessed: Sequence[Event]) -> bool:
    """Whether the learner has turned up a menace."""
    turned = (event for event in witnessed if isinstance(event, CardTurned) and event.seat == seat)
    return any(isinstance(event.card, Menace) for event in turned)


# The last turn


def last_turn(seat: Seat, witnessed: Sequence[Event]) -> list[Event]:
    """Return the events of the learner's last turn: the card, and its effects."""
    events: list[Event] = []
    is_own_turn = False
    for event in witnessed:
        if isinstance(event, CardTurned):
            is_own_turn = event.seat == seat
            events = [] if is_own_turn else events
        if is_own_turn:
            events.append(event)
    return events


def recap_turn(view: View, seat: Seat, turn: Sequence[Event], words: TutorialContext) -> tuple[str, ...]:
    """Recap the effects of the learner's last card."""
    sentences: list[str] = []
    for event in turn:
        match event:
            case CardTurned(_, _, Menace() as menace):
                sentences.append(_explain_menace(menace, turn, words.say))
            case CardTurned(_, _, Letter() as letter):
                sentences += _explain_letter(view, seat, letter, turn, words)
            case LettersPlayed(_, letters, _):
                sentences.append(_explain_played(letters, words.say))
            case LettersTurnedDown() | LetterRemoved() | GameEnded() | _:
                pass  # covered by the sentence about the card
    return tuple(sentences)


def _explain_menace(menace: Menace, turn: Sequence[Event], say: Language) -> str:
    """Explain L10."""
    name = say.capital(card_name(menace, say))
    if any(isinstance(event, LettersTurnedDown) for event in turn):
        return say(
            "{menace}, a menace! Your face-up letters are face down again. Remember where they are!",
            menace=name,
        )
    return say(
        "{menace}, a menace! Your face-up letters would be turned face down, but luckily you had none.",
        menace=name,
    )


def _explain_letter(
    view: View, seat: Seat, letter: Letter, turn: Sequence[Event], words: TutorialContext
) -> tuple[str, ...]:
    """Explain L7, L8 or L11; a letter played at once is covered by `LettersPlayed` (L6)."""
    say, colours = words.say, view.options.colours
    if letter.colour not in colours:
        return (
            say(
                "Nobody is playing {colour}, so that letter is out.", colour=say(COLOURS[letter.colour])
            ),
        )
    owner = colours.index(letter.colour)
    if owner != seat:
        name = words.names[owner]
        return (
            say(
                "The {card} belongs to {name}. It stays face up until {name} can take it in order.",
                card=card_name(letter, say),
                name=name,
            ),
        )
    if any(isinstance(event, LettersPlayed) and letter in event.letters for event in turn):
        return ()
    return (
        say(
            "Your {letter}! But you need your {needed} first. It stays face up, and "
            "follows by itself when its turn comes.",
            letter=letter.letter,
            needed=WORD[view.rails[seat]],
        ),
    )


def _explain_played(letters: Sequence[Letter], say: Language) -> str:
    """Explain L6 and L9."""
    first, *others = [letter.letter for letter in letters]
    if not others:
        return say("Your {letter} was next, so it went straight to your rail.", letter=first)
    return say(
        "Your {letter} was next, so it went straight to your rail, followed by {others}.",
        letter=first,
        others=say.join_list(others),
    )


# The next letter


def needed_letter(view: View, seat: Seat) -> Letter:
    return Letter(view.options.colours[seat], view.rails[seat])


def _is_exposed(view: View, seat: Seat) -> bool:
    return FaceUp(needed_letter(view, seat)) in view.spaces


def _explain_claim(view: View, seat: Seat, say: Language) -> str:
    """Explain L9: someone else has turned up the letter that the learner needs."""
    return say(
        "Your {letter} is face up, and it's the one you need! It comes to you as soon "
        "as you turn a card: any card but a menace.",
        letter=needed_letter(view, seat).letter,
    )


def remembered_space(view: View, seat: Seat, witnessed: Sequence[Event]) -> int | None:
    """Return the space of the letter needed next if it was seen and is face down again."""
    needed = needed_letter(view, seat)
    for event in witnessed:
        if isinstance(event, CardTurned) and event.card == needed:
            content = view.spaces[event.space]
            if content is FACE_DOWN or isinstance(content, TurnedDown):
                return event.space
    return None


def prompt_memory(view: View, seat: Seat, space: int, turn: Sequence[Event], say: Language) -> str:
    """Ask the learner to remember the letter's space, or name it if they just failed to."""
    letter = needed_letter(view, seat).letter
    if any(isinstance(event, LettersPlayed | LettersTurnedDown) for event in turn):
        return say(
            "You need your {letter} next. It's face down, but you've seen it. Do you remember where?",
            letter=letter,
        )
    return say(
        "You need your {letter} next. It has been turned up before: it was number {number}.",
        letter=letter,
        number=space + 1,
    )


def explain_result(view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """Explain L12 with the result."""
    stage = view.stage
    assert isinstance(stage, Ended)  # noqa: S101 - called only when the game is over
    winner = stage.result.winners[0]
    if winner == seat:
        return (words.say("A-L-I-C-E! All five letters are on your rail: you've won!"),)
    return (
        words.say(
            "{name} is the first to get all five letters and wins. You had {number} of them.",
            name=words.names[winner],
            number=view.rails[seat],
        ),
    )
