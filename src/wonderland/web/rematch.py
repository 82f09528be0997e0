"""What is offered after a game: a rematch or another game, and the level of the next opponents."""

from __future__ import annotations

from typing import Any

from wonderland.bots.levels import levels
from wonderland.components.tutorial import tutorial_of
from wonderland.engine.language import Language
from wonderland.engine.outcome import Result
from wonderland.engine.registry import game, ranked_game_names
from wonderland.tables.table import Table
from wonderland.web.rendering import name_of


def rematch_offer(table: Table, device: str, say: Language) -> dict[str, Any] | None:
    """Return the context of the rematch buttons; `None` if there is nothing to offer."""
    own = table.seats_of(device)
    if table.status != "finished" or not (own or table.next):
        return None
    asked, seats = table.rematch_by, len(table.places)
    may_choose = not table.next and not table.opened.is_tutorial
    return {
        "seats": [
            {"seat": seat, "name": table.places[seat].name, "portrait": table.places[seat].portrait}
            for seat in own
        ],
        "next": table.next,
        "is_own": asked is not None and asked in own,
        "asked_by": "" if asked is None or asked in own else name_of(table, asked, say),
        "next_title": say(game(table.next_game).info.title) if table.next_game else "",
        "tutorial": _tutorial_page(table.next_game),
        "may_add": may_choose and seats + 1 in game(table.opened.game).info.seats,
        "others": [
            {"name": name, "title": say(game(name).info.title), "level": levels(name)[0].word}
            for name in ranked_game_names()
            if may_choose and name != table.opened.game and seats in game(name).info.seats
        ],
    }


def joining_hint(table: Table, device: str, say: Language) -> str:
    """Tell a spectator how to play along in the next game; empty for players, or if there is no room."""
    people, opened = table.people(), table.opened
    has_room = len(table.places) + 1 in game(opened.game).info.seats and not opened.is_tutorial
    if table.status != "finished" or table.next or table.seats_of(device) or not (people and has_room):
        return ""
    name, button = table.places[people[0]].name, say("One more player")
    return say("Would you like to play, too? Ask {name} to choose “{button}”.", name=name, button=button)


def _tutorial_page(name: str) -> str:
    """Return where a game is taught; empty if it has no tutorial, or there is no game."""
    return f"/learn/{name}" if name and tutorial_of(name) is not None else ""


def opponents(table: Table, device: str) -> dict[str, Any] | None:
    """Return the level of a player's opponents and the result against them; `None` unless they count.

    A player alone against bots of one level, in an ordinary game that they play themselves, is followed
    by the level of *Play now*: `static/opponents.js` says how.
    """
    own = [place for place in table.places if device in place.devices]
    levels = {place.level for place in table.places if place.kind == "bot"}
    is_alone = len(own) == 1 and all(place.kind == "bot" or place in own for place in table.places)
    is_ordinary = not table.opened.is_tutorial and (bool(table.opened.earlier) or not table.opened.begun)
    if not is_alone or len(levels) != 1 or own[0].level or not is_ordinary:
        return None
    outcome = "" if table.result is None else _outcome(table.result, table.places.index(own[0]))
    return {"level": levels.pop(), "outcome": outcome}


def _outcome(result: Result, seat: int) -> str:
    """Return how a seat did: it won, came last, or neither."""
    if seat in result.winners:
        return "won"
    return "last" if result.places[seat] == max(result.places) else "between"
