"""Plays for tests of lessons: at random, with what the guide says at each step of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from campaigns.indistinguishable_plays import NAMES, Setting, settings
from wonderland.core.chance import Seeded
from wonderland.core.language import ENGLISH, Language
from wonderland.core.lesson import Guidance, read_luck, teacher_of
from wonderland.core.match import Match, acting
from wonderland.core.options import read_options
from wonderland.core.reading import AnyMatch
from wonderland.core.registry import game


class Words(NamedTuple):
    """What a guide may use besides the view."""

    names: Sequence[str]
    say: Language = ENGLISH


class Step(NamedTuple):
    """A moment of a play: what a seat sees, what it is told, and whether it is to act."""

    view: Any
    guidance: Guidance
    acts: bool
    legal: Sequence[Any]
    chosen: Any
    """What the seat does there, if it does something."""

    @property
    def text(self) -> str:
        """All that is said, in one line."""
        return " ".join(self.guidance.says)


def guided(match: AnyMatch, seat: int | None) -> Guidance:
    """What the guide of a game says to a seat."""
    teacher = teacher_of(match.game.info.name)
    assert teacher is not None
    return teacher.guide(match.view(seat), match.witnessed(seat), Words(match.names))


def steps(match: AnyMatch, seat: int, rng: random.Random) -> Iterator[Step]:
    """A match played to its end at random, as a seat lives through it."""
    while who := acting(match.turn):
        view, guidance = match.view(seat), guided(match, seat)
        actor = rng.choice(who)
        action = rng.choice(match.legal(actor))
        chosen = action if actor == seat else None
        yield Step(view, guidance, seat in who, match.legal(seat), chosen)
        match.play(actor, action)
    yield Step(match.view(seat), guided(match, seat), acts=False, legal=(), chosen=None)


def lesson(name: str, seed: int) -> list[Step]:
    """A lesson, played at random by both."""
    teacher, rules = teacher_of(name), game(name)
    assert teacher is not None
    plan = teacher.LESSON
    match: AnyMatch = Match(
        rules,
        NAMES[: plan.seats],
        read_options(rules, plan.options),
        luck=Seeded(seed),
        given=read_luck(rules, plan.luck()),
    )
    return list(steps(match, 0, random.Random(seed)))


def any_play(setting: Setting, seed: int) -> Iterator[Step]:
    """A play that is no lesson: the guide has to know what to say there too."""
    rules, rng = game(setting.game), random.Random(seed)
    options = read_options(rules, setting.options)
    match: AnyMatch = Match(rules, NAMES[: setting.seats], options, luck=Seeded(seed))
    return steps(match, rng.randrange(setting.seats), rng)


def some_settings(name: str, number: int) -> list[Setting]:
    """Some of all seat counts and options."""
    return random.Random(name).choices(settings(name), k=number)
