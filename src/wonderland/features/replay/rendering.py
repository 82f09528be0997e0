"""Render a replay as HTML: any moment of a recorded game, from any viewpoint.

A moment is a number of decisions, as in `web/history.py`. The viewpoint (`eyes`) is a seat, `"0"`,
`"1"` …; `WATCHING` for a spectator; or `OPEN`, which shows everything in the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from jinja2.environment import TemplateModule
from markupsafe import Markup

from wonderland.bots.characters import display_names, split_level
from wonderland.components.captions import MoveSummary
from wonderland.components.scene import SceneContext
from wonderland.components.words import words_of
from wonderland.engine.language import Language
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import Over, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord, Fault, read_record
from wonderland.features.positions.editor import editor_path
from wonderland.features.replay.variations import Branches, Line, VariationMove, seat_to_ask
from wonderland.web.history import Timeline
from wonderland.web.portraits import assign_portraits
from wonderland.web.rendering import environment, render_scene
from wonderland.web.table_page import part_of_page
from wonderland.wire.codes import Code
from wonderland.wire.messages import PageUpdate
from wonderland.wire.problems import Refusal

OPEN, WATCHING = "open", "watching"
_CACHE_SIZE = 64
"""Parsed replays kept in memory, so that stepping doesn't parse them again."""


