"""A table as HTML for one viewer in one language: the parts of the shell, and the scene of the game.

All of it is made from what `tables.shown` would send to the same viewer, so it can't say more. `Page` is
the form in which a browser is told of changes: the same parts, as JSON with HTML inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader
from markupsafe import Markup

from wonderland.bots import default_level
from wonderland.core.protocol import Over
from wonderland.core.registry import game, game_names, package, part
from wonderland.core.words import words_of
from wonderland.tables.table import Table
from wonderland.web.language import Language

_LOG_LINES = 60


class PageShown(msgspec.Struct, frozen=True, tag_field="type", tag="page"):
    """What a browser is sent when a table changes."""

    version: int
    html: dict[str, str]
    title: str
    mine: bool
    """Whether it is the reader's turn."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game's `scene` may use besides the view."""

    names: Sequence[str]
    legal: Sequence[Any]
    """What the viewer may do now; empty for a spectator and when it is another's turn."""
    last: Sequence[Any]
    """The events since the last decision before, as the viewer saw them: what to mark as new."""
    say: Language


@cache
def environment() -> Environment:
    """Where the templates are: the shell's own, and each game's under its name."""
    games = {
        name: PackageLoader(package(name)) for name in game_names() if part(name, "web") is not None
    }
    return Environment(
        loader=ChoiceLoader([PackageLoader("wonderland.web"), PrefixLoader(games)]),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(template: str, say: Language, **context: Any) -> Markup:
    """A template in a language."""
    return Markup(environment().get_template(template).render(say.context() | context))  # noqa: S704 - escaped by Jinja


@cache
def picture(name: str) -> Markup:
    """The picture of a game."""
    drawing = files(package(name)) / "static" / f"{name}.svg"
    return Markup(drawing.read_text(encoding="utf-8"))  # noqa: S704 - our own drawing


@dataclass(slots=True)
class Drawn:
    """One table for one viewer."""

    table: Table
    seat: int | None
    device: str
    say: Language

    def parts(self) -> dict[str, Markup]:
        """All parts of the page that change."""
        context = self._context()
        module = environment().get_template("parts.html").make_module(self.say.context())
        parts = {name: Markup(getattr(module, name)(context)) for name in _PARTS}  # noqa: S704 - the same
        return parts | {"scene": self._scene()}

    @property
    def title(self) -> str:
        """What stands in the tab of the browser."""
        title = game(self.table.opened.game).info.title
        return f"● {self.say('Your turn')} · {title}" if self.my_turn else title

    @property
    def my_turn(self) -> bool:
        """Whether the viewer is to act."""
        return self.seat is not None and self.seat in self.table.to_act

    def _scene(self) -> Markup:
        match = self.table.match
        name = self.table.opened.game
        web = part(name, "web")
        if web is None:
            return Markup("")
        if match is None:
            return Markup('<div class="picture laid" aria-hidden="true">{}</div>').format(picture(name))
        names = match.names
        last = [event for event in map(self._witness, _latest(match)) if event is not None]
        legal = match.legal(self.seat) if self.seat is not None and self.my_turn else ()
        setting = Setting(names, legal, last, self.say)
        return rendered(f"{name}/scene.html", self.say, **web.scene(match.view(self.seat), setting))

    def _witness(self, event: Any) -> Any:
        assert self.table.match is not None  # noqa: S101 - only asked when there is one
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
            "line": self._line(),
            "my_turn": self.my_turn,
            "seats": [self._seat(number, host=host) for number in range(len(table.places))],
            "usual_bot": default_level(opened.game).word,
            "proposal": proposal and self._proposal(),
            "may_answer": proposal is not None
            and self.seat is not None
            and self.seat not in table.agreed
            and not (proposal.what == "bot" and proposal.about == self.seat),
            "may_start": bool(table.seats_of(self.device))
            and all(place.kind in ("person", "bot") for place in table.places),
            "link": waiting and opened.access != "bots",
            "commitment": opened.commitment,
            "next": table.next,
            "log": self._log(),
            "news": self._news(),
            "silent": table.silent,
            "may_sit": waiting and not table.seats_of(self.device),
            "remarks": [
                {"name": table.places[remark.seat].name, "text": remark.text or say(remark.phrase)}
                for remark in table.remarks
            ],
        }

    def _seat(self, number: int, *, host: bool) -> dict[str, Any]:
        table, say = self.table, self.say
        place = table.places[number]
        waiting, playing = table.status == "waiting", table.status == "playing"
        mine = table.holds(self.device, number)
        stands_in = place.kind == "person" and bool(place.level)
        kept = place.kind == "reserved" and self.device in place.devices
        notes = {"bot": say("bot"), "reserved": say("expected")}
        note = say("a bot stands in") if stands_in else notes.get(place.kind, "")
        return {
            "name": place.name,
            "note": say("you") if mine and not stands_in else note,
            "mine": mine,
            "kept": place.name if kept else "",
            "to_act": number in table.to_act,
            "offers_sit": waiting and (place.kind == "free" or kept),
            "offers_bot": waiting and host and place.kind == "free",
            "offers_free": waiting and (mine or (host and place.kind in ("person", "bot"))),
            "offers_back": playing and mine and stands_in,
            "offers_replace": playing
            and self.seat is not None
            and not mine
            and place.kind == "person"
            and not stands_in,
        }

    def _line(self) -> str:
        table, say = self.table, self.say
        if table.match is None:
            return say("The table is laid.")
        if table.status == "finished":
            turn = table.match.turn
            assert isinstance(turn, Over)  # noqa: S101 - which finished means
            winners = [table.match.names[seat] for seat in turn.result.winners]
            one, more = "The game is over: {who} wins.", "The game is over: {who} share the win."
            return say.plural(one, more, len(winners), who=", ".join(winners))
        if self.my_turn:
            return say("It is your turn.")
        names = ", ".join(table.places[seat].name for seat in table.to_act)
        return say("Waiting for {names}.", names=names)

    def _proposal(self) -> str:
        proposal, places = self.table.proposal, self.table.places
        assert proposal is not None  # noqa: S101 - only asked when there is one
        who = places[proposal.seat].name
        if proposal.what == "undo":
            return self.say("{who} would like to take the last decision back.", who=who)
        other = places[proposal.about].name
        return self.say("{who} proposes that a bot plays for {other}.", who=who, other=other)

    def _log(self) -> list[str]:
        match = self.table.match
        events = [] if match is None else reversed(match.witnessed(self.seat))
        return list(islice(self._told(events), _LOG_LINES))

    def _news(self) -> list[str]:
        """What happened last, to be read aloud."""
        match = self.table.match
        events = [] if match is None else [self._witness(event) for event in _latest(match)]
        return list(self._told(event for event in events if event is not None))

    def _told(self, events: Iterable[Any]) -> Iterator[str]:
        """Events in words; of some there is nothing to tell."""
        match = self.table.match
        if match is None:
            return
        words, view = words_of(match.game.info.name), match.view(self.seat)
        retell = getattr(words, "retell", None)
        for event in events:
            told = retell(event, view, match.names) if retell else words.tell(event, match.names)
            if told is not None:
                yield told


_PARTS = ("status", "seats", "lobby", "log", "remarks", "news")


def _latest(match: Any) -> list[Any]:
    """The events of the last decision, and of what luck added to it."""
    decisions = [number for number, move in enumerate(match.moves) if isinstance(move.actor, int)]
    if not decisions:
        return []
    earlier = match.before_move(decisions[-1])
    return list(match.events[earlier:])


@dataclass(frozen=True, slots=True)
class PageForm:
    """The form in which a browser is told of a table, in its language."""

    say: Language

    def __call__(self, table: Table, seat: int | None, device: str) -> bytes:
        """The message for a viewer."""
        drawn = Drawn(table, seat, device, self.say)
        html = {name: str(part) for name, part in drawn.parts().items()}
        return msgspec.json.encode(PageShown(table.version, html, drawn.title, drawn.my_turn))
