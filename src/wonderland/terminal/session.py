"""A game at this terminal: bots, turn order, and which events each person has seen.

The full screen and the prompt are both built on it. It does no input or output itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from wonderland.bots import levels, prepare_decision
from wonderland.bots.characters import difficulty, display_name, introduce
from wonderland.components.bots import Bot, Budget, Level
from wonderland.components.words import Words, describe_events, describe_past_events, words_of
from wonderland.engine.errors import BotFailed
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.terminal.choices import choices_of

_HINTS = "hints"
"""Seed for hints, separate so that asking for one doesn't change what the bots do later."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot with its budget per decision."""

    bot: Bot
    budget: Budget
    level: str = ""
    """The word of its level, if it has one."""


@dataclass(slots=True)
class Session:
    """A match with people and bots. Seats without a bot are people at this keyboard."""

    match: AnyMatch
    bots: Mapping[Seat, Opponent]
    rng: random.Random
    keep: Callable[[], None] | None = None
    """Callback after every move that saves the record."""
    adviser: Level | None = None
    """The bot that gives hints; the strongest one of the game by default."""
    began: int = 0
    """Number of events before this session: those of a resumed game are not news."""
    say: Language = ENGLISH
    """The language of everything that is shown; the record stays in English."""
    _read_count: dict[Seat | None, int] = field(default_factory=dict)

    @property
    def words(self) -> Words:
        """The game's wording."""
        return words_of(self.match.game.info.name)

    @property
    def names(self) -> list[str]:
        """The names to show: those of bots are translated, and people keep theirs."""
        return [
            display_name(self.match.game.info.name, name, self.say) if seat in self.bots else name
            for seat, name in enumerate(self.match.names)
        ]

    def introductions(self) -> list[str]:
        """Introduce the bots, one sentence each: who they are, how strong, and how they play."""
        game, say = self.match.game.info.name, self.say
        return [
            say(
                "{name} ({level}): {about}",
                name=self.names[seat],
                level=say(difficulty(game, bot.level)),
                about=introduce(game, self.match.names[seat], bot.level, say),
            )
            for seat, bot in self.bots.items()
            if bot.level
        ]

    @property
    def people(self) -> list[Seat]:
        """Seats of the people at this keyboard."""
        return [seat for seat in range(len(self.match.names)) if seat not in self.bots]

    @property
    def onlooker(self) -> Seat | None:
        """Viewpoint while nobody is asked: that of the only person, or a spectator's (`None`)."""
        return self.people[0] if len(self.people) == 1 else None

    @property
    def next_bot(self) -> Seat | None:
        """The next bot to act, if any: bots act before people, so as not to keep them waiting."""
        return next((seat for seat in seats_to_act(self.match.turn) if seat in self.bots), None)

    @property
    def next_person(self) -> Seat | None:
        """The person to act, if no bot is."""
        seats = seats_to_act(self.match.turn)
        return seats[0] if seats and self.next_bot is None else None

    def play(self, seat: Seat, action: Any) -> None:
        """Apply an action and save the record."""
        self.match.play(seat, action)
        if self.keep is not None:
            self.keep()

    def play_bot(self, seat: Seat) -> None:
        """Let a bot choose from its view, and apply its action."""
        self.play(seat, self.bot_task(seat)())

    def bot_task(self, seat: Seat) -> Callable[[], Any]:
        """Return a callable that computes the bot's action; it can run in another thread."""
        return self._decision_task(self.bots[seat], seat, self.rng)

    def hint_task(self, seat: Seat) -> Callable[[], Any]:
        """Return a callable that computes a hint, only from what this seat knows.

        Every hint uses a new bot, because an abandoned one may still be thinking in its thread.
        """
        adviser = Opponent(self._adviser.make(), self._adviser.budget)
        return self._decision_task(adviser, seat, random.Random(_HINTS))

    def _decision_task(self, opponent: Opponent, seat: Seat, rng: random.Random) -> Callable[[], Any]:
        choose = prepare_decision(opponent.bot, self.match, seat, rng, opponent.budget)

        def decide() -> Any:
            try:
                return choose()
            except Exception as error:  # third-party code may raise anything
                why = f"{type(error).__name__}: {error}"
                raise BotFailed(
                    phrase("{name} can't choose: {reason}."), name=opponent.bot.name, reason=why
                ) from error

        return decide

    @property
    def _adviser(self) -> Level:
        return self.adviser or levels(self.match.game.info.name)[-1]

    @property
    def adviser_name(self) -> str:
        """Name of the adviser."""
        return self.say(self._adviser.name)

    def advice(self, seat: Seat, action: Any) -> str:
        """The hint as a sentence with the key to type, and what that choice does."""
        key = next(key for key, its in choices_of(self.match, seat).items() if its == action)
        return self.say(
            "{name} would choose {key}: {choice}.",
            name=self.adviser_name,
            key=key,
            choice=self.words.describe_action(self.match.view(seat), action, self.say),
        )

    def must_hide(self, seat: Seat) -> bool:
        """Whether this person's view must be hidden from others at this keyboard."""
        own = structs.replace(self.match.view(seat), seat=None)
        return len(self.people) > 1 and bool(own != self.match.view(None))

    def news(self, seat: Seat | None) -> list[str]:
        """Describe the seat's unread events, one sentence each, and mark them as read."""
        sentences = self.fresh(seat)
        self.mark_read(seat)
        return sentences

    def fresh(self, seat: Seat | None) -> list[str]:
        """Describe the seat's unread events, one sentence each."""
        seen = self._visible_events(seat, self._events_read(seat), len(self.match.events))
        return describe_events(self.words, seen, self.names, self.say)

    def mark_read(self, seat: Seat | None) -> None:
        """Mark all events as read by this seat."""
        self._read_count[seat] = len(self.match.events)

    def _events_read(self, seat: Seat | None) -> int:
        """Number of events read by a seat; people with the same view read together."""
        is_shared = seat is None or not self.must_hide(seat)
        if is_shared and len(self.people) > 1:
            return max(self.began, *self._read_count.values(), 0)
        return self._read_count.get(seat, self.began)

    def log(self, seat: Seat | None) -> list[str]:
        """Retell the events that this seat has already read."""
        seen = self._visible_events(seat, 0, self._events_read(seat))
        return describe_past_events(self.words, seen, self.match.view(seat), self.names, self.say)

    def _visible_events(self, seat: Seat | None, since: int, until: int) -> list[Any]:
        seen = (self.match.game.witness(event, seat) for event in self.match.events[since:until])
        return [event for event in seen if event is not None]
