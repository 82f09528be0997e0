"""Why one choice is better than another: what the components `ui.reasons` of the games share.

Such a component gives one or two sentences, each of them true of the view. They are found as *facts*,
each with a weight, and the weightiest are said. Where the rules show no difference, the game is played
on in worlds that the view could come from, and what came out is counted.
"""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, pvariance
from typing import Any, Protocol, cast

from wonderland.components.judge import ActionValue
from wonderland.components.words import words_of
from wonderland.engine.language import Language, phrase
from wonderland.engine.registry import component, game
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value
from wonderland.kernels.kernel import ROW, SCORES, kernel, packing

_SENTENCES = 2
"""Nobody reads more."""
_NOT_IDLE = 1.0
"""What weighs less is said only if there is nothing else."""
_CLEARLY = 2.0
"""So many standard errors apart, two averages are worth comparing."""
_WORLDS, _FROM_EACH = 60, 5
"""How many worlds are imagined, a tenth where kernels are not compiled; how often each is played on."""


class Reasons(Protocol):
    """The component `ui.reasons` of a game."""

    def reason(
        self, view: Any, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
    ) -> str:
        """Why `best` is better than `other` here, by what the view shows."""
        ...


def reasons_of(name: str) -> Reasons | None:
    """The reasons of the game of this name, if it gives any."""
    return cast("Reasons | None", component(name, "ui.reasons"))


class Fact(Value, frozen=True):
    """Something that speaks for a choice, and how much: a point of the score weighs about 1."""

    weight: float
    text: str


def decimal(number: float, say: Language) -> str:
    """A number with one digit behind the point, or whatever stands there in a language; or a whole one.

    >>> from wonderland.engine.language import ENGLISH
    >>> decimal(2.06, ENGLISH), decimal(1.98, ENGLISH), decimal(-0.3, ENGLISH)
    ('2.1', '2', '-0.3')
    """
    whole, tenth = divmod(round(abs(number) * 10), 10)
    sign = "-" if number < 0 and (whole or tenth) else ""
    text = say("{whole}.{tenth}", whole=whole, tenth=tenth) if tenth else str(whole)
    return f"{sign}{text}"


class Choices(Value, frozen=True):
    """The better and the worse of two choices, and what a sentence calls them."""

    best: ActionValue
    other: ActionValue
    called: tuple[str, str]

    def are_named(self, texts: Sequence[str]) -> bool:
        """Whether both are spoken of."""
        whole = [rf"{re.escape(name)}(?!\d)" for name in self.called]  # Red 1 is not Red 10
        return all(any(re.search(name, text) for text in texts) for name in whole)

    def chances(self, say: Language, *, yet: bool = False) -> str:
        """The two chances to win, which are always there to be compared."""
        fields = {"best": self.called[0], "other": self.called[1]}
        for of in (100, 1000):
            wins, fewer = round(self.best.chance * of), round(self.other.chance * of)
            if wins != fewer:
                return say(_YET_WINS if yet else _WINS, all=of, wins=wins, fewer=fewer, **fields)
        return say("{best} wins as often as {other}.", **fields)


_WINS = phrase("{best} wins {wins} of {all} games, {other} wins {fewer}.")
_YET_WINS = phrase("Yet {best} wins {wins} of {all} games, {other} wins {fewer}.")


class Outlook(Value, frozen=True):
    """What two choices led to on average, played on so often in the same imagined worlds."""

    plays: int
    best: float
    other: float
    """The points of the seat at the end."""
    error: float
    """The standard error of the difference."""

    @property
    def difference(self) -> float:
        """How many points `best` ends above `other`; 0 where luck explains it."""
        apart = self.best - self.other
        return apart if abs(apart) > _CLEARLY * self.error else 0.0

    def sentence(self, choices: Choices, say: Language, *, yet: bool = False) -> str:
        """The two averages in a sentence."""
        return say(
            _YET_ENDS if yet else _ENDS,
            number=self.plays,
            best=choices.called[0],
            other=choices.called[1],
            points=decimal(self.best, say),
            others=decimal(self.other, say),
        )


_ENDS = phrase(
    "In {number} imagined games {best} ends with {points} points on average, {other} with {others}."
)
_YET_ENDS = phrase(
    "Yet in {number} imagined games {best} ends with {points} points on average, {other} with {others}."
)


def side_by_side(one: str, other: str, say: Language) -> str:
    """What is said of two choices, in one sentence."""
    return say("{one}; {other}.", one=one, other=other)


def compose(choices: Choices, facts: Sequence[Fact], say: Language, found: Outlook | None = None) -> str:
    """One or two sentences: the weightiest facts, and what playing on has shown, if that is found.

    The first fact compares what both choices do at once. If it speaks against the better one, what comes
    later must outweigh it, and is said.
    """
    first = facts[0]
    yet = first.weight < 0
    told = sorted((fact for fact in facts if fact.weight > 0), key=lambda fact: -fact.weight)
    telling = [fact for fact in told if fact.weight >= _NOT_IDLE]
    texts = [first.text] if yet else [fact.text for fact in telling[:_SENTENCES] or told[:1]]
    if not choices.are_named(texts):
        del texts[1:]  # to name both takes a sentence
    if len(texts) < _SENTENCES and found is not None:
        texts.append(found.sentence(choices, say, yet=yet))
    elif yet or not telling or not choices.are_named(texts):
        texts.append(choices.chances(say, yet=yet))
    return say.sentences(map(say.capital, texts))


def compare_playouts(
    name: str, view: Any, choices: tuple[Any, Any], policies: Sequence[int]
) -> Outlook | None:
    """How two actions of a view's seat end, if the seats go on by these policies of the game's kernel.

    Each world is played on from both with the same random numbers, and those come from the view: so the
    same question has the same answer. `None` where a world could not be played on.
    """
    found = kernel(name)
    assert found is not None  # noqa: S101 - a game without one has nothing to ask
    rules, numbers, rng = game(name), packing(name), random.Random(encoder_for(name)(view))
    table, rows, ends = found.KernelState(), array("i", [0]) * (ROW * _FROM_EACH), []
    worlds = _WORLDS if found.COMPILED else _WORLDS // 10
    for world in range(worlds):
        words, seed = numbers.pack(rules.imagine(view, rng)), rng.getrandbits(63)
        for action in map(numbers.number, choices):
            table.load(words)
            if action not in table.legal(view.seat):
                return None
            table.apply(view.seat, action)
            table.simulate(rows, policies, seed, world * _FROM_EACH, _FROM_EACH)
            ends.append(fmean(rows[SCORES + view.seat :: ROW]))
    best, other = ends[::2], ends[1::2]
    apart = [one - another for one, another in zip(best, other, strict=True)]
    return Outlook(worlds * _FROM_EACH, fmean(best), fmean(other), sqrt(pvariance(apart) / len(apart)))


Reason = Callable[[Any, ActionValue, ActionValue, Sequence[str], Language], str]
"""Is given a view, the better and the worse choice, the names of the seats and a language."""


def explainer_of(name: str) -> Reason:
    """How the game of this name explains itself: by its `reasons`, or by comparing the two chances."""
    own = reasons_of(name)
    if own is not None:
        return own.reason
    words = words_of(name)

    def reason(
        view: Any,
        best: ActionValue,
        other: ActionValue,
        names: Sequence[str],  # noqa: ARG001 - nobody is named
        say: Language,
    ) -> str:
        called = (words.offer(view, best.action, say), words.offer(view, other.action, say))
        return say.capital(Choices(best, other, called).chances(say))

    return reason
