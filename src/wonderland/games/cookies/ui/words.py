"""Cookies in plain words: events, descriptions of the table, and the choices on offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len

from wonderland.components.text_layout import align_left, wrap_text
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
_GAP = "  "  # between two columns of the ring
_SPACE_NAMES = {
    Kind.TEA_PARTY: phrase("Tea Party"),
    Kind.SMALL_COOKIES: phrase("Small Cookies"),
    Kind.CATERPILLAR: phrase("Caterpillar"),
    Kind.CHESHIRE_CAT: phrase("Cheshire Cat"),
    Kind.RABBIT_HOLE: phrase("Rabbit Hole"),
    Kind.PLAIN: "",
}
_EXPLANATIONS = {
    Kind.TEA_PARTY: (
        phrase("Stop here to take a large cookie: the face-up one, or the top one of the stack."),
        phrase("Run past to take the face-up one."),
    ),
    Kind.SMALL_COOKIES: (
        phrase("Stop here to spin, and take as many small cookies as the number you land on."),
    ),
    Kind.CATERPILLAR: (
        phrase("Stop here to become large. If you're large already, you become small."),
        phrase("A large pawn may move one extra space."),
    ),
    Kind.CHESHIRE_CAT: (phrase("Stop here to move on by the same number again."),),
    Kind.RABBIT_HOLE: (
        phrase("A small pawn falls in. Its next card is how many times you may spin to climb out."),
        phrase("A large pawn is safe here."),
    ),
    Kind.PLAIN: (),
}
"""What each kind of space does, in short sentences for the board."""
_TAKEN = {
    TakeCookie.FACE_UP: phrase("{name} takes the face-up cookie, worth {worth}."),
    TakeCookie.FACE_DOWN: phrase("{name} takes the face-down cookie, worth {worth}."),
}
_SIDES = {Side.LEFT: phrase("the left card"), Side.RIGHT: phrase("the right card")}
ENDINGS = {
    "all cards played": phrase("All cards have been played"),
}
"""Names of the endings on the insights page."""


def describe_event(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """Tell an event in one sentence, or `None` if it needs none."""
    match event:
        case StartChosen(seat):
            return say("{name} goes first.", name=names[seat])
        case CardDealt():
            return None
        case CardDrawn(seat, card):
            return _tell_draw(names[seat], card, say)
        case CardPlayed(seat, play):
            return say("{name} plays {card}.", name=names[seat], card=play_name(play, say))
        case PawnMoved():
            return _tell_move(event, names[event.seat], say)
        case SentOn(seat, number):
            return say(
                "The Cheshire Cat sends {name} on by another {number}.", name=names[seat], number=number
            )
        case CookieTaken(seat, cookie, which):
            return say(_TAKEN[which], name=names[seat], worth=cookie)
        case CookieTurnedUp(cookie):
            return say("A large cookie worth {worth} is turned up.", worth=cookie)
        case SpinMade(_, space):
            return say("The spinner points to space {number}.", number=space + 1)
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
            "{name} moves from space {start} to {space}, jumping past {number} other pawn "
            "and passing the Tea Party.",
            "{name} moves from space {start} to {space}, jumping past {number} other pawns "
            "and passing the Tea Party.",
            event.beyond,
            **fields,
        )
    if event.beyond:
        return say.plural(
            "{name} moves from space {start} to {space}, jumping past {number} other pawn.",
            "{name} moves from space {start} to {space}, jumping past {number} other pawns.",
            event.beyond,
            **fields,
        )
    if event.passed:
        return say("{name} moves from space {start} to {space}, passing the Tea Party.", **fields)
    return say("{name} moves from space {start} to {space}.", **fields)


def play_name(play: PlayCard, say: Language = ENGLISH) -> str:
    """Name a card and what it is played as.

    >>> from wonderland.games.cookies.rules.notation import read
    >>> play_name(read("leftJ4+1"))
    'the left card (a Joker as 4, plus 1 for being large)'
    """
    card, number = say(_SIDES[play.side]), str(play.number)
    if play.card is Card.JOKER and play.plus:
        number = say("a Joker as {number}, plus 1 for being large", number=play.number)
    elif play.card is Card.JOKER:
        number = say("a Joker as {number}", number=play.number)
    elif play.plus:
        number = say("{number}, plus 1 for being large", number=play.number)
    if play.walk:
        return say("{card} ({number}) to walk out of the Rabbit Hole", card=card, number=number)
    return say("{card} ({number})", card=card, number=number)


def kind_name(kind: Kind, say: Language = ENGLISH) -> str:
    """Name a kind of special space."""
    return say(_SPACE_NAMES[kind])


def explain_kind(kind: Kind, say: Language = ENGLISH) -> list[str]:
    """Explain what a kind of space does; a plain one does nothing."""
    return [say(sentence) for sentence in _EXPLANATIONS[kind]]


def space_name(space: int, kind: Kind, say: Language = ENGLISH) -> str:
    """Name a space by its number and kind."""
    if kind is Kind.PLAIN:
        return say("space {number}", number=space + 1)
    return say("space {number}, {kind}", number=space + 1, kind=kind_name(kind, say))


def describe(view: View, names: Sequence[str], say: Language = ENGLISH) -> list[str]:
    """Describe the table in lines of text: the ring with the pawns, the cookies, and every player."""
    heading = say(
        "The ring, clockwise, with the number of small cookies a spin takes. "
        "Small letters are small pawns, and a capital is the large pawn."
    )
    seats = [line for seat in range(len(names)) for line in _describe_seat(view, seat, names[seat], say)]
    return [
        *wrap_text(heading, _WIDTH),
        *_describe_ring(view, say),
        *_wrap(_describe_cookies(view, say)),
        *seats,
        *_wrap(status(view, names, say)),
    ]


def _describe_ring(view: View, say: Language) -> Iterator[str]:
    """List the spaces in columns, to be read row by row, with the letters of the pawns on them."""
    spaces = view.options.board.spaces
    named = [say(_SPACE_NAMES[space.kind]) for space in spaces]
    width = max(map(cell_len, named))
    cells = []
    for number, (space, name) in enumerate(zip(spaces, named, strict=True)):
        pawns = "".join(_pawn_letter(view, n) for n, at in enumerate(view.pawns) if at == number)
        cells.append(f"{number + 1:>3} {align_left(name, width)} {space.cookies} {pawns:<4}")
    columns = (_WIDTH + len(_GAP)) // (cell_len(cells[0]) + len(_GAP))
    for first in range(0, len(cells), columns):
        yield _GAP.join(cells[first : first + columns]).rstrip()


def _describe_cookies(view: View, say: Language) -> str:
    """Describe the cookies that nobody has yet."""
    larder = view.larder
    shown = say("No large cookie is face up.")
    if larder.face_up is not None:
        shown = say("A large cookie worth {worth} is face up.", worth=larder.face_up)
    stack = say.plural(
        "{number} large cookie is face down.", "{number} large cookies are face down.", len(larder.stack)
    )
    small = say.plural(
        "{number} small cookie is left.", "{number} small cookies are left.", larder.small_left
    )
    return say.sentences([shown, stack, small])


def _pawn_letter(view: View, seat: Seat) -> str:
    return "ABCD"[seat] if view.large == seat else "abcd"[seat]


def _describe_seat(view: View, seat: Seat, name: str, say: Language) -> list[str]:
    """Describe a player's pawn, cookies and cards, in wrapped lines."""
    hand, large, small = view.hands[seat], view.larder.large[seat], view.larder.small[seat]
    cookies = say("No cookies yet.")
    if large or small:
        cookies = say.plural(
            "{number} point (large cookies: {large}; small cookies: {small}).",
            "{number} points (large cookies: {large}; small cookies: {small}).",
            points(large, small),
            large=" ".join(map(str, large)) or say("none"),
            small=small,
        )
    cards = [say("Hand: {cards}", cards=_format_hand(hand))] if hand else []
    if pile := pile_size(hand, view.unseen[seat]):
        cards.append(say("Pile: {number}", number=pile))
    if played := view.played[seat]:
        cards.append(say("Played: {cards}", cards=" ".join(card.mark for card in played)))
    pawn = f"{_pawn_letter(view, seat)} {say.sentences([describe_pawn(view, seat, name, say), cookies])}"
    return [*_wrap(pawn), *_wrap(f"    {say.join_clauses(cards)}")]


