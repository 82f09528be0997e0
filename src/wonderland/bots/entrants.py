"""Parses bots named in commands: a level or a custom bot, with an optional budget.

`queen`, `queen@1000` (playouts per action), `queen@0.5s` (time limit per choice),
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
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

_BUDGET = re.compile(r"(?P<playouts>[0-9]{1,9})|(?P<seconds>[0-9]{0,4}\.?[0-9]{1,6})s")


class Entrant(Value, frozen=True):
    """A bot in a tournament or simulation, with its budget."""

    text: str
    """The text that named it, which identifies it in other processes and later runs."""
    name: str
    """The display name."""
    make: Callable[[], Bot]
    budget: Budget
    policy: str | None = None
    """Its name among a kernel's policies, if it is a level with its default budget."""
    answer_time: float = 0.0
    """Seconds after which a server shows its moves, as in `Level`."""


def entrant(game: str, text: str) -> Entrant:
    """Parse the name of a bot; `UsageError` if there is no such bot."""
    bot, at, limit = text.strip().partition("@")
    budget = read_budget(text, limit) if at else None
    if ":" in bot:
        make, name = _import_bot(bot)
        return Entrant(text.strip(), _display_name(name, limit), make, budget or Budget())
    found: Level = level(game, bot)
    name = _display_name(found.name, limit)
    policy = None if at else found.word
    return Entrant(text.strip(), name, found.make, budget or found.budget, policy, found.answer_time)


def _display_name(name: str, limit: str) -> str:
    return f"{name}@{limit}" if limit else name


def read_budget(text: str, limit: str) -> Budget:
    """Parse a number of playouts, or a time limit in seconds with the suffix `s`."""
    found = _BUDGET.fullmatch(limit)
    if found is None or not float(limit.rstrip("s")):
        raise UsageError(
            phrase(
                "{text} has an invalid limit. After the @, write a number of playouts, such as 1000, "
                "or of seconds, such as 0.5s."
            ),
            text=quote(text),
        )
    if found["playouts"]:
        return Budget(playouts=int(found["playouts"]))
    return Budget(seconds=float(found["seconds"]))


def _import_bot(text: str) -> tuple[Callable[[], Bot], str]:
    """Return a factory for the bot `package.module:Bot`, and its name."""
    module_name, _, attribute = text.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except Exception as error:  # third-party code may raise anything
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        kind = UsageError if _is_missing(module_name, error) else BotFailed
        raise kind(
            phrase("the bot {bot} can't be imported: {reason}."), bot=quote(text), reason=why
        ) from error
    make = getattr(module, attribute, None)
    if not callable(make):
        raise UsageError(
            phrase("the bot {bot} can't be used: there is no class {name} in {module}."),
            bot=quote(text),
            name=quote(attribute),
            module=module_name,
        )
    name = getattr(_create_bot(text, make), "name", attribute)
    return cast("Callable[[], Bot]", lambda: _create_bot(text, make)), str(name)


def _is_missing(module_name: str, error: Exception) -> bool:
    """Whether the module itself is missing, rather than something that it imports."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{module_name}.".startswith(f"{error.name}.")
    return not all(part.isidentifier() for part in module_name.split("."))


def _create_bot(text: str, make: Callable[[], Any]) -> Any:
    """Create a bot and check that it has the method `choose`."""
    try:
        bot = make()
    except Exception as error:  # third-party code may raise anything
        why = f"{type(error).__name__}: {error}"
        raise BotFailed(
            phrase("the bot {bot} can't be created without arguments: {reason}."),
            bot=quote(text),
            reason=why,
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise UsageError(
            phrase("the bot {bot} can't play: it has no method choose(view, legal, rng, budget)."),
            bot=quote(text),
        )
    return bot
