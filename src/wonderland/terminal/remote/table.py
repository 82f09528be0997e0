"""A distant table in lines of text: the same face as `plain.py`, while others play elsewhere.

Everything that happens, a message of the server or a line that was typed, comes into one queue and is
dealt with in turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, assert_never

from wonderland.client.arrival import Arrival
from wonderland.client.connection import (
    ConnectionEnded,
    ConnectionInterrupted,
    ConnectionRestored,
    News,
    TableConnection,
)
from wonderland.client.game_view import RemoteView, read_update
from wonderland.client.http import ServerUnreachable
from wonderland.client.links import TableLink
from wonderland.components.rulebook import rulebook
from wonderland.components.words import Words, retell_events, tell_events, words_of
from wonderland.engine.errors import UsageError
from wonderland.engine.values import Value
from wonderland.terminal.choices import choice_keys, choice_lines
from wonderland.terminal.line_io import Keyboard, Screen
from wonderland.terminal.plain_text import QuitGame
from wonderland.terminal.remote.input import HELP, Word, may_play, read_line
from wonderland.terminal.remote.news import awaits, news_of, seats_taken, spoken, who_is_there
from wonderland.wire import commands
from wonderland.wire.messages import CommandDone, CommandRefused, Presence, TableUpdate

_REMEMBERED = 5
"""How many things that were said before are told to who comes back."""


Follow = Callable[[Arrival, str, str], Arrival]
"""Takes somebody of this name who was at one table to the table that follows it."""


class Typed(Value, frozen=True):
    """A line that was typed; `None` when there are no more."""

    line: str | None


class RemoteTable:
    """Somebody at a distant table, at a prompt."""

    def __init__(self, arrival: Arrival, follow: Follow, screen: Screen) -> None:
        self.inbox: SimpleQueue[News | Typed] = SimpleQueue()
        self.keyboard = Keyboard(lambda line: self.inbox.put(Typed(line)))
        self.screen, self._show, self._follow = screen, screen.show, follow
        self._sit_down(arrival)

    def _sit_down(self, arrival: Arrival) -> None:
        self.arrival, self.seat = arrival, arrival.seat
        self.live = TableConnection(arrival.link, arrival.device, arrival.seat, self.inbox.put)
        self.seen: RemoteView | None = None
        self.history: list[Any] = []
        self.present: Sequence[int] = ()
        self._drawn: object = None
        self._early: deque[Typed] = deque()
        self._sent: commands.Command | None = None
        """The command that has been sent and not been answered."""
        self._due = 0
        """The version in which what was sent is to be seen."""
        self._connected = True
        self._rematch = False
        self.has_left = False

    def play(self) -> None:
        """Play, or watch, to the end; `Left` if somebody leaves before."""
        self.keyboard.open()
        try:
            self.live.open()
            while not self._is_done():
                self._take(self._next())
                if self.inbox.empty() and not self._early and self._asks():
                    self.screen.prompt(f"{self._name}: ")
                    self.keyboard.ask()
        finally:
            self.live.close()

    # What comes in

    def _next(self) -> News | Typed:
        """What comes next; lines that were typed too early wait until the one before is answered."""
        return self._early.popleft() if self._early and not self._waits else self.inbox.get()

    @property
    def _waits(self) -> bool:
        """Whether what was sent last has not been answered, or its effect not been shown."""
        return self._sent is not None or (self.seen is not None and self.seen.version < self._due)

    def _take(self, news: News | Typed) -> None:
        match news:
            case Typed() if self._waits and self._connected:
                self._early.append(news)
            case Typed(line=line):
                self.keyboard.took()
                if self.keyboard.is_terminal:
                    self.screen.entered()
                self._hear(line)
            case TableUpdate():
                self._look(news)
            case CommandDone():
                self._done(news)
            case CommandRefused(says=says):
                self._sent, self._rematch = None, False
                self._show(says)
            case Presence(seats=seats):
                self.present = seats
            case ConnectionInterrupted(says=says):
                self._connected = False
                self._show(f"The connection is lost ({says}): trying again.")
            case ConnectionRestored():
                self._connected = True
                self._show("The connection is back.")
            case ConnectionEnded(says=says):
                raise ServerUnreachable(says)
            case _:
                assert_never(news)

    def _look(self, shown: TableUpdate) -> None:
        """Take the table as it is now, and tell what is new."""
        before, now = self.seen, read_update(shown)
        self.seen = now
        if before is None:
            self.history = list(now.events)
            self._greet(now)
            said = shown.said[-_REMEMBERED:]
        else:
            undone = not shown.complete
            self.history = [*([] if undone else self.history), *now.events]
            self._tell(news_of(before.table, now.table, self.seat, undone=undone))
            self._tell(tell_events(self.words, now.events, now.names))
            said = shown.said
        self._tell([spoken(remark, now.names) for remark in said])
        self._draw(before, now)

    def _greet(self, now: RemoteView) -> None:
        self._show(f"{now.game.info.title}, {now.table.status}. {self.arrival.says}")
        if now.view is None:
            for line in who_is_there(now.table, None, self.seat):
                self._show(line)
        if self.arrival.commitment:
            self._show("Fair shuffle. The server's commitment, to compare after the game:")
            self._show(f"  {self.arrival.commitment}")
        if now.table.clock is not None:
            self._show(f"After {now.table.clock} seconds without a decision a bot plays.")

    def _draw(self, before: RemoteView | None, now: RemoteView) -> None:
        """Show the table when there is something to decide that was not there, and at the end."""
        full = seats_taken(now.table)
        face = (now.view, now.legal) if self._my_turn else (now.table.status, full)
        if face == self._drawn:
            return
        self._drawn = face
        if now.table.status == "waiting":
            wait = "All seats are taken; start: begin the game." if full else "Waiting for players."
            self._show(wait)
            return
        if self._my_turn or before is None or now.table.status == "finished":
            self._show_table()
        if now.table.status == "finished" and self.seat is not None:
            self._show("Type rematch to play again, or quit.")

    def _done(self, done: CommandDone) -> None:
        sent, self._sent = self._sent, None
        if sent is None or sent.key != done.key:
            return
        self._due = done.version
        match sent:
            case commands.Link(seat=seat):
                if secret := done.told.get("secret"):
                    link = self.arrival.link
                    fresh = TableLink(link.server, link.table, seat=seat, secret=secret)
                    self._show(f"This link works once: {fresh.text}")
                else:  # the answer was lost on the way, and a secret is told only once
                    self._show("The link was made, but its answer was lost: type link again.")
            case commands.Leave():
                self.has_left = True
                raise QuitGame
            case _:
                pass

    # What is typed

    def _hear(self, line: str | None) -> None:
        if line is None:
            raise QuitGame
        if self.seen is None:
            self._show("The table has not been shown yet: wait a moment.")
            return
        try:
            meant = read_line(line, self.seen, self.seat)
        except UsageError as error:
            self._show(str(error))
            return
        if isinstance(meant, commands.Command):
            self._send(meant)
        else:
            self._do(meant, self.seen)

    def _send(self, command: commands.Command) -> None:
        if self._sent is not None:
            self._show("What you asked for before has not been answered yet: wait a moment.")
            return
        self._sent = command
        self.live.send(command)
        if not self._connected:
            self._show("It is sent when the connection is back.")

    def _do(self, word: Word, now: RemoteView) -> None:
        match word:
            case "quit":
                raise QuitGame
            case "help":
                self._show(HELP)
                self._show_choices(now)
            case "table":
                self._show_table()
            case "log":
                self._tell(retell_events(self.words, self.history, now.view, now.names))
            case "rules":
                self._show(rulebook(now.game.info.name))
            case "who":
                for line in who_is_there(now.table, self.present, self.seat):
                    self._show(line)
            case "rematch":
                self._rematch = True
                if not now.table.next:
                    again = commands.Rematch(seat=self.seat or 0, at=now.version, key=commands.new_key())
                    self._send(again)
            case _:
                assert_never(word)

    def _go_on(self, table: str) -> None:
        """Go to the table of the rematch."""
        name = self._name
        self.live.close()
        waiting = [self.inbox.get() for _ in range(self.inbox.qsize())]
        for news in waiting:  # what the old table had to say is no news
            if isinstance(news, Typed):
                self.inbox.put(news)
        self._sit_down(self._follow(self.arrival, table, name))
        self.live.open()

    # What is shown

    def _tell(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self._show(f"· {sentence}")

    def _show_table(self) -> None:
        now = self.seen
        if now is None or now.view is None:
            self._show("The game has not begun.")
            return
        for line in self.words.describe(now.view, now.names):
            self._show(line)
        self._show_choices(now)

    def _show_choices(self, now: RemoteView) -> None:
        if self._my_turn:
            for line in choice_lines(now.game, now.view, choice_keys(now.game, now.legal)):
                self._show(line)

    # Where things stand

    @property
    def words(self) -> Words:
        """The words of the game."""
        assert self.seen is not None  # noqa: S101 - nothing is told before it is seen
        return words_of(self.seen.game.info.name)

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return self.seen is not None and self.seen.table.status == "finished"

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun: then a seat that is left still belongs to who left it."""
        return self.seen is not None and self.seen.view is not None

    @property
    def _name(self) -> str:
        if self.seen is None or self.seat is None:
            return "You"
        return self.seen.names[self.seat]

    @property
    def _my_turn(self) -> bool:
        return self.seen is not None and may_play(self.seen, self.seat)

    def _asks(self) -> bool:
        """Whether a word is waited for."""
        now = self.seen
        if now is None or self.seat is None or self._waits or self._rematch:
            return False
        waiting = now.table.status == "waiting" and seats_taken(now.table)
        return waiting or self._my_turn or now.table.status == "finished" or awaits(now.table, self.seat)

    def _is_done(self) -> bool:
        now = self.seen
        if now is None or now.table.status != "finished":
            return False
        if self._rematch and now.table.next:
            self._go_on(now.table.next)
            return False
        return self.seat is None
