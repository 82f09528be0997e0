"""Bots as people name them in commands: a level, or a bot of their own, and how much it may think.

`queen`, `queen@1000` (play-outs for each action), `queen@0.5s` (seconds for each choice),
`package.module:Bot`, `package.module:Bot@100`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from wonderland.bots.levels import level
from wonderland.components.bots import Bot, Budget, Level
from wonderland.engine.errors import BotFailed, UsageError, quote
from wonderland.engine.values import Value

_BUDGET = re.compile(r"(?P<playouts>[0-9]{1,9})|(?P<seconds>[0-9]{0,4}\.?[0-9]{1,6})s")


class Entrant(Value, frozen=True):
    """A bot that takes part, with its budget."""

    text: str
    """As it was named: it can be named so again, in another process or another year."""
    name: str
    """For tables and pictures."""
    make: Callable[[], Bot]
    budget: Budget
    policy: str | None = None
    """How a kernel would call it, if it is a level with its usual budget."""


def entrant(game: str, text: str) -> Entrant:
    """The bot that a text names; `UsageError` if there is none."""
    who, at, how_much = text.strip().partition("@")
    budget = read_budget(text, how_much) if at else None
    if ":" in who:
        make, name = _own(who)
        return Entrant(text.strip(), _with(name, how_much), make, budget or Budget())
    found: Level = level(game, who)
    name = _with(found.name, how_much)
    return Entrant(text.strip(), name, found.make, budget or found.budget, None if at else found.word)


def _with(name: str, how_much: str) -> str:
    return f"{name}@{how_much}" if how_much else name


def read_budget(text: str, how_much: str) -> Budget:
    """A number of play-outs, or seconds with an `s` behind them."""
    found = _BUDGET.fullmatch(how_much)
    if found is None or not float(how_much.rstrip("s")):
        raise UsageError(
            f"{quote(text)} is not possible: behind the @ stands a number of play-outs, such as 1000, "
            "or of seconds, such as 0.5s."
        )
    if found["playouts"]:
        return Budget(playouts=int(found["playouts"]))
    return Budget(seconds=float(found["seconds"]))


def _own(text: str) -> tuple[Callable[[], Bot], str]:
    """How to make the bot that `package.module:Bot` stands for, and its name."""
    module_name, _, attribute = text.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except Exception as error:  # third-party code may raise anything
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        kind = UsageError if _is_missing(module_name, error) else BotFailed
        raise kind(f"the bot {quote(text)} can't be imported: {why}.") from error
    make = getattr(module, attribute, None)
    if not callable(make):
        what = "nothing" if make is None else "no class"
        raise UsageError(
            f"the bot {quote(text)} can't be used: {what} of the name {quote(attribute)} is in "
            f"{module_name}."
        )
    name = getattr(_made(text, make), "name", attribute)
    return cast("Callable[[], Bot]", lambda: _made(text, make)), str(name)


def _is_missing(module_name: str, error: Exception) -> bool:
    """Whether the module itself isn't there, rather than something that it imports."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{module_name}.".startswith(f"{error.name}.")
    return not all(part.isidentifier() for part in module_name.split("."))


def _made(text: str, make: Callable[[], Any]) -> Any:
    """A fresh bot, if what was named makes one."""
    try:
        bot = make()
    except Exception as error:  # third-party code may raise anything
        why = f"{type(error).__name__}: {error}"
        raise BotFailed(f"the bot {quote(text)} can't be made without arguments: {why}.") from error
    if not callable(getattr(bot, "choose", None)):
        raise UsageError(
            f"the bot {quote(text)} can't play: it has no method choose(view, legal, rng, budget)."
        )
    return bot
