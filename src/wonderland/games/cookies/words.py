"""Cookies in plain words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from wonderland.core.protocol import FACE_DOWN, FaceDown
from wonderland.games.cookies.board import Kind
from wonderland.games.cookies.components import Card
from wonderland.games.cookies.events import (
    CardDealt,
    CardDrawn,
    CardPlayed,
    ClimbedOut,
    CookieTaken,
    CookieTurnedUp,
    Event,
    FellIntoHole,
    GameEnded,
    PawnGrew,
    PawnMoved,
    PawnShrank,
    SentOn,
    SmallCookiesTaken,
    SpinMade,
    StartChosen,
    StayedInHole,
)
from wonderland.games.cookies.foresight import foreseen
from wonderland.games.cookies.notation import write
from wonderland.games.cookies.scoring import points
from wonderland.games.cookies.state import (
    Action,
    Answer,
    Climbing,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Hand,
    PlayCard,
    Playing,
    Spinning,
    Starting,
    TakeCookie,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
    pile_size,
)
from wonderland.games.cookies.view import View, noted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wonderland.core.protocol import Seat

_WIDTH = 80
_COLUMNS = 3
_SPACE_NAMES = {
    Kind.TEA_PARTY: "Tea Party",
    Kind.SMALL_COOKIES: "Small Cookies",
    Kind.CATERPILLAR: "Caterpillar",
    Kind.CHESHIRE_CAT: "Cheshire Cat",
    Kind.RABBIT_HOLE: "Rabbit Hole",
    Kind.PLAIN: "",
}


def tell(event: Event, names: Sequence[str]) -> str | None:
    """What happened, in one sentence."""
    match event:
        case StartChosen(seat):
            return f"{names[seat]} begins."
        case CardDealt():
            return None
        case CardDrawn(seat, card):
            return f"{names[seat]} draws {_card_name(card)}."
        case CardPlayed(seat, play):
            return f"{names[seat]} plays {_play_name(play)}."
        case PawnMoved(seat, start, end, kind, beyond, passed):
            over = f", beyond {_number(beyond, 'other pawn')}" if beyond else ""
            past = ", past the Tea Party" if passed else ""
            way = f"from space {start + 1} to {_space_name(end, kind)}"
            return f"{names[seat]} moves {way}{over}{past}."
        case SentOn(seat, number):
            return f"The Cheshire Cat sends {names[seat]} on by {number}."
        case CookieTaken(seat, cookie, which):
            face = "face-up" if which is TakeCookie.FACE_UP else "face-down"
            return f"{names[seat]} takes the {face} cookie, worth {cookie}."
        case CookieTurnedUp(cookie):
            return f"A large cookie worth {cookie} is turned up."
        case SpinMade(_, space):
            return f"The spinner points at space {space + 1}."
        case SmallCookiesTaken(seat, number):
            return f"{names[seat]} takes {_number(number, 'small cookie')}."
        case PawnGrew(seat):
            return f"{names[seat]} becomes large."
        case PawnShrank(seat):
            return f"{names[seat]} becomes small."
        case FellIntoHole(seat):
            return f"{names[seat]} falls down the Rabbit Hole."
        case ClimbedOut(seat):
            return f"{names[seat]} climbs out of the Rabbit Hole."
        case StayedInHole(seat):
            return f"{names[seat]} stays in the Rabbit Hole."
        case GameEnded(result):
            return f"{result.text(names)}: {result.decided}."
    assert_never(event)


def _number(number: int, thing: str) -> str:
    """So many things.

    >>> _number(1, "spin"), _number(0, "small cookie")
    ('1 spin', 'no small cookies')
    """
    return f"1 {thing}" if number == 1 else f"{number or 'no'} {thing}s"


def _card_name(card: Card | FaceDown) -> str:
    if card is FACE_DOWN:
        return "a card"
    return "a Joker" if card is Card.JOKER else f"a {card.mark}"


def _play_name(play: PlayCard) -> str:
    """A card with what it is played as.

    >>> from wonderland.games.cookies.notation import read
    >>> _play_name(read("leftJ4+1"))
    'the left card, a Joker as 4 and 1 more'
    """
    joker = "a Joker as " if play.card is Card.JOKER else ""
    plus = " and 1 more" if play.plus else ""
    walk = ", to walk out of the Rabbit Hole" if play.walk else ""
    return f"the {play.side.name.lower()} card, {joker}{play.number}{plus}{walk}"


def _space_name(space: int, kind: Kind) -> str:
    return f"space {space + 1}" + (f", {_SPACE_NAMES[kind]}" if kind is not Kind.PLAIN else "")


def describe(view: View, names: Sequence[str]) -> list[str]:
    """The table in lines of text: the ring with the pawns, the cookies, and what everyone has."""
    larder = view.larder
    stack = _number(len(larder.stack), "large cookie")
    shown = "none face up" if larder.face_up is None else f"one worth {larder.face_up} face up"
    return [
        "The ring, clockwise, with what a spin takes; a pawn is a if small, A if large.",
        *_ring(view),
        f"Left: {stack} face down, {shown}; {_number(larder.small_left, 'small cookie')}.",
        *(line for seat in range(len(names)) for line in _belongings(view, seat, names[seat])),
        *_wrapped(_status(view, names)),
    ]


def _ring(view: View) -> Iterator[str]:
    """The spaces in columns, to be read line by line, with the letter of each pawn on its space."""
    cells = []
    for number, space in enumerate(view.options.board.spaces):
        pawns = "".join(_letter(view, seat) for seat, where in enumerate(view.pawns) if where == number)
        cells.append(f"{number + 1:>3} {_SPACE_NAMES[space.kind]:<13} {space.cookies} {pawns:<4}")
    for first in range(0, len(cells), _COLUMNS):
        yield "  ".join(cells[first : first + _COLUMNS]).rstrip()


def _letter(view: View, seat: Seat) -> str:
    return "ABCD"[seat] if view.large == seat else "abcd"[seat]


def _belongings(view: View, seat: Seat, name: str) -> list[str]:
    """What a seat has, in lines that are not too long."""
    hand, large, small = view.hands[seat], view.larder.large[seat], view.larder.small[seat]
    pawn = "large, on" if view.large == seat else "small, on"
    if view.in_hole(seat):
        pawn = "stuck in the Rabbit Hole," if view.stuck[seat] else "in the Rabbit Hole,"
    cookies = "no cookies"
    if large or small:
        values = " ".join(map(str, large)) or "none"
        cookies = f"{_number(points(large, small), 'point')} (large {values}; small {small})"
    cards = [f"hand {_hand(hand)}"] if hand else []
    if pile := pile_size(hand, view.unseen[seat]):
        cards.append(f"{pile} in the pile")
    if played := view.played[seat]:
        cards.append(f"played {' '.join(card.mark for card in played)}")
    line = f"{_letter(view, seat)} {name}: {pawn} {view.pawns[seat] + 1}; {cookies}"
    return [*_wrapped(line), *_wrapped(f"    {'; '.join(cards)}")]


def _hand(hand: Hand) -> str:
    """The cards from left to right; brackets mark the one in the centre, which can't be played (C7)."""
    marks = ["?" if card is FACE_DOWN else card.mark for card in hand]
    if len(marks) == 3:
        marks[1] = f"[{marks[1]}]"
    return " ".join(marks)


