"""Cookies in plain words: events, descriptions of the table, and the choices on offer."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import (
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
from wonderland.games.cookies.rules.notation import write
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
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
    Side,
    Spinning,
    Starting,
    TakeCookie,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
    pile_size,
)
from wonderland.games.cookies.rules.view import View, observed_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wonderland.engine.protocol import Seat

_WIDTH = 80
_COLUMNS = 3
_SPACE_NAMES = {
    Kind.TEA_PARTY: phrase("Tea Party"),
    Kind.SMALL_COOKIES: phrase("Small Cookies"),
    Kind.CATERPILLAR: phrase("Caterpillar"),
    Kind.CHESHIRE_CAT: phrase("Cheshire Cat"),
    Kind.RABBIT_HOLE: phrase("Rabbit Hole"),
    Kind.PLAIN: "",
}


_TAKEN = {
    TakeCookie.FACE_UP: phrase("{name} takes the face-up cookie, worth {worth}."),
    TakeCookie.FACE_DOWN: phrase("{name} takes the face-down cookie, worth {worth}."),
}
_SIDES = {Side.LEFT: phrase("the left card"), Side.RIGHT: phrase("the right card")}
ENDINGS = {
    "all cards played": phrase("All cards are played"),
}
"""Names of the endings on the insights page."""


def tell(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """Tell an event in one sentence, or `None` if it needs none."""
    match event:
        case StartChosen(seat):
            return say("{name} begins.", name=names[seat])
        case CardDealt():
            return None
        case CardDrawn(seat, card):
            return _tell_draw(names[seat], card, say)
        case CardPlayed(seat, play):
            return say("{name} plays {card}.", name=names[seat], card=play_name(play, say))
        case PawnMoved():
            return _tell_move(event, names[event.seat], say)
        case SentOn(seat, number):
            return say("The Cheshire Cat sends {name} on by {number}.", name=names[seat], number=number)
        case CookieTaken(seat, cookie, which):
            return say(_TAKEN[which], name=names[seat], worth=cookie)
        case CookieTurnedUp(cookie):
            return say("A large cookie worth {worth} is turned up.", worth=cookie)
        case SpinMade(_, space):
            return say("The spinner points at space {number}.", number=space + 1)
        case SmallCookiesTaken(seat, 0):
            return say("{name} takes no small cookies.", name=names[seat])
        case SmallCookiesTaken(seat, number):
            return say.plural(
                "{name} takes {number} small cookie.",
                "{name} takes {number} small cookies.",
                number,
                name=names[seat],
            )
        case PawnGrew(seat):
            return say("{name} becomes large.", name=names[seat])
        case PawnShrank(seat):
            return say("{name} becomes small.", name=names[seat])
        case FellIntoHole(seat):
            return say("{name} falls down the Rabbit Hole.", name=names[seat])
        case ClimbedOut(seat):
            return say("{name} climbs out of the Rabbit Hole.", name=names[seat])
        case StayedInHole(seat):
            return say("{name} stays in the Rabbit Hole.", name=names[seat])
        case GameEnded(result):
            return result.sentence(names, say)
    assert_never(event)


def _tell_draw(name: str, card: Card | FaceDown, say: Language) -> str:
    if card is FACE_DOWN:
        return say("{name} draws a card.", name=name)
    if card is Card.JOKER:
        return say("{name} draws a Joker.", name=name)
    return say("{name} draws a {number}.", name=name, number=card.mark)


def _tell_move(event: PawnMoved, name: str, say: Language) -> str:
    """Tell a move of a pawn, in whole sentences because word order differs between languages."""
    fields = {
        "name": name,
        "start": event.start + 1,
        "space": space_name(event.end, event.kind, say),
    }
    if event.beyond and event.passed:
        return say.plural(
            "{name} moves from space {start} to {space}, "
            "beyond {number} other pawn, past the Tea Party.",
            "{name} moves from space {start} to {space}, "
            "beyond {number} other pawns, past the Tea Party.",
            event.beyond,
            **fields,
        )
    if event.beyond:
        return say.plural(
            "{name} moves from space {start} to {space}, beyond {number} other pawn.",
            "{name} moves from space {start} to {space}, beyond {number} other pawns.",
            event.beyond,
            **fields,
        )
    if event.passed:
        return say("{name} moves from space {start} to {space}, past the Tea Party.", **fields)
    return say("{name} moves from space {start} to {space}.", **fields)


def play_name(play: PlayCard, say: Language = ENGLISH) -> str:
    """Name a card and what it is played as.

    >>> from wonderland.games.cookies.rules.notation import read
    >>> play_name(read("leftJ4+1"))
    'the left card, a Joker as 4 and 1 more'
    """
    card, number = say(_SIDES[play.side]), str(play.number)
    if play.card is Card.JOKER and play.plus:
        number = say("a Joker as {number} and 1 more", number=play.number)
    elif play.card is Card.JOKER:
        number = say("a Joker as {number}", number=play.number)
    elif play.plus:
        number = say("{number} and 1 more", number=play.number)
    if play.walk:
        return say("{card}, {number}, to walk out of the Rabbit Hole", card=card, number=number)
    return say("{card}, {number}", card=card, number=number)


def space_name(space: int, kind: Kind, say: Language = ENGLISH) -> str:
    """Name a space by its number and kind."""
    if kind is Kind.PLAIN:
        return say("space {number}", number=space + 1)
    return say("space {number}, {kind}", number=space + 1, kind=say(_SPACE_NAMES[kind]))


def _number(number: int, thing: str) -> str:
    """Format a count with its noun.

    >>> _number(1, "spin"), _number(0, "small cookie")
    ('1 spin', 'no small cookies')
    """
    return f"1 {thing}" if number == 1 else f"{number or 'no'} {thing}s"


def describe(view: View, names: Sequence[str]) -> list[str]:
    """Describe the table in lines of text: the ring with the pawns, the cookies, and every player."""
    larder = view.larder
    stack = _number(len(larder.stack), "large cookie")
    shown = "none face up" if larder.face_up is None else f"one worth {larder.face_up} face up"
    return [
        "The ring, clockwise, with what a spin takes; a pawn is a if small, A if large.",
        *_describe_ring(view),
        f"Left: {stack} face down, {shown}; {_number(larder.small_left, 'small cookie')}.",
        *(line for seat in range(len(names)) for line in _describe_seat(view, seat, names[seat])),
        *_wrap(_status(view, names)),
    ]


def _describe_ring(view: View) -> Iterator[str]:
    """List the spaces in columns, to be read row by row, with the letters of the pawns on them."""
    cells = []
    for number, space in enumerate(view.options.board.spaces):
        pawns = "".join(
            _pawn_letter(view, seat) for seat, where in enumerate(view.pawns) if where == number
        )
        cells.append(f"{number + 1:>3} {_SPACE_NAMES[space.kind]:<13} {space.cookies} {pawns:<4}")
    for first in range(0, len(cells), _COLUMNS):
        yield "  ".join(cells[first : first + _COLUMNS]).rstrip()


def _pawn_letter(view: View, seat: Seat) -> str:
    return "ABCD"[seat] if view.large == seat else "abcd"[seat]


def _describe_seat(view: View, seat: Seat, name: str) -> list[str]:
    """Describe a player's pawn, cookies and cards, in wrapped lines."""
    hand, large, small = view.hands[seat], view.larder.large[seat], view.larder.small[seat]
    pawn = "large, on" if view.large == seat else "small, on"
    if view.in_hole(seat):
        pawn = "stuck in the Rabbit Hole," if view.stuck[seat] else "in the Rabbit Hole,"
    cookies = "no cookies"
    if large or small:
        values = " ".join(map(str, large)) or "none"
        cookies = f"{_number(points(large, small), 'point')} (large {values}; small {small})"
    cards = [f"hand {_format_hand(hand)}"] if hand else []
    if pile := pile_size(hand, view.unseen[seat]):
        cards.append(f"{pile} in the pile")
    if played := view.played[seat]:
        cards.append(f"played {' '.join(card.mark for card in played)}")
    line = f"{_pawn_letter(view, seat)} {name}: {pawn} {view.pawns[seat] + 1}; {cookies}"
    return [*_wrap(line), *_wrap(f"    {'; '.join(cards)}")]


