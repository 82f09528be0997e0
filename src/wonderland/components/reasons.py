"""Explains why one choice is better than another: shared code for the components `ui.reasons`.

An explanation is one to three sentences, each of them true of the view. A game collects weighted
*facts*, and the most important are used. Where the facts show no difference, playouts from sampled
determinizations of the view are compared.
"""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, pvariance
from typing import Any, Protocol, cast

from wonderland.components.formatting import MINUS
from wonderland.components.judge import ActionValue
from wonderland.components.words import words_of
from wonderland.engine.language import Language, phrase
from wonderland.engine.registry import component, game
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value
from wonderland.kernels.kernel import DECISIONS, ROW, SCORES, kernel, packing

_MAX_SENTENCES = 2
"""The longest explanation that people read, unless the first sentence speaks for the worse choice."""
_STRONG_WEIGHT = 1.0
"""Facts of less weight are used only if there is nothing else."""
_SIGNIFICANT_ERRORS = 2.0
"""Two averages differ significantly if they are this many standard errors apart."""
_MOVES = 1.0
"""The fewest moves sooner or later that are worth a sentence."""
_SAMPLED_STATES, _PLAYOUTS_EACH = 60, 5
"""How many states are sampled (a tenth of that if kernels are uncompiled), and playouts of each."""


class Reasons(Protocol):
    """The component `ui.reasons` of a game."""

    def reason(
        self, view: Any, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
    ) -> str:
        """Explain why `best` is better than `other`, from the view alone."""
        ...


def reasons_of(name: str) -> Reasons | None:
    """Return the component `ui.reasons` of a game, if it has one."""
    return cast("Reasons | None", component(name, "ui.reasons"))


class Fact(Value, frozen=True):
    """An argument for a choice, with its weight: a point of the score weighs about 1."""

    weight: float
    text: str


def decimal(number: float, say: Language) -> str:
    """Format a number with at most one decimal, with the decimal separator of the language.

    >>> from wonderland.engine.language import ENGLISH
    >>> decimal(2.06, ENGLISH), decimal(1.98, ENGLISH), decimal(-0.3, ENGLISH) == f"{MINUS}0.3"
    ('2.1', '2', True)
    """
    whole, tenth = divmod(round(abs(number) * 10), 10)
    sign = MINUS if number < 0 and (whole or tenth) else ""
    text = say("{whole}.{tenth}", whole=whole, tenth=tenth) if tenth else str(whole)
    return f"{sign}{text}"


class Choices(Value, frozen=True):
    """The better and the worse of two choices, and their names in a sentence."""

    best: ActionValue
    other: ActionValue
    called: tuple[str, str]

    def are_named(self, texts: Sequence[str]) -> bool:
        """Whether the texts mention both choices."""
        whole = [rf"{re.escape(name)}(?!\d)" for name in self.called]  # Red 1 is not Red 10
        return all(any(re.search(name, text) for text in texts) for name in whole)

    def chances(self, say: Language, *, yet: bool = False) -> str:
        """Compare the two win probabilities in a sentence, which is always possible."""
        fields = {"best": self.called[0], "other": self.called[1]}
        for of in (100, 1000):
            wins, fewer = round(self.best.chance * of), round(self.other.chance * of)
            if wins != fewer:
                return say(_YET_WINS if yet else _WINS, all=of, wins=wins, fewer=fewer, **fields)
        return say("{best} wins just as often as {other}.", **fields)


_WINS = phrase("{best} wins {wins} games in {all}; {other} wins {fewer}.")
_YET_WINS = phrase("Even so, {best} wins {wins} games in {all}; {other} wins {fewer}.")


class Statistic(Protocol):
    """What playouts show in favour of a choice."""

    def sentence(self, choices: Choices, say: Language, *, yet: bool = False) -> str:
        """Say it in a sentence; `yet` if something else speaks against the choice."""
        ...


