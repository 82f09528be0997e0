"""Two nodes on one PostgreSQL behind real proxies, configured by the files in `deploy/`."""

from __future__ import annotations

import http.client
import json
import random
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest

from support.postgres import fresh_database
from support.remote_players import RemotePlayer, create_table
from support.reverse_proxies import (
    NAMES,
    Certificate,
    Proxy,
    find_program,
    free_port,
    make_certificate,
    run_proxy,
)
from support.server import ServerProcess
from wonderland.cli import main
from wonderland.client.connection import ConnectionRestored
from wonderland.wire.commands import Play, new_key
from wonderland.wire.messages import CommandDone, TableUpdate

pytestmark = pytest.mark.slow
BANNED = "198.51.100.9"
HOST = "the-device-of-a-host-at-a-proxy"
_MAX_TABLES = 40


class Cluster(NamedTuple):
    """Two nodes and their database."""

    database: str
    nodes: tuple[ServerProcess, ServerProcess]
    certificate: Certificate


@pytest.fixture(scope="module")
def cluster(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if find_program("openssl") is None:
        pytest.skip("OpenSSL isn't installed: apt-get install openssl")
    folder = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        database = stack.enter_context(fresh_database(postgres))
        nodes = []
        for number in range(2):
            (home := folder / str(number)).mkdir()
            arguments = [f"--database={database}", f"--key={folder / 'server.key'}"]
            arguments += ["--allowed-host=localhost", "--allowed-host=127.0.0.1", "--bots=1"]
            node = ServerProcess(home, *arguments)
            node.port = free_port()
            node.start()
            stack.callback(node.stop)
            nodes.append(node)
        yield Cluster(database, (nodes[0], nodes[1]), make_certificate(folder))


@pytest.fixture(params=NAMES)
def proxy(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proxy]:
    """Each proxy in turn, in front of both nodes; clients trust its certificate."""
    name: str = request.param
    if find_program(name) is None:
        pytest.skip(f"{name} isn't installed: scripts/proxies.sh installs it")
    monkeypatch.setenv("SSL_CERT_FILE", str(cluster.certificate.chain))
    with run_proxy(name, tmp_path, [node.port for node in cluster.nodes], cluster.certificate) as found:
        yield found


def connections(cluster: Cluster) -> list[int]:
    """Count the open WebSockets of each node that is running."""
    found = []
    for node in cluster.nodes:
        with urlopen(f"{node.address}/metrics", timeout=60) as answer:  # noqa: S310 - our own
            text = answer.read().decode()
        found.append(int(float(re.findall(r"(?m)^wonderland_connections (\S+)", text)[0])))
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def request(
    proxy: Proxy, method: str, path: str, body: object = None, *, secure: bool = True, **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Send one request through a proxy."""
    connection: http.client.HTTPConnection
    if secure:
        context = ssl.create_default_context()
        connection = http.client.HTTPSConnection("localhost", proxy.https, timeout=60, context=context)
    else:
        connection = http.client.HTTPConnection("localhost", proxy.http, timeout=60)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    data = None if body is None else json.dumps(body)
    connection.request(
        method, path, data, given | ({"Content-Type": "application/json"} if data else {})
    )
    answer = connection.getresponse()
    found = answer.status, answer.headers, answer.read()
    connection.close()
    return found


def make_move(players: list[RemotePlayer], rng: random.Random) -> bool:
    """Let the player whose turn it is move, and everyone see it; return whether there was one."""
    for player in players:
        if player.look().legal:
            shown = player.look()
            assert player.seat is not None
            key = player.send(
                Play(seat=player.seat, action=rng.choice(shown.legal), at=shown.version, key=new_key())
            )
            answer = player.wait_for(lambda news, key=key: getattr(news, "key", "") == key)
            assert isinstance(answer, CommandDone), answer
            wait_until(lambda least=answer.version: all(each.live.version >= least for each in players))
            return True
    return False


def was_restored(player: RemotePlayer) -> bool:
    """Whether a player has lost the connection and got it back."""
    heard = [player.heard.get() for _ in range(player.heard.qsize())]
    return any(isinstance(news, ConnectionRestored) for news in (*player.told, *heard))


def test_players_of_a_table_share_a_node_and_play_on_when_it_dies(
    proxy: Proxy, cluster: Cluster
) -> None:
    with ExitStack() as stack:
        tables: dict[int, list[RemotePlayer]] = {}
        for _ in range(_MAX_TABLES):
            before = connections(cluster)
            link = create_table(proxy.address, HOST, "parade")
            players = [RemotePlayer(link, name) for name in ("Alice", "Bill")]
            for player in players:
                stack.callback(player.close)
                player.wait_for(lambda news: isinstance(news, TableUpdate))
            after = connections(cluster)
            gained = [now - then for now, then in zip(after, before, strict=True)]
            assert sorted(gained) == [0, 2], f"the players are at different nodes: {gained}"
            tables[gained.index(2)] = players
            if len(tables) == 2:
                break
        assert len(tables) == 2, "one node got all tables"
        victim = cluster.nodes[0]
        players, others = tables[0], tables[1]
        rng = random.Random(1)
        for table in (players, others):
            table[0].start()
            table[0].wait_for(lambda news: isinstance(news, TableUpdate) and news.view is not None)
            assert make_move(table, rng)
        victim.kill()
        try:
            for _ in range(6):
                assert make_move(players, rng)
                assert make_move(others, rng)
        finally:
            victim.start()
        assert all(was_restored(player) for player in players)
        assert not any(was_restored(player) for player in others)
    wait_until(lambda: connections(cluster) == [0, 0])


def test_the_proxy_adds_tls_and_tells_the_truth_about_visitors(proxy: Proxy, cluster: Cluster) -> None:
    assert request(proxy, "GET", "/")[0] == 200
    status, headers, _ = request(proxy, "POST", "/api/tables", {"game": "parade", "seats": 2})
    assert status == 201
    assert "Secure" in headers["Set-Cookie"]
    assert "max-age" in headers["Strict-Transport-Security"]
    assert request(proxy, "GET", "/metrics")[0] == 404
    origin = {"Origin": proxy.address}
    assert request(proxy, "POST", "/api/tables", {"game": "parade", "seats": 2}, **origin)[0] == 201
    given = request(proxy, "GET", "/", X_Request_ID="chosen-by-a-visitor")[1]["X-Request-ID"]
    assert given
    assert given != "chosen-by-a-visitor"
    if proxy.name != "caddy":  # which redirects from port 80 only
        status, headers, _ = request(proxy, "GET", "/rules/parade", secure=False)
        assert status == 301
        assert headers["Location"].startswith("https://localhost")
    # A banned address is refused by both nodes, but nobody can claim to have another one.
    options = ["--database", cluster.database]
    assert main(["admin", "ban", BANNED, *options]) == 0
    try:
        for node in cluster.nodes:
            wait_until(lambda node=node: _status_at(node, BANNED) == 403)
        claims = {"X_Forwarded_For": BANNED, "Forwarded": f"for={BANNED}", "X_Real_IP": BANNED}
        assert request(proxy, "GET", "/", **claims)[0] == 200
        assert request(proxy, "GET", "/", X_Forwarded_Host="evil.example")[0] == 200
    finally:
        assert main(["admin", "ban", BANNED, "--lift", *options]) == 0
    for node in cluster.nodes:
        wait_until(lambda node=node: _status_at(node, BANNED) == 200)


def _status_at(node: ServerProcess, address: str) -> int:
    """Ask a node as a proxy on this machine would for a visitor."""
    connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=60)
    connection.request("GET", "/api/games", headers={"X-Forwarded-For": address})
    status = connection.getresponse().status
    connection.close()
    return status
