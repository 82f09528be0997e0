"""Longer puzzles: the game goes on after the solution, and asks for another clearly best choice.

The other players make the judge's best replies to what they see, and chance takes its course; what
follows is recorded as the solver's seat witnesses it.
"""

from __future__ import annotations

import random

from wonderland.bots.evaluation import evaluate, recalled_view
from wonderland.components.bots import Budget
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Actor, Chance, Over
from wonderland.engine.values import Value
from wonderland.features.puzzles.candidates import Candidate, has_choices
from wonderland.features.puzzles.confirmation import LeadingChoice, full_budget

_REPLY_SHARE, _LEAST_REPLY = 60, 1000
"""Fraction of the coach's budget for a reply."""


class Sequel(Value, frozen=True):
    """The seat's next decision, and what happened before it."""

    moves: tuple[str, ...]
    """In record notation, as the seat witnessed it."""
    candidate: Candidate


def play_on(seen: Candidate, solution: LeadingChoice, seed: str) -> Sequel | None:
    """Play on after the solution; `None` if the seat has no other real decision."""
    rules, seat, match = seen.rules, seen.seat, seen.match.fork()
    rng = random.Random(f"{seed} {seen.position} then")
    budget = Budget(max(_LEAST_REPLY, full_budget(seen) // _REPLY_SHARE))
    match.apply(seat, solution.actions[0])
    known, moves = rules.apply(seen.state, seat, solution.actions[0]).state, list[str]()
    while not isinstance(turn := match.turn, Over):
        actor: Actor = CHANCE
        if isinstance(turn, Chance):
            action = turn.pick(rng.randrange(turn.total))
        else:
            actor = mover = seats_to_act(turn)[0]
            legal = match.legal(mover)
            if mover == seat and len(legal) > 1:
                line, place = rules.write_position(known), seen.place + len(moves)
                candidate = Candidate(seen.name, match, seat, line, known, place)
                is_real = has_choices(seen.name, match, seat)
                return Sequel(tuple(moves), candidate) if is_real else None
            action = legal[0]
            if len(legal) > 1:
                action = evaluate(rules, match.state, mover, budget).best.action
        done = rules.apply(match.state, actor, action)
        is_hidden = any(rules.witness(event, seat) != event for event in done.events)
        if is_hidden and actor is not CHANCE:
            return None  # a secret choice can't be written down
        match.apply(actor, action)
        witnessed = FACE_DOWN if is_hidden else action
        known = rules.apply(known, actor, witnessed).state
        moves.append(rules.write(witnessed))
        if recalled_view(rules, known, seat) != recalled_view(rules, match.state, seat):
            return None
    return None
