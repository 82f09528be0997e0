"""The rules of Cookies: set-up, turns, and what is allowed. Numbers such as C9 are those of `RULES.md`.

How pawns travel and what the spaces do is in `journey.py`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, assert_never

from wonderland.engine.errors import IllegalAction, UsageError
from wonderland.engine.protocol import FACE_DOWN, LUCK, Acting, Chance, FaceDown, Over, Step
from wonderland.games.cookies.rules import journey
from wonderland.games.cookies.rules.components import DECK, SEATS, SMALL_COOKIES, Card, large_cookies
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
    """The table before the start player is drawn and the cards are dealt."""
    if seats not in SEATS:
        raise UsageError(f"Cookies is for 2 to 4 players, not {seats} (C2).")
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
    """Who or what decides next."""
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


# The same piles, stacks and rings come again and again: what luck can make of each is kept.


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
    return Chance(tuple(map(Spin, range(size))), "spin", seat)  # C3: each as likely as any other


def _weights(kinds: tuple[int, ...], things: tuple[int, ...]) -> tuple[int, ...]:
    """How many there are of each kind; nothing need be said if there is one of each."""
    return tuple(map(things.count, kinds)) if len(kinds) < len(things) else ()


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """What this seat may do now: play a card (C7), take a cookie (C13), or answer a spin (C18)."""
    stage = state.stage
    if not isinstance(stage, (Playing, Taking, Deciding)) or stage.seat != seat:
        return ()
    if isinstance(stage, Playing):
        return _plays(state, seat, LEFT) + _plays(state, seat, RIGHT)
    return _TAKE if isinstance(stage, Taking) else _ANSWERS


def _plays(state: State, seat: Seat, side: Side) -> tuple[PlayCard, ...]:
    """C7, C8: the ways to play the card at one end of the hand; if it is face down, any it could be."""
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


def _ways(side: Side, choices: Sequence[tuple[bool, bool]]) -> dict[Card, tuple[PlayCard, ...]]:
    """For each card the ways to play it, with each of these choices of `plus` and `walk`."""
    return {
        card: tuple(
            PlayCard(side, card, number, plus, walk) for number in card.numbers for plus, walk in choices
        )
        for card in Card
    }


_USUAL = [_ways(side, [(False, False)]) for side in Side]
_LARGE = [_ways(side, [(False, False), (True, False)]) for side in Side]  # C8
_STUCK = [_ways(side, [(False, False), (False, True)]) for side in Side]  # C22


def apply(state: State, actor: Actor, action: Action) -> Step[State, Event]:
    """Carry out an action of a seat or of luck."""
    if actor is LUCK:
        return _apply_luck(state, action)
    stage = state.stage
    if isinstance(stage, (Playing, Taking, Deciding)) and stage.seat == actor:
        if isinstance(action, PlayCard):
            if isinstance(stage, Playing) and action in _plays(state, actor, action.side):
                return _play(state, actor, action)
        elif isinstance(action, TakeCookie):
            if isinstance(stage, Taking):
                return _take(state, actor, action)
        elif isinstance(action, Answer) and isinstance(stage, Deciding):
            return _answer(state, stage, action)
    raise refusal(state, actor, action)


def _play(state: State, seat: Seat, play: PlayCard) -> Step[State, Event]:
    """C7 to C9; C18: in the Rabbit Hole the number is how many spins there are."""
    table = StateBuilder(state)
    hand = state.hands[seat]
    card, rest = (hand[0], hand[1:]) if play.side is LEFT else (hand[-1], hand[:-1])
    if card is FACE_DOWN:
        table.unseen = replace_at(table.unseen, seat, remove_one(table.unseen[seat], play.card))
    table.hands = replace_at(table.hands, seat, rest)
    table.last = play
    table.events.append(CardPlayed(seat, play))
    if state.stuck[seat]:
        table.stuck = replace_at(table.stuck, seat, False)  # noqa: FBT003 - one of a flag for each seat
    if state.in_hole(seat) and not play.walk:  # C22: to walk is a choice
        return table.left_in(Climbing(seat, play.steps))
    return table.left_in(journey.move(table, seat, play.steps))


def _take(state: State, seat: Seat, choice: TakeCookie) -> Step[State, Event]:
    """C13: the face-up cookie, or the top one of the stack."""
    table = StateBuilder(state)
    if choice is TakeCookie.FACE_DOWN:
        return table.left_in(TakingDown(seat))
    return table.left_in(journey.take_face_up(table, seat))


def _answer(state: State, stage: Deciding, answer: Answer) -> Step[State, Event]:
    """C18: accept the spin, or spin again."""
    table = StateBuilder(state)
    if answer is Answer.AGAIN:
        return table.left_in(Climbing(stage.seat, stage.spins))
    return table.left_in(journey.climb_out(table, stage.seat))


def _apply_luck(state: State, outcome: Action) -> Step[State, Event]:
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
    """C6: the start player is random unless chosen."""
    if outcome.seat not in range(len(state.hands)):
        raise IllegalAction(write(outcome), "nobody sits there", "C6")
    table = StateBuilder(state)
    table.events.append(StartChosen(outcome.seat))
    return table.left_in(Dealing(outcome.seat, seat=0))


def _deal(state: State, stage: Dealing, card: Card | FaceDown) -> Step[State, Event]:
    """C6: the cards keep the order in which they were drawn: left, centre, right."""
    table = StateBuilder(state)
    seat = stage.seat
    _see(table, seat, card)
    hand = (*state.hands[seat], card)
    table.hands = replace_at(table.hands, seat, hand)
    table.events.append(CardDealt(seat, card, _is_open(state)))
    if len(hand) < state.options.hand_size:
        return table.left_in(stage)
    last = seat == len(state.hands) - 1
    return table.left_in(TurningFirst(stage.first) if last else Dealing(stage.first, seat + 1))


def _draw(state: State, seat: Seat, card: Card | FaceDown) -> Step[State, Event]:
    """C12: the card goes between the two in the hand; C21: to the right of the only one."""
    table = StateBuilder(state)
    _see(table, seat, card)
    hand = state.hands[seat]
    table.hands = replace_at(table.hands, seat, (*hand[:1], card, *hand[1:]))
    table.events.append(CardDrawn(seat, card, _is_open(state)))
    return table.left_in(journey.next_turn(table, seat))


def _is_open(state: State) -> bool:
    return state.options.hands == "open"


def _see(table: StateBuilder, seat: Seat, card: Card | FaceDown) -> None:
    """A card came off the pile: its place is known now, unless it can't be seen."""
    unseen = table.unseen
    if card is FACE_DOWN:
        if table.options.hands == "open":
            raise IllegalAction(write(card), "all hands lie open", "C20")
        return
    if card not in unseen[seat]:
        raise IllegalAction(write(card), "there is no such card in the pile", "C2")
    table.unseen = replace_at(unseen, seat, remove_one(unseen[seat], card))


