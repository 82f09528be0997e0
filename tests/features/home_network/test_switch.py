"""The switch for the home network; 127.0.0.2, another address of this machine, stands in for it."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from support.server import ServerProcess, run_server
from support.table_players import KEY
from wonderland.features.home_network import addresses, service
from wonderland.tables.service import TableService
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.web.app import Site
from wonderland.web.second_socket import SecondSocket
from wonderland.web.startup import lan_host

HOME = "127.0.0.2"
EVERYONE = "0.0.0.0"  # noqa: S104 - to be refused
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 as loopback addresses"
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("tables"), "--home-network", HOME) as server:
        yield server


def ask(
    server: ServerProcess, wish: Any = None, *, at: str = "127.0.0.1", **headers: str
) -> tuple[int, Any]:
    """Ask for the state, or send a wish as a page of this computer would, unless headers differ."""
    here = f"{at}:{server.port}"
    sent = {"Host": here, "Origin": f"http://{here}", "Content-Type": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = HTTPConnection(at, server.port, timeout=20)
    try:
        body = None if wish is None else json.dumps(wish)
        kept = {name: value for name, value in sent.items() if value}
        connection.request("GET" if wish is None else "POST", "/api/network", body, kept)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def reaches(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(10)
        return probe.connect_ex((host, port)) == 0


def test_it_opens_and_closes_the_home_network(served: ServerProcess) -> None:
    assert not reaches(HOME, served.port)
    assert ask(served) == (200, {"can_switch": True, "address": "", "hosts": [HOME]})
    status, state = ask(served, {"open": True})
    assert (status, state["address"]) == (200, f"http://{HOME}:{served.port}")
    assert ask(served, at=HOME) == (200, {"can_switch": False, "address": "", "hosts": []})
    with socket.create_connection((HOME, served.port)) as guest:
        guest.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert guest.recv(12) == b"HTTP/1.1 200"
        status, state = ask(served, {"open": False})
        assert (status, state["address"]) == (200, "")
        guest.settimeout(20)
        try:
            while guest.recv(4096):
                pass  # the rest of the answer, then the end of the connection
        except ConnectionResetError:
            pass
    assert not reaches(HOME, served.port)
    assert reaches("127.0.0.1", served.port)


def test_switching_twice_is_as_good_as_once(served: ServerProcess) -> None:
    for wish in (True, True, False, False, True):
        status, state = ask(served, {"open": wish})
        assert (status, bool(state["address"])) == (200, wish)
        assert reaches(HOME, served.port) is wish
    ask(served, {"open": False})


REFUSED = {
    "another site": {"Origin": "http://evil.example"},
    "another port": {"Origin": "http://127.0.0.1:1"},
    "a page without an origin": {"Origin": "null"},
    "no origin at all": {"Origin": ""},
    "a name that was pointed here": {"Host": "evil.example", "Origin": "http://evil.example"},
    "a name below localhost": {"Host": "evil.localhost", "Origin": "http://evil.localhost"},
    "an address of the network": {"Host": "192.168.1.2", "Origin": "http://192.168.1.2"},
    "a proxy": {"X_Forwarded_For": "203.0.113.7"},
    "a proxy that lies": {"X_Forwarded_For": "127.0.0.1"},
    "a proxy of the standard": {"Forwarded": "for=203.0.113.7"},
    "a proxy that forwards the host": {"X_Forwarded_Host": "example.org"},
    "another proxy": {"X_Real_IP": "203.0.113.7"},
    "a tunnel": {"Via": "1.1 tunnel"},
    "a request across sites": {"Sec_Fetch_Site": "cross-site"},
    "a request from another port": {"Sec_Fetch_Site": "same-site"},
}


@pytest.mark.parametrize("headers", REFUSED.values(), ids=REFUSED.keys())
def test_only_a_page_on_this_computer_can_switch_it(
    served: ServerProcess, headers: dict[str, str]
) -> None:
    status, told = ask(served, {"open": True}, **headers)
    assert (status, told["problem"]) == (403, "not yours")
    assert not reaches(HOME, served.port)
    if headers != {"Origin": ""}:  # which a browser leaves out when a page only asks
        assert ask(served, **headers)[1]["hosts"] == []


def test_a_form_of_another_site_cannot_switch_it(served: ServerProcess) -> None:
    status, _ = ask(served, {"open": True}, Content_Type="text/plain")
    assert status == 400
    assert not reaches(HOME, served.port)


def test_a_guest_cannot_switch_it_off_or_elsewhere(served: ServerProcess) -> None:
    ask(served, {"open": True})
    for wish in ({"open": False}, {"open": True, "host": EVERYONE}):
        status, told = ask(served, wish, at=HOME)
        assert (status, told["problem"]) == (403, "not yours")
        local = f"127.0.0.1:{served.port}"
        status, told = ask(served, wish, at=HOME, Host=local, Origin=f"http://{local}")
        assert (status, told["problem"]) == (403, "not yours")
    assert reaches(HOME, served.port)
    ask(served, {"open": False})


def test_it_opens_only_addresses_that_this_computer_has_there(served: ServerProcess) -> None:
    for host in (EVERYONE, "192.168.77.77", "127.0.0.3", "::"):
        status, told = ask(served, {"open": True, "host": host})
        assert (status, told["problem"]) == (409, "not now")
    assert ask(served)[1]["address"] == ""


def test_another_port_is_used_if_that_one_is_taken(served: ServerProcess) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((HOME, served.port))
        other.listen()
        _, state = ask(served, {"open": True})
    port = int(state["address"].rpartition(":")[2])
    assert port != served.port
    assert reaches(HOME, port)
    ask(served, {"open": False})


def test_it_closes_when_the_server_stops(tmp_path: Path) -> None:
    with run_server(tmp_path, "--home-network", HOME) as server:
        ask(server, {"open": True})
        assert server.stop() == 0
        assert not reaches(HOME, server.port)
        server.start()
        assert ask(server)[1]["address"] == ""
        assert not reaches(HOME, server.port)


@pytest.mark.parametrize("arguments", [("--workers", "2"), ("--host", EVERYONE)], ids=" ".join)
def test_it_is_not_offered_where_it_makes_no_sense(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with run_server(tmp_path, "--home-network", HOME, *arguments) as server:
        assert ask(server)[1]["can_switch"] is False
        status, told = ask(server, {"open": True})
        assert (status, told["problem"]) == (409, "not now")


def test_the_networks_own_interface_works_too(tmp_path: Path) -> None:
    if not lan_host():
        pytest.skip("this machine has no network")
    with run_server(tmp_path, "--home-network", lan_host()) as server:
        status, state = ask(server, {"open": True})
        assert (status, state["address"]) == (200, f"http://{lan_host()}:{server.port}")
        assert ask(server, {"open": False}, at=lan_host())[0] == 403
        assert ask(server, {"open": False})[0] == 200
        assert not reaches(lan_host(), server.port)


def test_only_private_addresses_count_and_the_default_route_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named = ["127.0.1.1", "10.0.0.7", "203.0.113.7", "192.168.1.20", "10.0.0.7"]
    answer = [(0, 0, 0, "", (address, 0)) for address in named]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: answer)
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "docker0")])
    for route, found in (
        ("192.168.1.20", ["192.168.1.20", "10.0.0.7"]),
        ("203.0.113.9", ["10.0.0.7", "192.168.1.20"]),
        ("", ["10.0.0.7", "192.168.1.20"]),
    ):
        monkeypatch.setattr(addresses, "lan_host", lambda route=route: route)
        assert addresses.home_addresses() == found


def test_it_closes_when_the_computer_leaves_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_WATCH_SECONDS", 0.02)

    async def leave() -> None:
        site = Site(TableService(SqliteStorage(tmp_path / "tables.db"), KEY), home_network=HOME)
        network = service.service_of(site)
        second = site.second_socket = SecondSocket(asyncio.Protocol, set(), [], 0)
        await network.open("")
        port = int(second.address.rpartition(":")[2])
        assert site.others == second.address
        assert reaches(HOME, port)
        site.home_network = "127.0.0.3"
        async with asyncio.timeout(60):
            while site.others:  # noqa: ASYNC110 - closed by a task of its own
                await asyncio.sleep(0.02)
        assert second.address == ""
        assert not reaches(HOME, port)

    asyncio.run(leave())
