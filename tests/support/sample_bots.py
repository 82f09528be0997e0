"""Bots that commands under test name as users do: `support.sample_bots:Searcher@2`."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wonderland.bots import PlayoutSearch
from wonderland.components.bots import Budget
from wonderland.engine.registry import game


class Searcher(PlayoutSearch):
    """Plays Parade better than at random, and deterministically."""

    name = "Searcher"

    def __init__(self) -> None:
        super().__init__(game("parade"))


class First:
    """Always chooses the first legal action."""

    name = "First"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        return legal[0]


class Cheat(First):
    name = "Cheat"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        return "an ace from the sleeve"


class Stumbler(First):
    name = "Stumbler"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        return legal[len(legal)]


class Never:
    """An action that can't even be compared."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError("never")


class Odd(First):
    name = "Odd"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        return Never()


class Sleeper(First):
    """Blocks forever now and then."""

    name = "Sleeper"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        if rng.random() < 0.002:
            Path(os.environ["ASLEEP"]).write_text("zzz")
            time.sleep(1000)
        return legal[0]


class Counted(First):
    """Counts the games that it starts, in a file."""

    name = "Counted"

    def __init__(self) -> None:
        with Path(os.environ["MARKS"], "begun").open("ab") as file:
            file.write(b".")


class Doomed(Counted):
    """Once, after some games, waits in the middle of one until its process is killed."""

    name = "Doomed"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        marks = Path(os.environ["MARKS"])
        if len(legal) == 6 and (marks / "begun").stat().st_size > 30:  # the last choice of a game
            try:
                with (marks / "waiting").open("x") as file:
                    file.write(f"{os.getpid()}\n")
            except FileExistsError:
                return legal[0]
            time.sleep(100)
        return legal[0]


class Deadly(First):
    """Kills its own process."""

    name = "Deadly"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        return legal[0]


class Demanding(First):
    def __init__(self, fee: int) -> None:
        self.fee = fee


class Onlooker:
    name = "Onlooker"


NUMBER = 7
