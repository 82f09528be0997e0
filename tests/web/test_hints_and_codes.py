"""Hints and QR codes over HTTP: permissions, responses, and refusals."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Answer, Http, site_in
from support.permissions import BILL, ROLES, STAGES, cookie, create_staged_table, open_site
from wonderland.components.words import words_of
from wonderland.tables.rate_limit import RateLimiter

LINK = "http://192.0.2.7:8000/tables/abcdefghijklmnop#the-secret-of-the-table"


async def hint(port: int, table: str, role: str, body: Any, **headers: str) -> Answer:
    http = Http(port, cookie(role))
    answer = await http.ask("POST", f"/api/tables/{table}/hint", body, headers)
    await http.close()
    return answer


@pytest.mark.parametrize("allowed", [True, False], ids=["with hints", "without"])
def test_permission_to_ask_for_a_hint(allowed: bool, tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            for stage in STAGES:
                for role in ROLES:
                    table = await create_staged_table(here, stage, role, hints=allowed)
                    answer = await hint(here.port, table.name, role, {"seat": BILL})
                    found = answer.json()
                    if allowed and (stage, role) == ("playing", "bill"):
                        assert answer.status == 200, found
                        assert sorted(found) == ["action", "level", "says", "why"]
                    else:
                        wanted = "not now" if role == "bill" else "not yours"
                        assert found["problem"] == wanted, (stage, role, found)
                    now = (await here.site.tables.get_live_table(table.name)).table
                    assert now.version == table.version  # nothing has happened

    asyncio.run(check())


def test_a_hint_is_one_of_the_choices_in_words(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            table = await create_staged_table(here, "playing", "bill", hints=True)
            match = (await here.site.tables.get_live_table(table.name)).table.match
            assert match is not None
            first, second = [
                (await hint(here.port, table.name, "bill", {"seat": BILL})).json() for _ in range(2)
            ]
            action = match.game.read(first["action"])
            assert action in match.legal(BILL)
            assert first["says"] == words_of("parade").describe_action(match.view(BILL), action)
            assert first["level"] == "Queen"
            assert first == second
            bad: tuple[Any, ...] = ({}, {"seat": -1}, {"seat": "1"}, {"seat": BILL, "more": 1}, [])
            for body in bad:
                assert (await hint(here.port, table.name, "bill", body)).status == 400
            foreign = await hint(
                here.port, table.name, "bill", {"seat": BILL}, Origin="http://evil.example"
            )
            assert foreign.status == 403
            assert (await hint(here.port, "nowhere", "bill", {"seat": BILL})).status == 404
            here.site.hints = RateLimiter(rate=0.0, burst=1.0)
            for status in (200, 429):
                assert (await hint(here.port, table.name, "bill", {"seat": BILL})).status == status

    asyncio.run(check())


def request_codes(folder: Path, *bodies: Any, codes: RateLimiter | None = None) -> list[Answer]:
    async def ask() -> list[Answer]:
        async with site_in(folder) as here:
            here.site.codes = codes or here.site.codes
            http = Http(here.port)
            return [await http.ask("POST", "/api/qr", body) for body in bodies]

    return asyncio.run(ask())


def test_a_qr_code_is_black_on_white(tmp_path: Path) -> None:
    first, again, other = request_codes(tmp_path, *({"text": text} for text in (LINK, LINK, LINK + "x")))
    assert first.status == 200
    assert first.header("content-type") == "image/svg+xml"
    assert first.header("cache-control") == "no-store"
    assert first.body == again.body != other.body
    drawing = ET.fromstring(first.body)  # noqa: S314 - our own
    size = int((drawing.get("viewBox") or "").split()[-1])
    assert {path.get("fill") or path.get("stroke") for path in drawing} == {"#fff", "#000"}
    assert (size - 8 - 17) % 4 == 0  # a valid QR code size, with a quiet zone of four modules
    assert b"style" not in first.body


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "http://"},
        {"text": "javascript:alert(1)"},
        {"text": " http://example.org"},
        {"text": "http://example.org/\n"},
        {"text": "http://example.org/ä"},
        {"text": "http://example.org/" + "a" * 400},
        {"text": LINK, "more": 1},
    ],
)
def test_only_links_get_qr_codes(body: Any, tmp_path: Path) -> None:
    (answer,) = request_codes(tmp_path, body)
    assert (answer.status, answer.json()["problem"]) == (400, "bad request")


def test_qr_codes_are_rate_limited(tmp_path: Path) -> None:
    answers = request_codes(tmp_path, *[{"text": LINK}] * 3, codes=RateLimiter(rate=0.0, burst=2.0))
    assert [answer.status for answer in answers] == [200, 200, 429]
