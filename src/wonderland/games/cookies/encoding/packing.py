"""Conversion between states of Cookies and the 64-bit words of the kernel.

The words come in the order of `FastPlay.load` in `compiled/play.py`, where the layout of hands, piles
and cookies within a word is described too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.games.cookies.rules.board import Board, Kind, Space
from wonderland.games.cookies.rules.components import COOKIE_VALUES, SEATS, Card
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.scoring import ENDING, points, result_of
from wonderland.games.cookies.rules.state import (
    Action,
    Answer,
    Climbing,
    Cookie,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Hand,
    Larder,
    PlayCard,
    Playing,
    Side,
    Spin,
    Spinning,
    Stage,
    Starting,
    StartWith,
    State,
    TakeCookie,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
)

ENDINGS: Sequence[str] = (ENDING,)

_STAGES: tuple[type[Stage], ...] = (
    Starting,
    Dealing,
    TurningFirst,
    Playing,
    Climbing,
    Deciding,
    Spinning,
    Taking,
    TakingDown,
    TurningUp,
    Drawing,
    Ended,
)
_KINDS = tuple(Kind)
_NOBODY = 4
_MAX_SEATS = SEATS[-1]
_RIGHT, _PLUS, _WALK = 10, 20, 40
_WORDS: dict[Action, int] = {
    TakeCookie.FACE_UP: 60,
    TakeCookie.FACE_DOWN: 61,
    Answer.ACCEPT: 62,
    Answer.AGAIN: 63,
}
_ACTION_OF = {number: action for action, number in _WORDS.items()}


def number(action: Action) -> int:
    """Return the number of a seat's action, from 0 to 63, or of a chance outcome."""
    match action:
        case PlayCard(side, card, value, plus, walk):
            joker = 5 if card is Card.JOKER else 0
            return value - 1 + joker + _RIGHT * side + _PLUS * plus + _WALK * walk
        case TakeCookie() | Answer():
            return _WORDS[action]
        case Card():
            return int(action)
        case Cookie(value):
            return value
        case Spin(space):
            return space
        case StartWith(seat):
            return seat
        case _:
            raise UsageError("the kernel needs every card, so none can be face down.")


def action(number: int, state: State) -> Action:
    """Return the action or chance outcome that has this number in this state."""
    match state.stage:
        case Playing():
            return _unpack_play(number)
        case Taking() | Deciding():
            return _ACTION_OF[number]
        case Dealing() | Drawing():
            return Card(number)
        case Climbing() | Spinning():
            return Spin(number)
        case Starting():
            return StartWith(number)
        case _:
            return Cookie(number)