class PlayoutComparison(Value, frozen=True):
    """Average final scores after two choices, over playouts from the same sampled states."""

    plays: int
    best: float
    other: float
    """The average final scores of the seat."""
    error: float
    """The standard error of the difference."""
    seat: int = 0
    rivals: tuple[PlayoutComparison, ...] = ()
    """The same for the other seats."""
    later: float = 0.0
    """How many moves later the game ends after `best`; 0 if it isn't statistically significant."""

    @property
    def difference(self) -> float:
        """The lead of `best` over `other` in points; 0 if it isn't statistically significant."""
        lead = self.best - self.other
        return lead if abs(lead) > _SIGNIFICANT_ERRORS * self.error else 0.0

    def in_favour(
        self, names: Sequence[str], *, more_wins: bool, has_race: bool = False
    ) -> Statistic | None:
        """What speaks for `best`: the own score, or else a rival's, or else when the game ends.

        `has_race` if players decide when that is.
        """
        sign = 1 if more_wins else -1
        if sign * self.difference > 0:
            return self
        hurt = [rival for rival in self.rivals if sign * rival.difference < 0]
        if hurt:
            rival = max(hurt, key=lambda rival: abs(rival.difference))
            return RivalComparison(rival, names[rival.seat])
        is_ahead = all(sign * (self.best - rival.best) > 0 for rival in self.rivals)
        if has_race and abs(self.later) >= _MOVES and is_ahead == (self.later < 0):
            return TempoComparison(self.plays, abs(self.later), is_ahead)
        return None

    def sentence(self, choices: Choices, say: Language, *, yet: bool = False) -> str:
        """Compare the two averages in a sentence."""
        return say(
            _YET_ENDS if yet else _ENDS,
            number=self.plays,
            best=choices.called[0],
            other=choices.called[1],
            points=decimal(self.best, say),
            others=decimal(self.other, say),
        )


class RivalComparison(Value, frozen=True):
    """A choice that costs another player points."""

    scores: PlayoutComparison
    name: str

    def sentence(self, choices: Choices, say: Language, *, yet: bool = False) -> str:
        """Compare the other player's averages after the two choices."""
        return say(
            _YET_HURTS if yet else _HURTS,
            number=self.scores.plays,
            name=self.name,
            best=choices.called[0],
            other=choices.called[1],
            points=decimal(self.scores.best, say),
            others=decimal(self.scores.other, say),
        )


class TempoComparison(Value, frozen=True):
    """A choice after which the game ends sooner for the leader, or later for someone behind."""

    plays: int
    moves: float
    is_sooner: bool

    def sentence(self, choices: Choices, say: Language, *, yet: bool = False) -> str:
        """Say how much sooner or later the game ends than after the other choice."""
        template = (
            (_YET_SOONER if yet else _SOONER) if self.is_sooner else (_YET_LATER if yet else _LATER)
        )
        best, other = choices.called
        return say(template, number=self.plays, best=best, other=other, moves=decimal(self.moves, say))


_ENDS = phrase(
    "Over {number} simulated games, {best} averages {points} points; {other} averages {others}."
)
_YET_ENDS = phrase(
    "But over {number} simulated games, {best} averages {points} points; {other} averages {others}."
)
_HURTS = phrase(
    "Over {number} simulated games, {name} averages {points} points after {best}, and {others} "
    "after {other}."
)
_YET_HURTS = phrase(
    "But over {number} simulated games, {name} averages {points} points after {best}, and {others} "
    "after {other}."
)
_SOONER = phrase(
    "Over {number} simulated games, {best} ends the game {moves} moves sooner than {other} on "
    "average, which helps the leader."
)
_YET_SOONER = phrase(
    "But over {number} simulated games, {best} ends the game {moves} moves sooner than {other} on "
    "average, which helps the leader."
)
_LATER = phrase(
    "Over {number} simulated games, {best} makes the game {moves} moves longer than {other} on "
    "average, which leaves time to catch up."
)
_YET_LATER = phrase(
    "But over {number} simulated games, {best} makes the game {moves} moves longer than {other} on "
    "average, which leaves time to catch up."
)


def side_by_side(one: str, other: str, say: Language) -> str:
    """Join statements about two choices into one sentence."""
    return say("{one}; {other}.", one=one, other=other)


