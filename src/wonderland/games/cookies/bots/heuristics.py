"""Heuristics (rules of thumb) for Cookies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from wonderland.components.bots import Budget
from wonderland.components.heuristics import Heuristic
from wonderland.engine.language import phrase
from wonderland.games.cookies.bots.levels import WhiteRabbit
from wonderland.games.cookies.rules.view import View


def most_now(view: View, legal: Sequence[Any]) -> list[Any]:
    """Choose like the White Rabbit, which considers only the current turn."""
    return [WhiteRabbit().choose(view, legal, random.Random(0), Budget())]


RULES = (
    Heuristic(
        "most-now", phrase("Take what a card gives you right now, and go as far as you can."), most_now
    ),
)
