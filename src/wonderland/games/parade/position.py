"""The one-line form of a position of Parade, and which positions are possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wonderland.core.errors import NotationError
from wonderland.core.position import (
    NOTHING,
    read_line,
    read_list,
    read_number,
    read_word,
    write_line,
    write_list,
)
from wonderland.core.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.components import DECK, HAND_SIZE, KEPT, PARADE_SIZE, Card
from wonderland.games.parade.notation import read, read_card, write
from wonderland.games.parade.rules import SEATS, could_keep, has_all_colours
from wonderland.games.parade.scoring import result_of
from wonderland.games.parade.state import (
    Dealing,
    Drawing,
    Ended,
    Ending,
    Forming,
    Hand,
    KeepCards,
    Keeping,
    Playing,
    Stage,
    Starting,
    State,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KEYS = ("stage", "turn", "hands", "parade", "zones", "ending", "left", "kept")
_STAGES: dict[str, type[Stage]] = {
    "start": Starting,
    "deal": Dealing,
    "form": Forming,
    "play": Playing,
    "draw": Drawing,
    "keep": Keeping,
    "over": Ended,
}
_ENDINGS = {
    "sixth-colour": Ending.SIXTH_COLOUR,
    "empty-pile": Ending.EMPTY_PILE,
    "both": Ending.BOTH,
}
_LAST_HAND = HAND_SIZE - 1


def write_position(state: State) -> str:
    """The state in one line, such as `parade stage=play turn=1 …`."""
    stage = state.stage
    turn = left = kept = NOTHING
    ending: Ending | None = None
    match stage:
        case Starting():
            pass
        case Dealing(first) | Forming(first):
            turn = str(first + 1)
        case Playing(seat, turns_left, ending):
            turn, left = str(seat + 1), NOTHING if turns_left is None else str(turns_left)
        case Drawing(seat, ending):
            turn = str(seat + 1)
        case Keeping(ending, pairs):
            kept = "/".join(write(pair) if isinstance(pair, KeepCards) else NOTHING for pair in pairs)
        case Ended(ending):
            pass
        case _:
            assert_never(stage)
    facts = {
        "stage": next(word for word, kind in _STAGES.items() if isinstance(stage, kind)),
        "turn": turn,
        "hands": "/".join(write_list(map(_write_card, hand)) for hand in state.hands),
        "parade": write_list(map(str, state.parade)),
        "zones": "/".join(write_list(map(str, zone)) for zone in state.zones),
        "ending": next((word for word, which in _ENDINGS.items() if which is ending), NOTHING),
        "left": left,
        "kept": kept,
    }
    return write_line("parade", facts)


def _write_card(card: Card | FaceDown) -> str:
    return "?" if card is FACE_DOWN else str(card)


def read_position(text: str) -> State:
    """The state that a line stands for; `NotationError` with the reason if there can't be one."""
    facts = read_line("parade", text, _KEYS)
    hands = tuple(_sorted_hand(read_list(hand, _read_card)) for hand in facts["hands"].split("/"))
    if len(hands) not in SEATS:
        raise NotationError(f"hands={facts['hands']} is for {len(hands)} players, not 2 to 6 (P2).")
    zones = tuple(tuple(sorted(read_list(zone, read_card))) for zone in facts["zones"].split("/"))
    if len(zones) != len(hands):
        raise NotationError(f"there are {len(hands)} hands, but {len(zones)} zones.")
    parade = read_list(facts["parade"], read_card)
    known = [card for cards in (parade, *zones, *hands) for card in cards if card is not FACE_DOWN]
    if twice := next((card for card in known if known.count(card) > 1), None):
        raise NotationError(f"{twice} lies in two places (P1).")
    unseen = tuple(card for card in DECK if card not in known)
    pile = len(unseen) - sum(hand.count(FACE_DOWN) for hand in hands)
    if pile < 0:
        raise NotationError("more cards are face down than there are left (P1).")
    state = State(_read_stage(facts, hands, zones), hands, parade, zones, unseen, pile)
    if fault := _fault(state):
        raise NotationError(f"there is no such position: {fault}.")
    return state


