"""A table as HTML for one viewer in one language: the parts of the page and the scene of the game.

Everything is rendered from the view, the legal actions and the events that this viewer may see, so the
page can't reveal more than the API. `PageFormat` sends the same parts as JSON when the table changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import msgspec
from jinja2.environment import TemplateModule
from markupsafe import Markup

from wonderland.bots import default_level
from wonderland.bots.characters import difficulty, introduce
from wonderland.components.bots import translate_bot
from wonderland.components.scene import SceneContext, hides_hands
from wonderland.components.tutorial import lessons_of
from wonderland.components.words import TurnWords, words_of
from wonderland.engine.language import Language
from wonderland.engine.registry import game
from wonderland.tables.forfeits import forfeits_at
from wonderland.tables.households import household
from wonderland.tables.names import is_bot_name
from wonderland.tables.seats import SeatState
from wonderland.tables.spare_seats import may_remove_seat
from wonderland.tables.table import Table
from wonderland.tables.undo import can_undo, is_solo
from wonderland.web.guidance import goal_of, guidance, lesson_of
from wonderland.web.history import MEMORY_GAME_NOTE, may_step_back, table_at
from wonderland.web.lobby import feature_links
from wonderland.web.narration import Narration
from wonderland.web.playbill import playbill
from wonderland.web.portraits import assign_portraits
from wonderland.web.rematch import joining_hint, opponents, rematch_offer
from wonderland.web.rendering import environment, level_options, name_of, render_scene
from wonderland.web.stand_in_notice import stand_in_notice
from wonderland.web.waiting_table import is_full, match_state, may_start, waiting_line, welcome
from wonderland.wire.commands import PHRASES
from wonderland.wire.messages import PageUpdate
from wonderland.wire.notices import describe_household, describe_notice


@cache
def _parts(say: Language) -> TemplateModule:
    """Return the macros of `table_parts.html` in a language."""
    return environment(say).get_template("table_parts.html").make_module()


def part_of_page(name: str, context: dict[str, Any], say: Language) -> Markup:
    """Render one part of a table's page in a language."""
    return Markup(getattr(_parts(say), name)(context))  # noqa: S704 - escaped by Jinja


