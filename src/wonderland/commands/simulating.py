"""What the command `wonderland simulate` does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from wonderland.commands import asking
from wonderland.core.errors import UsageError
from wonderland.core.registry import game
from wonderland.lab.datasets import DecisionsFile
from wonderland.lab.exports import CsvFile, ParquetFile
from wonderland.lab.playing import Setting, Simulation
from wonderland.lab.simulation import Run
from wonderland.lab.summary import summarise
from wonderland.lab.tables import console, show

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIANTS = ("before", "after")
"""How two simulations that are compared are called, in tables and files."""


def simulate(options: argparse.Namespace) -> int:
    """Play, show, and write what was asked for."""
    asking.check_files(
        json=options.json,
        csv=options.csv,
        parquet=options.parquet,
        decisions=options.decisions,
        plot=options.plot,
    )
    simulations = simulations_of(options)
    if options.decisions is not None and len(simulations) > 1:
        raise UsageError("--decisions is for one variant: without --versus, and a file for each.")
    run = Run(
        simulations,
        asking.read_count("--games", options.games),
        asking.read_count("--skip", options.skip, least=0),
        asking.read_workers(options.workers),
    )
    by = asking.cluster(options.cluster, options.workers)
    variants = VARIANTS[: len(simulations)]
    with ExitStack() as stack:
        seats = simulations[0].setting.seats
        if options.csv is not None:
            run.keepers += (stack.enter_context(_kept(CsvFile(options.csv, seats, variants))),)
        if options.parquet is not None:
            run.keepers += (stack.enter_context(_kept(ParquetFile(options.parquet, seats, variants))),)
        if options.decisions is not None:
            file = DecisionsFile(options.decisions, simulations[0])
            run.play_keepers += (stack.enter_context(_kept(file)),)
        stack.enter_context(asking.nothing_else_said(by))
        tell = stack.enter_context(asking.progress("games", run.games))
        run.play(tell, by)
    found = summarise(run)
    asking.deliver(found, lambda: show(found, console()), options.json, options.plot)
    return asking.INTERRUPTED if run.is_interrupted else 0


class _Closing(Protocol):
    """A file of games."""

    def close(self, *, wanted: bool) -> None: ...


_F = TypeVar("_F", bound=_Closing)


@contextmanager
def _kept(file: _F) -> Iterator[_F]:
    """A file of games that takes its name if nothing goes wrong."""
    wanted = False
    try:
        yield file
        wanted = True
    finally:
        file.close(wanted=wanted)


def simulations_of(options: argparse.Namespace) -> tuple[Simulation, ...]:
    """One simulation, or two that are compared; everything about them is checked here."""
    the_game = game(options.game)
    name = the_game.info.name
    named = [text.strip() for text in options.bots.split(",")]
    seats = asking.read_seats(options.seats, len(named) if len(named) > 1 else the_game.info.seats[0])
    bots = _seated(named, seats)
    first = asking.options_of(the_game, options.option)
    variants = [first]
    if options.versus:
        variants.append(asking.options_of(the_game, options.versus, first))
        if variants[0] == variants[1]:
            raise UsageError("--versus names the same variant again: there is nothing to compare.")
    seed = asking.read_seed(options.seed)
    found = tuple(
        Simulation(Setting(name, seats, tuple(variant.items())), bots, seed) for variant in variants
    )
    for simulation in found:
        simulation.setting.start()
        simulation.entrants()
    return found


def _seated(bots: Sequence[str], seats: int) -> tuple[str, ...]:
    """A bot for each seat."""
    if len(bots) == 1:
        return tuple(bots) * seats
    if len(bots) != seats:
        raise UsageError(
            f"--bots names {len(bots)} bots for {seats} seats: it is one for each seat, or one for all."
        )
    return tuple(bots)
