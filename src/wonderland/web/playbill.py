"""The playbill after a game: a headline that addresses the viewer, and everyone's place and score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.engine.language import Language, phrase
from wonderland.engine.outcome import Result
from wonderland.tables.forfeits import FORFEIT

_YOU_CAME = (
    phrase("You came second."),
    phrase("You came third."),
    phrase("You came fourth."),
    phrase("You came fifth."),
    phrase("You came sixth."),
)
_CAME = (
    phrase("Second: {name}"),
    phrase("Third: {name}"),
    phrase("Fourth: {name}"),
    phrase("Fifth: {name}"),
    phrase("Sixth: {name}"),
)


def playbill(
    result: Result, names: Sequence[str], portraits: Sequence[str], viewer: int | None, say: Language
) -> dict[str, Any]:
    """Return the context of the playbill; `viewer` is the seat that is addressed as "you", if any."""
    places, reason = result.places, say(result.decided)
    winners = say.join_list(names[seat] for seat in result.winners)
    wins = say.plural("{who} wins.", "{who} share the win.", len(result.winners), who=winners)
    headline = wins if viewer is None else _line(result, viewer, "", say, is_viewer=True)
    explained = say.plural(
        "{who} wins: {reason}.",
        "{who} share the win: {reason}.",
        len(result.winners),
        who=winners,
        reason=reason,
    )
    has_named_winner = viewer is None or viewer in result.winners
    last = max(places)
    return {
        "headline": headline,
        "cheer": headline if viewer in result.winners else wins,
        "reason": say.capital(reason) if has_named_winner else explained,
        "star": portraits[viewer if viewer in result.winners else result.winners[0]],
        "rows": [
            {
                "seat": seat,
                "place": places[seat],
                "name": say("You") if seat == viewer else names[seat],
                "mine": seat == viewer,
                "portrait": portraits[seat],
                "mood": "pleased" if places[seat] == 1 else "dismayed" if places[seat] == last else "",
                "score": "" if result.ending == FORFEIT else result.scores[seat],
                "says": _line(result, seat, names[seat], say, is_viewer=seat == viewer),
            }
            for seat in sorted(range(len(places)), key=lambda seat: places[seat])
        ],
    }


def told_later(result: Result, names: Sequence[str], own: Sequence[int], say: Language) -> str:
    """Return who won, in a list of games that are over; `own` are the seats of the reader's device."""
    viewer = own[0] if len(own) == 1 else None
    if viewer in result.winners:
        return say("You won.") if len(result.winners) == 1 else say("You shared the win.")
    winners = say.join_list(names[seat] for seat in result.winners)
    won = say.plural("{who} won.", "{who} shared the win.", len(result.winners), who=winners)
    return won if viewer is None else f"{won} {_line(result, viewer, '', say, is_viewer=True)}"


def _line(result: Result, seat: int, name: str, say: Language, *, is_viewer: bool) -> str:
    """Return how one player did, in a few words."""
    place = result.places[seat]
    if place > 1:
        ordinals = _YOU_CAME if is_viewer else _CAME
        return say(ordinals[min(place - 2, len(ordinals) - 1)], name=name)
    if len(result.winners) > 1:
        return say("You share the win.") if is_viewer else say("{who} shares the win.", who=name)
    return (
        say("You win.") if is_viewer else say.plural("{who} wins.", "{who} share the win.", 1, who=name)
    )
