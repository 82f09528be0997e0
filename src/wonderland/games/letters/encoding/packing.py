"""What the numbers of Letters' kernel mean.

A set of cards has a bit for each card, in the order of `CARDS`. A state is seven words:

0    stage (2 bits), seat on turn or winner (2), space being turned (5), ending (2), number of seats (3),
     duchess, claim first, open memory (1 each), colours of the seats (4 x 2), rails (4 x 3)
1    the cards never turned (from bit 0), the letters removed (from bit 32)
2    the cards that lie open (from bit 0), the letters that lie face down again (from bit 32)
3    the spaces whose card was never turned
4-6  the space of each card of word 2 (9 x 5 bits in each), 0 for all others

Every state of the rules can be packed: a card that nobody has seen is not settled in either.
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
    """The state in words."""
    up = {lies.card: space for space, lies in enumerate(state.spaces) if isinstance(lies, FaceUp)}
    down = {lies.card: space for space, lies in enumerate(state.spaces) if isinstance(lies, TurnedDown)}
    never = sum(1 << space for space, lies in enumerate(state.spaces) if lies is FACE_DOWN)
    where = up | down
    return [
        _facts(state),
        _set_of(state.unseen) | _set_of(state.removed) << 32,
        _set_of(up) | _set_of(down) << 32,
        never,
        *(
            sum(where.get(card, 0) << 5 * place for place, card in enumerate(CARDS[first : first + 9]))
            for first in (0, 9, 18)
        ),
    ]


def _set_of(cards: Iterable[Card]) -> int:
    return sum(1 << _NUMBERS[card] for card in cards)


def _facts(state: State) -> int:
    """The first word."""
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
    """The state that the words stand for."""
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
    unseen = _cards_of(words[1] & 0xFFFFFFFF)
    removed = tuple(letter for letter in LETTERS if words[1] >> 32 + _NUMBERS[letter] & 1)
    return State(_stage(facts, rails), options, _spaces(words), rails, removed, unseen)


def _cards_of(cards: int) -> tuple[Card, ...]:
    return tuple(card for number, card in enumerate(CARDS) if cards >> number & 1)


def _stage(facts: int, rails: tuple[int, ...]) -> Stage:
    stage, seat, space, ending = facts & 3, facts >> 2 & 3, facts >> 4 & 31, facts >> 9 & 3
    if stage == _STARTING:
        return Starting()
    if stage == _CHOOSING:
        return Choosing(seat)
    if stage == _TURNING:
        return Turning(seat, space)
    return Ended(result_of(rails, seat, Ending(ENDINGS[ending])))


def _spaces(words: Sequence[int]) -> tuple[Space, ...]:
    spaces: list[Space] = [FACE_DOWN if words[3] >> space & 1 else EMPTY for space in SPACES]
    for number, card in enumerate(CARDS):
        space = words[4 + number // 9] >> 5 * (number % 9) & 31
        if words[2] >> number & 1:
            spaces[space] = FaceUp(card)
        elif isinstance(card, Letter) and words[2] >> 32 + number & 1:
            spaces[space] = TurnedDown(card)
    return tuple(spaces)


def number(action: Action) -> int:
    """The number of an action or an outcome: a space, a card in the order of `CARDS`, or a seat."""
    match action:
        case TurnCard(space):
            return space
        case Letter() | Menace():
            return _NUMBERS[action]
        case StartWith(seat):
            return seat
    assert_never(action)


def action(number: int, state: State) -> Action:
    """The action or outcome that a number stands for in this state."""
    match state.stage:
        case Choosing():
            return TurnCard(number)
        case Turning():
            return CARDS[number]
        case Starting():
            return StartWith(number)
        case Ended():
            raise UsageError(f"{number} means nothing: the game is over (L12).")
    assert_never(state.stage)
