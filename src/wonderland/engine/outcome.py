"""How a play ended: who won, with what, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence


class Result(Value, frozen=True):
    """The end of a play. More than one winner means that they share the win.

    >>> Result(winners=(1,), scores=(35, 27), decided="lowest score", ending="sixth colour").text(
    ...     ["Alice", "Hatter"]
    ... )
    'Hatter wins (35 27)'
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    decided: str
    """What decided between the winners and the others, for people to read."""
    ending: str
    """Which of the game's ways to end this was, for people and for statistics."""

    def text(self, names: Sequence[str], say: Language = ENGLISH) -> str:
        """The result in one line; in English, as it stands in the header of a record."""
        return self._told(names, " ".join(map(str, self.scores)), say)

    def _told(self, names: Sequence[str], scores: str, say: Language) -> str:
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
        """The result in a sentence, with the score of each and what decided it."""
        each = zip(names, self.scores, strict=False)
        scores = say.join_list(say("{name}: {score}", name=name, score=score) for name, score in each)
        result = self._told(names, scores, say)
        return say("{result}: {reason}.", result=result, reason=say(self.decided))