def compose(
    choices: Choices, facts: Sequence[Fact], say: Language, found: Statistic | None = None
) -> str:
    """Compose a few sentences from the facts of greatest weight and the playouts, if available.

    The first fact compares the immediate effects of both choices. If it favours the worse one, the text
    names the advantage that outweighs it. Where no fact does, playouts or win probabilities decide.
    """
    first = facts[0]
    favourable = sorted((fact for fact in facts if fact.weight > 0), key=lambda fact: -fact.weight)
    strong = [fact for fact in favourable if fact.weight >= _STRONG_WEIGHT]
    if first.weight < 0:
        texts = [first.text]
        if strong and strong[0].weight >= -first.weight:
            texts.append(say("What matters more: {fact}", fact=strong[0].text))
            return say.sentences(map(say.capital, texts))
        if strong:
            texts.append(say("In return: {fact}", fact=strong[0].text))
        texts.append(_closing(choices, found, say, yet=True))
        return say.sentences(map(say.capital, texts))
    texts = [fact.text for fact in strong[:_MAX_SENTENCES] or favourable[:1]]
    if not choices.are_named(texts):
        del texts[1:]  # leave room for a sentence that names both
    has_room = len(texts) < _MAX_SENTENCES and found is not None
    if has_room or not strong or not choices.are_named(texts):
        texts.append(_closing(choices, found if has_room else None, say, yet=False))
    return say.sentences(map(say.capital, texts))


def _closing(choices: Choices, found: Statistic | None, say: Language, *, yet: bool) -> str:
    """Compare the results of both choices: in playouts, if available, or by win probability."""
    return choices.chances(say, yet=yet) if found is None else found.sentence(choices, say, yet=yet)


def compare_playouts(
    name: str, view: Any, choices: tuple[Any, Any], policies: Sequence[int]
) -> PlayoutComparison | None:
    """Compare two actions of a view's seat by playouts with these policies of the game's kernel.

    Both actions are tried in the same determinizations with the same random numbers, which are seeded by
    the view, so the result is deterministic. `None` if an action is illegal in a sampled state.
    """
    found = kernel(name)
    assert found is not None  # noqa: S101 - only games with a kernel call this
    rules, numbers, rng = game(name), packing(name), random.Random(encoder_for(name)(view))
    table, rows = found.KernelState(), array("i", [0]) * (ROW * _PLAYOUTS_EACH)
    columns = (DECISIONS, *range(SCORES, SCORES + len(policies)))
    averages: list[list[float]] = []
    samples = _SAMPLED_STATES if found.COMPILED else _SAMPLED_STATES // 10
    for sample in range(samples):
        words, seed = numbers.pack(rules.sample_state(view, rng)), rng.getrandbits(63)
        for action in map(numbers.number, choices):
            table.load(words)
            if action not in table.legal(view.seat):
                return None
            table.apply(view.seat, action)
            table.simulate(rows, policies, seed, sample * _PLAYOUTS_EACH, _PLAYOUTS_EACH)
            averages.append([fmean(rows[column::ROW]) for column in columns])
    plays = samples * _PLAYOUTS_EACH
    length, *scores = (
        _compare_averages(plays, column, seat - 1)
        for seat, column in enumerate(zip(*averages, strict=True))
    )
    rivals = tuple(each for each in scores if each.seat != view.seat)
    own = scores[view.seat]
    return PlayoutComparison(plays, own.best, own.other, own.error, own.seat, rivals, length.difference)


def _compare_averages(plays: int, averages: Sequence[float], seat: int) -> PlayoutComparison:
    """Compare the averages after two choices, which alternate."""
    best, other = averages[::2], averages[1::2]
    leads = [one - another for one, another in zip(best, other, strict=True)]
    error = sqrt(pvariance(leads) / len(leads))
    return PlayoutComparison(plays, fmean(best), fmean(other), error, seat)


Reason = Callable[[Any, ActionValue, ActionValue, Sequence[str], Language], str]
"""Called with a view, the better and the worse choice, the players' names and a language."""


def explainer_of(name: str) -> Reason:
    """Return a game's explainer: its own, or a comparison of the two win probabilities."""
    own = reasons_of(name)
    if own is not None:
        return own.reason
    words = words_of(name)

    def reason(
        view: Any,
        best: ActionValue,
        other: ActionValue,
        names: Sequence[str],  # noqa: ARG001 - part of the contract
        say: Language,
    ) -> str:
        called = (
            words.describe_action(view, best.action, say),
            words.describe_action(view, other.action, say),
        )
        return say.capital(Choices(best, other, called).chances(say))

    return reason
