"""The result of a finished game: winners, scores, and what decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence


class Result(Value, frozen=True):
    """The result of a finished game; several winners share the win.

    >>> Result(winners=(1,), scores=(35, 27), decided="lowest score", ending="sixth colour").text(
    ...     ["Alice", "Hatter"]
    ... )
    'Hatter wins (35 27)'
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    decided: str
    """What separated the winners from the others, as text for players."""
    ending: str
    """Which of the game's endings occurred, for players and for statistics."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, counted from 1: winners first, then by score; equal scores share one.

        Whether a low score is good follows from the winners.

        >>> Result(winners=(1,), scores=(35, 27, 41, 35), decided="", ending="").places
        (2, 1, 4, 2)
        """
        best = self.scores[self.winners[0]]
        sign = 1 if best == min(self.scores) else -1
        keys = [(seat not in self.winners, sign * score) for seat, score in enumerate(self.scores)]
        return tuple(1 + sum(other < key for other in keys) for key in keys)

    def text(self, names: Sequence[str], say: Language = ENGLISH) -> str:
        """Return the result in one line; the English one is used in record headers."""
        return self._winners_text(names, " ".join(map(str, self.scores)), say)

    def verdict(self, names: Sequence[str], say: Language = ENGLISH) -> str:
        """Return the result in one line, with what decided it."""
        return say("{result}: {reason}.", result=self.text(names, say), reason=say(self.decided))

    def _winners_text(self, names: Sequence[str], scores: str, say: Language) -> str:
        *others, last = (names[seat] for seat in self.winners)
        if not others:
            return say("{name} wins ({scores})", name=last, scores=scores)
        return say(
            "{others} and {last} share the win ({scores})",
            others=say.join_list(others),
            last=last,
            scores=scores,
        )

    def sentence(self, names: Sequence[str], say: Language = ENGLISH) -> str:
        """Return the result as a sentence, with each player's score and what decided it."""
        scored = zip(names, self.scores, strict=False)
        scores = say.join_list(say("{name}: {score}", name=name, score=score) for name, score in scored)
        result = self._winners_text(names, scores, say)
        return say("{result}: {reason}.", result=result, reason=say(self.decided))
