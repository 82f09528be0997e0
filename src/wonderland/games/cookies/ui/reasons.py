"""Reasons why one choice in Cookies is better than another: its gain this turn and its consequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, compare_playouts, compose, decimal, side_by_side
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Acting, Chance, Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import Event, FellIntoHole, PawnGrew, PawnMoved, PawnShrank
from wonderland.games.cookies.rules.journey import can_climb_to, steps_to_free
from wonderland.games.cookies.rules.rules import apply, certain_step, legal, turn
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
    Action,
    Answer,
    Climbing,
    Drawing,
    Ended,
    PlayCard,
    Playing,
    Side,
    State,
    TakeCookie,
    Taking,
)
from wonderland.games.cookies.rules.view import View, observed_state
from wonderland.games.cookies.ui.words import space_name

_RABBIT = 1
"""The kernel's number for the greedy White Rabbit policy."""
_HOLE, _SIZE, _JOKER, _IN_REACH, _FARTHER = 1.5, 0.7, 1.0, 1.0, 1.0
"""Weights, in points, of falling down the hole, becoming large, keeping the Joker, a good next space,
and a pawn that is farther at the end."""
_MANY_SPINS = 3
"""As many spins make climbing out of the hole a choice rather than luck."""
_TOLERANCE = 0.05
"""Smaller differences vanish when rounded for display."""
_MENTION = 0.1
"""Weight of facts that are worth mentioning although they bring no points."""
_FROM = {
    Side.LEFT: phrase("the left card ({number})"),
    Side.RIGHT: phrase("the right card ({number})"),
}


class Trial(Value, frozen=True):
    """A choice with its certain effects and expected gain."""

    name: str
    gain: float
    """Expected points this turn, with the best choices from then on."""
    after: State
    events: tuple[Event, ...]


def reason(
    view: View, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
) -> str:
    """Explain in one or two sentences why `best` is better than `other`."""
    seat = view.seat
    assert seat is not None  # noqa: S101 - a spectator has no choice to explain
    state = observed_state(view)
    trials = (_try_action(state, seat, best.action, say), _try_action(state, seat, other.action, say))
    facts = list(_facts(view, (best.action, other.action), trials, names, say))
    outlook = compare_playouts("cookies", view, (best.action, other.action), [_RABBIT] * len(names))
    found = None if outlook is None else outlook.in_favour(names, more_wins=True)
    return compose(Choices(best, other, (trials[0].name, trials[1].name)), facts, say, found)


def _try_action(state: State, seat: Seat, action: Action, say: Language) -> Trial:
    after, events = certain_step(state, seat, action)
    gain = _expected_score(apply(state, seat, action).state, seat, {}) - _score(state, seat)
    return Trial(_name_choice(action, say), gain, after, tuple(events))


def _name_choice(action: Action, say: Language) -> str:
    """Name a choice in a few words that can start a sentence."""
    if not isinstance(action, PlayCard):
        return say(_CHOICE_NAMES[action])
    number = str(action.number)
    if action.card is Card.JOKER and action.plus:
        number = say("a Joker as {number}, plus 1 for being large", number=action.number)
    elif action.card is Card.JOKER:
        number = say("a Joker as {number}", number=action.number)
    elif action.plus:
        number = say("{number}, plus 1 for being large", number=action.number)
    text = say(_FROM[action.side], number=number)
    return say("walking out with {card}", card=text) if action.walk else text


_CHOICE_NAMES: dict[Action, str] = {
    Answer.ACCEPT: phrase("accepting the spin"),
    Answer.AGAIN: phrase("spinning again"),
    TakeCookie.FACE_UP: phrase("taking the face-up cookie"),
    TakeCookie.FACE_DOWN: phrase("taking a face-down cookie"),
}


# Expected gain of a turn, over all chance outcomes by weight.


def _score(state: State, seat: Seat) -> int:
    return points(state.larder.large[seat], state.larder.small[seat])


def _expected_score(state: State, seat: Seat, cache: dict[State, float]) -> float:
    """Expected score of a seat at the end of its turn, if it always takes the best choice."""
    if isinstance(state.stage, Drawing | Playing | Ended):
        return _score(state, seat)
    if isinstance(state.stage, Climbing):
        state = _clear_spinner(state)
    if state not in cache:
        cache[state] = _expand(state, seat, cache)
    return cache[state]


