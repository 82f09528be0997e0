"""The guidance in Letters agrees with the rules, whatever the learner turns up."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from support.tutorial_plays import GuideContext, Step, guidance_for, play_tutorial
from wonderland.engine.chance import Seeded
from wonderland.engine.match import Match
from wonderland.engine.record import read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS, WORD, Colour, Letter, Menace
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Choosing, Empty, Ended, FaceUp, TurnCard
from wonderland.games.letters.ui.tutorial import TUTORIAL, guide

SEEDS = range(40)
RED = Colour.RED


@pytest.fixture(scope="module")
def plays() -> list[list[Step]]:
    return [play_tutorial("letters", seed) for seed in SEEDS]


def start_tutorial(options: Options | None = None) -> AnyMatch:
    return Match(
        GAME,
        ("Alice", "Bill"),
        options,
        chance=Seeded(1),
        given=read_given_chance(GAME, TUTORIAL.given_outcomes()),
    )


def space_of(card: str) -> int:
    return next(int(label[6:]) for label, word in TUTORIAL.given.items() if word == card)


def after(*cards: str) -> tuple[AnyMatch, str]:
    """Play the tutorial with these cards turned in order; return it with the guidance shown then."""
    match = start_tutorial()
    for number, card in enumerate(cards):
        match.play(number % 2, TurnCard(space_of(card) - 1))
    return match, " ".join(guidance_for(match, 0).says)


def test_every_card_is_placed_l1() -> None:
    words = [word for label, word in TUTORIAL.given.items() if label != "start"]
    assert sorted(words) == sorted(map(str, CARDS))


def test_a_learner_who_follows_the_guide_meets_everything_and_wins() -> None:
    match, told = start_tutorial(), []
    others = iter(["blueE", "yellowE", "yellowL", "greenA", "greenL", "greenC", "yellowA"])
    while not isinstance(match.state.stage, Ended):
        found = guidance_for(match, 0)
        told.append(" ".join(found.says))
        spot = found.points_at[0] if found.points_at else f"space-{space_of('redC')}"
        match.play(0, TurnCard(int(spot.removeprefix("space-")) - 1))
        if not isinstance(match.state.stage, Ended):
            match.play(1, TurnCard(space_of(next(others)) - 1))
    assert match.state.stage.result.winners == (0,)
    for words in (
        "need your A first",
        "followed by L",
        "a menace! Your face-up letters",
        "remember where?",
    ):
        assert any(words in text for text in told), words
    assert "you've won" in " ".join(guidance_for(match, 0).says)


def test_the_letter_asked_for_is_the_next_one_l6(plays: list[list[Step]]) -> None:
    for play in plays:
        for step in play:
            needed = re.search(r"You need your (\w) next", step.text)
            assert not needed or needed[1] == WORD[step.view.rails[0]]
            if step.acts:
                assert needed or "is face up, and it's the one you need" in step.text


def test_a_proposed_card_can_be_turned_l5(plays: list[list[Step]]) -> None:
    for play in plays:
        for step in play:
            for spot in step.guidance.points_at:
                assert TurnCard(int(spot.removeprefix("space-")) - 1) in step.legal


def test_a_turned_card_is_described_as_it_was(plays: list[list[Step]]) -> None:
    """L7, L8, L10, L11, judged by the table after it."""
    for play in plays:
        for before, later in pairwise(play):
            if not isinstance(before.chosen, TurnCard) or isinstance(later.view.stage, Ended):
                continue
            space, text = before.chosen.space, later.text
            lies = later.view.spaces[space]
            if isinstance(lies, FaceUp) and isinstance(lies.card, Menace):
                was_open = any(_is_red(other) for other in before.view.spaces)
                assert ("letters are face down again" in text) == was_open
                assert ("luckily you had none" in text) != was_open
            elif isinstance(lies, FaceUp):
                assert ("belongs to Bill" in text) == (lies.card.colour is Colour.BLUE)
                assert ("first. It stays face up" in text) == (lies.card.colour is RED)
            else:
                assert lies is Empty.EMPTY
                assert ("Nobody is playing" in text) == (
                    len(later.view.removed) > len(before.view.removed)
                )
            gone = later.view.rails[0] - before.view.rails[0]
            assert ("went straight to your rail" in text) == (gone > 0)
            assert ("followed" in text) == (gone > 1)


def _is_red(lies: object) -> bool:
    return isinstance(lies, FaceUp) and isinstance(lies.card, Letter) and lies.card.colour is RED


def test_a_letter_turned_up_by_another_is_played_automatically_l9() -> None:
    _, text = after("greenA", "redA")
    assert "Your A is face up, and it's the one you need!" in text
    match, text = after("greenA", "redA", "greenL", "greenC")
    assert match.state.rails[0] == 1
    assert "Your A was next" in text


def test_a_seen_letter_is_asked_about_and_then_revealed() -> None:
    turns = ["redA", "greenA", "redL", "greenL", "redC", "greenC", "Hatter", "greenE", "redI", "yellowA"]
    _, text = after(*turns)
    assert "Do you remember where?" in text
    assert str(space_of("redC")) not in text
    _, text = after(*turns, "yellowL", "yellowI")
    assert f"it was number {space_of('redC')}." in text


def test_menaces_are_not_mentioned_after_meeting_one() -> None:
    match, text = after("redA", "Walrus", "redL", "greenA")
    assert "the seven menaces" in text, "another player's menace alone is not explained"
    match, text = after("redA", "greenA", "Walrus", "greenL", "redL", "greenC", "redC", "greenE")
    assert "the seven menaces" not in text
    assert guidance_for(match, 0).points_at == (f"space-{space_of('redI')}",)


def test_without_a_suggestion_only_the_letter_is_named() -> None:
    options = Options(colours=(Colour.GREEN, Colour.BLUE))
    match = start_tutorial(options)
    for number, card in enumerate(["redL", "redA", "redC", "redI", "redE", "Hatter"]):
        match.play(number % 2, TurnCard(space_of(card) - 1))
    assert guidance_for(match, 0).says[-1] == "You need your A next."
    assert guidance_for(match, 0).points_at == ()


def test_a_marked_letter_has_been_seen() -> None:
    match = start_tutorial(Options(memory="open"))
    turned = ["redA", "greenA", "redI", "greenL", "Hatter", "greenC", "redL", "greenE"]
    for number, card in enumerate(turned):
        match.play(number % 2, TurnCard(space_of(card) - 1))
    assert "Do you remember where?" in guidance_for(match, 0).says[-1]


def test_the_end_is_explained_to_losers_too_l12(plays: list[list[Step]]) -> None:
    texts = {play[-1].text for play in plays}
    assert any("you've won" in text for text in texts)
    for play in plays:
        view = play[-1].view
        assert isinstance(view.stage, Ended)
        if view.stage.result.winners != (0,):
            assert play[-1].text.startswith("Bill is the first to get all five letters and wins.")
            assert play[-1].text.endswith(f"You had {view.rails[0]} of them.")


def test_the_first_message_gives_the_colour_and_the_goal_l2() -> None:
    match = start_tutorial()
    assert match.state.stage == Choosing(0)
    assert "of your colour, red." in guide(match.view(0), (), GuideContext(match.names)).says[0]
