"""Render a replay as HTML: any moment of a recorded game, from any viewpoint.

A moment is a number of decisions, as in `web/history.py`. The viewpoint (`eyes`) is a seat, `"0"`,
`"1"` …; `WATCHING` for a spectator; or `OPEN`, which shows everything in the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from wonderland.components.scene import SceneContext
from wonderland.components.words import words_of
from wonderland.engine.language import Language
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import Over
from wonderland.engine.record_reader import AnyMatch, AnyRecord, read_record
from wonderland.features.positions.editor import editor_path
from wonderland.web.history import Timeline
from wonderland.web.rendering import render_scene
from wonderland.web.table_page import part_of_page
from wonderland.wire.messages import PageUpdate
from wonderland.wire.problems import Refusal

OPEN, WATCHING = "open", "watching"
_CACHE_SIZE = 64
"""Parsed replays kept in memory, so that stepping doesn't parse them again."""


class ReplayPage:
    """Replay of one record."""

    def __init__(self, record: AnyRecord, match: AnyMatch | None = None) -> None:
        self.record = record
        self.match: AnyMatch = Match.resume(record) if match is None else match
        self.has_table = match is not None
        self.moments = Timeline(self.match)
        self.game = record.game
        self.names: Sequence[str] = record.names

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
        known = (OPEN, WATCHING, *map(str, range(len(self.names))))
        if wanted is None:
            return OPEN
        if wanted not in known:
            last = len(self.names) - 1
            raise Refusal(
                "bad request", "One can look as seat 0 to {last}, as watching, or as open.", last=last
            )
        return wanted

    def moment(self, wanted: int | None) -> int:
        """Validate a moment; raise `Refusal` if it is beyond the end."""
        if wanted is None:
            return 0
        if wanted > self.last:
            raise Refusal("not found", "The game has not come so far.")
        return wanted

    def title(self, say: Language) -> str:
        """Title of the browser tab."""
        return f"{say(self.game.info.title)} · {say.join_list(self.names)}"

    def page(self, moment: int, eyes: str, say: Language, *, log: bool) -> PageUpdate:
        """One moment as sent to the browser; the log is optional, as it never changes."""
        html = {name: str(part) for name, part in self.parts(moment, eyes, say).items()}
        if log:
            html["log"] = str(self.log(eyes, say))
        first = next(iter(self.to_act(moment)), None)
        return PageUpdate(0, html, self.title(say), mine=False, moves=moment, pass_to=first)

    def parts(self, moment: int, eyes: str, say: Language) -> dict[str, Markup]:
        """The parts of the page that change from moment to moment."""
        match = self.moments.match_at(moment)
        last = self._visible_events(Timeline(match).latest() if moment else match.events, eyes)
        setting = SceneContext(self.names, (), last, say)
        line = self._line(match, say)
        news = [
            sentence
            for event in last
            if (sentence := self._describe_event(event, say)) not in (None, line)
        ]
        return {
            "scene": render_scene(self.game, _view(match, eyes), setting),
            "news": part_of_page("news", {"news": news}, say),
            "status": Markup('<p class="status">{}</p>').format(line),
            "position": self._position(match, eyes, say),
        }

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
            for seen in self._visible_events([event], eyes)
            if (sentence := self._describe_event(seen, say)) is not None
        ]
        return part_of_page("log", {"log": lines, "can_step_back": True}, say)

    def _visible_events(self, events: Sequence[Any], eyes: str) -> list[Any]:
        if eyes == OPEN:
            return list(events)
        seat = None if eyes == WATCHING else int(eyes)
        seen = (self.game.witness(event, seat) for event in events)
        return [event for event in seen if event is not None]

    def _describe_event(self, event: Any, say: Language) -> str | None:
        return words_of(self.game.info.name).tell(event, self.names, say)

    def _line(self, match: AnyMatch, say: Language) -> str:
        """Status line: who is to move, or the result."""
        if isinstance(turn := match.turn, Over):
            return turn.result.sentence(self.names, say)
        if not (seats := seats_to_act(turn)):
            return say("The record ends here.")
        return say("{names} to move", names=say.join_list(self.names[seat] for seat in seats))


def _view(match: AnyMatch, eyes: str) -> Any:
    if eyes == OPEN:
        return match.game.reveal(match.state)
    return match.view(None if eyes == WATCHING else int(eyes))


@lru_cache(_CACHE_SIZE)
def replay_from_text(text: bytes) -> ReplayPage:
    """Parse a stored record (cached); raise `NotationError` if the current rules reject it."""
    return ReplayPage(read_record(text).whole)