def _expand(state: State, seat: Seat, cache: dict[State, float]) -> float:
    now = turn(state)
    if isinstance(now, Acting):
        steps = (apply(state, seat, action) for action in legal(state, seat))
        return max(_expected_score(step.state, seat, cache) for step in steps)
    assert isinstance(now, Chance)  # noqa: S101 - the end of the game is handled above
    following = (
        weight * _expected_score(apply(state, CHANCE, outcome).state, seat, cache)
        for outcome, weight in now.weighted()
    )
    return sum(following) / now.total


def _clear_spinner(state: State) -> State:
    """Drop the rejected spin, which has no further effect, so that equal states share a cache entry."""
    return State(
        state.options,
        state.stage,
        state.hands,
        state.unseen,
        state.pawns,
        state.large,
        state.stuck,
        state.larder,
        None,
        state.last,
    )


# Facts that follow from the rules.


def _facts(
    view: View,
    actions: tuple[Action, Action],
    trials: tuple[Trial, Trial],
    names: Sequence[str],
    say: Language,
) -> Iterator[Fact]:
    """Facts from the rules in favour of the first of two choices."""
    if isinstance(view.stage, Taking):
        yield _cookies(view, trials, say)
        return
    seat = view.seat or 0
    weight = trials[0].gain - trials[1].gain + _penalty(trials[1], seat) - _penalty(trials[0], seat)
    if abs(weight) >= _TOLERANCE or trials[0].after.pawns != trials[1].after.pawns:
        one, other = (_describe_gain(trial, names, say) for trial in trials)
        weight = _MENTION if abs(weight) < _TOLERANCE else weight
        yield Fact(weight, side_by_side(one, other, say))
    else:
        yield Fact(_MENTION, _compare_hands(seat, trials, say))
    jokers = [isinstance(action, PlayCard) and action.card is Card.JOKER for action in actions]
    if jokers == [False, True]:
        yield Fact(_JOKER, say("{choice} uses up the Joker.", choice=trials[1].name))
    yield from _hole(seat, trials, say)
    yield from _in_reach(seat, trials, say)
    yield from _last_card(seat, trials, say)


def _cookies(view: View, trials: tuple[Trial, Trial], say: Language) -> Fact:
    """Compare the face-up cookie with the stack (C13)."""
    stack = view.larder.stack
    text = say.plural(
        "The face-up cookie is worth {worth}; the face-down one is worth {mean}.",
        "The face-up cookie is worth {worth}; the {number} face-down ones are worth {mean} on average.",
        len(stack),
        worth=view.larder.face_up,
        mean=decimal(sum(stack) / len(stack), say),
    )
    return Fact(trials[0].gain - trials[1].gain, text)


def _compare_hands(seat: Seat, trials: tuple[Trial, Trial], say: Language) -> str:
    """Compare the hands left by two cards that have the same effect now."""
    kept = [
        say.join_list(card.mark for card in trial.after.hands[seat] if card is not FACE_DOWN)
        for trial in trials
    ]
    if kept[0] == kept[1]:
        return say("{best} does the same as {other}.", best=trials[0].name, other=trials[1].name)
    return say(
        "Right now both do the same: {best} leaves {cards} in hand, {other} leaves {others}.",
        best=trials[0].name,
        other=trials[1].name,
        cards=kept[0],
        others=kept[1],
    )


def _penalty(trial: Trial, seat: Seat) -> float:
    """Penalty for where the pawn ends up, apart from points."""
    grew, fell = PawnGrew(seat) in trial.events, FellIntoHole(seat) in trial.events
    shrank = PawnShrank(seat) in trial.events
    return _HOLE * fell + _SIZE * (shrank - grew)


def _describe_gain(trial: Trial, names: Sequence[str], say: Language) -> str:
    """Describe what a choice gains this turn, and how."""
    fields = {"choice": trial.name, "how": say.join_list(_describe_way(trial, names, say))}
    if abs(trial.gain) < _TOLERANCE:
        return say("{choice} earns nothing: {how}", **fields)
    if abs(trial.gain - round(trial.gain)) < 1e-9:  # a whole number up to rounding
        return say.plural(
            "{choice} earns {number} point: {how}",
            "{choice} earns {number} points: {how}",
            round(trial.gain),
            **fields,
        )
    return say(
        "{choice} earns {points} points on average: {how}", points=decimal(trial.gain, say), **fields
    )


