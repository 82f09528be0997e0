"""Play at a remote table in plain text, with the same look as `plain_text.py`.

Server messages and typed lines all go into one queue and are handled in order. The connection retries
by itself; this module reports when it is lost and restored.
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
from wonderland.components.words import Words, describe_events, describe_past_events, words_of
from wonderland.engine.errors import UsageError
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.values import Value
from wonderland.terminal.choices import choice_keys, choice_lines
from wonderland.terminal.line_io import Keyboard, Screen
from wonderland.terminal.plain_text import QuitGame, help_lines
from wonderland.terminal.remote.input import HELP, SaveRecord, Word, may_play, read_line
from wonderland.terminal.remote.news import (
    STAND_IN,
    awaits,
    names_of,
    news_of,
    noticed,
    seats_taken,
    spoken,
    who_is_there,
)
from wonderland.terminal.remote.shuffle_check import save_lines, verdict_lines
from wonderland.wire import commands
from wonderland.wire.messages import CommandDone, CommandRefused, Presence, TableUpdate
from wonderland.wire.notices import describe_household

_STATUS = {
    "waiting": phrase("waiting for players"),
    "playing": phrase("in progress"),
    "finished": phrase("finished"),
}
_CHAT_BACKLOG = 5
"""Number of earlier chat messages shown on arrival."""


Follow = Callable[[Arrival, str, str], Arrival]
"""Moves a player from a table to its rematch: old arrival, new table, name."""


class Typed(Value, frozen=True):
    """A typed line; `None` at the end of input."""

    line: str | None


class RemoteTable:
    """A player or spectator at a remote table."""

    def __init__(
        self, arrival: Arrival, follow: Follow, screen: Screen, say: Language = ENGLISH
    ) -> None:
        self.say = say
        self.inbox: SimpleQueue[News | Typed] = SimpleQueue()
        self.keyboard = Keyboard(lambda line: self.inbox.put(Typed(line)))
        self.screen, self._show, self._follow = screen, screen.show, follow
        self._sit_down(arrival)

    def _sit_down(self, arrival: Arrival) -> None:
        self.arrival, self.seat = arrival, arrival.seat
        self.live = TableConnection(
            arrival.link, arrival.device, arrival.seat, self.inbox.put, language=self.say.code
        )
        self.seen: RemoteView | None = None
        self.history: list[Any] = []
        self.present: Sequence[int] = ()
        self._last_shown: object = None
        self._announcement = ""
        self._early_lines: deque[Typed] = deque()
        self._pending: commands.Command | None = None
        """The command sent but not yet acknowledged."""
        self._due_version = 0
        """The version that shows the effect of the last command."""
        self._is_connected, self._wants_rematch, self.has_left = True, False, False

    def play(self) -> None:
        """Play or watch to the end; raise `QuitGame` if the user quits."""
        self.keyboard.open()
        try:
            self.live.open()
            while not self._is_done():
                self._handle(self._next())
                if self.inbox.empty() and not self._early_lines and self._expects_input():
                    self.screen.prompt(f"{self._name}: ")
                    self.keyboard.ask()
        finally:
            self.live.close()

    # Incoming messages

    def _next(self) -> News | Typed:
        """Return the next message; lines typed early wait until the pending command is answered."""
        return (
            self._early_lines.popleft()
            if self._early_lines and not self._is_waiting
            else self.inbox.get()
        )

    @property
    def _is_waiting(self) -> bool:
        """Whether the last command is unanswered, or its effect not yet shown."""
        return self._pending is not None or (
            self.seen is not None and self.seen.version < self._due_version
        )

    def _handle(self, news: News | Typed) -> None:
        match news:
            case Typed() if self._is_waiting and self._is_connected:
                self._early_lines.append(news)
            case Typed(line=line):
                self.keyboard.took()
                if self.keyboard.is_terminal:
                    self.screen.entered()
                self._handle_line(line)
            case TableUpdate():
                self._update(news)
            case CommandDone():
                self._acknowledge(news)
            case CommandRefused(says=says):
                self._pending, self._wants_rematch = None, False
                self._show(says)
            case Presence(seats=seats, announcement=announcement):
                self.present = seats
                if announcement and announcement != self._announcement:
                    self._show(self.say("Message from the server: {text}", text=announcement))
                self._announcement = announcement
            case ConnectionInterrupted(says=says):
                self._is_connected = False
                self._show(self.say("Connection lost ({reason}). Reconnecting…", reason=self.say(says)))
            case ConnectionRestored():
                self._is_connected = True
                self._show(self.say("You're connected again."))
            case ConnectionEnded(says=says):
                raise ServerUnreachable(says)
            case _:
                assert_never(news)

    def _update(self, shown: TableUpdate) -> None:
        """Take over an update and describe what is new."""
        before, now = self.seen, read_update(shown)
        self.seen = now
        if before is None:
            self.history = list(now.events)
            self._greet(now)
            messages = shown.said[-_CHAT_BACKLOG:]
        else:
            undone = not shown.complete
            self.history = [*([] if undone else self.history), *now.events]
            self._tell(news_of(before.table, now.table, self.seat, self.say, undone=undone))
            self._tell(describe_events(self.words, now.events, self._names(now), self.say))
            self._tell(noticed(shown.notices, self.say))
            messages = shown.said
        self._tell([spoken(message, self._names(now), self.say) for message in messages])
        self._draw(before, now)

    def _greet(self, now: RemoteView) -> None:
        say = self.say
        status = say(_STATUS[now.table.status])
        self._show(f"{say(now.game.info.title)} ({status}). {self.arrival.says}")
        if now.view is None:
            for line in who_is_there(now.table, None, self.seat, say):
                self._show(line)
        if self.arrival.kept is not None and now.table.status != "finished":
            self._show(
                say(
                    "The server has locked in its part of the shuffle. After the game, this program "
                    "checks it with this code:"
                )
            )
            self._show(f"  {self.arrival.kept.commitment}")
        if self.seat is not None and now.table.seats[self.seat].level:
            self._show(say(STAND_IN))
        if now.table.household:
            names = self._names(now)
            self._show(describe_household([names[seat] for seat in now.table.household], say))
        if (seconds := now.table.clock) is not None and now.table.rated:
            self._show(
                say.plural(
                    "Anyone who takes longer than {number} second to move loses this rated game.",
                    "Anyone who takes longer than {number} seconds to move loses this rated game.",
                    seconds,
                )
            )
        elif seconds is not None:
            self._show(
                say.plural(
                    "A bot stands in for anyone who takes longer than {number} second to move.",
                    "A bot stands in for anyone who takes longer than {number} seconds to move.",
                    seconds,
                )
            )

    def _draw(self, before: RemoteView | None, now: RemoteView) -> None:
        """Show the table when there is a new decision to make, and at the end."""
        is_full = seats_taken(now.table)
        shown = (now.view, now.legal) if self._is_my_turn else (now.table.status, is_full)
        if shown == self._last_shown:
            return
        self._last_shown = shown
        if now.table.status == "waiting":
            if not is_full:
                self._show(self.say("Waiting for players…"))
            elif self.seat is None:
                self._show(self.say("Everyone is here."))
            else:
                self._show(self.say("All seats are taken. Type start to start the game."))
            return
        if self._is_my_turn or before is None or now.table.status == "finished":
            self._show_table()
        if now.table.status == "finished":
            self._verify()
            if self.seat is not None:
                self._show(self.say("Type rematch to play again, or quit."))

    def _verify(self, *, full: bool = False) -> None:
        """Check the shuffle of the finished game with what this device has kept and seen."""
        for line in verdict_lines(self.arrival, self.history, self.say, full=full):
            self._show(line)

    def _acknowledge(self, done: CommandDone) -> None:
        sent, self._pending = self._pending, None
        if sent is None or sent.key != done.key:
            return
        self._due_version = done.version
        match sent:
            case commands.Link(seat=seat):
                if secret := done.told.get("secret"):
                    link = self.arrival.link
                    fresh = TableLink(link.server, link.table, seat=seat, secret=secret)
                    once = self.say(
                        "Open it on the other device. It works once, and anyone who has it can play "
                        "this seat."
                    )
                    self._show(f"{fresh.text}\n{once}")
                else:  # the reply was lost, and a secret is sent only once
                    self._show(self.say("The link didn't arrive. Type link again."))
            case commands.Leave():
                self.has_left = True
                raise QuitGame
            case _:
                pass

    # Typed lines

    def _handle_line(self, line: str | None) -> None:
        if line is None:
            raise QuitGame
        if self.seen is None:
            self._show(self.say("The table hasn't loaded yet. Try again in a moment."))
            return
        try:
            parsed = read_line(line, self.seen, self.seat)
        except UsageError as error:
            self._show(error.said(self.say))
            return
        if isinstance(parsed, commands.Command):
            self._send(parsed)
        elif isinstance(parsed, SaveRecord):
            self._tell(save_lines(self.arrival, parsed.path, self.say))
        else:
            self._run_word(parsed, self.seen)

    def _send(self, command: commands.Command) -> None:
        if self._pending is not None:
            self._show(self.say("Your last command hasn't been answered yet. Try again in a moment."))
            return
        self._pending = command
        self.live.send(command)
        if not self._is_connected:
            self._show(self.say("We'll send it as soon as you're connected again."))

    def _run_word(self, word: Word, now: RemoteView) -> None:
        match word:
            case "quit":
                raise QuitGame
            case "help":
                self._show("\n".join(help_lines(HELP, self.say)))
                self._show_choices(now)
            case "table":
                self._show_table()
            case "log":
                names = self._names(now)
                self._tell(describe_past_events(self.words, self.history, now.view, names, self.say))
            case "rules":
                self._show(rulebook(now.game.info.name, self.say.code))
            case "who":
                for line in who_is_there(now.table, self.present, self.seat, self.say):
                    self._show(line)
            case "verify":
                self._verify(full=True)
            case "rematch":
                self._wants_rematch = True
                if not now.table.next:
                    again = commands.Rematch(seat=self.seat or 0, at=now.version, key=commands.new_key())
                    self._send(again)
            case _:
                assert_never(word)

    def _join_rematch(self, table: str) -> None:
        """Move to the table of the rematch."""
        name = self._name
        self.live.close()
        waiting = [self.inbox.get() for _ in range(self.inbox.qsize())]
        for news in waiting:  # drop messages of the old table
            if isinstance(news, Typed):
                self.inbox.put(news)
        self._sit_down(self._follow(self.arrival, table, name))
        self.live.open()

    # Output

    def _tell(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self._show(f"· {sentence}")

    def _show_table(self) -> None:
        now = self.seen
        if now is None or now.view is None:
            self._show(self.say("The game hasn't started yet."))
            return
        for line in self.words.describe(now.view, self._names(now), self.say):
            self._show(line)
        self._show_choices(now)

    def _show_choices(self, now: RemoteView) -> None:
        if self._is_my_turn:
            for line in choice_lines(now.game, now.view, choice_keys(now.game, now.legal), self.say):
                self._show(line)

    # State

    @property
    def words(self) -> Words:
        """The game's wording."""
        assert self.seen is not None  # noqa: S101 - only used after the first update
        return words_of(self.seen.game.info.name)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.seen is not None and self.seen.table.status == "finished"

    @property
    def has_begun(self) -> bool:
        """Whether the game has started; from then on, a player who leaves keeps their seat."""
        return self.seen is not None and self.seen.view is not None

    @property
    def _name(self) -> str:
        if self.seen is None or self.seat is None:
            return self.say("You")
        return self._names(self.seen)[self.seat]

    def _names(self, now: RemoteView) -> list[str]:
        return names_of(now.table, self.say)

    @property
    def _is_my_turn(self) -> bool:
        return self.seen is not None and may_play(self.seen, self.seat)

    def _expects_input(self) -> bool:
        """Whether input is expected now."""
        now = self.seen
        if now is None or self.seat is None or self._is_waiting or self._wants_rematch:
            return False
        waiting = now.table.status == "waiting" and seats_taken(now.table)
        return (
            waiting or self._is_my_turn or now.table.status == "finished" or awaits(now.table, self.seat)
        )

    def _is_done(self) -> bool:
        now = self.seen
        if now is None or now.table.status != "finished":
            return False
        if self._wants_rematch and now.table.next:
            self._join_rematch(now.table.next)
            return False
        return self.seat is None
