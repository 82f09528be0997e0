"""The table on the full screen: the course of a game, keys and mouse.

Keys and mouse first mark a choice, so that the picture can preview it; the same key again, Enter or a
click plays it. Bots move one after another at the configured pace and think in background threads, so
that the screen stays responsive.
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
from wonderland.engine.language import phrase
from wonderland.engine.protocol import Seat
from wonderland.terminal.choices import choices_of
from wonderland.terminal.dialogs import Curtain, LeaveDialog, ResultDialog
from wonderland.terminal.session import Session
from wonderland.terminal.table_view import TableView
from wonderland.terminal.widgets import Offers, PictureWidget

_FRAME = 0.07
"""Seconds per animation frame."""


class TableScreen(TableView):
    """Plays one game; dismissed with what the player wants next: again, other or quit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", phrase("play"), priority=True),
        Binding("right", "step('right')", phrase("choose"), key_display="← →", priority=True),
        Binding("left", "step('left')", show=False, priority=True),
        Binding("up", "step('up')", show=False, priority=True),
        Binding("down", "step('down')", show=False, priority=True),
        Binding("tab", "mark(1)", show=False, priority=True),
        Binding("shift+tab", "mark(-1)", show=False, priority=True),
        Binding("pageup", "scroll_log(-1)", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", show=False, priority=True),
        Binding("space", "skip", phrase("skip"), key_display="␣"),
        Binding("h", "hint", phrase("hint")),
        Binding("a", "after('again')", show=False),
        Binding("o", "after('other')", show=False),
        Binding("r", "rules", phrase("rules")),
        Binding("l", "light", phrase("light/dark")),
        Binding("question_mark,f1", "keys", phrase("keys"), key_display="?"),
        Binding("q", "leave", phrase("quit")),
    ]

    def __init__(self, session: Session, pace: float, fail: Callable[[WonderlandError], None]) -> None:
        super().__init__(session)
        self.pace = pace
        self.fail = fail
        self._at_keyboard: Seat | None = None
        self._shown = len(session.match.events)
        self._frames: Iterator[Any] = iter(())
        self._is_over = False
        self._timer: Timer | None = None
        self._pending_move: Callable[[], None] | None = None
        """A bot's decision, until it is time to apply it."""
        self._hinted_action: Any | None = None
        self._has_moved = False
        """Whether a person has made a move yet."""

    def on_mount(self) -> None:
        """Start the game."""
        self.app.title = self.session.say(self.session.match.game.info.title)
        self.query_one(RichLog).can_focus = True
        self.call_after_refresh(self.go_on)

    # Course of the game

    def go_on(self) -> None:
        """Show what has happened, then ask the next person or let a bot move."""
        if self._is_over:
            return
        self.seat, self.choices, self.marked, self.typed = None, {}, None, ""
        self.hint, self._hinted_action, self._frame = "", None, None
        if self._start_animation():
            return
        self._tell()
        if (bot := self.session.next_bot) is not None:
            self.redraw()
            self._start_bot(bot)
        elif (person := self.session.next_person) is not None:
            if self.session.must_hide(person) and self._at_keyboard != person:
                self._pass_to(person)
            else:
                self.ask(person)
        else:
            self.end()

    def _start_animation(self) -> bool:
        """Start the animation of the latest events; return whether there is one."""
        match = self.session.match
        new_events, self._shown = range(self._shown, len(match.events)), len(match.events)
        if not self.pace or self.hurry:
            return False
        drawing = terminal_ui_of(match.game.info.name)
        frames = [
            frame
            for place in new_events
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
            self._schedule(_FRAME, self._next_frame)

    def _schedule(self, seconds: float, what: Callable[[], None]) -> None:
        """Schedule a call, replacing the pending one; it waits while a dialog is open."""

        def now() -> None:
            if self.app.screen is self:
                what()
            else:
                self._schedule(0.2, what)

        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(max(seconds, 0.001), now)

    def _start_bot(self, bot: Seat) -> None:
        """Let a bot think, then apply its choice; the pace includes the thinking time."""
        begun = monotonic()

        def on_decision(action: Any) -> None:
            self._pending_move = lambda: self._apply_action(bot, action)
            left = 0 if self.hurry else begun + self.pace - monotonic()
            self._schedule(left, self._pending_move)

        run_in_thread(self.session.bot_task(bot), self, on_decision, self._fail)

    def _pass_to(self, person: Seat) -> None:
        def on_ready(is_ready: bool | None) -> None:  # noqa: FBT001 - the curtain's result
            if not is_ready:
                self._confirm_leaving(lambda: self._pass_to(person))
                return
            self.seat = self._at_keyboard = person
            self._tell()
            self.ask(person)

        self.query_one(PictureWidget).show(TextPicture())
        self.query_one(RichLog).clear()
        self.query_one(Offers).say("")
        self.app.push_screen(Curtain(self.session.names[person], self.session.say), on_ready)

    def ask(self, person: Seat) -> None:
        """Let this person choose."""
        self.seat = self._at_keyboard = person
        self.hurry = False
        self.choices = choices_of(self.session.match, person)
        self.marked = next(iter(self.choices.values()))
        self.redraw()

    def choose(self, action: Any) -> None:
        """Apply the person's choice."""
        if (seat := self.seat) is not None:
            self.session.mark_read(seat)
            self._has_moved = True
            self._apply_action(seat, action)

    def _apply_action(self, seat: Seat, action: Any) -> None:
        """Apply an action and continue; exit with the error if the record can't be saved."""
        self._pending_move = None
        try:
            self.session.play(seat, action)
        except WonderlandError as error:
            self._fail(error)
        else:
            self.go_on()

    def _fail(self, error: WonderlandError) -> None:
        self._is_over = True
        self.fail(error)

    def end(self) -> None:
        """Show the result and ask what next."""
        self._is_over = True
        self.redraw()
        self.app.push_screen(ResultDialog(self.session), self._leave)

    def _leave(self, what: str | None) -> None:
        if what is not None:
            self.dismiss(what)

    def action_after(self, what: str) -> None:
        """Close with what the player wants next, once the game is over."""
        if self._is_over:
            self.dismiss(what)

    # Keys and mouse

    def on_key(self, event: events.Key) -> None:
        """Mark a choice by its digits; the same digit again plays it."""
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
        """Mark the action under the mouse."""
        if message.action in self.choices.values() and message.action != self.marked:
            self.marked = message.action
            self.redraw()

    def on_picture_widget_clicked(self, message: PictureWidget.Clicked) -> None:
        """Play the clicked action."""
        if message.action in self.choices.values():
            self.choose(message.action)

    def action_mark(self, step: int) -> None:
        """Mark the next choice, or the previous one."""
        if self.seat is not None:
            actions = list(self.choices.values())
            self._mark(actions[(actions.index(self.marked) + step) % len(actions)])

    def action_step(self, direction: str) -> None:
        """Mark the neighbouring choice in this direction, if the game defines one."""
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
        """Play the marked choice."""
        if self.marked is not None:
            self.choose(self.marked)

    def action_skip(self) -> None:
        """Skip animations and pauses until a person is to act."""
        if self.seat is None and not self._is_over:
            self.hurry = True
            self._frames = iter(())
            if self._pending_move is not None:
                self._schedule(0, self._pending_move)
            self._show_offers()

    def action_hint(self) -> None:
        """Ask the adviser for a hint for the person to act."""
        if self._hinted_action is not None:
            self._mark(self._hinted_action)
        if (seat := self.seat) is None or self.hint:
            return
        moment = len(self.session.match.moves)

        def on_hint(action: Any) -> None:
            if (self.seat, len(self.session.match.moves)) == (seat, moment):
                self.hint, self._hinted_action = self.session.advice(seat, action), action
                self._mark(action)

        self.hint = self.session.say("{name} is thinking…", name=self.session.adviser_name)
        self._show_offers()
        run_in_thread(self.session.hint_task(seat), self, on_hint, self._fail)

    def action_leave(self) -> None:
        """Quit the game; a recorded game stays saved."""
        self._confirm_leaving(lambda: None)

    def _confirm_leaving(self, stay: Callable[[], None]) -> None:
        """Quit, after a confirmation if the game would be lost; call `stay` otherwise."""

        def on_answer(really: bool | None) -> None:  # noqa: FBT001 - the dialog's result
            if really:
                self.dismiss("quit")
            else:
                stay()

        if self._is_over or not self._has_moved or self.session.keep is not None:
            self.dismiss("quit")
        else:
            self.app.push_screen(LeaveDialog(self.session.say), on_answer)


def run_in_thread(
    about: Callable[[], Any],
    pump: MessagePump,
    then: Callable[[Any], None],
    fail: Callable[[WonderlandError], None],
) -> None:
    """Run `about` in a background thread; deliver the result to `pump` as a message.

    Threads can't be cancelled, so it is a daemon thread, which doesn't delay the program's exit.
    """
    loop, context = asyncio.get_running_loop(), copy_context()

    def deliver(callback: Callable[[Any], None], result: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: the app has exited
            loop.call_soon_threadsafe(lambda: pump.call_later(callback, result), context=context)

    def run() -> None:
        try:
            result = about()
        except WonderlandError as error:
            deliver(fail, error)
        else:
            deliver(then, result)

    Thread(target=run, name="thinking", daemon=True).start()
