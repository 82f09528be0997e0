"""What commands that play many games share: their options, progress bars and output files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from wonderland.arguments import read_count
from wonderland.lab import output_files, plots
from wonderland.lab.cluster import Cluster
from wonderland.lab.executors import cores
from wonderland.lab.exports import as_json
from wonderland.lab.standings import TournamentStandings
from wonderland.lab.summary import Comparison, Summary
from wonderland.lab.text_tables import console

if TYPE_CHECKING:
    pass

INTERRUPTED = 130
"""What a shell expects of a command that Ctrl-C has ended."""


def add_game(parser: argparse.ArgumentParser) -> None:
    """The game and its options."""
    parser.add_argument("game", help="a game, as 'wonderland games' lists them")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game, as 'wonderland games' lists them; may be repeated",
    )


def add_running(parser: argparse.ArgumentParser, what: str) -> None:
    """How it is run, and where the result goes."""
    parser.add_argument("--seed", help="any word: the same word gives the same games")
    parser.add_argument(
        "--skip", metavar="N", default="0", help=f"leave out the first N {what} of the seed"
    )
    parser.add_argument("--workers", metavar="N", help="how many play at once (one for each core)")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="play on a Ray cluster: HOST:PORT, auto, or nothing for one that is started here",
    )
    parser.add_argument("--json", metavar="FILE", help="all that was found, as JSON; - for no table")
    parser.add_argument("--plot", metavar="FILE", help="a picture of it: FILE ends in .svg or .png")


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


def check_files(**paths: str | None) -> None:
    """That nothing which is to be written is there already; `plot` is for pictures."""
    for flag, path in paths.items():
        if path is not None and (flag, path) != ("json", output_files.STANDARD_OUTPUT):
            output_files.refuse_to_overwrite(f"--{flag}", path)
    if paths.get("plot") is not None:
        plots.check_kind(str(paths["plot"]))


def deliver(
    found: Summary | Comparison | TournamentStandings,
    show: Callable[[], None],
    json: str | None,
    plot: str | None,
) -> None:
    """Show the result, and put it in the files that were asked for."""
    if json == output_files.STANDARD_OUTPUT:
        sys.stdout.write(as_json(found))
    else:
        show()
    if json is not None and json != output_files.STANDARD_OUTPUT:
        output_files.write_text(json, as_json(found))
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
