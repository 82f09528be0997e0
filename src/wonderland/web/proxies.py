"""Reverse proxies: whose word is taken for a client's address, and under which names the server answers.

A proxy in a trusted network may tell the client's address, the scheme and the host, with `Forwarded`
(RFC 7239) or `X-Forwarded-For`, `-Proto` and `-Host`. Addresses are read from the right, as far as each
was added by a trusted proxy; what others send is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import PlainTextResponse

from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import phrase

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "::1")
"""Proxies that are trusted if none are named: those on this machine."""
_PAIR = re.compile(r'\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;,"]*))')
_HOST = re.compile(r"[A-Za-z0-9._\[\]:-]{1,255}")
_CHECKS = ("/healthz", "/readyz")
"""Paths that load balancers request under whatever name they like."""
WRONG_HOST = "This server doesn't answer under that name.\n"


class Client(NamedTuple):
    """Who made a request, as far as that is known; scheme and host are empty if no proxy told them."""

    address: str
    scheme: str = ""
    host: str = ""


class TrustedProxies:
    """The networks whose proxies are believed."""

    def __init__(self, networks: Iterable[str] = LOOPBACK) -> None:
        self._networks = [read_network(text) for text in networks]

    def __contains__(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        mapped = getattr(found, "ipv4_mapped", None)
        return any((mapped or found) in network for network in self._networks)

    def client(self, peer: str, headers: Sequence[tuple[str, str]]) -> Client:
        """Return the client behind a connection; names of headers are in lower case."""
        if peer not in self:
            return Client(peer)
        given: dict[str, str] = {}
        for name, value in headers:
            given[name] = f"{given[name]}, {value}" if name in given else value
        if "forwarded" in given:
            return self._read_forwarded(peer, given["forwarded"])
        addresses = [_bare(each) for each in given.get("x-forwarded-for", "").split(",")]
        scheme, host = (
            given.get(f"x-forwarded-{name}", "").rpartition(",")[2].strip() for name in ("proto", "host")
        )
        return Client(self._last_untrusted(peer, addresses), _scheme(scheme), _host(host))

    def _read_forwarded(self, peer: str, text: str) -> Client:
        """Read `Forwarded: for=192.0.2.1;proto=https;host=example.org, for=…`."""
        hops = []
        for hop in _split(text):
            pairs = _PAIR.findall(hop)
            hops.append({name.lower(): quoted or plain.strip() for name, quoted, plain in pairs})
        address = self._last_untrusted(peer, [_bare(hop.get("for", "")) for hop in hops])
        last = hops[-1] if hops else {}
        return Client(address, _scheme(last.get("proto", "")), _host(last.get("host", "")))

    def _last_untrusted(self, peer: str, addresses: Sequence[str]) -> str:
        """Return the last address that was not added for a trusted proxy."""
        found = peer
        for address in reversed(addresses):
            try:
                ip_address(address)
            except ValueError:  # an obfuscated name, or nothing
                return found
            found = address
            if address not in self:
                break
        return found


def read_network(text: str) -> IPv4Network | IPv6Network:
    """Read an address or a network such as 10.0.0.0/8; `UsageError` if it is neither."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise UsageError(
            phrase("{text} isn't a network. Write an address, or a network such as 10.0.0.0/8."),
            text=quote(text),
        ) from None


def _split(text: str) -> list[str]:
    """Split a header at commas outside quotes."""
    return [part for part in re.findall(r'(?:[^,"]|"(?:[^"\\]|\\.)*")+', text) if part.strip()]


def _bare(text: str) -> str:
    """Return an address without its port and brackets.

    >>> _bare("[2001:db8::1]:4711"), _bare("192.0.2.1:80"), _bare("2001:db8::1")
    ('2001:db8::1', '192.0.2.1', '2001:db8::1')
    """
    text = text.strip()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _scheme(text: str) -> str:
    return text if text in ("http", "https") else ""


def _host(text: str) -> str:
    return text if _HOST.fullmatch(text) else ""


def is_allowed_host(host: str | None, allowed: frozenset[str]) -> bool:
    """Whether the server answers under a name; under any if none is set."""
    return not allowed or (host is not None and _name_of(host) in allowed)


def _name_of(host: str) -> str:
    """Return a host without its port, in lower case."""
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[").lower()
    return host.partition(":")[0].lower()


class ProxyHeaders:
    """Middleware that puts the client that a trusted proxy names in place of the proxy."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies, hosts: frozenset[str]) -> None:
        self.app = app
        self.proxies = proxies
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is for another host."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        peer, port = scope.get("client") or ("", 0)
        client = self.proxies.client(peer, headers)
        if client.address != peer:
            port = 0
        scope["client"] = (client.address, port) if client.address else None
        scope["scheme"] = client.scheme or scope["scheme"]
        if client.host:
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [(b"host", client.host.encode("latin-1")), *others]
        host = client.host or next((value for name, value in headers if name == "host"), None)
        if is_allowed_host(host, self.hosts) or scope["path"] in _CHECKS:
            await self.app(scope, receive, send)
        else:
            await PlainTextResponse(WRONG_HOST, 421)(scope, receive, send)
