"""What nodes on one PostgreSQL tell each other by NOTIFY: which tables have changed, and the entries.

With the entries a node need not read the log to show a move of another node. Anyone who can connect to
the database can send notifications, even without permission to write to a table; so messages have an
authentication code, which needs the servers' key, and others are ignored. An entry that is missing or
too long is read from the log.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Raw

from wonderland.tables.storage.interface import StoredEntry

_MAX_PAYLOAD = 7900
"""In bytes; PostgreSQL's limit is 7999."""
_FRAME = 130
"""Bytes for everything in a message but the changes and entries."""


class _Line(msgspec.Struct, array_like=True):
    table: str
    n: int
    time: int
    body: Raw


class _Message(msgspec.Struct, array_like=True):
    writer: int
    changes: dict[str, int]
    """The latest entry of each table that has changed."""
    entries: Raw = Raw(b"[]")
    code: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Message).decode
_decode_entries = msgspec.json.Decoder(list[_Line]).decode


class Notifications:
    """Writes and reads the notifications of one node."""

    def __init__(self, writer: int, key: str = "") -> None:
        self._writer = writer
        self._key = key.encode()
        """Shared by all nodes; without it, messages have no entries."""

    def write(self, written: Iterable[StoredEntry]) -> list[str]:
        """Encode entries as messages within the length limit; one that is too long is only named."""
        messages: list[str] = []
        changes: dict[str, int] = {}
        lines: list[bytes] = []
        length = _FRAME
        for entry in written:
            change = len(_encode({entry.table: entry.n}))
            line = _encode(_Line(entry.table, entry.n, entry.time, Raw(entry.body)))
            if not self._key or change + len(line) > _MAX_PAYLOAD - _FRAME:
                line = b""
            size = change + len(line) + 2
            if length + size > _MAX_PAYLOAD:
                messages.append(self._message(changes, lines))
                changes, lines, length = {}, [], _FRAME
            changes[entry.table] = entry.n
            length += size
            if line:
                lines.append(line)
        return [*messages, self._message(changes, lines)] if changes else messages

    def _message(self, changes: dict[str, int], lines: Sequence[bytes]) -> str:
        message = _Message(self._writer, changes, Raw(b"[" + b",".join(lines) + b"]"))
        message.code = self._code(message)
        return _encode(message).decode()

    def read(self, text: str) -> tuple[dict[str, int], list[StoredEntry]]:
        """Return the changes and entries of a message; nothing if it is our own or not authentic."""
        try:
            message = _decode(text)
            if message.writer == self._writer:
                return {}, []
            if not hmac.compare_digest(message.code.encode(), self._code(message).encode()):
                return {}, []
            lines = _decode_entries(message.entries)
        except msgspec.MsgspecError:  # it is not from Wonderland
            return {}, []
        return message.changes, [
            StoredEntry(line.table, line.n, line.time, bytes(line.body)) for line in lines
        ]

    def _code(self, message: _Message) -> str:
        if not self._key:
            return ""
        content = _encode((message.writer, message.changes, message.entries))
        return hmac.digest(self._key, content, "sha256").hex()
