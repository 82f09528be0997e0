"""A bounded queue that serves its owners in turn, however much each of them has queued."""

from __future__ import annotations

from collections import Counter, deque
from typing import Generic, TypeVar

from wonderland.engine.values import Value

T = TypeVar("T")
_MAX_REMEMBERED = 10_000
"""Owners whose last turn is remembered."""


class Owner(Value, frozen=True):
    """Whose turn something is: a device, and the network that it comes from."""

    network: str
    device: str = ""


class FairQueue(Generic[T]):
    """Serves the network served least recently, in it the device served least recently, in order.

    >>> queue = FairQueue[int](most=10, most_per_network=3)
    >>> greedy, modest = Owner("192.0.2.1"), Owner("192.0.2.2")
    >>> [queue.put(greedy, n) for n in range(5)], queue.put(modest, 9)
    ([True, True, True, False, False], True)
    >>> [queue.pop() for _ in range(5)]
    [0, 9, 1, 2, None]
    """

    def __init__(self, most: float, most_per_network: float) -> None:
        self._most, self._most_per_network = most, most_per_network
        self._networks: dict[str, dict[Owner, deque[T]]] = {}
        self._counts: Counter[str] = Counter()
        self._served: dict[str | Owner, int] = {}
        """When each network and each owner was last served, as the number of items served before."""
        self._number = 0

    def __len__(self) -> int:
        return self._counts.total()

    def put(self, owner: Owner, item: T) -> bool:
        """Append an item; return `False` if the queue, or the owner's part of it, is full."""
        if len(self) >= self._most or self._counts[owner.network] >= self._most_per_network:
            return False
        self._networks.setdefault(owner.network, {}).setdefault(owner, deque()).append(item)
        self._counts[owner.network] += 1
        return True

    def pop(self) -> T | None:
        """Take the item of the owner whose turn it is; `None` if there is none."""
        if not self._networks:
            return None
        network = min(self._networks, key=self._last_served)
        owners = self._networks[network]
        owner = min(owners, key=self._last_served)
        item = owners[owner].popleft()
        if not owners[owner]:
            del owners[owner]
        if not owners:
            del self._networks[network]
        self._counts -= Counter([network])  # unlike -= 1, this drops counts that reach zero
        self._note_served(network, owner)
        return item

    def _last_served(self, whom: str | Owner) -> int:
        return self._served.get(whom, 0)

    def _note_served(self, network: str, owner: Owner) -> None:
        self._number += 1
        for whom in (network, owner):
            self._served.pop(whom, None)
            self._served[whom] = self._number  # reinserted, so the least recent comes first
        while len(self._served) > _MAX_REMEMBERED:
            del self._served[next(iter(self._served))]
