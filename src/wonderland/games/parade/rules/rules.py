"""The rules of Parade: turns, legal actions and their effects. Numbers like P6 refer to `RULES.md`."""

from __future__ import annotations

from bisect import bisect_left
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar, assert_never

from wonderland.engine.errors import GameOver, IllegalAction, wrong_player_count
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Acting, Chance, FaceDown, Over, Step
from wonderland.games.parade.rules.components import DECK, HAND_SIZE, KEPT, PARADE_SIZE, Card
from wonderland.games.parade.rules.error_codes import ErrorCode
from wonderland.games.parade.rules.events import (
    CardDealt,
    CardDrawn,
    CardJoined,
    CardPlayed,
    CardsKept,
    CardsTaken,
    ChoicesShown,
    Event,
    GameEnded,
    LastRoundBegan,
    StartChosen,
)
from wonderland.games.parade.rules.notation import write
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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Actor, Seat, Turn

T = TypeVar("T")

SEATS = range(2, 7)  # P2

# Frequently used values, created once.
_PLAY = [PlayCard(card) for card in DECK]
_ACTING = [Acting((seat,)) for seat in range(SEATS[-1])]
_PLAYING = [Playing(seat) for seat in range(SEATS[-1])]
_DRAWING = [Drawing(seat) for seat in range(SEATS[-1])]
_REMOVES = [  # P6: the cards that each card removes, if they are in removal mode
    frozenset(other for other in DECK if other.colour is card.colour or other.value <= card.value)
    for card in DECK
]


def start(seats: int) -> State:
    """Return the initial state, before the start player is drawn and the cards are dealt."""
    if seats not in SEATS:
        raise wrong_player_count("Parade", SEATS, seats, "P2")
    nothing: tuple[tuple[Card, ...], ...] = ((),) * seats
    return State(Starting(), nothing, (), nothing, DECK, len(DECK))  # P1


def turn(state: State) -> Turn[Action]:
    """Return whose decision is next: seats', chance's, or nobody's once the game is over."""
    match state.stage:
        case Playing() as stage:
            return _ACTING[stage.seat]
        case Drawing() as stage:
            return Chance(state.unseen, "card", stage.seat)
        case Dealing() as stage:
            return Chance(state.unseen, "card", stage.seat)
        case Forming():
            return Chance(state.unseen, "card.parade")
        case Starting():
            return Chance(tuple(StartWith(seat) for seat in range(len(state.hands))), "start")  # P2
        case Keeping(_, kept):  # P11: all at the same time
            return Acting(tuple(seat for seat, choice in enumerate(kept) if choice is None))
        case Ended(_, result):
            return Over(result)
    assert_never(state.stage)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return this seat's legal actions: play any card of the hand (P4), or keep any two (P11)."""
    stage = state.stage
    if isinstance(stage, Playing) and stage.seat == seat:
        return tuple([_PLAY[card] for card in _possible_cards(state, seat)])
    if isinstance(stage, Keeping) and seat in range(len(stage.kept)) and not stage.kept[seat]:
        hand = state.hands[seat]
        pairs = combinations(sorted(_possible_cards(state, seat)), KEPT)
        if hand[-1] is not FACE_DOWN:
            return tuple([KeepCards(first, second) for first, second in pairs])
        return tuple([KeepCards(a, b) for a, b in pairs if could_keep(hand, a, b)])
    return ()


def _possible_cards(state: State, seat: Seat) -> Sequence[Card]:
    """Return the cards of a hand; if some are face down, followed by every card that they could be."""
    hand = state.hands[seat]
    if hand[-1] is not FACE_DOWN:  # face-down cards come last
        return hand  # type: ignore[return-value] # so there are none
    elsewhere = kept_by_others(state.stage, seat)
    return (
        *(card for card in hand if card is not FACE_DOWN),
        *(card for card in state.unseen if card not in elsewhere),
    )


def kept_by_others(stage: Stage, seat: Seat) -> set[Card]:
    """Return the cards that other seats have chosen to keep, so this seat can't hold them."""
    if not isinstance(stage, Keeping):
        return set()
    others = [pair for owner, pair in enumerate(stage.kept) if owner != seat]
    return {card for pair in others if isinstance(pair, KeepCards) for card in (pair.first, pair.second)}


def could_keep(hand: Hand, first: Card, second: Card) -> bool:
    """Whether both cards are in the hand, or enough face-down cards to stand in for the missing ones."""
    return (first not in hand) + (second not in hand) <= hand.count(FACE_DOWN)


