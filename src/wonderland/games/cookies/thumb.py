"""A rule of thumb for Cookies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from wonderland.core.bot import Budget
from wonderland.core.language import phrase
from wonderland.core.thumb import Thumb
from wonderland.games.cookies.bot import WhiteRabbit
from wonderland.games.cookies.view import View


def most_now(view: View, legal: Sequence[Any]) -> list[Any]:
    """What the White Rabbit does, who looks at nothing but this turn."""
    return [WhiteRabbit().choose(view, legal, random.Random(0), Budget())]


RULES = (
    Thumb("most-now", phrase("Take what a card gives you now, and go as far as you can."), most_now),
)
