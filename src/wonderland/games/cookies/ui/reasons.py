"""Why one choice of Cookies is better than another: what each brings this turn, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, compare_playouts, compose, decimal, side_by_side
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import FACE_DOWN, LUCK, Acting, Chance, Seat
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
"""The number of the kernel's policy that takes what a card gives now."""
_HOLE, _SIZE, _JOKER, _IN_REACH, _FARTHER = 1.5, 0.7, 1.0, 1.0, 1.0
"""What falling down the hole, becoming large, keeping the Joker, a good next space and a farther pawn at
the end weigh, in points."""
_SAME = 0.05
"""What differs by less looks the same when it is written down."""
_BUT_SAY_IT = 0.1
"""Where two pawns get is worth saying even if neither gets anything there."""
_FROM = {
    Side.LEFT: phrase("{number} from the left"),
    Side.RIGHT: phrase("{number} from the right"),
}


class Try(Value, frozen=True):
    """What a choice leads to, as far as it can be foreseen."""

    called: str
    gain: float
    """Points in this turn, on average, if one then takes what is worth most."""
    after: State
    events: tuple[Event, ...]


def reason(
    view: View, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
) -> str:
    """Why `best` is better than `other` here, in one or two sentences."""
    seat = view.seat
    assert seat is not None  # noqa: S101 - a spectator has no choice to explain
    state = observed_state(view)
    tries = (_tried(state, seat, best.action, say), _tried(state, seat, other.action, say))
    facts = list(_facts(view, (best.action, other.action), tries, names, say))
    found = compare_playouts("cookies", view, (best.action, other.action), [_RABBIT] * len(names))
    if found is not None and found.difference <= 0:  # the most points win
        found = None
    return compose(Choices(best, other, (tries[0].called, tries[1].called)), facts, say, found)


def _tried(state: State, seat: Seat, action: Action, say: Language) -> Try:
    after, events = certain_step(state, seat, action)
    gain = _expected(apply(state, seat, action).state, seat, {}) - _has(state, seat)
    return Try(_called(action, say), gain, after, tuple(events))


def _called(action: Action, say: Language) -> str:
    """A choice in a few words that a sentence can go on from."""
    if not isinstance(action, PlayCard):
        return say(_CALLED[action])
    number = str(action.number)
    if action.card is Card.JOKER and action.plus:
        number = say("a Joker as {number} and 1 more", number=action.number)
    elif action.card is Card.JOKER:
        number = say("a Joker as {number}", number=action.number)
    elif action.plus:
        number = say("{number} and 1 more", number=action.number)
    text = say(_FROM[action.side], number=number)
    return say("walking with {card}", card=text) if action.walk else text


_CALLED: dict[Action, str] = {
    Answer.ACCEPT: phrase("accepting the spin"),
    Answer.AGAIN: phrase("spinning again"),
    TakeCookie.FACE_UP: phrase("taking the face-up cookie"),
    TakeCookie.FACE_DOWN: phrase("taking a face-down cookie"),
}


# What a turn brings: every outcome of luck counted with its weight.


def _has(state: State, seat: Seat) -> int:
    return points(state.larder.large[seat], state.larder.small[seat])


def _expected(state: State, seat: Seat, known: dict[State, float]) -> float:
    """The points of a seat at the end of its turn, on average, if it takes what is worth most."""
    if isinstance(state.stage, Drawing | Playing | Ended):
        return _has(state, seat)
    if isinstance(state.stage, Climbing):
        state = _before_the_spin(state)
    if state not in known:
        known[state] = _followed(state, seat, known)
    return known[state]


def _followed(state: State, seat: Seat, known: dict[State, float]) -> float:
    now = turn(state)
    if isinstance(now, Acting):
        steps = (apply(state, seat, action) for action in legal(state, seat))
        return max(_expected(step.state, seat, known) for step in steps)
    assert isinstance(now, Chance)  # noqa: S101 - the end of the game has been seen to
    following = (
        weight * _expected(apply(state, LUCK, outcome).state, seat, known)
        for outcome, weight in now.weighted()
    )
    return sum(following) / now.total


def _before_the_spin(state: State) -> State:
    """The same, wherever the spinner points: what was not accepted makes no difference."""
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


# What the rules say.


def _facts(
    view: View,
    actions: tuple[Action, Action],
    tries: tuple[Try, Try],
    names: Sequence[str],
    say: Language,
) -> Iterator[Fact]:
    """All that the rules say for the first of two choices."""
    if isinstance(view.stage, Taking):
        yield _cookies(view, tries, say)
        return
    seat = view.seat or 0
    weight = tries[0].gain - tries[1].gain + _mishaps(tries[1], seat) - _mishaps(tries[0], seat)
    if abs(weight) >= _SAME or tries[0].after.pawns != tries[1].after.pawns:
        one, other = (_brings(tried, names, say) for tried in tries)
        weight = _BUT_SAY_IT if abs(weight) < _SAME else weight
        yield Fact(weight, side_by_side(one, other, say))
    else:
        yield Fact(_BUT_SAY_IT, _left_over(seat, tries, say))
    jokers = [isinstance(action, PlayCard) and action.card is Card.JOKER for action in actions]
    if jokers == [False, True]:
        yield Fact(_JOKER, say("{choice} uses up the Joker.", choice=tries[1].called))
    yield from _in_reach(seat, tries, say)
    yield from _last_card(seat, tries, say)