def _turn(state: State, stage: TurningUp | TakingDown | TurningFirst, cookie: int) -> Step[State, Event]:
    """The top cookie of the stack is turned: C5, C10 and C13."""
    if cookie not in state.larder.stack:
        raise IllegalAction(write(Cookie(cookie)), "no such cookie lies face down", "C1")
    table = StateBuilder(state)
    if isinstance(stage, TakingDown):
        return table.left_in(journey.take_face_down(table, stage.seat, cookie))
    journey.turn_up(table, cookie)
    if isinstance(stage, TurningFirst):
        return table.left_in(Playing(stage.first))
    if table.pawns[stage.seat] == journey.TEA_PARTY:  # it stopped there, and has had its cookie
        return table.left_in(journey.end_turn(table, stage.seat))
    return table.left_in(journey.arrive(table, stage.seat, stage.cats))


def _spin(state: State, stage: Climbing | Spinning, spin: Spin) -> Step[State, Event]:
    """C14 and C18: the spinner points at a space."""
    size = len(state.options.board.spaces)
    if spin.space not in range(size):
        raise IllegalAction(write(spin), f"the board has {size} spaces", "C3")
    table = StateBuilder(state)
    if isinstance(stage, Spinning):
        return table.left_in(journey.spin_for_cookies(table, stage.seat, spin.space))
    return table.left_in(journey.spin_to_climb(table, stage.seat, spin.space, stage.spins))


def certain_step(before: State, seat: Seat, action: Action) -> tuple[State, list[Event]]:
    """The state after an action and the events on the way, until something random moves the pawn.

    Which cookies are turned up on the way makes no difference to where the pawn goes, so any will do.
    """
    step = apply(before, seat, action)
    events = [*step.events]
    while isinstance(step.state.stage, TurningUp):
        chance = turn(step.state)
        assert isinstance(chance, Chance)  # noqa: S101 - that is what this stage is for
        step = apply(step.state, LUCK, chance.outcomes[0])
        events += step.events
    return step.state, events
