"""Why a request was refused: the kinds of problems, and how a refusal is sent."""

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
"""What decoding raises for an invalid request: not JSON, not UTF-8, wrong types, nested too deeply."""


class Refusal(WonderlandError):  # noqa: N818 - it states what was said, as a player would
    """A command that was not carried out: what kind of problem, and a sentence that says why."""

    def __init__(self, problem: str, text: str, **fields: object) -> None:
        super().__init__(text, **fields)
        self.problem = problem

    @classmethod
    def of(cls, problem: str, error: WonderlandError) -> Refusal:
        """What an error says, as a sentence of its own."""
        found = cls(problem, error.text, **error.fields)
        found.args = (_capital(str(error)),)
        return found

    def said(self, say: Callable[..., str]) -> str:
        """The same in a language, with a capital letter where English has one."""
        found = super().said(say)
        return _capital(found) if str(self)[:1].isupper() else found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def encode_refusal(
    refusal: Refusal, key: str = "", version: int | None = None, say: Language = ENGLISH
) -> bytes:
    """A refusal as a message, in a language."""
    says = str(refusal) if say is ENGLISH else refusal.said(say)
    return msgspec.json.encode(CommandRefused(refusal.problem, says, key, version))
