"""The coach's reviews: figures that add up and match the play."""

from __future__ import annotations

import gettext
import os
import random
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.paths import SOURCE, TESTS
from wonderland.bots import decide, levels
from wonderland.bots.levels import DODO
from wonderland.components.bots import Budget
from wonderland.engine import Match, Seeded, game, read_record
from wonderland.engine.errors import FileProblem
from wonderland.engine.language import Language
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, Over
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.coach.model import (
    HALVED_BY,
    GraphPoint,
    Report,
    ReviewedChoice,
    ReviewedDecision,
    as_json,
    costliest,
    graph_of,
    mean_accuracy,
    read_report,
    turning_points,
)
from wonderland.features.coach.review import Coach, reason_of, review

LITTLE = Budget(playouts=60)
RECORDS = [
    "parade/2-players-sixth-colour",
    "parade/shared-win",
    "letters/turned-two-players",
    "letters/claimed-after-three-players",
    "cookies/four-players-most-points",
]
NOTED = {"parade/noted-by-the-hatter": "Hatter", "cookies/noted-by-alice": "Alice"}


def read_test_game(name: str) -> AnyRecord:
    return read_record((TESTS / "records" / f"{name}.record").read_text()).whole


def check(record: AnyRecord, report: Report) -> None:
    """Check what must hold for any report."""
    assert read_report(as_json(report)) == report
    decisions = [move for move in record.moves if move.actor is not CHANCE]
    for each in report.decisions:
        move = record.moves[each.move]
        assert move == decisions[each.number - 1]
        assert move.actor == each.seat
        assert record.game.read(each.options[each.chosen].action) == move.action
        state = Match.resume(record, upto=each.move).state
        assert [option.action for option in each.options] == [
            record.game.write(action) for action in record.game.legal(state, each.seat)
        ]
        assert each.options[each.best].chance == max(option.chance for option in each.options)
        assert each.cost == pytest.approx(each.options[each.best].chance - each.chance, abs=2e-6)
    assert all(one.number < other.number for one, other in pairwise(report.decisions))
    for number, seat in enumerate(report.seats):
        its = [each for each in report.decisions if each.seat == number]
        assert seat.judged == len(its)
        assert seat.accuracy is None or 0 <= seat.accuracy <= 100
        assert (seat.accuracy == 100) == (bool(its) and not any(each.lost for each in its))
        assert len(seat.costliest) <= 3
        costs = [report.decision(each.number) for each in seat.costliest]
        assert all(each is not None and each.is_clear and each.seat == number for each in costs)
        assert all(each.reason for each in seat.costliest)
    for one in report.turning_points:
        assert abs(one.change) >= 0.1
        for other in report.turning_points:
            assert one is other or one.number <= other.since or other.number <= one.since


@pytest.mark.parametrize("name", RECORDS)
def test_a_finished_game_is_reviewed_from_the_first_decision_to_the_result(name: str) -> None:
    record = read_test_game(name)
    told: list[tuple[int, int]] = []
    report = review(record, budget=LITTLE, progress=lambda done, total: told.append((done, total)))
    check(record, report)
    assert report.is_whole
    assert not report.unknown
    assert report.playouts == 60
    assert told == [(done, len(report.decisions)) for done in range(len(report.decisions) + 1)]
    result = record.result
    assert result is not None
    for number, seat in enumerate(report.seats):
        share = 1 / len(result.winners) if number in result.winners else 0
        assert seat.graph[-1].chance == share
        assert len(seat.graph) == seat.judged + 1
    assert review(record, budget=LITTLE) == report


@pytest.mark.parametrize("name", NOTED)
def test_a_game_recorded_from_one_seat_is_reviewed_for_that_seat(name: str) -> None:
    record = read_test_game(name)
    report = review(record, budget=LITTLE)
    check(record, report)
    noter = record.names.index(NOTED[name])
    assert report.unknown
    assert report.seats[noter].judged
    assert [each.judged for each in report.seats].count(0) == len(record.names) - 1


def test_a_seats_verdicts_do_not_depend_on_which_others_are_reviewed() -> None:
    record = read_test_game("parade/2-players-sixth-colour")
    both, one = review(record, budget=LITTLE), review(record, seats={1}, budget=LITTLE)
    check(record, one)
    assert one.seats[1] == both.seats[1]
    assert one.seats[0].accuracy is None
    assert one.seats[0].graph == ()
    assert {each.seat for each in one.decisions} == {1}


def test_an_unfinished_game_has_no_end_in_its_graph() -> None:
    whole = read_test_game("cookies/two-players-most-points")
    record = Match.resume(whole, upto=40).record
    report = review(record, budget=LITTLE)
    check(record, report)
    assert report.decisions
    assert all(len(seat.graph) == seat.judged for seat in report.seats)


def test_an_interrupted_review_is_a_valid_report() -> None:
    coach = Coach(read_test_game("parade/2-players-sixth-colour"), budget=LITTLE)
    report = coach.report([coach.answer(question) for question in coach.questions[:5]])
    check(coach.record, report)
    assert not report.is_whole
    assert len(report.decisions) == 5
    assert all(len(seat.graph) == seat.judged for seat in report.seats)
    check(coach.record, coach.report([]))

    class Enough(Exception):  # noqa: N818 - what a page raises when nobody is waiting any more
        pass

    def enough(done: int, total: int) -> None:
        if done == 2:
            raise Enough

    with pytest.raises(Enough):
        review(coach.record, budget=LITTLE, progress=enough)