def _format_hand(hand: Hand) -> str:
    """Format a hand from left to right; the centre card, which can't be played, is in brackets (C7)."""
    marks = ["?" if card is FACE_DOWN else card.mark for card in hand]
    if len(marks) == 3:
        marks[1] = f"[{marks[1]}]"
    return " ".join(marks)


def _wrap(line: str) -> list[str]:
    return wrap(line, _WIDTH, subsequent_indent="    ")


def _status(view: View, names: Sequence[str]) -> str:
    stage = view.stage
    match stage:
        case Starting() | Dealing() | TurningFirst():
            return "The cards are being dealt."
        case Climbing(seat, spins):
            return f"{names[seat]} climbs: {_number(spins, 'spin')} left."
        case Deciding(seat, spins):
            assert view.spinner is not None  # noqa: S101 - the spin being decided
            space = space_name(view.spinner, view.options.board.spaces[view.spinner].kind)
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


def offer(view: View, action: Action, say: Language = ENGLISH) -> str:
    """Describe an action and its certain effects."""
    stage = view.stage
    if isinstance(action, PlayCard) and isinstance(stage, Playing):
        card = play_name(action, say)
        if view.in_hole(stage.seat) and not action.walk:
            return say.plural(
                "play {card}: up to {number} spin to climb out",
                "play {card}: up to {number} spins to climb out",
                action.steps,
                card=card,
            )
        return say("play {card}: {way}", card=card, way=_describe_way(view, stage.seat, action, say))
    if isinstance(action, Answer) and isinstance(stage, Deciding):
        if action is Answer.AGAIN:
            return say.plural(
                "spin again: {number} spin left", "spin again: {number} spins left", stage.spins
            )
        return say("accept the spin: {way}", way=_describe_way(view, stage.seat, action, say))
    if action is TakeCookie.FACE_UP:
        return say("take the face-up cookie, worth {worth}", worth=view.larder.face_up)
    if action is TakeCookie.FACE_DOWN:
        return say.plural(
            "take the top one of {number} face-down cookie",
            "take the top one of {number} face-down cookies",
            len(view.larder.stack),
        )
    return write(action)


def _describe_way(view: View, seat: Seat, action: Action, say: Language) -> str:
    """Describe the pawn's move, stop by stop."""
    _, events = certain_step(observed_state(view), seat, action)
    way = ""
    for moved in events:
        if not isinstance(moved, PawnMoved):
            continue
        space = space_name(moved.end, moved.kind, say)
        if not way and moved.passed:
            way = say("past the Tea Party to {space}", space=space)
        elif not way:
            way = say("to {space}", space=space)
        elif moved.passed:
            way = say("{way}, and on past the Tea Party to {space}", way=way, space=space)
        else:
            way = say("{way}, and on to {space}", way=way, space=space)
    return way
