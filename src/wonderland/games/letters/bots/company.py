"""Remarkable moments of Letters: several letters played at once, and letters lost to a menace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wonderland.components.company import Moment
from wonderland.games.letters.rules.events import CardTurned, LettersPlayed, LettersTurnedDown

_SEVERAL = 2


def moments(events: Sequence[Any | None]) -> Iterator[Moment]:
    """Find the moments that a player may remark on."""
    turner = None
    for number, event in enumerate(events):
        match event:
            case CardTurned(seat=seat):
                turner = seat
            case LettersPlayed(seat, letters) if len(letters) >= _SEVERAL:
                yield Moment(number, seat, "success")
            case LettersTurnedDown(letters) if turner is not None and len(letters) >= _SEVERAL:
                yield Moment(number, turner, "setback")
            case _:
                pass
