"""The exception hierarchy: one class for each kind of problem.

    WonderlandError        the root: commands catch it, print its message and exit with code 2
        NotationError          text that isn't a valid action, position, record or value
            Impossible             a position that can't occur
        IllegalAction          an action that the rules don't allow now
        GameOver               an action after the end of the game
        UsageError             a bad option or argument, on the command line or in Python
        FileProblem            a file that can't be read or written, or has the wrong contents
        GameFailed             a game that can't be loaded or used here
        BotFailed              a bot that can't be loaded, raises an error or makes an illegal move
        ClusterFailed          worker processes that can't be started or reached, or that died

Packages define the errors that only they raise: `StorageError` and `Refusal` for tables, `Gone` and
`Denied` for clients. Any other exception is a bug, and is never converted into one of these.

Each message is one complete sentence that says what was wrong and what would be right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class WonderlandError(Exception):
    """The base class of every error that this package raises deliberately.

    A message that may be translated is passed as a template with fields, as for a `Language`.

    >>> str(WonderlandError("Seat {number} is not yours.", number=2))
    'Seat 2 is not yours.'
    """

    def __init__(self, text: str = "", **fields: object) -> None:
        super().__init__(text.format(**fields) if fields else text)
        self.text = text
        self.fields = fields

    def __reduce__(self) -> tuple[Any, ...]:
        """Make errors picklable whatever the signature of their constructor."""
        return _unpickle_error, (type(self), self.args, self.__dict__)

    def said(self, say: Callable[..., str]) -> str:
        """Return the message, translated by `say`."""
        return say(self.text, **self.fields)


def _unpickle_error(
    kind: type[WonderlandError], args: tuple[Any, ...], fields: dict[str, Any]
) -> WonderlandError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class NotationError(WonderlandError, ValueError):
    """Text that isn't a valid action, position, record or option value."""


class Impossible(NotationError):  # noqa: N818 - describes the position
    """A position that can't occur. The reason is a template; its field `seat` is a seat.

    >>> str(Impossible("{seat} has no pile.", seat=1))
    'there is no such position: seat 2 has no pile.'
    """

    def __init__(self, reason: str, **fields: object) -> None:
        self.reason, self.reason_fields = reason, fields
        why = self.why(str.format, seat=lambda seat: f"seat {seat + 1}")
        super().__init__("there is no such position: {why}", why=why)

    def why(self, say: Callable[..., str], **names: Callable[[Any], str]) -> str:
        """Return the translated reason alone; `names` render seats, cards and so on by field name."""
        fields = {key: names.get(key, str)(value) for key, value in self.reason_fields.items()}
        return say(self.reason, **fields)


class IllegalAction(WonderlandError):  # noqa: N818 - named as a player would put it
    """An action that the rules don't allow now; `rule` is the number of the rule it breaks."""

    def __init__(self, action: str, reason: str, rule: str) -> None:
        super().__init__(f"{action} is not allowed: {reason} ({rule}).")
        self.action = action
        self.reason = reason
        self.rule = rule


class GameOver(WonderlandError):  # noqa: N818 - named as a player would put it
    """An action after the end of the game."""

    def __init__(self, action: str) -> None:
        super().__init__(f"{action} comes too late: the game is over.")
        self.action = action


class UsageError(WonderlandError, ValueError):
    """A bad option or argument, of a command or a Python call, or an unknown game or bot."""


class FileProblem(WonderlandError):  # noqa: N818 - covers a full disk as well as a bad file
    """A file that can't be read or written, or that has the wrong contents."""


class GameFailed(WonderlandError):  # noqa: N818 - named like `BotFailed` and `ClusterFailed`
    """A game that can't be loaded, or lacks a required capability."""


class BotFailed(WonderlandError):  # noqa: N818 - says what happened
    """A bot that can't be loaded, raises an error, or chooses an illegal action."""


class ClusterFailed(WonderlandError):  # noqa: N818 - says what happened
    """Local or remote worker processes that can't be started or reached, or that died."""


_MAX_QUOTE_LENGTH = 60


def shorten(text: str, longest: int = _MAX_QUOTE_LENGTH) -> str:
    """Truncate a text for use in a message."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def quote(value: object, longest: int = _MAX_QUOTE_LENGTH) -> str:
    """Render a value for a message: strings in quotes, and truncated.

    >>> quote("R11"), quote(11)
    ("'R11'", '11')
    >>> quote("R" * 1000, longest=8)
    "'RRRRRRR…'"
    """
    if isinstance(value, str):
        return repr(shorten(value, longest))
    try:
        return shorten(repr(value), longest)
    except ValueError:  # Python refuses to print numbers of thousands of digits
        return "a number of thousands of digits"
