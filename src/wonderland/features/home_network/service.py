"""Opens the server to the home network while people are invited, and closes it again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import msgspec

from wonderland.discovery import Service
from wonderland.engine.errors import UsageError
from wonderland.features.home_network.addresses import home_addresses
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from wonderland.web.app import Site

_WATCH_SECONDS = 10.0
"""How often to check that this machine still has the address."""


class NetworkState(msgspec.Struct, frozen=True):
    """Whether the home network can reach this server."""

    can_switch: bool
    """Whether this client can open and close it."""
    address: str = ""
    """The server's address on the network while it is open."""
    hosts: list[str] = []
    """This machine's addresses on private networks; the first is the most likely one."""


class HomeNetwork(Service):
    """The second socket of a server that listens to its own machine only."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._watch_task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    @property
    def is_available(self) -> bool:
        """Whether this server can be opened: one process that listens to its own machine."""
        return self._site.second_socket is not None

    def hosts(self) -> list[str]:
        """Return the addresses on which it can be opened, the most likely first."""
        return [self._site.home_network] if self._site.home_network else home_addresses()

    async def state(self) -> NetworkState:
        """Return the state for a client that may switch it."""
        socket = self._site.second_socket
        if socket is None:
            return NetworkState(can_switch=False)
        hosts = await asyncio.to_thread(self.hosts)
        return NetworkState(can_switch=True, address=socket.address, hosts=hosts)

    def came_through(self, host: str) -> bool:
        """Whether a request to an address of this machine came from the home network."""
        socket = self._site.second_socket
        return socket is not None and socket.host == host

    async def open(self, host: str) -> None:
        """Listen on one of the addresses, or on the most likely one; `Refusal` if there is none."""
        socket, hosts = self._site.second_socket, await asyncio.to_thread(self.hosts)
        async with self._lock:
            if socket is None or not hosts or (host and host not in hosts):
                raise Refusal(
                    Code.NO_HOME_NETWORK,
                    "This computer isn't connected to a home network. Connect it to your Wi-Fi and try "
                    "again.",
                )
            try:
                await socket.open(host or hosts[0])
            except UsageError:
                raise Refusal(
                    Code.NO_HOME_NETWORK,
                    "This computer's home network can't be used right now. Please try again.",
                ) from None
            self._site.others = socket.address
            if self._watch_task is None:
                self._watch_task = asyncio.get_running_loop().create_task(self._watch())

    async def shut(self) -> None:
        """Stop listening, and disconnect everyone who came from there."""
        async with self._lock:
            if self._watch_task is not None:
                self._watch_task.cancel()
                self._watch_task = None
            if self._site.second_socket is not None and self._site.second_socket.host:
                self._site.second_socket.close()
                self._site.others = ""

    async def _watch(self) -> None:
        """Close it when this machine has left the network."""
        socket = self._site.second_socket
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            if socket is None or socket.host not in await asyncio.to_thread(self.hosts):
                break
        self._watch_task = None
        await self.shut()

    async def close(self) -> None:
        """Close it when the server stops."""
        await self.shut()


def create(site: Site) -> HomeNetwork:
    """Create the service of a site."""
    return HomeNetwork(site)


def service_of(site: Site) -> HomeNetwork:
    """Return the service of a site."""
    return cast("HomeNetwork", site.services["home_network"])
