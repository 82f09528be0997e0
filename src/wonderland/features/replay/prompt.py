"""Step through a record at the prompt, in plain text, and play on from any position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from wonderland.bots import level
from wonderland.components.bots import Budget
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import UsageError, WonderlandError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.position import small_number
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.replay.advice_text import expected_lines, verdict_lines
from wonderland.features.replay.branch import branch_at
from wonderland.features.replay.model import Replay, find_seat
from wonderland.terminal import match_setup
from wonderland.terminal.plain_text import PlainTable, QuitGame
from wonderland.terminal.session import Opponent, Session

_HELP = (
    ("Enter", phrase("Forward one move")),
    ("b", phrase("Back one move")),
    ("12", phrase("Go to move 12")),
    ("f, l", phrase("Go to the start or the end")),
    ("/WORD", phrase("Search what happened")),
    ("s NAME", phrase("See what that player could see")),
    ("o", phrase("All cards face up")),
    ("c", phrase("What does the coach say?")),
    ("e", phrase("Expected play")),
    ("w", phrase("What if? Play on from here against bots")),
    ("p", phrase("Show the position on one line")),
    ("q", phrase("Quit")),
)


@dataclass(slots=True)
class ReplayPrompt:
    """Command loop over the positions of a record."""

    replay: Replay
    ask: Callable[[str], str] = input
    show: Callable[[str], None] = print
    number: int = 0
    budget: Budget | None = None
    """What the coach may spend on a choice; `None` for its usual budget."""

    def walk(self) -> None:
        """Show positions and execute commands until the user quits."""
        shown = None
        self._show_help()
        while True:
            if shown != (self.replay, self.number):
                for line in self.replay.lines(self.number):
                    self.show(line)
                shown = self.replay, self.number
            try:
                answer = self.ask(f"[{self.number}/{self.replay.last}] ").strip()
                if answer.lower() in {"q", "quit", "exit"}:
                    return
                self._execute(answer)
            except EOFError:
                return
            except WonderlandError as error:
                self.show(self.replay.say.capital(error.said(self.replay.say)))

    def _show_help(self) -> None:
        widest = max(len(key) for key, _ in _HELP)
        for key, about in _HELP:
            self.show(f"  {key:<{widest}}  {self.replay.say(about)}")

    def _execute(self, answer: str) -> None:
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                self.number = min(self.number + 1, self.replay.last)
            case "b":
                self.number = max(self.number - 1, 0)
            case "f":
                self.number = 0
            case "l":
                self.number = self.replay.last
            case "s":
                self._look_as(rest.strip())
            case "o":
                self.replay = self.replay.seen_from(None)
            case "c":
                self._show_all(verdict_lines(self.replay, self.number, self.budget))
            case "e":
                self._show_all(expected_lines(self.replay, self.number, self.budget))
            case "w":
                self._play_on()
            case "p":
                game = self.replay.record.game
                self.show(game.write_position(self.replay.at(self.number).state))
            case _ if answer.startswith("/"):
                self._search(answer[1:].strip())
            case _ if (wanted := small_number(answer)) is not None:
                self.replay.at(wanted)  # raises, naming the valid numbers
                self.number = wanted
            case _:
                self.show(
                    self.replay.say("There's no command {word}. You can type:", word=quote(answer))
                )
                self._show_help()

    def _show_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.show(line)

    def _look_as(self, name: str) -> None:
        record = self.replay.record
        if name:
            self.replay = self.replay.seen_from(find_seat(record, name))
        else:
            self.replay = self.replay.next_viewpoint
        self.show(f"{self.replay.eyes}:")

    def _search(self, words: str) -> None:
        found = self.replay.found(words, self.number) if words else None
        if found is None:
            self.show(self.replay.say("{words} wasn't found in this game.", words=quote(words)))
        else:
            self.number = found

    def _play_on(self) -> None:
        """Play from here against bots, then return to the unchanged record."""
        record, game = self.replay.record, self.replay.record.game
        branch_at(record, self.number, random.Random())  # fail early if that is impossible
        seat = self._ask_for_seat()
        level = match_setup.ask_for_level(game, self.ask, self.show, self.replay.say)
        with suppress(QuitGame):
            session = play_on_session(record, self.number, seat, level, say=self.replay.say)
            PlainTable(session, self.ask, self.show).play()
        self.show(self.replay.say("Back to the recorded game, which hasn't changed."))

    def _ask_for_seat(self) -> Seat:
        record = self.replay.record
        usual = record.names[proposed_seat(self.replay.at(self.number), self.replay.seat)]
        names = self.replay.say.join_list(record.names)
        question = self.replay.say("Who will you play as: {names}?", names=names)
        while True:
            answer = self.ask(f"{question} [{usual}] ").strip() or usual
            try:
                return find_seat(record, answer)
            except UsageError as error:
                self.show(self.replay.say.capital(error.said(self.replay.say)))


def play_on_session(  # noqa: PLR0913 - the options of a session, some of them optional
    record: AnyRecord,
    moment: int,
    seat: Seat,
    word: str,
    seed: str | None = None,
    *,
    say: Language = ENGLISH,
) -> Session:
    """Session with a person on this seat, bots on the others; raise `UsageError` if the game is over."""
    rng = random.Random(seed)
    match: AnyMatch = Match.resume(branch_at(record, moment, rng))
    began = len(match.events)
    match = match.fork(Seeded(seed))
    match.settle()
    other = level(record.game.info.name, word)
    bots = {
        each: Opponent(other.make(), other.budget) for each in range(len(match.names)) if each != seat
    }
    return Session(match, bots, rng, began=began, say=say)


def proposed_seat(match: AnyMatch, eyes: Seat | None) -> Seat:
    """Default seat for playing on: that of the viewpoint, or else the seat to act."""
    return eyes if eyes is not None else next(iter(seats_to_act(match.turn)), 0)
