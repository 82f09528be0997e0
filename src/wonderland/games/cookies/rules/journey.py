"""How a pawn travels, what the spaces do to it, and what follows: C9 to C18.

Each function changes the table and gives the stage in which it leaves it.
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

# Values that are needed all the time, made once.
_PLAYING = [Playing(seat) for seat in range(SEATS[-1])]
_DRAWING = [Drawing(seat) for seat in range(SEATS[-1])]


def steps_to_free(pawns: tuple[int, ...], seat: Seat, number: int, size: int) -> int:
    """How many spaces a pawn moves: the number, and on while another one stands there (C9)."""
    start, others, steps = pawns[seat], pawns[:seat] + pawns[seat + 1 :], number
    while (start + steps) % size in others:
        steps += 1
    return steps


def move(table: StateBuilder, seat: Seat, number: int, cats: tuple[int, ...] = ()) -> Stage:
    """C9: clockwise by the number, and on to the next space without another pawn."""
    steps = steps_to_free(table.pawns, seat, number, len(table.options.board.spaces))
    return _travel(table, seat, steps, steps - number, cats)


def _travel(
    table: StateBuilder, seat: Seat, steps: int, beyond: int, cats: tuple[int, ...] = ()
) -> Stage:
    spaces = table.options.board.spaces
    start = table.pawns[seat]
    end = (start + steps) % len(spaces)
    passed = start + steps > len(spaces)  # C10: over the Tea Party, neither to it nor from it
    table.pawns = replace_at(table.pawns, seat, end)
    table.events.append(PawnMoved(seat, start, end, spaces[end].kind, beyond, passed))
    if passed and table.larder.face_up is not None:
        _take(table, seat, TakeCookie.FACE_UP, table.larder.face_up)
        if table.larder.stack:
            return TurningUp(seat, cats)
    return arrive(table, seat, cats)


def arrive(table: StateBuilder, seat: Seat, cats: tuple[int, ...] = ()) -> Stage:
    """C11: the pawn has stopped, and the player must do what the space says."""
    space = table.pawns[seat]
    kind = table.options.board.spaces[space].kind
    if kind is PLAIN:  # most are
        return end_turn(table, seat)
    match kind:
        case Kind.CHESHIRE_CAT:
            if space not in cats:  # C16: once for a pawn in one turn
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
    """C16, C18: the number that was played or declared in this turn, with the 1 if it was added."""
    assert table.last is not None  # noqa: S101 - every turn begins with a card
    return table.last.steps


def _stop_at_tea_party(table: StateBuilder, seat: Seat) -> Stage:
    """C13: a choice, as long as there is one."""
    larder = table.larder
    if larder.stack:
        return Taking(seat)
    if larder.face_up is not None:
        _take(table, seat, TakeCookie.FACE_UP, larder.face_up)
    return end_turn(table, seat)


def take_face_up(table: StateBuilder, seat: Seat) -> Stage:
    """C13: the player chose the face-up cookie, so the next is turned up."""
    cookie = table.larder.face_up
    assert cookie is not None  # noqa: S101 - one lies there as long as there is a stack
    _take(table, seat, TakeCookie.FACE_UP, cookie)
    return TurningUp(seat)


def take_face_down(table: StateBuilder, seat: Seat, cookie: int) -> Stage:
    """C13: the player chose the top one of the stack, which is this; the face-up one stays."""
    _take(table, seat, TakeCookie.FACE_DOWN, cookie)
    return end_turn(table, seat)


def _take(table: StateBuilder, seat: Seat, which: TakeCookie, cookie: int) -> None:
    """A large cookie comes to lie in front of a player."""
    larder = table.larder
    large = replace_at(larder.large, seat, tuple(sorted((*larder.large[seat], cookie))))
    stack, face_up = larder.stack, None
    if which is TakeCookie.FACE_DOWN:
        stack, face_up = remove_one(stack, cookie), larder.face_up
    table.larder = Larder(large, larder.small, stack, face_up, larder.small_left)
    table.events.append(CookieTaken(seat, cookie, which))


def turn_up(table: StateBuilder, cookie: int) -> None:
    """C5, C10: the top one of the stack, which is this, is laid face up."""
    larder = table.larder
    stack = remove_one(larder.stack, cookie)
    table.larder = Larder(larder.large, larder.small, stack, cookie, larder.small_left)
    table.events.append(CookieTurnedUp(cookie))


def _change_size(table: StateBuilder, seat: Seat) -> None:
    """C15: small becomes large, and large small; at most one pawn is large."""
    before = table.large
    table.large = None if before == seat else seat
    if before is not None:
        table.events.append(PawnShrank(before))
    if table.large is not None:
        table.events.append(PawnGrew(seat))
        if before is not None and table.options.board.is_hole(table.pawns[before]):
            table.events.append(FellIntoHole(before))  # C17: at that moment


def spin_for_cookies(table: StateBuilder, seat: Seat, space: int) -> Stage:
    """C14: as many small cookies as the space says at which the spinner points, or all that are left."""
    _spun(table, seat, space)
    larder = table.larder
    number = min(table.options.board.spaces[space].cookies, larder.small_left)
    small = replace_at(larder.small, seat, larder.small[seat] + number)
    left = larder.small_left - number
    table.larder = Larder(larder.large, small, larder.stack, larder.face_up, left)
    table.events.append(SmallCookiesTaken(seat, number))
    return end_turn(table, seat)


def _spun(table: StateBuilder, seat: Seat, space: int) -> None:
    table.spinner = space
    table.events.append(SpinMade(seat, space))


def can_climb_to(board: Board, pawns: Sequence[int], space: int) -> bool:
    """C18: not to a Rabbit Hole, and not to a space with another pawn."""
    return not board.is_hole(space) and space not in pawns


def spin_to_climb(table: StateBuilder, seat: Seat, space: int, spins: int) -> Stage:
    """C18: one of so many spins. A choice is asked only where there is one."""
    _spun(table, seat, space)
    left = spins - 1
    if can_climb_to(table.options.board, table.pawns, space):
        return Deciding(seat, left) if left else climb_out(table, seat)
    if left:
        return Climbing(seat, left)
    table.stuck = replace_at(table.stuck, seat, True)  # noqa: FBT003 - one of a flag for each seat
    table.events.append(StayedInHole(seat))
    return end_turn(table, seat)


def climb_out(table: StateBuilder, seat: Seat) -> Stage:
    """C18: clockwise to the space at which the spinner points."""
    assert table.spinner is not None  # noqa: S101 - that spin has been accepted
    table.events.append(ClimbedOut(seat))
    steps = (table.spinner - table.pawns[seat]) % len(table.options.board.spaces)
    return _travel(table, seat, steps, 0)


def end_turn(table: StateBuilder, seat: Seat) -> Stage:
    """C12: the player draws a card; when the pile is empty the hand shrinks."""
    if pile_size(table.hands[seat], table.unseen[seat]):
        return _DRAWING[seat]
    return next_turn(table, seat)


def next_turn(table: StateBuilder, seat: Seat) -> Stage:
    """The turn goes round; C19: the game ends when everyone has played all cards."""
    following = (seat + 1) % len(table.hands)
    if table.hands[following]:
        return _PLAYING[following]
    result = result_of(table.larder.large, table.larder.small, table.pawns)
    table.events.append(GameEnded(result))
    return Ended(result)
