"""Plays games by their numbers: the same seed and the same number give the same game, anywhere."""

from __future__ import annotations

import hashlib
import random
import traceback
from array import array
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from wonderland.bots import Entrant, decide, entrant
from wonderland.components.bots import Bot
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import BotFailed, UsageError
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import Over
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component, game
from wonderland.engine.values import Value
from wonderland.kernels.kernel import ROW, kernel, packing
from wonderland.lab.totals import SEATS, Rows


class GameSetup(Value, frozen=True):
    """What is played: plain values, so that any process can be told."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()
    """Names with their values, as text."""

    def start(self) -> Any:
        """The state before anything has happened; `UsageError` if there is none."""
        the_game = game(self.game)
        return the_game.start(self.seats, read_options(the_game, dict(self.options)))


class Simulation(Value, frozen=True):
    """Who plays what, and by which luck."""

    setting: GameSetup
    bots: tuple[str, ...]
    """One for each seat, as commands name them."""
    seed: str

    def entrants(self) -> tuple[Entrant, ...]:
        """The bots; `UsageError` for one that there isn't."""
        return entrants_of(self.setting.game, self.bots)

    def policies(self) -> list[int] | None:
        """The bots by their numbers in the game's kernel, if it can play all of them."""
        fast = kernel(self.setting.game) if component(self.setting.game, "encoding.packing") else None
        known = tuple(fast.POLICIES) if fast is not None else ()
        policies = [each.policy for each in self.entrants()]
        return [known.index(name) for name in policies if name] if set(policies) <= set(known) else None

    @property
    def is_for_threads(self) -> bool:
        """Whether playing lets go of Python's lock."""
        fast = kernel(self.setting.game)
        return self.policies() is not None and fast is not None and fast.COMPILED


@lru_cache(maxsize=32)
def entrants_of(game: str, bots: tuple[str, ...]) -> tuple[Entrant, ...]:
    """The bots of these names, looked up once in each process: making one may take its time."""
    return tuple(entrant(game, text) for text in bots)


class GameObserver(Protocol):
    """Whoever wants to see every decision, and so has games played through the readable rules."""

    def decides(self, match: AnyMatch, seat: int, action: Any) -> None:
        """What a seat has chosen, before it is carried out."""
        ...

    def ended(self, number: int, match: AnyMatch, result: Result) -> None:
        """The game with this number is over."""
        ...


def play_numbers(
    simulation: Simulation, first: int, count: int, onlooker: GameObserver | None = None
) -> Rows:
    """Play the games with the numbers from `first` on."""
    policies = simulation.policies() if onlooker is None else None
    if policies is not None:
        return _play_in_kernel(simulation, policies, first, count)
    entrants = simulation.entrants()
    rows = RowWriter(simulation.setting)
    for number in range(first, first + count):
        luck = f"{simulation.seed} {number}"
        where = f"game {number} of seed {simulation.seed!r}; --skip {number} --games 1 plays it again"
        played = play_one(simulation.setting, entrants, luck, luck, where, onlooker)
        rows.add(played)
        if onlooker is not None:
            onlooker.ended(number, played.match, played.result)
    return rows.rows()


def _play_in_kernel(simulation: Simulation, policies: list[int], first: int, count: int) -> Rows:
    setting = simulation.setting
    fast, meaning = kernel(setting.game), packing(setting.game)
    assert fast is not None  # noqa: S101 - where there are policies there is a kernel
    table = fast.KernelState()
    table.load(meaning.pack(setting.start()))
    numbers = array("i", bytes(array("i").itemsize * ROW * count))
    table.simulate(numbers, policies, number_of(simulation.seed), first, count)
    return Rows(setting.seats, numbers, tuple(meaning.ENDINGS))


def number_of(seed: str) -> int:
    """The 64 bits that a kernel takes for a seed, which is any text."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")


class Streams:
    """Luck with a stream of its own for each label.

    What one label brings then never depends on how often another was asked: the same deal stays the same
    deal, as far as the game allows, whoever sits where.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[str, Seeded] = {}

    def below(self, limit: int, label: str) -> int:
        """A number from 0 up to but not including `limit`."""
        if label not in self._streams:
            self._streams[label] = Seeded(f"{self._seed} {label}")
        return self._streams[label].below(limit, label)


class FinishedGame(Value, frozen=True):
    """One finished play."""

    result: Result
    first: int
    """The seat that made the first decision."""
    decisions: int
    match: AnyMatch


def play_one(  # noqa: PLR0913, PLR0917 - what is played, by whom, with which luck, and who looks on
    setting: GameSetup,
    bots: Sequence[Entrant],
    luck: str,
    whims: str,
    where: str,
    onlooker: GameObserver | None = None,
) -> FinishedGame:
    """Play one game through the readable rules, each bot by what it is shown.

    `luck` decides what luck decides, `whims` what bots do at random. `where` says in words which game it
    is, for whoever has to find the fault in a bot.
    """
    the_game = game(setting.game)
    options = read_options(the_game, dict(setting.options))
    match: AnyMatch = Match(the_game, setting.seats, options, luck=Streams(luck))
    players = [  # made afresh: a game must not depend on those before it
        (who.make(), who, random.Random(f"{whims} seat {seat}")) for seat, who in enumerate(bots)
    ]
    first: int | None = None
    decisions = 0
    while not isinstance(turn := match.turn, Over):
        seat = seats_to_act(turn)[0]
        first = seat if first is None else first
        action = _choice(match, seat, players[seat], where)
        if onlooker is not None:
            onlooker.decides(match, seat, action)
        match.play(seat, action)
        decisions += 1
    return FinishedGame(turn.result, first or 0, decisions, match)


def _choice(match: AnyMatch, seat: int, player: tuple[Bot, Entrant, random.Random], where: str) -> Any:
    bot, who, whim = player
    try:
        action = decide(bot, match, seat, whim, who.budget)
    except Exception as error:  # third-party code may raise anything
        what = f"{type(error).__name__}: {error} ({_line_of(error)})"
        raise BotFailed(f"the bot {who.text} failed with {what}, in {where}.") from error
    try:
        is_legal = action in match.legal(seat)
    except Exception:  # noqa: BLE001 - whatever a comparison with a stranger's value may raise
        is_legal = False
    if not is_legal:
        raise BotFailed(
            f"the bot {who.text} chose {_written(match, action)}, which is not allowed, in {where}."
        )
    return action


def _line_of(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


def _written(match: AnyMatch, action: Any) -> str:
    try:
        return match.game.write(action)
    except Exception:  # noqa: BLE001 - a bot can return anything at all
        return repr(action)


class RowWriter:
    """Turns finished plays into rows like those of a kernel."""

    def __init__(self, setting: GameSetup) -> None:
        if setting.seats > SEATS:
            raise UsageError(
                f"games of {setting.seats} can't be counted: a simulation has room for {SEATS} seats."
            )
        self._seats = setting.seats
        self._numbers = array("i")
        self._endings: list[str] = []
        if component(setting.game, "encoding.packing") is not None:
            self._endings += packing(setting.game).ENDINGS

    def add(self, played: FinishedGame) -> None:
        """One more play."""
        result = played.result
        if result.ending not in self._endings:
            self._endings.append(result.ending)
        ending = self._endings.index(result.ending)
        winners = sum(1 << seat for seat in result.winners)
        unused = (0,) * (SEATS - self._seats)
        self._numbers.extend((winners, played.first, played.decisions, ending, *result.scores, *unused))

    def rows(self) -> Rows:
        """All plays so far."""
        return Rows(self._seats, self._numbers, tuple(self._endings))
