"""The frames of WebSocket (RFC 6455, chapter 5), from a client to us and from us to a client.

`websockets` opens a connection; after that there is little left to do for messages of a few hundred
bytes without extensions, and this does it in a fifth of the time and without keeping the request in
memory. What a client may not send ends the connection with the code that the standard has for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum


class Opcode(IntEnum):
    """What a frame is."""

    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


class Code(IntEnum):
    """Why a connection ends."""

    NORMAL = 1000
    PROTOCOL_ERROR = 1002
    UNSUPPORTED = 1003
    INVALID_TEXT = 1007
    POLICY = 1008
    TOO_BIG = 1009
    RESTART = 1012
    TRY_LATER = 1013
    NOT_YOURS = 4403
    NOT_FOUND = 4404


class Broken(Exception):  # noqa: N818 - it states what a connection is
    """A client sent what it may not."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code = code


_FIN, _RESERVED, _MASK, _CONTROL = 0x80, 0x70, 0x80, 0x08
_LONGEST_CONTROL = 125


def encode_frame(opcode: int, payload: bytes) -> bytes:
    """One whole message as a frame from the server, which has no mask.

    >>> encode_frame(Opcode.TEXT, b"hi").hex()
    '81026869'
    """
    length = len(payload)
    if length < 126:
        return bytes((_FIN | opcode, length)) + payload
    if length < 65536:
        return bytes((_FIN | opcode, 126, length >> 8, length & 255)) + payload
    return bytes((_FIN | opcode, 127)) + length.to_bytes(8, "big") + payload


def close_frame(code: int, reason: str) -> bytes:
    """The frame that ends a connection."""
    return encode_frame(Opcode.CLOSE, code.to_bytes(2, "big") + reason.encode()[:120])


class Reader:
    """Takes what comes from a client, in whatever pieces; gives whole messages and control frames."""

    __slots__ = ("_buffer", "_largest", "_parts")

    def __init__(self, largest: int) -> None:
        self._buffer = b""
        self._largest = largest
        self._parts: list[bytes] | None = None
        """The frames of a message that has not come to its end."""

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Each message, or control frame, that is complete now; raises `Broken`."""
        self._buffer = buffer = self._buffer + data if self._buffer else data
        at = 0
        while (frame := self._frame(buffer, at)) is not None:
            first, payload, at = frame
            opcode = first & 15
            if opcode & _CONTROL:
                yield opcode, payload
            elif (whole := self._joined(opcode, payload, last=bool(first & _FIN))) is not None:
                yield Opcode.TEXT, whole
        self._buffer = buffer[at:]

    def _frame(self, buffer: bytes, at: int) -> tuple[int, bytes, int] | None:
        """The first byte and the payload of the frame that begins there, and where it ends."""
        if len(buffer) < at + 2:
            return None
        first, second = buffer[at], buffer[at + 1]
        length, start = second & 127, at + 2
        self._check(first, second, length)
        if length == 126:
            if len(buffer) < start + 2:
                return None
            length, start = int.from_bytes(buffer[start : start + 2], "big"), start + 2
        elif length == 127:
            if len(buffer) < start + 8:
                return None
            length, start = int.from_bytes(buffer[start : start + 8], "big"), start + 8
        if length > self._largest:
            raise Broken(Code.TOO_BIG, f"A message has {self._largest} bytes at most.")
        end = start + 4 + length
        if len(buffer) < end:
            return None
        return first, _unmasked(buffer[start + 4 : end], buffer[start : start + 4]), end

    def _check(self, first: int, second: int, length: int) -> None:
        """Refuse what no client may send, as soon as it can be seen."""
        opcode = first & 15
        if first & _RESERVED:
            raise Broken(Code.PROTOCOL_ERROR, "No extension has been agreed on.")
        if not second & _MASK:
            raise Broken(Code.PROTOCOL_ERROR, "What a client sends is masked.")
        if opcode & _CONTROL:
            if opcode > Opcode.PONG or not first & _FIN or length > _LONGEST_CONTROL:
                raise Broken(Code.PROTOCOL_ERROR, "There is no such control frame.")
        elif opcode == Opcode.BINARY:
            raise Broken(Code.UNSUPPORTED, "Messages are text.")
        elif opcode > Opcode.BINARY or (opcode == Opcode.CONTINUATION) != (self._parts is not None):
            raise Broken(Code.PROTOCOL_ERROR, "This frame does not follow from the one before.")

    def _joined(self, opcode: int, payload: bytes, *, last: bool) -> bytes | None:
        """The whole message, if this is the end of it."""
        if last and opcode:
            return payload
        parts = self._parts = [*(self._parts or ()), payload]
        if sum(map(len, parts)) > self._largest or len(parts) > self._largest:
            raise Broken(Code.TOO_BIG, f"A message has {self._largest} bytes at most.")
        if not last:
            return None
        self._parts = None
        return b"".join(parts)


def _unmasked(payload: bytes, mask: bytes) -> bytes:
    """All at once: as numbers of as many bytes as there are."""
    length = len(payload)
    repeated = (mask * (length // 4 + 1))[:length]
    number = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return number.to_bytes(length, "big")
