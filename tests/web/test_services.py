"""What features add to a site: services, links on the home page, files for the browser."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from importlib import import_module, invalidate_caches
from importlib.resources import files
from pathlib import Path

import pytest

from campaigns.raw_clients import KEY, Http, site_in
from wonderland import discovery
from wonderland.components.bots import Budget
from wonderland.discovery import Service
from wonderland.engine import game_names
from wonderland.engine.language import ENGLISH
from wonderland.features.coach.service import service_of
from wonderland.tables.service import TableService
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.web import rendering
from wonderland.web.app import Site
from wonderland.web.assets import BUNDLES, asset_files, assets
from wonderland.web.lobby import game_card
from wonderland.web.rendering import game_packages, template_loader
from wonderland.web.templating import TranslatedEnvironment


def site_at(folder: Path, coach_playouts: int = 0) -> Site:
    return Site(TableService(SqliteStorage(folder / "tables.db"), KEY), coach_playouts=coach_playouts)


class Noting(Service):
    """Records when it is called, and whether the storage is open then."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.noted: list[str] = []

    def start(self) -> None:
        self.noted.append("start")

    async def close(self) -> None:
        await self.site.tables.storage.count()
        self.noted.append("close")


def test_services_start_and_stop_with_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "services", lambda site: {"one": Noting(site), "two": Service()})

    async def check() -> None:
        async with site_in(tmp_path) as here:
            service = here.site.services["one"]
            assert isinstance(service, Noting)
            assert service.noted == ["start"]
        assert service.noted == ["start", "close"]

    asyncio.run(check())


def test_feature_services_are_found_by_name(tmp_path: Path) -> None:
    assert list(site_at(tmp_path).services) == [
        "coach",
        "home_network",
        "my_games",
        "quick_match",
        "ratings",
        "replay",
    ]


def test_the_thinking_budget_is_a_server_setting(tmp_path: Path) -> None:
    site = site_at(tmp_path, coach_playouts=70)
    assert site.evaluation_budget == service_of(site).budget == Budget(playouts=70)
    site = site_at(tmp_path)
    assert (site.evaluation_budget, service_of(site).budget) == (None, None)


def test_without_features_the_home_page_and_tables_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for load in (assets, template_loader):
        load()  # cached for the whole process, so not without features
    monkeypatch.setattr(discovery, "FEATURES", "wonderland.no_features")
    monkeypatch.setattr("wonderland.web.lobby.feature_links", discovery.links)

    async def check() -> None:
        async with site_in(tmp_path) as here:
            assert here.site.services == {}
            http = Http(here.port)
            answer = await http.ask("GET", "/")
            await http.close()
            assert answer.status == 200
            assert b'href="/puzzles/' not in answer.body
            assert b'href="/rules/' not in answer.body

    asyncio.run(check())


@pytest.mark.parametrize("name", game_names())
def test_features_link_to_the_games_they_support(name: str) -> None:
    assert game_card(name)["links"] == {
        "insights": f"/insights/{name}",
        "my_games": f"/games?game={name}",
        "positions": f"/position/{name}",
        "puzzles": f"/puzzles/{name}",
        "quick_match": f"/find?game={name}",
        "ratings": f"/leaderboard/{name}",
        "rulebook": f"/rules/{name}",
        "score_pad": f"/score/{name}",
        "tutorial": f"/learn/{name}",
    }


def test_links_to_missing_components_are_omitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "missing.json"
    monkeypatch.setattr("wonderland.components.game_data.GameFile.home", lambda _self, _name: missing)
    monkeypatch.setattr("wonderland.features.tutorial.pages.tutorial_of", lambda _name: None)
    assert sorted(discovery.links("parade")) == [
        *("my_games", "positions", "quick_match", "ratings", "rulebook", "score_pad")
    ]


# Files for the browser.


def test_static_file_names_are_unique() -> None:
    names = Counter(file.name for file in asset_files())
    assert [name for name, number in names.items() if number > 1] == []
    assert set(names) | set(BUNDLES) == set(assets())
    assert not set(names) & set(BUNDLES)


def test_template_names_are_unique() -> None:
    folders = [files(package) / "templates" for package in discovery.packages_with("templates")]
    names = Counter(file.name for folder in folders for file in folder.iterdir())
    assert [name for name, number in names.items() if number > 1] == []


def test_a_feature_serves_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "bringing_features" / "greeting"
    for folder, file in (("static", "greeting.css"), ("templates", "greeting.html")):
        (home / folder).mkdir(parents=True)
        (home / folder / file).write_text("Hello!")
    for package in (home, home.parent):
        (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(discovery, "FEATURES", "bringing_features")
    invalidate_caches()
    assert assets.__wrapped__()["greeting.css"] == b"Hello!"
    assert (
        TranslatedEnvironment(template_loader.__wrapped__(), ENGLISH)
        .get_template("greeting.html")
        .render()
        == "Hello!"
    )


@pytest.mark.parametrize("folder", ["", "ui"], ids=["flat", "in a folder of its own"])
def test_a_games_files_are_beside_its_scene(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = f"drawn_game_{folder or 'flat'}"
    home = tmp_path / own / folder
    for kind, file in (("static", "drawn.svg"), ("templates", "scene.html")):
        (home / kind).mkdir(parents=True)
        (home / kind / file).write_text("<svg/>")
    for package in {home, tmp_path / own}:
        (package / "__init__.py").write_text("")
    (home / "scene.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    invalidate_caches()
    scene = import_module(".".join(filter(None, (own, folder, "scene"))))
    monkeypatch.setattr(rendering, "game_names", lambda: ("drawn",))
    monkeypatch.setattr(rendering, "package_of", lambda _name: own)
    monkeypatch.setattr(rendering, "component_module", lambda _name, _which: scene.__name__)
    assert game_packages("drawn") == ((f"{own}.ui", own) if folder else (own,))
    assert (
        TranslatedEnvironment(template_loader.__wrapped__(), ENGLISH)
        .get_template("drawn/scene.html")
        .render()
        == "<svg/>"
    )
    monkeypatch.setattr(rendering, "component_module", lambda _name, _which: None)
    assert game_packages("drawn") == (own,)
    for name in [name for name in sys.modules if name.startswith(own)]:
        monkeypatch.delitem(sys.modules, name)
