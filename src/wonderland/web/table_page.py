"""A table as HTML for one viewer in one language: the parts of the page and the scene of the game.

Everything is rendered from the view, the legal actions and the events that this viewer may see, so the
page can't reveal more than the API. `PageFormat` sends the same parts as JSON when the table changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2.environment import TemplateModule
from markupsafe import Markup

from wonderland.bots import default_level, levels
from wonderland.components.scene import SceneContext, hides_hands
from wonderland.components.tutorial import Guidance, tutorial_of
from wonderland.components.words import LogWords, words_of
from wonderland.engine.language import Language
from wonderland.engine.protocol import LUCK, Over
from wonderland.engine.registry import game
from wonderland.tables.table import Table, title_of
from wonderland.tables.undo import last_decision
from wonderland.web.history import MEMORY_GAME_NOTE, Timeline, may_step_back, table_at
from wonderland.web.rendering import environment, game_picture, name_of, names_of, render_scene
from wonderland.wire.messages import PageUpdate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.language import Language
    from wonderland.tables.table import Table

_MAX_LOG_LINES = 60


@cache
def _parts(say: Language) -> TemplateModule:
    """Return the macros of `table_parts.html` in a language."""
    return environment().get_template("table_parts.html").make_module(say.context())


def part_of_page(name: str, context: dict[str, Any], say: Language) -> Markup:
    """Render one part of a table's page in a language."""
    return Markup(getattr(_parts(say), name)(context))  # noqa: S704 - escaped by Jinja


