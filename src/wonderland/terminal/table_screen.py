"""The table on the full screen: the picture, the choice that is marked, and the log.

Keys and mouse mark a choice first, so that the picture can show what it would do; the same key again,
Enter, or a click plays it. Bots move one after the other at the pace that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, RichLog

from wonderland.core.errors import WonderlandError
from wonderland.core.picture import Picture, Room, drawing_of
from wonderland.core.protocol import Over, Seat
from wonderland.terminal.choices import choices_of
from wonderland.terminal.dialogs import Curtain, Keys, Result, RulebookScreen
from wonderland.terminal.session import Session
from wonderland.terminal.widgets import Offers, Table

_FRAME = 0.07


class TableScreen(Screen[str]):
    """One play. It is dismissed with what the player wants next: again, other or quit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "play", priority=True),
        Binding("right", "step('right')", "other choice", key_display="← →", priority=True),
        Binding("left", "step('left')", "other choice", show=False, priority=True),
        Binding("up", "step('up')", "other choice", show=False, priority=True),
        Binding("down", "step('down')", "other choice", show=False, priority=True),
        Binding("tab", "mark(1)", "next", show=False, priority=True),
        Binding("shift+tab", "mark(-1)", "back", show=False, priority=True),
        Binding("pageup", "scroll_log(-1)", "log", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", "log", show=False, priority=True),
        Binding("space", "skip", "skip"),
        Binding("a", "after('again')", "again", show=False),
        Binding("o", "after('other')", "other game", show=False),
        Binding("r", "rules", "rules"),
        Binding("l", "light", "light/dark"),
        Binding("question_mark,f1", "keys", "keys", key_display="?"),
        Binding("q", "leave", "quit"),
    ]

    def __init__(self, session: Session, pace: float, fail: Callable[[WonderlandError], None]) -> None:
        super().__init__()
        self.session = session
        self.pace = pace
        self.fail = fail
        self.seat: Seat | None = None
        """Who is being asked; nobody while bots move."""
        self.choices: dict[str, Any] = {}
        self.marked: Any | None = None
        self.typed = ""
        self._at_keyboard: Seat | None = None
        self._shown = len(session.match.events)
        self._frames: Iterator[Any] = iter(())
        self._frame: Any = None
        """The view that is being shown."""
        self._over = False
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The picture, the offers, the log and the keys, from top to bottom."""
        with Vertical():
            yield Table()
            yield Offers()
            yield RichLog(id="log", wrap=True, markup=False, max_lines=2000)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin."""
        info = self.session.match.game.info
        self.app.title = info.title
        self.query_one(RichLog).can_focus = True
        self.call_after_refresh(self.go_on)

    def on_table_resized(self) -> None:
        """Use the room there is now."""
        self.redraw(self._frame)
        self._tell()

    # What is shown

    @property
    def eyes(self) -> Seat | None:
        """Through whose eyes the table is seen."""
        return self.seat if self.seat is not None else self.session.onlooker

    def redraw(self, view: Any = None) -> None:
        """Draw the table as a view shows it, usually the one there is now, and the offers below it."""
        match = self.session.match
        table = self.query_one(Table)
        view = match.view(self.eyes) if view is None else view
        room = Room(
            max(table.size.width, 20), max(table.size.height, 5), dark=self.app.current_theme.dark
        )
        drawing = drawing_of(match.game.info.name)
        table.show(drawing.draw(view, match.names, room, self.marked))
        self._frame = view
        self._show_offers()

    def _show_offers(self) -> None:
        match, offers = self.session.match, self.query_one(Offers)
        offers.places = []
        if self.seat is None:
            turn = match.turn
            over = "The game is over.  a: again  o: other game  q: quit"
            waiting = over if isinstance(turn, Over) else "…  space: don't wait"
            offers.update(Text(waiting, "dim"))
            return
        text = Text()
        drawn = [spot.action for spot in self.query_one(Table).picture.spots]
        if any(action not in drawn for action in self.choices.values()):
            label = getattr(drawing_of(match.game.info.name), "label", None)
            for key, action in self.choices.items():
                word = label(match.view(self.seat), action) if label else match.game.write(action)
                style = "bold reverse" if action == self.marked else ""
                self._add_word(text, f" {key} {word} ", style, action)
            text.append("\n")
        said = self.session.words.offer(match.view(self.seat), self.marked)
        typed = f"{self.typed}_ " if self.typed else ""
        text.append(f"{match.names[self.seat]}: {typed}{said}", "bold")
        offers.update(text)

    def _add_word(self, text: Text, word: str, style: str, action: Any) -> None:
        """Put a word behind the others, on a new row where this one is full."""
        offers = self.query_one(Offers)
        row = text.plain.count("\n")
        start = len(text.plain) - text.plain.rfind("\n") - 1
        if start + len(word) > max(offers.size.width, 20):
            text.append("\n")
            row, start = row + 1, 0
        text.append(word, style)
        offers.places.append((row, start, start + len(word), action))

    def _tell(self) -> None:
        log = self.query_one(RichLog)
        log.clear()
        for sentence in self.session.log(self.eyes):
            log.write(Text(sentence, "dim"))
        for sentence in self.session.fresh(self.eyes):
            log.write(Text(sentence))

    # How it goes on

    def go_on(self) -> None:
        """Show what has happened, then ask whoever is next, or let a bot move."""
        if self._over:
            return
        self.seat, self.choices, self.marked, self.typed = None, {}, None, ""
        self._frame = None
        if self._spin():
            return
        self._tell()
        if self.session.next_bot is not None:
            self.redraw()
            self._after(self.pace, self._bot)
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
        if not self.pace:
            return False
        drawing = drawing_of(match.game.info.name)
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

    def _bot(self) -> None:
        bot = self.session.next_bot
        if bot is not None and not self._over and self._carried_out(bot):
            self.go_on()

    def _pass_to(self, person: Seat) -> None:
        def ready(there: bool | None) -> None:  # noqa: FBT001 - what the curtain gives back
            if not there:
                self.dismiss("quit")
                return
            self.seat = self._at_keyboard = person
            self._tell()
            self.ask(person)

        self.query_one(Table).show(Picture())
        self.query_one(RichLog).clear()
        self.app.push_screen(Curtain(self.session.match.names[person]), ready)

    def ask(self, person: Seat) -> None:
        """Let this person choose."""
        self.seat = self._at_keyboard = person
        self.choices = choices_of(self.session.match, person)
        self.marked = next(iter(self.choices.values()))
        self.redraw()

    def choose(self, action: Any) -> None:
        """Carry out what the person has chosen."""
        if (seat := self.seat) is not None:
            self.session.has_heard(seat)
            if self._carried_out(seat, action):
                self.go_on()

    def _carried_out(self, seat: Seat, action: Any = None) -> bool:
        """Play an action, or let a bot choose one; leave with the reason if it can't be kept."""
        try:
            if seat in self.session.bots:
                self.session.play_bot(seat)
            else:
                self.session.play(seat, action)
        except WonderlandError as error:
            self._over = True
            self.fail(error)
            return False
        return True

    def end(self) -> None:
        """Show the result and ask what next."""
        self._over = True
        self.redraw()
        self.app.push_screen(Result(self.session), self._leave)

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

    def on_table_pointed(self, message: Table.Pointed) -> None:
        """The mouse is over an action."""
        if message.action in self.choices.values() and message.action != self.marked:
            self.marked = message.action
            self.redraw()

    def on_table_clicked(self, message: Table.Clicked) -> None:
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
        step = getattr(drawing_of(match.game.info.name), "step", None)
        if self.seat is None or step is None:
            self.action_mark(1 if direction in {"right", "down"} else -1)
        else:
            self._mark(step(match.view(self.seat), self.marked, direction))

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
            if self._timer is not None:
                self._timer.stop()
            self._frames = iter(())
            self._shown = len(self.session.match.events)
            while (bot := self.session.next_bot) is not None and self._carried_out(bot):
                pass
            self._shown = len(self.session.match.events)
            self.go_on()

    def action_scroll_log(self, direction: int) -> None:
        """Look further up or down in what has happened."""
        log = self.query_one(RichLog)
        log.scroll_relative(y=direction * max(log.size.height - 1, 1), animate=False)

    def action_rules(self) -> None:
        """Open the rulebook at the rule that matters now."""
        match = self.session.match
        number = drawing_of(match.game.info.name).rule(match.view(self.eyes))
        self.app.push_screen(RulebookScreen(match.game.info.name, number))

    def action_light(self) -> None:
        """Change between light and dark."""
        dark = self.app.current_theme.dark
        self.app.theme = "textual-light" if dark else "textual-dark"
        self.call_after_refresh(self.redraw)

    def action_keys(self) -> None:
        """Show all keys."""
        self.app.push_screen(Keys())

    def action_leave(self) -> None:
        """Leave the game; the record is kept where one was asked for."""
        self.dismiss("quit")
