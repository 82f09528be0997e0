"""The games for PettingZoo (AEC API): one agent per seat, acting one after another.

    from wonderland.environments import parade_v0
    env = parade_v0.env(seats=3)

`env("parade", seats=3)` in this package does the same for any game; see `docs/pettingzoo.md`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter, index
from typing import Any, TypeAlias

from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from wonderland.components.learning import rewards
from wonderland.components.words import words_of
from wonderland.engine.errors import UsageError
from wonderland.environments.pettingzoo.image import picture
from wonderland.environments.pettingzoo.lazy_observation import LazyObservation
from wonderland.environments.pettingzoo.play import OVER, Finished, PettingZooSetup, new_play

try:
    import numpy as np
    from gymnasium import logger, spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"PettingZoo needs {missing.name}, which isn't installed. "
        "Install it with: pip install 'wonderland[pettingzoo]'"
    ) from missing

RENDER_MODES = ("ansi", "human", "rgb_array")
Observation: TypeAlias = dict[str, Any]
_SAVED_ATTRIBUTES = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
)


class Decisions(spaces.Discrete):
    """Action space with a fast `contains`, which PettingZoo calls at every step."""

    def contains(self, x: Any) -> bool:
        """Whether a number is a valid action."""
        return bool(0 <= x < self.n) if type(x) is int else super().contains(x)


class WonderlandEnv(AECEnv):  # type: ignore[misc] # it has no types
    """A game with its seats and options; `player_0` is seat 0, and the starting player is random.

    Copies and pickles continue the same game.
    """

    def __init__(
        self,
        game: str,
        seats: int = 2,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            known = ", ".join(RENDER_MODES)
            raise UsageError(f"unknown render mode {render_mode!r}. Choose from {known}.")
        self._arguments = game, seats, dict(options or {}), render_mode
        self._setting = setting = PettingZooSetup(game, seats, options or {})
        self.render_mode = render_mode
        self.metadata = {
            "name": f"wonderland_{setting.game.info.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.features = setting.features
        self.action_names = setting.numbers.action_names(seats, setting.options)
        self._observation_spaces = {agent: _observation_space(setting) for agent in self.possible_agents}
        self._action_spaces = {agent: Decisions(setting.actions) for agent in self.possible_agents}
        self._play, self._rng = new_play(setting), random.Random()
        self._decide, self._legal_mask = self._play.decide, self._play.mask.data
        self._copy_observation, self._copy_mask = self._play.observation.copy, self._play.mask.copy
        self._finished: Finished | None = None
        self._agent_to_act: str | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Observation space of an agent; always the same object, as PettingZoo requires."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Action space of an agent; always the same object."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: object = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Start a game; without a seed, the next one in the sequence of the last seed."""
        if seed is None:
            seed = self._rng.getrandbits(64)
        else:
            seed = index(seed)
            self._rng.seed(seed)
        self.agents = agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._finished = None
        self.agent_selection = self._agent_to_act = agents[self._play.begin(seed)]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Apply the action of the selected agent; `None` for a terminated one."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            is_legal = action >= 0 and self._legal_mask[action]  # type: ignore[operator,index] # caught below
        except (IndexError, TypeError):
            is_legal = False
        if not is_legal:
            self._raise_illegal(agent, action)
        seat = self._decide(action)  # type: ignore[arg-type] # None was rejected
        if seat == OVER:
            self._end()
        else:
            self.agent_selection = self._agent_to_act = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def _raise_illegal(self, agent: str, action: int | None) -> None:
        """Raise the rules' own error for an illegal action; the game doesn't change."""
        setting, state, seat = self._setting, self._state(), self._seats[agent]
        if action is not None:
            meant = setting.numbers.action(setting.game.view(state, seat), index(action))
            setting.game.apply(state, seat, meant)
        raise UsageError(f"{action} isn't a legal action for {agent}, whose turn it is.")

    def _end(self) -> None:
        """Assign the final rewards and terminate all agents, each of which takes one last step."""
        self._finished = self._play.finished()
        final = rewards(self._finished.winners, len(self.agents))
        self.rewards = dict(zip(self.agents, final, strict=True))
        self._cumulative_rewards = self.rewards.copy()  # there are no earlier rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection, self._agent_to_act = self.agents[0], None

    def observe(self, agent: str) -> Observation:
        """Observation and action mask in new arrays; the mask is zero unless the agent is to act."""
        if agent == self._agent_to_act:
            return {"observation": self._copy_observation(), "action_mask": self._copy_mask()}
        seat, finished = self._seats[agent], self._finished
        setting, nothing = self._setting, np.zeros(self._setting.actions, np.int8)
        if finished is None:
            seen = setting.observed(self._play.state(), seat)
            return {"observation": seen, "action_mask": nothing}
        return LazyObservation(lambda: setting.observed(finished.state, seat), action_mask=nothing)

    def _state(self) -> Any:
        return self._play.state() if self._finished is None else self._finished.state

    def render(self) -> Any:
        """Render the table as the selected agent sees it: as text, as an image, or printed."""
        if self.render_mode is None:
            logger.warn("There is nothing to render without a render_mode: give one to env().")
            return None
        names, game = self.possible_agents, self._setting.name
        view = self._setting.game.view(self._state(), self._seats[self.agent_selection])
        if self.render_mode == "rgb_array":
            return picture(game, view, names, is_over=self._finished is not None)
        text = "\n".join(words_of(game).describe(view, names))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")  # noqa: T201 - the purpose of this mode
        return None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def __getstate__(self) -> tuple[Any, ...]:
        """Pickle the constructor's arguments, the seed and the decisions, to be replayed on loading."""
        play = self._play
        saved = {name: getattr(self, name) for name in _SAVED_ATTRIBUTES if hasattr(self, name)}
        began = (play.seed, list(play.decided)) if saved else None
        return self._arguments, self._rng.getstate(), began, saved

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        arguments, rng, began, saved = state
        self.__init__(*arguments)  # type: ignore[misc] # alternative constructor
        self._rng.setstate(rng)
        if began is not None:
            seed, decided = began
            seat = self._play.begin(seed)
            for number in decided:
                seat = self._play.decide(number)
            self._finished = self._play.finished() if seat == OVER else None
            self._agent_to_act = None if seat == OVER else self.possible_agents[seat]
        self.__dict__.update(saved)