def _cookies(view: View, tries: tuple[Try, Try], say: Language) -> Fact:
    """C13: the cookie that lies face up, and those that don't."""
    stack = view.larder.stack
    text = say.plural(
        "The face-up cookie is worth {worth}; the one that lies face down is worth {mean}.",
        "The face-up cookie is worth {worth}; the {number} face down are worth {mean} on average.",
        len(stack),
        worth=view.larder.face_up,
        mean=decimal(sum(stack) / len(stack), say),
    )
    return Fact(tries[0].gain - tries[1].gain, text)


def _left_over(seat: Seat, tries: tuple[Try, Try], say: Language) -> str:
    """Two cards that do the same now leave different ones in the hand."""
    kept = [
        say.join_list(card.mark for card in tried.after.hands[seat] if card is not FACE_DOWN)
        for tried in tries
    ]
    if kept[0] == kept[1]:
        return say("{best} does the same as {other}.", best=tries[0].called, other=tries[1].called)
    return say(
        "Now both do the same: after {best} the hand keeps {cards}, after {other} {others}.",
        best=tries[0].called,
        other=tries[1].called,
        cards=kept[0],
        others=kept[1],
    )


def _mishaps(tried: Try, seat: Seat) -> float:
    """What is bad about where a pawn gets, beside points."""
    grew, fell = PawnGrew(seat) in tried.events, FellIntoHole(seat) in tried.events
    shrank = PawnShrank(seat) in tried.events
    return _HOLE * fell + _SIZE * (shrank - grew)


def _brings(tried: Try, names: Sequence[str], say: Language) -> str:
    """A choice with what it brings this turn, and how."""
    fields = {"choice": tried.called, "how": say.join_list(_how(tried, names, say))}
    if abs(tried.gain) < _SAME:
        return say("{choice} brings no points: {how}", **fields)
    if abs(tried.gain - round(tried.gain)) < 1e-9:  # a whole number, as far as these go
        return say.plural(
            "{choice} brings {number} point: {how}",
            "{choice} brings {number} points: {how}",
            round(tried.gain),
            **fields,
        )
    return say(
        "{choice} brings {points} points on average: {how}", points=decimal(tried.gain, say), **fields
    )


def _how(tried: Try, names: Sequence[str], say: Language) -> Iterator[str]:
    """The way of a pawn, and what happens at its end."""
    stage, board = tried.after.stage, tried.after.options.board
    if isinstance(stage, Climbing):
        spaces = range(len(board.spaces))
        lead_out = sum(can_climb_to(board, tried.after.pawns, space) for space in spaces)
        yield say.plural("{number} spin", "{number} spins", stage.spins)
        yield say("{number} of {all} spaces lead out", number=lead_out, all=len(spaces))
        return
    moves = [event for event in tried.events if isinstance(event, PawnMoved)]
    if any(move.passed for move in moves):
        yield say("past the Tea Party")
    yield say("to {space}", space=space_name(moves[-1].end, moves[-1].kind, say))
    for event in tried.events:
        match event:
            case PawnGrew(who):
                yield say("{name} becomes large", name=names[who])
            case PawnShrank(who):
                yield say("{name} becomes small", name=names[who])
            case FellIntoHole(who):
                yield say("{name} falls in", name=names[who])


# What comes next.


def _in_reach(seat: Seat, tries: tuple[Try, Try], say: Language) -> Iterator[Fact]:
    """A card that stays in the hand and leads somewhere good, as the pawns stand."""
    found = [dict(_good_spaces(tried.after, seat)) for tried in tries]
    if found[0] and not found[1]:
        card, space = max(found[0].items())
        board = tries[0].after.options.board
        text = say(
            "After {choice} a {card} stays in hand: as the pawns stand it leads to {space}.",
            choice=tries[0].called,
            card=card.mark,
            space=space_name(space, board.spaces[space].kind, say),
        )
        yield Fact(_IN_REACH, text)


def _good_spaces(state: State, seat: Seat) -> Iterator[tuple[Card, int]]:
    """The cards that lead to cookies next time, and where."""
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


def _last_card(seat: Seat, tries: tuple[Try, Try], say: Language) -> Iterator[Fact]:
    """C19: where the points are the same, how far a pawn got may decide."""
    one, another = tries
    farther = one.after.pawns[seat] > another.after.pawns[seat]
    if not one.after.hands[seat] and farther and abs(one.gain - another.gain) < _SAME:
        text = say(
            "It is the last card: with equal points and as many large cookies, "
            "the pawn farther from the Tea Party wins."
        )
        yield Fact(_FARTHER, text)
