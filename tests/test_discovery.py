"""Discovery of features by their manifests, with nothing imported before it is needed."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib import invalidate_caches
from pathlib import Path

import pytest

from wonderland import discovery
from wonderland.cli import main

ALL = (
    *("play", "replay", "rules", "serve", "join", "host", "coach", "verify", "simulate", "arena"),
    *("insights", "puzzles", "admin"),
)


class Planted:
    """A folder of features made for a test, in place of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "planted_features"
        self.folder.mkdir()
        (self.folder / "__init__.py").write_text("")

    def add(self, feature: str, **modules: str) -> str:
        """Write a feature's modules, with `manifest` as its `__init__.py`; return the package."""
        home = self.folder / feature
        home.mkdir()
        (home / "__init__.py").write_text(modules.pop("manifest", ""))
        for name, text in modules.items():
            (home / f"{name}.py").write_text(text)
        invalidate_caches()
        return f"planted_features.{feature}"


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planted:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(discovery, "FEATURES", "planted_features")
    for name in [name for name in sys.modules if name.startswith("planted_features")]:
        monkeypatch.delitem(sys.modules, name)
    return Planted(tmp_path)


def test_every_command_can_be_imported_and_takes_arguments() -> None:
    found = discovery.commands()
    assert sorted(found) == sorted(ALL)
    for name, command in found.items():
        parser = argparse.ArgumentParser(prog=name)
        command.add_arguments(parser)
        assert callable(parser.get_default("run"))
        assert command.help


def test_every_feature_adds_something() -> None:
    named = {command.package for command in discovery.commands().values()}
    for package in discovery.features():
        assert package in named or discovery._import_optional(package, "pages") is not None, package


def test_manifests_import_nothing() -> None:
    code = (
        "import sys; import wonderland; before = set(sys.modules);"
        "from wonderland import discovery; discovery.commands();"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {"wonderland.discovery", discovery.FEATURES, *discovery.PACKAGES, *discovery.features()}
    assert {name for name in done.stdout.split() if name.startswith("wonderland")} == ours


@pytest.mark.parametrize(
    ("command", "forbidden"),
    [
        ("games", ("features.", "web.", "terminal.", "lab.", "tables")),
        ("rules", ("features.coach.", "web.", "lab.", "tables")),
        ("verify", ("features.coach.", "web.", "lab.", "tables")),
    ],
)
def test_only_the_command_that_runs_is_imported(command: str, forbidden: tuple[str, ...]) -> None:
    code = (
        "import sys; from wonderland.cli import main\n"
        f"try: main({[command, '--help']!r})\n"
        "except SystemExit: pass\n"
        "print('imported', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = set(done.stdout.rpartition("imported ")[2].split())
    names -= {*discovery.PACKAGES, *discovery.features()}  # their manifests are read
    assert not [name for name in names if name.startswith(tuple(f"wonderland.{f}" for f in forbidden))]


def test_a_feature_is_found_by_its_manifest(
    planted: Planted, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.add(
        "greeting",
        manifest="COMMANDS = {'greet': 'say hello', 'wave': 'say nothing'}",
        command="def add_greet(parser): parser.set_defaults(run=lambda options: print('Hello!') or 0)",
        wave_command="def add_wave(parser): parser.set_defaults(run=lambda options: 0)",
        pages="PAGES = ('a page',)\ndef links(game): return {'greeting': f'/greet/{game}'}",
        more="ROUTES = ('a route',)",
        service="def create(site): return f'greets {site}'",
    )
    assert main(["greet"]) == 0
    assert capsys.readouterr().out == "Hello!\n"
    assert main(["wave"]) == 0
    with pytest.raises(SystemExit):
        main(["--help"])
    assert re.search(r"    greet +say hello\n    wave +say nothing\n", capsys.readouterr().out)
    assert (discovery.pages(), discovery.routes()) == (("a page",), ())
    assert discovery.links("parade") == {"greeting": "/greet/parade"}
    assert discovery.services("us") == {"greeting": "greets us"}


def test_a_manifest_may_name_several_route_modules(planted: Planted) -> None:
    planted.add(
        "greeting",
        manifest="PAGE_MODULES = ('here', 'there')",
        here="ROUTES = ('one',)",
        there="ROUTES = ('two',)",
    )
    assert discovery.routes() == ("one", "two")
    planted.add("lost", manifest="PAGE_MODULES = ('nowhere',)")
    with pytest.raises(discovery.DiscoveryError, match=r"lost declares the module 'nowhere'"):
        discovery.routes()


def test_a_feature_may_be_empty(planted: Planted) -> None:
    planted.add("empty")
    assert discovery.features() == ("planted_features.empty",)
    assert {each.package for each in discovery.commands().values()} <= set(discovery.PACKAGES)
    assert (discovery.routes(), discovery.pages(), discovery.links("parade")) == ((), (), {})
    assert discovery.services("us") == {}


def test_everything_else_works_without_features(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(discovery, "FEATURES", "wonderland.no_features")
    assert discovery.features() == ()
    assert main(["games"]) == 0
    assert main(["coach"]) == 2
    assert "no command called 'coach'" in capsys.readouterr().err


def test_a_missing_package_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "PACKAGES", ("wonderland.lab", "wonderland.attic.remote"))
    monkeypatch.setattr(discovery, "FEATURES", "wonderland.no_features")
    assert set(discovery.commands()) == {"simulate", "arena"}


def test_a_broken_manifest_is_named(planted: Planted) -> None:
    planted.add("broken", manifest="import no_such_module")
    with pytest.raises(discovery.DiscoveryError, match=r"planted_features\.broken .*no_such_module"):
        discovery.commands()


def test_a_broken_command_does_not_stop_others(planted: Planted) -> None:
    planted.add(
        "broken", manifest="COMMANDS = {'break': 'fail'}", command="import no_such_module_either"
    )
    assert main(["games"]) == 0
    with pytest.raises(ModuleNotFoundError, match="no_such_module_either"):
        main(["break"])


@pytest.mark.parametrize("modules", [{}, {"command": ""}], ids=["no module", "no function"])
def test_a_missing_command_is_named(planted: Planted, modules: dict[str, str]) -> None:
    planted.add("hollow", manifest="COMMANDS = {'echo': 'repeat'}", **modules)
    with pytest.raises(
        discovery.DiscoveryError, match="'echo', but none of its modules defines add_echo"
    ):
        main(["echo"])


def test_two_packages_cannot_have_the_same_command(planted: Planted) -> None:
    planted.add("other", manifest="COMMANDS = {'play': 'play something else'}")
    with pytest.raises(discovery.DiscoveryError, match=r"'play' .* wonderland\.terminal and planted_f"):
        discovery.commands()
