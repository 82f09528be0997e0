"""Socket handoff between workers: a WebSocket moves to the worker process that owns its table.

The worker that accepts a connection reads the request, then passes the open socket and the bytes read
to the table's owner through its mailbox (a Unix datagram socket). Everyone at a table is thus served by
one process, and moves need no inter-process messages. This is only an optimisation: any worker can
serve any table, and does so for HTTP and when a mailbox is full.

Through the same mailboxes, workers ask each other questions: the socket that comes with a question is
the way back for the answer.
"""

from __future__ import annotations

import asyncio
import os
import socket
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress

_MAX_REQUEST = 64 * 1024
_ANSWER_SECONDS = 2.0
"""How long a worker waits for the answers of others."""


class SocketHandoff:
    """One worker's end of the handoff: its own mailbox, and those of all workers to send sockets to."""

    def __init__(self, index: int, own: socket.socket, mailboxes: Sequence[socket.socket]) -> None:
        self.index = index
        self._own = own
        self._mailboxes = mailboxes
        for box in (own, *mailboxes):
            box.setblocking(False)  # noqa: FBT003 - positional-only

    @classmethod
    def from_text(cls, text: str) -> SocketHandoff:
        """Parse the `--worker` argument: the worker's index, then file descriptors."""
        index, own, *others = map(int, text.split(","))
        return cls(index, socket.socket(fileno=own), [socket.socket(fileno=n) for n in others])

    def owns(self, table: str) -> bool:
        """Whether this worker owns a table."""
        return zlib.crc32(table.encode()) % len(self._mailboxes) == self.index

    def hand_off(self, table: str, transport: asyncio.Transport, request: bytes) -> bool:
        """Pass a connection to the owner of a table; return whether it was accepted."""
        mailbox = self._mailboxes[zlib.crc32(table.encode()) % len(self._mailboxes)]
        descriptor = transport.get_extra_info("socket").fileno()
        try:
            socket.send_fds(mailbox, [request], [descriptor])
        except OSError:
            return False
        transport.abort()  # closes only this process's copy of the socket
        return True

    def receive(self, on_socket: Callable[[socket.socket, bytes], None]) -> None:
        """Call `on_socket` with every connection that arrives in this worker's mailbox."""

        def read_mailbox() -> None:
            try:
                request, descriptors, _, _ = socket.recv_fds(self._own, _MAX_REQUEST, 1)
            except (BlockingIOError, InterruptedError):
                return
            for descriptor in descriptors:
                on_socket(socket.socket(fileno=descriptor), request)

        asyncio.get_running_loop().add_reader(self._own.fileno(), read_mailbox)

    async def ask_others(self, question: bytes) -> list[bytes]:
        """Send a question to every other worker; return the answers that arrive in time."""
        others = [box for index, box in enumerate(self._mailboxes) if index != self.index]
        found = await asyncio.gather(*(_ask(box, question) for box in others))
        return [answer for answer in found if answer]

    def close(self) -> None:
        """Stop receiving."""
        asyncio.get_running_loop().remove_reader(self._own.fileno())


async def _ask(mailbox: socket.socket, question: bytes) -> bytes:
    """Return the answer of one worker; empty if there is none."""
    ours, theirs = socket.socketpair()
    with ours:
        ours.setblocking(False)  # noqa: FBT003 - positional-only
        with theirs:
            try:
                socket.send_fds(mailbox, [question], [theirs.fileno()])
            except OSError:  # it is full
                return b""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await _read_all(ours)
        except TimeoutError:
            return b""


async def _read_all(sock: socket.socket) -> bytes:
    parts = list[bytes]()
    while part := await asyncio.get_running_loop().sock_recv(sock, _MAX_REQUEST):
        parts.append(part)
    return b"".join(parts)


async def send_answer(sock: socket.socket, answer: bytes) -> None:
    """Answer a question that came with this socket."""
    with sock, suppress(OSError):  # the other worker may have died, or may not wait any longer
        sock.setblocking(False)  # noqa: FBT003 - positional-only
        await asyncio.get_running_loop().sock_sendall(sock, answer)


def mailboxes(workers: int) -> tuple[list[socket.socket], list[socket.socket]]:
    """Create a mailbox per worker; return the receiving and the sending ends."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(workers)]
    for pair in pairs:
        for end in pair:
            os.set_inheritable(end.fileno(), True)  # noqa: FBT003 - positional-only
    return [receiver for receiver, _ in pairs], [sender for _, sender in pairs]
