"""Score pad of Cookies: the number of cookies of each kind for every player."""

from __future__ import annotations

from typing import Any

from wonderland.engine.language import Language
from wonderland.games.cookies.rules.components import COOKIE_VALUES, SEATS, SMALL_COOKIES, large_cookies


def pad(say: Language) -> dict[str, Any]:
    """Context of the pad's template: the kinds of cookies, and the number of each in the box (C1)."""
    large = [
        {"value": value, "name": say("large cookies worth {value}", value=value)}
        for value in COOKIE_VALUES
    ]
    return {
        "kinds": [*large, {"value": 1, "name": say("small cookies worth 1")}],
        "of_each": [large_cookies(seats).count(COOKIE_VALUES[0]) for seats in SEATS],
        "small": SMALL_COOKIES,
    }
