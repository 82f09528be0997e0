"""Keys and text of choices, shared by the full screen, the prompt and remote tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wonderland.components.text_layout import wrap_text
from wonderland.components.words import words_of
from wonderland.engine.errors import quote
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.record_reader import AnyMatch

NO_SUCH_CHOICE = phrase("{answer} isn't one of the choices. Type {choices}, or {word}.")
_WIDTH = 80


def choices_of(match: AnyMatch, seat: Seat) -> dict[str, Any]:
    """Legal actions of a seat by the key to type."""
    return choice_keys(match.game, match.legal(seat))


def choice_keys(game: AnyGame, legal: Iterable[Any]) -> dict[str, Any]:
    """Actions by the key to type: their notation if all are numbers, or else 1, 2, 3 and so on."""
    words = {game.write(action): action for action in legal}
    if all(word.isdigit() for word in words):
        return words
    return {str(place): action for place, action in enumerate(words.values(), start=1)}


def find_choice(game: AnyGame, choices: Mapping[str, Any], answer: str) -> Any | None:
    """Return the action with this key or notation, or `None`."""
    if answer in choices:
        return choices[answer]
    wanted = answer.lower()
    return next((each for each in choices.values() if game.write(each).lower() == wanted), None)


def no_such_choice(answer: str, choices: Mapping[str, Any], say: Language, other: str) -> str:
    """Error message for an unknown choice; `other` is a word that can be typed as well."""
    return say(NO_SUCH_CHOICE, answer=quote(answer), choices=", ".join(choices), word=other)


def choice_lines(game: AnyGame, view: Any, choices: Mapping[str, Any], say: Language) -> list[str]:
    """The choices as lines of text; a single paragraph if the keys are self-explanatory."""
    if all(game.write(action) == key for key, action in choices.items()):
        return wrap_text(say("Your choice: {choices}", choices=", ".join(choices)), _WIDTH, "  ")
    words = words_of(game.info.name)
    offers = (f"{key:>3}  {words.describe_action(view, action, say)}" for key, action in choices.items())
    return [line for offer in offers for line in wrap_text(offer, _WIDTH, " " * 5)]
