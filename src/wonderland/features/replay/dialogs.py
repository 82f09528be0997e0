"""Dialogs of the replay screen: key help, search, and the questions before playing on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from wonderland.bots import default_level, levels
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import Seat
from wonderland.terminal.dialogs import KeyGroup

KEYS: tuple[KeyGroup, ...] = (
    (
        phrase("Moving around"),
        (
            ("→ ←", phrase("forward or back one move; space is forward too")),
            ("PgDn PgUp", phrase("forward or back ten moves")),
            ("Home End", phrase("the start, the end")),
            ("1 2 3 … Enter", phrase("go to the move with this number")),
            ("/ n", phrase("search what happened; next match")),
        ),
    ),
    (
        phrase("Looking around"),
        (
            ("s", phrase("see what the next player could see")),
            ("o", phrase("all cards face up")),
            ("↑ ↓", phrase("scroll the log")),
            ("r", phrase("the rulebook, at the rule that matters now")),
            ("l", phrase("light or dark")),
        ),
    ),
    (
        phrase("Playing"),
        (
            ("c", phrase("What does the coach say?")),
            ("e", phrase("Expected play")),
            ("w", phrase("what if: play on from here against bots")),
            ("?", phrase("these keys")),
            ("q", phrase("quit")),
        ),
    ),
)


class SearchDialog(ModalScreen[str]):
    """Asks for words to search for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close")]

    def __init__(self, say: Language) -> None:
        super().__init__()
        self.say = say

    def compose(self) -> ComposeResult:
        """A text input."""
        with Vertical(classes="dialog"):
            yield Static(self.say("What are you looking for? Enter: next match. Esc: cancel."))
            yield Input(placeholder=self.say("a name, a card, what someone did"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Start the search."""
        self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Cancel the search."""
        self.dismiss("")


class AdviceDialog(ModalScreen[None]):
    """Lines of advice, to be read and closed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,c,e", "close")]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = lines

    def compose(self) -> ComposeResult:
        """The lines."""
        with VerticalScroll(classes="dialog"):
            yield Static(Text("\n".join(self.lines)), id="advice")

    def action_close(self) -> None:
        """Close the dialog."""
        self.dismiss()


class PlayOnDialog(ModalScreen[tuple[Seat, str] | None]):
    """Asks which seat to play, and for the level of the bots."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close")]

    def __init__(self, game: str, names: Sequence[str], proposed: Seat, say: Language) -> None:
        super().__init__()
        self.say = say
        self.game = game
        self.names = names
        self.proposed = proposed
        self.chosen: Seat | None = None

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(classes="dialog menu"):
            yield Static(id="question")
            yield OptionList(id="answers")

    def on_mount(self) -> None:
        """Ask the first question."""
        answers = [Text(f"{number}  {name}") for number, name in enumerate(self.names, start=1)]
        self._ask(self.say("What if? Who will you play as from here?"), answers, self.proposed)

    def _ask_for_level(self) -> None:
        available = levels(self.game)
        usual = [each.word for each in available].index(default_level(self.game).word)
        answers = [
            Text.assemble(f"{number}  ", (self.say(each.name), "bold"), f"\n   {self.say(each.about)}")
            for number, each in enumerate(available, start=1)
        ]
        self._ask(self.say("How strong should the bots be?"), answers, usual)

    def _ask(self, question: str, answers: Sequence[Text], proposed: int) -> None:
        self.query_one("#question", Static).update(Text(question))
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options([Option(text) for text in answers])
        choices.highlighted = proposed
        choices.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the selected answer."""
        self._answer(event.option_index)

    def on_key(self, event: object) -> None:
        """Take a digit as an answer."""
        key = getattr(event, "key", "")
        if key in {*"123456789"} and int(key) <= self.query_one(OptionList).option_count:
            self._answer(int(key) - 1)

    def _answer(self, place: int) -> None:
        if self.chosen is None:
            self.chosen = place
            self._ask_for_level()
        else:
            self.dismiss((self.chosen, levels(self.game)[place].word))

    def action_close(self) -> None:
        """Cancel."""
        self.dismiss(None)
