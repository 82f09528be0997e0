"""Cookies for learning agents: what a seat may do and what it may know, in numbers.

The card that is played follows from the end of the hand that it comes from, so a decision is an end, the
number that the card is played as, and what a large pawn, or one that failed to climb, makes of it:

 0 to 9   the left card as 1 to 5, the right card as 1 to 5
10 to 19  the same, and a large pawn adds 1 (C8)
20, 21    take the large cookie that lies face up, or the top one of the stack (C13)
22, 23    accept where the spinner points, or spin again (C18)
24 to 33  as 0 to 9, but walk out of the Rabbit Hole (C22): only with `kind_hole`
"""

from __future__ import annotations

from collections.abc import Sequence

from wonderland.components.learning import Feature, from_oneself
from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.cookies.rules.components import COOKIE_VALUES, SMALL_COOKIES, Card
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.state import (
    LEFT,
    RIGHT,
    Action,
    Answer,
    Climbing,
    Deciding,
    Ended,
    Hand,
    PlayCard,
    Playing,
    TakeCookie,
    Taking,
)
from wonderland.games.cookies.rules.view import View

_PLUS, _WORDS, _WALK, _ALL = 10, 20, 24, 34
_IN_WORDS = (TakeCookie.FACE_UP, TakeCookie.FACE_DOWN, Answer.ACCEPT, Answer.AGAIN)
_LARGE = 6
"""The most large cookies of one value (C1)."""


def actions(seats: int, options: Options) -> int:  # noqa: ARG001 - the same for all numbers of seats
    """24, and ten more with `kind_hole`."""
    return _ALL if options.kind_hole else _WALK


def action_names(seats: int, options: Options) -> Sequence[str]:
    """Each decision in a word or two."""
    plays = [f"{side} as {value}" for side in ("left", "right") for value in range(1, 6)]
    words = ("take face up", "take face down", "accept", "again")
    names = [*plays, *[f"{play} plus 1" for play in plays], *words, *[f"{play}, walk" for play in plays]]
    return tuple(names[: actions(seats, options)])


def number(view: View, action: Action) -> int:  # noqa: ARG001 - the same in all views
    """The number of a decision."""
    match action:
        case PlayCard(side, _, value, plus, walk):
            return 5 * side + value - 1 + _PLUS * plus + _WALK * walk
        case TakeCookie() | Answer():
            return _WORDS + _IN_WORDS.index(action)
    raise UsageError(f"{action} is no decision of a seat.")


def action(view: View, number: int) -> Action:
    """The decision that a number stands for: a play takes its card from the hand."""
    if view.seat is None or not 0 <= number < actions(len(view.hands), view.options):
        raise UsageError(f"{number} stands for no decision here.")
    if _WORDS <= number < _WALK:
        return _IN_WORDS[number - _WORDS]
    walk = number >= _WALK
    plus, play = divmod(number - _WALK if walk else number, _PLUS)
    hand, side = view.hands[view.seat], RIGHT if play >= 5 else LEFT
    card = hand[-side] if hand else FACE_DOWN
    if card is FACE_DOWN:
        raise UsageError("an agent must see the card that it plays.")
    return PlayCard(side, card, play % 5 + 1, bool(plus), walk)


def features(seats: int, options: Options) -> tuple[Feature, ...]:
    """What the numbers of an observation mean, in their order."""
    size, cards, values = len(options.board.spaces), len(Card), len(COOKIE_VALUES)
    shown = seats if options.hands == "open" else 1
    whose = "for each seat" if options.hands == "open" else "for your hand"
    from_left = f"{whose} and each place from the left, 1 for the card (1 to 5, Joker) there"
    of_value = "how many large cookies of each value (2 to 5)"
    return (
        Feature("hand", shown * options.hand_size * cards, 0, 1, from_left),
        Feature("held", seats, 0, options.hand_size, "how many cards each seat has in hand"),
        Feature("unseen", seats * cards, 0, 2, "for each seat, how many of each card you can't place"),
        Feature("pawns", seats * size, 0, 1, "for each seat, 1 for the space on which its pawn stands"),
        Feature("large", seats, 0, 1, "1 for the seat whose pawn is large"),
        Feature("stuck", seats, 0, 1, "1 for each seat that failed to climb out in its last turn"),
        Feature("taken", seats * values, 0, _LARGE, f"for each seat, {of_value} it has taken"),
        Feature("small", seats, 0, SMALL_COOKIES, "how many small cookies each seat has taken"),
        Feature("stack", values, 0, _LARGE, f"{of_value} lie face down"),
        Feature("up", values, 0, 1, "1 for the value (2 to 5) of the large cookie that lies face up"),
        Feature("left", 1, 0, SMALL_COOKIES, "how many small cookies are left"),
        Feature("spinner", size, 0, 1, "1 for the space at which the spinner points"),
        Feature("spins", 1, 0, 5, "how many spins are left to climb out with"),
        Feature("turn", seats, 0, 1, "1 for the seat that may act now"),
        Feature("stage", 4, 0, 1, "one of: play a card, answer a spin, take a cookie, it is over"),
    )


def observe(view: View) -> bytes:
    """What this seat may know, as `features` says."""
    if view.seat is None:
        raise UsageError("an agent sits at a seat: a spectator's view has no numbers.")
    seat, stage, larder, options = view.seat, view.stage, view.larder, view.options
    seats, spaces = range(len(view.hands)), range(len(options.board.spaces))
    hands = from_oneself(view.hands, seat)
    shown = hands if options.hands == "open" else hands[:1]
    on_turn = stage.seat if isinstance(stage, (Playing, Deciding, Taking)) else None
    return bytes(
        [
            *[flag for hand in shown for flag in _in_places(hand, options.hand_size)],
            *map(len, hands),
            *[cards.count(card) for cards in from_oneself(view.unseen, seat) for card in Card],
            *[pawn == space for pawn in from_oneself(view.pawns, seat) for space in spaces],
            *from_oneself([view.large == it for it in seats], seat),
            *from_oneself(view.stuck, seat),
            *[its.count(value) for its in from_oneself(larder.large, seat) for value in COOKIE_VALUES],
            *from_oneself(larder.small, seat),
            *[larder.stack.count(value) for value in COOKIE_VALUES],
            *[larder.face_up == value for value in COOKIE_VALUES],
            larder.small_left,
            *[view.spinner == space for space in spaces],
            stage.spins if isinstance(stage, (Climbing, Deciding)) else 0,
            *from_oneself([it == on_turn for it in seats], seat),
            *[isinstance(stage, kind) for kind in (Playing, Deciding, Taking, Ended)],
        ]
    )


def _in_places(hand: Hand, size: int) -> list[int]:
    """For each place of a hand, from the left, 1 for the card there."""
    return [len(hand) > place and hand[place] is card for place in range(size) for card in Card]
