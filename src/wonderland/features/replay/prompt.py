"""Step through a record at the prompt, in plain text, and play on from any position."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from wonderland.bots import level
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import UsageError, WonderlandError, quote
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.position import small_number
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.replay.branch import branch_at
from wonderland.features.replay.model import Replay, find_seat
from wonderland.terminal import match_setup
from wonderland.terminal.plain_text import PlainTable, QuitGame
from wonderland.terminal.session import Opponent, Session

_HELP = (
    "Enter: on · b: back · a number: go there · f: first · l: last · /WORD: search · "
    "s NAME: as that seat saw it · o: all cards open · w: what if, play on from here · "
    "p: the position in one line · q: leave"
)


@dataclass(slots=True)
class ReplayPrompt:
    """Command loop over the positions of a record."""

    replay: Replay
    ask: Callable[[str], str] = input
    show: Callable[[str], None] = print
    number: int = 0

    def walk(self) -> None:
        """Show positions and execute commands until the user quits."""
        shown = None
        self.show(_HELP)
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
                self.show(str(error))

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
                self.replay = Replay(self.replay.record)
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
                self.show(f"{quote(answer)} is nothing I know. {_HELP}")

    def _look_as(self, name: str) -> None:
        record = self.replay.record
        if name:
            self.replay = Replay(record, find_seat(record, name))
        else:
            self.replay = self.replay.next_viewpoint
        self.show(f"{self.replay.eyes.capitalize()}:")

    def _search(self, words: str) -> None:
        found = self.replay.found(words, self.number) if words else None
        if found is None:
            self.show(f"{quote(words)} stands nowhere in this story. A search is like /plays.")
        else:
            self.number = found

    def _play_on(self) -> None:
        """Play from here against bots, then return to the unchanged record."""
        record, game = self.replay.record, self.replay.record.game
        branch_at(record, self.number, random.Random())  # fail early if that is impossible
        seat = self._ask_for_seat()
        level = match_setup.ask_for_level(game, self.ask, self.show)
        with suppress(QuitGame):
            PlainTable(play_on_session(record, self.number, seat, level), self.ask, self.show).play()
        self.show(f"Back to the record, at position {self.number}.")

    def _ask_for_seat(self) -> Seat:
        record = self.replay.record
        usual = record.names[proposed_seat(self.replay.at(self.number), self.replay.seat)]
        while True:
            answer = self.ask(f"As whom: {', '.join(record.names)}? [{usual}] ").strip() or usual
            try:
                return find_seat(record, answer)
            except UsageError as error:
                self.show(str(error))


def play_on_session(
    record: AnyRecord, moment: int, seat: Seat, word: str, seed: str | None = None
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
    return Session(match, bots, rng, began=began)


def proposed_seat(match: AnyMatch, eyes: Seat | None) -> Seat:
    """Default seat for playing on: that of the viewpoint, or else the seat to act."""
    return eyes if eyes is not None else next(iter(seats_to_act(match.turn)), 0)