@dataclass
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
        news = self._part("news", {"news": past._narration.summary(), "mover": past._mover()})
        html = {"scene": str(past._scene()), "news": str(news)}
        return PageUpdate(self.table.version, html, self.title, mine=False, moves=moment)

    @property
    def title(self) -> str:
        """The title of the browser tab."""
        title = self.say(game(self.table.opened.game).info.title)
        if self.my_turn:
            return f"● {self.say('Your turn')} · {title}"
        is_asked = self.seat is not None and self.table.rematch_by not in (None, *self._own_seats())
        if not is_asked:
            return title
        other = self.table.next_game
        asked = self.say(game(other).info.title) if other else self.say("Rematch")
        return f"● {asked} · {title}"

    @property
    def my_turn(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.seat is not None and self.seat in self.table.to_act

    @property
    def moves(self) -> int:
        """The number of decisions made so far."""
        timeline = self._narration.timeline
        return 0 if timeline is None else len(timeline)

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
        people = [
            {"seat": seat, "name": places[seat].name, "portrait": self._portraits[seat]}
            for seat in candidates
        ]
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
            return Markup("")  # the curtain is closed
        known = self._narration
        legal = match.legal(self.seat) if self.seat is not None and self.my_turn else ()
        return render_scene(
            match.game,
            known.view,
            SceneContext(
                known.names, legal, known.latest, self.say, self._portraits, self._bot_levels()
            ),
        )

    def _bot_levels(self) -> list[str]:
        """Return what the name of each bot or stand-in is followed by; empty for people."""

        def describe(place: SeatState) -> str:
            if place.kind == "bot":
                return self.say(difficulty(self.table.opened.game, place.level))
            return self.say("bot") if place.level else ""

        return [describe(place) for place in self.table.places]

    @cached_property
    def _narration(self) -> Narration:
        return Narration(self.table, self.seat, self.say)

    @cached_property
    def _portraits(self) -> list[str]:
        return assign_portraits(
            [place.name for place in self.table.places],
            [place.portrait for place in self.table.places],
        )

    def _context(self) -> dict[str, Any]:
        table, say, opened = self.table, self.say, self.table.opened
        host, portraits = self.device == opened.host, self._portraits
        proposal = table.proposal
        waiting, narration = table.status == "waiting", self._narration
        return {
            "id": table.id,
            "seat": self.seat,
            "status": table.status,
            "line": self._status_line(),
            "my_turn": self.my_turn,
            "seats": [
                self._seat(number, host=host) | {"portrait": portrait}
                for number, portrait in enumerate(portraits)
            ],
            "default_level": default_level(opened.game).word,
            "proposal": self._proposal(),
            "may_answer": proposal is not None
            and self.seat is not None
            and self.seat not in table.agreed
            and not (proposal.what == "bot" and proposal.about == self.seat),
            "may_start": waiting and may_start(table, self.device),
            "is_full": waiting and is_full(table),
            "welcome": welcome(table, self.device, say),
            "match": match_state(table, self.device),
            "moved": table.moved.get(self.device, ""),
            "host": host,
            "has_host": bool(table.seats_of(opened.host)),
            "alone": is_solo(table),
            "handed_over": self.seat is not None and bool(table.places[self.seat].level),
            "departed": self.seat is not None and forfeits_at(table, self.seat) is not None,
            "stand_in": stand_in_notice(table, self.seat, say),
            "may_undo": self.seat is not None and can_undo(table, self.seat),
            "levels": level_options(opened.game),
            "hints": self.my_turn and opened.hints,
            "moves": self.moves,
            "can_step_back": may_step_back(table, narration.view),
            "memory": say(MEMORY_GAME_NOTE),
            "rated": opened.rated,
            "uncounted": self._household(),
            "link": waiting and opened.access != "bots" and not opened.quick,
            "invites": opened.access != "bots",
            "commitment": opened.commitment,
            "rematch": rematch_offer(table, self.device, say),
            "joining_hint": joining_hint(table, self.device, say),
            "starts_itself": bool(opened.earlier),
            "opponents": opponents(table, self.device),
            "playbill": self._playbill(portraits),
            "links": feature_links(opened.game) if table.status == "finished" else {},
            "guide": guidance(table, self.seat, say),
            "lesson": lesson_of(table, say),
            "lessons": bool(lessons_of(opened.game)),
            "goal": goal_of(table, self.seat, say),
            "game": opened.game,
            "is_tutorial": opened.is_tutorial,
            "log": narration.log(),
            "news": narration.summary(),
            "mover": self._mover(),
            "remark": narration.remark(),
            "silent": table.silent,
            "sits": bool(table.seats_of(self.device)),
            "may_sit": waiting and any(place.kind == "free" for place in table.places),
            "remarks": self._remarks(),
        }

    def _mover(self) -> str:
        """Return the portrait of the player who made the last decision; empty before the first."""
        moments = self._narration.timeline
        seat = None if moments is None else moments.mover()
        return "" if seat is None else self._portraits[seat]

    def _household(self) -> str:
        """Return why a rated game won't count; empty if it will."""
        names = [name_of(self.table, seat, self.say) for seat in household(self.table)]
        return describe_household(names, self.say) if names else ""

    def _remarks(self) -> list[dict[str, str]]:
        """Return the chat, and what happened to seats, in order; the latter has no sender."""
        table, say = self.table, self.say
        found = [
            (one.version, {"name": one.name or name_of(table, one.seat, say), "text": text})
            for one in table.remarks
            for text in (one.text or say(PHRASES[one.phrase]),)
        ]
        found += [
            (one.version, {"name": "", "text": describe_notice(one.what, one.seat, name, say)})
            for one in table.notices
            for name in (translate_bot(one.name, say) if one.what == "bot" else one.name,)
        ]
        return [line for _, line in sorted(found, key=lambda each: each[0])]

    def _playbill(self, portraits: list[str]) -> dict[str, Any] | None:
        """Return the context of the playbill after the game; on a shared screen nobody is "you"."""
        result = self.table.result
        if result is None:
            return None
        viewer = self.seat if len(self.table.seats_of(self.device)) == 1 else None
        return playbill(result, self._narration.names, portraits, viewer, self.say)

    def _seat(self, number: int, *, host: bool) -> dict[str, Any]:
        table, say = self.table, self.say
        place = table.places[number]
        waiting, playing = table.status == "waiting", table.status == "playing"
        mine, rated = table.holds(self.device, number), table.opened.rated
        sits = bool(table.seats_of(self.device))
        stands_in = place.kind == "person" and bool(place.level)
        returns = sits and bool(table.opened.earlier)  # for a rematch
        is_reserved_here = place.kind == "reserved" and self.device in place.devices
        hard = say(difficulty(table.opened.game, place.level)) if place.level else ""
        notes = {"bot": say("bot: {level}", level=hard), "reserved": say("not here yet")}
        note = say("a bot is standing in") if stands_in else notes.get(place.kind, "")
        if place.kind == "person" and not note and is_bot_name(place.name):
            note = say("not a bot")
        return {
            "name": name_of(table, number, say),
            "note": say("you") if mine and not stands_in else note,
            "mine": mine,
            "bot": bool(place.level),
            "about": introduce(table.opened.game, place.name, place.level, say)
            if place.kind == "bot"
            else "",
            # At a rated table everyone has one seat, and the server fills in their registered name.
            "kept": place.name if is_reserved_here else "?" if rated else "",
            "to_act": number in table.to_act,
            # Guests have one button for any free seat, `welcome`.
            "offers_sit": waiting
            and (is_reserved_here or (place.kind == "free" and sits))
            and not ((rated or table.opened.quick) and sits),
            "offers_bot": waiting and not rated and place.kind == "free" and (host or returns),
            "offers_stand_in": waiting and not rated and place.kind == "reserved" and returns,
            "offers_screen": playing and mine and self.seat != number and not stands_in,
            "offers_link": mine and table.status != "finished",
            # Later, whoever opened the link would see the hand.
            "offers_renew": waiting and host and not rated and not mine and place.kind == "person",
            "offers_free": waiting
            and not table.opened.quick
            and (
                mine
                or (host and place.kind in ("person", "bot"))
                or may_remove_seat(table, self.device, number)
            ),
            "offers_back": playing and mine and (stands_in or place.departed is not None),
        }

    def _status_line(self) -> str:
        table, say = self.table, self.say
        if table.match is None:
            return waiting_line(table, self.device, say)
        if table.result is not None:
            winners = [name_of(table, seat, say) for seat in table.result.winners]
            return say.plural(
                "Game over: {who} wins.",
                "Game over: {who} share the win.",
                len(winners),
                who=say.join_list(winners),
            )
        if self.my_turn and self.seat is not None and len(self._own_seats()) > 1:
            return say("{name}, it's your turn.", name=table.places[self.seat].name)
        if self.my_turn:
            words, view = words_of(table.opened.game), table.match.view(self.seat)
            prompts = [words.prompt(view, say)] if isinstance(words, TurnWords) else []
            return say.sentences([say("It's your turn."), *prompts])
        names = say.join_list(name_of(table, seat, say) for seat in table.to_act)
        if self.seat is None:
            return say("You're watching. {names} to move.", names=names)
        return say("Waiting for {names}.", names=names)

    def _proposal(self) -> str:
        """Return what somebody asks of the others, or their answer to this seat; empty if nothing."""
        table, places, say = self.table, self.table.places, self.say
        proposal = table.proposal
        if proposal is None:
            asked, seat = table.declined or (None, 0)
            is_mine = asked is not None and asked.what == "undo" and asked.seat == self.seat
            return say("{name} declined. Your move stands.", name=places[seat].name) if is_mine else ""
        who = places[proposal.seat].name
        if proposal.what == "undo" and proposal.seat == self.seat:
            awaited = [seat for seat in table.people() if seat not in table.agreed]
            names = say.join_list(places[seat].name for seat in awaited)
            return say("You've asked to take back your move. Waiting for {names} to agree.", names=names)
        if proposal.what == "undo":
            return say("{who} would like to take back the last move.", who=who)
        other = places[proposal.about].name
        return say("{who} suggests letting a bot play for {other}.", who=who, other=other)


_PARTS = (
    "status",
    "stand_in",
    "help",
    "seats",
    "lobby",
    "ending",
    "past",
    "log",
    "remarks",
    "talking",
    "news",
    "remark",
    "goal",
    "guide",
)


@dataclass(frozen=True, slots=True)
class PageFormat:
    """Encodes a table for a browser: the parts of the page in its language, as JSON."""

    say: Language
    release: str = ""

    def __call__(self, table: Table, seat: int | None, device: str) -> bytes:
        """Return the message for a viewer."""
        return msgspec.json.encode(TablePage(table, seat, device, self.say).page(self.release))
