"""A checker of reasons: each sentence must be a known one, and true.

A game's tests list the sentences as patterns, each with a function that checks it against the rules.
Groups that name a choice (`best`, `other`, `choice`) are passed as that action. A sentence that matches
no pattern is checked clause by clause, so a group must not span a semicolon.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from wonderland.bots.evaluation import recalled_view
from wonderland.components.formatting import MINUS
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import decimal, explainer_of
from wonderland.engine import CHANCE, Chance, Over
from wonderland.engine.language import ENGLISH
from wonderland.engine.protocol import AnyGame

NAMES = ("Alice", "Bill", "Dinah", "Duchess", "Gryphon", "Caterpillar")
_CHOICES = ("best", "other", "choice")


@dataclass(frozen=True)
class Moment:
    """A position, a seat, and two of its choices."""

    game: AnyGame
    state: Any
    seat: int
    best: ActionValue
    other: ActionValue

    @property
    def view(self) -> Any:
        return recalled_view(self.game, self.state, self.seat)

    @property
    def reason(self) -> str:
        names = NAMES[: len(self.state.rails if hasattr(self.state, "rails") else self.state.hands)]
        return explainer_of(self.game.info.name)(self.view, self.best, self.other, names, ENGLISH)

    @property
    def actions(self) -> tuple[Any, Any]:
        return self.best.action, self.other.action


def moment_at(game: AnyGame, written: str) -> Moment:
    """Read a moment: a position, and a line such as `1: R8 > B2` for two choices of the first seat."""
    position, choices = written.splitlines()
    seat, words = choices.split(": ")
    best, other = words.split(" > ")
    values = ActionValue(game.read(best), 0.5, 0.0), ActionValue(game.read(other), 0.25, 0.0)
    return Moment(game, game.read_position(position), int(seat) - 1, *values)


def examples(test: str) -> list[Any]:
    """Read `reasons.txt` beside a test: moments, each with the beginning of its reason."""
    blocks = Path(test).with_name("reasons.txt").read_text(encoding="utf-8").strip().split("\n\n")
    found = [block.splitlines() for block in blocks]
    return [pytest.param(f"{at}\n{choices}", text, id=choices) for at, choices, text in found]


def moments(game: AnyGame, options: st.SearchStrategy[Any]) -> st.SearchStrategy[Moment]:
    """Any two choices in any position reached by random play."""
    return st.builds(
        lambda seats, chosen, seed: moment(game, seats, chosen, random.Random(seed)),
        st.sampled_from(list(game.info.seats)),
        options,
        st.integers(0, 10**9),
    )


def moment(game: AnyGame, seats: int, options: Any, rng: random.Random) -> Moment:
    """Pick a moment of a random play."""
    passed, state = [], game.start(seats, options)
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            state = game.apply(state, CHANCE, turn.pick(rng.randrange(turn.total))).state
            continue
        seat = rng.choice(turn.seats)
        legal = game.legal(state, seat)
        if len(legal) > 1:
            passed.append((state, seat, legal))
        state = game.apply(state, seat, rng.choice(legal)).state
    state, seat, legal = rng.choice(passed)
    best, other = rng.sample(legal, 2)
    low, high = sorted((rng.random(), rng.random()))
    return Moment(game, state, seat, ActionValue(best, high, 0.0), ActionValue(other, low, 0.0))


Check = Callable[..., bool]


def check_reason(moment: Moment, called: Callable[[Any], str], truths: Mapping[str, Check]) -> None:
    """Check that both choices are named, and that each sentence is known and true."""
    text = moment.reason
    meant = {called(action): action for action in moment.actions}
    assert text.endswith(".")
    for name in meant:
        assert _read(rf".*{re.escape(name)}(\D.*)?", text), f"{text!r} does not name {name}"
    for said in _statements(text, truths):
        found = [(match, truth) for at, truth in truths.items() if (match := _read(at, said))]
        assert found, f"there is no check for: {said!r}"
        match, truth = found[0]
        groups = {
            key: _parse_choice(value, meant) if key in _CHOICES else _number(value)
            for key, value in match.groupdict().items()
        }
        assert truth(moment, **groups), f"this is not true: {said!r}"


def _statements(text: str, truths: Mapping[str, Check]) -> Iterator[str]:
    """Split a text into sentences, and those into clauses that are not known as a whole."""
    for sentence in re.split(r"(?<=\.) ", text):
        whole = re.sub(r"^(What matters more|In return): ", "", sentence).removesuffix(".")
        yield from [whole] if any(_read(at, whole) for at in truths) else whole.split("; ")


def _read(pattern: str, said: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, said, re.IGNORECASE)


def _parse_choice(name: str, meant: Mapping[str, Any]) -> Any:
    return next(action for called, action in meant.items() if called.lower() == name.lower())


def _number(text: str) -> Any:
    if text == "one":
        return 1
    text = text.replace(MINUS, "-")
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else text


def is_rounded(number: float, said: Any) -> bool:
    """Tell whether a number rounds to what was said, with one decimal."""
    return decimal(number, ENGLISH) == str(said)


BEST, OTHER, CHOICE = r"(?P<best>[^;]+)", r"(?P<other>[^;]+)", r"(?P<choice>[^;]+)"
CHANCES = rf"(even so, )?{BEST} wins (?P<wins>\d+) games in (?P<all>\d+); {OTHER} wins (?P<fewer>\d+)"
ALIKE = rf"{BEST} wins just as often as {OTHER}"
AVERAGES = (
    rf"(but )?over (?P<plays>\d+) simulated games, {BEST} averages (?P<points>[^\s;]+) points; "
    rf"{OTHER} averages (?P<others>[^\s;]+)"
)


RIVAL = (
    rf"(but )?over (?P<plays>\d+) simulated games, (?P<name>\w+) averages (?P<points>[^\s;]+) points "
    rf"after {BEST}, and (?P<others>[^\s;]+) after {OTHER}"
)
SOONER = (
    rf"(but )?over (?P<plays>\d+) simulated games, {BEST} ends the game (?P<moves>[^\s;]+) moves "
    rf"sooner than {OTHER} on average, which helps the leader"
)
LATER = (
    rf"(but )?over (?P<plays>\d+) simulated games, {BEST} makes the game (?P<moves>[^\s;]+) moves "
    rf"longer than {OTHER} on average, which leaves time to catch up"
)


def chances(moment: Moment, best: Any, other: Any, wins: int, all: int, fewer: int) -> bool:  # noqa: A002, PLR0913, PLR0917 - as the sentence has it
    """Tell whether the win probabilities are those of the two choices."""
    assert (best, other) == moment.actions
    return wins == round(moment.best.chance * all) and fewer == round(moment.other.chance * all)


def alike(moment: Moment, best: Any, other: Any) -> bool:
    """Tell whether the win probabilities are practically equal."""
    assert (best, other) == moment.actions
    return abs(moment.best.chance - moment.other.chance) < 0.001
