"""Chat at a table: which messages are accepted, and how many."""

from __future__ import annotations

from wonderland.tables import entries as log
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_CHAT_SECONDS = 10
_CHAT_LIMIT = 5
"""Rate limit: messages of one seat per `_CHAT_SECONDS`."""
_JOINERS = dict.fromkeys((0x200C, 0x200D))
"""Zero-width (non-)joiners, which some scripts and emoji need."""


def chat_entry(table: Table, command: ask.Say, key: str, now: int) -> log.Said:
    """Return the entry of a seat's message; `Refusal` if chat is off or the message isn't accepted."""
    seat = command.seat
    if table.silent:
        raise Refusal(Code.CHAT_OFF, "The host has turned chat off.")
    if (command.phrase is None) == (command.text is None):
        raise Refusal(Code.PHRASE_OR_TEXT, "Send either a quick phrase or your own text, not both.")
    since = now - 1000 * _CHAT_SECONDS
    if sum(message.seat == seat and message.time > since for message in table.remarks) >= _CHAT_LIMIT:
        raise Refusal(
            Code.SLOW_DOWN,
            "Slow down a little: at most {most} messages every {seconds} seconds.",
            most=_CHAT_LIMIT,
            seconds=_CHAT_SECONDS,
        )
    if command.phrase is not None:
        if command.phrase not in ask.PHRASES:
            known = ", ".join(ask.PHRASES)
            raise Refusal(Code.NO_SUCH_PHRASE, "Choose one of these phrases: {phrases}.", phrases=known)
        return log.Said(seat, command.phrase, key=key)
    text = " ".join((command.text or "").split())
    if not text or not text.translate(_JOINERS).isprintable():
        raise Refusal(Code.NOT_ONE_LINE, "A message must be a single line of text.")
    return log.Said(seat, text=text, key=key)
