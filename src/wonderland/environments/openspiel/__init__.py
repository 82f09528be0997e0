"""The games for OpenSpiel: importing this module registers `wonderland_parade` and the others.

    import pyspiel
    import wonderland.environments.openspiel
    game = pyspiel.load_game("wonderland_parade(players=3)")

`docs/openspiel.md` says what its numbers mean, and what of OpenSpiel works with games in Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

try:
    import numpy  # noqa: F401, ICN001 - only to see that it is there
    import pyspiel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"OpenSpiel needs {missing.name}, which is not installed: "
        "pip install 'wonderland[openspiel]' adds it."
    ) from missing

from wonderland.components.information_sets import resample_history
from wonderland.components.learning import learning
from wonderland.engine.errors import GameOver
from wonderland.engine.options import Option, default_text, read_options
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.registry import game as named_game
from wonderland.engine.registry import game_names
from wonderland.environments.openspiel.observer import Observer
from wonderland.environments.openspiel.play import CHANCE, TERMINAL, OpenSpielSetup, setting

PREFIX = "wonderland_"
PLAYERS = "players"
_LIST, _LIST_THERE = ",", "+"
"""In the names of OpenSpiel's games a comma ends a parameter, so that lists have a plus instead."""
_LONGEST = 10_000
"""For a game that does not say how long it can be."""


class WonderlandGame(pyspiel.Game):  # type: ignore[misc] # it has no types
    """A game with its seats and options, as OpenSpiel knows games."""

    def __init__(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        game = named_game(name)
        given = {**parameters(game), **(params or {})}
        texts = {option.name: _text(given[option.name]) for option in game.info.options}
        self.setting = setting(name, given[PLAYERS], read_options(game, texts))
        said = {
            key: it.replace(_LIST, _LIST_THERE) if isinstance(it, str) else it
            for key, it in given.items()
        }
        super().__init__(game_type(name, self.setting), _info(self.setting), said)

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (str(self),)

    def new_initial_state(self) -> WonderlandState:
        """A play in which luck has not begun to deal."""
        return WonderlandState(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """Something that observes states; without a kind, what a player may know now."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.setting, kind or usual, params)

    def max_chance_nodes_in_history(self) -> int:
        """How often luck decides in one play, at most."""
        return self.setting.bounds.outcomes if self.setting.bounds else _LONGEST

    def action_to_string(self, player: Seat, action: int) -> str:
        """A decision in a word or two; an outcome of luck has a name only in a state."""
        return f"outcome {action}" if player == CHANCE else str(self.setting.names[action])


class WonderlandState(pyspiel.State):  # type: ignore[misc] # it has no types
    """A play so far. Whatever seats choose at the same time, they choose one after the other here."""

    def __init__(self, game: WonderlandGame) -> None:
        super().__init__(game)
        self.play = game.setting.start.fork()

    def current_player(self) -> int:
        """The seat whose turn it is, or what stands for luck and for the end."""
        return self.play.player

    def is_terminal(self) -> bool:
        """Whether the play is over."""
        return self.play.player == TERMINAL

    def _legal_actions(self, _: Seat) -> list[int]:
        return self.play.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What luck may decide, and how likely each is."""
        return self.play.outcomes()

    def _apply_action(self, action: int) -> None:
        self.play.apply(action)

    def _action_to_string(self, player: Seat, action: int) -> str:
        play = self.play
        if player == CHANCE and play.player == CHANCE:
            return str(play.setting.game.write(play.meaning(action)))
        return self.get_game().action_to_string(player, action)  # type: ignore[no-any-return] # no types

    def returns(self) -> list[float]:
        """What the play was worth to each seat."""
        return self.play.returns()

    def resample_from_infostate(self, player: Seat, sample: Callable[[], float]) -> WonderlandState:
        """A play that this player would have witnessed alike, each as likely as any other.

        Only what the player has witnessed has a part in it. `sample` gives numbers from 0 to 1.
        """
        if self.is_terminal():
            raise GameOver("imagining")
        rng = random.Random(repr(sample()))
        state: WonderlandState = self.get_game().new_initial_state()
        for move in resample_history(self.play.match, player, rng):
            state.apply_action(state.play.number(move.action))
        return state

    def __str__(self) -> str:
        match = self.play.match
        return match.game.write_position(match.state)


def loaded(text: str) -> WonderlandGame:
    """The game that was pickled: with this module, OpenSpiel knows it again."""
    game: WonderlandGame = pyspiel.load_game(text)
    return game


def _text(value: Any) -> str:
    """The value of an option as our records write it."""
    return str(value).lower() if isinstance(value, bool) else str(value).replace(_LIST_THERE, _LIST)


def parameters(game: AnyGame) -> dict[str, Any]:
    """The parameters of a game with their defaults: the number of players, and its options."""
    return {
        PLAYERS: game.info.seats[0],
        **{each.name: _default(game, each) for each in game.info.options},
    }


def _default(game: AnyGame, option: Option) -> Any:
    """Numbers and flags as such, and everything else as text."""
    default = getattr(game.options_type(), option.name)
    return default if isinstance(default, (bool, int)) else default_text(game, option)


def game_type(name: str, its: OpenSpielSetup) -> Any:
    """What OpenSpiel is told about a game."""
    game = its.game
    kinds, known = pyspiel.GameType, pyspiel.GameType.Information
    return kinds(
        short_name=PREFIX + name,
        long_name=f"{game.info.title} (Wonderland)",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=known.PERFECT_INFORMATION if its.is_open else known.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.info.seats[-1],
        min_num_players=game.info.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=its.bounds is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


def _info(its: OpenSpielSetup) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=len(its.names),
        max_chance_outcomes=its.bounds.luck if its.bounds else _LONGEST,
        num_players=its.seats,
        min_utility=-1.0,
        max_utility=its.seats - 1.0,
        utility_sum=0.0,
        max_game_length=its.bounds.decisions if its.bounds else _LONGEST,
    )


class _Creator:
    """Makes a game from its parameters.

    OpenSpiel lets go of it when Python is gone already. It holds itself, so that nothing happens then.
    """

    def __init__(self, name: str) -> None:
        self.name, self.itself = name, self

    def __call__(self, params: Mapping[str, Any]) -> WonderlandGame:
        return WonderlandGame(self.name, params)


def register() -> None:
    """Let OpenSpiel know of all games that offer something to learning agents."""
    for name in game_names():
        if learning(name) is not None:
            game = named_game(name)
            usual = setting(name, game.info.seats[0], game.options_type())
            pyspiel.register_game(game_type(name, usual), _Creator(name))


register()
