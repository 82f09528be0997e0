"""The first screen: what to play, and against whom."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from wonderland.core.registry import game, game_names
from wonderland.core.values import Value
from wonderland.terminal.setup import ME

_PEOPLE = ("Alice", "Hatter", "Cheshire", "Queen", "Rabbit", "Caterpillar")


class Wish(Value, frozen=True):
    """What someone wants to play, and who sits where."""

    game: str
    seats: tuple[str, ...]


class Menu(Screen[Wish | None]):
    """Two questions, answered with arrows, a number or the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "quit"),
        Binding("escape,backspace", "back", "back"),
    ]

    def __init__(self, seats: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.chosen: str | None = None
        self.seats = seats
        """Who sits where, if that is settled."""

    def compose(self) -> ComposeResult:
        """A question and its answers."""
        with Vertical(classes="menu"):
            yield Static(Text("W O N D E R L A N D", "bold"), classes="title")
            yield Static("", id="question")
            yield OptionList(id="answers")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Ask the first question."""
        self.ask_for_game()

    def ask_for_game(self) -> None:
        """Ask which game."""
        self.chosen = None
        answers = []
        for number, name in enumerate(game_names(), start=1):
            info = game(name).info
            text = Text.assemble(f"{number}  ", (info.title, "bold"), f"\n   {info.about}")
            answers.append(Option(text, id=name))
        self._ask("What would you like to play?", answers)

    def ask_for_seats(self, name: str) -> None:
        """Ask against whom."""
        self.chosen = name
        most = game(name).info.seats[-1]
        wishes = [(ME, *["bot"] * bots) for bots in range(1, most)]
        wishes += [_PEOPLE[:people] for people in range(2, most + 1)]
        answers = [
            Option(f"{number % 10}  {_said(seats)}", id=",".join(seats))
            for number, seats in enumerate(wishes, start=1)
        ]
        self._ask(f"{game(name).info.title}: against whom?", answers)

    def _ask(self, question: str, answers: list[Option]) -> None:
        self.query_one("#question", Static).update(Text(question))
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options(answers)
        choices.highlighted = 0
        choices.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An answer: go on to the next question, or sit down."""
        self._answer(event.option)

    def on_key(self, event: object) -> None:
        """A number is an answer too."""
        key = getattr(event, "key", "")
        choices = self.query_one(OptionList)
        place = (int(key) or 10) if key in {*"0123456789"} else 0  # 0 is the tenth
        if 1 <= place <= choices.option_count:
            self._answer(choices.get_option_at_index(place - 1))

    def _answer(self, option: Option) -> None:
        if self.seats:
            self.dismiss(Wish(str(option.id), self.seats))
        elif self.chosen is None:
            self.ask_for_seats(str(option.id))
        else:
            self.dismiss(Wish(self.chosen, tuple(str(option.id).split(","))))

    def action_back(self) -> None:
        """Back to the first question, or away from it."""
        if self.chosen is None:
            self.dismiss(None)
        else:
            self.ask_for_game()

    def action_leave(self) -> None:
        """Play nothing."""
        self.dismiss(None)


def _said(seats: tuple[str, ...]) -> str:
    bots = seats.count("bot")
    if not bots:
        return f"{len(seats)} people at this keyboard: {', '.join(seats)}"
    return "one bot" if bots == 1 else f"{bots} bots"
