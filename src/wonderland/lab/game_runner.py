"""Play games by number: the same seed and number give the same game in any process."""

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
from wonderland.engine.errors import BotFailed, UsageError, quote
from wonderland.engine.language import Message, phrase
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
    """A game with its seats and options, as plain values that can be sent to any process."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()
    """Names and values, as text."""

    def start(self) -> Any:
        """Return the initial state; raise `UsageError` if the setup is invalid."""
        the_game = game(self.game)
        return the_game.start(self.seats, read_options(the_game, dict(self.options)))


class Simulation(Value, frozen=True):
    """A game setup with its bots and seed."""

    setting: GameSetup
    bots: tuple[str, ...]
    """One for each seat, as written on the command line."""
    seed: str

    def entrants(self) -> tuple[Entrant, ...]:
        """Return the bots; raise `UsageError` if one is unknown."""
        return entrants_of(self.setting.game, self.bots)

    def policies(self) -> list[int] | None:
        """Return the bots as policies of the game's kernel, or `None` if it can't play all of them."""
        fast = kernel(self.setting.game) if component(self.setting.game, "encoding.packing") else None
        known = tuple(fast.POLICIES) if fast is not None else ()
        policies = [each.policy for each in self.entrants()]
        return [known.index(name) for name in policies if name] if set(policies) <= set(known) else None

    @property
    def releases_gil(self) -> bool:
        """Whether playing releases the GIL, so that threads are worthwhile."""
        fast = kernel(self.setting.game)
        return self.policies() is not None and fast is not None and fast.COMPILED


@lru_cache(maxsize=32)
def entrants_of(game: str, bots: tuple[str, ...]) -> tuple[Entrant, ...]:
    """Look up the bots by name; cached per process, because importing one may be slow."""
    return tuple(entrant(game, text) for text in bots)


class GameObserver(Protocol):
    """Observes every decision, which requires playing through the readable rules."""

    def decides(self, match: AnyMatch, seat: int, action: Any) -> None:
        """Called with the action a seat has chosen, before it is applied."""
        ...

    def ended(self, number: int, match: AnyMatch, result: Result) -> None:
        """Called when the game with this number is over."""
        ...


def play_numbers(
    simulation: Simulation, first: int, count: int, observer: GameObserver | None = None
) -> Rows:
    """Play `count` games, numbered from `first`."""
    policies = simulation.policies() if observer is None else None
    if policies is not None:
        return _play_in_kernel(simulation, policies, first, count)
    entrants = simulation.entrants()
    rows = RowWriter(simulation.setting)
    for number in range(first, first + count):
        seed = f"{simulation.seed} {number}"
        where = Message(
            phrase("game {number} of seed {seed} (to repeat it: {flags})"),
            {"number": number, "seed": quote(simulation.seed), "flags": f"--skip {number} --games 1"},
        )
        played = play_one(simulation.setting, entrants, seed, seed, where, observer)
        rows.add(played)
        if observer is not None:
            observer.ended(number, played.match, played.result)
    return rows.rows()


def _play_in_kernel(simulation: Simulation, policies: list[int], first: int, count: int) -> Rows:
    setting = simulation.setting
    fast, meaning = kernel(setting.game), packing(setting.game)
    assert fast is not None  # noqa: S101 - policies imply a kernel
    table = fast.KernelState()
    table.load(meaning.pack(setting.start()))
    numbers = array("i", bytes(array("i").itemsize * ROW * count))
    table.simulate(numbers, policies, hash_seed(simulation.seed), first, count)
    return Rows(setting.seats, numbers, tuple(meaning.ENDINGS))


def hash_seed(seed: str) -> int:
    """Hash a seed, which may be any text, to the 64 bits a kernel takes."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")


