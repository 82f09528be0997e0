"""Modal screens: the curtain between two people, quit confirmation, keys, rulebook and result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import ClassVar, TypeAlias

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from wonderland.components.rulebook import rulebook
from wonderland.components.terminal import Viewport, terminal_ui_of
from wonderland.components.text_layout import align_left, wrap_text
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.protocol import Over
from wonderland.terminal.plain_text import pass_keyboard
from wonderland.terminal.session import Session

CURTAIN_STAYS = 0.6
"""Seconds before the curtain can be lifted."""
_KEYS_WIDTH = 70
"""Cells for a line about a key: as many as a dialog has in a terminal of 80 columns."""
KeyGroup: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A heading, and keys with what they do."""
KEYS: tuple[KeyGroup, ...] = (
    (
        phrase("Choosing"),
        (
            ("1 2 3 …", phrase("mark a choice: the table shows what it would do")),
            ("1 1", phrase("the same number again: play it, if the numbers have one digit")),
            ("← → ↑ ↓ Tab", phrase("mark another choice")),
            ("Enter", phrase("play the marked choice")),
            ("h", phrase("hint: mark what the strongest bot would do in your place")),
            (phrase("mouse"), phrase("point to mark, click to play")),
        ),
    ),
    (
        phrase("Looking around"),
        (
            (phrase("space"), phrase("skip ahead to your turn")),
            ("r", phrase("the rulebook, at the rule that matters now")),
            ("PgUp PgDn", phrase("scroll the log")),
            ("l", phrase("light or dark")),
            ("?", phrase("these keys")),
            ("q", phrase("quit; a game that's being saved can be resumed")),
        ),
    ),
)


def key_lines(groups: Sequence[KeyGroup], say: Language) -> Iterator[Text]:
    """Describe keys, line by line, under their headings."""
    widest = max(cell_len(say(key)) for _, keys in groups for key, _ in keys)
    for number, (heading, keys) in enumerate(groups):
        if number:
            yield Text()
        yield Text(say(heading), "bold")
        for key, about in keys:
            line = f"  {align_left(say(key), widest)}  {say(about)}"
            yield from map(Text, wrap_text(line, _KEYS_WIDTH, " " * (widest + 4)))


def button(key: str, text: str, action: str) -> Static:
    """Create a line that names a key and can be clicked."""
    return Static(f"[@click={action}]{key}: {text}[/]", classes="button")


class Curtain(ModalScreen[bool]):
    """Hides the table until the next person has the keyboard.

    It stays down for a moment, because the key or click that played a card may be repeated.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ready", priority=True),
        Binding("q", "leave"),
    ]

    def __init__(self, name: str, say: Language) -> None:
        super().__init__()
        self.say = say
        self.next_name = name
        self.since = monotonic()

    def compose(self) -> ComposeResult:
        """The instruction to pass the keyboard on."""
        passing = pass_keyboard(self.next_name, self.say)
        sentences = self.say.sentences([passing, self.say("Press q to quit.")])
        yield Static(sentences, classes="dialog", markup=False)

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
        Binding("q,y", "answer(True)"),
        Binding("escape,n", "answer(False)"),
    ]

    def __init__(self, say: Language) -> None:
        super().__init__()
        self.say = say

    def compose(self) -> ComposeResult:
        """The warning and two answers."""
        with Vertical(classes="dialog"):
            yield Static(self.say("This game isn't being saved, so you can't come back to it."))
            yield button("q", self.say("leave anyway"), "screen.answer(True)")
            yield button("Esc", self.say("keep playing"), "screen.answer(False)")

    def action_answer(self, really: bool) -> None:  # noqa: FBT001 - the answer itself
        """Close with the answer."""
        self.dismiss(really)


class Keys(ModalScreen[None]):
    """Help on all keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,question_mark,f1", "close")]

    def __init__(self, keys: Sequence[KeyGroup], say: Language) -> None:
        super().__init__()
        self.keys = keys
        self.say = say

    def compose(self) -> ComposeResult:
        """The list of keys."""
        yield Static(Text("\n").join(key_lines(self.keys, self.say)), classes="dialog")

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()

    def on_click(self) -> None:
        """Back to the table."""
        self.dismiss()


class RulebookScreen(ModalScreen[None]):
    """The rulebook of a game, scrolled to one rule."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,r,enter", "close")]

    def __init__(self, game: str, number: str, language: str = ENGLISH.code) -> None:
        super().__init__()
        self.language = language
        self.game = game
        self.number = number

    def compose(self) -> ComposeResult:
        """One widget for every paragraph and every rule."""
        from rich.markdown import Markdown  # noqa: PLC0415 - slow to import, and needed only here

        with VerticalScroll(classes="book"):
            for block in blocks_of(rulebook(self.game, self.language)):
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
        Binding("a", "next('again')"),
        Binding("o", "next('other')"),
        Binding("q", "next('quit')"),
        Binding("escape", "close"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        """The sheet and the choices."""
        say = self.session.say
        with Vertical(classes="dialog"):
            yield Static(id="sheet")
            yield button("a", say("play again"), "screen.next('again')")
            yield button("o", say("another game"), "screen.next('other')")
            yield Static(say.label(say("Esc"), say("back to the table")), classes="hint")
            yield button("q", say("quit"), "screen.next('quit')")

    def on_resize(self) -> None:
        """Draw the sheet to fit the window."""
        match = self.session.match
        width = int(self.app.size.width * 0.96) - 6  # the dialog's width without its frame
        viewport = Viewport(width, self.app.size.height - 8, dark=self.app.current_theme.dark)
        drawing = terminal_ui_of(match.game.info.name)
        names, say = self.session.names, self.session.say
        picture = drawing.sheet(match.view(self.session.onlooker), names, viewport, say)
        turn = match.turn
        if isinstance(turn, Over):
            picture.add("", Text(turn.result.verdict(names, say), "bold"), "")
        self.query_one("#sheet", Static).update(Text("\n").join(picture.lines))

    def action_close(self) -> None:
        """Close the dialog to see the table, whose keys offer the same choices."""
        self.dismiss(None)

    def action_next(self, what: str) -> None:
        """Close with what the player wants next."""
        self.dismiss(what)
