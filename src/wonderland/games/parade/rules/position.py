"""One-line notation for positions of Parade, with validation that a position can occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from wonderland.engine.errors import Impossible, NotationError, convert_error, quote, wrong_player_count
from wonderland.engine.position import (
    NOTHING,
    check_seat_count,
    check_stage_field,
    read_line,
    read_list,
    read_number,
    read_word,
    write_line,
    write_list,
)
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.rules.components import DECK, HAND_SIZE, KEPT, PARADE_SIZE, Card, Colour
from wonderland.games.parade.rules.error_codes import ErrorCode
from wonderland.games.parade.rules.notation import read, read_card, write
from wonderland.games.parade.rules.rules import SEATS, could_keep, has_all_colours
from wonderland.games.parade.rules.scoring import result_of
from wonderland.games.parade.rules.state import (
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

    from wonderland.engine.protocol import Seat

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
_STAGE_FIELDS: dict[type[Stage], tuple[str, ...]] = {
    Starting: (),
    Dealing: ("turn",),
    Forming: ("turn",),
    Playing: ("turn", "ending", "left"),
    Drawing: ("turn", "ending"),
    Keeping: ("ending", "kept"),
    Ended: ("ending",),
}
"""The stage-specific fields that each stage has."""
_ENDINGS = {
    "sixth-colour": Ending.SIXTH_COLOUR,
    "empty-pile": Ending.EMPTY_PILE,
    "both": Ending.BOTH,
}
_LAST_HAND = HAND_SIZE - 1
InPlay: TypeAlias = Playing | Drawing | Keeping | Ended


def write_position(state: State) -> str:
    """Format the state as one line, such as `parade stage=play turn=1 …`."""
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
    """Parse a position; raise `NotationError` with the reason if it is invalid or impossible."""
    facts = read_line("parade", text, _KEYS)
    hands = tuple(_sort_hand(read_list(hand, _read_card)) for hand in facts["hands"].split("/"))
    if len(hands) not in SEATS:
        wrong = wrong_player_count("Parade", SEATS, len(hands), "P2")
        raise convert_error(wrong, NotationError)
    zones = tuple(tuple(sorted(read_list(zone, read_card))) for zone in facts["zones"].split("/"))
    check_seat_count("zones", facts["zones"], len(zones), len(hands))
    parade = read_list(facts["parade"], read_card)
    known = [card for cards in (parade, *zones, *hands) for card in cards if card is not FACE_DOWN]
    duplicate = next((card for card in known if known.count(card) > 1), None)
    if duplicate is not None:  # R0 is falsy
        raise Impossible("{card} is in two places.", ErrorCode.CARD_TWICE, card=duplicate)
    unseen = tuple(card for card in DECK if card not in known)
    pile = len(unseen) - sum(hand.count(FACE_DOWN) for hand in hands)
    if pile < 0:
        raise Impossible(
            "more cards are face down than the deck has left.", ErrorCode.TOO_MANY_FACE_DOWN
        )
    state = State(_read_stage(facts, hands, zones), hands, parade, zones, unseen, pile)
    if fault := _find_fault(state):
        raise fault
    return state


def _read_stage(
    facts: Mapping[str, str], hands: Sequence[Hand], zones: Sequence[Sequence[Card]]
) -> Stage:
    seats = len(hands)
    kind = read_word("stage", facts["stage"], _STAGES)
    for key in ("turn", "ending", "left", "kept"):
        if key not in _STAGE_FIELDS[kind]:
            check_stage_field(key, facts[key], facts["stage"])
    ending = None
    if facts["ending"] != NOTHING:
        ending = read_word("ending", facts["ending"], _ENDINGS)
    if kind is Starting:
        return Starting()
    if kind is Keeping or kind is Ended:
        if ending is None:
            raise NotationError(
                "stage={stage} needs an ending: {known}.",
                rule="P8",
                stage=facts["stage"],
                known=tuple(_ENDINGS),
            )
        if kind is Ended:
            return Ended(ending, result_of(zones, ending))
        pairs = facts["kept"].split("/")
        check_seat_count("kept", facts["kept"], len(pairs), seats)
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
        raise NotationError("{text} isn't two cards such as R3&B4.", rule="P11", text=quote(text))
    return pair


def _sort_hand(hand: Hand) -> Hand:
    known = sorted(card for card in hand if card is not FACE_DOWN)
    return (*known, *(FACE_DOWN,) * (len(hand) - len(known)))


def _find_fault(state: State) -> Impossible | None:
    """Return the first reason why the state is impossible, or `None`."""
    for seat, (hand, size) in enumerate(zip(state.hands, _hand_sizes(state), strict=True)):
        if len(hand) != size:
            return Impossible(
                "{seat} has {cards} cards in hand instead of {size}.",
                ErrorCode.WRONG_HAND_SIZE,
                seat=seat,
                cards=len(hand),
                size=size,
            )
    stage = state.stage
    if isinstance(stage, Starting | Dealing | Forming):
        return _check_setup(state)
    if not state.parade:
        return Impossible("the parade is empty.", ErrorCode.EMPTY_PARADE)
    reason = _check_ending(state, stage) or _check_turns(state, stage)
    return reason or _check_kept(state, stage)


def _check_ending(state: State, stage: InPlay) -> Impossible | None:
    """P8: the cause of the last round stays visible in the pile and the colours."""
    ending = stage.ending
    if isinstance(stage, Playing) and (ending is None) != (stage.turns_left is None):
        return Impossible(
            "ending and left belong together: set both in the last round, or neither.",
            ErrorCode.ENDING_WITHOUT_LEFT,
        )
    if ending is None:
        if any(map(has_all_colours, state.zones)):
            return Impossible(
                "someone has all six colours, so the last round has started.",
                ErrorCode.LAST_ROUND_STARTED,
            )
        return (
            None
            if state.pile
            else Impossible(
                "the draw pile is empty, so the last round has started.", ErrorCode.LAST_ROUND_STARTED
            )
        )
    if isinstance(stage, Drawing):
        if ending is not Ending.SIXTH_COLOUR or not state.pile:
            return Impossible("nobody draws in the last round.", ErrorCode.DRAWN_IN_LAST_ROUND)
    elif state.pile and ending is not Ending.SIXTH_COLOUR:
        return Impossible(
            "the draw pile isn't empty ({pile}), so it can't have started the last round.",
            ErrorCode.PILE_NOT_EMPTY,
            pile=state.pile,
        )
    elif not state.pile and ending is Ending.SIXTH_COLOUR:
        return Impossible(
            "the draw pile is empty, so ending must be empty-pile or both.", ErrorCode.WRONG_ENDING
        )
    return _check_colours(state, stage, with_colours=ending is not Ending.EMPTY_PILE)


def _check_colours(state: State, stage: InPlay, *, with_colours: bool) -> Impossible | None:
    """P8, P9: the seat that triggered the last round plays last in it, and was first to six colours."""
    if isinstance(stage, Keeping | Ended):  # which seat triggered it is no longer visible
        least = len(Colour) + (KEPT if isinstance(stage, Ended) else 0)
        if with_colours and not any(
            has_all_colours(zone) and len(zone) >= least for zone in state.zones
        ):
            return Impossible(
                "nobody has all six colours, so that can't have started the last round.",
                ErrorCode.COLOURS_MISSING,
            )
        return None
    *before, last = _seats_to_play(stage, len(state.hands))
    if with_colours and not has_all_colours(state.zones[last]):
        return Impossible(
            "{seat} started the last round, but doesn't have all six colours.",
            ErrorCode.COLOURS_MISSING,
            seat=last,
        )
    for seat in before if with_colours else (*before, last):
        if has_all_colours(state.zones[seat]):
            return Impossible(
                "{seat} has all six colours and would have started the last round.",
                ErrorCode.WRONG_STARTER,
                seat=seat,
            )
    return None


def _seats_to_play(stage: Playing | Drawing, seats: int) -> tuple[Seat, ...]:
    """Return the seats that still have a turn in the last round, in order."""
    if isinstance(stage, Drawing):
        return tuple((stage.seat + turn) % seats for turn in range(1, seats + 1))
    return tuple((stage.seat + turn) % seats for turn in range(stage.turns_left or seats))


def _check_turns(state: State, stage: InPlay) -> Impossible | None:
    """Derive the number of turns from the pile: every turn before the last round draws one card."""
    seats = len(state.hands)
    last_round = stage.ending is not None and not isinstance(stage, Drawing)
    most = len(DECK) - PARADE_SIZE - HAND_SIZE * seats - last_round  # at least one draw came before it
    if state.pile > most:
        return Impossible(
            "the draw pile has {pile} cards, but it can't have more than {most}.",
            ErrorCode.PILE_TOO_LARGE,
            pile=state.pile,
            most=most,
        )
    if isinstance(stage, Keeping | Ended):
        return None  # everyone has had a turn
    turns = most - state.pile + last_round
    player = stage.seat
    if isinstance(stage, Drawing):
        turns += 1
    else:
        player -= 1
        turns += seats - (stage.turns_left or seats)
    for seat in ((player - back) % seats for back in range(turns, seats)):
        if state.zones[seat]:
            return Impossible(
                "{seat} hasn't had a turn yet, so can't have taken anything.",
                ErrorCode.TAKEN_BEFORE_TURN,
                seat=seat,
            )
    return None


def _check_kept(state: State, stage: InPlay) -> Impossible | None:
    if isinstance(stage, Ended):
        incomplete = (seat for seat, zone in enumerate(state.zones) if len(zone) < KEPT)
        return next(
            (
                Impossible(
                    "{seat} is missing the two cards they kept.", ErrorCode.KEPT_MISSING, seat=seat
                )
                for seat in incomplete
            ),
            None,
        )
    if not isinstance(stage, Keeping):
        return None
    if None not in stage.kept:
        return Impossible("everyone has chosen, so the game is over.", ErrorCode.ALREADY_OVER)
    kept: set[Card] = set()
    for seat, (pair, hand) in enumerate(zip(stage.kept, state.hands, strict=True)):
        if not isinstance(pair, KeepCards):
            continue
        cards = {pair.first, pair.second}
        elsewhere = cards.difference(hand, state.unseen)
        if elsewhere or not could_keep(hand, pair.first, pair.second):
            return Impossible(
                "{seat} keeps cards that aren't in their hand.", ErrorCode.KEPT_NOT_IN_HAND, seat=seat
            )
        if duplicate := kept & cards:
            return Impossible(
                "two seats keep {card}, but there's only one.", ErrorCode.CARD_TWICE, card=min(duplicate)
            )
        kept |= cards
    return None


def _check_setup(state: State) -> Impossible | None:
    if any(state.zones):
        return Impossible(
            "nothing can have been taken before the first turn.", ErrorCode.TAKEN_BEFORE_START
        )
    if isinstance(state.stage, Dealing) and len(state.hands[-1]) == HAND_SIZE:
        return Impossible("everyone already has five cards.", ErrorCode.DEALT_ALREADY)
    if state.parade and not isinstance(state.stage, Forming):
        return Impossible("the parade is laid out after the deal.", ErrorCode.PARADE_TOO_EARLY)
    if len(state.parade) >= PARADE_SIZE:
        return Impossible("the parade is already complete.", ErrorCode.PARADE_COMPLETE)
    return None


def _hand_sizes(state: State) -> tuple[int, ...]:
    """Return the required size of each hand (P3, P7, P9, P11)."""
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