def apply(state: State, actor: Actor, action: Action) -> Step[State, Event]:
    """Apply a seat's action or a chance outcome; raise `IllegalAction` or `GameOver` if not allowed."""
    stage = state.stage
    if actor is CHANCE:
        if isinstance(stage, Drawing) and isinstance(action, (Card, FaceDown)):
            return _draw(state, stage, action)
        return _apply_chance(state, action)
    if (
        isinstance(action, PlayCard)
        and isinstance(stage, Playing)
        and stage.seat == actor
        and action.card in _possible_cards(state, actor)
    ):
        return _play(state, stage, action.card)
    if isinstance(action, KeepCards) and isinstance(stage, Keeping) and action in legal(state, actor):
        return _keep(state, stage, actor, action)
    raise _refusal(state, actor, action)


def _refusal(state: State, seat: Seat, action: Action) -> IllegalAction | GameOver:
    word = write(action)
    match state.stage, action:
        case Ended(), _:
            return GameOver(word)
        case Playing(turn), PlayCard() if turn == seat:
            return IllegalAction(
                word, "{seat} doesn't have this card.", ErrorCode.NOT_IN_HAND, seat=seat
            )
        case Playing(turn), _:
            return IllegalAction(
                word, "it's {seat}'s turn to play a card.", ErrorCode.NOT_YOUR_TURN, seat=turn
            )
        case Keeping(_, kept), KeepCards() if seat in range(len(kept)):
            if kept[seat]:
                return IllegalAction(
                    word, "{seat} has already chosen two cards.", ErrorCode.ALREADY_CHOSEN, seat=seat
                )
            return IllegalAction(
                word, "{seat} doesn't have these two cards.", ErrorCode.PAIR_NOT_IN_HAND, seat=seat
            )
        case Keeping(), _:
            return IllegalAction(word, "everyone is choosing two cards to keep.", ErrorCode.KEEPING_TWO)
        case _:
            return IllegalAction(
                word, "the cards are still being dealt or drawn.", ErrorCode.STILL_DEALING
            )


def split_parade(parade: tuple[Card, ...], card: Card) -> tuple[list[Card], tuple[Card, ...]]:
    """Return the cards that leave the parade when `card` is added to it, and those that stay."""
    first_safe = max(len(parade) - card.value, 0)  # P5: cards before it are in removal mode
    removal_mode, removes = parade[:first_safe], _REMOVES[card]
    leaving = [other for other in removal_mode if other in removes]  # P6
    if leaving:
        parade = (*[other for other in removal_mode if other not in removes], *parade[first_safe:])
    return leaving, parade


def _play(state: State, stage: Playing, card: Card) -> Step[State, Event]:
    """P4 to P6: add the card to the end of the parade and take the cards that leave."""
    seat, hands, zones, ending = stage.seat, state.hands, state.zones, stage.ending
    leaving, staying = split_parade(state.parade, card)
    events: tuple[Event, ...] = (CardPlayed(seat, card),)
    if leaving:
        zone = tuple(sorted((*zones[seat], *leaving)))
        zones = _replace(zones, seat, zone)
        events = (*events, CardsTaken(seat, tuple(leaving)))
        if ending is None and has_all_colours(zone):  # P8 (a); not again in the last round (P10)
            ending = Ending.SIXTH_COLOUR
    hand, unseen = _take_from_hand(hands[seat], card, state.unseen)
    hands = _replace(hands, seat, hand)
    next_stage = _after_play(stage, ending, len(hands))
    return Step(State(next_stage, hands, (*staying, card), zones, unseen, state.pile), events)


def _after_play(stage: Playing, ending: Ending | None, seats: int) -> Drawing | Playing | Keeping:
    """P7: the player draws. P9: nobody draws in the last round, after which all choose."""
    if stage.turns_left is None:
        return Drawing(stage.seat, ending) if ending else _DRAWING[stage.seat]
    if stage.turns_left > 1:
        return Playing((stage.seat + 1) % seats, stage.turns_left - 1, ending)
    assert ending is not None  # noqa: S101 - the last round has an ending
    return Keeping(ending, (None,) * seats)


def has_all_colours(zone: Sequence[Card]) -> bool:
    """Whether there are cards of all six colours (P8)."""
    return len(zone) >= 6 and len({card.colour for card in zone}) == 6


def _keep(state: State, stage: Keeping, seat: Seat, choice: KeepCards) -> Step[State, Event]:
    """P11: choices are secret, and revealed once the last one is made."""
    kept = _replace(stage.kept, seat, choice)
    events: tuple[Event, ...] = (CardsKept(seat, choice),)
    choices = tuple(choice for choice in kept if isinstance(choice, KeepCards))
    hands, zones, unseen = list(state.hands), list(state.zones), state.unseen
    if len(choices) < len(kept):
        waiting = Keeping(stage.ending, kept)
        after = State(waiting, state.hands, state.parade, state.zones, unseen, state.pile)
        return Step(after, events)
    for owner, pair in enumerate(choices):
        for card in (pair.first, pair.second):
            hands[owner], unseen = _take_from_hand(hands[owner], card, unseen)
        zones[owner] = tuple(sorted((*zones[owner], pair.first, pair.second)))
    result = result_of(zones, stage.ending)
    ended = Ended(stage.ending, result)
    after = State(ended, tuple(hands), state.parade, tuple(zones), unseen, state.pile)
    return Step(after, (*events, ChoicesShown(choices), GameEnded(result)))


