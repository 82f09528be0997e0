"""Options, progress bars and output files shared by the commands that play many games."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from wonderland.arguments import add_game_name, read_count
from wonderland.components.formatting import number
from wonderland.engine.language import Language
from wonderland.lab import output_files, plots
from wonderland.lab.cluster import Cluster
from wonderland.lab.executors import count_cores
from wonderland.lab.exports import as_json
from wonderland.lab.text_tables import Result, console, show

INTERRUPTED = 130
"""Exit status of a command ended by Ctrl-C, by shell convention."""


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the game and its options."""
    add_game_name(parser)
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set a game option (see 'wonderland games'); can be repeated",
    )


def add_run_options(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the arguments for execution and output."""
    parser.add_argument("--seed", help="any word; the same seed gives the same games")
    parser.add_argument("--skip", metavar="N", default="0", help=f"skip the first N {what} of the seed")
    parser.add_argument(
        "--workers", metavar="N", help="number of parallel workers (default: one per core)"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="run on a Ray cluster: HOST:PORT, 'auto', or no value to start one here",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write all results as JSON; - writes JSON to standard output instead of a table",
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the results to FILE (.svg or .png)")


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


def deliver(found: Result, json: str | None, plot: str | None, say: Language) -> None:
    """Show the result, and write the requested files."""
    if json == output_files.STANDARD_OUTPUT:
        sys.stdout.write(as_json(found))
    else:
        show(found, console(), say)
    if json is not None and json != output_files.STANDARD_OUTPUT:
        output_files.write_text(json, as_json(found))
    if plot is not None:
        plots.plot(plot, found, say)


class _Count(ProgressColumn):
    """Progress column with the number of items so far, and how many per second or minute."""

    def __init__(self, count: Callable[[int, Language], str], say: Language) -> None:
        super().__init__()
        self._count, self._say = count, say

    def render(self, task: Task) -> Text:
        say = self._say
        done = number(task.completed, say)
        text = say("{done} of {asked}", done=done, asked=self._count(int(task.total or 0), say))
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text(text)
        if speed >= 10:
            return Text(f"{text} · {say('{number} per second', number=number(speed, say))}")
        return Text(f"{text} · {say('{number} per minute', number=number(60 * speed, say, 1))}")


@contextmanager
def progress(
    total: int, count: Callable[[int, Language], str], say: Language
) -> Iterator[Callable[[int], object]]:
    """Show a progress bar with speed and remaining time, on terminals only; `count` formats a total."""
    screen = console(error=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    left = TimeRemainingColumn(elapsed_when_finished=True)
    with Progress(BarColumn(24), _Count(count, say), left, console=screen, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)
