"""The command `wonderland simulate`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from wonderland.arguments import language_of, options_of, read_count, read_seats, read_seed
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.registry import game
from wonderland.lab.command_options import (
    INTERRUPTED,
    add_game,
    add_run_options,
    check_files,
    cluster,
    deliver,
    progress,
    read_workers,
    redirect_cluster_output,
)
from wonderland.lab.datasets import DecisionsFile
from wonderland.lab.exports import CsvFile, ParquetFile
from wonderland.lab.game_runner import GameSetup, Simulation
from wonderland.lab.labels import count_games
from wonderland.lab.run import Run
from wonderland.lab.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABOUT = """\
Play many games between bots and report the results: wins by seat, scores, game lengths and endings,
each with a 95% confidence interval. The same seed gives the same games, however many workers you use.
Press Ctrl-C to stop and see the results so far.

  wonderland simulate parade --games 1_000_000 --seats 4
  wonderland simulate letters --bots cheshire,dodo --games 200 --plot wins.svg
  wonderland simulate cookies --option hand_size=3 --versus hand_size=2
"""

VARIANTS = ("before", "after")
"""Names of two simulations being compared, in tables and files."""


def add_simulate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland simulate`."""
    parser.description = _ABOUT
    add_game(parser)
    parser.add_argument(
        "--games",
        metavar="N",
        default="10_000",
        help="number of games, such as 10_000, 10k, 2M or 1e6 (default: 10_000)",
    )
    parser.add_argument("--seats", metavar="N", help="number of seats (default: one for each bot)")
    parser.add_argument(
        "--bots",
        metavar="BOT,…",
        default="dodo",
        help="one bot for each seat, or one for all seats (default: dodo)",
    )
    parser.add_argument(
        "--versus",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="compare with this variant, using the same random numbers; can be repeated",
    )
    add_run_options(parser, "games")
    parser.add_argument("--csv", metavar="FILE", help="write one line per game to a CSV file")
    parser.add_argument("--parquet", metavar="FILE", help="write one row per game to a Parquet file")
    parser.add_argument(
        "--decisions",
        metavar="FILE",
        help="write one row per decision to a Parquet file: view, legal actions, choice, result",
    )
    parser.set_defaults(run=simulate)


def simulate(options: argparse.Namespace) -> int:
    """Run the simulation, then show and write the results."""
    check_files(
        json=options.json,
        csv=options.csv,
        parquet=options.parquet,
        decisions=options.decisions,
        plot=options.plot,
    )
    simulations = simulations_of(options)
    if options.decisions is not None and len(simulations) > 1:
        raise UsageError(
            phrase(
                "--decisions can't be combined with --versus. Simulate each variant on its own, with "
                "a file for each."
            )
        )
    run = Run(
        simulations,
        read_count("--games", options.games),
        read_count("--skip", options.skip, least=0),
        read_workers(options.workers),
    )
    by = cluster(options.cluster, options.workers)
    variants, say = VARIANTS[: len(simulations)], language_of(options)
    with ExitStack() as stack:
        seats = simulations[0].setting.seats
        if options.csv is not None:
            run.keepers += (
                stack.enter_context(_finish_on_success(CsvFile(options.csv, seats, variants))),
            )
        if options.parquet is not None:
            run.keepers += (
                stack.enter_context(_finish_on_success(ParquetFile(options.parquet, seats, variants))),
            )
        if options.decisions is not None:
            file = DecisionsFile(options.decisions, simulations[0])
            run.play_keepers += (stack.enter_context(_finish_on_success(file)),)
        stack.enter_context(redirect_cluster_output(by))
        tell = stack.enter_context(progress(run.games, count_games, say))
        run.play(tell, by)
    deliver(summarise(run), options.json, options.plot, say)
    return INTERRUPTED if run.is_interrupted else 0


class _GameFile(Protocol):
    """A file of games that can be finished or discarded."""

    def close(self, *, wanted: bool) -> None: ...


_F = TypeVar("_F", bound=_GameFile)


@contextmanager
def _finish_on_success(file: _F) -> Iterator[_F]:
    """Finish the file if the block succeeds, otherwise discard it."""
    wanted = False
    try:
        yield file
        wanted = True
    finally:
        file.close(wanted=wanted)


def simulations_of(options: argparse.Namespace) -> tuple[Simulation, ...]:
    """Create one simulation, or two to be compared, after validating the command line."""
    the_game = game(options.game)
    name = the_game.info.name
    named = [text.strip() for text in options.bots.split(",")]
    seats = read_seats(options.seats, len(named) if len(named) > 1 else the_game.info.seats[0])
    bots = _assign_seats(named, seats)
    first = options_of(the_game, options.option)
    variants = [first]
    if options.versus:
        variants.append(options_of(the_game, options.versus, first))
        if variants[0] == variants[1]:
            raise UsageError(
                phrase(
                    "--versus describes the same variant, so there is nothing to compare. Name a "
                    "different value."
                )
            )
    seed = read_seed(options.seed)
    found = tuple(
        Simulation(GameSetup(name, seats, tuple(variant.items())), bots, seed) for variant in variants
    )
    for simulation in found:
        simulation.setting.start()
        simulation.entrants()
    return found


def _assign_seats(bots: Sequence[str], seats: int) -> tuple[str, ...]:
    """Assign a bot to each seat."""
    if len(bots) == 1:
        return tuple(bots) * seats
    if len(bots) != seats:
        raise UsageError(
            phrase(
                "--bots names {bots} bots for {seats} seats. Name one for each seat, or one for all "
                "seats."
            ),
            bots=len(bots),
            seats=seats,
        )
    return tuple(bots)
