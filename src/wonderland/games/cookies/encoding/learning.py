"""Action and observation encoding of Cookies for learning agents.

The end of the hand determines the card, so a play is an end, the number the card is played as, and
whether 1 is added or the pawn walks:

 0 to 9   the left card as 1 to 5, the right card as 1 to 5
10 to 19  the same, and a large pawn adds 1 (C8)
20, 21    take the face-up large cookie, or the top one of the stack (C13)
22, 23    accept the spin, or spin again (C18)
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
"""Maximum number of large cookies of one value (C1)."""


def actions(seats: int, options: Options) -> int:  # noqa: ARG001 - the same for any number of seats
    """Size of the action space: 24, or 34 with `kind_hole`."""
    return _ALL if options.kind_hole else _WALK


def action_names(seats: int, options: Options) -> Sequence[str]:
    """Short name of each action."""
    plays = [f"{side} as {value}" for side in ("left", "right") for value in range(1, 6)]
    words = ("take face up", "take face down", "accept", "again")
    names = [*plays, *[f"{play} plus 1" for play in plays], *words, *[f"{play}, walk" for play in plays]]
    return tuple(names[: actions(seats, options)])


def number(view: View, action: Action) -> int:  # noqa: ARG001 - the same in all views
    """Encode a decision as a number."""
    match action:
        case PlayCard(side, _, value, plus, walk):
            return 5 * side + value - 1 + _PLUS * plus + _WALK * walk
        case TakeCookie() | Answer():
            return _WORDS + _IN_WORDS.index(action)
    raise UsageError(f"{action} isn't an action of a seat.")


def action(view: View, number: int) -> Action:
    """Decode a number into a decision; the card of a play comes from the hand."""
    if view.seat is None or not 0 <= number < actions(len(view.hands), view.options):
        raise UsageError(f"{number} isn't the number of a legal action here.")
    if _WORDS <= number < _WALK:
        return _IN_WORDS[number - _WORDS]
    walk = number >= _WALK
    plus, play = divmod(number - _WALK if walk else number, _PLUS)
    hand, side = view.hands[view.seat], RIGHT if play >= 5 else LEFT
    card = hand[-side] if hand else FACE_DOWN
    if card is FACE_DOWN:
        raise UsageError("an agent must see the card it plays.")
    return PlayCard(side, card, play % 5 + 1, bool(plus), walk)


def features(seats: int, options: Options) -> tuple[Feature, ...]:
    """Describe the numbers of an observation, in order."""
    size, cards, values = len(options.board.spaces), len(Card), len(COOKIE_VALUES)
    shown = seats if options.hands == "open" else 1
    whose = "each hand" if options.hands == "open" else "your hand"
    from_left = f"for each place in {whose}, from the left, 1 for the card (1 to 5, Joker) there"
    unseen = "for each seat, how many of each card are in its pile or face down in its hand"
    of_value = "how many large cookies of each value (2 to 5)"
    return (
        Feature("hand", shown * options.hand_size * cards, 0, 1, from_left),
        Feature("held", seats, 0, options.hand_size, "how many cards each seat has in hand"),
        Feature("unseen", seats * cards, 0, 2, unseen),
        Feature("pawns", seats * size, 0, 1, "for each seat, 1 for the space that its pawn is on"),
        Feature("large", seats, 0, 1, "1 for the seat whose pawn is large"),
        Feature("stuck", seats, 0, 1, "1 for each seat that failed to climb out in its last turn"),
        Feature("taken", seats * values, 0, _LARGE, f"for each seat, {of_value} it has taken"),
        Feature("small", seats, 0, SMALL_COOKIES, "how many small cookies each seat has taken"),
        Feature("stack", values, 0, _LARGE, f"{of_value} are face down"),
        Feature("up", values, 0, 1, "1 for the value (2 to 5) of the face-up large cookie"),
        Feature("left", 1, 0, SMALL_COOKIES, "how many small cookies are left"),
        Feature("spinner", size, 0, 1, "1 for the space that the spinner points to"),
        Feature("spins", 1, 0, 5, "how many spins are left for climbing out"),
        Feature("turn", seats, 0, 1, "1 for the seat that may act now"),
        Feature("stage", 4, 0, 1, "one of: play a card, answer a spin, take a cookie, game over"),
    )


def observe(view: View) -> bytes:
    """Encode a seat's view as described by `features`."""
    if view.seat is None:
        raise UsageError("a spectator's view can't be encoded: an agent needs a seat.")
    seat, stage, larder, options = view.seat, view.stage, view.larder, view.options
    seats, spaces = range(len(view.hands)), range(len(options.board.spaces))
    hands = from_oneself(view.hands, seat)
    shown = hands if options.hands == "open" else hands[:1]
    on_turn = stage.seat if isinstance(stage, (Playing, Deciding, Taking)) else None
    return bytes(
        [
            *[flag for hand in shown for flag in _encode_hand(hand, options.hand_size)],
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


def _encode_hand(hand: Hand, size: int) -> list[int]:
    """One-hot encode the card at each place of a hand, from the left."""
    return [len(hand) > place and hand[place] is card for place in range(size) for card in Card]
