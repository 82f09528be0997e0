"""The table on the full screen: how a play goes on, and what keys and mouse do.

Keys and mouse mark a choice first, so that the picture can show what it would do; the same key again,
Enter, or a click plays it. Bots move one after the other at the pace that was asked for; they think in
threads of their own, so that the screen goes on meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from time import monotonic
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message_pump import MessagePump
from textual.timer import Timer
from textual.widgets import RichLog

from wonderland.components.terminal import ArrowKeys, TextPicture, terminal_ui_of
from wonderland.engine.errors import WonderlandError
from wonderland.engine.protocol import Seat
from wonderland.terminal.choices import choices_of
from wonderland.terminal.dialogs import Curtain, LeaveDialog, ResultDialog
from wonderland.terminal.session import Session
from wonderland.terminal.table_view import TableView
from wonderland.terminal.widgets import Offers, PictureWidget

_FRAME = 0.07


class TableScreen(TableView):
    """One play. It is dismissed with what the player wants next: again, other or quit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "play", priority=True),
        Binding("right", "step('right')", "choose", key_display="← →", priority=True),
        Binding("left", "step('left')", "choose", show=False, priority=True),
        Binding("up", "step('up')", "choose", show=False, priority=True),
        Binding("down", "step('down')", "choose", show=False, priority=True),
        Binding("tab", "mark(1)", "next", show=False, priority=True),
        Binding("shift+tab", "mark(-1)", "back", show=False, priority=True),
        Binding("pageup", "scroll_log(-1)", "log", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", "log", show=False, priority=True),
        Binding("space", "skip", "skip"),
        Binding("h", "hint", "hint"),
        Binding("a", "after('again')", "again", show=False),
        Binding("o", "after('other')", "other game", show=False),
        Binding("r", "rules", "rules"),
        Binding("l", "light", "light/dark"),
        Binding("question_mark,f1", "keys", "keys", key_display="?"),
        Binding("q", "leave", "quit"),
    ]

    def __init__(self, session: Session, pace: float, fail: Callable[[WonderlandError], None]) -> None:
        super().__init__(session)
        self.pace = pace
        self.fail = fail
        self._at_keyboard: Seat | None = None
        self._shown = len(session.match.events)
        self._frames: Iterator[Any] = iter(())
        self._over = False
        self._timer: Timer | None = None
        self._waiting: Callable[[], None] | None = None
        """What a bot has decided, until it is time to carry it out."""
        self._advised: Any | None = None
        self._has_moved = False
        """Whether someone at this keyboard has done anything yet."""

    def on_mount(self) -> None:
        """Begin."""
        info = self.session.match.game.info
        self.app.title = info.title
        self.query_one(RichLog).can_focus = True
        self.call_after_refresh(self.go_on)

    # How it goes on

    def go_on(self) -> None:
        """Show what has happened, then ask whoever is next, or let a bot move."""
        if self._over:
            return
        self.seat, self.choices, self.marked, self.typed = None, {}, None, ""
        self.hint, self._advised, self._frame = "", None, None
        if self._spin():
            return
        self._tell()
        if (bot := self.session.next_bot) is not None:
            self.redraw()
            self._let_think(bot)
        elif (person := self.session.next_person) is not None:
            if self.session.must_hide(person) and self._at_keyboard != person:
                self._pass_to(person)
            else:
                self.ask(person)
        else:
            self.end()

    def _spin(self) -> bool:
        """Show the frames that lead up to what happened last, if there are any."""
        match = self.session.match
        fresh, self._shown = range(self._shown, len(match.events)), len(match.events)
        if not self.pace or self.hurry:
            return False
        drawing = terminal_ui_of(match.game.info.name)
        frames = [
            frame
            for place in fresh
            for frame in drawing.frames(match.events[place], match.before(place).view(self.eyes))
        ]
        if not frames:
            return False
        self._frames = iter(frames)
        self._next_frame()
        return True

    def _next_frame(self) -> None:
        frame = next(self._frames, None)
        if frame is None:
            self.go_on()
        else:
            self.redraw(frame)
            self._after(_FRAME, self._next_frame)

    def _after(self, seconds: float, what: Callable[[], None]) -> None:
        """Do this next instead of what was to be done; not while something lies over the table."""

        def now() -> None:
            if self.app.screen is self:
                what()
            else:
                self._after(0.2, what)

        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(max(seconds, 0.001), now)

    def _let_think(self, bot: Seat) -> None:
        """Let a bot think; its choice is carried out at the pace, of which thinking is a part."""
        begun = monotonic()

        def thought(action: Any) -> None:
            self._waiting = lambda: self._carry_out(bot, action)
            left = 0 if self.hurry else begun + self.pace - monotonic()
            self._after(left, self._waiting)

        think(self.session.bot_task(bot), self, thought, self._fail)

    def _pass_to(self, person: Seat) -> None:
        def ready(there: bool | None) -> None:  # noqa: FBT001 - what the curtain gives back
            if not there:
                self._leave_or(lambda: self._pass_to(person))
                return
            self.seat = self._at_keyboard = person
            self._tell()
            self.ask(person)

        self.query_one(PictureWidget).show(TextPicture())
        self.query_one(RichLog).clear()
        self.query_one(Offers).say("")
        self.app.push_screen(Curtain(self.session.match.names[person]), ready)

    def ask(self, person: Seat) -> None:
        """Let this person choose."""
        self.seat = self._at_keyboard = person
        self.hurry = False
        self.choices = choices_of(self.session.match, person)
        self.marked = next(iter(self.choices.values()))
        self.redraw()

    def choose(self, action: Any) -> None:
        """Carry out what the person has chosen."""
        if (seat := self.seat) is not None:
            self.session.has_heard(seat)
            self._has_moved = True
            self._carry_out(seat, action)

    def _carry_out(self, seat: Seat, action: Any) -> None:
        """Play an action and go on; leave with the reason if it can't be kept."""
        self._waiting = None
        try:
            self.session.play(seat, action)
        except WonderlandError as error:
            self._fail(error)
        else:
            self.go_on()

    def _fail(self, error: WonderlandError) -> None:
        self._over = True
        self.fail(error)

    def end(self) -> None:
        """Show the result and ask what next."""
        self._over = True
        self.redraw()
        self.app.push_screen(ResultDialog(self.session), self._leave)

    def _leave(self, what: str | None) -> None:
        if what is not None:
            self.dismiss(what)

    def action_after(self, what: str) -> None:
        """Once the game is over and its result has been closed: what next."""
        if self._over:
            self.dismiss(what)

    # Keys and mouse

    def on_key(self, event: events.Key) -> None:
        """Digits mark a choice; the same once more plays it."""
        if self.seat is None or not event.key.isdigit():
            return
        event.stop()
        if not any(key.startswith((event.key, self.typed + event.key)) for key in self.choices):
            return
        longest = max(map(len, self.choices))
        again = longest == 1 and self.choices.get(event.key) == self.marked and self.typed == event.key
        self.typed = event.key if longest == 1 else (self.typed + event.key)[-longest:]
        if self.typed not in self.choices:
            self.typed = event.key
        if again:
            self.choose(self.marked)
        elif self.typed in self.choices:
            self.marked = self.choices[self.typed]
            self.redraw()

    def on_picture_widget_pointed(self, message: PictureWidget.Pointed) -> None:
        """The mouse is over an action."""
        if message.action in self.choices.values() and message.action != self.marked:
            self.marked = message.action
            self.redraw()

    def on_picture_widget_clicked(self, message: PictureWidget.Clicked) -> None:
        """The mouse was clicked on an action."""
        if message.action in self.choices.values():
            self.choose(message.action)

    def action_mark(self, step: int) -> None:
        """Mark the next choice, or the one before."""
        if self.seat is not None:
            actions = list(self.choices.values())
            self._mark(actions[(actions.index(self.marked) + step) % len(actions)])

    def action_step(self, direction: str) -> None:
        """Mark the choice that lies in this direction, where the game says which one that is."""
        match = self.session.match
        drawing = terminal_ui_of(match.game.info.name)
        if self.seat is not None and isinstance(drawing, ArrowKeys):
            self._mark(drawing.step(match.view(self.seat), self.marked, direction))
        else:
            self.action_mark(1 if direction in {"right", "down"} else -1)

    def _mark(self, action: Any) -> None:
        self.marked = action
        self.typed = ""
        self.redraw()

    def action_play(self) -> None:
        """Play what is marked."""
        if self.marked is not None:
            self.choose(self.marked)

    def action_skip(self) -> None:
        """Don't wait for the bots: let them move until a person is asked."""
        if self.seat is None and not self._over:
            self.hurry = True
            self._frames = iter(())
            if self._waiting is not None:
                self._after(0, self._waiting)
            self._show_offers()

    def action_hint(self) -> None:
        """Ask the best bot what it would do in place of the one who is asked."""
        if self._advised is not None:
            self._mark(self._advised)
        if (seat := self.seat) is None or self.hint:
            return
        moment = len(self.session.match.moves)

        def advised(action: Any) -> None:
            if (self.seat, len(self.session.match.moves)) == (seat, moment):
                self.hint, self._advised = f"{self.session.advice(seat, action)}.", action
                self._mark(action)

        self.hint = f"{self.session.adviser_name} is thinking …"
        self._show_offers()
        think(self.session.hint_task(seat), self, advised, self._fail)

    def action_leave(self) -> None:
        """Leave the game; the record is kept where one was asked for."""
        self._leave_or(lambda: None)

    def _leave_or(self, stay: Callable[[], None]) -> None:
        """Leave, if that is really wanted where a game would be lost."""

        def answered(really: bool | None) -> None:  # noqa: FBT001 - what the question gives back
            if really:
                self.dismiss("quit")
            else:
                stay()

        if self._over or not self._has_moved or self.session.keep is not None:
            self.dismiss("quit")
        else:
            self.app.push_screen(LeaveDialog(), answered)


def think(
    about: Callable[[], Any],
    pump: MessagePump,
    then: Callable[[Any], None],
    fail: Callable[[WonderlandError], None],
) -> None:
    """Call `about` in a thread of its own; what comes of it is told among the messages of `pump`.

    Nobody can stop a thread, so it is one that the program does not wait for when the player leaves.
    """
    loop, context = asyncio.get_running_loop(), copy_context()

    def tell(what: Callable[[Any], None], told: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is there any more
            loop.call_soon_threadsafe(lambda: pump.call_later(what, told), context=context)

    def run() -> None:
        try:
            thought = about()
        except WonderlandError as error:
            tell(fail, error)
        else:
            tell(then, thought)

    Thread(target=run, name="thinking", daemon=True).start()
