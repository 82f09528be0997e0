"""Refreshes what is derived from the program and compared by tests: `make golden`.

Catalogues, the pages of codes and components, the output of commands in the README, the reasons of each
game and the snapshots of the terminal. Names that travel (`tests/wire/golden_names.json`) are not among
them, because they are a promise. Prints which files changed; look at the difference before you
commit it.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import catalogues
import codes_page
import components_page
from support.reason_checker import moment_at
from wonderland.cli import main as run_command
from wonderland.engine import game

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TESTS = ROOT / "tests"
SNAPSHOTS = TESTS / "terminal" / "test_snapshots.py"
_CONSOLE = re.compile(r"^```console\n\$ wonderland (.*)\n(?:.*\n)*?```$", re.MULTILINE)


def golden_files() -> Iterator[Path]:
    """Yield every file that may be rewritten."""
    yield from (README, codes_page.PAGE, components_page.PAGE)
    yield from sorted(catalogues.SOURCE.rglob("*.po"))
    yield from sorted(TESTS.glob("games/*/reasons.txt"))
    yield from sorted(SNAPSHOTS.parent.glob("__snapshots__/**/*.svg"))


def read_all() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in golden_files()}


def refresh_readme() -> None:
    """Run the commands that the README shows, and write what they print below them."""
    README.write_text(_CONSOLE.sub(_run, README.read_text(encoding="utf-8")), encoding="utf-8")


def _run(block: re.Match[str]) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed):
        run_command(block[1].split())
    return f"```console\n$ wonderland {block[1]}\n{printed.getvalue()}```"


def refresh_reasons(path: Path) -> None:
    """Bring the reasons in a file up to date; each may be just the beginning of what is said."""
    blocks = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        at, choices, text = block.splitlines()
        reason = moment_at(game(path.parent.name), f"{at}\n{choices}").reason
        blocks.append(f"{at}\n{choices}\n{text if reason.startswith(text) else reason}")
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def refresh_snapshots() -> None:
    """Take the pictures of the terminal again."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--snapshot-update", str(SNAPSHOTS)]
    subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 - our own tests


def main() -> None:
    """Refresh everything and print what changed."""
    before = read_all()
    catalogues.main()
    codes_page.main()
    components_page.main()
    refresh_readme()
    for path in sorted(TESTS.glob("games/*/reasons.txt")):
        refresh_reasons(path)
    refresh_snapshots()
    after = read_all()
    changed = sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    for path in changed:
        sys.stdout.write(f"changed: {path.relative_to(ROOT)}\n")
    sys.stdout.write(f"{len(changed)} files changed\n")


if __name__ == "__main__":
    main()
