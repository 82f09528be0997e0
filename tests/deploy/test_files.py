"""The files in `deploy/`: units, containers and the dashboard say nothing that isn't so."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from campaigns.raw_clients import Http, site_in
from support.reverse_proxies import DEPLOY
from wonderland.cli import main
from wonderland.tables.limits import ABOUT

UNITS = sorted((DEPLOY / "systemd").iterdir(), key=lambda path: path.name)
_SAMPLE_SUFFIXES = ("", "_total", "_bucket", "_sum", "_count")


def test_every_metric_of_the_dashboard_exists(tmp_path: Path) -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "wonderland.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [variable["query"] for variable in dashboard["templating"]["list"]]
    named = {name for query in queries for name in re.findall(r"\b(?:wonderland|process)_\w+", query)}

    async def scene() -> str:
        async with site_in(tmp_path) as here:
            await Http(here.port).ask("GET", "/")
            return (await Http(here.port).ask("GET", "/metrics")).body.decode()

    text = asyncio.run(scene())
    exposed = set(re.findall(r"(?m)^(\w+)(?:\{.*\})? \S+$", text))
    declared = {
        name + suffix
        for name in re.findall(r"(?m)^# TYPE (\S+) ", text)
        for suffix in ("", *_SAMPLE_SUFFIXES)
    }
    assert len(named) > 10
    assert named <= exposed | declared, named - exposed - declared
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_units_are_valid_and_hardened(unit: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd isn't installed")
    for each in UNITS:
        text = each.read_text().replace("/opt/wonderland/.venv/bin/wonderland", sys.executable)
        (tmp_path / each.name.replace("@", "@8000")).write_text(text)
    made = tmp_path / unit.name.replace("@", "@8000")
    verified = subprocess.run(
        [analyze, "verify", "--man=no", str(made)], capture_output=True, text=True, check=False
    )
    problems = [line for line in verified.stderr.splitlines() if unit.stem.rstrip("@") in line]
    assert not problems, verified.stderr
    if unit.suffix != ".service":
        return
    rated = subprocess.run(
        [analyze, "security", "--offline=yes", "--threshold=30", "--no-pager", str(made)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout[-600:]


@pytest.mark.parametrize("unit", ["wonderland.service", "wonderland@.service"])
def test_bots_may_lower_their_priority(unit: str) -> None:
    """The group @resources contains the call that does it; a later line allows it again."""
    filters = re.findall(r"(?m)^SystemCallFilter=(.*)$", (DEPLOY / "systemd" / unit).read_text())
    denied = next(n for n, each in enumerate(filters) if "@resources" in each)
    assert "setpriority" in filters[denied + 1 :]


def commands_in(text: str) -> list[list[str]]:
    """Return the arguments of every `wonderland` command in a file, without shell syntax."""
    found = re.findall(r"(?:bin/)?wonderland ((?:serve|admin)\b[^\n`|#]*)", text)
    return [line.split() for line in found]


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_units_use_options_that_exist(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in commands_in(unit.read_text()):
        check_options(command, capsys)


def check_options(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command[0], "--help"])
    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    used = {word.partition("=")[0] for word in command if word.startswith("--")}
    assert used <= known, used - known


def test_the_container_uses_files_and_options_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    text = (DEPLOY / "container" / "Containerfile").read_text()
    root = DEPLOY.parent
    for line in re.findall(r"(?m)^COPY (?!--from)(.+) \S+$", text):
        for name in line.split():
            assert (root / name).exists(), name
    (entry,) = re.findall(r"(?m)^ENTRYPOINT (\[.+\])$", text)
    (given,) = re.findall(r"(?m)^CMD (\[.+\])$", text)
    check_options([*json.loads(entry)[1:], *json.loads(given)], capsys)


def test_the_compose_file_fits_together(capsys: pytest.CaptureFixture[str]) -> None:
    folder = DEPLOY / "container"
    compose: dict[str, Any] = yaml.safe_load((folder / "compose.yaml").read_text())
    services, volumes = compose["services"], set(compose["volumes"])
    caddyfile = (folder / "Caddyfile").read_text()
    for name, service in services.items():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in volumes or (folder / source).exists(), source
        for other in service.get("depends_on", {}):
            assert other in services
        if "build" in service:
            assert (folder / service["build"]["context"] / service["build"]["dockerfile"]).exists()
            check_options(["serve", *service["command"]], capsys)
            assert f"{name}:8000" in caddyfile


def test_both_caddyfiles_say_the_same() -> None:
    plain, composed = (
        (DEPLOY / folder / "Caddyfile").read_text().partition("{\n")[2]
        for folder in ("caddy", "container")
    )
    assert composed == plain.replace("127.0.0.1:8000 127.0.0.1:8001", "node1:8000 node2:8000")


def test_the_page_for_operators_names_every_file_limit_and_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (DEPLOY.parent / "docs" / "hosting.md").read_text()
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            assert f"deploy/{path.relative_to(DEPLOY).parent}" in text, path
    for name in re.findall(r"\(\.\./(deploy/[^)]+)\)", text):
        assert (DEPLOY.parent / name).exists(), name
    for name in ABOUT:
        assert f"`{name.replace('_', '-')}`" in text
    commands = commands_in(text)
    assert {command[1] for command in commands if command[0] == "admin"} >= {"erase", "ban", "announce"}
    for command in commands:
        check_options(command, capsys)