def describe_pawn(view: View, seat: Seat, name: str, say: Language) -> str:
    """Say where a pawn is, and how large."""
    in_hole, space = view.in_hole(seat), view.options.board.spaces[view.pawns[seat]]
    kind = Kind.PLAIN if in_hole else space.kind  # a hole is named already
    fields = {"name": name, "space": space_name(view.pawns[seat], kind, say)}
    if in_hole:
        if view.stuck[seat]:
            return say("{name} is stuck in the Rabbit Hole: {space}.", **fields)
        return say("{name} is in the Rabbit Hole: {space}.", **fields)
    if view.large == seat:
        return say("{name} is large, on {space}.", **fields)
    return say("{name} is small, on {space}.", **fields)


def _format_hand(hand: Hand) -> str:
    """Format a hand from left to right; the middle card, which can't be played, is in brackets (C7)."""
    marks = ["?" if card is FACE_DOWN else card.mark for card in hand]
    if len(marks) == 3:
        marks[1] = f"[{marks[1]}]"
    return " ".join(marks)


def _wrap(line: str) -> list[str]:
    return wrap_text(line, _WIDTH, "    ")


def status(view: View, names: Sequence[str], say: Language = ENGLISH) -> str:
    """Say whose turn it is and what they are doing, or how the game ended."""
    stage = view.stage
    match stage:
        case Starting() | Dealing() | TurningFirst():
            return say("The cards are being dealt.")
        case Climbing(seat, spins):
            return say.plural(
                "{name} is climbing out: {number} spin left.",
                "{name} is climbing out: {number} spins left.",
                spins,
                name=names[seat],
            )
        case Deciding(seat, spins):
            assert view.spinner is not None  # noqa: S101 - the spin being decided
            return say.plural(
                "{name} can climb out to {space}, or spin again ({number} spin left).",
                "{name} can climb out to {space}, or spin again ({number} spins left).",
                spins,
                name=names[seat],
                space=space_name(view.spinner, view.options.board.spaces[view.spinner].kind, say),
            )
        case Spinning(seat):
            return say("{name} spins for small cookies.", name=names[seat])
        case Taking(seat):
            return say("{name} chooses a large cookie, face up or face down.", name=names[seat])
        case Playing(seat) | TakingDown(seat) | TurningUp(seat) | Drawing(seat):
            return say("It's {name}'s turn.", name=names[seat])
        case Ended(result):
            return say.sentences([say("The game is over."), result.verdict(names, say)])
    assert_never(stage)


def describe_action(view: View, action: Action, say: Language = ENGLISH) -> str:
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
            "take the face-down cookie ({number} in the stack)",
            "take the top face-down cookie ({number} in the stack)",
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
