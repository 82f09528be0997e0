"""Rate limits: token buckets, one for each address."""

from __future__ import annotations

import time


class TokenBucket:
    """A token bucket: allows `rate` requests per second, with bursts of up to `burst`."""

    __slots__ = ("_burst", "_rate", "_tokens", "_updated")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._tokens = rate, burst, burst
        self._updated = time.monotonic()

    def take(self) -> bool:
        """Take a token; return whether the request is allowed."""
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._updated) * self._rate)
        self._updated = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


_MAX_ADDRESSES = 10_000


class RateLimiter:
    """A rate limit per address; the least recently used address is evicted when there are too many."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, address: str) -> bool:
        """Take a token of an address; return whether the request is allowed."""
        bucket = self._buckets.pop(address, None) or TokenBucket(self._rate, self._burst)
        self._buckets[address] = bucket  # reinserted, so the least recently used comes first
        if len(self._buckets) > _MAX_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()
