"""Full-screen replay: step, jump, search, change the viewpoint, and play on from any position."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import RichLog

from wonderland.engine.errors import WonderlandError, quote
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Over, Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.features.replay.branch import branch_at
from wonderland.features.replay.dialogs import KEYS, PlayOnDialog, SearchDialog
from wonderland.features.replay.model import Replay
from wonderland.features.replay.prompt import play_on_session, proposed_seat
from wonderland.terminal.app import Shell
from wonderland.terminal.dialogs import Keys
from wonderland.terminal.session import Session
from wonderland.terminal.table_screen import TableScreen
from wonderland.terminal.table_view import TableView
from wonderland.terminal.widgets import Offers

_PAGE = 10
_LONGEST_NUMBER = 4


class ReplayApp(Shell):
    """Textual app that shows one record."""

    def __init__(self, replay: Replay, *, pace: float, light: bool = False) -> None:
        super().__init__(pace=pace, light=light)
        self.replay = replay

    def on_mount(self) -> None:
        """Open the record."""
        self.title = self.replay.record.game.info.title
        self.push_screen(ReplayScreen(self.replay, self), lambda _: self.exit())


class ReplayScreen(TableView):
    """One position of a record, with navigation."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "go(1)", "step", key_display="← →", priority=True),
        Binding("left", "go(-1)", "back", show=False, priority=True),
        Binding("pagedown", f"go({_PAGE})", "ten on", show=False, priority=True),
        Binding("pageup", f"go({-_PAGE})", "ten back", show=False, priority=True),
        Binding("home", "jump(0)", "first", show=False, priority=True),
        Binding("end", "jump(-1)", "last", show=False, priority=True),
        Binding("enter", "go_there", "go there", show=False, priority=True),
        Binding("down", "scroll_log(1)", "log", show=False, priority=True),
        Binding("up", "scroll_log(-1)", "log", show=False, priority=True),
        Binding("slash", "search", "search", key_display="/"),
        Binding("n", "search_on", "next", show=False),
        Binding("s", "eyes", "seat"),
        Binding("o", "open", "open"),
        Binding("w", "what_if", "what if"),
        Binding("r", "rules", "rules"),
        Binding("l", "light", "light/dark", show=False),
        Binding("question_mark,f1", "keys", "keys", key_display="?"),
        Binding("q", "leave", "quit"),
    ]

    def __init__(self, replay: Replay, shell: Shell) -> None:
        super().__init__(_static_session(replay.at(0)))
        self.replay = replay
        self.shell = shell
        self.number = 0
        self.sought = ""
        self.said = ""
        """Message about the last action; cleared by the next."""

    def on_mount(self) -> None:
        """Show the deal."""
        self.call_after_refresh(self._show, 0)

    # Display

    @property
    def eyes(self) -> Seat | None:
        """The seat whose view is shown; `None` shows all cards."""
        return self.replay.seat

    def redraw(self, view: Any = None) -> None:
        """Draw the position."""
        super().redraw(self.replay.view(self.session.match) if view is None else view)

    def _show(self, number: int, said: str = "") -> None:
        """Go to a position, clamped to the valid range, and show it."""
        self.number = min(max(number, 0), self.replay.last)
        self.typed, self.said = "", said
        self.session = _static_session(self.replay.at(self.number))
        self.redraw()
        self._tell()

    def _show_offers(self) -> None:
        match = self.session.match
        where = f"Position {self.number} of {self.replay.last}, {self.replay.eyes}"
        if self.typed:
            self.query_one(Offers).say(f"{where}\nGo to {self.typed}_ and press Enter")
        else:
            self.query_one(Offers).say(f"{where}\n{self.said or _describe_turn(match)}")

    def _tell(self) -> None:
        log, match = self.query_one(RichLog), self.session.match
        before = self.replay.events_before(match, self.number)
        log.clear()
        for sentence in self.replay.told(match, 0, before):
            log.write(Text(sentence, "dim"))
        for sentence in self.replay.told(match, before):
            log.write(Text(sentence))

    # Navigation

    def on_key(self, event: events.Key) -> None:
        """Collect digits as the number of a position."""
        if event.key.isdigit():
            self.typed = (self.typed + event.key)[-_LONGEST_NUMBER:]
            self._show_offers()

    def action_go(self, steps: int) -> None:
        """Step forward, or back if negative."""
        self._show(self.number + steps)

    def action_jump(self, number: int) -> None:
        """Jump to a position; -1 is the last."""
        self._show(self.replay.last if number < 0 else number)

    def action_go_there(self) -> None:
        """Jump to the typed number."""
        if self.typed:
            self._show(int(self.typed))

    def action_search(self) -> None:
        """Ask for words and jump to where they occur."""

        def on_words(words: str | None) -> None:
            self.sought = words or self.sought
            if words:
                self.action_search_on()

        self.app.push_screen(SearchDialog(), on_words)

    def action_search_on(self) -> None:
        """Jump to the next match of the last search."""
        if self.sought:
            found = self.replay.found(self.sought, self.number)
            said = "" if found is not None else f"{quote(self.sought)} stands nowhere in this story."
            self._show(self.number if found is None else found, said)

    # Viewpoint

    def action_eyes(self) -> None:
        """Switch to the next viewpoint."""
        self.replay = self.replay.next_viewpoint
        self._show(self.number)

    def action_open(self) -> None:
        """Show all cards."""
        self.replay = Replay(self.replay.record)
        self._show(self.number)

    def action_keys(self) -> None:
        """Show all keys."""
        self.app.push_screen(Keys(KEYS))

    def action_leave(self) -> None:
        """Close the record."""
        self.dismiss("quit")

    # Playing on

    def action_what_if(self) -> None:
        """Ask for seat and level, then play on from here."""
        record, match = self.replay.record, self.session.match
        try:
            branch_at(record, self.number, random.Random())
        except WonderlandError as error:
            self._show(self.number, str(error).capitalize())
            return
        seat = proposed_seat(match, self.replay.seat)
        self.app.push_screen(PlayOnDialog(record.game.info.name, record.names, seat), self._sit_down)

    def _sit_down(self, chosen: tuple[Seat, str] | None) -> None:
        if chosen is None:
            return

        def on_close(what: str | None) -> None:
            if what == "again":
                self._sit_down(chosen)
            else:
                self._show(self.number, "Back to the record, which is as it was.")

        session = play_on_session(self.replay.record, self.number, *chosen)
        self.app.push_screen(TableScreen(session, self.shell.pace, self.shell.fail), on_close)


def _static_session(match: AnyMatch) -> Session:
    """Session that only shows a match, without players."""
    return Session(match, {}, random.Random(0))


def _describe_turn(match: AnyMatch) -> str:
    turn = match.turn
    if isinstance(turn, Over):
        return f"The game is over: {turn.result.text(match.names)}."
    names = [match.names[seat] for seat in seats_to_act(turn)]
    return f"{', '.join(names)} to decide.  w: what if, play on from here" if names else ""
