"""A record to step through: any position in words, as one seat sees it or with all cards open.

`prompt.py` and `screen.py` are the interfaces, at the prompt and on the full screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wonderland.bots.characters import display_names
from wonderland.components.words import describe_events, words_of
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.match import Match
from wonderland.engine.position import small_number
from wonderland.engine.protocol import Over, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.engine.values import Value
from wonderland.features.replay.branch import decision_count, move_count_at


class Replay(Value, frozen=True):
    """A record and a viewpoint. Positions are numbered by decisions: 0 is before the first."""

    record: AnyRecord
    seat: Seat | None = None
    """The seat whose view is shown; `None` shows all cards."""
    say: Language = ENGLISH

    @property
    def last(self) -> int:
        """Number of the last position."""
        return decision_count(self.record)

    @property
    def next_viewpoint(self) -> Replay:
        """The same record from the next viewpoint: each seat in turn, then all cards open."""
        following = 0 if self.seat is None else self.seat + 1
        return self.seen_from(following if following < len(self.record.names) else None)

    def seen_from(self, seat: Seat | None) -> Replay:
        """The same record from another viewpoint; `None` shows all cards."""
        return Replay(self.record, seat, self.say)

    @property
    def eyes(self) -> str:
        """The viewpoint in words."""
        if self.seat is None:
            return self.say("All cards face up")
        return self.say("What {name} could see", name=self.names[self.seat])

    @property
    def names(self) -> list[str]:
        """The names to show: those of bots are translated."""
        game = self.record.game.info.name
        return display_names(game, self.record.names, self.say)

    def where(self, number: int) -> str:
        """The number of a position in words."""
        return self.say("Move {n} of {total}", n=number, total=self.last)

    def at(self, number: int) -> AnyMatch:
        """The match after `number` decisions and the chance outcomes that followed the last of them."""
        return Match.resume(self.record, upto=move_count_at(self.record, number))

    def view(self, match: AnyMatch) -> Any:
        """The match as seen from the viewpoint."""
        return match.game.reveal(match.state) if self.seat is None else match.view(self.seat)

    def told(self, match: AnyMatch, since: int = 0, until: int | None = None) -> list[str]:
        """Describe the visible events `since` to `until`, one sentence each."""
        events: Sequence[Any] = match.events[since:until]
        if self.seat is not None:
            seen = [match.game.witness(event, self.seat) for event in events]
            events = [event for event in seen if event is not None]
        return describe_events(words_of(match.game.info.name), events, self.names, self.say)

    def events_before(self, match: AnyMatch, number: int) -> int:
        """Number of events that belong to positions before `number`."""
        return match.before_move(move_count_at(self.record, number - 1)) if number else 0

    def lines(self, number: int) -> Iterator[str]:
        """Describe the last events and the table after them."""
        match = self.at(number)
        yield self.where(number)
        yield from self._event_lines(match, self.events_before(match, number))
        yield from words_of(match.game.info.name).describe(self.view(match), self.names, self.say)

    def _event_lines(self, match: AnyMatch, since: int) -> Iterator[str]:
        yield from (f"· {sentence}" for sentence in self.told(match, since))

    def whole(self) -> Iterator[str]:
        """Describe all events and the final table, and confirm the result."""
        match: AnyMatch = Match.resume(self.record)
        yield from self._event_lines(match, 0)
        yield from self.lines(self.last)
        if isinstance(match.turn, Over):
            result = match.turn.result.text(self.names, self.say)
            yield self.say("The record is complete: {result}.", result=result)

    def found(self, words: str, after: int) -> int | None:
        """Return the next position whose events mention these words, wrapping around at the end."""
        match: AnyMatch = Match.resume(self.record)
        wanted, ends = words.casefold(), [0, *self._ends(match)]
        for step in range(1, self.last + 2):
            number = (after + step) % (self.last + 1)
            story = self.told(match, ends[number], ends[number + 1])
            if any(wanted in sentence.casefold() for sentence in story):
                return number
        return None

    def _ends(self, match: AnyMatch) -> Iterator[int]:
        """For each position, the number of events up to it."""
        for number in range(self.last + 1):
            yield match.before_move(move_count_at(self.record, number))


def find_seat(record: AnyRecord, wanted: str) -> Seat:
    """Return the seat with this name or number; raise `UsageError` if there is none."""
    for seat, name in enumerate(record.names):
        if wanted.casefold() == name.casefold():
            return seat
    number = small_number(wanted)
    if number is not None and 1 <= number <= len(record.names):
        return number - 1
    there = ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(record.names))
    raise UsageError(
        phrase("nobody called {name} plays in this game. The seats are {seats}."),
        name=quote(wanted),
        seats=there,
    )
