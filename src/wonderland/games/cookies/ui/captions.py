"""Captions for Cookies: where the pawn went, and what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.engine.language import Language
from wonderland.games.cookies.rules.events import (
    CardDrawn,
    CardPlayed,
    ClimbedOut,
    CookieTaken,
    CookieTurnedUp,
    FellIntoHole,
    PawnMoved,
    SmallCookiesTaken,
    SpinMade,
    StayedInHole,
)
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui.words import describe_event, space_name

COVERED = (CardDrawn, CardPlayed, CookieTurnedUp, FellIntoHole, PawnMoved, SpinMade)


def caption(events: Sequence[Any], view: View, names: Sequence[str], say: Language) -> str | None:  # noqa: ARG001 - the events say it all
    """Sum up a decision: "Hatter played 4, to space 7, Tea Party: +3"."""
    moved = next((event for event in reversed(events) if isinstance(event, PawnMoved)), None)
    played = next((event for event in events if isinstance(event, CardPlayed)), None)
    gained = sum(event.cookie for event in events if isinstance(event, CookieTaken)) + sum(
        event.number for event in events if isinstance(event, SmallCookiesTaken)
    )
    fell = next((event for event in events if isinstance(event, FellIntoHole)), None)
    if fell is not None or moved is None:
        telling = (ClimbedOut, CookieTaken, FellIntoHole, SmallCookiesTaken, StayedInHole)
        last = next((event for event in reversed(events) if isinstance(event, telling)), None)
        return _caption_spin(events, names, say) if last is None else describe_event(last, names, say)
    fields: dict[str, Any] = {
        "name": names[moved.seat],
        "space": space_name(moved.end, moved.kind, say),
        "points": f"+{gained}",
    }
    if played is None:
        if gained:
            return say("{name} moved to {space}: {points}", **fields)
        return say("{name} moved to {space}.", **fields)
    fields["number"] = f"{played.play.number}+1" if played.play.plus else played.play.number
    if gained:
        return say("{name} played {number} and moved to {space}: {points}", **fields)
    return say("{name} played {number} and moved to {space}.", **fields)


def _caption_spin(events: Sequence[Any], names: Sequence[str], say: Language) -> str | None:
    """Say who spun again, and where to; a spin after a card needs no caption."""
    if any(isinstance(event, CardPlayed) for event in events):
        return None
    spin = next((event for event in reversed(events) if isinstance(event, SpinMade)), None)
    if spin is None:
        return None
    return say("{name} spun again: space {number}.", name=names[spin.seat], number=spin.space + 1)