class Bracketed(gettext.NullTranslations):
    """A language with each text in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"


def test_reasons_are_given_in_the_requested_language() -> None:
    record = read_test_game("letters/turned-two-players")
    report = review(record, seats={0})
    costly = report.seats[0].costliest[0]
    decision = report.decision(costly.number)
    assert decision is not None
    assert reason_of(record, decision) == costly.reason
    assert "⟦" in reason_of(record, decision, Language("xx", Bracketed()))


def test_perfect_play_loses_nothing_and_the_dodos_play_does() -> None:
    """Two-player Letters is analysed exactly."""
    for seed in range(3):
        match: AnyMatch = Match(game("letters"), 2, chance=Seeded(seed))
        rng, bots = random.Random(seed), [each.make() for each in (levels("letters")[-1], DODO)]
        while not isinstance(turn := match.turn, Over):
            (seat,) = seats_to_act(turn)
            match.play(seat, decide(bots[seat], match, seat, rng, Budget()))
        queen, dodo = review(match.record).seats
        assert queen.accuracy == 100
        assert dodo.accuracy is not None
        assert dodo.accuracy < 100


# Figures


COSTS = st.floats(0, 1)


def decision(
    number: int, seat: int, cost: float, *, clear: bool = True, chance: float = 0.0
) -> ReviewedDecision:
    options = (ReviewedChoice("best", chance + cost, 0.0), ReviewedChoice("chosen", chance, 0.0))
    return ReviewedDecision(2 * number, number, seat, options, 1, 0, cost, clear)


@given(COSTS, COSTS)
def test_accuracy_falls_with_the_win_probability_lost(one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert 100 >= decision(1, 0, small).accuracy >= decision(1, 0, large).accuracy > 0
    assert decision(1, 0, small + HALVED_BY).accuracy == pytest.approx(
        decision(1, 0, small).accuracy / 2
    )
    assert decision(1, 0, large, clear=False).accuracy == 100


@given(st.lists(st.tuples(COSTS, st.booleans()), min_size=1))
def test_the_mean_is_100_only_if_nothing_was_lost(
    found: list[tuple[float, bool]],
) -> None:
    made = [decision(number, 0, cost, clear=clear) for number, (cost, clear) in enumerate(found)]
    mean = mean_accuracy(made)
    assert mean is not None
    assert 0 <= mean <= 100
    if not any(each.lost for each in made):
        assert mean == 100
    elif max(each.lost for each in made) > 0.01 * len(made):
        assert mean < 100
    worst = costliest(made)
    assert len(worst) <= 3
    assert all(each.lost for each in worst)
    assert sum(each.lost for each in worst) == pytest.approx(
        sum(sorted((each.lost for each in made), reverse=True)[:3])
    )


def test_without_decisions_there_is_no_accuracy() -> None:
    assert mean_accuracy([]) is None
    assert graph_of([], GraphPoint(3, 1.0)) == ()
    assert turning_points([], [(), ()]) == ()


def test_a_turning_point_names_the_player_who_erred() -> None:
    made = [
        decision(1, 0, 0.0, chance=0.5),
        decision(2, 1, 0.3, chance=0.2),
        decision(3, 0, 0.0, chance=0.8),
        decision(4, 1, 0.0, chance=0.2),
        decision(5, 0, 0.5, chance=0.3),
    ]
    graphs = [graph_of([each for each in made if each.seat == seat], None) for seat in (0, 1)]
    turns = turning_points(made, graphs)
    assert [(turn.seat, turn.since, turn.number, turn.by) for turn in turns] == [
        (0, 1, 3, 2),
        (0, 3, 5, 5),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "isn't a report by the coach"),
        (b"\xff", "isn't a report by the coach"),
        (b"[1, 2]", "isn't a report by the coach"),
        (b'{"type": "Report", "format": 2}', "isn't a report by the coach: .*missing required field"),
    ],
)
def test_an_invalid_report_is_rejected(text: bytes, said: str) -> None:
    with pytest.raises(FileProblem, match=said):
        read_report(text)


def test_a_report_of_an_older_format_is_rejected() -> None:
    report = review(Match.resume(read_test_game("letters/turned-two-players"), upto=6).record)
    later = as_json(report).replace(b'"format":2', b'"format":3')
    with pytest.raises(FileProblem, match="format 3, but this program knows format 2"):
        read_report(later)


def test_a_third_party_game_is_coached_by_its_protocol_alone(tmp_path: Path) -> None:
    (tmp_path / "stones").mkdir()
    (tmp_path / "stones" / "__init__.py").write_text((TESTS / "support" / "stones_game.py").read_text())
    metadata = tmp_path / "stones-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stones\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[wonderland.games]\nstones = stones\n")
    script = (
        "from wonderland.engine import Match, game\n"
        "from wonderland.features.coach.review import review\n"
        "match = Match(game('stones'), 2)\n"
        "for action in (0, ): match.decide(action)\n"
        "for seat, action in enumerate((2, 1, 2, 1, 1)): match.play(seat % 2, action)\n"
        "report = review(match.record); print(report.judge, report.playouts, len(report.decisions))\n"
        "for seat in report.seats: print(*[each.reason for each in seat.costliest], sep='|')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(SOURCE), str(tmp_path)])},
    )
    first, _, second = done.stdout.splitlines()
    assert first == "1.0 200 4"  # the last stone was not a choice
    assert re.fullmatch(r"2 wins \d+ games in 100; 1 wins \d+\.", second.split("|")[0])
