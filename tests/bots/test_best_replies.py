"""The law of verdicts: the judge's own best replies, searched deeper, uphold what it claims."""

from __future__ import annotations

import random

import pytest

from campaigns.verdicts import Case, describe, puzzle_cases, random_cases
from wonderland.bots.best_replies import Depth, Mean, Verdict, examine
from wonderland.bots.evaluation import default_budget, evaluate
from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.engine import game, game_names

SHORT = Depth(continuations=12, reply=500, leaf=3000)
LONGER = Depth(continuations=40, reply=500, leaf=3000)
SMALL = Budget(playouts=5000)

# What the judge of Letters claimed when its opponents played naively, with the card it called best. Each
# of these cards exposes a letter with which the next player wins.
LINE = (
    "letters stage=choose turn={turn} space=- ending=- duchess=false claim=after memory=closed "
    "colours=red,blue,yellow,green rails={rails} spaces={spaces} removed=-"
)
SPACES = (
    (
        "yellowE?.redI.greenI.blueI._._.redE.greenC.?._.?.?.blueE.redL.?.Walrus.?.yellowC?.Turtle.Hare.?."
        "blueC._.greenE?.blueL.Duchess.redC"
    ),
    (
        "_.?.blueE.Turtle.yellowE?.?.greenC.Walrus._._.redE?._._.yellowL.King.blueC.greenE.Hare.?.?.Hatter."
        "yellowC.?.greenI.yellowI.Carpenter._"
    ),
    (
        "blueE.redI?.?.?.?.?.?.?.yellowL.?._._.yellowI.?.?._.Turtle.yellowC.Hatter.yellowE?._.greenI.?.Hare."
        "greenE.?.blueC"
    ),
    (
        "_._.?.blueC?.yellowC.blueI?.?.greenE.yellowE?.greenC.redC._._.greenI.?.blueE.Hare.?._.Carpenter."
        "redE.Hatter.Turtle.?.blueL.Duchess.?"
    ),
)
REFUTED = (
    (LINE.format(turn=3, rails="-/-/AL/AL", spaces=SPACES[0]), "24", 0.143),
    (LINE.format(turn=3, rails="ALIC/A/-/A", spaces=SPACES[1]), "11", 0.085),
    (LINE.format(turn=2, rails="AL/A/A/-", spaces=SPACES[2]), "20", 0.107),
    (LINE.format(turn=2, rails="A/-/ALI/A", spaces=SPACES[3]), "9", 0.091),
)


def is_compiled(name: str) -> bool:
    return (default_budget(name, 2).playouts or 0) >= SMALL.playouts


def refuted_case(line: str, word: str, chance: float) -> Case:
    rules = game("letters")
    state = rules.read_position(line)
    seat = rules.turn(state).seats[0]
    values = [
        ActionValue(action, chance if rules.write(action) == word else 0.0, 0.002)
        for action in rules.legal(state, seat)
    ]
    claim = Evaluation(seat, tuple(values))
    worse = next(value.action for value in values if value.chance == 0.0)
    return Case(line, rules, 4, Verdict(state, seat, claim, worse))


@pytest.mark.parametrize(("line", "word", "chance"), REFUTED, ids=["24", "11", "20", "9"])
def test_claims_against_naive_opponents_are_refuted(line: str, word: str, chance: float) -> None:
    if not is_compiled("letters"):
        pytest.skip("the kernels are not compiled")
    case = refuted_case(line, word, chance)
    finding = examine(case.rules, case.verdict, LONGER)
    assert finding.best.value < 0.02
    assert not finding.is_upheld
    now = evaluate(case.rules, case.verdict.state, case.verdict.seat, SMALL)
    assert now.of(case.rules.read(word)).chance < 0.02, "the judge foresees the reply"


@pytest.mark.parametrize("name", game_names())
def test_best_replies_uphold_some_of_the_puzzles(name: str) -> None:
    if not is_compiled(name):
        pytest.skip("the kernels are not compiled")
    for case in random.Random(name).sample(list(puzzle_cases(name)), 2):
        finding = examine(case.rules, case.verdict, SHORT, case.label)
        assert finding.is_upheld, describe(case, finding)


@pytest.mark.parametrize("seats", [3, 4])
def test_best_replies_uphold_a_random_verdict(seats: int) -> None:
    if not is_compiled("letters"):
        pytest.skip("the kernels are not compiled")
    for case in random_cases("letters", seats, 1, 1, SMALL):
        finding = examine(case.rules, case.verdict, SHORT, case.label)
        assert finding.is_upheld, describe(case, finding)


def test_a_verdict_needs_both_its_value_and_its_lead() -> None:
    line, word, chance = REFUTED[0]
    case = refuted_case(line, word, chance)
    finding = examine(case.rules, case.verdict, Depth(continuations=2, reply=4, leaf=4))
    best, worse = Mean(0.15, 0.01), Mean(0.0, 0.01)

    def changed(**means: Mean) -> bool:
        fields = {"best": best, "worse": worse, "lead": Mean(0.15, 0.01)} | means
        return type(finding)(case.verdict, **fields).is_upheld

    assert changed()
    assert not changed(best=Mean(0.5, 0.01)), "it is worth more than claimed"
    assert not changed(lead=Mean(0.02, 0.01)), "the other choice is nearly as good"
    assert changed(lead=Mean(0.3, 0.01))
