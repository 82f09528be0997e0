"""Movement of the pawns, effects of the spaces, and the end of a turn: C9 to C18.

Functions that take a `StateBuilder` modify it and return the next stage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wonderland.games.cookies.rules.board import PLAIN, Kind
from wonderland.games.cookies.rules.components import SEATS
from wonderland.games.cookies.rules.events import (
    ClimbedOut,
    CookieTaken,
    CookieTurnedUp,
    FellIntoHole,
    GameEnded,
    PawnGrew,
    PawnMoved,
    PawnShrank,
    SentOn,
    SmallCookiesTaken,
    SpinMade,
    StayedInHole,
)
from wonderland.games.cookies.rules.scoring import result_of
from wonderland.games.cookies.rules.state import (
    Climbing,
    Deciding,
    Drawing,
    Ended,
    Larder,
    Playing,
    Spinning,
    Stage,
    TakeCookie,
    Taking,
    TurningUp,
    pile_size,
)
from wonderland.games.cookies.rules.state_builder import StateBuilder, remove_one, replace_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.cookies.rules.board import Board

TEA_PARTY = 0

# Created once, because they are needed on almost every turn.
_PLAYING = [Playing(seat) for seat in range(SEATS[-1])]
_DRAWING = [Drawing(seat) for seat in range(SEATS[-1])]


def steps_to_free(pawns: tuple[int, ...], seat: Seat, number: int, size: int) -> int:
    """Number of spaces a pawn moves: `number`, then on past occupied spaces (C9)."""
    start, others, steps = pawns[seat], pawns[:seat] + pawns[seat + 1 :], number
    while (start + steps) % size in others:
        steps += 1
    return steps


def move(table: StateBuilder, seat: Seat, number: int, cats: tuple[int, ...] = ()) -> Stage:
    """Move clockwise by `number`, then on to the next space without another pawn (C9)."""
    steps = steps_to_free(table.pawns, seat, number, len(table.options.board.spaces))
    return _travel(table, seat, steps, steps - number, cats)


def _travel(
    table: StateBuilder, seat: Seat, steps: int, beyond: int, cats: tuple[int, ...] = ()
) -> Stage:
    spaces = table.options.board.spaces
    start = table.pawns[seat]
    end = (start + steps) % len(spaces)
    passed = start + steps > len(
        spaces
    )  # C10: past the Tea Party; stopping on or leaving it doesn't count
    table.pawns = replace_at(table.pawns, seat, end)
    table.events.append(PawnMoved(seat, start, end, spaces[end].kind, beyond, passed))
    if passed and table.larder.face_up is not None:
        _take(table, seat, TakeCookie.FACE_UP, table.larder.face_up)
        if table.larder.stack:
            return TurningUp(seat, cats)
    return arrive(table, seat, cats)


def arrive(table: StateBuilder, seat: Seat, cats: tuple[int, ...] = ()) -> Stage:
    """Carry out the effect of the space on which the pawn has stopped (C11)."""
    space = table.pawns[seat]
    kind = table.options.board.spaces[space].kind
    if kind is PLAIN:  # by far the most common kind
        return end_turn(table, seat)
    match kind:
        case Kind.CHESHIRE_CAT:
            if space not in cats:  # C16: each space once per turn
                number = number_played(table)
                table.events.append(SentOn(seat, number))
                return move(table, seat, number, (*cats, space))
        case Kind.TEA_PARTY:
            return _stop_at_tea_party(table, seat)
        case Kind.SMALL_COOKIES:
            if table.larder.small_left:  # C14: with none left the space is plain
                return Spinning(seat)
        case Kind.CATERPILLAR:
            _change_size(table, seat)
        case Kind.RABBIT_HOLE:
            if table.large != seat:  # C17: a large pawn stands on it
                table.events.append(FellIntoHole(seat))
        case _:
            assert_never(kind)
    return end_turn(table, seat)


def number_played(table: StateBuilder) -> int:
    """The number played or declared this turn, including the added 1 (C16, C18)."""
    assert table.last is not None  # noqa: S101 - every turn starts with a card
    return table.last.steps


def _stop_at_tea_party(table: StateBuilder, seat: Seat) -> Stage:
    """Offer the choice of a large cookie, if there is more than one to choose from (C13)."""
    larder = table.larder
    if larder.stack:
        return Taking(seat)
    if larder.face_up is not None:
        _take(table, seat, TakeCookie.FACE_UP, larder.face_up)
    return end_turn(table, seat)


def take_face_up(table: StateBuilder, seat: Seat) -> Stage:
    """Take the face-up cookie; the next one is then turned up (C13)."""
    cookie = table.larder.face_up
    assert cookie is not None  # noqa: S101 - there is one as long as there is a stack
    _take(table, seat, TakeCookie.FACE_UP, cookie)
    return TurningUp(seat)


def take_face_down(table: StateBuilder, seat: Seat, cookie: int) -> Stage:
    """Take the top cookie of the stack, which turns out to be `cookie`; the face-up one stays (C13)."""
    _take(table, seat, TakeCookie.FACE_DOWN, cookie)
    return end_turn(table, seat)


def _take(table: StateBuilder, seat: Seat, which: TakeCookie, cookie: int) -> None:
    """Give a large cookie to a player."""
    larder = table.larder
    large = replace_at(larder.large, seat, tuple(sorted((*larder.large[seat], cookie))))
    stack, face_up = larder.stack, None
    if which is TakeCookie.FACE_DOWN:
        stack, face_up = remove_one(stack, cookie), larder.face_up
    table.larder = Larder(large, larder.small, stack, face_up, larder.small_left)
    table.events.append(CookieTaken(seat, cookie, which))


def turn_up(table: StateBuilder, cookie: int) -> None:
    """Turn the top cookie of the stack, which is `cookie`, face up (C5, C10)."""
    larder = table.larder
    stack = remove_one(larder.stack, cookie)
    table.larder = Larder(larder.large, larder.small, stack, cookie, larder.small_left)
    table.events.append(CookieTurnedUp(cookie))


def _change_size(table: StateBuilder, seat: Seat) -> None:
    """Make a small pawn large, or a large one small; at most one pawn is large (C15)."""
    before = table.large
    table.large = None if before == seat else seat
    if before is not None:
        table.events.append(PawnShrank(before))
    if table.large is not None:
        table.events.append(PawnGrew(seat))
        if before is not None and table.options.board.is_hole(table.pawns[before]):
            table.events.append(FellIntoHole(before))  # C17: as soon as it shrinks


def spin_for_cookies(table: StateBuilder, seat: Seat, space: int) -> Stage:
    """Take the number of small cookies shown by the spinner, or all that are left (C14)."""
    _record_spin(table, seat, space)
    larder = table.larder
    number = min(table.options.board.spaces[space].cookies, larder.small_left)
    small = replace_at(larder.small, seat, larder.small[seat] + number)
    left = larder.small_left - number
    table.larder = Larder(larder.large, small, larder.stack, larder.face_up, left)
    table.events.append(SmallCookiesTaken(seat, number))
    return end_turn(table, seat)


def _record_spin(table: StateBuilder, seat: Seat, space: int) -> None:
    table.spinner = space
    table.events.append(SpinMade(seat, space))


def can_climb_to(board: Board, pawns: Sequence[int], space: int) -> bool:
    """Whether a pawn may climb to this space: not to a Rabbit Hole, nor to an occupied space (C18)."""
    return not board.is_hole(space) and space not in pawns


def spin_to_climb(table: StateBuilder, seat: Seat, space: int, spins: int) -> Stage:
    """Use one of `spins` spins; the player is asked only if there is a choice (C18)."""
    _record_spin(table, seat, space)
    left = spins - 1
    if can_climb_to(table.options.board, table.pawns, space):
        return Deciding(seat, left) if left else climb_out(table, seat)
    if left:
        return Climbing(seat, left)
    table.stuck = replace_at(table.stuck, seat, True)  # noqa: FBT003 - the flag of one seat
    table.events.append(StayedInHole(seat))
    return end_turn(table, seat)


def climb_out(table: StateBuilder, seat: Seat) -> Stage:
    """Move clockwise to the space the spinner points at (C18)."""
    assert table.spinner is not None  # noqa: S101 - a spin was accepted
    table.events.append(ClimbedOut(seat))
    steps = (table.spinner - table.pawns[seat]) % len(table.options.board.spaces)
    return _travel(table, seat, steps, 0)


def end_turn(table: StateBuilder, seat: Seat) -> Stage:
    """Let the player draw a card; once the pile is empty, the hand shrinks (C12)."""
    if pile_size(table.hands[seat], table.unseen[seat]):
        return _DRAWING[seat]
    return next_turn(table, seat)


def next_turn(table: StateBuilder, seat: Seat) -> Stage:
    """Pass the turn to the next seat; the game ends when all cards are played (C19)."""
    following = (seat + 1) % len(table.hands)
    if table.hands[following]:
        return _PLAYING[following]
    result = result_of(table.larder.large, table.larder.small, table.pawns)
    table.events.append(GameEnded(result))
    return Ended(result)
