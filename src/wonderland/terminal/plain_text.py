"""Play in plain text: every choice is a number or the notation of an action, and Enter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wonderland.components.rulebook import rulebook
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import Seat
from wonderland.terminal.choices import choice_lines, choices_of, find_choice, no_such_choice
from wonderland.terminal.session import Session

_HELP = (
    ("hint", phrase("what the strongest bot would do in your place")),
    ("table", phrase("show the table again")),
    ("log", phrase("show again what has happened, as you saw it")),
    ("rules", phrase("show the rulebook")),
    ("quit", phrase("leave the game")),
)
"""The words that can be typed besides a choice."""
_CURTAIN = "\n" * 60


def help_lines(words: Sequence[tuple[str, str]], say: Language) -> list[str]:
    """Describe how to choose, and what other words can be typed."""
    widest = max(len(word) for word, _ in words)
    return [
        say("To choose, type a number or a move in notation, and press Enter. You can also type:"),
        *(f"  {word:<{widest}}  {say(about)}" for word, about in words),
    ]


def pass_keyboard(name: str, say: Language) -> str:
    """Ask to pass the keyboard on, because the next player's cards are hidden from others."""
    return say("Pass the keyboard to {name}. {name}, press Enter when you're ready.", name=name)


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
        for sentence in session.introductions() if not session.began else ():
            self.show(f"· {sentence}")
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
        name = self.session.names[seat]
        if self.session.must_hide(seat) and self._at_keyboard != seat:
            self.show(_CURTAIN)
            self._read_answer(f"{pass_keyboard(name, self.session.say)} ")
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
            self.show(no_such_choice(answer, choices, self.session.say, "help"))

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
                for line in help_lines(_HELP, self.session.say):
                    self.show(line)
                self._show_choices(seat, choices)
            case "table":
                self._show_table(seat)
                self._show_choices(seat, choices)
            case "hint":
                self._show_hint(seat)
            case "rules":
                self.show(rulebook(self.session.match.game.info.name, self.session.say.code))
            case "log":
                for sentence in self.session.log(seat):
                    self.show(f"· {sentence}")
            case _:
                return False
        return True

    def _show_hint(self, seat: Seat) -> None:
        self.show(self.session.advice(seat, self.session.hint_task(seat)()))

    def _show_choices(self, seat: Seat, choices: Mapping[str, Any]) -> None:
        match = self.session.match
        for line in choice_lines(match.game, match.view(seat), choices, self.session.say):
            self.show(line)

    def _show_table(self, seat: Seat | None) -> None:
        session = self.session
        for line in session.words.describe(session.match.view(seat), session.names, session.say):
            self.show(line)
