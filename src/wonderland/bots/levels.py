"""Which bots a game has, from weakest to strongest, and how one of them comes to its choice."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from wonderland.bots.playout_search import PlayoutSearch
from wonderland.components.bots import Bot, BotLevels, Budget, Level, RememberingBot
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component
from wonderland.engine.registry import game as named_game


class Dodo:
    """Plays whatever comes to mind."""

    name = "Dodo"

    def choose(self, view: Any, legal: Sequence[A], rng: random.Random, budget: Budget) -> A:  # noqa: ARG002 - it never looks
        """Any of the legal actions."""
        return rng.choice(legal)


DODO = Level("Dodo", "plays whatever comes to mind", Dodo)
_THINKING = Budget(seconds=0.2)


def levels(game: str) -> tuple[Level, ...]:
    """The levels of a game, weakest first: those of its own, or what any game gets."""
    own = cast("BotLevels | None", component(game, "bots.levels"))
    return (DODO, *(own.LEVELS if own is not None else (generic_level(game),)))


@cache
def generic_level(game: str) -> Level:
    """The level of a game that has no bots of its own."""
    the_game = named_game(game)
    about = "imagines how the game may go on, and does what ended well most often"
    return Level(PlayoutSearch.name, about, lambda: PlayoutSearch(the_game), _THINKING)


def level(game: str, name: str) -> Level:
    """The level of this name, whatever its case, with blanks or hyphens."""
    wanted = name.strip().lower().replace(" ", "-")
    for each in levels(game):
        if each.word == wanted:
            return each
    there = ", ".join(each.word for each in levels(game))
    raise UsageError(f"there is no bot called {quote(name)}: the levels are {there}.")


def default_level(game: str) -> Level:
    """The level that is meant where none is named: quick and decent, but it can be beaten."""
    _, *there = levels(game)
    return there[-2] if len(there) > 1 else there[-1]


def decide(bot: Bot, match: AnyMatch, seat: Seat, rng: random.Random, budget: Budget) -> Any:
    """What a bot chooses for a seat: it gets what that seat may know, and nothing else."""
    return prepare_decision(bot, match, seat, rng, budget)()


def prepare_decision(
    bot: Bot, match: AnyMatch, seat: Seat, rng: random.Random, budget: Budget
) -> Callable[[], Any]:
    """The same, to be called later or in another thread: the match may go on in the meantime."""
    if isinstance(bot, RememberingBot):
        bot.remember(match.events_seen_by(seat))
    view, legal = match.view(seat), match.legal(seat)
    return lambda: bot.choose(view, legal, rng, budget)


A = TypeVar("A")
