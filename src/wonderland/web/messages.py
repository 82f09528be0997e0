"""What goes out beside the table itself: answers, problems, and who is there."""

from __future__ import annotations

import msgspec

from wonderland.core.language import ENGLISH, Language
from wonderland.tables.commands import Refusal


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """A command was carried out, and that is stored."""

    key: str
    version: int
    """The version of the table with it."""
    told: dict[str, str] = {}
    """What only the sender is told, such as the secret of a link."""


class Refused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """Something was not done; nothing has changed."""

    problem: str
    """Its kind: `bad request`, `not yours`, `not found`, `stale`, `not now`, `illegal`, `too many` or
    `storage`."""
    says: str
    """A sentence for people."""
    key: str = ""
    version: int | None = None


def problem(
    refusal: Refusal, key: str = "", version: int | None = None, say: Language = ENGLISH
) -> bytes:
    """A refusal as a message, in a language."""
    says = str(refusal) if say is ENGLISH else refusal.said(say)
    return msgspec.json.encode(Refused(refusal.problem, says, key, version))
