"""Recording of every decision of a game, as plain values that can be sent between processes."""

from __future__ import annotations

from typing import Any

from wonderland.components.learning import learning
from wonderland.engine.outcome import Result
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value


class EncodedDecision(Value, frozen=True):
    """A decision in the encoding of the game's `learning.py`."""

    observation: bytes
    """A sequence of int8."""
    legal: tuple[int, ...]
    choice: int


class DecisionRow(Value, frozen=True):
    """A decision: what the seat knew, its legal actions, and its choice."""

    moves: int
    """Number of moves of the record before it."""
    seat: int
    view: str
    """The seat's view as JSON."""
    legal: tuple[str, ...]
    choice: str
    """In the notation of records."""
    numbers: EncodedDecision | None
    """`None` if the game has no encoding for learning agents."""


class PlayTrace(Value, frozen=True):
    """A whole game, decision by decision."""

    number: int
    decisions: tuple[DecisionRow, ...]
    result: Result
    record: str


class DecisionRecorder:
    """Observer that records every decision."""

    def __init__(self) -> None:
        self.plays: list[PlayTrace] = []
        self._decisions: list[DecisionRow] = []

    def decides(self, match: AnyMatch, seat: int, action: Any) -> None:
        """Record the action a seat has chosen, before it is applied."""
        self._decisions.append(decision(match, seat, action))

    def ended(self, number: int, match: AnyMatch, result: Result) -> None:
        """Complete the trace of the game with this number."""
        self.plays.append(PlayTrace(number, tuple(self._decisions), result, match.record.text()))
        self._decisions.clear()


def decision(match: AnyMatch, seat: int, action: Any) -> DecisionRow:
    """Describe a decision that is about to be applied."""
    game, view, legal = match.game, match.view(seat), match.legal(seat)
    shown = learning(game.info.name)
    return DecisionRow(
        len(match.moves),
        seat,
        encoder_for(game.info.name)(view).decode(),
        tuple(game.write(each) for each in legal),
        game.write(action),
        None
        if shown is None
        else EncodedDecision(
            bytes(shown.observe(view)),
            tuple(shown.number(view, each) for each in legal),
            shown.number(view, action),
        ),
    )
