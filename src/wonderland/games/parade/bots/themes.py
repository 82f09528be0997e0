"""Themes of questions in Parade, derived from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from wonderland.components.themes import Theme
from wonderland.engine.language import phrase
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.parade.bots.levels import is_last_round
from wonderland.games.parade.rules.components import Colour
from wonderland.games.parade.rules.rules import has_all_colours, split_parade
from wonderland.games.parade.rules.scoring import ScoreSheet, score_sheets
from wonderland.games.parade.rules.state import Action, KeepCards, Keeping, PlayCard
from wonderland.games.parade.rules.view import View

THEMES = (
    Theme("majority", phrase("Majorities")),
    Theme("points-now", phrase("Points now or later")),
    Theme("denial", phrase("Points for the others")),
    Theme("race", phrase("The race for the last round")),
    Theme("sixth-colour", phrase("Starting the last round")),
    Theme("last-round", phrase("The last round")),
    Theme("keep-two", phrase("Keeping two cards")),
    Theme("safe-card", phrase("A safe card in hand")),
)
_NEARLY_ALL = len(Colour) - 1


def of_position(view: View) -> Iterator[str]:
    """Yield the themes of a position."""
    if isinstance(view.stage, Keeping):
        yield "keep-two"
        return
    if is_last_round(view.stage):
        yield "last-round"
        return
    most = max(len({card.colour for card in zone}) for zone in view.zones)
    if most >= _NEARLY_ALL or view.pile <= len(view.hands):  # P8
        yield "race"
    hand = [card for card in view.hands[view.seat or 0] if card is not FACE_DOWN]
    if any(card.value >= len(view.parade) for card in hand):  # P5
        yield "safe-card"


def of_choice(view: View, action: Action) -> Iterator[str]:
    """Yield the themes of a choice, judging by the face-up cards alone."""
    seat = view.seat or 0
    if isinstance(action, PlayCard):
        taken, _ = split_parade(view.parade, action.card)
    else:
        assert isinstance(action, KeepCards)  # noqa: S101 - seats have no other choices
        taken = [action.first, action.second]
    zones = list(view.zones)
    zones[seat] = (*zones[seat], *taken)
    before, after = score_sheets(view.zones), score_sheets(zones)
    if [_majorities(sheet) for sheet in before] != [_majorities(sheet) for sheet in after]:
        yield "majority"
    others = [owner for owner in range(len(zones)) if owner != seat]
    if any(after[owner].total > before[owner].total for owner in others):
        yield "denial"
    if after[seat].total > before[seat].total:
        yield "points-now"
    if has_all_colours(zones[seat]) and not is_last_round(view.stage):
        yield "sixth-colour"


def _majorities(sheet: ScoreSheet) -> list[bool]:
    return [colour.majority for colour in sheet.colours]
