"""The games for OpenSpiel: importing this package registers `wonderland_parade` and the others.

    import pyspiel
    import wonderland.environments.openspiel
    game = pyspiel.load_game("wonderland_parade(players=3)")

`docs/openspiel.md` explains the encoding, and which parts of OpenSpiel support games in Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

try:
    import numpy  # noqa: F401, ICN001 - only to check that it is installed
    import pyspiel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"OpenSpiel needs {missing.name}, which isn't installed. "
        "Install it with: pip install 'wonderland[openspiel]'"
    ) from missing

from wonderland.components.information_sets import resample_history
from wonderland.components.learning import learning
from wonderland.engine.errors import GameOver
from wonderland.engine.options import Option, default_text, read_options
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.registry import game as named_game
from wonderland.engine.registry import game_names
from wonderland.environments.openspiel.observer import Observer
from wonderland.environments.openspiel.play import CHANCE_PLAYER, TERMINAL, OpenSpielSetup, setting

PREFIX = "wonderland_"
PLAYERS = "players"
_LIST_SEPARATOR, _OPENSPIEL_SEPARATOR = ",", "+"
"""OpenSpiel separates parameters by commas, so lists inside them use a plus instead."""
_DEFAULT_BOUND = 10_000
"""Bound for games that don't declare their maximum length."""


class WonderlandGame(pyspiel.Game):  # type: ignore[misc] # it has no types
    """A game with its seats and options as a `pyspiel.Game`."""

    def __init__(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        game = named_game(name)
        given = {**parameters(game), **(params or {})}
        texts = {option.name: _format_option(given[option.name]) for option in game.info.options}
        self.setting = setting(name, given[PLAYERS], read_options(game, texts))
        params_text = {
            key: it.replace(_LIST_SEPARATOR, _OPENSPIEL_SEPARATOR) if isinstance(it, str) else it
            for key, it in given.items()
        }
        super().__init__(game_type(name, self.setting), _game_info(self.setting), params_text)

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (str(self),)

    def new_initial_state(self) -> WonderlandState:
        """The state before the deal."""
        return WonderlandState(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """Create an observer; by default of what a player currently knows, without recall."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.setting, kind or usual, params)

    def max_chance_nodes_in_history(self) -> int:
        """Maximum number of chance outcomes in a game."""
        return self.setting.bounds.outcomes if self.setting.bounds else _DEFAULT_BOUND

    def action_to_string(self, player: Seat, action: int) -> str:
        """Name of an action; chance outcomes have names only in a state."""
        return f"outcome {action}" if player == CHANCE_PLAYER else str(self.setting.names[action])


class WonderlandState(pyspiel.State):  # type: ignore[misc] # it has no types
    """A game in progress; simultaneous decisions are made one after another."""

    def __init__(self, game: WonderlandGame) -> None:
        super().__init__(game)
        self.play = game.setting.start.fork()

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's constant for chance or the end."""
        return self.play.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.play.player == TERMINAL

    def _legal_actions(self, _: Seat) -> list[int]:
        return self.play.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible chance outcomes with their probabilities."""
        return self.play.outcomes()

    def _apply_action(self, action: int) -> None:
        self.play.apply(action)

    def _action_to_string(self, player: Seat, action: int) -> str:
        play = self.play
        if player == CHANCE_PLAYER and play.player == CHANCE_PLAYER:
            return str(play.setting.game.write(play.meaning(action)))
        return self.get_game().action_to_string(player, action)  # type: ignore[no-any-return] # no types

    def returns(self) -> list[float]:
        """Return of each seat."""
        return self.play.returns()

    def resample_from_infostate(self, player: Seat, sample: Callable[[], float]) -> WonderlandState:
        """Sample a state (determinization) from the player's information set, uniformly.

        Only what the player has observed is used. `sample` returns numbers from 0 to 1.
        """
        if self.is_terminal():
            raise GameOver("resampling")
        rng = random.Random(repr(sample()))
        state: WonderlandState = self.get_game().new_initial_state()
        for move in resample_history(self.play.match, player, rng):
            state.apply_action(state.play.number(move.action))
        return state

    def __str__(self) -> str:
        match = self.play.match
        return match.game.write_position(match.state)


def loaded(text: str) -> WonderlandGame:
    """Unpickle a game; importing this module registers it with OpenSpiel."""
    game: WonderlandGame = pyspiel.load_game(text)
    return game


def _format_option(value: Any) -> str:
    """Format an option's value as in records."""
    return (
        str(value).lower()
        if isinstance(value, bool)
        else str(value).replace(_OPENSPIEL_SEPARATOR, _LIST_SEPARATOR)
    )


def parameters(game: AnyGame) -> dict[str, Any]:
    """OpenSpiel parameters of a game with their defaults: number of players and options."""
    return {
        PLAYERS: game.info.seats[0],
        **{each.name: _default_value(game, each) for each in game.info.options},
    }


def _default_value(game: AnyGame, option: Option) -> Any:
    """Default of an option: numbers and flags as such, everything else as text."""
    default = getattr(game.options_type(), option.name)
    return default if isinstance(default, (bool, int)) else default_text(game, option)


def game_type(name: str, setup: OpenSpielSetup) -> Any:
    """Build OpenSpiel's description of a game."""
    game = setup.game
    kinds, known = pyspiel.GameType, pyspiel.GameType.Information
    return kinds(
        short_name=PREFIX + name,
        long_name=f"{game.info.title} (Wonderland)",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=known.PERFECT_INFORMATION if setup.is_open else known.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.info.seats[-1],
        min_num_players=game.info.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=setup.bounds is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


def _game_info(setup: OpenSpielSetup) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=len(setup.names),
        max_chance_outcomes=setup.bounds.chance_numbers if setup.bounds else _DEFAULT_BOUND,
        num_players=setup.seats,
        min_utility=-1.0,
        max_utility=setup.seats - 1.0,
        utility_sum=0.0,
        max_game_length=setup.bounds.decisions if setup.bounds else _DEFAULT_BOUND,
    )


class _Creator:
    """Factory that OpenSpiel calls with a game's parameters.

    OpenSpiel releases it after the interpreter has shut down, so it keeps itself alive by a cycle.
    """

    def __init__(self, name: str) -> None:
        self.name, self.itself = name, self

    def __call__(self, params: Mapping[str, Any]) -> WonderlandGame:
        return WonderlandGame(self.name, params)


def register() -> None:
    """Register all games that have a learning component."""
    for name in game_names():
        if learning(name) is not None:
            game = named_game(name)
            usual = setting(name, game.info.seats[0], game.options_type())
            pyspiel.register_game(game_type(name, usual), _Creator(name))


register()
