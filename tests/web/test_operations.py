"""What operators rely on: private files, truthful checks, ids in logs, errors that reveal nothing."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from campaigns.raw_clients import Http, site_in
from support.server import ServerProcess, run_server
from support.table_players import open_service
from wonderland.tables.storage.interface import StorageError
from wonderland.web import readiness


def test_the_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    def check() -> None:
        files = sorted(tmp_path.glob("tables.db*"))
        assert len(files) > 1
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}, files

    async def scene() -> None:
        async with open_service(tmp_path) as h:
            await h.create_table()
            check()

    asyncio.run(scene())


def test_a_damaged_database_is_reported_in_a_sentence(tmp_path: Path) -> None:
    async def fill() -> None:
        async with open_service(tmp_path) as h:
            for _ in range(200):
                await h.create_table()

    async def reopen() -> None:
        async with open_service(tmp_path):
            pass

    asyncio.run(fill())
    database = tmp_path / "tables.db"
    data = bytearray(database.read_bytes())
    assert len(data) > 20 * 4096
    data[4096:] = b"\xa5" * (len(data) - 4096)
    database.write_bytes(data)
    with pytest.raises(StorageError, match=r"can't be opened: .*malformed"):
        asyncio.run(reopen())


def test_an_error_of_the_storage_shows_no_path(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            created = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            table = created.json()["table"]
            here.site.tables.live_tables.clear()
            with sqlite3.connect(tmp_path / "tables.db") as connection:
                for name in ("log", "tables"):
                    connection.execute(f"ALTER TABLE {name} RENAME TO {name}_lost")
            wish = {"game": "parade", "seats": 2}
            asked: list[tuple[str, str, Any]] = [
                ("GET", f"/api/tables/{table}", None),
                ("GET", f"/tables/{table}", None),
                ("GET", "/api/tables", None),
                ("GET", "/", None),
                ("POST", "/api/tables", wish),
            ]
            for method, path, body in asked:
                answer = await http.ask(method, path, body)
                assert answer.status == 503, (path, answer)
                assert answer.header("retry-after"), path
                for secret in (str(tmp_path), "tables.db", "no such table"):
                    assert secret.encode() not in answer.body, (path, answer.body)

    asyncio.run(scene())


def test_readiness_tells_whether_games_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_VALID_SECONDS", -1.0)

    async def scene() -> None:
        async with site_in(tmp_path) as here:
            http, storage = Http(here.port), here.site.tables.storage
            assert (await http.ask("GET", "/readyz")).json() == {"ok": True}
            for switch, expected in (("ON", 503), ("OFF", 200)):
                await storage._query(f"PRAGMA query_only = {switch}")  # type: ignore[attr-defined]
                answer = await http.ask("GET", "/readyz")
                assert answer.status == expected
                assert str(tmp_path).encode() not in answer.body
                assert (await http.ask("GET", "/healthz")).status == 200

    asyncio.run(scene())


def test_health_says_alive_even_without_a_storage(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            with sqlite3.connect(tmp_path / "tables.db") as connection:
                connection.execute("ALTER TABLE tables RENAME TO lost")
            answer = await Http(here.port).ask("GET", "/healthz")
            assert (answer.status, answer.json()["ok"], answer.json()["tables"]) == (200, True, {})

    asyncio.run(scene())


def test_readiness_writes_at_most_once_a_second(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            written: list[int] = []
            storage: Any = here.site.tables.storage
            real = storage.check_writable

            async def counted(now: int) -> None:
                written.append(now)
                await real(now)

            storage.check_writable = counted
            readiness_check = here.site.readiness
            await asyncio.gather(*(readiness_check.check() for _ in range(20)))
            assert len(written) == 1

    asyncio.run(scene())


def test_every_response_has_an_id_that_the_log_repeats(tmp_path: Path) -> None:
    with run_server(tmp_path, "--log", "info") as server:
        found = []
        for given in ("", "from-the-proxy-1", "not valid\u00e9", "short"):
            headers = {"X-Request-ID": given} if given else {}
            request = Request(f"{server.address}/api/games", headers=headers)  # noqa: S310 - our own
            with urlopen(request, timeout=60) as answer:  # noqa: S310 - our own
                found.append(answer.headers["X-Request-ID"])
        assert found[1] == "from-the-proxy-1"
        assert len(set(found)) == 4
        assert not {"short", "not valid\u00e9"} & set(found)
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        logged = [line["request"] for line in lines if line["message"] == "request"]
        assert logged == found


def test_a_fault_of_the_program_shows_no_path_and_is_logged_with_its_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = f"{tmp_path}/secret/place.py"

    async def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError(secret)

    async def scene() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            created = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            table = created.json()["table"]
            monkeypatch.setattr(here.site.tables, "fresh", fail)
            monkeypatch.setattr(here.site.tables.storage, "open_tables", fail)
            for path in (f"/api/tables/{table}", f"/tables/{table}", "/api/tables", "/"):
                answer = await http.ask("GET", path)
                assert answer.status == 500, path
                assert answer.header("x-request-id"), path
                assert answer.header("x-content-type-options"), path
                for word in (str(tmp_path), "RuntimeError", "Traceback", ".py", "site-packages"):
                    assert word.encode() not in answer.body, (path, word)

    asyncio.run(scene())
    assert (
        len([line for line in caplog.records if line.exc_info and secret in str(line.exc_info[1])]) == 4
    )


def test_a_full_disk_makes_the_server_unready_but_not_dead(tmp_path: Path) -> None:
    """A small file system in memory would need root; a limit on the size of files works for everyone."""
    limited = tmp_path / "limited.py"
    limited.write_text(
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from wonderland.cli import main\n"
        "from wonderland.web import server\n"
        "real = server._serve_one\n"
        "def serve(*arguments):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))\n"
        "    return real(*arguments)\n"
        "server._serve_one = serve\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    server = ServerProcess(tmp_path)
    server.program = [str(limited)]
    server.start()
    try:
        asyncio.run(_fill_up(server.port))
    finally:
        server.stop()
    assert "disk" in server.log.read_text()  # and the operator learns why


async def _fill_up(port: int) -> None:
    http = Http(port)
    assert (await http.ask("GET", "/readyz")).status == 200
    answer = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
    while answer.status == 201:
        answer = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
    assert answer.status == 503
    assert answer.json()["problem"] == "storage"
    assert b"/" not in answer.json()["detail"].encode()
    while (await http.ask("GET", "/readyz")).status == 200:  # noqa: ASYNC110 - it counts for a second
        await asyncio.sleep(0.1)
    assert (await http.ask("GET", "/readyz")).status == 503
    assert (await http.ask("GET", "/healthz")).status == 200


def test_malformed_requests_do_not_fill_the_log(tmp_path: Path) -> None:
    upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2\r\n\r\n"
    with run_server(tmp_path) as server:
        for request in (b"nonsense\r\n\r\n", upgrade):
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as raw:
                raw.sendall(request)
                assert raw.recv(100).startswith(b"HTTP/1.1 ")
    assert server.log.read_text() == ""


def test_as_many_files_may_be_open_as_the_system_allows(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        assert server._process is not None
        limits = Path(f"/proc/{server._process.pid}/limits").read_text().splitlines()
    soft, hard = next(line.split()[3:5] for line in limits if line.startswith("Max open files"))
    assert hard == "unlimited" or int(soft) == min(int(hard), 65_536)
