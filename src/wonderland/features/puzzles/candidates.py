"""Candidates for puzzles: decisions of games between bots, as the seat to move knows them.

The bots think briefly, each seat for a different time, so that positions are as varied as those of
people and a game costs a few milliseconds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from wonderland.bots import decide, levels
from wonderland.bots.evaluation import recalled_view
from wonderland.components.bots import Budget
from wonderland.components.editor import editor_of
from wonderland.components.heuristics import equivalence_of
from wonderland.engine.chance import Seeded
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import AnyGame, Over, Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game
from wonderland.engine.values import Value

FEWEST_CHOICES = 3
"""At most one in this many choices is right, or else the answer can be guessed."""
_GAME_PLAYOUTS = (15, 40, 100)
"""Playouts per choice of the bots that play the games; one of these for each seat."""


class Candidate(Value, frozen=True):
    """A position from the viewpoint of one seat."""

    name: str
    match: AnyMatch
    seat: Seat
    position: str
    state: Any
    """The state as this seat knows it."""
    place: int
    """Number of decisions before this one in its game."""

    @property
    def rules(self) -> AnyGame:
        """The game."""
        return game(self.name)

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.match.names)

    @property
    def view(self) -> Any:
        """What a seat with perfect memory knows."""
        return recalled_view(self.rules, self.state, self.seat)

    @property
    def legal(self) -> Sequence[Any]:
        """The choices."""
        legal: Sequence[Any] = self.rules.legal(self.state, self.seat)
        return legal


def candidates(name: str, seats: int, seed: str) -> Iterator[Candidate]:
    """Play one game between bots and yield every decision with enough different choices."""
    rules, level = game(name), levels(name)[-1]
    match: AnyMatch = Match(rules, seats, chance=Seeded(seed))
    bots, rng = [level.make() for _ in range(seats)], random.Random(seed)
    budgets = [Budget(playouts=rng.choice(_GAME_PLAYOUTS)) for _ in range(seats)]
    place = 0
    while not isinstance(match.turn, Over):
        seat = seats_to_act(match.turn)[0]
        if has_choices(name, match, seat):
            seen = candidate_at(name, match, seat, place)
            if seen is not None:
                yield seen
        match.play(seat, decide(bots[seat], match, seat, rng, budgets[seat]))
        place += 1


def candidate_at(name: str, match: AnyMatch, seat: Seat, place: int = 0) -> Candidate | None:
    """Return the candidate from a seat's viewpoint; `None` if no position line says what it knows."""
    rules, editor = game(name), editor_of(name)
    line = rules.write_position(match.state)
    if editor is None:
        state = rules.sample_state(match.view(seat), random.Random(line))
        line = rules.write_position(state)
    else:
        line = editor.line(editor.form(editor.facts(line, seat), match.names, ENGLISH))
        state = rules.read_position(line)
    same = recalled_view(rules, state, seat) == recalled_view(rules, match.state, seat)
    return Candidate(name, match.fork(), seat, line, state, place) if same else None


def has_choices(name: str, match: AnyMatch, seat: Seat) -> bool:
    """Whether a seat has several choices, and they are not all equivalent."""
    view, legal = recalled_view(match.game, match.state, seat), match.legal(seat)
    if len(legal) < FEWEST_CHOICES:
        return False
    alike = equivalence_of(name)
    return len({alike(view, action) for action in legal}) > 1
