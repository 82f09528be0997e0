"""Moderation: bans, the announcement and closed tables.

They are documents, written by the operator's commands beside running servers. A small document, the
revision, changes with each of them: every server process polls it, and loads the others when it changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import msgspec

from wonderland.engine.values import Value
from wonderland.tables.storage.documents import Document, DocumentStore, now

BAN, CLOSED = "moderation.ban", "moderation.closed"
_KIND, _REVISION, _ANNOUNCEMENT = "moderation", "revision", "announcement"
_MOST = 100_000
_KEEP_CLOSED = 24 * 3600 * 1000
"""Milliseconds for which an erased table stays marked, for servers that were unreachable meanwhile."""
_KEEP_CHANGING = 600_000
"""Milliseconds after which a table that was being changed is open again, in case the command died."""
_IPV6_CLIENT = 64
"""Whoever has one IPv6 address usually has all of its /64 network."""


class Ban(Value, frozen=True):
    """Someone who may not use the server."""

    subject: str
    """A network such as 203.0.113.0/24, `account:` and an id, or `device:` and a hash."""
    made: int
    """When, in milliseconds since 1970."""
    until: int | None = None
    """When it ends, in milliseconds since 1970; `None` for never."""
    reason: str = ""
    name: str = ""
    """The name of the account."""
    devices: tuple[str, ...] = ()
    """The devices that it concerns, by the hashes of their secrets."""

    def holds(self, time: int) -> bool:
        """Whether it is in force at a time."""
        return self.until is None or time < self.until


class Announcement(Value, frozen=True):
    """A message from the operator to everyone."""

    text: str
    made: int
    until: int | None = None

    def text_at(self, time: int) -> str:
        """The text to show at a time; empty once it is over."""
        return self.text if self.until is None or time < self.until else ""


class BanList:
    """Finds the ban that concerns a client, in a time that does not depend on their number."""

    __slots__ = ("_devices", "_networks")

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._devices: dict[str, Ban] = {}
        self._networks: dict[int, dict[IPv4Network | IPv6Network, Ban]] = {}
        for ban in bans:
            if ban.subject.startswith(("account:", "device:")):
                self._devices |= dict.fromkeys(ban.devices, ban)
            else:
                network = ip_network(ban.subject)
                self._networks.setdefault(network.prefixlen, {})[network] = ban

    def find(self, address: str, device: str, time: int) -> Ban | None:
        """Return the ban on an address or a device at a time, or `None`."""
        found = self._devices.get(device) if device else None
        if found is not None and found.holds(time):
            return found
        return self._find_address(address, time) if self._networks else None

    def _find_address(self, address: str, time: int) -> Ban | None:
        try:
            client: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
        except ValueError:
            return None
        client = getattr(client, "ipv4_mapped", None) or client
        for length, bans in self._networks.items():
            if length <= client.max_prefixlen:
                ban = bans.get(ip_network((client, length), strict=False))
                if ban is not None and ban.holds(time):
                    return ban
        return None


def client_network(text: str) -> IPv4Network | IPv6Network:
    """Read an address or a network; a single IPv6 address stands for its /64 network.

    >>> str(client_network("2001:db8::1")), str(client_network("203.0.113.7"))
    ('2001:db8::/64', '203.0.113.7/32')
    """
    network = ip_network(text, strict=False)
    if isinstance(network, IPv6Network) and network.prefixlen > _IPV6_CLIENT:
        return network.supernet(new_prefix=_IPV6_CLIENT)
    return network


_encode = msgspec.json.Encoder().encode
_read_ban = msgspec.json.Decoder(Ban).decode
_read_announcement = msgspec.json.Decoder(Announcement).decode
_ERASED, _CHANGING = b"erased", b"changing"


class Moderation:
    """Reads and writes what the operator has decided. Methods raise `StorageError` on failure."""

    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents

    async def revision(self) -> bytes:
        """Return a value that is different after every change."""
        return await self._documents.get(_KIND, _REVISION) or b""

    async def _changed(self) -> None:
        await self._documents.put(_KIND, _REVISION, secrets.token_hex(8).encode())

    # Bans

    async def bans(self) -> Sequence[Ban]:
        """Return all bans, the newest first, including those that have ended."""
        return [_read_ban(found.body) for found in await self._documents.newest(BAN, _MOST)]

    async def ban(self, ban: Ban) -> None:
        """Store a ban, in place of an earlier one on the same subject."""
        await self._documents.put(BAN, ban.subject, _encode(ban))
        await self._changed()

    async def lift(self, subject: str) -> None:
        """Delete a ban."""
        await self._documents.remove(BAN, subject)
        await self._changed()

    async def is_account_banned(self, account: str) -> bool:
        """Whether an account is banned right now."""
        body = await self._documents.get(BAN, f"account:{account}")
        return body is not None and _read_ban(body).holds(now())

    # The announcement

    async def announcement(self) -> Announcement | None:
        """Return the announcement, even if its time is over; `None` if there is none."""
        body = await self._documents.get(_KIND, _ANNOUNCEMENT)
        return None if body is None else _read_announcement(body)

    async def announce(self, announcement: Announcement) -> None:
        """Show an announcement in place of any other."""
        await self._documents.put(_KIND, _ANNOUNCEMENT, _encode(announcement))
        await self._changed()

    async def withdraw(self) -> None:
        """Delete the announcement."""
        await self._documents.remove(_KIND, _ANNOUNCEMENT)
        await self._changed()

    # Closed tables

    async def closed_tables(self) -> Mapping[str, bool]:
        """Return the tables that no server may open; `True` for those that are erased for good."""
        found = await self._documents.newest(CLOSED, _MOST)
        return {each.key: each.body == _ERASED for each in found if not _is_stale(each)}

    async def close_tables(self, tables: Iterable[str], *, erased: bool) -> None:
        """Mark tables, so that servers close them within seconds and don't open them again."""
        for table in tables:
            await self._documents.put(CLOSED, table, _ERASED if erased else _CHANGING)
        await self._changed()

    async def reopen_tables(self, tables: Iterable[str]) -> None:
        """Let servers open tables again, and forget old marks."""
        for table in tables:
            await self._documents.remove(CLOSED, table)
        for document in await self._documents.newest(CLOSED, _MOST):
            if _is_stale(document):
                await self._documents.remove(CLOSED, document.key)
        await self._changed()


def _is_stale(mark: Document) -> bool:
    """Whether the mark of a closed table no longer matters."""
    kept = _KEEP_CLOSED if mark.body == _ERASED else _KEEP_CHANGING
    return mark.time < now() - kept