@dataclass(slots=True)
class TablePage:
    """One table as one viewer sees it."""

    table: Table
    seat: int | None
    device: str
    say: Language

    def parts(self, *, covered: bool = False) -> dict[str, Markup]:
        """Render all parts that can change; if covered, without what only the seat may know."""
        context = self._context()
        parts = {name: self._part(name, context) for name in _PARTS}
        if covered:
            hidden = dict.fromkeys(("log", "news", "guide"), Markup(""))
            return parts | hidden | {"scene": self.curtain}
        return parts | {"scene": self._scene()}

    def page(self, release: str = "") -> PageUpdate:
        """Return the message that updates the page after a change."""
        html = {name: str(part) for name, part in self.parts().items()}
        return PageUpdate(
            self.table.version,
            html,
            self.title,
            self.my_turn,
            moves=self.moves,
            pass_to=self.pass_to,
            curtain=str(self.curtain),
            release=release,
        )

    def page_at(self, moment: int) -> PageUpdate:
        """Return the scene and the news that the viewer saw at an earlier moment."""
        past = TablePage(table_at(self.table, self.seat, moment), self.seat, self.device, self.say)
        news = self._part("news", {"news": past._news()})
        html = {"scene": str(past._scene()), "news": str(news)}
        return PageUpdate(self.table.version, html, self.title, mine=False, moves=moment)

    @property
    def title(self) -> str:
        """The title of the browser tab."""
        title = self.say(game(self.table.opened.game).info.title)
        return f"● {self.say('Your turn')} · {title}" if self.my_turn else title

    @property
    def my_turn(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.seat is not None and self.seat in self.table.to_act

    @property
    def moves(self) -> int:
        """The number of decisions made so far."""
        return 0 if self.table.match is None else len(Timeline(self.table.match))

    @property
    def pass_to(self) -> int | None:
        """On a shared screen, the seat whose turn it is, preferring the one shown; else `None`."""
        own = self._own_seats()
        if self.seat is None or len(own) == 1:
            return None
        acting = [seat for seat in own if seat in self.table.to_act]
        return self.seat if self.seat in acting else next(iter(acting), None)

    @property
    def curtain(self) -> Markup:
        """The cover shown while a screen is passed on; empty if no hidden information is at stake."""
        own, places = self._own_seats(), self.table.places
        if len(own) <= 1 or self.table.status != "playing" or not hides_hands(self.table.opened.game):
            return Markup("")
        candidates = own if self.pass_to is None else [self.pass_to]
        people = [{"seat": seat, "name": places[seat].name} for seat in candidates]
        return self._part("curtain", {"people": people, "line": self._status_line()})

    def _own_seats(self) -> list[int]:
        """Return the seats of this device, without those that a bot plays."""
        table = self.table
        return [seat for seat in table.seats_of(self.device) if not table.places[seat].level]

    def _part(self, name: str, context: dict[str, Any]) -> Markup:
        return part_of_page(name, context, self.say)

    def _scene(self) -> Markup:
        match = self.table.match
        if match is None:
            drawing = game_picture(self.table.opened.game)
            return Markup('<div class="picture laid" aria-hidden="true">{}</div>').format(drawing)
        names = names_of(self.table, self.say)
        last = [event for event in map(self._witness, Timeline(match).latest()) if event is not None]
        legal = match.legal(self.seat) if self.seat is not None and self.my_turn else ()
        return render_scene(
            match.game, match.view(self.seat), SceneContext(names, legal, last, self.say)
        )

    def _witness(self, event: Any) -> Any:
        assert self.table.match is not None  # noqa: S101 - only called when there is one
        return self.table.match.game.witness(event, self.seat)

    def _context(self) -> dict[str, Any]:
        table, say, opened = self.table, self.say, self.table.opened
        host = self.device == opened.host
        proposal = table.proposal
        waiting = table.status == "waiting"
        return {
            "id": table.id,
            "seat": self.seat,
            "status": table.status,
            "line": self._status_line(),
            "my_turn": self.my_turn,
            "seats": [self._seat(number, host=host) for number in range(len(table.places))],
            "default_level": default_level(opened.game).word,
            "proposal": proposal and self._proposal(),
            "may_answer": proposal is not None
            and self.seat is not None
            and self.seat not in table.agreed
            and not (proposal.what == "bot" and proposal.about == self.seat),
            "may_start": bool(table.seats_of(self.device))
            and all(place.kind in ("person", "bot") for place in table.places),
            "host": host,
            "alone": all(place.kind == "bot" or self.device in place.devices for place in table.places),
            "handed_over": self.seat is not None and bool(table.places[self.seat].level),
            "may_undo": self._may_undo(),
            "levels": levels(opened.game),
            "hints": self.my_turn and opened.hints,
            "moves": self.moves,
            "can_step_back": may_step_back(table, self.seat),
            "memory": say(MEMORY_GAME_NOTE),
            "rated": opened.rated,
            "link": waiting and opened.access != "bots",
            "commitment": opened.commitment,
            "next": table.next,
            "guide": guidance(table, self.seat, say),
            "game": opened.game,
            "log": self._log(),
            "news": self._news(),
            "silent": table.silent,
            "sits": bool(table.seats_of(self.device)),
            "may_sit": waiting and any(place.kind == "free" for place in table.places),
            "remarks": [
                {"name": name_of(table, remark.seat, say), "text": remark.text or say(remark.phrase)}
                for remark in table.remarks
            ],
        }

    def _may_undo(self) -> bool:
        """Whether to offer taking back: not if a chance outcome since then has revealed something."""
        match = self.table.match
        if match is None or self.seat is None or self.table.opened.rated:
            return False
        before = last_decision(match, self.seat, len(self.table.opened.begun))
        return before is not None and all(move.actor is not LUCK for move in match.moves[before:])

    def _seat(self, number: int, *, host: bool) -> dict[str, Any]:
        table, say = self.table, self.say
        place = table.places[number]
        waiting, playing = table.status == "waiting", table.status == "playing"
        mine, rated = table.holds(self.device, number), table.opened.rated
        stands_in = place.kind == "person" and bool(place.level)
        is_reserved_here = place.kind == "reserved" and self.device in place.devices
        # At a table continued from a replay, bots bear the names of the players: show their level.
        title = say(title_of(place.level, 1))
        bot = say("bot: {level}", level=title) if table.opened.begun else say("bot")
        notes = {"bot": bot, "reserved": say("expected")}
        note = say("a bot stands in") if stands_in else notes.get(place.kind, "")
        return {
            "name": name_of(table, number, say),
            "note": say("you") if mine and not stands_in else note,
            "mine": mine,
            # At a rated table everyone has one seat, and the server fills in their registered name.
            "kept": place.name if is_reserved_here else "?" if rated else "",
            "to_act": number in table.to_act,
            "offers_sit": waiting
            and (place.kind == "free" or is_reserved_here)
            and not (rated and table.seats_of(self.device)),
            "offers_bot": waiting and host and place.kind == "free" and not rated,
            "offers_screen": playing and mine and self.seat != number and not stands_in,
            "offers_link": mine and table.status != "finished",
            "offers_renew": host
            and not rated
            and not mine
            and place.kind == "person"
            and table.status != "finished",
            "offers_free": waiting and (mine or (host and place.kind in ("person", "bot"))),
            "offers_back": playing and mine and stands_in,
            "offers_replace": playing
            and self.seat is not None
            and not rated
            and not mine
            and place.kind == "person"
            and not stands_in,
        }

    def _status_line(self) -> str:
        table, say = self.table, self.say
        if table.match is None:
            return say("The table is laid.")
        if table.status == "finished":
            turn = table.match.turn
            assert isinstance(turn, Over)  # noqa: S101 - implied by the status
            winners = [name_of(table, seat, say) for seat in turn.result.winners]
            return say.plural(
                "The game is over: {who} wins.",
                "The game is over: {who} share the win.",
                len(winners),
                who=say.join_list(winners),
            )
        if self.my_turn and self.seat is not None and len(self._own_seats()) > 1:
            return say("{name}, it is your turn.", name=table.places[self.seat].name)
        if self.my_turn:
            return say("It is your turn.")
        names = say.join_list(name_of(table, seat, say) for seat in table.to_act)
        if self.seat is None:
            return say("You are watching. {names} to move.", names=names)
        return say("Waiting for {names}.", names=names)

    def _proposal(self) -> str:
        proposal, places = self.table.proposal, self.table.places
        assert proposal is not None  # noqa: S101 - only called when there is one
        who = places[proposal.seat].name
        if proposal.what == "undo":
            return self.say("{who} would like to take the last decision back.", who=who)
        other = places[proposal.about].name
        return self.say("{who} proposes that a bot plays for {other}.", who=who, other=other)

    def _log(self) -> list[dict[str, Any]]:
        """Return the lines of the log, the latest first, each with its moment."""
        match = self.table.match
        if match is None:
            return []
        moments, events, view = Timeline(match), match.events, match.view(self.seat)
        seen = ((n, self._witness(events[n])) for n in range(len(events) - 1, -1, -1))
        describe = self._log_writer(view)
        described = ((n, describe(event)) for n, event in seen if event is not None)
        lines = ({"text": text, "at": moments.of(n)} for n, text in described if text is not None)
        return list(islice(lines, _MAX_LOG_LINES))

    def _log_writer(self, view: Any) -> Callable[[Any], str | None]:
        """Return the function that words events for the log, where memory games say less."""
        words, names = words_of(self.table.opened.game), names_of(self.table, self.say)
        if isinstance(words, LogWords):
            retell = words.retell
            return lambda event: retell(event, view, names, self.say)
        return lambda event: words.tell(event, names, self.say)

    def _news(self) -> list[str]:
        """Return what happened last, for screen readers: in full, as it can be seen on the table."""
        match = self.table.match
        if match is None:
            return []
        words, names = words_of(match.game.info.name), names_of(self.table, self.say)
        seen = map(self._witness, Timeline(match).latest())
        sentences = (words.tell(event, names, self.say) for event in seen if event is not None)
        return [sentence for sentence in sentences if sentence is not None]


_PARTS = ("status", "seats", "lobby", "past", "log", "remarks", "talking", "news", "guide")


@dataclass(frozen=True, slots=True)
class PageFormat:
    """Encodes a table for a browser: the parts of the page in its language, as JSON."""

    say: Language
    release: str = ""

    def __call__(self, table: Table, seat: int | None, device: str) -> bytes:
        """Return the message for a viewer."""
        return msgspec.json.encode(TablePage(table, seat, device, self.say).page(self.release))


@dataclass(frozen=True, slots=True)
class _TutorialContext:
    names: Sequence[str]
    say: Language


def guidance(table: Table, seat: int | None, say: Language) -> Guidance | None:
    """Return the tutorial's advice for the current position; `None` outside tutorials."""
    match, tutorial = table.match, tutorial_of(table.opened.game)
    if not table.opened.lesson or match is None or seat is None or tutorial is None:
        return None
    return tutorial.guide(
        match.view(seat), match.events_seen_by(seat), _TutorialContext(names_of(table, say), say)
    )
