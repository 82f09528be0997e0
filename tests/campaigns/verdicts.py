"""The law of verdicts: the judge's own best replies, searched deeper, uphold what it claims.

    python -m campaigns.verdicts --puzzles                            with tests/ on the path
    python -m campaigns.verdicts --verdicts 200 --game letters --seats 4

`wonderland.bots.best_replies` defines the test. It is applied to all shipped puzzles, and to clear
verdicts on random decisions of games between strong bots.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from wonderland.bots import decide, levels
from wonderland.bots.best_replies import Depth, Finding, Verdict, examine, verdict_on_second
from wonderland.bots.evaluation import evaluate
from wonderland.bots.puzzle import Question
from wonderland.components.bots import Budget
from wonderland.engine.chance import Seeded
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import AnyGame, Over, Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names
from wonderland.features.puzzles.model import puzzles

_GAME_PLAYOUTS = 300
"""Playouts per choice of the bots whose games are judged."""
_TRIES_PER_GAME = 6
"""Decisions of one game that are judged until a verdict is clear."""
_GAMES_PER_VERDICT = 60
"""Games that are played until one has a clear verdict."""


class Case(NamedTuple):
    """A verdict and where it comes from."""

    label: str
    rules: AnyGame
    seats: int
    verdict: Verdict


# Where verdicts come from


def puzzle_cases(name: str) -> Iterator[Case]:
    """What the shipped puzzles of a game claim: each solution against the next best choice.

    They come in a random order, so that the first few are a sample.
    """
    stock = list(puzzles(name).puzzles)
    random.Random(name).shuffle(stock)
    for puzzle in stock:
        for number in range(len(puzzle.steps)):
            asked = Question(name, puzzle, number)
            verdict = verdict_on_second(asked.game, asked.state, asked.judgement)
            yield Case(
                f"{name} {puzzle.seats} {puzzle.id} {number + 1}", asked.game, puzzle.seats, verdict
            )


def random_cases(
    name: str, seats: int, number: int, seed: int, budget: Budget | None = None
) -> Iterator[Case]:
    """Clear verdicts on random decisions of games between strong bots, at most one from each game."""
    rules, found = game(name), 0
    for play in range(number * _GAMES_PER_VERDICT):
        if found == number:
            return
        rng = random.Random(f"{seed} {name} {seats} {play}")
        verdict = _clear_verdict(rules, seats, rng, budget)
        if verdict is not None:
            found += 1
            yield Case(f"{name} {seats} game {play}", rules, seats, verdict)


def _clear_verdict(
    rules: AnyGame, seats: int, rng: random.Random, budget: Budget | None
) -> Verdict | None:
    """A clear verdict on a random decision of one game, and on a random choice that it calls worse."""
    moments = list(_decisions(rules, seats, rng))
    for state, seat in rng.sample(moments, min(_TRIES_PER_GAME, len(moments))):
        claim = evaluate(rules, state, seat, budget)
        worse = [value.action for value in claim.action_values if claim.is_clear(value.action)]
        if worse:
            return Verdict(state, seat, claim, rng.choice(worse))
    return None


def _decisions(rules: AnyGame, seats: int, rng: random.Random) -> Iterator[tuple[Any, Seat]]:
    """Play one game and yield every real decision."""
    match: AnyMatch = Match(rules, seats, chance=Seeded(str(rng.random())))
    level = levels(rules.info.name)[-1]
    bots = [level.make() for _ in range(seats)]
    while not isinstance(match.turn, Over):
        seat = seats_to_act(match.turn)[0]
        if len(match.legal(seat)) > 1:
            yield match.state, seat
        match.play(seat, decide(bots[seat], match, seat, rng, Budget(playouts=_GAME_PLAYOUTS)))


# Testing them


def describe(case: Case, finding: Finding) -> str:
    """A line with everything that was claimed and found."""
    claim, write = case.verdict.claim, case.rules.write
    best, worse = claim.best, claim.of(case.verdict.worse)
    word = "upheld" if finding.is_upheld else "VALUE" if finding.is_lead_upheld else "LEAD"
    return (
        f"{word:6} {case.label}: {write(best.action)} {best.chance:.3f} ± {best.error:.3f}, deeper "
        f"{finding.best.value:.3f} ± {finding.best.error:.3f}; {write(worse.action)} {worse.chance:.3f} "
        f"± {worse.error:.3f}, deeper {finding.worse.value:.3f}; lead {case.verdict.lead:.3f}, deeper "
        f"{finding.lead.value:.3f} ± {finding.lead.error:.3f}"
    )


def campaign(cases: Iterable[Case], depth: Depth, seed: int = 0) -> Counter[str]:
    """Examine verdicts, print each finding, and return counts."""
    counts: Counter[str] = Counter()
    for case in cases:
        finding = examine(case.rules, case.verdict, depth, f"{seed} {case.label}")
        counts["verdicts"] += 1
        counts["refuted"] += not finding.is_upheld
        print(describe(case, finding), flush=True)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--puzzles", action="store_true", help="examine all shipped puzzles")
    parser.add_argument(
        "--verdicts", type=int, default=0, help="clear verdicts for each number of seats"
    )
    parser.add_argument("--sample", type=int, help="examine only this many shipped puzzles of a game")
    parser.add_argument("--game", choices=game_names(), help="only this game")
    parser.add_argument("--seats", type=int, help="only this number of players")
    parser.add_argument("--continuations", type=int, default=100)
    parser.add_argument("--reply", type=int, default=5000, help="playouts per choice for replies")
    parser.add_argument("--leaf", type=int, default=20_000, help="playouts per choice at the end")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    depth = Depth(given.continuations, given.reply, given.leaf)
    counts: Counter[str] = Counter()
    for name in game_names() if given.game is None else [given.game]:
        if given.puzzles:
            cases = (case for case in puzzle_cases(name) if given.seats in {None, case.seats})
            counts += campaign(islice(cases, given.sample), depth, given.seed)
        for seats in (2, 3, 4) if given.seats is None else [given.seats]:
            counts += campaign(random_cases(name, seats, given.verdicts, given.seed), depth, given.seed)
    print(f"{counts['refuted']} of {counts['verdicts']} verdicts refuted")
    sys.exit(bool(counts["refuted"]))


if __name__ == "__main__":
    main()
