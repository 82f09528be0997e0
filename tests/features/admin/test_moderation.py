"""`wonderland admin ban` and `announce`, beside running servers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from campaigns.raw_clients import Http, Socket, site_in
from support.administration import SECRET, admin, create, until
from support.table_players import open_service
from wonderland.cli import main
from wonderland.tables.handlers import hash_secret
from wonderland.tables.moderation import Ban, BanList, Moderation, client_network
from wonderland.web import moderation
from wonderland.wire.problems import Refusal

TEXT = "The server restarts at eight."
PROXY = {"X-Forwarded-For": "203.0.113.7"}


# Bans


def test_a_ban_list_finds_addresses_networks_and_devices() -> None:
    bans = BanList(
        [
            Ban("203.0.113.0/24", 0),
            Ban("198.51.100.7/32", 0, until=100),
            Ban(str(client_network("2001:db8::5")), 0),
            Ban("device:abc", 0, devices=("abc",)),
        ]
    )
    found = {
        (address, device): bans.find(address, device, 50) is not None
        for address, device in (
            ("203.0.113.200", ""),
            ("::ffff:203.0.113.200", ""),
            ("198.51.100.7", ""),
            ("198.51.100.8", ""),
            ("2001:db8::ffff", ""),
            ("2001:db8:1::5", ""),
            ("192.0.2.1", "abc"),
            ("192.0.2.1", ""),
            ("nonsense", ""),
        )
    }
    assert list(found.values()) == [True, True, True, False, True, False, True, False, False]
    assert bans.find("198.51.100.7", "", 100) is None  # it has ended


def test_a_banned_address_is_refused_in_a_sentence_until_the_ban_is_lifted(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            table = await create(here)
            lines = "".join(f"{name}: {value}\r\n" for name, value in PROXY.items())
            live = await Socket.open(here.port, table, headers=lines)
            assert live.accepted
            banned = await admin(
                tmp_path, "ban", "203.0.113.0/24", "--until", "+2d", "--reason", "Spam."
            )
            assert banned == 0

            async def is_refused() -> bool:
                return (await Http(here.port).ask("GET", "/", headers=PROXY)).status == 403

            await until(is_refused)
            page = await Http(here.port).ask("GET", "/", headers=PROXY)
            assert b"Spam" in page.body
            assert page.header("retry-after")
            api = await Http(here.port).ask("GET", "/api/games", headers=PROXY)
            assert api.json()["problem"] == "not yours"
            assert await live.end() == 4403  # who is connected already has to go
            again = await Socket.open(here.port, table, headers=lines)
            assert again.head.startswith(b"HTTP/1.1 403")
            for path in ("/healthz", "/readyz"):
                assert (await Http(here.port).ask("GET", path, headers=PROXY)).status == 200
            assert (await Http(here.port).ask("GET", "/")).status == 200  # nobody else is affected
            assert await admin(tmp_path, "ban", "203.0.113.0/24", "--lift") == 0

            async def is_welcome() -> bool:
                return not await is_refused()

            await until(is_welcome)

    asyncio.run(scene())


def test_a_banned_account_is_refused_on_its_devices_and_new_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            accounts = here.site.tables.people
            _, code = await accounts.make("Mallory", hash_secret(SECRET))
            assert await admin(tmp_path, "ban", "account:mallory") == 0

            async def is_refused() -> bool:
                return (await Http(here.port, SECRET).ask("GET", "/")).status == 403

            await until(is_refused)
            assert (await Http(here.port, "another-device-secret").ask("GET", "/")).status == 200
            with pytest.raises(Refusal, match="banned"):
                await accounts.claim(code, hash_secret("another-device-secret"))
            capsys.readouterr()
            assert await admin(tmp_path, "ban", "--json") == 0
            (listed,) = json.loads(capsys.readouterr().out)
            assert listed["name"] == "Mallory"
            assert await admin(tmp_path, "ban") == 0
            assert "account:Mallory" in capsys.readouterr().out
            assert await admin(tmp_path, "ban", "account:Mallory", "--lift") == 0
            await accounts.claim(code, hash_secret("another-device-secret"))

    asyncio.run(scene())


def test_the_person_at_a_seat_can_be_banned(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            table = await create(here)
            sit = {
                "do": "sit",
                "seat": 0,
                "name": "Mallory",
                "contribution": "00" * 16,
                "at": 0,
                "key": "k1234567",
            }
            sat = await Http(here.port, SECRET).ask("POST", f"/api/tables/{table}/commands", sit)
            assert sat.status == 200, sat
            assert await admin(tmp_path, "ban", f"seat:{table}/2") == 2
            assert await admin(tmp_path, "ban", f"seat:{table}/1") == 0

            async def is_refused() -> bool:
                return (await Http(here.port, SECRET).ask("GET", "/")).status == 403

            await until(is_refused)

    asyncio.run(scene())


# Announcements


def test_an_announcement_reaches_pages_and_tables_until_it_is_withdrawn(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            table = await create(here)
            live = await Socket.open(here.port, table)

            async def told(socket: Socket) -> str:
                return str((await socket.message("present"))["announcement"])

            assert await told(live) == ""
            assert await admin(tmp_path, "announce", TEXT, "--until", "+2h") == 0
            assert await told(live) == TEXT
            for path in ("/", f"/tables/{table}", "/rules/parade", "/nothing"):
                page = await Http(here.port).ask("GET", path, headers={"Accept": "text/html"})
                assert TEXT.encode() in page.body, path
            assert await told(await Socket.open(here.port, table)) == TEXT
            assert await admin(tmp_path, "announce", "--withdraw") == 0
            while await told(live):
                pass
            assert TEXT.encode() not in (await Http(here.port).ask("GET", "/")).body

    asyncio.run(scene())


def test_an_announcement_is_escaped_and_ends_by_itself(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            assert await admin(tmp_path, "announce", "<script>1</script>") == 0

            async def is_shown() -> bool:
                return b"&lt;script&gt;1" in (await Http(here.port).ask("GET", "/")).body

            await until(is_shown)
            store = Moderation(here.site.tables.storage.documents)
            found = await store.announcement()
            assert found is not None
            assert found.text_at(found.made) == found.text
            assert moderation.Announcement("Tea", 0, until=5).text_at(5) == ""

    asyncio.run(scene())


@pytest.mark.parametrize(
    "arguments",
    [
        ["erase"],
        ["erase", "everything"],
        ["erase", "account:Nobody"],
        ["erase", "table:none"],
        ["erase", "seat:none/1"],
        ["ban", "localhost"],
        ["ban", "127.0.0.1"],
        ["ban", "0.0.0.0/0"],
        ["ban", "::/0"],
        ["ban", "192.0.2.1", "--until", "tomorrow"],
        ["ban", "192.0.2.1", "--until", "2001-01-01"],
        ["ban", "192.0.2.1", "--lift"],
        ["ban", "--lift"],
        ["announce", " "],
        ["announce", "x" * 301],
    ],
)
def test_bad_requests_get_one_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def make() -> None:
        async with open_service(tmp_path):
            pass

    asyncio.run(make())
    assert main(["admin", *arguments, "--database", str(tmp_path / "tables.db")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
