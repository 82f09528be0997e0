"""This machine's addresses on private networks, found without sending anything."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network

from wonderland.web.startup import lan_host

PRIVATE = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")))
"""Networks that routers don't connect to the internet; on any other, opening up would mean everyone."""
_VIRTUAL = ("docker", "br-", "veth", "virbr", "lxc", "lxd", "vboxnet", "vmnet", "podman", "cni")
"""How the interfaces of containers and virtual machines are named; no phone is on one of them."""
_SIOCGIFADDR = 0x8915
"""The Linux request for the address of an interface."""


def home_addresses() -> list[str]:
    """Return this machine's addresses on private networks, the one of the default route first."""
    found = [lan_host(), *_addresses_of_name(), *_addresses_of_interfaces()]
    return [address for address in dict.fromkeys(found) if is_private(address)]


def is_private(address: str) -> bool:
    """Whether an address belongs to a private network.

    >>> is_private("192.168.1.20"), is_private("127.0.0.1"), is_private("8.8.8.8"), is_private("")
    (True, False, False, False)
    """
    with suppress(ValueError):
        return any(IPv4Address(address) in network for network in PRIVATE)
    return False


def _addresses_of_name() -> Iterator[str]:
    with suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(address[0])


def _addresses_of_interfaces() -> Iterator[str]:
    if sys.platform != "linux":
        return  # there, the name of the machine stands for all its addresses
    import fcntl  # noqa: PLC0415 - exists on Unix only

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if name.startswith(_VIRTUAL):
                continue
            with suppress(OSError):  # an interface without an IPv4 address
                request = struct.pack("256s", name.encode()[:15])
                yield socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, request)[20:24])