class ReplayPage:
    """Replay of one record."""

    def __init__(
        self, record: AnyRecord, match: AnyMatch | None = None, fault: Fault | None = None
    ) -> None:
        self.record = record
        self.fault = fault
        """What is wrong with the record after its last move, if anything."""
        self.match: AnyMatch = Match.resume(record) if match is None else match
        self.has_table = match is not None
        self.moments = Timeline(self.match)
        self.branches = Branches(record)
        self.game = record.game
        titles, self._levels = zip(*map(split_level, record.names), strict=True)
        self.portraits = assign_portraits(titles)

    def names(self, say: Language) -> list[str]:
        """The names to show: those of bots are translated."""
        return display_names(self.game.info.name, self.record.names, say)

    def setting(self, legal: Sequence[Any], last: Sequence[Any], say: Language) -> SceneContext:
        """The players as a scene shows them, with the levels of bots."""
        levels = [say(level) if level else "" for level in self._levels]
        return SceneContext(self.names(say), legal, last, say, self.portraits, levels)

    @property
    def last(self) -> int:
        """The last moment of the record."""
        return len(self.moments)

    @property
    def is_over(self) -> bool:
        """Whether the recorded game was finished."""
        return isinstance(self.match.turn, Over)

    def eyes(self, wanted: str | None) -> str:
        """Validate a viewpoint; raise `Refusal` if it doesn't exist."""
        known = (OPEN, WATCHING, *map(str, range(len(self.record.names))))
        if wanted is None:
            return OPEN
        if wanted not in known:
            last = len(self.record.names) - 1
            raise Refusal(
                Code.NO_SUCH_VIEW,
                "The view must be a seat from 0 to {last}, 'watching' or 'open'.",
                last=last,
            )
        return wanted

    def moment(self, wanted: int | None) -> int:
        """Validate a moment; raise `Refusal` if it is beyond the end."""
        if wanted is None:
            return 0
        if wanted > self.last:
            raise Refusal(Code.NO_SUCH_MOVE, "That move hasn't been played yet.")
        return wanted

    def title(self, say: Language) -> str:
        """Title of the browser tab."""
        return f"{say(self.game.info.title)} · {say.join_list(self.names(say))}"

    def page(self, moment: int, eyes: str, say: Language, *, log: bool) -> PageUpdate:
        """One moment as sent to the browser; the log is optional, as it never changes."""
        html = {name: str(part) for name, part in self.parts(moment, eyes, say).items()}
        if log:
            html["log"] = str(self.log(eyes, say))
        first = next(iter(self.to_act(moment)), None)
        return PageUpdate(0, html, self.title(say), mine=False, moves=moment, pass_to=first)

    def parts(self, moment: int, eyes: str, say: Language) -> dict[str, Markup]:
        """The parts of the page that change from moment to moment."""
        return self.parts_of(self.moments.match_at(moment), self.branches.played(moment), eyes, say)

    def position(self, line: Line, eyes: str, say: Language) -> PageUpdate:
        """A position of a variation as sent to the browser; `UsageError` if it isn't possible."""
        match, played = self.branches.match(line), None if line.moves else self.branches.played(line.at)
        html = {name: str(part) for name, part in self.parts_of(match, played, eyes, say).items()}
        first = next(iter(seats_to_act(match.turn)), None)
        moves = match.decisions
        return PageUpdate(0, html, self.title(say), mine=False, moves=moves, pass_to=first)

    def parts_of(
        self, match: AnyMatch, played: VariationMove | None, eyes: str, say: Language
    ) -> dict[str, Markup]:
        """The parts of the page that show a position; `played` is what was played there in the game."""
        last = self.visible_events(Timeline(match).latest() if match.decisions else match.events, eyes)
        seat = seat_in_view(match, played, eyes)
        legal = () if seat is None or eyes == OPEN else match.legal(seat)
        setting = self.setting(legal, last, say)
        line = self._line(match, say)
        told = (self.describe_event(event, say) for event in last)
        sentences = tuple(sentence for sentence in told if sentence is not None and sentence != line)
        news = MoveSummary("", sentences, (True,) * len(sentences))
        return {
            "scene": render_scene(self.game, _view(match, eyes), setting),
            "news": part_of_page("news", {"news": news}, say),
            "status": Markup('<p class="status">{}</p>').format(line),
            "position": self._position(match, eyes, say),
            "choices": self._choices(match, seat, played, say),
        }

    def _choices(
        self, match: AnyMatch, seat: Seat | None, played: VariationMove | None, say: Language
    ) -> Markup:
        """The choices of the seat that is asked, to be tried; empty if the viewer can't see them."""
        if seat is None:
            return Markup()
        words, rules, view = words_of(self.game.info.name), self.game, match.view(seat)
        options = []
        for action in match.legal(seat):
            says = say.capital(words.describe_action(view, action, say))
            options.append({"action": rules.write(action), "says": says})
        return part_of_board(
            "choices",
            {
                "options": options,
                "seat": seat,
                "name": self.names(say)[seat],
                "played": played.action if played is not None and played.seat == seat else "",
            },
            say,
        )

    def _position(self, match: AnyMatch, eyes: str, say: Language) -> Markup:
        """Link to the position editor, for the viewpoint's seat or else the seat to act."""
        seats = seats_to_act(match.turn) if eyes in (OPEN, WATCHING) else (int(eyes),)
        if not seats or isinstance(match.turn, Over):
            return Markup()
        href = editor_path(self.game.info.name, match, seats[0], say)
        return Markup('<a class="button" href="{}">{}</a>').format(href, say("Position"))

    def to_act(self, moment: int) -> Sequence[int]:
        """Seats to act at a moment."""
        return seats_to_act(self.moments.match_at(moment).turn)

    def log(self, eyes: str, say: Language) -> Markup:
        """The whole log, each line with its moment."""
        lines = [
            {"text": sentence, "at": self.moments.of(n)}
            for n, event in enumerate(self.match.events)
            for seen in self.visible_events([event], eyes)
            if (sentence := self.describe_event(seen, say)) is not None
        ]
        return part_of_page("log", {"log": lines, "can_step_back": True}, say)

    def visible_events(self, events: Sequence[Any], eyes: str) -> list[Any]:
        """Return the events as a viewer saw them, without those that they didn't."""
        if eyes == OPEN:
            return list(events)
        seat = None if eyes == WATCHING else int(eyes)
        seen = (self.game.witness(event, seat) for event in events)
        return [event for event in seen if event is not None]

    def describe_event(self, event: Any, say: Language) -> str | None:
        """Describe an event in a sentence; `None` if it goes without saying."""
        return words_of(self.game.info.name).describe_event(event, self.names(say), say)

    def _line(self, match: AnyMatch, say: Language) -> str:
        """Status line: who is to move, or the result."""
        names = self.names(say)
        if isinstance(turn := match.turn, Over):
            return turn.result.sentence(names, say)
        if not (seats := seats_to_act(turn)):
            return say("The record ends here.")
        acting = say.join_list(names[seat] for seat in seats)
        return say.capital(say("{names} to move", names=acting))


def seat_in_view(match: AnyMatch, played: VariationMove | None, eyes: str) -> Seat | None:
    """The seat whose choices a viewer may see at a position; `None` if there is none."""
    if eyes == WATCHING:
        return None
    return seat_to_ask(match, played, None if eyes == OPEN else int(eyes))


@cache
def _board_parts(say: Language) -> TemplateModule:
    return environment(say).get_template("board_parts.html").make_module()


def part_of_board(name: str, context: dict[str, Any], say: Language) -> Markup:
    """Render a part of the analysis board."""
    return Markup(getattr(_board_parts(say), name)(context))  # noqa: S704 - escaped by Jinja


def _view(match: AnyMatch, eyes: str) -> Any:
    if eyes == OPEN:
        return match.game.reveal(match.state)
    return match.view(None if eyes == WATCHING else int(eyes))


@lru_cache(_CACHE_SIZE)
def replay_from_text(text: bytes) -> ReplayPage:
    """Parse a stored record up to its fault, if it has one (cached).

    Raise `NotationError` if the current rules reject it as a whole.
    """
    reading = read_record(text)
    record = reading.whole if reading.record is None else reading.record
    return ReplayPage(record, fault=reading.fault)
