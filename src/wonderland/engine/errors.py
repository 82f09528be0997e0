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

Each message is one complete sentence that says what was wrong and what would be right. Players read it
in their own language: `str(error)` is English, with the number of the rule; `error.said(say)` is
translated, without it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Self, TypeVar

from wonderland.engine.language import ENGLISH, Language, Message, phrase


class WonderlandError(Exception):
    """The base class of every error that this package raises deliberately.

    A message that may be translated is passed as a template with the fields of a `Message`; `rule` is
    the number of the rule that it refers to, if any.

    >>> str(WonderlandError("{seat} has too many cards.", rule="P7", seat=1))
    'player 2 has too many cards (rule P7).'
    """

    def __init__(self, text: str = "", /, *, rule: str = "", **fields: object) -> None:
        super().__init__(text)
        self.message = Message(text, fields)
        self.rule = rule

    def __str__(self) -> str:
        return self.for_terminal(ENGLISH)

    def __reduce__(self) -> tuple[Any, ...]:
        """Make errors picklable whatever the signature of their constructor."""
        return _unpickle_error, (type(self), self.args, self.__dict__)

    def said(self, say: Language, card: Callable[[Any], str] = str) -> str:
        """Return the message in a language; `card` names a card."""
        return self.message.said(say, card)

    def for_terminal(self, say: Language) -> str:
        """Return the message in a language, with the number of the rule."""
        return cite_rule(self.said(say), self.rule, say)


def _unpickle_error(
    kind: type[WonderlandError], args: tuple[Any, ...], fields: dict[str, Any]
) -> WonderlandError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def cite_rule(sentence: str, rule: str, say: Language) -> str:
    """Append the number of a rule to a sentence, for terminals; pages show a link instead.

    >>> cite_rule("That card is elsewhere.", "P1", ENGLISH)
    'That card is elsewhere (rule P1).'
    """
    if not rule:
        return sentence
    return say("{sentence} (rule {number}).", sentence=sentence.rstrip(".\u3002"), number=rule)


_Error = TypeVar("_Error", bound=WonderlandError)


def convert_error(error: WonderlandError, kind: type[_Error]) -> _Error:
    """Return an error of another class with the same message."""
    return kind(error.message.text, rule=error.rule, **error.message.fields)


class NotationError(WonderlandError, ValueError):
    """Text that isn't a valid action, position, record or option value."""


class BrokenRule(StrEnum):
    """Base class of a game's codes: why an action is illegal or a position impossible.

    A member is a short, stable name, with the number of the rule in `rule`. Programs and tests use it;
    the sentence of an error is for people.
    """

    rule: str

    def __new__(cls, code: str, rule: str = "") -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.rule = rule
        return member


def _code_and_rule(broken: BrokenRule | str) -> tuple[str, str]:
    """Return the code and the rule of an error; a game without codes gives the rule only."""
    return (broken.value, broken.rule) if isinstance(broken, BrokenRule) else ("", broken)


class Impossible(NotationError):  # noqa: N818 - describes the position
    """A position that can't occur, with the reason as a message of its own.

    >>> str(Impossible("{seat} has no pile.", "C2", seat=1))
    "this position can't occur: player 2 has no pile (rule C2)."
    """

    def __init__(self, reason: str, broken: BrokenRule | str = "", /, **fields: object) -> None:
        self.reason = Message(reason, fields)
        self.code, rule = _code_and_rule(broken)
        super().__init__(phrase("this position can't occur: {reason}"), rule=rule, reason=self.reason)


class IllegalAction(WonderlandError):  # noqa: N818 - named as a player would put it
    """An action that the rules don't allow now, with the reason and the rule that it breaks.

    >>> str(IllegalAction("G8", "{seat} has no such card.", "P4", seat=1))
    "G8 isn't allowed here: player 2 has no such card (rule P4)."
    """

    def __init__(
        self, action: str, reason: str, broken: BrokenRule | str = "", /, **fields: object
    ) -> None:
        self.code, rule = _code_and_rule(broken)
        super().__init__(
            phrase("{action} isn't allowed here: {reason}"),
            rule=rule,
            action=action,
            reason=Message(reason, fields),
        )
        self.action = action


class GameOver(WonderlandError):  # noqa: N818 - named as a player would put it
    """An action after the end of the game."""

    def __init__(self, action: str) -> None:
        super().__init__(phrase("{action} comes too late: the game is over."), action=action)
        self.action = action


class UsageError(WonderlandError, ValueError):
    """A bad option or argument, of a command or a Python call, or an unknown game or bot."""


def wrong_player_count(title: str, allowed: range, players: int, rule: str) -> UsageError:
    """Return the error for a number of players that a game isn't made for.

    >>> str(wrong_player_count("Parade", range(2, 7), 7, "P2"))
    'Parade is for 2 to 6 players, not 7 (rule P2).'
    """
    return UsageError(
        phrase("{title} is for {least} to {most} players, not {players}."),
        rule=rule,
        title=title,
        least=allowed[0],
        most=allowed[-1],
        players=players,
    )


class FileProblem(WonderlandError):  # noqa: N818 - covers a full disk as well as a bad file
    """A file that can't be read or written, or that has the wrong contents.

    `hint` says what to do about it in a terminal; pages leave it out.
    """

    def __init__(
        self, text: str = "", /, *, rule: str = "", hint: Message | None = None, **fields: object
    ) -> None:
        super().__init__(text, rule=rule, **fields)
        self.hint = hint

    def for_terminal(self, say: Language) -> str:
        """Return the message in a language, with the hint."""
        sentence = super().for_terminal(say)
        return sentence if self.hint is None else f"{sentence} {self.hint.said(say)}"


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
