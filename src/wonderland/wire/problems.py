"""Refusals of requests: the kinds of problems, their HTTP status codes, and their encoding."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from wonderland.engine.errors import WonderlandError
from wonderland.engine.language import ENGLISH, Language
from wonderland.wire.messages import CommandRefused

STATUS = {
    "bad request": 400,
    "not yours": 403,
    "not found": 404,
    "stale": 409,
    "not now": 409,
    "illegal": 422,
    "too many": 429,
    "storage": 503,
}
"""The kinds of problems, with their HTTP status codes."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions from decoding an invalid request: not JSON or UTF-8, wrong types, nested too deeply."""


class Refusal(WonderlandError):  # noqa: N818 - an answer, not a fault
    """A refused command, with the kind of problem and a sentence that explains it."""

    def __init__(self, problem: str, text: str, **fields: object) -> None:
        super().__init__(text, **fields)
        self.problem = problem

    @classmethod
    def of(cls, problem: str, error: WonderlandError) -> Refusal:
        """A refusal with the text of an error, capitalised as a sentence."""
        found = cls(problem, error.text, **error.fields)
        found.args = (_capitalise(str(error)),)
        return found

    def said(self, say: Callable[..., str]) -> str:
        """The text in a language, capitalised if the English text is."""
        found = super().said(say)
        return _capitalise(found) if str(self)[:1].isupper() else found


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def encode_refusal(
    refusal: Refusal, key: str = "", version: int | None = None, say: Language = ENGLISH
) -> bytes:
    """Encode a refusal as a message in a language."""
    says = str(refusal) if say is ENGLISH else refusal.said(say)
    return msgspec.json.encode(CommandRefused(refusal.problem, says, key, version))
