"""Random plays of tutorials, with the guidance shown at each step."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from campaigns.indistinguishable_plays import NAMES, Setting, settings
from wonderland.components.tutorial import Guidance, tutorial_of
from wonderland.engine.chance import Seeded
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.record import read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game


class GuideContext(NamedTuple):
    """What a guide may use besides the view."""

    names: Sequence[str]
    say: Language = ENGLISH


class Step(NamedTuple):
    """One step of a play: what a seat sees, its guidance, and whether it has to act."""

    view: Any
    guidance: Guidance
    acts: bool
    legal: Sequence[Any]
    chosen: Any
    """The seat's action, if it acts here."""

    @property
    def text(self) -> str:
        """All guidance in one line."""
        return " ".join(self.guidance.says)


def guidance_for(match: AnyMatch, seat: int | None) -> Guidance:
    """Return the guidance for a seat."""
    tutorial = tutorial_of(match.game.info.name)
    assert tutorial is not None
    return tutorial.guide(match.view(seat), match.events_seen_by(seat), GuideContext(match.names))


def play_steps(match: AnyMatch, seat: int, rng: random.Random) -> Iterator[Step]:
    """Play a match to its end at random; yield each step as one seat sees it."""
    while who := seats_to_act(match.turn):
        view, guidance = match.view(seat), guidance_for(match, seat)
        actor = rng.choice(who)
        action = rng.choice(match.legal(actor))
        chosen = action if actor == seat else None
        yield Step(view, guidance, seat in who, match.legal(seat), chosen)
        match.play(actor, action)
    yield Step(match.view(seat), guidance_for(match, seat), acts=False, legal=(), chosen=None)


def play_tutorial(name: str, seed: int) -> list[Step]:
    """Play a tutorial at random in all seats."""
    tutorial, rules = tutorial_of(name), game(name)
    assert tutorial is not None
    plan = tutorial.TUTORIAL
    match: AnyMatch = Match(
        rules,
        NAMES[: plan.seats],
        read_options(rules, plan.options),
        chance=Seeded(seed),
        given=read_given_chance(rules, plan.given_outcomes()),
    )
    return list(play_steps(match, 0, random.Random(seed)))


def play_without_tutorial(setting: Setting, seed: int) -> Iterator[Step]:
    """Play at random with any options: the guide must not depend on the tutorial's set-up."""
    rules, rng = game(setting.game), random.Random(seed)
    options = read_options(rules, setting.options)
    match: AnyMatch = Match(rules, NAMES[: setting.seats], options, chance=Seeded(seed))
    return play_steps(match, rng.randrange(setting.seats), rng)


def sample_settings(name: str, number: int) -> list[Setting]:
    """Pick some combinations of seats and options."""
    return random.Random(name).choices(settings(name), k=number)
