"""A record to look at: any position of it, as a seat sees it or with all laid open, in words.

`stepping.py` lets someone walk through it at the prompt, and `replay_screen.py` on the full screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wonderland.components.words import tell_events, words_of
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.match import Match
from wonderland.engine.position import small_number
from wonderland.engine.protocol import Over, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.engine.values import Value
from wonderland.features.replay.branch import decision_count, move_count_at


class Replay(Value, frozen=True):
    """A record to look at. Positions are counted by decisions: 0 is before the first."""

    record: AnyRecord
    seat: Seat | None = None
    """Whose eyes to look through; `None` lays everything open."""

    @property
    def last(self) -> int:
        """The number of the last position."""
        return decision_count(self.record)

    @property
    def next_eyes(self) -> Replay:
        """The same through the next pair of eyes: each seat in turn, then all laid open."""
        following = 0 if self.seat is None else self.seat + 1
        return Replay(self.record, following if following < len(self.record.names) else None)

    @property
    def eyes(self) -> str:
        """How one looks at it, in words."""
        if self.seat is None:
            return "all cards open"
        return f"as {self.record.names[self.seat]} saw it"

    def at(self, number: int) -> AnyMatch:
        """The match as it stood after so many decisions and what luck added to the last of them."""
        return Match.resume(self.record, upto=move_count_at(self.record, number))

    def view(self, match: AnyMatch) -> Any:
        """What there is to see of it."""
        return match.game.reveal(match.state) if self.seat is None else match.view(self.seat)

    def told(self, match: AnyMatch, since: int = 0, until: int | None = None) -> list[str]:
        """What happened, from this event on, a sentence each."""
        events: Sequence[Any] = match.events[since:until]
        if self.seat is not None:
            seen = [match.game.witness(event, self.seat) for event in events]
            events = [event for event in seen if event is not None]
        return tell_events(words_of(match.game.info.name), events, match.names)

    def events_before(self, match: AnyMatch, number: int) -> int:
        """How many events of a match that has come so far belong to earlier positions."""
        return match.before_move(move_count_at(self.record, number - 1)) if number else 0

    def lines(self, number: int) -> Iterator[str]:
        """What happened last, and the table after it."""
        match = self.at(number)
        yield f"Position {number} of {self.last}"
        yield from self._listed(match, self.events_before(match, number))
        yield from words_of(match.game.info.name).describe(self.view(match), match.names)

    def _listed(self, match: AnyMatch, since: int) -> Iterator[str]:
        yield from (f"· {sentence}" for sentence in self.told(match, since))

    def whole(self) -> Iterator[str]:
        """All that happened, the last table, and that the result is what the moves lead to."""
        match: AnyMatch = Match.resume(self.record)
        yield from self._listed(match, 0)
        yield from self.lines(self.last)
        if isinstance(match.turn, Over):
            yield f"Checked: {match.turn.result.text(match.names)}."

    def found(self, words: str, after: int) -> int | None:
        """The next position in whose story these words stand; after the last comes the first."""
        match: AnyMatch = Match.resume(self.record)
        wanted, ends = words.casefold(), [0, *self._ends(match)]
        for step in range(1, self.last + 2):
            number = (after + step) % (self.last + 1)
            story = self.told(match, ends[number], ends[number + 1])
            if any(wanted in sentence.casefold() for sentence in story):
                return number
        return None

    def _ends(self, match: AnyMatch) -> Iterator[int]:
        """For each position, how many events had happened by then."""
        for number in range(self.last + 1):
            yield match.before_move(move_count_at(self.record, number))


def find_seat(record: AnyRecord, wanted: str) -> Seat:
    """The seat of this name or number; `UsageError` if nobody has it."""
    for seat, name in enumerate(record.names):
        if wanted.casefold() == name.casefold():
            return seat
    number = small_number(wanted)
    if number is not None and 1 <= number <= len(record.names):
        return number - 1
    there = ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(record.names))
    raise UsageError(f"nobody called {quote(wanted)} plays here: the seats are {there}.")
