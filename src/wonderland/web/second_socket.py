"""A second listening socket of a running server, such as one for the local network.

It serves the same application as the first. Closing it also closes the connections that came through it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from wonderland.web.startup import PortTaken, bind, format_address
from wonderland.web.websocket import WebSocketProtocol

_SECOND_LOOK = 1.0
"""Seconds after closing, to look for connections that were being accepted then."""


class SecondSocket:
    """Opens and closes the second socket of a server, whose protocol and connections it uses."""

    def __init__(
        self,
        create_protocol: Callable[[], asyncio.Protocol],
        connections: set[Any],
        servers: list[asyncio.Server],
        port: int,
    ) -> None:
        self.host = ""
        """The address on which it listens; empty while it is closed."""
        self.address = ""
        """The same as a URL."""
        self._create_protocol = create_protocol
        self._connections = connections
        self._servers = servers
        self._port = port
        self._server: asyncio.Server | None = None

    async def open(self, host: str) -> None:
        """Listen on an address, on the first socket's port or any other; `UsageError` if impossible."""
        self.close()
        try:
            sock = bind(host, self._port)
        except PortTaken:
            sock = bind(host, 0)
        sock.setblocking(False)  # noqa: FBT003 - positional-only
        self._server = await asyncio.get_running_loop().create_server(self._create_protocol, sock=sock)
        self._servers.append(self._server)  # the server closes it when it stops
        self.host, self.address = host, format_address(host, sock.getsockname()[1])

    def close(self) -> None:
        """Stop listening, and close the connections that came through this socket."""
        if self._server is None:
            return
        self._servers.remove(self._server)
        self._server.close()
        host, self._server, self.host, self.address = self.host, None, "", ""
        self._disconnect(host)
        # A connection that was being accepted just now is not among them yet.
        asyncio.get_running_loop().call_later(_SECOND_LOOK, self._disconnect, host)

    def _disconnect(self, host: str) -> None:
        """Close the connections to a closed socket: WebSockets in order, requests at once."""
        if host == self.host:
            return  # it was opened again
        for connection in list(self._connections):
            if isinstance(connection, WebSocketProtocol):
                if connection.local_host == host:
                    connection.shutdown()
            elif connection.server is not None and connection.server[0] == host:
                connection.transport.abort()