def _observation_space(setting: PettingZooSetup) -> spaces.Dict:
    sizes = [feature.size for feature in setting.features]
    lows, highs = ([getattr(it, side) for it in setting.features] for side in ("low", "high"))
    low, high = (np.repeat(np.array(its, np.int8), sizes) for its in (lows, highs))
    allowed = spaces.Box(0, 1, (setting.actions,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int8), "action_mask": allowed})


def raw_env(game: str, **given: Any) -> WonderlandEnv:
    """The bare environment: fastest; illegal actions raise the rules' own errors."""
    return WonderlandEnv(game, **given)


def env(game: str, **given: Any) -> Any:
    """The environment in PettingZoo's standard wrappers: an illegal action loses the game."""
    return Wrapped(WonderlandEnv(game, **given))


def parallel_env(game: str, **given: Any) -> Any:
    """The parallel API, which steps all agents at once; only the agent to act has an effect."""
    return turn_based_aec_to_parallel(env(game, **given))


def of_game(name: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return `env`, `raw_env` and `parallel_env` for one game."""
    return partial(env, name), partial(raw_env, name), partial(parallel_env, name)


class _TerminateIllegal(TerminateIllegalWrapper):  # type: ignore[misc] # it has no types
    """Ends the game on an illegal action, with a loss for the agent."""

    def __init__(self, env: Any) -> None:
        super().__init__(env, illegal_reward=-1)


class Wrapped(OrderEnforcingWrapper, AssertOutOfBoundsWrapper, _TerminateIllegal):  # type: ignore[misc]
    """The environment in its three wrappers, with shortcuts to the inner attributes for speed.

    `_raw` doesn't exist before the first `reset`, so that PettingZoo's own errors are raised.
    """

    agents = property(attrgetter("_raw.agents"))
    agent_selection = property(attrgetter("_raw.agent_selection"))
    infos = property(attrgetter("_raw.infos"))
    rewards = property(attrgetter("_raw.rewards"))
    terminations = property(attrgetter("_raw.terminations"))
    truncations = property(attrgetter("_raw.truncations"))
    _cumulative_rewards = property(attrgetter("_raw._cumulative_rewards"))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        self._raw = self.env.unwrapped
        super().reset(seed=seed, options=options)

    def __str__(self) -> str:
        return str(self.env)
