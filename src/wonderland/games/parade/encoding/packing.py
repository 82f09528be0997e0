"""Packing for Parade's kernel: states as 64-bit words, actions and chance outcomes as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.encoding.layout import (
    CHOSEN,
    DEALING,
    DRAWING,
    ENDED,
    FORMING,
    HANDS,
    HEADER,
    KEEPING,
    KEPT,
    PAIRS,
    PLAYING,
    PRESENT,
    SLOTS,
    STARTING,
    TAKEN,
    UNSEEN,
    WORDS,
)
from wonderland.games.parade.rules.components import DECK, Card
from wonderland.games.parade.rules.scoring import result_of
from wonderland.games.parade.rules.state import (
    Action,
    Dealing,
    Drawing,
    Ended,
    Ending,
    Forming,
    Hand,
    KeepCards,
    Keeping,
    PlayCard,
    Playing,
    Stage,
    Starting,
    StartWith,
    State,
)

_ENDINGS = (Ending.SIXTH_COLOUR, Ending.EMPTY_PILE, Ending.BOTH)
ENDINGS = tuple(ending.value for ending in _ENDINGS)


def pack(state: State) -> list[int]:
    """Pack a state into words; raise `UsageError` if it contains face-down cards."""
    words = [0] * WORDS
    for card in state.unseen:
        words[UNSEEN + card // 64] |= 1 << card % 64
    for seat, hand in enumerate(state.hands):
        words[HANDS + seat] = sum(card << 8 * place for place, card in enumerate(_require_known(hand)))
        words[HANDS + seat] |= len(hand) << 56
    entered: list[Card] = []
    for seat, zone in enumerate(state.zones):
        words[TAKEN + seat] = _slot_set(len(entered), len(zone))
        entered += zone
    words[PRESENT] = _slot_set(len(entered), len(state.parade))
    entered += state.parade
    for place, card in enumerate(entered):
        slot = 63 - place
        words[SLOTS + slot // 8] |= card << 8 * (slot % 8)
    words[HEADER] = _pack_header(state.stage) | len(state.hands) << 12 | len(entered) << 24
    if isinstance(state.stage, Keeping):
        for seat, pair in enumerate(state.stage.kept):
            words[KEPT + seat] = _pack_pair(pair)
    return words


def _require_known(hand: Hand) -> list[Card]:
    if FACE_DOWN in hand:
        raise UsageError("a game with unknown cards can't be packed.")
    return [card for card in hand if card is not FACE_DOWN]


def _slot_set(entered: int, cards: int) -> int:
    """Return the slot set of the next `cards` cards after `entered` earlier ones."""
    return ((1 << cards) - 1) << (64 - entered - cards)


def _pack_pair(pair: KeepCards | FaceDown | None) -> int:
    if pair is FACE_DOWN:
        raise UsageError("an unknown choice can't be packed.")
    return CHOSEN | pair.first << 8 | pair.second if pair else 0


def _pack_header(stage: Stage) -> int:
    """Pack the stage, seat, start player, turns left in the last round, and its cause."""
    match stage:
        case Starting():
            return STARTING
        case Dealing(first, seat):
            return DEALING | seat << 4 | first << 8
        case Forming(first):
            return FORMING | first << 8
        case Playing(seat, turns_left, ending):
            return PLAYING | seat << 4 | (turns_left or 0) << 16 | _pack_ending(ending) << 20
        case Drawing(seat, ending):
            return DRAWING | seat << 4 | _pack_ending(ending) << 20
        case Keeping(ending, kept):
            return KEEPING | kept.index(None) << 4 | _pack_ending(ending) << 20
        case Ended(ending, _):
            return ENDED | _pack_ending(ending) << 20
    assert_never(stage)


def _pack_ending(ending: Ending | None) -> int:
    return 0 if ending is None else 1 + _ENDINGS.index(ending)


def unpack(words: Sequence[int]) -> State:
    """Unpack a state from words."""
    header = words[HEADER]
    seats, entered = header >> 12 & 15, header >> 24 & 63
    cards = {slot: _card_in_slot(words, slot) for slot in range(64 - entered, 64)}
    unseen = tuple(card for card in DECK if words[UNSEEN + card // 64] >> card % 64 & 1)
    hands = [_unpack_hand(words[HANDS + seat], words[HANDS + seat] >> 56) for seat in range(seats)]
    zones = [_cards_in(words[TAKEN + seat], cards) for seat in range(seats)]
    kept = [_unpack_pair(words[KEPT + seat]) for seat in range(seats)]
    ended = header & 15 == ENDED
    if ended:
        for seat, pair in enumerate(kept):
            if pair is not None:
                zones[seat] += [pair.first, pair.second]
                hands[seat] = [card for card in hands[seat] if card not in (pair.first, pair.second)]
    return State(
        _unpack_stage(header, kept, zones),
        tuple(tuple(sorted(hand)) for hand in hands),
        tuple(reversed(_cards_in(words[PRESENT], cards))),
        tuple(tuple(sorted(zone)) for zone in zones),
        unseen,
        len(unseen),
    )


def _card_in_slot(words: Sequence[int], slot: int) -> Card:
    return DECK[words[SLOTS + slot // 8] >> 8 * (slot % 8) & 0xFF]


def _unpack_hand(word: int, length: int) -> list[Card]:
    return [DECK[word >> 8 * place & 0xFF] for place in range(length)]


def _cards_in(slots: int, cards: dict[int, Card]) -> list[Card]:
    return [cards[slot] for slot in sorted(cards) if slots >> slot & 1]


def _unpack_pair(word: int) -> KeepCards | None:
    if not word:
        return None
    return KeepCards(*sorted((DECK[word >> 8 & 0xFF], DECK[word & 0xFF])))


def _unpack_stage(
    header: int, kept: Sequence[KeepCards | None], zones: Sequence[Sequence[Card]]
) -> Stage:
    stage, seat, first = header & 15, header >> 4 & 15, header >> 8 & 15
    turns_left, number = header >> 16 & 15, header >> 20 & 3
    ending = _ENDINGS[number - 1] if number else None
    if stage == STARTING:
        return Starting()
    if stage == DEALING:
        return Dealing(first, seat)
    if stage == FORMING:
        return Forming(first)
    if stage == DRAWING:
        return Drawing(seat, ending)
    if ending is None or stage == PLAYING:
        return Playing(seat, turns_left or None, ending)
    if stage == KEEPING:
        return Keeping(ending, tuple(kept))
    return Ended(ending, result_of(zones, ending))


def number(action: Action) -> int:
    """Encode an action or chance outcome as a number."""
    match action:
        case StartWith(seat):
            return seat
        case PlayCard(card):
            return card
        case KeepCards(one, other):
            return PAIRS + len(DECK) * one + other
        case Card():
            return action
        case FaceDown():
            raise UsageError("an unknown card has no number.")
    assert_never(action)


def action(number: int, state: State) -> Action:
    """Decode the number of an action or chance outcome in this state."""
    match state.stage:
        case Starting():
            return StartWith(number)
        case Playing():
            return PlayCard(DECK[number])
        case Keeping():
            one, other = divmod(number - PAIRS, len(DECK))
            return KeepCards(DECK[one], DECK[other])
        case _:
            return DECK[number]