def _describe_way(trial: Trial, names: Sequence[str], say: Language) -> Iterator[str]:
    """Describe the pawn's move and its consequences."""
    stage, board = trial.after.stage, trial.after.options.board
    if isinstance(stage, Climbing):
        spaces = range(len(board.spaces))
        lead_out = sum(can_climb_to(board, trial.after.pawns, space) for space in spaces)
        yield say.plural("{number} spin", "{number} spins", stage.spins)
        yield say("{number} of {all} spaces lead out", number=lead_out, all=len(spaces))
        return
    moves = [event for event in trial.events if isinstance(event, PawnMoved)]
    if any(move.passed for move in moves):
        yield say("past the Tea Party")
    yield say("to {space}", space=space_name(moves[-1].end, moves[-1].kind, say))
    for event in trial.events:
        match event:
            case PawnGrew(who):
                yield say("{name} becomes large", name=names[who])
            case PawnShrank(who):
                yield say("{name} becomes small", name=names[who])
            case FellIntoHole(who):
                yield say("{name} falls in", name=names[who])


# Consequences for later turns.


def _hole(seat: Seat, trials: tuple[Trial, Trial], say: Language) -> Iterator[Fact]:
    """What falling into the Rabbit Hole costs, or brings: the next card buys spins (C17, C18)."""
    fell = [FellIntoHole(seat) in trial.events for trial in trials]
    if fell[0] == fell[1]:
        return
    after = trials[fell.index(True)].after
    numbers = [card.value for card in after.hands[seat] if isinstance(card, Card)]
    if not numbers:
        return
    if fell[1]:
        spaces = range(len(after.options.board.spaces))
        text = say(
            "The Rabbit Hole costs the next card: it only buys spins, and {number} of {all} spaces "
            "lead out.",
            number=sum(can_climb_to(after.options.board, after.pawns, space) for space in spaces),
            all=len(spaces),
        )
        yield Fact(_HOLE, text)
    elif (spins := max(numbers)) >= _MANY_SPINS and Card.JOKER not in after.hands[seat]:
        text = say(
            "The Rabbit Hole has its good side: next turn the {number} in hand buys {number} spins, "
            "and the first good one can be accepted.",
            number=spins,
        )
        yield Fact(_HOLE, text)


def _in_reach(seat: Seat, trials: tuple[Trial, Trial], say: Language) -> Iterator[Fact]:
    """A card kept in hand that leads to a good space, given the pawns' current places."""
    found = [dict(_good_spaces(trial.after, seat)) for trial in trials]
    if found[0] and not found[1]:
        card, space = max(found[0].items())
        board = trials[0].after.options.board
        text = say(
            "After {choice}, a {card} is still in hand, and right now it leads to {space}.",
            choice=trials[0].name,
            card=card.mark,
            space=space_name(space, board.spaces[space].kind, say),
        )
        yield Fact(_IN_REACH, text)


def _good_spaces(state: State, seat: Seat) -> Iterator[tuple[Card, int]]:
    """Cards that lead to cookies next turn, with the spaces."""
    if isinstance(state.stage, Climbing) or state.in_hole(seat):
        return
    spaces, larder = state.options.board.spaces, state.larder
    for card in state.hands[seat]:
        if card is FACE_DOWN or card is Card.JOKER:
            continue
        steps = steps_to_free(state.pawns, seat, card, len(spaces))
        space = (state.pawns[seat] + steps) % len(spaces)
        kind = spaces[space].kind
        small = kind is Kind.SMALL_COOKIES and larder.small_left > 0
        large = kind is Kind.TEA_PARTY and larder.face_up is not None
        if small or large:
            yield card, space


def _last_card(seat: Seat, trials: tuple[Trial, Trial], say: Language) -> Iterator[Fact]:
    """On the last card with equal gains, the farther pawn may break a tie (C19)."""
    one, another = trials
    farther = one.after.pawns[seat] > another.after.pawns[seat]
    if not one.after.hands[seat] and farther and abs(one.gain - another.gain) < _TOLERANCE:
        text = say(
            "This is the last card: if points and large cookies are tied, the pawn farther "
            "from the Tea Party wins."
        )
        yield Fact(_FARTHER, text)
