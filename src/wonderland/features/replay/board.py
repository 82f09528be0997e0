"""The analysis board of a replay: variations, verdicts and expected play, rendered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.engine.language import Language
from wonderland.features.positions.advice import choice_figures
from wonderland.features.positions.verdict import Verdict
from wonderland.features.replay.rendering import ReplayPage, part_of_board
from wonderland.features.replay.variations import Line, VariationMove, VariationTree
from wonderland.web.history import Timeline


class Board:
    """The analysis board of one replay for one viewer."""

    def __init__(self, replay: ReplayPage, eyes: str, say: Language) -> None:
        self.replay, self.eyes, self.say = replay, replay.eyes(eyes), say

    def verdict(self, verdict: Verdict) -> str:
        """The choices of a position with the coach's verdict."""
        name = self.replay.names(self.say)[verdict.seat]
        return self._part("verdict", verdict=verdict, options=self.options(verdict), name=name)

    def options(self, verdict: Verdict) -> list[dict[str, Any]]:
        """The choices of a verdict, best first, as templates show them."""
        return [
            {"action": each.action, "says": each.says, **choice_figures(each, self.say)}
            for each in verdict.choices
        ]

    def expected(self, line: Line, moves: Sequence[VariationMove]) -> str:
        """The line that is expected after a position, in sentences."""
        match = self.replay.branches.match(line)
        told = []
        for move in moves:
            before = len(match.events)
            self.replay.branches.apply(match, move)
            told.append(self.say.sentences(self._in_words(match.events[before:])))
        return self._part("expected", moves=told)

    def variations(self, tree: VariationTree) -> str:
        """The tree of variations as nested lists; `UsageError` if it doesn't belong to this game."""
        matches = self.replay.branches.matches(tree)
        nodes = [
            {
                "place": place,
                "at": node.at,
                "number": match.decisions,
                "says": next(iter(self._in_words(Timeline(match).latest())), ""),
                "comment": node.comment,
                "action": node.move.action,
            }
            for place, (node, match) in enumerate(zip(tree.nodes, matches, strict=True))
        ]
        following: dict[int | None, list[int]] = {}
        for place, node in enumerate(tree.nodes):
            following.setdefault(node.parent, []).append(place)
        moments = {int(moment): text for moment, text in tree.comments.items() if text}
        shown = [
            {
                "at": at,
                "comment": moments.get(at, ""),
                "lines": [
                    _line(nodes, following, place)
                    for place in following.get(None, [])
                    if tree.nodes[place].at == at
                ],
            }
            for at in sorted({*moments, *(node.at for node in tree.nodes)})
        ]
        return self._part("variations", moments=shown)

    def _in_words(self, events: Sequence[Any]) -> list[str]:
        """Describe the events as the viewer saw them, each in a sentence."""
        told = (
            self.replay.describe_event(event, self.say)
            for event in self.replay.visible_events(events, self.eyes)
        )
        return [sentence for sentence in told if sentence]

    def _part(self, name: str, /, **context: Any) -> str:
        return str(part_of_board(name, context, self.say))


def _line(
    nodes: Sequence[dict[str, Any]], following: dict[int | None, list[int]], place: int
) -> list[dict[str, Any]]:
    """A line from a move on, as long as it goes; each move has the lines that branch off after it."""
    found = []
    while True:
        ahead = following.get(place, [])
        others = [_line(nodes, following, other) for other in ahead[1:]]
        found.append({**nodes[place], "others": others})
        if not ahead:
            return found
        place = ahead[0]
