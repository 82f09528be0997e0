"""Every decision of a play, in plain values that any process can be sent: what datasets are made of."""

from __future__ import annotations

from typing import Any

from wonderland.components.learning import learning
from wonderland.engine.outcome import Result
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value


class EncodedDecision(Value, frozen=True):
    """A decision as learning agents are shown it, by the game's `learning.py`."""

    observation: bytes
    """One int8 after the other."""
    legal: tuple[int, ...]
    choice: int


class DecisionRow(Value, frozen=True):
    """What a seat could know, could do, and did."""

    moves: int
    """How many moves of the record came before it."""
    seat: int
    view: str
    """As JSON."""
    legal: tuple[str, ...]
    choice: str
    """As records write it."""
    numbers: EncodedDecision | None
    """`None` where the game has none."""


class PlayTrace(Value, frozen=True):
    """A whole play, decision by decision."""

    number: int
    decisions: tuple[DecisionRow, ...]
    result: Result
    record: str


class DecisionRecorder:
    """Looks on while games are played, and notes every decision."""

    def __init__(self) -> None:
        self.plays: list[PlayTrace] = []
        self._decisions: list[DecisionRow] = []

    def decides(self, match: AnyMatch, seat: int, action: Any) -> None:
        """What a seat has chosen, before it is carried out."""
        self._decisions.append(decision(match, seat, action))

    def ended(self, number: int, match: AnyMatch, result: Result) -> None:
        """The game with this number is over."""
        self.plays.append(PlayTrace(number, tuple(self._decisions), result, match.record.text()))
        self._decisions.clear()


def decision(match: AnyMatch, seat: int, action: Any) -> DecisionRow:
    """A decision of a seat that is about to be carried out."""
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
