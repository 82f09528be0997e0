"""Several processes at one socket: a WebSocket is handed on to the process that its table belongs to.

Whichever process accepts a connection reads the request, and passes the open socket and what it read to
the owner of the table, which goes on with it. So everybody at a table is at the same process, and a move
need not travel. It is only for speed: any process can serve any table, and does so if a mailbox is
full, and for everything over HTTP.
"""

from __future__ import annotations

import asyncio
import os
import socket
import zlib
from collections.abc import Callable, Sequence

_LARGEST_REQUEST = 64 * 1024


class SocketHandoff:
    """One process among several, each with a mailbox that all of them can put sockets into."""

    def __init__(self, index: int, own: socket.socket, mailboxes: Sequence[socket.socket]) -> None:
        self.index = index
        self._own = own
        self._mailboxes = mailboxes
        for box in (own, *mailboxes):
            box.setblocking(False)  # noqa: FBT003 - its only way

    @classmethod
    def from_text(cls, text: str) -> SocketHandoff:
        """As a process is told by the one that started it: its number, then descriptors."""
        index, own, *others = map(int, text.split(","))
        return cls(index, socket.socket(fileno=own), [socket.socket(fileno=n) for n in others])

    def is_mine(self, table: str) -> bool:
        """Whether a table belongs to this process."""
        return zlib.crc32(table.encode()) % len(self._mailboxes) == self.index

    def hand_on(self, table: str, transport: asyncio.Transport, request: bytes) -> bool:
        """Pass a connection to the owner of a table; gives whether it was taken."""
        mailbox = self._mailboxes[zlib.crc32(table.encode()) % len(self._mailboxes)]
        descriptor = transport.get_extra_info("socket").fileno()
        try:
            socket.send_fds(mailbox, [request], [descriptor])
        except OSError:
            return False
        transport.abort()  # which closes our end of it only
        return True

    def receive(self, taken: Callable[[socket.socket, bytes], None]) -> None:
        """Call `taken` with every connection that is put into our mailbox."""

        def look() -> None:
            try:
                request, descriptors, _, _ = socket.recv_fds(self._own, _LARGEST_REQUEST, 1)
            except (BlockingIOError, InterruptedError):
                return
            for descriptor in descriptors:
                taken(socket.socket(fileno=descriptor), request)

        asyncio.get_running_loop().add_reader(self._own.fileno(), look)

    def close(self) -> None:
        """Take no more."""
        asyncio.get_running_loop().remove_reader(self._own.fileno())


def mailboxes(workers: int) -> tuple[list[socket.socket], list[socket.socket]]:
    """For so many processes: where each takes from, and where others put into."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(workers)]
    for pair in pairs:
        for end in pair:
            os.set_inheritable(end.fileno(), True)  # noqa: FBT003 - its only way
    return [own for own, _ in pairs], [put for _, put in pairs]