def _wrapped(line: str) -> list[str]:
    return wrap(line, _WIDTH, subsequent_indent="    ")


def _status(view: View, names: Sequence[str]) -> str:
    stage = view.stage
    match stage:
        case Starting() | Dealing() | TurningFirst():
            return "The cards are being dealt."
        case Climbing(seat, spins):
            return f"{names[seat]} climbs: {_number(spins, 'spin')} left."
        case Deciding(seat, spins):
            assert view.spinner is not None  # noqa: S101 - that is what is decided about
            space = _space_name(view.spinner, view.options.board.spaces[view.spinner].kind)
            left = _number(spins, "more spin")
            return f"{names[seat]} may climb out to {space}, or has {left}."
        case Spinning(seat):
            return f"{names[seat]} spins for small cookies."
        case Taking(seat):
            return f"{names[seat]} takes a large cookie, face up or face down."
        case Playing(seat) | TakingDown(seat) | TurningUp(seat) | Drawing(seat):
            return f"It is {names[seat]}'s turn."
        case Ended(result):
            return f"The game is over: {result.text(names)}, by {result.decided}."
    assert_never(stage)


def offer(view: View, action: Action) -> str:
    """An action with what it leads to, as far as that is certain."""
    stage = view.stage
    if isinstance(action, PlayCard) and isinstance(stage, Playing):
        climbs = view.in_hole(stage.seat) and not action.walk
        spins = f"up to {_number(action.steps, 'spin')} to climb out"
        return f"play {_play_name(action)}: {spins if climbs else _route(view, stage.seat, action)}"
    if isinstance(action, Answer) and isinstance(stage, Deciding):
        if action is Answer.AGAIN:
            return f"spin again: {_number(stage.spins, 'spin')} left"
        return f"accept the spin: {_route(view, stage.seat, action)}"
    if action is TakeCookie.FACE_UP:
        return f"take the face-up cookie, worth {view.larder.face_up}"
    if action is TakeCookie.FACE_DOWN:
        return f"take the top one of {_number(len(view.larder.stack), 'face-down cookie')}"
    return write(action)


def _route(view: View, seat: Seat, action: Action) -> str:
    """Where the pawn goes, stop by stop."""
    _, events = foreseen(noted(view), seat, action)
    return ", and on ".join(
        f"{'past the Tea Party ' if moved.passed else ''}to {_space_name(moved.end, moved.kind)}"
        for moved in events
        if isinstance(moved, PawnMoved)
    )
