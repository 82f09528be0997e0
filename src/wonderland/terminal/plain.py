"""The game as lines of text: every choice is a number and Enter, or the notation of the action."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wonderland.bots import Bot
from wonderland.core.match import acting
from wonderland.core.protocol import Seat
from wonderland.core.reading import AnyMatch
from wonderland.core.words import words_of

_HELP = """\
Type the number of a choice, or its notation, and Enter. Other words:
  table    show the table again
  log      tell again what has happened, as you saw it
  quit     leave the game"""
_CURTAIN = "\n" * 60


class Left(Exception):  # noqa: N818 - someone left: an ordinary way to end
    """The input ended, or someone asked to quit."""


@dataclass(slots=True)
class PlainTable:
    """One play at a prompt. Seats without a bot are people at this keyboard."""

    match: AnyMatch
    bots: Mapping[Seat, Bot]
    rng: random.Random
    ask: Callable[[str], str] = input
    show: Callable[[str], None] = print
    after_move: Callable[[], None] = lambda: None
    """Called after every move: this is where the record is kept."""
    _told: dict[Seat, int] = field(default_factory=dict)
    _at_keyboard: Seat | None = None

    def play(self) -> None:
        """Play to the end; `Left` if someone leaves before."""
        while seats := acting(self.match.turn):
            seat = next((seat for seat in seats if seat in self.bots), seats[0])
            action = self._bot_choice(seat) if seat in self.bots else self._ask_person(seat)
            self.match.play(seat, action)
            self.after_move()
        people = self._people()
        if len(people) == 1:
            self._tell(people[0])
        else:
            self.show(_CURTAIN if people else "")
        self._show_table(None)

    def _people(self) -> list[Seat]:
        return [seat for seat in range(len(self.match.names)) if seat not in self.bots]

    def _bot_choice(self, seat: Seat) -> Any:
        return self.bots[seat].choose(self.match.view(seat), self.match.legal(seat), self.rng)

    def _ask_person(self, seat: Seat) -> Any:
        if len(self._people()) > 1 and self._at_keyboard != seat:
            self.show(_CURTAIN)
            self._answer(f"Pass the keyboard to {self.match.names[seat]}, who presses Enter. ")
        self._at_keyboard = seat
        self._tell(seat)
        self._show_table(seat)
        choices = self._choices(seat)
        self._show_choices(seat, choices)
        while True:
            answer = self._answer(f"{self.match.names[seat]}: ").strip()
            if self._is_command(answer, seat, choices):
                continue
            if answer.lower() in choices:
                return choices[answer.lower()]
            for action in choices.values():
                if self.match.game.write(action).lower() == answer.lower():
                    return action
            self.show(f"{answer!r} is none of the choices; type one of {', '.join(choices)}, or help.")

    def _answer(self, question: str) -> str:
        try:
            return self.ask(question)
        except EOFError:
            raise Left from None

    def _is_command(self, answer: str, seat: Seat, choices: Mapping[str, Any]) -> bool:
        match answer.lower():
            case "quit" | "q" | "exit":
                raise Left
            case "help" | "h" | "?" | "":
                self.show(_HELP)
                self._show_choices(seat, choices)
            case "table":
                self._show_table(seat)
                self._show_choices(seat, choices)
            case "log":
                self._told[seat] = 0
                self._tell(seat)
            case _:
                return False
        return True

    def _choices(self, seat: Seat) -> dict[str, Any]:
        """What to type for each action: its notation where that is a number, or else its place."""
        words = {self.match.game.write(action): action for action in self.match.legal(seat)}
        if all(word.isdigit() for word in words):
            return words
        return {str(place): action for place, action in enumerate(words.values(), start=1)}

    def _show_choices(self, seat: Seat, choices: Mapping[str, Any]) -> None:
        words, view = words_of(self.match.game.info.name), self.match.view(seat)
        if all(self.match.game.write(action) == key for key, action in choices.items()):
            self.show(f"Your choice: {', '.join(choices)}")
            return
        for key, action in choices.items():
            self.show(f"{key:>3}  {words.offer(view, action)}")

    def _show_table(self, seat: Seat | None) -> None:
        words = words_of(self.match.game.info.name)
        for line in words.describe(self.match.view(seat), self.match.names):
            self.show(line)

    def _tell(self, seat: Seat) -> None:
        """What this seat has seen happen since it was last told."""
        words = words_of(self.match.game.info.name)
        for event in self.match.events[self._told.get(seat, 0) :]:
            seen = self.match.game.witness(event, seat)
            if seen is not None and (sentence := words.tell(seen, self.match.names)):
                self.show(f"· {sentence}")
        self._told[seat] = len(self.match.events)
