"""The open WebSockets of a process, counted by network: seats come first, spectators are limited.

A player who holds a seat always gets a connection, however many spectators there are. If one device
opens too many at a table, its oldest one there is closed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wonderland.web.websocket import CloseCode, WebSocketProtocol

if TYPE_CHECKING:
    from wonderland.tables.limits import Limits
    from wonderland.tables.live_table import LiveTable
    from wonderland.web.table_socket import TableSocket

_MAX_JOINING = 50
"""Connections of a crowded network that may wait to be recognised as seats."""


class Connections:
    """All open WebSockets, and which of them belong to spectators."""

    def __init__(self, limits: Limits, per_address: int) -> None:
        self.open: set[TableSocket] = set()
        self._limits = limits
        self._per_address = per_address
        self._by_network: Counter[str] = Counter()
        self._spectators: Counter[str] = Counter()

    def can_open(self, network: str, device: str) -> bool:
        """Whether a network may open a connection; a crowded one only for a device that may have a seat.

        Whether it has one is known when the table is loaded (`can_stay`).
        """
        count = self._by_network[network]
        return count < self._per_address or (
            bool(device) and count < 2 * self._per_address + _MAX_JOINING
        )

    def add(self, connection: TableSocket) -> None:
        """Register an open connection."""
        self.open.add(connection)
        self._by_network[connection.network] += 1

    def can_stay(self, connection: TableSocket, live: LiveTable) -> bool:
        """Whether a connection may watch a table, now that its seat is known."""
        network, limits = connection.network, self._limits
        if connection.seat is not None:
            return self._by_network[network] <= 2 * self._per_address
        watching = sum(watcher.seat is None for watcher in live.watchers)
        return (
            self._by_network[network] <= self._per_address
            and self._spectators[network] < limits.of("spectators_per_address")
            and watching < limits.of("spectators_per_table")
        )

    def admit(self, connection: TableSocket, live: LiveTable) -> None:
        """Count a connection that watches a table from now on, and close a device's superfluous ones."""
        if connection.seat is None:
            connection.is_spectator = True
            self._spectators[connection.network] += 1
            return
        own = [
            watcher
            for watcher in live.watchers  # in order of arrival
            if watcher.seat is not None and watcher.device == connection.device
        ]
        if len(own) >= self._limits.of("sockets_per_seat") and isinstance(own[0], WebSocketProtocol):
            own[0].end(CloseCode.TRY_LATER, "This table is open too often on this device.")

    def remove(self, connection: TableSocket) -> None:
        """Unregister a connection; does nothing if it never was registered."""
        if connection not in self.open:
            return
        self.open.discard(connection)
        counters = [self._by_network] + [self._spectators] * connection.is_spectator
        for counter in counters:
            counter[connection.network] -= 1
            if not counter[connection.network]:
                del counter[connection.network]