def _unpack_play(number: int) -> PlayCard:
    side = Side(number // _RIGHT % 2)
    value = number % 5 + 1
    card = Card.JOKER if number % 10 >= 5 else Card(value)
    return PlayCard(side, card, value, plus=_PLUS <= number < _WALK, walk=number >= _WALK)


def pack(state: State) -> list[int]:
    """Encode a state as words."""
    if any(FACE_DOWN in hand for hand in state.hands):
        raise UsageError("a state with face-down cards can't be packed. Sample a full state first.")
    stage, larder, options = state.stage, state.larder, state.options
    cats = stage.cats if isinstance(stage, TurningUp) else ()
    seats = len(state.hands)
    return [
        _STAGES.index(type(stage)),
        _seat_of(stage),
        _start_player(state),
        stage.spins if isinstance(stage, Climbing | Deciding) else 0,
        _NOBODY if state.large is None else state.large,
        sum(1 << seat for seat in range(seats) if state.stuck[seat]),
        0 if state.spinner is None else state.spinner + 1,
        0 if state.last is None else number(state.last) + 1,
        larder.face_up or 0,
        larder.small_left,
        _count_kinds(larder.stack),
        sum(1 << cat for cat in cats),
        len(cats),
        seats,
        len(options.board.spaces),
        options.hand_size,
        int(options.hands == "open"),
        int(options.kind_hole),
        *_pad_seats(state.pawns),
        *_pad_seats(
            sum(card << 3 * at for at, card in enumerate(_face_up_cards(hand))) for hand in state.hands
        ),
        *_pad_seats(
            _count_kinds(large) + points(large, small) + (small << 24)
            for large, small in zip(larder.large, larder.small, strict=True)
        ),
        *_pad_seats(map(_count_kinds, state.unseen)),
        *(_to_bits(cats[first : first + 10], 6) for first in range(0, 40, 10)),
        *(
            _to_bits(row, 4)
            for row in _split_rows([_KINDS.index(space.kind) for space in options.board.spaces])
        ),
        *(_to_bits(row, 4) for row in _split_rows([space.cookies for space in options.board.spaces])),
    ]


def unpack(words: Sequence[int]) -> State:
    """Decode words into a state."""
    _, _, _, _, large, stuck, spinner, last, face_up, small_left, stack = words[:11]
    seats, size, hand_size, is_open, kind_hole = words[13:18]
    pawns, hands, taken, piles = (tuple(words[at : at + seats]) for at in (18, 22, 26, 30))
    kinds, cookies = (_from_bits(words[at : at + 3], 4, 16, size) for at in (38, 41))
    board = Board(
        tuple(Space(_KINDS[kind], number) for kind, number in zip(kinds, cookies, strict=True))
    )
    larder = Larder(
        tuple(_expand_counts(each) for each in taken),
        tuple(each >> 24 & 0xFF for each in taken),
        _expand_counts(stack),
        face_up or None,
        small_left,
    )
    return State(
        Options("open" if is_open else "hidden", hand_size, bool(kind_hole), board),
        _unpack_stage(words, larder, pawns),
        tuple(map(_unpack_hand, hands)),
        tuple(tuple(map(Card, _expand_counts(pile, 1))) for pile in piles),
        pawns,
        None if large == _NOBODY else large,
        tuple(bool(stuck >> seat & 1) for seat in range(seats)),
        larder,
        spinner - 1 if spinner else None,
        _unpack_play(last - 1) if last else None,
    )


def _unpack_stage(words: Sequence[int], larder: Larder, pawns: tuple[int, ...]) -> Stage:
    kind, seat, first, spins = _STAGES[words[0]], *words[1:4]
    parts: tuple[Any, ...] = (seat,)
    if kind is Starting:
        parts = ()
    elif kind is Dealing:
        parts = (first, seat)
    elif kind is TurningFirst:
        parts = (first,)
    elif kind is Climbing or kind is Deciding:
        parts = (seat, spins)
    elif kind is TurningUp:
        parts = (seat, tuple(_from_bits(words[34:38], 6, 10, words[12])))
    elif kind is Ended:
        parts = (result_of(larder.large, larder.small, pawns),)
    return kind(*parts)


def _seat_of(stage: Stage) -> Seat:
    match stage:
        case Starting() | Ended():
            return 0
        case TurningFirst(first):
            return first
        case _:
            return stage.seat


def _start_player(state: State) -> Seat:
    """The start player: the first seat, counting from the one to move, that has played one card more.

    After the end of the game this can't be told any more, and seat 0 is returned.
    """
    stage = state.stage
    if isinstance(stage, Dealing | TurningFirst):
        return stage.first
    if isinstance(stage, Starting | Ended):
        return 0
    seats = len(state.hands)
    left = [len(cards) + len(more) for cards, more in zip(state.hands, state.unseen, strict=True)]
    left[stage.seat] += not isinstance(stage, Playing)
    order = [(stage.seat + later) % seats for later in range(seats)]
    return next((seat for seat in order if left[seat] < left[stage.seat]), stage.seat)


def _pad_seats(numbers: Iterable[int]) -> list[int]:
    """Pad one number per seat with zeros to the maximum number of seats."""
    there = list(numbers)
    return there + [0] * (_MAX_SEATS - len(there))


def _face_up_cards(hand: Hand) -> list[Card]:
    return [card for card in hand if card is not FACE_DOWN]


def _unpack_hand(hand: int) -> Hand:
    cards = []
    while hand:
        cards.append(Card(hand & 7))
        hand >>= 3
    return tuple(cards)


def _count_kinds(things: Iterable[int]) -> int:
    """Count the items of each kind in four bits each, and all of them from bit 32 on.

    >>> hex(_count_kinds((2, 2, 5)))
    '0x300100200'
    """
    return sum((1 << 32) + (1 << 4 * thing) for thing in things)


def _expand_counts(counted: int, lowest: int = COOKIE_VALUES[0]) -> tuple[int, ...]:
    """Expand the counts of a pile or a stack into items, sorted."""
    kinds = range(lowest, Card.JOKER + 1 if lowest == Card.ONE else COOKIE_VALUES[-1] + 1)
    return tuple(kind for kind in kinds for _ in range(counted >> 4 * kind & 15))


def _to_bits(numbers: Sequence[int], width: int) -> int:
    """Pack numbers into `width` bits each, the first one lowest."""
    return sum(each << width * at for at, each in enumerate(numbers))


def _from_bits(words: Sequence[int], width: int, in_word: int, how_many: int) -> Iterator[int]:
    """Unpack `how_many` numbers of `width` bits from words that hold `in_word` each."""
    for at in range(how_many):
        yield words[at // in_word] >> width * (at % in_word) & ((1 << width) - 1)


def _split_rows(numbers: Sequence[int]) -> list[Sequence[int]]:
    """Split the numbers into rows of sixteen, one for each of three words."""
    return [numbers[first : first + 16] for first in range(0, 48, 16)]
