"""The levels of a game, from weakest to strongest, and how to ask a bot for a decision."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from wonderland.bots.playout_search import PlayoutSearch
from wonderland.components.bots import Bot, BotLevels, Budget, Level, RememberingBot
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import phrase
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component
from wonderland.engine.registry import game as named_game


class Dodo:
    """A bot that plays at random."""

    name = "Dodo"

    def choose(self, view: Any, legal: Sequence[A], rng: random.Random, budget: Budget) -> A:  # noqa: ARG002 - it ignores them
        """Return a random legal action."""
        return rng.choice(legal)


DODO = Level("Dodo", "plays whatever comes to mind", Dodo)
_GENERIC_BUDGET = Budget(seconds=0.2)


def levels(game: str) -> tuple[Level, ...]:
    """Return the levels of a game, weakest first: its own, or the generic one."""
    own = cast("BotLevels | None", component(game, "bots.levels"))
    return (DODO, *(own.LEVELS if own is not None else (generic_level(game),)))


@cache
def generic_level(game: str) -> Level:
    """Return the level of a game without its own bots."""
    the_game = named_game(game)
    about = "plays out possible games and picks what works most often"
    return Level(PlayoutSearch.name, about, lambda: PlayoutSearch(the_game), _GENERIC_BUDGET, 0.25)


def level(game: str, name: str) -> Level:
    """Return the level of this name, ignoring case, with spaces or hyphens; else `UsageError`."""
    wanted = name.strip().lower().replace(" ", "-")
    for each in levels(game):
        if each.word == wanted:
            return each
    known = tuple(each.word for each in levels(game))
    raise UsageError(
        phrase("there is no bot called {name}. The levels are {known}."), name=quote(name), known=known
    )


def default_level(game: str) -> Level:
    """Return the default level: fast and competent, but beatable."""
    _, *above_random = levels(game)
    return above_random[-2] if len(above_random) > 1 else above_random[-1]


def decide(bot: Bot, match: AnyMatch, seat: Seat, rng: random.Random, budget: Budget) -> Any:
    """Ask a bot for an action; it receives only what the seat may know."""
    return prepare_decision(bot, match, seat, rng, budget)()


def prepare_decision(
    bot: Bot, match: AnyMatch, seat: Seat, rng: random.Random, budget: Budget
) -> Callable[[], Any]:
    """Return a deferred `decide`, safe to call in another thread while the match continues."""
    if isinstance(bot, RememberingBot):
        bot.remember(match.events_seen_by(seat))
    view, legal = match.view(seat), match.legal(seat)
    return lambda: bot.choose(view, legal, rng, budget)


A = TypeVar("A")