class Streams:
    """Chance source with a separate random stream for each label.

    The outcomes for one label don't depend on how often another was drawn, so a deal stays the same, as
    far as the game allows, however the bots are seated.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[str, Seeded] = {}

    def below(self, limit: int, label: str) -> int:
        """Random number from 0 up to, but excluding, `limit`."""
        if label not in self._streams:
            self._streams[label] = Seeded(f"{self._seed} {label}")
        return self._streams[label].below(limit, label)


class FinishedGame(Value, frozen=True):
    """One finished game."""

    result: Result
    first: int
    """The seat that made the first decision."""
    decisions: int
    match: AnyMatch


def play_one(  # noqa: PLR0913, PLR0917 - setup, bots, two seeds, location for errors, observer
    setting: GameSetup,
    bots: Sequence[Entrant],
    chance_seed: str,
    bot_seed: str,
    where: Message,
    observer: GameObserver | None = None,
) -> FinishedGame:
    """Play one game through the readable rules, giving each bot its view only.

    `chance_seed` seeds the chance outcomes, and `bot_seed` the random choices of bots. `where` names the
    game in error messages, so that a failing bot can be debugged.
    """
    the_game = game(setting.game)
    options = read_options(the_game, dict(setting.options))
    match: AnyMatch = Match(the_game, setting.seats, options, chance=Streams(chance_seed))
    players = [  # new instances: a game must not depend on earlier ones
        (who.make(), who, random.Random(f"{bot_seed} seat {seat}")) for seat, who in enumerate(bots)
    ]
    first: int | None = None
    decisions = 0
    while not isinstance(turn := match.turn, Over):
        seat = seats_to_act(turn)[0]
        first = seat if first is None else first
        action = _choose_action(match, seat, players[seat], where)
        if observer is not None:
            observer.decides(match, seat, action)
        match.play(seat, action)
        decisions += 1
    return FinishedGame(turn.result, first or 0, decisions, match)


def _choose_action(
    match: AnyMatch, seat: int, player: tuple[Bot, Entrant, random.Random], where: Message
) -> Any:
    bot, who, rng = player
    try:
        action = decide(bot, match, seat, rng, who.budget)
    except Exception as error:  # third-party bots may raise anything
        what = f"{type(error).__name__}: {error} ({_line_of(error)})"
        raise BotFailed(
            phrase("the bot {bot} raised {what} in {where}."), bot=who.text, what=what, where=where
        ) from error
    try:
        is_legal = action in match.legal(seat)
    except Exception:  # noqa: BLE001 - comparing with a third-party value may raise anything
        is_legal = False
    if not is_legal:
        raise BotFailed(
            phrase("the bot {bot} chose {action}, which isn't a legal action, in {where}."),
            bot=who.text,
            action=_written(match, action),
            where=where,
        )
    return action


def _line_of(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


def _written(match: AnyMatch, action: Any) -> str:
    try:
        return match.game.write(action)
    except Exception:  # noqa: BLE001 - a bot may return anything
        return repr(action)


class RowWriter:
    """Converts finished games into rows like those of a kernel."""

    def __init__(self, setting: GameSetup) -> None:
        if setting.seats > SEATS:
            raise UsageError(
                phrase("can't simulate games with {seats} seats: the limit is {most}."),
                seats=setting.seats,
                most=SEATS,
            )
        self._seats = setting.seats
        self._numbers = array("i")
        self._endings: list[str] = []
        if component(setting.game, "encoding.packing") is not None:
            self._endings += packing(setting.game).ENDINGS

    def add(self, played: FinishedGame) -> None:
        """Add one game."""
        result = played.result
        if result.ending not in self._endings:
            self._endings.append(result.ending)
        ending = self._endings.index(result.ending)
        winners = sum(1 << seat for seat in result.winners)
        unused = (0,) * (SEATS - self._seats)
        self._numbers.extend((winners, played.first, played.decisions, ending, *result.scores, *unused))

    def rows(self) -> Rows:
        """Return the games so far."""
        return Rows(self._seats, self._numbers, tuple(self._endings))
