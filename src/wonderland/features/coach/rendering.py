"""Render the coach's review as HTML: the whole game, and single decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil
from typing import Any

import msgspec
from jinja2.environment import TemplateModule
from markupsafe import Markup

from wonderland.bots.evaluation import recalled_view
from wonderland.components.formatting import number, percent
from wonderland.components.words import words_of
from wonderland.engine.language import Language, phrase
from wonderland.features.coach import graph as chances
from wonderland.features.coach.model import (
    HALVED_BY,
    TWO_PLAYERS,
    ReviewedDecision,
    TurningPoint,
    costliest,
    graph_of,
    mean_accuracy,
)
from wonderland.features.coach.review import causes_of, reason_of
from wonderland.features.coach.service import ReviewStatus
from wonderland.features.positions.editor import editor_path
from wonderland.features.positions.verdict import describe_cost
from wonderland.features.replay.rendering import ReplayPage
from wonderland.web.history import Timeline
from wonderland.web.rendering import environment, render_scene
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_INTERVAL_ERRORS = 2.0
"""Half-width of a 95% confidence interval, in standard errors."""
_SHOWN = 6
"""Options listed before "more"; the chosen one is always among them."""


_END_WITH_CAUSES = phrase(
    "{name} was at {before} just before the end and finished at {after}. In between: {draws}"
)


class CoachShown(msgspec.Struct, frozen=True):
    """The review of a game so far, rendered."""

    state: str
    done: int
    total: int
    says: str
    """Progress as a sentence; empty when the review is done."""
    html: dict[str, str]
    """Parts of the page: for the whole game, or for the requested decision."""
    at: int | None = None
    """The decision to open first."""


@cache
def _parts(say: Language) -> TemplateModule:
    return environment(say).get_template("coach_parts.html").make_module()


def _render_part(name: str, say: Language, /, **context: Any) -> str:
    return str(getattr(_parts(say), name)(context))


class Coached:
    """Renders the review of one replay in one language."""

    def __init__(self, name: str, replay: ReplayPage, found: ReviewStatus, say: Language) -> None:
        self.name, self.replay, self.found, self.say = name, replay, found, say
        self.names = replay.names(say)
        self.portraits = replay.portraits
        self.game = replay.game.info.name
        self.decisions = found.decisions
        self.last = replay.last + 1
        """Number of the end, one after the last decision."""

    def page(self) -> CoachShown:
        """The review of the whole game, as sent to the browser."""
        found = self.found
        first = self.first()
        return CoachShown(
            found.state, len(self.decisions), found.total, self.says(), self.whole(), first
        )

    def says(self) -> str:
        """Progress as a sentence."""
        found, say = self.found, self.say
        match found.state:
            case "done":
                return ""
            case "failed":
                return say("The coach couldn't analyse this game.")
            case "waiting":
                return say.plural(
                    "{number} game is ahead of this one.",
                    "{number} games are ahead of this one.",
                    found.ahead,
                )
            case "idle":
                return say("The coach is studying the game…")
        done, total = len(self.decisions), found.total
        return say("{done} of {total} moves analysed", done=done, total=total)

    def first(self) -> int | None:
        """The decision to open first: the costliest one, or else the first."""
        if self.found.report is None:
            return None
        return (costliest(self.decisions) or self.decisions)[0].number

    # The whole game

    def whole(self) -> dict[str, str]:
        """All parts of the page that concern the whole game."""
        say = self.say
        return {
            "players": _render_part(
                "players", say, players=list(map(self._player, range(len(self.names))))
            ),
            "only": _render_part("only", say, only=self._omission_note()),
            "about": _render_part("about", say, **self._about()),
            "graph": _render_part(
                "graph",
                say,
                graph=self._graph(),
                names=self.names,
                note=say(TWO_PLAYERS) if len(self.names) == 2 else "",
            ),
            "turns": _render_part("turns", say, turns=list(map(self._turn, self._turns()))),
            "costly": _render_part("costly", say, players=self._costly()),
            "decisions": _render_part("decisions", say, rows=list(map(self._row, self.decisions))),
        }

    def _decisions_of(self, seat: int) -> list[ReviewedDecision]:
        return [each for each in self.decisions if each.seat == seat]

    def _turns(self) -> Sequence[TurningPoint]:
        return () if self.found.report is None else self.found.report.turning_points

    def _player(self, seat: int) -> dict[str, Any]:
        made, say = self._decisions_of(seat), self.say
        accuracy = mean_accuracy(made)
        return {
            "name": self.names[seat],
            "portrait": self.portraits[seat],
            "seat": seat,
            "judged": len(made),
            "accuracy": "" if accuracy is None else number(accuracy, say, 1),
            "mistakes": sum(map(chances.is_mistake, made)),
        }

    def _omission_note(self) -> str:
        """Note on decisions left out because the cards are unknown; empty if there are none."""
        report, say = self.found.report, self.say
        if report is None or not report.unknown:
            return ""
        judged = [seat.name for seat in report.seats if seat.judged]
        if len(judged) < len(self.names):
            return say.plural(
                "Only {names} is analysed, because the other hands weren't recorded.",
                "Only {names} are analysed, because the other hands weren't recorded.",
                len(judged),
                names=say.join_list(judged),
            )
        return say.plural(
            "{number} move is left out, because the player's hand wasn't recorded.",
            "{number} moves are left out, because the players' hands weren't recorded.",
            report.unknown,
        )

    def _about(self) -> dict[str, Any]:
        """Values for the explanation of the figures and how they were computed."""
        report, say = self.found.report, self.say
        if report is None:
            return {"report": None}
        exact = not any(option.error for each in report.decisions for option in each.options)
        return {
            "report": report,
            "points": round(100 * HALVED_BY),
            "exact": exact,
            "playouts": "" if report.playouts is None else number(report.playouts, say),
        }

    def _graph(self) -> chances.Graph:
        report = self.found.report
        if report is None:
            graphs = [graph_of(self._decisions_of(seat), None) for seat in range(len(self.names))]
        else:
            graphs = [seat.graph for seat in report.seats]
        return chances.build_graph(graphs, self.decisions, self._turns(), self.last, self.say)

    def _turn(self, turn: TurningPoint) -> dict[str, Any]:
        """A turning point as a sentence, with the decision to open."""
        by, ended = turn.by, turn.number == self.last
        return {
            "says": self._describe_turn(turn),
            "number": turn.number,
            "at": by if by is not None else turn.since if ended else turn.number,
        }

    def _describe_turn(self, turn: TurningPoint) -> str:
        say, fell = self.say, turn.change < 0
        fields = {
            "name": self.names[turn.seat],
            "before": percent(turn.before, say, 0),
            "after": percent(turn.after, say, 0),
        }
        by = next((each for each in self.decisions if each.number == turn.by), None)
        if by is not None and fell:
            return say("{name} fell from {before} to {after}, mostly through a mistake.", **fields)
        if by is not None:
            other = self.names[by.seat]
            return say(
                "{name} rose from {before} to {after}, mostly thanks to a mistake by {other}.",
                other=other,
                **fields,
            )
        causes = causes_of(self.replay.record, turn, say)
        fields["draws"] = say.sentences(causes)
        if turn.number == self.last and causes:
            return say(_END_WITH_CAUSES, **fields)
        if turn.number == self.last:
            return say("{name} was at {before} just before the end and finished at {after}.", **fields)
        if causes and fell:
            return say("{name} fell from {before} to {after}. In between: {draws}", **fields)
        if causes:
            return say("{name} rose from {before} to {after}. In between: {draws}", **fields)
        if fell:
            return say(
                "{name} fell from {before} to {after}: bad luck, or good play by the others.", **fields
            )
        return say("{name} rose from {before} to {after}: good luck, or good play.", **fields)

    def _costly(self) -> list[dict[str, Any]]:
        """Each player's costliest decisions, with reasons."""
        if self.found.report is None:
            return []
        found = []
        for seat, name in enumerate(self.names):
            rows = [
                {
                    "number": each.number,
                    "lost": percent(each.lost, self.say),
                    "reason": reason_of(self.replay.record, each, self.say),
                }
                for each in costliest(self._decisions_of(seat))
            ]
            found.append(
                {
                    "name": name,
                    "portrait": self.portraits[seat],
                    "seat": seat,
                    "costliest": rows,
                    "judged": bool(self._decisions_of(seat)),
                }
            )
        return found

    def _row(self, decision: ReviewedDecision) -> dict[str, Any]:
        say = self.say
        return {
            "number": decision.number,
            "name": self.names[decision.seat],
            "chance": percent(decision.chance, say, 0),
            "lost": percent(decision.lost, say) if decision.lost else "",
            "is_mistake": chances.is_mistake(decision),
        }

    # One decision

    def moment(self, wanted: int) -> CoachShown:
        """One decision with all its options, as sent to the browser."""
        decision = next((each for each in self.decisions if each.number == wanted), None)
        if decision is None:
            raise Refusal(Code.NO_SUCH_MOVE, "This move wasn't analysed.")
        found = self.found
        html = {"moment": _render_part("moment", self.say, **self._moment(decision))}
        return CoachShown(found.state, len(self.decisions), found.total, self.says(), html, wanted)

    def _moment(self, decision: ReviewedDecision) -> dict[str, Any]:
        say, rules, seat = self.say, self.replay.game, decision.seat
        match = self.replay.moments.match_at(decision.number - 1)
        seen = (rules.witness(event, seat) for event in Timeline(match).latest())
        last = [event for event in seen if event is not None]
        view = recalled_view(rules, match.state, seat)
        setting = self.replay.setting(match.legal(seat), last, say)
        scene = render_scene(rules, view, setting)
        options = self._options(decision, view)
        return {
            "number": decision.number,
            "name": self.names[seat],
            "portrait": self.portraits[seat],
            "mood": self._mood(decision),
            "seat": seat,
            "verdict": self._verdict(decision),
            "reason": reason_of(self.replay.record, decision, say) if decision.lost else "",
            "scene": Markup(scene),  # noqa: S704 - escaped by Jinja
            "first": options[:_SHOWN],
            "more": options[_SHOWN:],
            "before": decision.number - 1,
            "replay": f"/replay/{self.name}?at={decision.number - 1}&seat={seat}",
            "position": editor_path(self.game, match, seat, say),
        }

    @staticmethod
    def _mood(decision: ReviewedDecision) -> str:
        """How the player looks: dismayed by a mistake, pleased with the best choice."""
        if chances.is_mistake(decision):
            return "dismayed"
        return "pleased" if decision.chosen == decision.best else ""

    def _verdict(self, decision: ReviewedDecision) -> str:
        return describe_cost(
            self.names[decision.seat],
            decision.options[decision.best].chance,
            decision.chance,
            self.say,
            is_clear=bool(decision.lost),
            is_best=decision.chosen == decision.best,
        )

    def _options(self, decision: ReviewedDecision, view: Any) -> list[dict[str, Any]]:
        """All options, best first; the chosen one is moved up into the visible ones."""
        say, words, read = self.say, words_of(self.game), self.replay.game.read
        best = decision.best
        places = sorted(
            range(len(decision.options)), key=lambda at: (at != best, -decision.options[at].chance)
        )
        if places.index(decision.chosen) >= _SHOWN:
            places.remove(decision.chosen)
            places.insert(_SHOWN - 1, decision.chosen)
        found = []
        for place in places:
            option = decision.options[place]
            found.append(
                {
                    "action": option.action,
                    "says": say.capital(words.describe_action(view, read(option.action), say)),
                    "percent": round(100 * option.chance, 1),
                    "chance": percent(option.chance, say, 0),
                    "off": ceil(100 * _INTERVAL_ERRORS * option.error),
                    "chosen": place == decision.chosen,
                    "best": place == best,
                }
            )
        return found
