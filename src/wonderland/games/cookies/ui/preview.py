"""Preview of the certain effects of an action in Cookies, and the letters of the pawns."""

from __future__ import annotations

from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.events import CookieTaken, PawnMoved
from wonderland.games.cookies.rules.rules import certain_step, legal
from wonderland.games.cookies.rules.state import Action, Deciding, Playing, State, TakeCookie, Taking
from wonderland.games.cookies.rules.view import View, observed_state


class Preview(Value, frozen=True):
    """The certain effects of an action."""

    stops: tuple[tuple[int, str], ...] = ()
    """Spaces where the pawn would stop, with its mark; several if a Cheshire Cat sends it on."""
    cookie: TakeCookie | None = None
    """The large cookie it would take first."""
    spins: bool = False


def foresee(view: View, marked: object) -> Preview:
    """Preview the marked action, if it is legal."""
    stage, before = view.stage, observed_state(view)
    if isinstance(stage, Playing | Taking | Deciding):
        for action in legal(before, stage.seat):
            if action == marked:
                return _preview(before, stage.seat, action)
    return Preview()


def _preview(before: State, seat: Seat, action: Action) -> Preview:
    if isinstance(action, TakeCookie):
        return Preview(cookie=action)
    after, events = certain_step(before, seat, action)
    ends = [event.end for event in events if isinstance(event, PawnMoved)]
    if not ends:
        return Preview(spins=True)
    on_the_way, at_the_end = f"→{pawn_letter(before, seat)}→", f"→{pawn_mark(after, seat)}"
    marks = [*[on_the_way] * (len(ends) - 1), at_the_end]
    taken = any(isinstance(event, CookieTaken) for event in events)
    return Preview(tuple(zip(ends, marks, strict=True)), TakeCookie.FACE_UP if taken else None)


def pawn_letter(table: View | State, seat: Seat) -> str:
    """Letter of a pawn: a capital if the pawn is large."""
    return "ABCD"[seat] if table.large == seat else "abcd"[seat]


def pawn_mark(table: View | State, seat: Seat) -> str:
    """Letter of a pawn, with an arrow if it is down the Rabbit Hole."""
    return pawn_letter(table, seat) + ("↓" if table.in_hole(seat) else "")
