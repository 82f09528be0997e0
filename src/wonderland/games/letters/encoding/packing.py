"""Packing for Letters' kernel: states as words, actions and chance outcomes as numbers.

A set of cards has one bit per card, in the order of `CARDS`. A state is seven words:

0    stage (2 bits), seat to move or winner (2), space being turned (5), ending (2), number of seats (3),
     duchess, claim first, open memory (1 each), colours of the seats (4 x 2), rails (4 x 3)
1    cards never turned (from bit 0), letters removed (from bit 32)
2    face-up cards (from bit 0), letters that are face down again (from bit 32)
3    spaces whose card was never turned
4-6  the space of each card of word 2 (9 x 5 bits in each), 0 for all others

Every state of the rules can be packed, because unseen cards are undecided in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import (
    CARDS,
    LETTERS,
    SPACES,
    Card,
    Colour,
    Letter,
    Menace,
)
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.rules import result_of
from wonderland.games.letters.rules.state import (
    EMPTY,
    Action,
    Choosing,
    Ended,
    Ending,
    FaceUp,
    Space,
    Stage,
    Starting,
    StartWith,
    State,
    TurnCard,
    TurnedDown,
    Turning,
)

ENDINGS: Sequence[str] = tuple(ending.value for ending in Ending)

_NUMBERS = {card: number for number, card in enumerate(CARDS)}
_STARTING, _CHOOSING, _TURNING, _ENDED = range(4)


def pack(state: State) -> list[int]:
    """Pack a state into words."""
    up = {
        content.card: space for space, content in enumerate(state.spaces) if isinstance(content, FaceUp)
    }
    down = {
        content.card: space
        for space, content in enumerate(state.spaces)
        if isinstance(content, TurnedDown)
    }
    never = sum(1 << space for space, content in enumerate(state.spaces) if content is FACE_DOWN)
    space_of = up | down
    return [
        _pack_facts(state),
        _pack_set(state.unseen) | _pack_set(state.removed) << 32,
        _pack_set(up) | _pack_set(down) << 32,
        never,
        *(
            sum(
                space_of.get(card, 0) << 5 * place for place, card in enumerate(CARDS[first : first + 9])
            )
            for first in (0, 9, 18)
        ),
    ]


def _pack_set(cards: Iterable[Card]) -> int:
    return sum(1 << _NUMBERS[card] for card in cards)


def _pack_facts(state: State) -> int:
    """Pack the first word."""
    options = state.options
    facts = len(state.rails) << 11
    facts |= options.duchess << 14 | (options.claim == "first") << 15 | (options.memory == "open") << 16
    for seat, (colour, placed) in enumerate(zip(options.colours, state.rails, strict=True)):
        facts |= colour << 17 + 2 * seat | placed << 25 + 3 * seat
    match state.stage:
        case Starting():
            return facts | _STARTING
        case Choosing(seat):
            return facts | _CHOOSING | seat << 2
        case Turning(seat, space):
            return facts | _TURNING | seat << 2 | space << 4
        case Ended(result):
            return facts | _ENDED | result.winners[0] << 2 | ENDINGS.index(result.ending) << 9
    assert_never(state.stage)


def unpack(words: Sequence[int]) -> State:
    """Unpack a state from words."""
    facts = words[0]
    seats = facts >> 11 & 7
    colours = tuple(Colour(facts >> 17 + 2 * seat & 3) for seat in range(seats))
    rails = tuple(facts >> 25 + 3 * seat & 7 for seat in range(seats))
    options = Options(
        duchess=bool(facts >> 14 & 1),
        claim="first" if facts >> 15 & 1 else "after",
        memory="open" if facts >> 16 & 1 else "closed",
        colours=colours,
    )
    unseen = _unpack_set(words[1] & 0xFFFFFFFF)
    removed = tuple(letter for letter in LETTERS if words[1] >> 32 + _NUMBERS[letter] & 1)
    return State(_unpack_stage(facts, rails), options, _unpack_spaces(words), rails, removed, unseen)


def _unpack_set(cards: int) -> tuple[Card, ...]:
    return tuple(card for number, card in enumerate(CARDS) if cards >> number & 1)


def _unpack_stage(facts: int, rails: tuple[int, ...]) -> Stage:
    stage, seat, space, ending = facts & 3, facts >> 2 & 3, facts >> 4 & 31, facts >> 9 & 3
    if stage == _STARTING:
        return Starting()
    if stage == _CHOOSING:
        return Choosing(seat)
    if stage == _TURNING:
        return Turning(seat, space)
    return Ended(result_of(rails, seat, Ending(ENDINGS[ending])))


def _unpack_spaces(words: Sequence[int]) -> tuple[Space, ...]:
    spaces: list[Space] = [FACE_DOWN if words[3] >> space & 1 else EMPTY for space in SPACES]
    for number, card in enumerate(CARDS):
        space = words[4 + number // 9] >> 5 * (number % 9) & 31
        if words[2] >> number & 1:
            spaces[space] = FaceUp(card)
        elif isinstance(card, Letter) and words[2] >> 32 + number & 1:
            spaces[space] = TurnedDown(card)
    return tuple(spaces)


def number(action: Action) -> int:
    """Encode an action or chance outcome: a space, a card's index in `CARDS`, or a seat."""
    match action:
        case TurnCard(space):
            return space
        case Letter() | Menace():
            return _NUMBERS[action]
        case StartWith(seat):
            return seat
    assert_never(action)


def action(number: int, state: State) -> Action:
    """Decode the number of an action or chance outcome in this state."""
    match state.stage:
        case Choosing():
            return TurnCard(number)
        case Turning():
            return CARDS[number]
        case Starting():
            return StartWith(number)
        case Ended():
            raise UsageError(f"{number} isn't an action, because the game is over (L12).")
    assert_never(state.stage)
