"""How a choice is typed and offered: the same for the full screen, the prompt and a distant table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wonderland.components.words import words_of
from wonderland.engine.errors import quote
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.record_reader import AnyMatch


def choices_of(match: AnyMatch, seat: Seat) -> dict[str, Any]:
    """What to type for each action that a seat may take."""
    return choice_keys(match.game, match.legal(seat))


def choice_keys(game: AnyGame, legal: Iterable[Any]) -> dict[str, Any]:
    """What to type for each action: its notation where that is a number, or else its place."""
    words = {game.write(action): action for action in legal}
    if all(word.isdigit() for word in words):
        return words
    return {str(place): action for place, action in enumerate(words.values(), start=1)}


def find_choice(game: AnyGame, choices: Mapping[str, Any], answer: str) -> Any | None:
    """The action that somebody has typed, by its key or in its notation; `None` if it is none."""
    if answer in choices:
        return choices[answer]
    wanted = answer.lower()
    return next((each for each in choices.values() if game.write(each).lower() == wanted), None)


def no_such_choice(answer: str, choices: Mapping[str, Any]) -> str:
    """What to say to somebody who has typed something else."""
    return f"{quote(answer)} is none of the choices; type one of {', '.join(choices)}, or help."


def choice_lines(game: AnyGame, view: Any, choices: Mapping[str, Any]) -> list[str]:
    """The choices in lines of text; in one line, if their keys say all there is to say."""
    if all(game.write(action) == key for key, action in choices.items()):
        return [f"Your choice: {', '.join(choices)}"]
    words = words_of(game.info.name)
    return [f"{key:>3}  {words.offer(view, action)}" for key, action in choices.items()]