def _apply_chance(state: State, outcome: Action) -> Step[State, Event]:
    stage = state.stage
    if isinstance(stage, Dealing) and isinstance(outcome, (Card, FaceDown)):
        return _deal(state, stage, outcome)
    if isinstance(stage, Forming) and isinstance(outcome, Card):
        return _form(state, stage, outcome)
    if isinstance(stage, Starting) and isinstance(outcome, StartWith):
        return _begin(state, outcome)
    if isinstance(stage, Ended):
        raise GameOver(write(outcome))
    raise IllegalAction(
        write(outcome), "something else must happen first.", ErrorCode.SOMETHING_ELSE_FIRST
    )


def _begin(state: State, outcome: StartWith) -> Step[State, Event]:
    if outcome.seat not in range(len(state.hands)):
        raise IllegalAction(write(outcome), "nobody is in that seat.", ErrorCode.NO_SUCH_SEAT)
    dealing = Dealing(outcome.seat, seat=0)
    after = State(dealing, state.hands, (), state.zones, state.unseen, state.pile)
    return Step(after, (StartChosen(outcome.seat),))


def _deal(state: State, stage: Dealing, card: Card | FaceDown) -> Step[State, Event]:
    """P3: five cards to each seat, one seat after the other."""
    seat = stage.seat
    hand = _add_to_hand(state.hands[seat], card)
    hands = _replace(state.hands, seat, hand)
    next_stage: Dealing | Forming = stage
    if len(hand) == HAND_SIZE:
        last = seat + 1 == len(hands)
        next_stage = Forming(stage.first) if last else Dealing(stage.first, seat + 1)
    unseen = _mark_seen(state.unseen, card)
    after = State(next_stage, hands, (), state.zones, unseen, state.pile - 1)
    return Step(after, (CardDealt(seat, card),))


def _form(state: State, stage: Forming, card: Card) -> Step[State, Event]:
    """P3: six cards face up in a row."""
    unseen = _mark_seen(state.unseen, card)
    parade = (*state.parade, card)
    formed = len(parade) == PARADE_SIZE
    after = State(
        _PLAYING[stage.first] if formed else stage,
        state.hands,
        parade,
        state.zones,
        unseen,
        state.pile - 1,
    )
    return Step(after, (CardJoined(card),))


def _draw(state: State, stage: Drawing, card: Card | FaceDown) -> Step[State, Event]:
    """P7, then P9 if this turn triggers the last round."""
    seat, hands, pile, ending = stage.seat, state.hands, state.pile - 1, stage.ending
    if pile == 0:  # P8 (b); both at once still give one last round (P10)
        ending = Ending.BOTH if ending else Ending.EMPTY_PILE
    unseen = _mark_seen(state.unseen, card)
    hands = (*hands[:seat], _add_to_hand(hands[seat], card), *hands[seat + 1 :])
    playing = _PLAYING[(seat + 1) % len(hands)]
    events: tuple[Event, ...] = (CardDrawn(seat, card),)
    if ending:
        playing = Playing(playing.seat, len(hands), ending)
        events = (*events, LastRoundBegan(seat, ending))
    return Step(State(playing, hands, state.parade, state.zones, unseen, pile), events)


def _add_to_hand(hand: Hand, card: Card | FaceDown) -> Hand:
    """Return the hand with one more card: sorted, with face-down cards last."""
    if card is FACE_DOWN:
        return (*hand, card)
    if hand and hand[-1] is FACE_DOWN:
        known = hand.index(FACE_DOWN)
        return (*_add_to_hand(hand[:known], card), *hand[known:])
    return tuple(sorted((*hand, card)))  # type: ignore[type-var] # no card in it is face down


def _take_from_hand(hand: Hand, card: Card, unseen: tuple[Card, ...]) -> tuple[Hand, tuple[Card, ...]]:
    """Remove this card, or the face-down card that it turns out to be, from the hand and `unseen`."""
    if card in hand:
        at = hand.index(card)
    else:
        at = hand.index(FACE_DOWN)
        unseen = _mark_seen(unseen, card)
    return hand[:at] + hand[at + 1 :], unseen


def _mark_seen(unseen: tuple[Card, ...], card: Card | FaceDown) -> tuple[Card, ...]:
    """Return `unseen` without this card, whose location is now known."""
    if card is FACE_DOWN:
        return unseen
    at = bisect_left(unseen, card)
    if at == len(unseen) or unseen[at] != card:
        raise IllegalAction(write(card), "this card is somewhere else.", ErrorCode.CARD_ELSEWHERE)
    return unseen[:at] + unseen[at + 1 :]


def _replace(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    return (*items[:seat], item, *items[seat + 1 :])