def _read_stage(
    facts: Mapping[str, str], hands: Sequence[Hand], zones: Sequence[Sequence[Card]]
) -> Stage:
    seats = len(hands)
    kind = read_word("stage", facts["stage"], _STAGES)
    ending = None
    if facts["ending"] != NOTHING:
        ending = read_word("ending", facts["ending"], _ENDINGS)
    if kind is Starting:
        return Starting()
    if kind is Keeping or kind is Ended:
        if ending is None:
            raise NotationError(f"stage={facts['stage']} needs an ending: {', '.join(_ENDINGS)} (P8).")
        if kind is Ended:
            return Ended(ending, result_of(zones, ending))
        pairs = facts["kept"].split("/")
        if len(pairs) != seats:
            raise NotationError(f"kept={facts['kept']} is not for {seats} players.")
        return Keeping(ending, tuple(_read_pair(pair) for pair in pairs))
    seat = read_number("turn", facts["turn"], range(1, seats + 1)) - 1
    if kind is Drawing:
        return Drawing(seat, ending)
    if kind is Playing:
        left = facts["left"]
        return Playing(
            seat,
            None if left == NOTHING else read_number("left", left, range(1, seats + 1)),
            ending,
        )
    if kind is Forming:
        return Forming(seat)
    return Dealing(seat, next((n for n, hand in enumerate(hands) if len(hand) < HAND_SIZE), 0))


def _read_card(text: str) -> Card | FaceDown:
    return FACE_DOWN if text == "?" else read_card(text)


def _read_pair(text: str) -> KeepCards | None:
    if text == NOTHING:
        return None
    pair = read(text)
    if not isinstance(pair, KeepCards):
        raise NotationError(f"kept={text} is not two cards such as R3&B4 (P11).")
    return pair


def _sorted_hand(hand: Hand) -> Hand:
    known = sorted(card for card in hand if card is not FACE_DOWN)
    return (*known, *(FACE_DOWN,) * (len(hand) - len(known)))


def _fault(state: State) -> str | None:
    """What is impossible about a state, or nothing."""
    for seat, (hand, size) in enumerate(zip(state.hands, _hand_sizes(state), strict=True)):
        if len(hand) != size:
            return f"seat {seat + 1} has {len(hand)} cards in hand instead of {size}"
    stage = state.stage
    if isinstance(stage, Starting | Dealing | Forming):
        return _fault_before_play(state)
    if not state.parade:
        return "the parade is empty"
    if stage.ending is None and any(map(has_all_colours, state.zones)):
        return "someone has all six colours, so the last round has begun (P8)"
    if isinstance(stage, Playing) and (stage.ending is None) != (stage.turns_left is None):
        return "ending and left go together: the last round has begun, or it has not (P9)"
    if isinstance(stage, Playing | Drawing) and stage.ending is None and not state.pile:
        return "the pile is empty, so the last round has begun (P8)"
    if isinstance(stage, Drawing) and not (state.pile and stage.ending in (None, Ending.SIXTH_COLOUR)):
        return "there is no drawing in the last round (P9)"
    if isinstance(stage, Keeping):
        for seat, (pair, hand) in enumerate(zip(stage.kept, state.hands, strict=True)):
            if isinstance(pair, KeepCards) and not could_keep(hand, pair.first, pair.second):
                return f"seat {seat + 1} keeps cards that are not in the hand (P11)"
    return None


def _fault_before_play(state: State) -> str | None:
    if any(state.zones):
        return "nothing can have been taken before the first turn"
    if isinstance(state.stage, Dealing) and len(state.hands[-1]) == HAND_SIZE:
        return "everyone has been dealt five cards (P3)"
    if state.parade and not isinstance(state.stage, Forming):
        return "the parade is formed after the deal (P3)"
    if len(state.parade) >= PARADE_SIZE:
        return "the parade has been formed (P3)"
    return None


def _hand_sizes(state: State) -> tuple[int, ...]:
    """How many cards each hand must have (P3, P7, P9, P11)."""
    seats = len(state.hands)
    match state.stage:
        case Starting():
            return (0,) * seats
        case Dealing():
            dealt = sum(map(len, state.hands))
            return tuple(min(max(dealt - HAND_SIZE * seat, 0), HAND_SIZE) for seat in range(seats))
        case Forming():
            return (HAND_SIZE,) * seats
        case Drawing(turn):
            return tuple(HAND_SIZE - (seat == turn) for seat in range(seats))
        case Playing(turn, left):
            to_play = seats if left is None else left
            return tuple(HAND_SIZE - ((seat - turn) % seats >= to_play) for seat in range(seats))
        case Keeping():
            return (_LAST_HAND,) * seats
        case Ended():
            return (_LAST_HAND - KEPT,) * seats
    assert_never(state.stage)
