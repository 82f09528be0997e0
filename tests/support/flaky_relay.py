"""A TCP relay between a client and a server that can drop responses and break connections."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Event, Thread


class FlakyRelay:
    """Forwards its port to another port of this machine."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.swallows = Event()
        """While set, everything that the server sends is dropped."""
        self._ends: list[socket.socket] = []
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all open connections."""
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            self._ends += [client, server]
            Thread(target=self._pass_on, args=(client, server, None), daemon=True).start()
            Thread(target=self._pass_on, args=(server, client, self.swallows), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, swallows: Event | None) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if swallows is None or not swallows.is_set():
                    target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
