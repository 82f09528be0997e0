"""The rules of Cookies: set-up, turns and legal actions. Numbers such as C9 refer to `RULES.md`.

Movement and the effects of the spaces are in `journey.py`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, assert_never

from wonderland.engine.errors import IllegalAction, wrong_player_count
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Acting, Chance, FaceDown, Over, Step
from wonderland.games.cookies.rules import journey
from wonderland.games.cookies.rules.components import DECK, SEATS, SMALL_COOKIES, Card, large_cookies
from wonderland.games.cookies.rules.error_codes import ErrorCode
from wonderland.games.cookies.rules.events import CardDealt, CardDrawn, CardPlayed, Event, StartChosen
from wonderland.games.cookies.rules.notation import write
from wonderland.games.cookies.rules.refusals import chance_refusal, refusal
from wonderland.games.cookies.rules.state import (
    LEFT,
    RIGHT,
    Action,
    Answer,
    Climbing,
    Cookie,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Larder,
    PlayCard,
    Playing,
    Side,
    Spin,
    Spinning,
    Starting,
    StartWith,
    State,
    TakeCookie,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
)
from wonderland.games.cookies.rules.state_builder import StateBuilder, remove_one, replace_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Actor, Seat, Turn
    from wonderland.games.cookies.rules.options import Options

_ACTING = [Acting((seat,)) for seat in range(SEATS[-1])]
_TAKE = tuple(TakeCookie)
_ANSWERS = tuple(Answer)


def start(seats: int, options: Options) -> State:
    """Return the initial state, before the start player is drawn and the cards are dealt."""
    if seats not in SEATS:
        raise wrong_player_count("Cookies", SEATS, seats, "C2")
    nothing: tuple[tuple[()], ...] = ((),) * seats
    return State(
        options.checked(),
        Starting(),
        hands=nothing,
        unseen=(DECK,) * seats,  # C2
        pawns=(journey.TEA_PARTY,) * seats,  # C5
        large=None,
        stuck=(False,) * seats,
        larder=Larder(nothing, (0,) * seats, large_cookies(seats), None, SMALL_COOKIES),  # C1
        spinner=None,
        last=None,
    )


def turn(state: State) -> Turn[Action]:
    """Return who acts next: a seat, chance, or nobody once the game is over."""
    stage = state.stage
    match stage:
        case Playing():
            return _ACTING[stage.seat]
        case Drawing():
            return _next_card(stage.seat, state.unseen[stage.seat])
        case Taking() | Deciding():
            return _ACTING[stage.seat]
        case TurningUp() | TakingDown():
            return _next_cookie(stage.seat, state.larder.stack)
        case Climbing() | Spinning():
            return _next_spin(stage.seat, len(state.options.board.spaces))
        case Dealing():
            return _next_card(stage.seat, state.unseen[stage.seat])
        case TurningFirst():
            return _next_cookie(None, state.larder.stack)
        case Starting():
            return Chance(tuple(StartWith(seat) for seat in range(len(state.hands))), "start")  # C6
        case Ended():
            return Over(stage.result)
    assert_never(stage)


# Cached, because the same piles, stacks and rings come up again and again.


@cache
def _next_card(seat: Seat, unseen: tuple[Card, ...]) -> Chance[Action]:
    cards = tuple(dict.fromkeys(unseen))
    return Chance(cards, f"card{seat + 1}", seat, _weights(cards, unseen))


@cache
def _next_cookie(seat: Seat | None, stack: tuple[int, ...]) -> Chance[Action]:
    cookies = tuple(dict.fromkeys(stack))
    return Chance(tuple(map(Cookie, cookies)), "cookie", seat, _weights(cookies, stack))


@cache
def _next_spin(seat: Seat, size: int) -> Chance[Action]:
    return Chance(tuple(map(Spin, range(size))), "spin", seat)  # C3: all equally likely


def _weights(kinds: tuple[int, ...], things: tuple[int, ...]) -> tuple[int, ...]:
    """Number of each kind; empty, meaning equal weights, if there is one of each."""
    return tuple(map(things.count, kinds)) if len(kinds) < len(things) else ()


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """Legal actions of a seat: play a card (C7), take a cookie (C13), or answer a spin (C18)."""
    stage = state.stage
    if not isinstance(stage, (Playing, Taking, Deciding)) or stage.seat != seat:
        return ()
    if isinstance(stage, Playing):
        return _legal_plays(state, seat, LEFT) + _legal_plays(state, seat, RIGHT)
    return _TAKE if isinstance(stage, Taking) else _ANSWERS


def _legal_plays(state: State, seat: Seat, side: Side) -> tuple[PlayCard, ...]:
    """Legal plays of the card at one end of the hand; face down, of any card it could be (C7, C8)."""
    hand = state.hands[seat]
    if side is LEFT:
        card = hand[0]
    elif len(hand) > 1:
        card = hand[-1]
    else:
        return ()
    ways = _USUAL[side]
    if state.large == seat:
        ways = _LARGE[side]
    elif state.stuck[seat] and state.options.kind_hole:
        ways = _STUCK[side]
    if card is FACE_DOWN:
        return tuple(play for could_be in dict.fromkeys(state.unseen[seat]) for play in ways[could_be])
    return ways[card]


def _plays_by_card(side: Side, choices: Sequence[tuple[bool, bool]]) -> dict[Card, tuple[PlayCard, ...]]:
    """For each card, its plays with each of these choices of `plus` and `walk`."""
    return {
        card: tuple(
            PlayCard(side, card, number, plus, walk) for number in card.numbers for plus, walk in choices
        )
        for card in Card
    }


_USUAL = [_plays_by_card(side, [(False, False)]) for side in Side]
_LARGE = [_plays_by_card(side, [(False, False), (True, False)]) for side in Side]  # C8
_STUCK = [_plays_by_card(side, [(False, False), (False, True)]) for side in Side]  # C22


def apply(state: State, actor: Actor, action: Action) -> Step[State, Event]:
    """Apply an action of a seat, or a chance outcome."""
    if actor is CHANCE:
        return _apply_chance(state, action)
    stage = state.stage
    if isinstance(stage, (Playing, Taking, Deciding)) and stage.seat == actor:
        if isinstance(action, PlayCard):
            if isinstance(stage, Playing) and action in _legal_plays(state, actor, action.side):
                return _play(state, actor, action)
        elif isinstance(action, TakeCookie):
            if isinstance(stage, Taking):
                return _take(state, actor, action)
        elif isinstance(action, Answer) and isinstance(stage, Deciding):
            return _answer(state, stage, action)
    raise refusal(state, actor, action)


def _play(state: State, seat: Seat, play: PlayCard) -> Step[State, Event]:
    """Play a card (C7 to C9); in the Rabbit Hole, its number is the number of spins (C18)."""
    table = StateBuilder(state)
    hand = state.hands[seat]
    card, rest = (hand[0], hand[1:]) if play.side is LEFT else (hand[-1], hand[:-1])
    if card is FACE_DOWN:
        table.unseen = replace_at(table.unseen, seat, remove_one(table.unseen[seat], play.card))
    table.hands = replace_at(table.hands, seat, rest)
    table.last = play
    table.events.append(CardPlayed(seat, play))
    if state.stuck[seat]:
        table.stuck = replace_at(table.stuck, seat, False)  # noqa: FBT003 - the flag of one seat
    if state.in_hole(seat) and not play.walk:  # C22: walking is optional
        return table.build(Climbing(seat, play.steps))
    return table.build(journey.move(table, seat, play.steps))


def _take(state: State, seat: Seat, choice: TakeCookie) -> Step[State, Event]:
    """Take the face-up cookie, or the top one of the stack (C13)."""
    table = StateBuilder(state)
    if choice is TakeCookie.FACE_DOWN:
        return table.build(TakingDown(seat))
    return table.build(journey.take_face_up(table, seat))


def _answer(state: State, stage: Deciding, answer: Answer) -> Step[State, Event]:
    """Accept the spin, or spin again (C18)."""
    table = StateBuilder(state)
    if answer is Answer.AGAIN:
        return table.build(Climbing(stage.seat, stage.spins))
    return table.build(journey.climb_out(table, stage.seat))


def _apply_chance(state: State, outcome: Action) -> Step[State, Event]:
    stage = state.stage
    if isinstance(outcome, (Card, FaceDown)):
        if isinstance(stage, Drawing):
            return _draw(state, stage.seat, outcome)
        if isinstance(stage, Dealing):
            return _deal(state, stage, outcome)
    elif isinstance(outcome, Cookie):
        if isinstance(stage, (TurningUp, TakingDown, TurningFirst)):
            return _turn(state, stage, outcome.value)
    elif isinstance(outcome, Spin):
        if isinstance(stage, (Climbing, Spinning)):
            return _spin(state, stage, outcome)
    elif isinstance(outcome, StartWith) and isinstance(stage, Starting):
        return _begin(state, outcome)
    raise chance_refusal(stage, outcome)


def _begin(state: State, outcome: StartWith) -> Step[State, Event]:
    """Set the start player, who is random unless chosen (C6)."""
    if outcome.seat not in range(len(state.hands)):
        raise IllegalAction(write(outcome), "nobody is in that seat.", ErrorCode.NO_SUCH_SEAT)
    table = StateBuilder(state)
    table.events.append(StartChosen(outcome.seat))
    return table.build(Dealing(outcome.seat, seat=0))


def _deal(state: State, stage: Dealing, card: Card | FaceDown) -> Step[State, Event]:
    """Deal a card; hands keep the order of the draw: left, centre, right (C6)."""
    table = StateBuilder(state)
    seat = stage.seat
    _mark_seen(table, seat, card)
    hand = (*state.hands[seat], card)
    table.hands = replace_at(table.hands, seat, hand)
    table.events.append(CardDealt(seat, card, _is_open(state)))
    if len(hand) < state.options.hand_size:
        return table.build(stage)
    last = seat == len(state.hands) - 1
    return table.build(TurningFirst(stage.first) if last else Dealing(stage.first, seat + 1))


def _draw(state: State, seat: Seat, card: Card | FaceDown) -> Step[State, Event]:
    """Draw a card: it goes between the two in hand (C12), or to the right of the only one (C21)."""
    table = StateBuilder(state)
    _mark_seen(table, seat, card)
    hand = state.hands[seat]
    table.hands = replace_at(table.hands, seat, (*hand[:1], card, *hand[1:]))
    table.events.append(CardDrawn(seat, card, _is_open(state)))
    return table.build(journey.next_turn(table, seat))


def _is_open(state: State) -> bool:
    return state.options.hands == "open"


def _mark_seen(table: StateBuilder, seat: Seat, card: Card | FaceDown) -> None:
    """Remove a card that came off the pile from the unseen ones, unless it came face down."""
    unseen = table.unseen
    if card is FACE_DOWN:
        if table.options.hands == "open":
            raise IllegalAction(write(card), "all hands are open.", ErrorCode.OPEN_HANDS)
        return
    if card not in unseen[seat]:
        raise IllegalAction(
            write(card), "there is no such card left in the pile.", ErrorCode.NO_SUCH_CARD
        )
    table.unseen = replace_at(unseen, seat, remove_one(unseen[seat], card))


def _turn(state: State, stage: TurningUp | TakingDown | TurningFirst, cookie: int) -> Step[State, Event]:
    """Turn over the top cookie of the stack (C5, C10, C13)."""
    if cookie not in state.larder.stack:
        word = write(Cookie(cookie))
        raise IllegalAction(word, "there is no such cookie left in the stack.", ErrorCode.NO_SUCH_COOKIE)
    table = StateBuilder(state)
    if isinstance(stage, TakingDown):
        return table.build(journey.take_face_down(table, stage.seat, cookie))
    journey.turn_up(table, cookie)
    if isinstance(stage, TurningFirst):
        return table.build(Playing(stage.first))
    if table.pawns[stage.seat] == journey.TEA_PARTY:  # it stopped there and already took its cookie
        return table.build(journey.end_turn(table, stage.seat))
    return table.build(journey.arrive(table, stage.seat, stage.cats))


def _spin(state: State, stage: Climbing | Spinning, spin: Spin) -> Step[State, Event]:
    """Carry out a spin for small cookies (C14), or to climb out (C18)."""
    size = len(state.options.board.spaces)
    if spin.space not in range(size):
        raise IllegalAction(
            write(spin), "the board has {size} spaces.", ErrorCode.NO_SUCH_SPACE, size=size
        )
    table = StateBuilder(state)
    if isinstance(stage, Spinning):
        return table.build(journey.spin_for_cookies(table, stage.seat, spin.space))
    return table.build(journey.spin_to_climb(table, stage.seat, spin.space, stage.spins))


def certain_step(before: State, seat: Seat, action: Action) -> tuple[State, list[Event]]:
    """Apply an action, and return the state and events up to the next chance outcome that matters.

    Cookies turned up on the way don't affect where the pawn goes, so an arbitrary one is used.
    """
    step = apply(before, seat, action)
    events = [*step.events]
    while isinstance(step.state.stage, TurningUp):
        chance = turn(step.state)
        assert isinstance(chance, Chance)  # noqa: S101 - the only turn at this stage
        step = apply(step.state, CHANCE, chance.outcomes[0])
        events += step.events
    return step.state, events
