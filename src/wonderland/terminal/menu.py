"""The menu: which game, against whom, at which level."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from wonderland.bots import default_level, levels
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.registry import game, game_names
from wonderland.engine.values import Value
from wonderland.terminal.match_setup import BOT, ME, bot_named
from wonderland.terminal.widgets import translate_keys

_PEOPLE = ("Alice", "Ada", "Mabel", "Mary Ann", "Pat", "Bill")
"""Names of people; none is the name of a bot."""


class MenuChoice(Value, frozen=True):
    """The chosen game and seats."""

    game: str
    seats: tuple[str, ...]


class Menu(Screen[MenuChoice | None]):
    """Asks for game, opponents and level; answered with the arrow keys, a digit or the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", phrase("quit")),
        Binding("escape,backspace", "back", phrase("back")),
    ]

    def __init__(
        self, seats: tuple[str, ...] = (), level: str | None = None, say: Language = ENGLISH
    ) -> None:
        super().__init__()
        self.say = say
        self.chosen: str | None = None
        self.bots = 0
        """Number of bots; 0 until it is chosen."""
        self.seats = seats
        """The seats, if they are already decided."""
        self.level = level
        """The preselected level, if it isn't the default."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys for the footer, in the player's language."""
        return translate_keys(super().active_bindings, self.say)

    def compose(self) -> ComposeResult:
        """The question and its answers."""
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
            about = self.say(info.about)
            text = Text.assemble(f"{number}  ", (self.say(info.title), "bold"), f"\n   {about}")
            answers.append(Option(text, id=name))
        self._ask(self.say("What would you like to play?"), answers)

    def ask_for_seats(self, name: str) -> None:
        """Ask for the opponents."""
        self.chosen, self.bots = name, 0
        most = game(name).info.seats[-1]
        lineups = [(ME, *[BOT] * bots) for bots in range(1, most)]
        lineups += [_PEOPLE[:people] for people in range(2, min(most, len(_PEOPLE)) + 1)]
        answers = [
            Option(f"{number % 10}  {self._describe_seats(seats)}", id=",".join(seats))
            for number, seats in enumerate(lineups, start=1)
        ]
        title = self.say(game(name).info.title)
        self._ask(self.say("{game}: who will you play against?", game=title), answers)

    def ask_for_level(self, name: str, bots: int) -> None:
        """Ask for the level of the bots."""
        self.bots = bots
        proposed = self.level if self.level and bot_named(name, self.level) else default_level(name).word
        word = proposed.partition("@")[0].strip().lower().replace(" ", "-")
        answers = []
        for number, each in enumerate(levels(name), start=1):
            about = self.say(each.about)
            text = Text.assemble(f"{number}  ", (self.say(each.name), "bold"), f"\n   {about}")
            answers.append(Option(text, id=proposed if each.word == word else each.word))
        question = self.say.plural(
            "{game} against {number} bot: how strong should it be?",
            "{game} against {number} bots: how strong should they be?",
            bots,
            game=self.say(game(name).info.title),
        )
        self._ask(question, answers, proposed)

    def _describe_seats(self, seats: tuple[str, ...]) -> str:
        if bots := seats.count(BOT):
            return self.say.plural("{number} bot", "{number} bots", bots)
        return self.say.plural(
            "{number} person at this keyboard: {names}",
            "{number} people at this keyboard: {names}",
            len(seats),
            names=self.say.join_list(seats),
        )

    def _ask(self, question: str, answers: list[Option], proposed: str | None = None) -> None:
        self.query_one("#question", Static).update(Text(question))
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options(answers)
        choices.highlighted = 0 if proposed is None else choices.get_option_index(proposed)
        choices.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the selected answer."""
        self._answer(event.option)

    def on_key(self, event: object) -> None:
        """Take a digit as an answer."""
        key = getattr(event, "key", "")
        choices = self.query_one(OptionList)
        place = (int(key) or 10) if key in {*"0123456789"} else 0  # 0 selects the tenth
        if 1 <= place <= choices.option_count:
            self._answer(choices.get_option_at_index(place - 1))

    def _answer(self, option: Option) -> None:
        answer = str(option.id)
        if self.seats:
            self.dismiss(MenuChoice(answer, self.seats))
        elif self.chosen is None:
            self.ask_for_seats(answer)
        elif self.bots:
            self.dismiss(MenuChoice(self.chosen, (ME, *[answer] * self.bots)))
        elif bots := answer.split(",").count(BOT):
            self.ask_for_level(self.chosen, bots)
        else:
            self.dismiss(MenuChoice(self.chosen, tuple(answer.split(","))))

    def action_back(self) -> None:
        """Return to the previous question, or close the menu at the first."""
        if self.chosen is None:
            self.dismiss(None)
        elif self.bots:
            self.ask_for_seats(self.chosen)
        else:
            self.ask_for_game()

    def action_leave(self) -> None:
        """Close the menu without a choice."""
        self.dismiss(None)
