"""Refusals of requests: their HTTP status codes, and their encoding for WebSockets and HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

import msgspec

from wonderland.engine.errors import IllegalAction, Impossible, WonderlandError
from wonderland.engine.language import ENGLISH, Language
from wonderland.wire.codes import Code, Kind
from wonderland.wire.messages import CommandRefused

STATUS: dict[Kind, int] = {
    "bad request": 400,
    "not yours": 403,
    "not found": 404,
    "stale": 409,
    "not now": 409,
    "illegal": 422,
    "too many": 429,
    "failed": 500,
    "storage": 503,
}
"""The kinds of problems, with their HTTP status codes."""

RETRY_AFTER: dict[Kind, int] = {"too many": 5, "storage": 10}
"""Seconds after which to try again, for refusals that do not say."""

PROBLEM_TYPE = "application/problem+json"
"""The media type of problem documents."""

_DOCUMENTATION = "/api/docs"
"""The page that explains every code."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions from decoding an invalid request: not JSON or UTF-8, wrong types, nested too deeply."""


class ProblemDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A request over HTTP was refused; nothing has changed. The form is that of RFC 9457."""

    type: str
    """The address of the code's explanation."""
    title: str
    """What the code means, in English."""
    status: int
    detail: str
    """An explanation for people, in the language of the request."""
    code: str
    """A stable name of the reason, such as `not-your-turn`."""
    problem: str
    """The kind of problem, such as `not now`."""
    key: str = ""
    version: int | None = None
    rule: str = ""
    """The path of the broken rule in the rulebook, such as `/rules/parade#P4`, if there is one."""
    reason: str = ""
    """The game's own code of what its rules refuse, such as `not-in-hand`, if there is one."""


class Refusal(WonderlandError):  # noqa: N818 - an answer, not a fault
    """A refused request, with a code and a sentence that explains it."""

    rule_path: str = ""
    """The path of the broken rule in the rulebook, if there is one."""
    reason: str = ""
    """The game's own code of what its rules refuse, such as `not-in-hand`, if there is one."""
    retry_after: int = 0
    """Seconds after which it makes sense to try again, if that is known."""
    is_sentence: bool = False
    """Whether the text comes from an error, and needs a capital letter."""

    def __init__(self, code: Code, text: str, /, **fields: object) -> None:
        super().__init__(text, rule="", **fields)
        self.code = code

    @property
    def problem(self) -> Kind:
        """The kind of problem."""
        return self.code.kind

    def retry_in(self, seconds: float) -> Refusal:
        """Return this refusal with the time after which to try again, rounded up to seconds."""
        self.retry_after = max(1, ceil(seconds))
        return self

    @classmethod
    def of(
        cls, code: Code, error: WonderlandError, game: str = "", names: Sequence[str] = ()
    ) -> Refusal:
        """A refusal with the text of an error, capitalised as a sentence, with names for seats."""
        found = cls(code, "")
        found.message, found.is_sentence = error.message.with_names(names), True
        found.rule_path = rule_path(game, error.rule)
        if isinstance(error, IllegalAction | Impossible):
            found.reason = error.code
        return found

    def said(self, say: Language, card: Callable[[Any], str] = str) -> str:
        """The text in a language, capitalised if it comes from an error."""
        return self.message.sentence(say, card) if self.is_sentence else super().said(say, card)


def rule_path(game: str, rule: str) -> str:
    """The path of a rule in the rulebook of a game; empty if either is unknown.

    >>> rule_path("parade", "P9")
    '/rules/parade#P9'
    """
    return f"/rules/{game}#{rule}" if game and rule else ""


def retry_headers(refusal: Refusal) -> dict[str, str]:
    """The `Retry-After` header of a refusal that may not last; empty for all others."""
    seconds = refusal.retry_after or RETRY_AFTER.get(refusal.problem, 0)
    return {"Retry-After": str(seconds)} if seconds else {}


def encode_refusal(
    refusal: Refusal, key: str = "", version: int | None = None, say: Language = ENGLISH
) -> bytes:
    """Encode a refusal as a message of a WebSocket, in a language."""
    refused = CommandRefused(
        code=refusal.code,
        problem=refusal.problem,
        says=refusal.said(say),
        key=key,
        version=version,
        rule=refusal.rule_path,
        reason=refusal.reason,
    )
    return msgspec.json.encode(refused)


def problem_document(
    refusal: Refusal, key: str = "", version: int | None = None, say: Language = ENGLISH
) -> ProblemDocument:
    """Describe a refusal as the body of an HTTP response, in a language."""
    return ProblemDocument(
        type=f"{_DOCUMENTATION}#{refusal.code}",
        title=refusal.code.meaning,
        status=STATUS[refusal.problem],
        detail=refusal.said(say),
        code=refusal.code,
        problem=refusal.problem,
        key=key,
        version=version,
        rule=refusal.rule_path,
        reason=refusal.reason,
    )
