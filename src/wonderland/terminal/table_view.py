"""Display of a table: the picture, the marked choice, hints and the log.

`table_screen.py` runs the game on top of it.
"""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, RichLog

from wonderland.components.terminal import ChoiceLabels, Viewport, terminal_ui_of
from wonderland.engine.protocol import Over, Seat
from wonderland.terminal.dialogs import KEYS, Keys, RulebookScreen
from wonderland.terminal.session import Session
from wonderland.terminal.widgets import Offers, PictureWidget, translate_keys


class TableView(Screen[str]):
    """Shows a table from the viewpoint of the person to act."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.seat: Seat | None = None
        """The person to act; `None` while bots move."""
        self.choices: dict[str, Any] = {}
        self.marked: Any | None = None
        self.typed = ""
        self.hint = ""
        """The hint for the person to act."""
        self.hurry = False
        """Whether to skip animations and pauses until a person is to act."""
        self._frame: Any = None
        """The displayed view."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys for the footer, in the player's language."""
        return translate_keys(super().active_bindings, self.session.say)

    def compose(self) -> ComposeResult:
        """The picture, the choices, the log and the keys, from top to bottom."""
        with Vertical():
            yield PictureWidget()
            yield Offers()
            yield RichLog(id="log", wrap=True, markup=False, max_lines=2000, min_width=0)
        yield Footer(show_command_palette=False)

    def on_picture_widget_resized(self) -> None:
        """Redraw for the new size."""
        self.redraw(self._frame)
        self._tell()

    # Display

    @property
    def eyes(self) -> Seat | None:
        """The seat whose view is shown; `None` for a spectator's."""
        return self.seat if self.seat is not None else self.session.onlooker

    @property
    def names(self) -> list[str]:
        """The players' names."""
        return self.session.names

    def redraw(self, view: Any = None) -> None:
        """Draw a view, by default the current one, and the choices below it."""
        match = self.session.match
        table = self.query_one(PictureWidget)
        view = match.view(self.eyes) if view is None else view
        viewport = Viewport(
            max(table.size.width, 20), max(table.size.height, 5), dark=self.app.current_theme.dark
        )
        drawing = terminal_ui_of(match.game.info.name)
        table.show(drawing.draw(view, self.names, viewport, self.marked, self.session.say))
        self.query_one(RichLog).border_title = table.complaint(self.app.size, self.session.say)
        self._frame = view
        self._show_offers()

    def _show_offers(self) -> None:
        match, offers = self.session.match, self.query_one(Offers)
        if self.seat is None:
            offers.say(self._describe_waiting())
            return
        words = []
        drawn = [spot.action for spot in self.query_one(PictureWidget).picture.spots]
        if any(action not in drawn for action in self.choices.values()):
            drawing, view = terminal_ui_of(match.game.info.name), match.view(self.seat)
            own = drawing.label if isinstance(drawing, ChoiceLabels) else None
            for key, action in self.choices.items():
                word = match.game.write(action) if own is None else own(view, action, self.session.say)
                words.append((f"{key} {word}", action))
        offer = self.session.words.describe_action(match.view(self.seat), self.marked, self.session.say)
        typed = f"{self.typed}_ " if self.typed else ""
        heading = self.session.say.label(self.names[self.seat], f"{typed}{offer}")
        offers.show(words, self.marked, heading, self.hint)

    def _describe_waiting(self) -> str:
        say = self.session.say
        if isinstance(self.session.match.turn, Over):
            return say("The game is over. Press a to play again, o for another game, q to quit.")
        bot = self.session.next_bot
        skip = say("Press space to skip ahead.")
        if bot is None:
            return f"… {skip}"
        thinking = say("{name} is thinking…", name=self.names[bot])
        return thinking if self.hurry else say.sentences([thinking, skip])

    def _tell(self) -> None:
        log = self.query_one(RichLog)
        log.clear()
        for sentence in self.session.introductions() if not self.session.began else ():
            log.write(Text(sentence, "dim"))
        for sentence in self.session.log(self.eyes):
            log.write(Text(sentence, "dim"))
        for sentence in self.session.fresh(self.eyes):
            log.write(Text(sentence))

    # Keys that don't affect the game

    def action_scroll_log(self, direction: int) -> None:
        """Scroll the log by a page."""
        log = self.query_one(RichLog)
        log.scroll_relative(y=direction * max(log.size.height - 1, 1), animate=False)

    def action_rules(self) -> None:
        """Open the rulebook at the rule that applies now."""
        match = self.session.match
        number = terminal_ui_of(match.game.info.name).rule(match.view(self.eyes))
        self.app.push_screen(RulebookScreen(match.game.info.name, number, self.session.say.code))

    def action_light(self) -> None:
        """Toggle between light and dark."""
        dark = self.app.current_theme.dark
        self.app.theme = "textual-light" if dark else "textual-dark"
        self.call_after_refresh(self.redraw)

    def action_keys(self) -> None:
        """Show all keys."""
        self.app.push_screen(Keys(KEYS, self.session.say))
