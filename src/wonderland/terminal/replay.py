"""Steps through a record, or shows one position of it, as a seat sees it or with all laid open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wonderland.core.errors import NotationError, quoted
from wonderland.core.match import Match
from wonderland.core.position import small_number
from wonderland.core.protocol import LUCK, Over, Seat
from wonderland.core.reading import AnyMatch, AnyRecord
from wonderland.core.values import Value
from wonderland.core.words import words_of

_HELP = "Enter: on · b: back · a number: go there · l: last · p: the position in one line · q: leave"


class Replay(Value, frozen=True):
    """A record to look at. Positions are counted by decisions: 0 is before the first."""

    record: AnyRecord
    seat: Seat | None = None
    """Whose eyes to look through; `None` lays everything open."""

    @property
    def last(self) -> int:
        """The number of the last position."""
        return sum(move.actor is not LUCK for move in self.record.moves)

    def at(self, number: int) -> AnyMatch:
        """The match as it stood after so many decisions and what luck added to the last of them."""
        if number not in range(self.last + 1):
            raise NotationError(f"there is no position {number}: they go from 0 to {self.last}.")
        made = 0
        for place, move in enumerate(self.record.moves):
            made += move.actor is not LUCK
            if made > number:
                return Match.resume(self.record, upto=place)
        return Match.resume(self.record)

    def lines(self, number: int) -> Iterator[str]:
        """What happened last, and the table after it."""
        match = self.at(number)
        before = len(self.at(number - 1).events) if number else 0
        yield f"Position {number} of {self.last}"
        yield from self._told(match, before)
        words = words_of(match.game.info.name)
        view = match.game.reveal(match.state) if self.seat is None else match.view(self.seat)
        yield from words.describe(view, match.names)

    def _told(self, match: AnyMatch, since: int) -> Iterator[str]:
        words = words_of(match.game.info.name)
        for event in match.events[since:]:
            seen = event if self.seat is None else match.game.witness(event, self.seat)
            if seen is not None and (sentence := words.tell(seen, match.names)):
                yield f"· {sentence}"

    def whole(self) -> Iterator[str]:
        """All that happened, the last table, and that the result is what the moves lead to."""
        match: AnyMatch = Match.resume(self.record)
        yield from self._told(match, 0)
        yield from self.lines(self.last)
        if isinstance(match.turn, Over):
            yield f"Checked: {match.turn.result.text(match.names)}."

    def step_through(self, ask: Callable[[str], str], show: Callable[[str], Any]) -> None:
        """Let someone look from position to position."""
        number, shown = 0, None
        show(_HELP)
        while True:
            if number != shown:
                for line in self.lines(number):
                    show(line)
                shown = number
            try:
                answer = ask(f"[{number}/{self.last}] ").strip().lower()
            except EOFError:
                return
            match answer:
                case "q" | "quit" | "exit":
                    return
                case "":
                    number = min(number + 1, self.last)
                case "b":
                    number = max(number - 1, 0)
                case "l":
                    number = self.last
                case "p":
                    show(self.record.game.write_position(self.at(number).state))
                case _ if (wanted := small_number(answer)) is not None and wanted <= self.last:
                    number = wanted
                case _:
                    show(f"{quoted(answer)} is nothing I know. {_HELP}")


def find_seat(record: AnyRecord, wanted: str) -> Seat:
    """The seat of this name or number; `NotationError` if nobody has it."""
    for seat, name in enumerate(record.names):
        if wanted.casefold() == name.casefold():
            return seat
    number = small_number(wanted)
    if number is not None and 1 <= number <= len(record.names):
        return number - 1
    there = ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(record.names))
    raise NotationError(f"nobody called {quoted(wanted)} plays here: the seats are {there}.")
