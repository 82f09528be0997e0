"""Play in plain text: every choice is a number or the notation of an action, and Enter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wonderland.components.rulebook import rulebook
from wonderland.engine.protocol import Seat
from wonderland.terminal.choices import choice_lines, choices_of, find_choice, no_such_choice
from wonderland.terminal.session import Session

_HELP = """\
Type the number of a choice, or its notation, and Enter. Other words:
  hint     what the best bot would do in your place
  table    show the table again
  log      tell again what has happened, as you saw it
  rules    show the rulebook
  quit     leave the game"""
_CURTAIN = "\n" * 60


class QuitGame(Exception):  # noqa: N818 - not an error, but an ordinary way to end
    """The input ended, or a player quit."""


@dataclass(slots=True)
class PlainTable:
    """Plays a session at the prompt."""

    session: Session
    ask: Callable[[str], str] = input
    show: Callable[[str], None] = print
    _at_keyboard: Seat | None = None

    def play(self) -> None:
        """Play to the end; raise `QuitGame` if someone quits."""
        session = self.session
        while True:
            if (bot := session.next_bot) is not None:
                session.play_bot(bot)
            elif (person := session.next_person) is not None:
                session.play(person, self._ask_person(person))
            else:
                break
        if session.onlooker is None and session.people:
            self.show(_CURTAIN)
        for sentence in session.news(session.onlooker):
            self.show(f"· {sentence}")
        self._show_table(session.onlooker)

    def _ask_person(self, seat: Seat) -> Any:
        name = self.session.match.names[seat]
        if self.session.must_hide(seat) and self._at_keyboard != seat:
            self.show(_CURTAIN)
            self._read_answer(f"Pass the keyboard to {name}, who presses Enter. ")
        self._at_keyboard = seat
        for sentence in self.session.news(seat):
            self.show(f"· {sentence}")
        self._show_table(seat)
        choices = choices_of(self.session.match, seat)
        self._show_choices(seat, choices)
        while True:
            answer = self._read_answer(f"{name}: ").strip().lower()
            if self._run_command(answer, seat, choices):
                continue
            if (action := find_choice(self.session.match.game, choices, answer)) is not None:
                return action
            self.show(no_such_choice(answer, choices))

    def _read_answer(self, question: str) -> str:
        try:
            return self.ask(question)
        except EOFError:
            raise QuitGame from None

    def _run_command(self, answer: str, seat: Seat, choices: Mapping[str, Any]) -> bool:
        match answer:
            case "quit" | "q" | "exit":
                raise QuitGame
            case "help" | "h" | "?" | "":
                self.show(_HELP)
                self._show_choices(seat, choices)
            case "table":
                self._show_table(seat)
                self._show_choices(seat, choices)
            case "hint":
                self._show_hint(seat)
            case "rules":
                self.show(rulebook(self.session.match.game.info.name))
            case "log":
                for sentence in self.session.log(seat):
                    self.show(f"· {sentence}")
            case _:
                return False
        return True

    def _show_hint(self, seat: Seat) -> None:
        action = self.session.hint_task(seat)()
        offer = self.session.words.offer(self.session.match.view(seat), action)
        self.show(f"{self.session.advice(seat, action)}: {offer}.")

    def _show_choices(self, seat: Seat, choices: Mapping[str, Any]) -> None:
        match = self.session.match
        for line in choice_lines(match.game, match.view(seat), choices):
            self.show(line)

    def _show_table(self, seat: Seat | None) -> None:
        match = self.session.match
        for line in self.session.words.describe(match.view(seat), match.names):
            self.show(line)
