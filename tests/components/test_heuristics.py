"""Heuristics: what each allows, and that a game needs none."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wonderland.bots.evaluation import recalled_view
from wonderland.components.heuristics import Heuristic, equivalence_of, heuristics_of
from wonderland.engine import game, game_names
from wonderland.engine.chance import Seeded
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import Over
from wonderland.engine.record_reader import AnyMatch

LETTERS = (
    "letters stage=choose turn=1 space=- ending=- duchess=false claim=after memory=closed "
    "colours=red,blue rails=A/- spaces={spaces} removed=-"
)


def allowed(name: str, line: str, seat: int = 0) -> dict[str, list[str]]:
    """Return what each heuristic allows in a position."""
    rules = game(name)
    state = rules.read_position(line)
    view, legal = recalled_view(rules, state, seat), rules.legal(state, seat)
    return {
        rule.key: sorted(rules.write(each) for each in rule.choices(view, legal))
        for rule in heuristics_of(name)
    }


def parade(rest: str) -> str:
    return f"parade stage=play turn=1 {rest} zones=-/- ending=- left=- kept=-"


def test_parade_takes_the_fewest_points_or_plays_the_highest_card() -> None:
    line = parade("hands=R10.B10.G0.Y1.P2/?.?.?.?.? parade=R1.B9.G4.O3.P7.Y8")
    assert allowed("parade", line) == {
        "fewest-points": ["B10", "R10"],
        "highest-card": ["B10", "R10"],
    }
    line = parade("hands=R1.B0.G9.Y1.P2/?.?.?.?.? parade=G10.G5.G4.G3.G2.G1.G0.R2.B3.P4.Y5.Y6")
    assert allowed("parade", line) == {"fewest-points": ["B0", "G9"], "highest-card": ["G9"]}


def test_only_points_matter_when_choosing_what_to_keep() -> None:
    line = (
        "parade stage=keep turn=- hands=B9.P3.Y0.O4/?.?.?.? parade=P4.O10.P7.G8.O8.G3.B1.R1.P8 "
        "zones=R0.B8.B10.P10.G1.G2.G6.G7.Y1.Y5.Y7.O0.O1.O3.O7.O9/"
        "R2.R4.R5.R7.R8.R10.P1.P6.G5.G10.Y2.Y4.Y8.Y10 ending=sixth-colour left=- kept=-/-"
    )
    found = allowed("parade", line)
    assert found["fewest-points"] == ["B9&Y0", "Y0&O4"]
    assert len(found["highest-card"]) == 6


@pytest.mark.parametrize(
    ("spaces", "first", "needed"),
    [
        ("redE?.redI?.redL?", ["3"], ["3"]),
        ("redE?.redI?.redC?", ["2"], "new"),
        ("blueE?.blueI?.blueC?", "new", "new"),
    ],
)
def test_letters_turns_its_own_letter_or_the_one_it_needs(
    spaces: str, first: list[str] | str, needed: list[str] | str
) -> None:
    new = [str(number) for number in range(4, 26)]
    found = allowed("letters", LETTERS.format(spaces=f"{spaces}.{'.'.join('?' * 22)}._.Hare"))
    assert found["own-first"] == (sorted(new) if first == "new" else first)
    assert found["needed-next"] == (sorted(new) if needed == "new" else needed)


def test_letters_turns_any_card_when_nothing_is_known() -> None:
    rules = game("letters")
    state = rules.read_position(LETTERS.format(spaces=f"blueE?.blueI?.{'.'.join('?' * 23)}._.Hare"))
    view, legal = recalled_view(rules, state, 0), rules.legal(state, 0)
    for rule in heuristics_of("letters"):
        assert list(rule.choices(view, legal[:2])) == list(legal[:2])
    assert len({equivalence_of("letters")(view, action) for action in legal}) == 3


@settings(max_examples=20)
@given(st.sampled_from(game_names()), st.integers(0, 10_000), st.data())
def test_a_heuristic_allows_legal_choices(name: str, seed: int, data: st.DataObject) -> None:
    rules, rng = game(name), random.Random(seed)
    match: AnyMatch = Match(rules, 2, chance=Seeded(str(seed)))
    for _ in range(data.draw(st.integers(0, 12))):
        seat = seats_to_act(match.turn)[0]
        match.play(seat, rng.choice(match.legal(seat)))
        if isinstance(match.turn, Over):
            return
    seat = seats_to_act(match.turn)[0]
    view, legal = recalled_view(rules, match.state, seat), match.legal(seat)
    for rule in heuristics_of(name):
        choices = rule.choices(view, legal)
        assert choices
        assert set(choices) <= set(legal)
        assert [rule.misses(view, legal, action) for action in choices] == [False] * len(choices)


def test_choices_are_distinct_by_default() -> None:
    assert equivalence_of("parade")(None, "G3") == "G3"
    assert Heuristic("never", "Do nothing.", lambda _view, _legal: ()).misses(None, ["G3"], "G3")
