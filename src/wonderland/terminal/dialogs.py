"""Modal screens: the curtain between two people, quit confirmation, keys, rulebook and result."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from wonderland.components.rulebook import rulebook
from wonderland.components.terminal import Viewport, terminal_ui_of
from wonderland.engine.protocol import Over
from wonderland.terminal.session import Session

CURTAIN_STAYS = 0.6
"""Seconds before the curtain can be lifted."""
_KEYS = """\
[b]Choosing[/b]
  1 2 3 …      mark a choice: the table shows what it would do
  the same     play it (where numbers have one digit)
  ← → ↑ ↓ Tab  mark another one
  Enter        play what is marked
  h            a hint: mark what the best bot would do in your place
  mouse        point to mark, click to play

[b]Looking[/b]
  space        don't wait for the bots
  r            the rulebook, at the rule that matters now
  PgUp PgDn    scroll the log
  l            light or dark
  ?            these keys
  q            leave; a game that is recorded can be resumed"""
_LEAVING = "This game is not recorded, so it can't be resumed."


class Curtain(ModalScreen[bool]):
    """Hides the table until the next person has the keyboard.

    It stays down for a moment, because the key or click that played a card may be repeated.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ready", "ready", priority=True),
        Binding("q", "leave", "quit"),
    ]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.next_name = name
        self.since = monotonic()

    def compose(self) -> ComposeResult:
        """The instruction to pass the keyboard on."""
        sentence = f"Pass the keyboard to {self.next_name}, who presses Enter. (q: quit)"
        yield Static(sentence, classes="dialog", markup=False)

    def action_ready(self) -> None:
        """Lift the curtain, unless it has only just come down."""
        if monotonic() - self.since >= CURTAIN_STAYS:
            self.dismiss(True)  # noqa: FBT003 - the result of this screen

    def action_leave(self) -> None:
        """Leave the game."""
        self.dismiss(False)  # noqa: FBT003 - the same

    def on_click(self) -> None:
        """Lift the curtain."""
        self.action_ready()


class LeaveDialog(ModalScreen[bool]):
    """Asks for confirmation before quitting a game that can't be resumed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,y", "answer(True)", "leave"),
        Binding("escape,n", "answer(False)", "go on"),
    ]

    def compose(self) -> ComposeResult:
        """The warning and two answers."""
        with Vertical(classes="dialog"):
            yield Static(_LEAVING)
            yield Static("[@click=screen.answer(True)]q: leave it[/]", classes="button")
            yield Static("[@click=screen.answer(False)]Esc: go on playing[/]", classes="button")

    def action_answer(self, really: bool) -> None:  # noqa: FBT001 - the answer itself
        """Close with the answer."""
        self.dismiss(really)


class Keys(ModalScreen[None]):
    """Help on all keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,question_mark,f1", "close")]

    def __init__(self, keys: str = _KEYS) -> None:
        super().__init__()
        self.keys = keys

    def compose(self) -> ComposeResult:
        """The list of keys."""
        yield Static(self.keys, classes="dialog")

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()

    def on_click(self) -> None:
        """Back to the table."""
        self.dismiss()


class RulebookScreen(ModalScreen[None]):
    """The rulebook of a game, scrolled to one rule."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,r,enter", "close", "close")]

    def __init__(self, game: str, number: str) -> None:
        super().__init__()
        self.game = game
        self.number = number

    def compose(self) -> ComposeResult:
        """One widget for every paragraph and every rule."""
        from rich.markdown import Markdown  # noqa: PLC0415 - slow to import, and needed only here

        with VerticalScroll(classes="book"):
            for block in blocks_of(rulebook(self.game)):
                here = block.startswith(f"- **{self.number}**")
                yield Static(Markdown(block), classes="here" if here else "")

    def on_mount(self) -> None:
        """Scroll to the rule."""
        here = self.query(".here")
        if here:
            self.call_after_refresh(lambda: here.first().scroll_visible(animate=False, top=True))

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()


def blocks_of(markdown: str) -> list[str]:
    """Split Markdown into paragraphs; every list item is one."""
    blocks: list[str] = []
    for line in markdown.split("\n"):
        if line.startswith("- ") or not blocks or (not line.strip() and blocks[-1].strip()):
            blocks.append(line)
        else:
            blocks[-1] = f"{blocks[-1]}\n{line}" if blocks[-1] else line
    return [block for block in blocks if block.strip()]


class ResultDialog(ModalScreen[str]):
    """The score sheet, the result, and the choice of what next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "next('again')", "again"),
        Binding("o", "next('other')", "other game"),
        Binding("q", "next('quit')", "quit"),
        Binding("escape", "close", "look at the table"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        """The sheet and the choices."""
        with Vertical(classes="dialog"):
            yield Static(id="sheet")
            yield Static("[@click=screen.next('again')]a: again[/]", classes="button")
            yield Static("[@click=screen.next('other')]o: other game[/]", classes="button")
            yield Static("Esc: look at the table", classes="hint")
            yield Static("[@click=screen.next('quit')]q: quit[/]", classes="button")

    def on_resize(self) -> None:
        """Draw the sheet to fit the window."""
        match = self.session.match
        width = int(self.app.size.width * 0.96) - 6  # the dialog's width without its frame
        viewport = Viewport(width, self.app.size.height - 8, dark=self.app.current_theme.dark)
        drawing = terminal_ui_of(match.game.info.name)
        picture = drawing.sheet(match.view(self.session.onlooker), match.names, viewport)
        turn = match.turn
        if isinstance(turn, Over):
            result = turn.result
            picture.add("", Text(f"{result.text(match.names)}: {result.decided}.", "bold"), "")
        self.query_one("#sheet", Static).update(Text("\n").join(picture.lines))

    def action_close(self) -> None:
        """Close the dialog to see the table, whose keys offer the same choices."""
        self.dismiss(None)

    def action_next(self, what: str) -> None:
        """Close with what the player wants next."""
        self.dismiss(what)
