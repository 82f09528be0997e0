"""One play at this terminal: who is a bot, whose turn it is, what each person has been told.

Both shells, the full screen and the plain one, stand on it. It shows nothing itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from wonderland.bots import levels, prepare_decision
from wonderland.components.bots import Bot, Budget, Level
from wonderland.components.words import Words, retell_events, tell_events, words_of
from wonderland.engine.errors import BotFailed
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.terminal.choices import choices_of

_HINTS = "hints"
"""Their random numbers are their own: asking for a hint changes nothing that the bots do later."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot that plays here, and how much it may think about each choice."""

    bot: Bot
    budget: Budget


@dataclass(slots=True)
class Session:
    """A match with people and bots. Seats without a bot are people at this keyboard."""

    match: AnyMatch
    bots: Mapping[Seat, Opponent]
    rng: random.Random
    keep: Callable[[], None] | None = None
    """Called after every move, where the record is kept."""
    adviser: Level | None = None
    """Who gives hints; the strongest bot of the game where nobody is named."""
    began: int = 0
    """How many events had happened when this session began: those of a resumed game are not news."""
    _told: dict[Seat | None, int] = field(default_factory=dict)

    @property
    def words(self) -> Words:
        """The words of the game that is played."""
        return words_of(self.match.game.info.name)

    @property
    def people(self) -> list[Seat]:
        """The seats of those at this keyboard."""
        return [seat for seat in range(len(self.match.names)) if seat not in self.bots]

    @property
    def onlooker(self) -> Seat | None:
        """Through whose eyes to look while nobody is asked: the only person's, or a spectator's."""
        return self.people[0] if len(self.people) == 1 else None

    @property
    def next_bot(self) -> Seat | None:
        """The bot that may act now, if there is one: bots don't keep people waiting."""
        return next((seat for seat in seats_to_act(self.match.turn) if seat in self.bots), None)

    @property
    def next_person(self) -> Seat | None:
        """The person who is to act now, if no bot is."""
        seats = seats_to_act(self.match.turn)
        return seats[0] if seats and self.next_bot is None else None

    def play(self, seat: Seat, action: Any) -> None:
        """Carry out what a seat has chosen, and keep it."""
        self.match.play(seat, action)
        if self.keep is not None:
            self.keep()

    def play_bot(self, seat: Seat) -> None:
        """Let a bot choose, by what it sees, and carry it out."""
        self.play(seat, self.bot_task(seat)())

    def bot_task(self, seat: Seat) -> Callable[[], Any]:
        """How the bot of this seat comes to its choice: to be called, in another thread if need be."""
        return self._asked(self.bots[seat], seat, self.rng)

    def hint_task(self, seat: Seat) -> Callable[[], Any]:
        """How the adviser comes to what it would do, by what this seat may know and nothing else.

        Each time it is another bot: the one before may still be thinking, though nobody listens.
        """
        adviser = Opponent(self._adviser.make(), self._adviser.budget)
        return self._asked(adviser, seat, random.Random(_HINTS))

    def _asked(self, opponent: Opponent, seat: Seat, rng: random.Random) -> Callable[[], Any]:
        choose = prepare_decision(opponent.bot, self.match, seat, rng, opponent.budget)

        def chosen() -> Any:
            try:
                return choose()
            except Exception as error:  # third-party code may raise anything
                why = f"{type(error).__name__}: {error}"
                raise BotFailed(f"{opponent.bot.name} can't choose: {why}.") from error

        return chosen

    @property
    def _adviser(self) -> Level:
        return self.adviser or levels(self.match.game.info.name)[-1]

    @property
    def adviser_name(self) -> str:
        """Who gives hints, as it stands at the beginning of a sentence."""
        return f"The {self._adviser.name}"

    def advice(self, seat: Seat, action: Any) -> str:
        """What the adviser would do, by what to type for it."""
        key = next(key for key, its in choices_of(self.match, seat).items() if its == action)
        return f"{self.adviser_name} would choose {key}"

    def must_hide(self, seat: Seat) -> bool:
        """Whether others at this keyboard may not see what this person sees."""
        own = structs.replace(self.match.view(seat), seat=None)
        return len(self.people) > 1 and bool(own != self.match.view(None))

    def news(self, seat: Seat | None) -> list[str]:
        """What this seat has seen happen since it was last told, a sentence each; now it is told."""
        sentences = self.fresh(seat)
        self.has_heard(seat)
        return sentences

    def fresh(self, seat: Seat | None) -> list[str]:
        """What this seat has seen happen since it was last told, a sentence each."""
        seen = self._seen(seat, self._heard(seat), len(self.match.events))
        return tell_events(self.words, seen, self.match.names)

    def has_heard(self, seat: Seat | None) -> None:
        """This seat has been told all so far."""
        self._told[seat] = len(self.match.events)

    def _heard(self, seat: Seat | None) -> int:
        """Up to where a seat has been told; those who see the same have been told together."""
        together = seat is None or not self.must_hide(seat)
        if together and len(self.people) > 1:
            return max(self.began, *self._told.values(), 0)
        return self._told.get(seat, self.began)

    def log(self, seat: Seat | None) -> list[str]:
        """All that this seat has seen happen and been told before, as it is told again."""
        seen = self._seen(seat, 0, self._heard(seat))
        return retell_events(self.words, seen, self.match.view(seat), self.match.names)

    def _seen(self, seat: Seat | None, since: int, until: int) -> list[Any]:
        seen = (self.match.game.witness(event, seat) for event in self.match.events[since:until])
        return [event for event in seen if event is not None]
