"""What is said about the seats of a table: in the browser and in the terminal."""

from __future__ import annotations

from wonderland.engine.language import Language, phrase

_NOTICES = {
    "removed": phrase("The host removed {name} from seat {number}."),
    "link": phrase(
        "The host made a new link for seat {number} ({name}). Anyone who opens it can play there."
    ),
    "claimed": phrase("{name} (seat {number}) now plays on a new device."),
    "shared": phrase("{name} (seat {number}) shares a device with another player."),
    "bot": phrase("{name}, a bot, takes seat {number}."),
    "departed": phrase(
        "{name} has left this rated game, and loses it unless they come back within a minute."
    ),
    "returned": phrase("{name} is back."),
    "forfeited": phrase("{name} has forfeited the game."),
}


def describe_notice(what: str, seat: int, name: str, say: Language) -> str:
    """Return what happened to a seat, in a sentence; empty if this version doesn't know it."""
    return say(_NOTICES[what], name=name, number=seat + 1) if what in _NOTICES else ""


def describe_household(names: list[str], say: Language) -> str:
    """Return why a rated game won't count, in a sentence."""
    return say(
        "This game won't count towards the ratings, because {names} play from the same home.",
        names=say.join_list(names),
    )
