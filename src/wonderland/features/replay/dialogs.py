"""Dialogs of the replay screen: key help, search, and the questions before playing on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from wonderland.bots import default_level, levels
from wonderland.engine.protocol import Seat

KEYS = """\
[b]Going[/b]
  → ←          one decision on, or back; space is on too
  PgDn PgUp    ten on, or back
  Home End     the deal, the end
  1 2 3 …      type a number, then Enter: go there
  /            search what happened; n: the next place

[b]Looking[/b]
  s            through the eyes of the next seat
  o            all cards open
  ↑ ↓          scroll the log
  r            the rulebook, at the rule that matters there
  l            light or dark

[b]Playing[/b]
  w            what if: play on from here against bots
  ?            these keys
  q            leave"""


class SearchDialog(ModalScreen[str]):
    """Asks for words to search for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close")]

    def compose(self) -> ComposeResult:
        """A text input."""
        with Vertical(classes="dialog"):
            yield Static("Which words? Enter goes to the next place where they stand, Esc stays here.")
            yield Input(placeholder="a name, a card, what somebody did")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Start the search."""
        self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Cancel the search."""
        self.dismiss("")


class PlayOnDialog(ModalScreen[tuple[Seat, str] | None]):
    """Asks which seat to play, and for the level of the bots."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "close")]

    def __init__(self, game: str, names: Sequence[str], proposed: Seat) -> None:
        super().__init__()
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
        self._ask("What if? Play on from here, in whose place?", answers, self.proposed)

    def _ask_for_level(self) -> None:
        available = levels(self.game)
        usual = [each.word for each in available].index(default_level(self.game).word)
        answers = [
            Text.assemble(f"{number}  ", (each.name, "bold"), f"\n   {each.about}")
            for number, each in enumerate(available, start=1)
        ]
        self._ask("How well do the others play?", answers, usual)

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
