"""Full-screen replay: step, jump, search, change the viewpoint, and play on from any position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import RichLog

from wonderland.components.bots import Budget
from wonderland.engine.errors import WonderlandError, quote
from wonderland.engine.language import phrase
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Over, Seat
from wonderland.features.replay.advice_text import expected_lines, verdict_lines
from wonderland.features.replay.branch import branch_at
from wonderland.features.replay.dialogs import KEYS, AdviceDialog, PlayOnDialog, SearchDialog
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
        super().__init__(pace=pace, light=light, say=replay.say)
        self.replay = replay

    def on_mount(self) -> None:
        """Open the record."""
        self.title = self.say(self.replay.record.game.info.title)
        self.push_screen(ReplayScreen(self.replay, self), lambda _: self.exit())


class ReplayScreen(TableView):
    """One position of a record, with navigation."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "go(1)", phrase("move"), key_display="← →", priority=True),
        Binding("left", "go(-1)", show=False, priority=True),
        Binding("pagedown", f"go({_PAGE})", show=False, priority=True),
        Binding("pageup", f"go({-_PAGE})", show=False, priority=True),
        Binding("home", "jump(0)", show=False, priority=True),
        Binding("end", "jump(-1)", show=False, priority=True),
        Binding("enter", "go_there", show=False, priority=True),
        Binding("down", "scroll_log(1)", show=False, priority=True),
        Binding("up", "scroll_log(-1)", show=False, priority=True),
        Binding("slash", "search", phrase("search"), key_display="/"),
        Binding("n", "search_on", show=False),
        Binding("s", "eyes", phrase("view")),
        Binding("o", "open", phrase("face up")),
        Binding("c", "coach", phrase("coach")),
        Binding("e", "expect", show=False),
        Binding("w", "what_if", phrase("what if")),
        Binding("r", "rules", phrase("rules")),
        Binding("l", "light", show=False),
        Binding("question_mark,f1", "keys", phrase("keys"), key_display="?"),
        Binding("q", "leave", phrase("quit")),
    ]

    def __init__(self, replay: Replay, shell: Shell) -> None:
        super().__init__(_static_session(replay, 0))
        self.replay = replay
        self.budget: Budget | None = None
        """What the coach may spend on a choice; `None` for its usual budget."""
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

    @property
    def names(self) -> list[str]:
        """The players' names, as the record has them; those of bots are translated."""
        return self.replay.names

    def redraw(self, view: Any = None) -> None:
        """Draw the position."""
        super().redraw(self.replay.view(self.session.match) if view is None else view)

    def _show(self, number: int, said: str = "") -> None:
        """Go to a position, clamped to the valid range, and show it."""
        self.number = min(max(number, 0), self.replay.last)
        self.typed, self.said = "", said
        self.session = _static_session(self.replay, self.number)
        self.redraw()
        self._tell()

    def _show_offers(self) -> None:
        say = self.session.say
        where = f"{self.replay.where(self.number)} · {self.replay.eyes}"
        below = self.said or self._describe_turn()
        if self.typed:
            below = say("Press Enter to go to move {number}", number=f"{self.typed}_")
        self.query_one(Offers).say(f"{where}\n{below}")

    def _describe_turn(self) -> str:
        say, match = self.session.say, self.session.match
        turn, names = match.turn, self.names
        if isinstance(turn, Over):
            return say.sentences([say("The game is over."), turn.result.verdict(names, say)])
        acting = say.join_list(names[seat] for seat in seats_to_act(turn))
        return say("{names} to move. Press w to play on from here.", names=acting) if acting else ""

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

        self.app.push_screen(SearchDialog(self.session.say), on_words)

    def action_search_on(self) -> None:
        """Jump to the next match of the last search."""
        if self.sought:
            found = self.replay.found(self.sought, self.number)
            missing = self.session.say("{words} wasn't found in this game.", words=quote(self.sought))
            self._show(self.number if found is None else found, missing if found is None else "")

    # Viewpoint

    def action_eyes(self) -> None:
        """Switch to the next viewpoint."""
        self.replay = self.replay.next_viewpoint
        self._show(self.number)

    def action_open(self) -> None:
        """Show all cards."""
        self.replay = self.replay.seen_from(None)
        self._show(self.number)

    def action_keys(self) -> None:
        """Show all keys."""
        self.app.push_screen(Keys(KEYS, self.session.say))

    def action_leave(self) -> None:
        """Close the record."""
        self.dismiss("quit")

    # Advice

    def action_coach(self) -> None:
        """Show the coach's verdict on the position."""
        self._advise(verdict_lines)

    def action_expect(self) -> None:
        """Show what is expected to be played from here."""
        self._advise(expected_lines)

    def _advise(self, find: Callable[..., Iterator[str]]) -> None:
        """Work advice out in a thread, which takes a moment, and show it."""
        replay, number, say = self.replay, self.number, self.session.say
        self._show(number, say("Working out the best move…"))

        def work() -> None:
            try:
                lines = list(find(replay, number, self.budget))
            except WonderlandError as error:
                self.app.call_from_thread(self.show_advice, number, say.capital(error.said(say)), [])
            else:
                self.app.call_from_thread(self.show_advice, number, "", lines)

        self.run_worker(work, thread=True)

    def show_advice(self, number: int, said: str, lines: Sequence[str]) -> None:
        """Show advice on a position, or why there is none, unless another one is shown by now."""
        if number != self.number:
            return
        self._show(number, said)
        if lines:
            self.app.push_screen(AdviceDialog(lines))

    # Playing on

    def action_what_if(self) -> None:
        """Ask for seat and level, then play on from here."""
        record, match = self.replay.record, self.session.match
        try:
            branch_at(record, self.number, random.Random())
        except WonderlandError as error:
            say = self.session.say
            self._show(self.number, say.capital(error.said(say)))
            return
        seat = proposed_seat(match, self.replay.seat)
        dialog = PlayOnDialog(record.game.info.name, self.replay.names, seat, self.session.say)
        self.app.push_screen(dialog, self._sit_down)

    def _sit_down(self, chosen: tuple[Seat, str] | None) -> None:
        if chosen is None:
            return

        def on_close(what: str | None) -> None:
            if what == "again":
                self._sit_down(chosen)
            else:
                say = self.session.say
                self._show(self.number, say("Back to the recorded game, which hasn't changed."))

        say = self.session.say
        session = play_on_session(self.replay.record, self.number, *chosen, say=say)
        self.app.push_screen(TableScreen(session, self.shell.pace, self.shell.fail), on_close)


def _static_session(replay: Replay, number: int) -> Session:
    """Session that only shows a position, without players."""
    return Session(replay.at(number), {}, random.Random(0), say=replay.say)
