"""Rate limits: token buckets for each network, in requests or in milliseconds of work."""

from __future__ import annotations

import time
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address

_MAX_ADDRESSES = 10_000


@lru_cache(_MAX_ADDRESSES)
def network_of(address: str) -> str:
    """Return the network that limits count as one client: an IPv4 address, or the /64 of an IPv6 one.

    Whoever has one IPv6 address usually has the 2⁶⁴ of its network.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> network_of("2001:db8:1:2:3::4"), network_of("2001:db8:1:2:ffff::")
    ('2001:db8:1:2::/64', '2001:db8:1:2::/64')
    """
    if ":" not in address:
        return address
    try:
        found = IPv6Address(address.partition("%")[0])
    except AddressValueError:
        return address
    if found.is_loopback:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


class TokenBucket:
    """A token bucket: refilled by `rate` tokens per second, up to `burst`."""

    __slots__ = ("_burst", "_rate", "_tokens", "_updated")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._tokens = rate, burst, burst
        self._updated = time.monotonic()

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._updated) * self._rate)
        self._updated = now

    def take(self) -> bool:
        """Take a token; return whether the request is allowed."""
        self._refill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def charge(self, tokens: float) -> None:
        """Take what was spent, even if that leaves a debt, which is never larger than `burst`."""
        self._refill()
        self._tokens = max(-self._burst, self._tokens - tokens)

    def wait(self, tokens: float = 1.0) -> float:
        """Return the seconds until this many tokens are there; 0 if they are there now."""
        self._refill()
        missing = tokens - self._tokens
        if missing <= 0:
            return 0.0
        return missing / self._rate if self._rate > 0 else 3600.0


class RateLimiter:
    """A rate limit per network; the least recently used is evicted when there are too many."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, TokenBucket] = {}

    def _bucket(self, network: str) -> TokenBucket:
        bucket = self._buckets.pop(network, None) or TokenBucket(self._rate, self._burst)
        self._buckets[network] = bucket  # reinserted, so the least recently used comes first
        if len(self._buckets) > _MAX_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        return bucket

    def take(self, network: str) -> bool:
        """Take a token of a network; return whether the request is allowed."""
        return self._bucket(network).take()

    def charge(self, network: str, tokens: float) -> None:
        """Charge a network for what it has spent."""
        self._bucket(network).charge(tokens)

    def wait(self, network: str, tokens: float = 1.0) -> float:
        """Return the seconds until a network has this many tokens; 0 if it has them now."""
        return self._bucket(network).wait(tokens)
