"""Options, progress bars and output files shared by the commands that play many games."""

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
from wonderland.lab.executors import count_cores
from wonderland.lab.exports import as_json
from wonderland.lab.standings import TournamentStandings
from wonderland.lab.summary import Comparison, Summary
from wonderland.lab.text_tables import console

if TYPE_CHECKING:
    pass

INTERRUPTED = 130
"""Exit status of a command ended by Ctrl-C, by shell convention."""


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the game and its options."""
    parser.add_argument("game", help="a game, as 'wonderland games' lists them")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game, as 'wonderland games' lists them; may be repeated",
    )


def add_run_options(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the arguments for execution and output."""
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
    """Parse the number of workers; the default is one per core."""
    return count_cores() if text is None else read_count("--workers", text)


def cluster(address: str | None, workers: str | None) -> Cluster | None:
    """Return the requested cluster, if any; an empty address means a local one."""
    if address is None:
        return None
    most = None if workers is None else read_count("--workers", workers)
    return Cluster(address.strip() or None, most)


@contextmanager
def redirect_cluster_output(by: Cluster | None) -> Iterator[None]:
    """Redirect standard output to standard error, which keeps a cluster's messages out of the results.

    Ray's native threads write directly to file descriptor 1, for example when a connection breaks.
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
    """Raise an error if an output file exists or can't be created, or if `plot` is of no known kind."""
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
    """Show the result, and write the requested files."""
    if json == output_files.STANDARD_OUTPUT:
        sys.stdout.write(as_json(found))
    else:
        show()
    if json is not None and json != output_files.STANDARD_OUTPUT:
        output_files.write_text(json, as_json(found))
    if plot is not None:
        plots.plot(plot, found)


class _Rate(ProgressColumn):
    """Progress column with the number of items per second or minute."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:,.0f} a second" if speed >= 10 else f"{60 * speed:,.1f} a minute")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], object]]:
    """Show a progress bar with speed and remaining time, on terminals only."""
    screen = console(error=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    done = TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.description}")
    left = TimeRemainingColumn(elapsed_when_finished=True)
    with Progress(BarColumn(24), done, _Rate(), left, console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda number: bar.update(task, completed=number)
