"""The three wrappers that PettingZoo's classic games wear, worn as one.

Each wrapper of PettingZoo asks the next one for `agents`, `terminations` and so on, by way of an error
each time; with three of them that takes ten times as long as a move on a kernel. `Wrapped` is all three
of these classes, with their own checks one after the other, and finds what it is asked for where it is.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)


class _TerminateIllegal(TerminateIllegalWrapper):  # type: ignore[misc] # it has no types
    """Whoever does what is illegal ends the play, and loses."""

    def __init__(self, env: Any) -> None:
        super().__init__(env, illegal_reward=-1)


class Wrapped(OrderEnforcingWrapper, AssertOutOfBoundsWrapper, _TerminateIllegal):  # type: ignore[misc]
    """An environment in its three wrappers.

    Before the first `reset` there is no `_raw`, so that PettingZoo's own refusals are heard.
    """

    agents = property(attrgetter("_raw.agents"))
    agent_selection = property(attrgetter("_raw.agent_selection"))
    infos = property(attrgetter("_raw.infos"))
    rewards = property(attrgetter("_raw.rewards"))
    terminations = property(attrgetter("_raw.terminations"))
    truncations = property(attrgetter("_raw.truncations"))
    _cumulative_rewards = property(attrgetter("_raw._cumulative_rewards"))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play."""
        self._raw = self.env.unwrapped
        super().reset(seed=seed, options=options)

    def __str__(self) -> str:
        return str(self.env)
