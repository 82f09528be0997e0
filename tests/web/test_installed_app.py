"""Wonderland as an app over HTTP: its manifest, its service worker, and the page for offline."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

from campaigns.raw_clients import Answer, Http, site_in
from wonderland.discovery import service_workers
from wonderland.engine.registry import game_names
from wonderland.web.assets import release


def answers_to(folder: Path, *paths: str, language: str = "en") -> list[Answer]:
    async def ask() -> list[Answer]:
        async with site_in(folder, limited=False) as here:
            http = Http(here.port)
            headers = {"Accept-Language": language, "Accept": "text/html"}
            found = [await http.ask("GET", path, headers=headers) for path in paths]
            await http.close()
        return found

    return asyncio.run(ask())


def test_the_manifest_describes_an_app_with_icons(tmp_path: Path) -> None:
    home, manifest = answers_to(tmp_path, "/", "/manifest.webmanifest")
    assert 'rel="manifest" href="/manifest.webmanifest"' in home.body.decode()
    assert "manifest-src 'self'" in (home.header("content-security-policy") or "")
    assert manifest.header("content-type") == "application/manifest+json"
    told = json.loads(manifest.body)
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    assert {
        answer.status for answer in answers_to(tmp_path, *(icon["src"] for icon in told["icons"]))
    } == {200}


def test_the_service_worker_keeps_the_offline_page_and_its_files_only(tmp_path: Path) -> None:
    worker, offline = answers_to(tmp_path, "/worker.js", "/offline")
    assert worker.header("cache-control") == "no-cache"
    found = re.match(rb"const KEPT = (.*);\n", worker.body)
    assert found is not None
    told = json.loads(found[1])
    assert (told["release"], told["page"]) == (release(), "/offline")
    assert set(re.findall(r'"(/static/[^"]+)"', offline.body.decode())) <= set(told["files"])
    assert {answer.status for answer in answers_to(tmp_path, *told["files"])} == {200}


def test_the_offline_page_leads_to_the_score_pads(tmp_path: Path) -> None:
    (offline,) = answers_to(tmp_path, "/offline", language="de")
    assert offline.header("content-language") == "de"
    for name in game_names():
        assert f'href="/score/{name}"' in offline.body.decode()
    assert "/score/worker.js" in service_workers()
