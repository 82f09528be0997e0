"""A table before its game starts: whom it is waiting for, and how a guest is welcomed."""

from __future__ import annotations

from typing import Any

from wonderland.components.tutorial import tutorial_of
from wonderland.engine.language import Language
from wonderland.engine.registry import game
from wonderland.tables.quick_match import start_plan
from wonderland.tables.storage.documents import now
from wonderland.tables.table import Table
from wonderland.web.portraits import COMPANY
from wonderland.web.rendering import name_of


def is_full(table: Table) -> bool:
    """Whether every seat is taken."""
    return all(place.kind in ("person", "bot") for place in table.places)


def may_start(table: Table, device: str) -> bool:
    """Whether a viewer can start the game: every seat is taken, one of them by the viewer."""
    return is_full(table) and bool(table.seats_of(device)) and not table.opened.quick


def host_name(table: Table, say: Language) -> str:
    """Return the name of the host; empty if the host has no seat."""
    seats = table.seats_of(table.opened.host)
    return name_of(table, seats[0], say) if seats else ""


def waiting_line(table: Table, device: str, say: Language) -> str:
    """Say who has to act before the game starts."""
    if table.opened.quick:
        is_about_to_start = (plan := start_plan(table)) is not None and not plan.bots
        return say("The game is about to start.") if is_about_to_start else say("Finding opponents…")
    free = sum(place.kind == "free" for place in table.places)
    absent = [place.name for place in table.places if place.kind == "reserved"]
    if free and absent:
        return say.plural(
            "Waiting for {names} and one more player.",
            "Waiting for {names} and {number} more players.",
            free,
            names=say.join_list(absent),
        )
    if free:
        return say.plural("Waiting for one more player.", "Waiting for {number} more players.", free)
    if absent:
        return say("Waiting for {names}.", names=say.join_list(absent))
    host = host_name(table, say)
    if host and device != table.opened.host and may_start(table, device):
        return say("Everyone is here. {host} or you can start the game.", host=host)
    if host and device != table.opened.host:
        return say("Everyone is here. Waiting for {host} to start the game.", host=host)
    return say("Everyone is here.")


def match_state(table: Table, device: str) -> dict[str, Any] | None:
    """Return what a player sees who waits for a quick match; `None` for everyone else."""
    seats = table.seats_of(device)
    if not table.opened.quick or table.status != "waiting" or not seats:
        return None
    plan, numbers, time = start_plan(table), table.accepted_numbers(), now()
    wait = None if plan is None else max(0, plan.at - time)
    return {
        "seat": seats[0],
        "elapsed": max(0, time - table.places[seats[0]].since),
        "starts": wait if plan is not None and not plan.bots else None,
        "bots": wait if plan is not None and plan.bots else None,
        "fewest": numbers.start,
        "most": numbers.stop - 1,
    }


def welcome(table: Table, device: str, say: Language) -> dict[str, Any] | None:
    """Return what a guest sees who can sit down: who invites them to what; `None` for everyone else."""
    is_expected = any(device in place.devices for place in table.places)
    has_room = any(place.kind == "free" for place in table.places)
    if table.status != "waiting" or table.opened.access == "bots" or is_expected or not has_room:
        return None
    title, host = say(game(table.opened.game).info.title), host_name(table, say)
    is_host = device == table.opened.host
    if is_host:
        line = ""
    elif table.opened.quick:
        names = [place.name for place in table.places if place.kind == "person"]
        line = say.plural(
            "{names} is looking for opponents.",
            "{names} are looking for opponents.",
            len(names),
            names=say.join_list(names),
        )
    elif host:
        line = say("{host} invites you to a game of {game}.", host=host, game=title)
    else:
        line = say("You're invited to a game of {game}.", game=title)
    has_tutorial = tutorial_of(table.opened.game) is not None
    return {
        "line": line,
        "portraits": COMPANY,
        "tutorial": f"/learn/{table.opened.game}" if has_tutorial and not is_host else "",
    }
