"""What commands of the lab have in common: reading what was asked for, telling how far it is."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from wonderland.core.errors import UsageError, quoted
from wonderland.core.options import read_options, read_pairs
from wonderland.core.protocol import AnyGame
from wonderland.core.registry import game
from wonderland.lab import files, plots
from wonderland.lab.chunks import cores
from wonderland.lab.cluster import Cluster
from wonderland.lab.exports import as_json
from wonderland.lab.standing import Standing
from wonderland.lab.summary import Comparison, Summary
from wonderland.lab.tables import console
from wonderland.terminal.files import option_text

if TYPE_CHECKING:
    from wonderland.study.game_file import GameFile

INTERRUPTED = 130
"""What a shell expects of a command that Ctrl-C has ended."""
_MOST = 10**12
_COUNT = re.compile(r"(?P<number>\d{1,15}(?:\.\d{1,12})?)(?:e(?P<power>\d{1,2})|(?P<unit>[kM]))?")
_UNITS = {"k": 3, "M": 6}


def read_count(flag: str, text: str, least: int = 1) -> int:
    """A whole number as people write large ones.

    >>> [read_count("--games", text) for text in ("250", "10_000", "10,000", "1.5M", "1e6", "20k")]
    [250, 10000, 10000, 1500000, 1000000, 20000]
    """
    found = _COUNT.fullmatch(text.strip().replace("_", "").replace(",", ""))
    if found is not None:
        power = int(found["power"] or _UNITS.get(found["unit"], 0))
        whole, _, part = found["number"].partition(".")
        if len(part.rstrip("0")) <= power:
            number: int = int(whole + part) * 10**power // 10 ** len(part)
            if least <= number <= _MOST:
                return number
    raise UsageError(
        f"{flag} {quoted(text)} is not possible: it is a whole number from {least} on, such as 500, "
        "10_000, 20k or 1e6."
    )


def read_workers(text: str | None) -> int:
    """How many play at once."""
    return cores() if text is None else read_count("--workers", text)


def cluster(address: str | None, workers: str | None) -> Cluster | None:
    """The cluster that was asked for; an address without letters is one of our own."""
    if address is None:
        return None
    most = None if workers is None else read_count("--workers", workers)
    return Cluster(address.strip() or None, most)


@contextmanager
def nothing_else_said(by: Cluster | None) -> Iterator[None]:
    """Standard output is for results: what a cluster's own threads have to say goes to the errors.

    They are not Python's, and write where they like, when a machine is slow or a connection breaks.
    """
    if by is None:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def read_seats(text: str | None, usual: int) -> int:
    """How many sit at the table; the game itself says whether they can."""
    return usual if text is None else read_count("--seats", text)


def read_seed(text: str | None) -> str:
    """The seed that was given, or a new one, which is shown so that it can be given again."""
    return str(secrets.randbelow(10**8)) if text is None else text


def read_word(text: str | None, usual: str) -> str:
    """A seed that can stand in a command as it is: such a command is kept with what it has found."""
    found = usual if text is None else text
    if shlex.quote(found) != found:
        raise UsageError(f"--seed {quoted(found)} is not possible here: it is a word without blanks.")
    return found


def place_of(file: GameFile[Any], name: str) -> Path:
    """Where a game keeps such a file, if that is a folder."""
    place = file.home(name)
    if not isinstance(place, Path):
        raise UsageError(f"{game(name).info.title} is not in a folder: --out names another file.")
    return place


def options_of(
    rules: AnyGame, texts: Sequence[str], usual: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Options of a game as names with their texts, checked."""
    known = {option.name: option for option in rules.info.options}
    found = dict(usual or {})
    for name, text in read_pairs(texts).items():
        found[name] = option_text(known[name], text) if name in known else text
    read_options(rules, found)
    return found


def check_files(**paths: str | None) -> None:
    """That nothing which is to be written is there already; `plot` is for pictures."""
    for flag, path in paths.items():
        if path is not None and (flag, path) != ("json", files.STANDARD_OUTPUT):
            files.refuse_to_overwrite(f"--{flag}", path)
    if paths.get("plot") is not None:
        plots.check_kind(str(paths["plot"]))


def deliver(
    found: Summary | Comparison | Standing, show: Callable[[], None], json: str | None, plot: str | None
) -> None:
    """Show the result, and put it in the files that were asked for."""
    if json == files.STANDARD_OUTPUT:
        sys.stdout.write(as_json(found))
    else:
        show()
    if json is not None and json != files.STANDARD_OUTPUT:
        files.write_text(json, as_json(found))
    if plot is not None:
        plots.plot(plot, found)


class _Rate(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:,.0f} a second" if speed >= 10 else f"{60 * speed:,.1f} a minute")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], object]]:
    """A bar that says how far it is, how quick, and how long it will take; only on a terminal."""
    screen = console(error=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    done = TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.description}")
    left = TimeRemainingColumn(elapsed_when_finished=True)
    with Progress(BarColumn(24), done, _Rate(), left, console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda number: bar.update(task, completed=number)
