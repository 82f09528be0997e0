"""One device with several seats: the server renders no hand until a seat is chosen."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path
from typing import Any

from campaigns.raw_clients import Http, RunningSite, Socket, site_in


async def seat_together(http: Http, game: str, *names: str) -> tuple[str, dict[str, Any]]:
    """Start a game with all these names on one device; return the table and its state."""
    laid = await http.ask("POST", "/api/tables", {"game": game, "seats": len(names)})
    http.cookie, table = laid.cookie, laid.json()["table"]
    commands: list[dict[str, Any]] = [
        {"do": "sit", "name": name, "contribution": "ab" * 16, "seat": seat}
        for seat, name in enumerate(names)
    ]
    for version, command in enumerate([*commands, {"do": "start"}]):
        body = {"at": version, "key": f"key-{version:05}"} | command
        assert (await http.ask("POST", f"/api/tables/{table}/commands", body)).status == 200
    return table, (await http.ask("GET", f"/api/tables/{table}")).json()


def pieces(text: str) -> set[str]:
    return set(re.findall(r'data-piece="(\w+)"', text))


def test_a_page_without_a_seat_shows_no_hand(tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            table, shown = await seat_together(http, "parade", "Alice", "Bill", "Dinah")
            (mover,) = shown["to_act"]
            other = (mover + 1) % 3
            name = shown["table"]["seats"][mover]["name"]

            async def page(query: str) -> str:
                return (await http.ask("GET", f"/tables/{table}{query}")).body.decode()

            for query in ("", f"?seat={other}", "?seat=7", "?seat=x"):
                text = await page(query)
                assert f"Pass the device to {name}" in text
                assert pieces(text) == set(), "open cards are sent together with the hand"
                assert " draws " not in text
            text = await page(f"?seat={mover}")
            assert 'class="curtain"' not in text
            assert len(pieces(text)) == 5 + 6, "a hand and the parade"
            assert f"{name}, it's your turn." in unescape(text)
            told = (await http.ask("GET", f"/api/tables/{table}/page?seat={other}")).json()
            assert told["pass_to"] == mover
            assert name in told["curtain"]
            assert 'class="portrait' in told["curtain"], "the next player is seen, too"
            await http.close()

    asyncio.run(check())


def test_without_secrets_there_is_no_curtain(tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            table, shown = await seat_together(http, "letters", "Alice", "Bill")
            other = 1 - shown["to_act"][0]
            told = (await http.ask("GET", f"/api/tables/{table}/page?seat={other}")).json()
            assert (told["pass_to"], told["curtain"]) == (1 - other, "")
            await http.close()

    asyncio.run(check())


def test_players_sharing_a_screen_are_present(tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            table, _ = await seat_together(http, "parade", "Alice", "Bill")
            for form, seats in (("&form=page", [0, 1]), ("", [0])):  # a program speaks for one seat
                socket = await Socket.open(here.port, table, http.cookie, f"?seat=0{form}")
                assert (await socket.message("present"))["seats"] == seats
                await socket.close()
                await wait_until_empty(here, table)
            await http.close()

    asyncio.run(check())


async def wait_until_empty(here: RunningSite, table: str) -> None:
    """Wait until nobody is connected."""
    live = await here.site.tables.get_live_table(table)
    while live.watchers:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0)
